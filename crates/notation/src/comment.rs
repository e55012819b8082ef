//! Comments: their words, and the commands embedded in them, `[%name operand,"operand"]` (PGN supplement, 3.2).
//!
//! Knows the form of a comment and of a command; what a command means only the clock module knows.

use std::borrow::Cow;
use std::ops::Range;

use crate::time;

/// One embedded command inside a comment.
#[derive(Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// Name without the percent sign; empty for `[%]`.
    pub name: &'a str,
    /// What follows the name, trimmed; [`Command::operands`] takes it apart.
    pub arguments: &'a str,
    /// Bytes of the comment that the command takes, brackets included.
    pub span: Range<usize>,
}

impl<'a> Command<'a> {
    /// The operands, which commas divide. A comma between double quotes belongs to its operand; the quotes go.
    pub fn operands(&self) -> Vec<&'a str> {
        let mut operands = Vec::new();
        let mut rest = self.arguments;
        while !rest.is_empty() {
            let length = quoted(rest).map_or(0, str::len);
            let end = rest.get(length..).and_then(|rest| rest.find(',')).map_or(rest.len(), |comma| length + comma);
            let operand = rest.get(..end).unwrap_or_default().trim_matches(is_gap);
            operands.push(operand.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(operand));
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        operands
    }
}

/// The commands of a comment in their order. An opening `[%` without a closing bracket is ordinary text.
pub fn commands(comment: &str) -> impl Iterator<Item = Command<'_>> {
    let mut pos = 0;
    std::iter::from_fn(move || {
        let rest = comment.get(pos..)?;
        let open = rest.find("[%")?;
        let inside = rest.get(open + 2..)?;
        let close = closing_bracket(inside)?;
        let inside = inside.get(..close)?;
        let (name, arguments) = inside.split_at(inside.find(is_gap).unwrap_or(inside.len()));
        let span = pos + open..pos + open + 2 + close + 1;
        pos = span.end;
        Some(Command { name, arguments: arguments.trim_matches(is_gap), span })
    })
}

/// Where a command ends: at the first bracket outside of quoted operands. Quotes that are not closed are no quotes.
fn closing_bracket(inside: &str) -> Option<usize> {
    let first = inside.find(']')?;
    if !inside.get(..first)?.contains('"') {
        return Some(first);
    }
    let mut operand_begins = false;
    let mut pos = 0;
    while let Some(c) = inside.get(pos..).and_then(|rest| rest.chars().next()) {
        match c {
            ']' => return Some(pos),
            '"' if operand_begins => match inside.get(pos..).and_then(quoted) {
                Some(quoted) => {
                    pos += quoted.len();
                    continue;
                }
                None => return Some(first),
            },
            _ => operand_begins = c == ',' || is_gap(c),
        }
        pos += c.len_utf8();
    }
    Some(first)
}

/// A string in double quotes at the beginning of a text, quotes included.
fn quoted(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?;
    text.get(..inner.find('"')? + 2)
}

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

/// Whether a character separates words: a space or a control character. Other Unicode spaces (a no-break space, say)
/// belong to the text.
fn is_gap(c: char) -> bool {
    c == ' ' || c.is_control()
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
    fn a_command_broken_over_a_line_is_still_one_command() {
        let found: Vec<_> = commands("good [%clk\r\n00:15:27] move").collect();
        assert_eq!(found, [Command { name: "clk", arguments: "00:15:27", span: 5..21 }]);
    }

    /// The two examples of the PGN supplement, 3.2.4, and what could go wrong with quotes.
    #[test]
    fn operands_may_be_quoted() {
        for (comment, operands) in [
            (
                r#"[%command 1:45:12,Nf6,"very interesting, but wrong"]"#,
                &["1:45:12", "Nf6", "very interesting, but wrong"][..],
            ),
            (
                "[%command \"very tense start to the game\",4r1k1/pp1b2r1/2n1pq1p/3p2pP/2pP2B1/P1P1Q3/2P2PPB/R4RK1 w - - 0 1,e4,d4]",
                &[
                    "very tense start to the game",
                    "4r1k1/pp1b2r1/2n1pq1p/3p2pP/2pP2B1/P1P1Q3/2P2PPB/R4RK1 w - - 0 1",
                    "e4",
                    "d4",
                ],
            ),
            (r#"[%command a,"b, c",d]"#, &["a", "b, c", "d"]),
            (r#"[%x "a]b", c]"#, &["a]b", "c"]),
            (r#"[%x 5" pipe]"#, &["5\" pipe"]),
            (r#"[%x "open]"#, &["\"open"]),
            ("[%x]", &[]),
        ] {
            let found: Vec<_> = commands(comment).collect();
            assert_eq!(found.len(), 1, "{comment}");
            assert_eq!(found[0].span, 0..comment.len(), "{comment}");
            assert_eq!(found[0].operands(), operands, "{comment}");
        }
    }

    #[test]
    fn what_is_not_closed_is_text() {
        assert_eq!(commands("[%clk 0:01:00").count(), 0);
        assert_eq!(commands("[ %clk 0:01:00]").count(), 0);
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
