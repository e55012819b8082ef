//! Cuts PGN into tokens and finds where games begin.
//!
//! Knows spelling: white space, line ends, escape lines, strings, comments. Must not know what a game consists of. Works
//! on bytes, because every sign of PGN is ASCII whatever the encoding; only strings and comments are decoded.

use memchr::{memchr, memchr2, memchr3};

use super::error::Reason;
use super::limits::{MAX_COMMENT_BYTES, MAX_TAG_VALUE_BYTES};
use super::signs::{Kind, excerpt, kind, suffix_nag};
use super::tags::is_tag_name;
use crate::encoding::decode;

/// Damage and the byte where it is. In a box, so that what is whole moves fast.
#[derive(Debug)]
pub(super) struct Damage(pub(super) Box<(usize, Reason)>);

/// Damage at a place.
pub(super) fn damage(at: usize, reason: impl Into<Reason>) -> Damage {
    Damage(Box::new((at, reason.into())))
}

/// Longest tag name that is looked for at the beginning of a game.
const MAX_NAME_BYTES: usize = 255;

/// The smallest pieces of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[`, not yet taken: [`Lexer::tag_name`] and [`Lexer::tag_value`] take the tag.
    Bracket,
    /// What stands between braces, or behind a semicolon.
    Comment(&'a [u8]),
    /// `$7`, or one of the suffixes `!` and `?`.
    Nag(u8),
    /// `(`
    Open,
    /// `)`
    Close,
    /// Everything else up to the next space or sign.
    Word(&'a [u8]),
    /// The text is over.
    End,
}

/// A place in the text of a game and what follows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    pos: usize,
    /// Whether the text begins in the first column of a line.
    first_column: bool,
    /// Whether anything so far depended on the text being over here.
    starved: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8], first_column: bool) -> Self {
        Self { text, pos: 0, first_column, starved: false }
    }

    /// The byte that comes next.
    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    /// Whether more text could have led elsewhere.
    pub(super) fn starved(&self) -> bool {
        self.starved
    }

    /// Goes back to an earlier place. That the text was over stays true.
    pub(super) fn back_to(&mut self, pos: usize) {
        self.pos = pos;
    }

    /// Passes white space, byte-order marks and escape lines (PGN standard, 6). Returns the place of the next token.
    #[inline]
    pub(super) fn space(&mut self) -> usize {
        if let Some([b' ', b'!'..=b'~']) = self.text.get(self.pos..self.pos + 2) {
            // One space, mostly.
            self.pos += 1;
            return self.pos;
        }
        self.more_space()
    }

    fn more_space(&mut self) -> usize {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c) => self.pos += 1,
                Some(b'%') if self.in_first_column() => self.pos = self.line_end(self.pos),
                Some(0x80..) => match self.foreign_space(self.pos) {
                    0 => break,
                    length => self.pos += length,
                },
                _ => break,
            }
        }
        self.pos
    }

    /// Whether only blanks stand before the token on its line.
    pub(super) fn on_new_line(&self) -> bool {
        self.line_ends_before() > 0
    }

    /// Whether an empty line stands before the token.
    pub(super) fn after_empty_line(&self) -> bool {
        self.line_ends_before() > 1
    }

    /// Whether a tag with a name and a quoted value seems to stand here.
    pub(super) fn at_tag(&mut self) -> bool {
        self.tag_name_at(self.pos).is_some()
    }

    /// Whether a game begins at this beginning of a line: with any tag behind an empty line, with `Event` anywhere.
    pub(super) fn at_game(&mut self, after_empty_line: bool) -> bool {
        self.begins_game(self.pos, after_empty_line)
    }

    /// Whether a zero byte follows soon: hardly a binary file has none at its beginning.
    pub(super) fn zero_follows(&mut self) -> bool {
        const LOOKED_AT: usize = 64;
        let end = self.pos + LOOKED_AT;
        self.starved |= self.text.len() < end;
        self.text.get(self.pos..end.min(self.text.len())).is_some_and(|soon| soon.contains(&0))
    }

    /// Whether a comment begins here.
    pub(super) fn at_comment(&mut self) -> bool {
        matches!(self.peek(), Some(b'{' | b';'))
    }

    /// Passes a move number with its dots and a blank behind it, if there is one.
    #[inline]
    pub(super) fn pass_move_number(&mut self) -> bool {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let behind = rest.get(digits..).unwrap_or_default();
        let dots = behind.iter().take_while(|&&byte| byte == b'.').count();
        let passes = digits > 0 && dots > 0 && matches!(behind.get(dots), Some(b' ' | b'\n' | b'\r'));
        if passes {
            self.pos += digits + dots;
        }
        passes
    }

    /// Takes the token here; [`Lexer::space`] comes first.
    #[inline]
    pub(super) fn token(&mut self) -> Result<Token<'a>, Damage> {
        match self.peek() {
            None => Ok(Token::End),
            Some(byte) if kind(byte) != Kind::Other => Ok(Token::Word(self.word())),
            Some(byte) => self.sign(byte),
        }
    }

    /// The token that begins with a sign.
    fn sign(&mut self, byte: u8) -> Result<Token<'a>, Damage> {
        let at = self.pos;
        self.pos += 1;
        match byte {
            b'{' => self.brace_comment(at).map(Token::Comment),
            b'(' => Ok(Token::Open),
            b')' => Ok(Token::Close),
            b'$' => {
                let digits = self.take_while(|byte| byte.is_ascii_digit());
                decode(digits).parse().map(Token::Nag).map_err(|_| damage(at, Reason::Nag))
            }
            b'!' | b'?' => {
                self.pos = at;
                let suffix = self.take_while(|byte| matches!(byte, b'!' | b'?'));
                suffix_nag(suffix).map(Token::Nag).ok_or_else(|| damage(at, Reason::Suffix(excerpt(suffix))))
            }
            b'*' => Ok(Token::Word(b"*")),
            b';' => self.line_comment(at).map(Token::Comment),
            b'[' => {
                self.pos = at;
                Ok(Token::Bracket)
            }
            0 => Err(damage(at, Reason::NotText)),
            _ => Err(damage(at, Reason::Stray(char::from(byte)))),
        }
    }

    /// Takes the bracket and the name of the tag here.
    pub(super) fn tag_name(&mut self) -> Result<&'a str, Damage> {
        let bracket = self.pos;
        self.pos += 1;
        if let Some(name) = self.usual_tag_name() {
            return Ok(name);
        }
        let at = self.space();
        let name = self.take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'[' | b']'));
        self.space();
        if name.is_empty() || self.peek() != Some(b'"') {
            return Err(damage(bracket, Reason::NotATag));
        }
        let known = std::str::from_utf8(name).ok().filter(|name| is_tag_name(name));
        known.ok_or_else(|| damage(at, Reason::TagName(excerpt(name))))
    }

    /// Takes the name of a tag if it is written as the standard says, `[Name "`.
    fn usual_tag_name(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.pos..)?;
        let length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
        let (name, behind) = rest.split_at_checked(length)?;
        let name =
            std::str::from_utf8(name).ok().filter(|name| name.starts_with(|c: char| c.is_ascii_alphanumeric()))?;
        if !behind.starts_with(b" \"") {
            return None;
        }
        self.pos += length + 1;
        Some(name)
    }

    /// Takes the quoted value and the closing bracket of a tag; escapes are resolved. Quotes inside a value that someone
    /// forgot to escape belong to it: a value ends at a quote before a bracket. A value broken over lines goes on with a
    /// space.
    pub(super) fn tag_value(&mut self) -> Result<String, Damage> {
        let quote = self.pos;
        self.pos += 1;
        let mut value = self.take_while(|byte| !matches!(byte, b'"' | b'\\' | b'\r' | b'\n'));
        if value.len() <= MAX_TAG_VALUE_BYTES && self.ends_value() {
            return Ok(decode(value).into_owned());
        }
        let mut whole = Vec::new();
        loop {
            whole.extend_from_slice(value);
            if whole.len() > MAX_TAG_VALUE_BYTES {
                return Err(damage(quote, Reason::LongTagValue));
            }
            match self.peek() {
                Some(b'\r' | b'\n') => {
                    self.pos += self.line_end_length(self.pos);
                    self.take_while(|byte| matches!(byte, b' ' | b'\t'));
                    if matches!(self.peek(), Some(b'[' | b'\r' | b'\n')) {
                        return Err(damage(quote, Reason::OpenTagValue));
                    }
                    whole.push(b' ');
                }
                Some(b'\\') if matches!(self.byte(self.pos + 1), Some(b'"' | b'\\')) => {
                    whole.extend(self.byte(self.pos + 1));
                    self.pos += 2;
                }
                Some(_) if self.ends_value() => return Ok(decode(&whole).into_owned()),
                Some(byte) => {
                    whole.push(byte);
                    self.pos += 1;
                }
                None => return Err(damage(quote, Reason::OpenTagValue)),
            }
            value = self.take_while(|byte| !matches!(byte, b'"' | b'\\' | b'\r' | b'\n'));
        }
    }

    /// Takes the quote here if it closes the value, and the bracket with it.
    fn ends_value(&mut self) -> bool {
        let quote = self.pos;
        if self.peek() != Some(b'"') {
            return false;
        }
        self.pos += 1;
        self.space();
        let ends = self.peek() == Some(b']');
        self.pos = if ends { self.pos + 1 } else { quote };
        ends
    }

    /// What stands between the braces; the opening one has been taken.
    fn brace_comment(&mut self, open: usize) -> Result<&'a [u8], Damage> {
        // One byte more than allowed, so that the brace behind the longest comment is seen.
        let limit = self.text.len().min(self.pos + MAX_COMMENT_BYTES + 1);
        let inside = self.text.get(self.pos..limit).unwrap_or_default();
        let first = memchr3(b'}', b'\n', b'\r', inside);
        let on_one_line = first.is_none_or(|first| inside.get(first) == Some(&b'}'));
        let length = if on_one_line { first } else { memchr(b'}', inside) };
        let comment = inside.get(..length.unwrap_or(inside.len())).unwrap_or_default();
        if !on_one_line {
            self.no_game_within(open, self.pos + comment.len())?;
        }
        if length.is_some() {
            self.pos += comment.len() + 1;
            Ok(comment)
        } else if inside.len() > MAX_COMMENT_BYTES {
            Err(damage(open, Reason::LongComment))
        } else {
            self.starved = true;
            Err(damage(open, Reason::OpenComment))
        }
    }

    /// A comment in which a game begins was never closed.
    fn no_game_within(&mut self, open: usize, end: usize) -> Result<(), Damage> {
        let mut pos = self.pos;
        let mut line_ends = 0;
        while let Some(byte) = self.text.get(pos..end).and_then(<[u8]>::first) {
            match byte {
                b'\r' | b'\n' => {
                    line_ends += 1;
                    pos += self.line_end_length(pos);
                    continue;
                }
                b'[' if line_ends > 0 && self.begins_game(pos, line_ends > 1) => {
                    return Err(damage(open, Reason::OpenComment));
                }
                b' ' | b'\t' => {}
                _ => line_ends = 0,
            }
            pos += 1;
        }
        Ok(())
    }

    fn line_comment(&mut self, semicolon: usize) -> Result<&'a [u8], Damage> {
        let start = self.pos;
        self.pos = self.line_end(start);
        match self.text.get(start..self.pos).unwrap_or_default() {
            comment if comment.len() > MAX_COMMENT_BYTES => Err(damage(semicolon, Reason::LongComment)),
            comment => Ok(comment),
        }
    }

    #[inline]
    fn word(&mut self) -> &'a [u8] {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let length = rest.iter().position(|&byte| kind(byte) != Kind::Word);
        match length.and_then(|length| rest.split_at_checked(length)) {
            Some((word, [..0x80, ..])) => {
                self.pos += word.len();
                word
            }
            _ => self.word_beyond_ascii(),
        }
    }

    /// A word with other signs than those of ASCII, or at the end of the text. A space outside ASCII ends it too.
    #[cold]
    fn word_beyond_ascii(&mut self) -> &'a [u8] {
        let start = self.pos;
        self.take_while(|byte| kind(byte) != Kind::Other);
        if let Some(space) = (start + 1..self.pos).find(|&pos| self.foreign_space(pos) > 0) {
            self.pos = space;
        }
        self.text.get(start..self.pos).unwrap_or_default()
    }

    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let length = rest.iter().position(|&byte| !belongs(byte));
        self.starved |= length.is_none();
        let taken = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        self.pos += taken.len();
        taken
    }

    fn peek(&mut self) -> Option<u8> {
        self.byte(self.pos)
    }

    fn byte(&mut self, pos: usize) -> Option<u8> {
        let byte = self.text.get(pos).copied();
        self.starved |= byte.is_none();
        byte
    }

    fn in_first_column(&self) -> bool {
        match self.pos.checked_sub(1).and_then(|before| self.text.get(before)) {
            Some(byte) => matches!(byte, b'\n' | b'\r'),
            None => self.first_column,
        }
    }

    /// Line ends between the token before and this place, at most two: two mean an empty line. The beginning of the text
    /// counts as if an empty line came before it.
    fn line_ends_before(&self) -> usize {
        let mut before = self.text.get(..self.pos).unwrap_or_default();
        let mut line_ends = 0;
        while line_ends < 2 {
            before = match before {
                [] => return 2,
                [rest @ .., b'\r', b'\r', b'\n'] | [rest @ .., b'\r', b'\n'] | [rest @ .., b'\n' | b'\r'] => {
                    line_ends += 1;
                    rest
                }
                [rest @ .., blank] if blank.is_ascii_whitespace() => rest,
                _ => break,
            };
        }
        line_ends
    }

    /// Length of the line end here: LF, CR LF, CR, and the CR CR LF of files that were converted twice. 0 if there is
    /// none.
    fn line_end_length(&mut self, pos: usize) -> usize {
        match self.byte(pos) {
            Some(b'\n') => 1,
            Some(b'\r') => match self.byte(pos + 1) {
                Some(b'\n') => 2,
                Some(b'\r') if self.byte(pos + 2) == Some(b'\n') => 3,
                _ => 1,
            },
            _ => 0,
        }
    }

    /// Where the line that holds this place ends; its line end comes there, or the end of the text.
    fn line_end(&mut self, pos: usize) -> usize {
        let rest = self.text.get(pos..).unwrap_or_default();
        let length = memchr2(b'\n', b'\r', rest);
        self.starved |= length.is_none();
        pos + length.unwrap_or(rest.len())
    }

    /// Length of a space or byte-order mark outside ASCII, in UTF-8 or Latin-1; 0 if there is none.
    fn foreign_space(&mut self, pos: usize) -> usize {
        let rest = self.text.get(pos..).unwrap_or_default();
        self.starved |= rest.len() < 3;
        match rest {
            [0xef, 0xbb, 0xbf, ..] | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..] | [0xe3, 0x80, 0x80, ..] => 3,
            [0xc2, 0xa0, ..] => 2,
            // Inside UTF-8 this byte never comes first.
            [0xa0, ..] if pos.checked_sub(1).and_then(|pos| self.text.get(pos)).is_none_or(u8::is_ascii) => 1,
            _ => 0,
        }
    }

    fn begins_game(&mut self, pos: usize, after_empty_line: bool) -> bool {
        self.tag_name_at(pos).is_some_and(|name| after_empty_line || name == "Event")
    }

    fn tag_name_at(&mut self, bracket: usize) -> Option<&'a str> {
        let text = self.text;
        let blanks = |from: usize| {
            let rest = text.get(from..).unwrap_or_default();
            from + rest.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(rest.len())
        };
        if self.byte(bracket)? != b'[' {
            return None;
        }
        let start = blanks(bracket + 1);
        let name = text.get(start..).unwrap_or_default();
        let name = name.get(..name.len().min(MAX_NAME_BYTES)).unwrap_or_default();
        let length = name.iter().position(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_');
        let name = name.get(..length.unwrap_or(name.len())).unwrap_or_default();
        let quote = blanks(start + name.len());
        let name = std::str::from_utf8(name).ok().filter(|name| is_tag_name(name));
        (self.byte(quote)? == b'"').then_some(name).flatten()
    }
}
