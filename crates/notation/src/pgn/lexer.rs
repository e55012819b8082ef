//! Splits PGN into tokens and detects where a game begins.
//!
//! Must not know the structure of a game. Works on bytes, because PGN's delimiters are ASCII in every encoding; only
//! strings and comments are decoded.

use memchr::{memchr, memchr2, memchr3};

use super::characters::{ByteClass, byte_class, excerpt, nag_of_suffix};
use super::error::Reason;
use super::limits::{MAX_COMMENT_BYTES, MAX_TAG_VALUE_BYTES};
use super::tags::is_tag_name;
use crate::encoding::decode;

/// What is wrong and at which byte. Boxed, so that the `Ok` value of a result stays small.
#[derive(Debug)]
pub(super) struct SyntaxError(pub(super) Box<(usize, Reason)>);

/// An error at a byte.
pub(super) fn error_at(at: usize, reason: impl Into<Reason>) -> SyntaxError {
    SyntaxError(Box::new((at, reason.into())))
}

/// Longest tag name that is recognised as the beginning of a game, in bytes.
const MAX_NAME_BYTES: usize = 255;

/// A token of PGN (PGN standard, 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[`, not consumed: [`Lexer::take_tag_name`] and [`Lexer::take_tag_value`] read the tag.
    Bracket,
    /// The text between braces, or after a semicolon.
    Comment(&'a [u8]),
    /// `$7`, or one of the suffixes `!` and `?`.
    Nag(u8),
    /// `(`
    VariationStart,
    /// `)`
    VariationEnd,
    /// Everything else up to the next delimiter: a move, a number or a result.
    Symbol(&'a [u8]),
    /// End of the text.
    End,
}

/// A position in the text of a game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    pos: usize,
    /// Whether the text begins in the first column of a line.
    first_column: bool,
    /// Whether a decision depended on the end of the text: with more text the result could differ.
    reached_end: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8], first_column: bool) -> Self {
        Self { text, pos: 0, first_column, reached_end: false }
    }

    /// Index of the next byte.
    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    /// Whether more text could change the result.
    pub(super) fn reached_end(&self) -> bool {
        self.reached_end
    }

    /// Goes back to an earlier position; [`Lexer::reached_end`] stays set.
    pub(super) fn rewind_to(&mut self, pos: usize) {
        self.pos = pos;
    }

    /// Skips white space, byte-order marks and escape lines (PGN standard, 6). Returns the position of the next token.
    #[inline]
    pub(super) fn skip_space(&mut self) -> usize {
        if let Some([b' ', b'!'..=b'~']) = self.text.get(self.pos..self.pos + 2) {
            // The common case: one space.
            self.pos += 1;
            return self.pos;
        }
        self.skip_more_space()
    }

    fn skip_more_space(&mut self) -> usize {
        loop {
            match self.peek() {
                // DOS ends a text with Ctrl-Z (1a), which stays between files that are joined.
                Some(b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c | 0x1a) => self.pos += 1,
                Some(b'%') if self.in_first_column() => self.pos = self.line_end(self.pos),
                Some(0x80..) => match self.non_ascii_space(self.pos) {
                    0 => break,
                    length => self.pos += length,
                },
                _ => break,
            }
        }
        self.pos
    }

    /// Whether the token is the first one on its line.
    pub(super) fn on_new_line(&self) -> bool {
        self.line_ends_before() > 0
    }

    /// Whether an empty line precedes the token.
    pub(super) fn after_empty_line(&self) -> bool {
        self.line_ends_before() > 1
    }

    /// Whether a tag with a name and a quoted value seems to begin here.
    pub(super) fn at_tag(&mut self) -> bool {
        self.tag_name_at(self.pos).is_some()
    }

    /// Whether a game begins at this start of a line: any tag after an empty line, or an `Event` tag.
    pub(super) fn at_game(&mut self, after_empty_line: bool) -> bool {
        self.begins_game(self.pos, after_empty_line)
    }

    /// Whether a zero byte is among the next bytes: almost every binary file has one at its beginning.
    pub(super) fn seems_binary(&mut self) -> bool {
        const LOOKED_AT: usize = 64;
        let end = self.pos + LOOKED_AT;
        self.reached_end |= self.text.len() < end;
        self.text.get(self.pos..end.min(self.text.len())).is_some_and(|next| next.contains(&0))
    }

    /// Whether a comment begins here.
    pub(super) fn at_comment(&mut self) -> bool {
        matches!(self.peek(), Some(b'{' | b';'))
    }

    /// Skips a move number with its dots if white space follows it.
    #[inline]
    pub(super) fn skip_move_number(&mut self) -> bool {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let after = rest.get(digits..).unwrap_or_default();
        let dots = after.iter().take_while(|&&byte| byte == b'.').count();
        let found = digits > 0 && dots > 0 && matches!(after.get(dots), Some(b' ' | b'\n' | b'\r'));
        if found {
            self.pos += digits + dots;
        }
        found
    }

    /// Reads the next token. The caller calls [`Lexer::skip_space`] first.
    #[inline]
    pub(super) fn token(&mut self) -> Result<Token<'a>, SyntaxError> {
        match self.peek() {
            None => Ok(Token::End),
            Some(byte) if byte_class(byte) != ByteClass::Delimiter => Ok(Token::Symbol(self.symbol())),
            Some(byte) => self.delimiter(byte),
        }
    }

    /// Reads the token that begins with a delimiter.
    fn delimiter(&mut self, byte: u8) -> Result<Token<'a>, SyntaxError> {
        let at = self.pos;
        self.pos += 1;
        match byte {
            b'{' => self.brace_comment(at).map(Token::Comment),
            b'(' => Ok(Token::VariationStart),
            b')' => Ok(Token::VariationEnd),
            b'$' => {
                let digits = self.take_while(|byte| byte.is_ascii_digit());
                decode(digits).parse().map(Token::Nag).map_err(|_| error_at(at, Reason::Nag))
            }
            b'!' | b'?' => {
                self.pos = at;
                let suffix = self.take_while(|byte| matches!(byte, b'!' | b'?'));
                nag_of_suffix(suffix).map(Token::Nag).ok_or_else(|| error_at(at, Reason::Suffix(excerpt(suffix))))
            }
            b'*' => Ok(Token::Symbol(b"*")),
            b';' => self.line_comment(at).map(Token::Comment),
            b'[' => {
                self.pos = at;
                Ok(Token::Bracket)
            }
            0 => Err(error_at(at, Reason::NotText)),
            _ => Err(error_at(at, Reason::Stray(char::from(byte)))),
        }
    }

    /// Reads the bracket and the name of a tag.
    pub(super) fn take_tag_name(&mut self) -> Result<&'a str, SyntaxError> {
        let bracket = self.pos;
        self.pos += 1;
        if let Some(name) = self.plain_tag_name() {
            return Ok(name);
        }
        let at = self.skip_space();
        let name = self.take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'[' | b']'));
        self.skip_space();
        if name.is_empty() || self.peek() != Some(b'"') {
            return Err(error_at(bracket, Reason::NotATag));
        }
        let known = std::str::from_utf8(name).ok().filter(|name| is_tag_name(name));
        known.ok_or_else(|| error_at(at, Reason::TagName(excerpt(name))))
    }

    /// Fast path of [`Lexer::take_tag_name`]: the standard's form `[Name "`.
    fn plain_tag_name(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.pos..)?;
        let length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
        let (name, after) = rest.split_at_checked(length)?;
        let name =
            std::str::from_utf8(name).ok().filter(|name| name.starts_with(|c: char| c.is_ascii_alphanumeric()))?;
        if !after.starts_with(b" \"") {
            return None;
        }
        self.pos += length + 1;
        Some(name)
    }

    /// Reads the quoted value and the closing bracket of a tag, and resolves escapes. The value ends at a quote before a
    /// bracket, so that it may hold quotes that are not escaped. A line break within the value becomes a space.
    pub(super) fn take_tag_value(&mut self) -> Result<String, SyntaxError> {
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
                return Err(error_at(quote, Reason::LongTagValue));
            }
            match self.peek() {
                Some(b'\r' | b'\n') => {
                    self.pos += self.line_end_length(self.pos);
                    self.take_while(|byte| matches!(byte, b' ' | b'\t'));
                    if matches!(self.peek(), Some(b'[' | b'\r' | b'\n')) {
                        return Err(error_at(quote, Reason::OpenTagValue));
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
                None => return Err(error_at(quote, Reason::OpenTagValue)),
            }
            value = self.take_while(|byte| !matches!(byte, b'"' | b'\\' | b'\r' | b'\n'));
        }
    }

    /// Consumes the quote here and the bracket after it if they close the value.
    fn ends_value(&mut self) -> bool {
        let quote = self.pos;
        if self.peek() != Some(b'"') {
            return false;
        }
        self.pos += 1;
        self.skip_space();
        let ends = self.peek() == Some(b']');
        self.pos = if ends { self.pos + 1 } else { quote };
        ends
    }

    /// The text between braces; the opening brace is already consumed.
    fn brace_comment(&mut self, open: usize) -> Result<&'a [u8], SyntaxError> {
        // One byte more than allowed: the brace after the longest comment.
        let limit = self.text.len().min(self.pos + MAX_COMMENT_BYTES + 1);
        let inside = self.text.get(self.pos..limit).unwrap_or_default();
        let first = memchr3(b'}', b'\n', b'\r', inside);
        let on_one_line = first.is_none_or(|first| inside.get(first) == Some(&b'}'));
        let length = if on_one_line { first } else { memchr(b'}', inside) };
        let comment = inside.get(..length.unwrap_or(inside.len())).unwrap_or_default();
        if !on_one_line {
            self.check_no_game_within(open, self.pos + comment.len(), length.is_some())?;
        }
        if length.is_some() {
            self.pos += comment.len() + 1;
            Ok(comment)
        } else if inside.len() > MAX_COMMENT_BYTES {
            Err(error_at(open, Reason::LongComment))
        } else {
            self.reached_end = true;
            Err(error_at(open, Reason::OpenComment))
        }
    }

    /// Refuses a comment in which a game begins, so that its closing brace seems to be missing. Lines that look like tags
    /// are text of the comment if the next brace is the closing one and is no part of such a line.
    fn check_no_game_within(&mut self, open: usize, end: usize, closed: bool) -> Result<(), SyntaxError> {
        let mut pos = self.pos;
        let mut line_ends = 0;
        let mut game_begins = false;
        let mut latest_tag = None;
        while let Some(byte) = self.text.get(pos..end).and_then(<[u8]>::first) {
            match byte {
                b'\r' | b'\n' => {
                    line_ends += 1;
                    latest_tag = None;
                    pos += self.line_end_length(pos);
                    continue;
                }
                b'[' if line_ends > 0 && self.tag_name_at(pos).is_some() => {
                    game_begins |= self.begins_game(pos, line_ends > 1);
                    latest_tag = Some(pos);
                    line_ends = 0;
                }
                b'{' if game_begins => return Err(error_at(open, Reason::OpenComment)),
                b' ' | b'\t' => {}
                _ => line_ends = 0,
            }
            pos += 1;
        }
        let within_tag = latest_tag.is_some_and(|tag| !self.is_whole_tag(tag, end));
        if game_begins && (within_tag || !closed) {
            // A brace may follow in a text that arrives in pieces.
            self.reached_end |= !closed && end == self.text.len();
            return Err(error_at(open, Reason::OpenComment));
        }
        Ok(())
    }

    /// Whether the tag whose bracket stands at `tag` is closed before `end`; a bracket within its value does not close it.
    fn is_whole_tag(&mut self, tag: usize, end: usize) -> bool {
        let pos = std::mem::replace(&mut self.pos, tag);
        let whole = self.take_tag_name().is_ok() && self.take_tag_value().is_ok() && self.pos <= end;
        self.pos = pos;
        whole
    }

    fn line_comment(&mut self, semicolon: usize) -> Result<&'a [u8], SyntaxError> {
        let start = self.pos;
        self.pos = self.line_end(start);
        match self.text.get(start..self.pos).unwrap_or_default() {
            comment if comment.len() > MAX_COMMENT_BYTES => Err(error_at(semicolon, Reason::LongComment)),
            comment => Ok(comment),
        }
    }

    #[inline]
    fn symbol(&mut self) -> &'a [u8] {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let length = rest.iter().position(|&byte| byte_class(byte) != ByteClass::Symbol);
        match length.and_then(|length| rest.split_at_checked(length)) {
            Some((symbol, [..0x80, ..])) => {
                self.pos += symbol.len();
                symbol
            }
            _ => self.non_ascii_symbol(),
        }
    }

    /// A symbol with characters outside ASCII or at the end of the text. A space outside ASCII ends it too.
    #[cold]
    fn non_ascii_symbol(&mut self) -> &'a [u8] {
        let start = self.pos;
        self.take_while(|byte| byte_class(byte) != ByteClass::Delimiter);
        if let Some(space) = (start + 1..self.pos).find(|&pos| self.non_ascii_space(pos) > 0) {
            self.pos = space;
        }
        self.text.get(start..self.pos).unwrap_or_default()
    }

    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let length = rest.iter().position(|&byte| !belongs(byte));
        self.reached_end |= length.is_none();
        let taken = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        self.pos += taken.len();
        taken
    }

    fn peek(&mut self) -> Option<u8> {
        self.byte(self.pos)
    }

    fn byte(&mut self, pos: usize) -> Option<u8> {
        let byte = self.text.get(pos).copied();
        self.reached_end |= byte.is_none();
        byte
    }

    fn in_first_column(&self) -> bool {
        match self.pos.checked_sub(1).and_then(|before| self.text.get(before)) {
            Some(byte) => matches!(byte, b'\n' | b'\r'),
            None => self.first_column,
        }
    }

    /// Line ends between the previous token and this position, at most two: two mean an empty line. The beginning of the
    /// text counts as two.
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
                [rest @ .., space] if space.is_ascii_whitespace() || *space == 0x1a => rest,
                _ => break,
            };
        }
        line_ends
    }

    /// Length of the line end here: LF, CR LF, CR, or the CR CR LF of files that were converted twice; 0 without one.
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

    /// End of the line that holds this position: the index of its line end, or of the end of the text.
    fn line_end(&mut self, pos: usize) -> usize {
        let rest = self.text.get(pos..).unwrap_or_default();
        let length = memchr2(b'\n', b'\r', rest);
        self.reached_end |= length.is_none();
        pos + length.unwrap_or(rest.len())
    }

    /// Length of a space or byte-order mark outside ASCII, in UTF-8 or Latin-1; 0 without one.
    fn non_ascii_space(&mut self, pos: usize) -> usize {
        let rest = self.text.get(pos..).unwrap_or_default();
        self.reached_end |= rest.len() < 3;
        match rest {
            [0xef, 0xbb, 0xbf, ..] | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..] | [0xe3, 0x80, 0x80, ..] => 3,
            [0xc2, 0xa0, ..] => 2,
            // In UTF-8 this byte is never the first one of a character.
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
