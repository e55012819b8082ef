//! Cuts PGN text into tokens and finds where games begin.
//!
//! Knows spelling: white space, line ends, escape lines, strings, comments. Must not know what a
//! game consists of.

use super::error::Reason;
use super::limits::{MAX_COMMENT_BYTES, MAX_TAG_VALUE_BYTES};
use super::tags::is_tag_name;

/// Damage and the byte where it is.
pub(super) type Damage = (usize, Reason);

/// The smallest pieces of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[`, not yet taken: [`Lexer::tag`] takes the whole tag.
    Bracket,
    /// What stands between braces, or behind a semicolon.
    Comment(&'a str),
    /// `$7`, or one of the suffixes `!` and `?`.
    Nag(u8),
    /// `(`
    Open,
    /// `)`
    Close,
    /// Everything else up to the next space or sign.
    Word(&'a str),
    /// The text is over.
    End,
}

/// A place in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    /// Line ends between the last token and this place; two or more mean an empty line. The
    /// beginning of the text counts as if an empty line came before it.
    line_ends: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, pos: 0, line_ends: 2 }
    }

    /// Passes white space, byte-order marks and escape lines (PGN standard, 6). Returns the place
    /// of the next token.
    pub(super) fn space(&mut self) -> usize {
        self.line_ends = if self.pos == 0 { 2 } else { 0 };
        while let Some(c) = self.rest().chars().next() {
            let end = line_end(self.text, self.pos);
            if end > 0 {
                self.line_ends += 1;
                self.pos += end;
            } else if c.is_whitespace() || c == '\u{feff}' {
                self.pos += c.len_utf8();
            } else if c == '%' && self.in_first_column() {
                self.line_ends = 0;
                self.pos = end_of_line(self.text, self.pos);
            } else {
                break;
            }
        }
        self.pos
    }

    /// Whether only blanks stand before the token on its line.
    pub(super) fn on_new_line(&self) -> bool {
        self.line_ends > 0
    }

    /// Whether an empty line stands before the token.
    pub(super) fn after_empty_line(&self) -> bool {
        self.line_ends > 1
    }

    /// Whether a tag with a name and a quoted value seems to stand here.
    pub(super) fn at_tag(&self) -> bool {
        tag_name_at(self.text, self.pos).is_some()
    }

    /// Whether a comment begins here.
    pub(super) fn at_comment(&self) -> bool {
        self.rest().starts_with(['{', ';'])
    }

    /// Takes the token here; [`Lexer::space`] comes first.
    pub(super) fn token(&mut self) -> Result<Token<'a>, Damage> {
        let at = self.pos;
        let Some(c) = self.rest().chars().next() else {
            return Ok(Token::End);
        };
        if c == '[' {
            return Ok(Token::Bracket);
        }
        let word = self.take_while(|c| !c.is_whitespace() && !"{}()[];$\"!?*<>\u{feff}".contains(c));
        if !word.is_empty() {
            return Ok(Token::Word(word));
        }
        match c {
            '{' => self.brace_comment().map(Token::Comment),
            ';' => self.line_comment().map(Token::Comment),
            '!' | '?' => {
                let suffix = self.take_while(|c| matches!(c, '!' | '?'));
                suffix_nag(suffix).map(Token::Nag).ok_or_else(|| (at, Reason::Suffix(excerpt(suffix))))
            }
            _ => {
                self.pos += c.len_utf8();
                match c {
                    '(' => Ok(Token::Open),
                    ')' => Ok(Token::Close),
                    '*' => Ok(Token::Word("*")),
                    '$' => {
                        let digits = self.take_while(|c| c.is_ascii_digit());
                        digits.parse().map(Token::Nag).map_err(|_| (at, Reason::Nag))
                    }
                    _ => Err((at, Reason::Stray(c))),
                }
            }
        }
    }

    /// Takes the tag here: its name and its value, escapes resolved. Quotes inside a value that
    /// someone forgot to escape belong to it: a value ends at a quote before a bracket. A value
    /// broken over lines goes on with a space.
    pub(super) fn tag(&mut self) -> Result<(&'a str, String), Damage> {
        let bracket = self.pos;
        self.pos += 1;
        let at = self.space();
        let name = self.take_while(|c| !c.is_whitespace() && !matches!(c, '"' | '[' | ']'));
        let quote = self.space();
        if name.is_empty() || !self.rest().starts_with('"') {
            return Err((bracket, Reason::NotATag));
        }
        if !is_tag_name(name) {
            return Err((at, Reason::TagName(excerpt(name))));
        }
        self.pos += 1;
        let mut value = String::new();
        loop {
            if value.len() > MAX_TAG_VALUE_BYTES {
                return Err((quote, Reason::LongTagValue));
            }
            let end = line_end(self.text, self.pos);
            if end > 0 {
                self.pos += end;
                self.take_while(|c| matches!(c, ' ' | '\t'));
                if self.rest().starts_with(['[', '\r', '\n']) {
                    return Err((quote, Reason::OpenTagValue));
                }
                value.push(' ');
                continue;
            }
            let mut ahead = self.rest().chars();
            let Some(c) = ahead.next() else {
                return Err((quote, Reason::OpenTagValue));
            };
            self.pos += c.len_utf8();
            match (c, ahead.as_str()) {
                ('\\', behind) if behind.starts_with(['"', '\\']) => {
                    value.extend(ahead.next());
                    self.pos += 1;
                }
                ('"', behind) if behind.trim_start().starts_with(']') => {
                    self.space();
                    self.pos += 1;
                    return Ok((name, value));
                }
                _ => value.push(c),
            }
        }
    }

    /// Goes to the next beginning of a game behind the line of some damage, or to the end of the
    /// text.
    pub(super) fn resynchronise(&mut self, damage: usize) {
        self.pos = next_line(self.text, damage);
        let mut after_empty_line = false;
        while self.pos < self.text.len() && !begins_game(self.text, self.pos, after_empty_line) {
            let next = next_line(self.text, self.pos);
            after_empty_line = self.text.get(self.pos..next).is_some_and(|line| line.trim().is_empty());
            self.pos = next;
        }
    }

    fn brace_comment(&mut self) -> Result<&'a str, Damage> {
        let open = self.pos;
        self.pos += 1;
        let mut line_ends = 0;
        while let Some(&byte) = self.text.as_bytes().get(self.pos) {
            let end = line_end(self.text, self.pos);
            if byte == b'}' {
                let comment = self.text.get(open + 1..self.pos).unwrap_or_default();
                self.pos += 1;
                return Ok(comment);
            } else if self.pos - open > MAX_COMMENT_BYTES {
                return Err((open, Reason::LongComment));
            } else if end > 0 {
                line_ends += 1;
            } else if line_ends > 0 && begins_game(self.text, self.pos, line_ends > 1) {
                break;
            } else if !matches!(byte, b' ' | b'\t') {
                line_ends = 0;
            }
            self.pos += end.max(1);
        }
        Err((open, Reason::OpenComment))
    }

    fn line_comment(&mut self) -> Result<&'a str, Damage> {
        let semicolon = self.pos;
        self.pos = end_of_line(self.text, self.pos);
        match self.text.get(semicolon + 1..self.pos).unwrap_or_default() {
            comment if comment.len() > MAX_COMMENT_BYTES => Err((semicolon, Reason::LongComment)),
            comment => Ok(comment),
        }
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        let taken = rest.get(..length).unwrap_or_default();
        self.pos += taken.len();
        taken
    }

    fn in_first_column(&self) -> bool {
        let before = self.text.get(..self.pos).unwrap_or_default();
        before.is_empty() || before.ends_with(['\n', '\r'])
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }
}

/// Where the next line begins; the end of the text behind the last one.
pub(super) fn next_line(text: &str, pos: usize) -> usize {
    let end = end_of_line(text, pos);
    end + line_end(text, end)
}

/// The first characters of something that was not understood, fit to be shown.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(20).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Length of the line end here, 0 if there is none: LF, CR LF, CR, and the CR CR LF of files that
/// were converted twice.
fn line_end(text: &str, pos: usize) -> usize {
    match text.as_bytes().get(pos..).unwrap_or_default() {
        [b'\r', b'\r', b'\n', ..] => 3,
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Where the line that holds this place ends; its line end comes there, or the end of the text.
fn end_of_line(text: &str, pos: usize) -> usize {
    text.get(pos..).and_then(|rest| rest.find(['\r', '\n'])).map_or(text.len(), |length| pos + length)
}

/// Whether a game begins at this beginning of a line: with any tag behind an empty line, with
/// `Event` anywhere.
fn begins_game(text: &str, pos: usize, after_empty_line: bool) -> bool {
    tag_name_at(text, pos).is_some_and(|name| after_empty_line || name == "Event")
}

fn tag_name_at(text: &str, pos: usize) -> Option<&str> {
    const BLANKS: [char; 2] = [' ', '\t'];
    let inside = text.get(pos..)?.strip_prefix('[')?.trim_start_matches(BLANKS);
    let (name, behind) = inside.split_at(inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?);
    (is_tag_name(name) && behind.trim_start_matches(BLANKS).starts_with('"')).then_some(name)
}

/// The glyphs of the suffixes (PGN standard, 8.2.3.8).
fn suffix_nag(suffix: &str) -> Option<u8> {
    Some(match suffix {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}
