//! Comments: their normal form, their words, and which adjacent comments are written in one pair of braces.
//!
//! Must not know what a command means; [`crate::time`] knows the clock commands.

use std::borrow::Cow;

use crate::command::{Command, closing_bracket, commands, is_separator};
use crate::time;

/// The normal form of a comment: words joined by single spaces, commands kept whole, clock times in canonical form.
pub(crate) fn normalise(comment: &str) -> Cow<'_, str> {
    let comment = comment.trim_matches(is_separator);
    if is_surely_normal(comment.as_bytes()) {
        return comment.into();
    }
    let mut normal = String::with_capacity(comment.len());
    let mut copied = 0;
    for command in commands(comment) {
        push_words(&mut normal, comment.get(copied..command.span.start).unwrap_or_default());
        copied = command.span.end;
        if !time::push_canonical_command(&mut normal, command.name, command.arguments) {
            push_words(&mut normal, comment.get(command.span).unwrap_or_default());
        }
    }
    push_words(&mut normal, comment.get(copied..).unwrap_or_default());
    if normal.ends_with(' ') {
        normal.pop();
    }
    normal.into()
}

/// Fast check for normal form; may return `false` for a comment that is in normal form.
fn is_surely_normal(comment: &[u8]) -> bool {
    let mut before = b' ';
    let mut rest = comment;
    while let [byte, after @ ..] = rest {
        match byte {
            b' ' if before == b' ' => return false,
            b'[' if after.first() == Some(&b'%') && !time::is_surely_canonical(after) => return false,
            b' '..=b'~' => {}
            _ => return false,
        }
        before = *byte;
        rest = after;
    }
    before != b' ' || comment.is_empty()
}

/// Appends a text with single spaces for its white space; no space at the start of the comment or after another space.
fn push_words(normal: &mut String, text: &str) {
    for c in text.chars() {
        if !is_separator(c) {
            normal.push(c);
        } else if !normal.is_empty() && !normal.ends_with(' ') {
            normal.push(' ');
        }
    }
}

/// Whether two adjacent comments in normal form are written in one pair of braces. A comment of commands only, such as the
/// clock's, joins its neighbour, because most readers look at one comment only. Exception: the first comment has an
/// unclosed command or quote that would swallow the second.
pub(crate) fn share_braces(first: &str, second: &str) -> bool {
    (only_commands(first) || only_commands(second)) && commands_survive_joining(first, second)
}

/// Whether joining two comments leaves their commands unchanged.
fn commands_survive_joining(first: &str, second: &str) -> bool {
    let rest = commands(first).last().map_or(0, |command| command.span.end);
    let unclosed = first.get(rest..).is_some_and(|rest| rest.contains("[%"));
    if !unclosed && !first.contains('"') {
        return true;
    }
    let joined = format!("{first} {second}");
    let spans =
        |comment, offset| commands(comment).map(move |Command { span, .. }| (offset + span.start, offset + span.end));
    spans(first, 0).chain(spans(second, first.len() + 1)).eq(spans(&joined, 0))
}

/// Whether a comment in normal form holds commands and nothing else.
fn only_commands(normal: &str) -> bool {
    let mut covered = 0;
    for command in commands(normal) {
        if normal.get(covered..command.span.start).is_none_or(|between| !between.trim().is_empty()) {
            return false;
        }
        covered = command.span.end;
    }
    covered == normal.len()
}

/// The words of a comment in normal form. A command is one word, together with text that touches it.
pub(crate) fn words(normal: &str) -> impl Iterator<Item = &str> {
    let mut rest = normal;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let mut end = 0;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b' ' => break,
                b'[' if bytes.get(end + 1) == Some(&b'%') => {
                    end += 2;
                    end += rest.get(end..).and_then(closing_bracket).unwrap_or(0);
                }
                _ => end += 1,
            }
        }
        let word = rest.get(..end);
        rest = rest.get(end + 1..).unwrap_or_default();
        word
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_would_change_when_joined_keep_their_braces() {
        assert!(share_braces("[%clk 0:01:00]", "[%eval 0.2]") && share_braces("good", "[%clk 0:01:00]"));
        assert!(share_braces("[%say \"a, b\"]", "[%clk 0:01:00]"));
        assert!(!share_braces("good", "better"));
        assert!(!share_braces("[%clk", "[%clk 0:01:00]"), "a command that never ends");
        assert!(!share_braces("[%say \"a]", "[%say \"b]"), "an operand that never ends");
    }

    #[test]
    fn an_unclosed_command_is_split_into_words() {
        assert_eq!(words("[%clk 0:01:00").collect::<Vec<_>>(), ["[%clk", "0:01:00"]);
    }

    #[test]
    fn words_keep_commands_whole() {
        let comment = normalise(" a\tb\n\n[%csl  Ga1,\nGb2]c  d [%clk\n00:01:05]");
        assert_eq!(comment, "a b [%csl Ga1, Gb2]c d [%clk 0:01:05]");
        assert_eq!(words(&comment).collect::<Vec<_>>(), ["a", "b", "[%csl Ga1, Gb2]c", "d", "[%clk 0:01:05]"]);
        assert_eq!(normalise(" \n "), "");
        assert_eq!(words("").count(), 0);
        assert_eq!(words("12\u{a0}min").collect::<Vec<_>>(), ["12\u{a0}min"]);
    }

    #[test]
    fn every_clock_command_has_one_form() {
        for (written, form) in [
            ("[%clk\r\n00:15:27]", "[%clk 0:15:27]"),
            ("[%clk 1:31:3]", "[%clk 1:31:03]"),
            ("[%clk 0:15.16]", "[%clk 0:15:16]"),
            ("[%emt 0:00:02.90]", "[%emt 0:00:02.9]"),
            ("[%egt 001:25:42]", "[%egt 1:25:42]"),
            ("[%mct 17:10:42]", "[%mct 17:10:42]"),
            ("[%mct 7:10:42]", "[%mct 07:10:42]"),
            ("[%clk soon]", "[%clk soon]"),
            ("[%eval -6.05]", "[%eval -6.05]"),
        ] {
            assert_eq!(normalise(written), form);
            assert_eq!(normalise(form), form);
        }
    }

    #[test]
    fn a_comment_of_commands_only_is_recognised() {
        assert!(only_commands("[%clk 0:01:00] [%emt 0:00:05]"));
        assert!(only_commands("[%clk 0:01:00][%emt 0:00:05]"));
        for text in ["", "[%clk 0:01:00] !", "x [%clk 0:01:00]", "good"] {
            assert_eq!(only_commands(text), text.is_empty(), "{text}");
        }
    }
}
