//! Embedded commands of comments, `[%name operand,"operand"]` (PGN supplement, 3.2).
//!
//! Must not know what a command means; [`crate::time`] knows the clock commands.

use std::ops::Range;

/// One embedded command of a comment.
#[derive(Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// Name without the percent sign; empty for `[%]`.
    pub name: &'a str,
    /// The text after the name, trimmed; [`Command::operands`] splits it.
    pub arguments: &'a str,
    /// The command's bytes in the comment, brackets included.
    pub(crate) span: Range<usize>,
}

impl<'a> Command<'a> {
    /// The operands, separated by commas. A comma between double quotes belongs to its operand; the quotes are removed.
    pub fn operands(&self) -> Vec<&'a str> {
        let mut operands = Vec::new();
        let mut rest = self.arguments;
        while !rest.is_empty() {
            let length = quoted(rest).map_or(0, str::len);
            let end = rest.get(length..).and_then(|rest| rest.find(',')).map_or(rest.len(), |comma| length + comma);
            let operand = rest.get(..end).unwrap_or_default().trim_matches(is_separator);
            operands.push(operand.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(operand));
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        operands
    }
}

/// The commands of a comment in order. A `[%` without a closing bracket is ordinary text.
pub fn commands(comment: &str) -> impl Iterator<Item = Command<'_>> {
    let mut pos = 0;
    std::iter::from_fn(move || {
        let rest = comment.get(pos..)?;
        let open = rest.find("[%")?;
        let inside = rest.get(open + 2..)?;
        let close = closing_bracket(inside)?;
        let inside = inside.get(..close)?;
        let (name, arguments) = inside.split_at(inside.find(is_separator).unwrap_or(inside.len()));
        let span = pos + open..pos + open + 2 + close + 1;
        pos = span.end;
        Some(Command { name, arguments: arguments.trim_matches(is_separator), span })
    })
}

/// Where a command ends: at the first `]` outside quoted operands. A quote that is not closed does not count as one.
pub(crate) fn closing_bracket(inside: &str) -> Option<usize> {
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
            _ => operand_begins = c == ',' || is_separator(c),
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

/// Whether a character separates words: a space or a control character. Other Unicode spaces, such as the no-break space,
/// belong to the word.
pub(crate) fn is_separator(c: char) -> bool {
    c == ' ' || c.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_broken_over_a_line_is_still_one_command() {
        let found: Vec<_> = commands("good [%clk\r\n00:15:27] move").collect();
        assert_eq!(found, [Command { name: "clk", arguments: "00:15:27", span: 5..21 }]);
    }

    /// The two examples of the PGN supplement, 3.2.4, and cases with unbalanced quotes.
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
    fn a_command_that_is_not_closed_is_text() {
        assert_eq!(commands("[%clk 0:01:00").count(), 0);
        assert_eq!(commands("[ %clk 0:01:00]").count(), 0);
    }
}
