//! Embedded commands, `[%name arguments]`: where they stand in a comment and which of its spaces
//! may become line ends.
//!
//! Knows the form of a command; must not know what any command means.

use std::ops::Range;

/// One embedded command inside a comment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Command<'a> {
    /// Name without the percent sign; empty for `[%]`.
    pub(crate) name: &'a str,
    /// What follows the name, trimmed; line ends inside are still there.
    pub(crate) arguments: &'a str,
    /// Bytes of the comment that the command takes, brackets included.
    pub(crate) span: Range<usize>,
}

/// The commands of a comment in their order. An opening `[%` without a closing bracket is ordinary
/// text.
pub(crate) fn commands(comment: &str) -> Vec<Command<'_>> {
    let mut found = Vec::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once("[%")
        && let Some((inside, behind)) = after.split_once(']')
    {
        let start = comment.len() - rest.len() + before.len();
        let name_end = inside.find(is_gap).unwrap_or(inside.len());
        let (name, arguments) = inside.split_at(name_end);
        found.push(Command {
            name,
            arguments: arguments.trim_matches(is_gap),
            span: start..comment.len() - behind.len(),
        });
        rest = behind;
    }
    found
}

/// The words of a comment. A command is never divided: its inner gaps become single spaces and it
/// stays one with whatever is glued to it. Joined by single spaces, the words are the normal form
/// of the comment.
pub(crate) fn words(comment: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut spans = commands(comment).into_iter().map(|command| command.span).peekable();
    for (at, c) in comment.char_indices() {
        while spans.next_if(|span| span.end <= at).is_some() {}
        let in_command = spans.peek().is_some_and(|span| span.contains(&at));
        if !is_gap(c) {
            word.push(c);
        } else if in_command {
            if !word.ends_with(' ') {
                word.push(' ');
            }
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Whether a character separates words: a space or a control character. Other Unicode spaces (a
/// no-break space, say) belong to the text.
fn is_gap(c: char) -> bool {
    c == ' ' || c.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_broken_over_a_line_is_still_one_command() {
        let found = commands("good [%clk\r\n00:15:27] move");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name, found[0].arguments), ("clk", "00:15:27"));
        assert_eq!(found[0].span, 5..21);
    }

    #[test]
    fn what_is_not_closed_is_text() {
        assert_eq!(commands("[%clk 0:01:00"), []);
        assert_eq!(commands("[ %clk 0:01:00]"), []);
        assert_eq!(words("[%clk 0:01:00"), ["[%clk", "0:01:00"]);
    }

    #[test]
    fn words_keep_commands_whole() {
        assert_eq!(words(" a\tb\n\n[%csl  Ga1,\nGb2]c  d "), ["a", "b", "[%csl Ga1, Gb2]c", "d"]);
        assert_eq!(words(" \n "), Vec::<String>::new());
        assert_eq!(words("12\u{a0}min"), ["12\u{a0}min"]);
    }
}
