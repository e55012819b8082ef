//! Comments: their normal form, their words, and which of them share braces.
//!
//! Knows the form of a comment. What a command in it means only [`crate::time`] knows.

use std::borrow::Cow;

use crate::command::{Command, closing_bracket, commands, is_gap};
use crate::time;

/// The normal form of a comment: words joined by single spaces, commands undivided, and times in the one form in which
/// they are written.
pub fn normal(comment: &str) -> Cow<'_, str> {
    let comment = comment.trim_matches(is_gap);
    if is_normal(comment.as_bytes()) {
        return comment.into();
    }
    let mut normal = String::with_capacity(comment.len());
    let mut copied = 0;
    for command in commands(comment) {
        push_words(&mut normal, comment.get(copied..command.span.start).unwrap_or_default());
        copied = command.span.end;
        if !time::push_normal_command(&mut normal, command.name, command.arguments) {
            push_words(&mut normal, comment.get(command.span).unwrap_or_default());
        }
    }
    push_words(&mut normal, comment.get(copied..).unwrap_or_default());
    if normal.ends_with(' ') {
        normal.pop();
    }
    normal.into()
}

/// Whether a comment is in normal form for sure. Says no where it would have to look closer; most comments are plain.
fn is_normal(comment: &[u8]) -> bool {
    let mut before = b' ';
    let mut rest = comment;
    while let [byte, behind @ ..] = rest {
        match byte {
            b' ' if before == b' ' => return false,
            b'[' if behind.first() == Some(&b'%') && !time::is_other_or_normal(behind) => return false,
            b' '..=b'~' => {}
            _ => return false,
        }
        before = *byte;
        rest = behind;
    }
    before != b' ' || comment.is_empty()
}

/// Adds a text with its gaps as single spaces; none at the beginning of a comment or behind another.
fn push_words(normal: &mut String, text: &str) {
    for c in text.chars() {
        if !is_gap(c) {
            normal.push(c);
        } else if !normal.is_empty() && !normal.ends_with(' ') {
            normal.push(' ');
        }
    }
}

/// Whether two comments, one behind the other and in normal form, are written as one: those that hold nothing but
/// commands, such as the clock's, share the braces of their neighbour, because most readers look in one place. They do not
/// where the first breaks off within a command or a quoted operand, which would swallow what follows.
pub(crate) fn share_braces(first: &str, second: &str) -> bool {
    (only_commands(first) || only_commands(second)) && stay_apart(first, second)
}

/// Whether the commands of two comments are the same when the comments are one.
fn stay_apart(first: &str, second: &str) -> bool {
    let rest = commands(first).last().map_or(0, |command| command.span.end);
    let breaks_off = first.get(rest..).is_some_and(|rest| rest.contains("[%"));
    if !breaks_off && !first.contains('"') {
        return true;
    }
    let joined = format!("{first} {second}");
    let spans =
        |comment, behind| commands(comment).map(move |Command { span, .. }| (behind + span.start, behind + span.end));
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

/// The words of a comment in normal form. A command is never divided, and stays one with whatever is glued to it.
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
    fn comments_that_would_become_another_when_joined_keep_their_braces() {
        assert!(share_braces("[%clk 0:01:00]", "[%eval 0.2]") && share_braces("good", "[%clk 0:01:00]"));
        assert!(share_braces("[%say \"a, b\"]", "[%clk 0:01:00]"));
        assert!(!share_braces("good", "better"));
        assert!(!share_braces("[%clk", "[%clk 0:01:00]"), "a command that never ends");
        assert!(!share_braces("[%say \"a]", "[%say \"b]"), "an operand that never ends");
    }

    #[test]
    fn what_is_not_closed_is_words() {
        assert_eq!(words("[%clk 0:01:00").collect::<Vec<_>>(), ["[%clk", "0:01:00"]);
    }

    #[test]
    fn words_keep_commands_whole() {
        let comment = normal(" a\tb\n\n[%csl  Ga1,\nGb2]c  d [%clk\n00:01:05]");
        assert_eq!(comment, "a b [%csl Ga1, Gb2]c d [%clk 0:01:05]");
        assert_eq!(words(&comment).collect::<Vec<_>>(), ["a", "b", "[%csl Ga1, Gb2]c", "d", "[%clk 0:01:05]"]);
        assert_eq!(normal(" \n "), "");
        assert_eq!(words("").count(), 0);
        assert_eq!(words("12\u{a0}min").collect::<Vec<_>>(), ["12\u{a0}min"]);
    }

    #[test]
    fn the_clock_alone_is_told_from_words() {
        assert!(only_commands("[%clk 0:01:00] [%emt 0:00:05]"));
        assert!(only_commands("[%clk 0:01:00][%emt 0:00:05]"));
        for text in ["", "[%clk 0:01:00] !", "x [%clk 0:01:00]", "good"] {
            assert_eq!(only_commands(text), text.is_empty(), "{text}");
        }
    }
}
