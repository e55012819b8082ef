//! Clock times as text, and the clock commands `[%clk]` and `[%emt]` inside comments.
//!
//! Knows the forms in which real programs write a time; must not know whose time it is or whether
//! it can be right.

use crate::command::{commands, words};

const MS_PER_SECOND: u64 = 1_000;
const MS_PER_MINUTE: u64 = 60 * MS_PER_SECOND;
const MS_PER_HOUR: u64 = 60 * MS_PER_MINUTE;

/// Most digits of the hours in a time that is read. No control is longer than a few days; a longer
/// number is damage.
const MAX_HOUR_DIGITS: usize = 4;

/// Reads a clock time; the result is in milliseconds.
///
/// | form | read as | written by |
/// | --- | --- | --- |
/// | `1:39:58`, `01:39:58`, `1:31:3` | h:mm:ss, padded or not | PGN supplement, `LiveChess` |
/// | `0:02:58.9` | h:mm:ss with a fraction; digits beyond milliseconds are cut | chess.com |
/// | `0:15.16` | h:mm.ss | older DGT software |
///
/// White space is ignored, because programs break lines inside commands. Everything else is `None`:
/// minutes or seconds over 59, signs, and two fields alone (`1:39`), which some programs mean as
/// hours and others as minutes.
pub fn parse_clk(text: &str) -> Option<u64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (hours, rest) = text.split_once(':')?;
    let (minutes, seconds, fraction) = match rest.split_once(':') {
        Some((minutes, rest)) => match rest.split_once('.') {
            Some((seconds, fraction)) => (minutes, seconds, milliseconds(fraction)?),
            None => (minutes, rest, 0),
        },
        // One digit behind the dot could also be tenths: a clock value is never guessed.
        None => match rest.split_once('.')? {
            (minutes, seconds) if seconds.len() == 2 => (minutes, seconds, 0),
            _ => return None,
        },
    };
    let hours = number(hours, MAX_HOUR_DIGITS)?;
    let minutes = number(minutes, 2).filter(|&minutes| minutes < 60)?;
    let seconds = number(seconds, 2).filter(|&seconds| seconds < 60)?;
    Some(hours * MS_PER_HOUR + minutes * MS_PER_MINUTE + seconds * MS_PER_SECOND + fraction)
}

/// Writes milliseconds as `h:mm:ss`, hours not padded, the begun second cut off.
pub fn format_clk(ms: u64) -> String {
    let (hours, minutes, seconds) = (ms / MS_PER_HOUR, ms / MS_PER_MINUTE % 60, ms / MS_PER_SECOND % 60);
    format!("{hours}:{minutes:02}:{seconds:02}")
}

/// The times that a comment tells of the move before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// `[%clk]`: milliseconds left on the mover's clock after the move.
    pub clk_ms: Option<u64>,
    /// `[%emt]`: milliseconds spent on the move.
    pub emt_ms: Option<u64>,
}

/// Takes `[%clk]` and `[%emt]` out of a comment. Of several the last counts. The second value is
/// the rest of the comment with single spaces, empty if nothing is left; unknown commands and times
/// that cannot be read stay in it.
pub fn take_times(comment: &str) -> (Times, String) {
    let mut times = Times::default();
    let mut rest = String::with_capacity(comment.len());
    let mut copied = 0;
    for command in commands(comment) {
        let time = match command.name {
            "clk" => &mut times.clk_ms,
            "emt" => &mut times.emt_ms,
            _ => continue,
        };
        if let Some(ms) = parse_clk(command.arguments) {
            *time = Some(ms);
            rest.push_str(comment.get(copied..command.span.start).unwrap_or_default());
            rest.push(' ');
            copied = command.span.end;
        }
    }
    rest.push_str(comment.get(copied..).unwrap_or_default());
    (times, words(&rest).join(" "))
}

/// A number of at least one and at most `max_digits` digits.
fn number(text: &str, max_digits: usize) -> Option<u64> {
    let digits = text.len() <= max_digits && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// The digits behind the point of a second, in milliseconds.
fn milliseconds(fraction: &str) -> Option<u64> {
    let all_digits = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
    all_digits.then(|| fraction.bytes().zip([100, 10, 1]).map(|(digit, weight)| u64::from(digit - b'0') * weight).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_real_form_of_a_time_is_read() {
        assert_eq!(parse_clk("1:39:58"), Some(5_998_000));
        assert_eq!(parse_clk("01:39:58"), Some(5_998_000));
        assert_eq!(parse_clk("1:31:3"), Some(5_463_000));
        assert_eq!(parse_clk("0:15.16"), Some(916_000));
        assert_eq!(parse_clk("0:02:58.9"), Some(178_900));
        assert_eq!(parse_clk("0:02:58.12345"), Some(178_123));
        assert_eq!(parse_clk(" 00:15:\r\n27 "), Some(927_000));
        assert_eq!(parse_clk("0:00:00"), Some(0));
    }

    #[test]
    fn a_time_is_never_guessed() {
        for text in [
            "",
            ":",
            "::",
            "1:39",
            "1:39:60",
            "1:60:00",
            "0:15.6",
            "0:15.160",
            "-0:00:05",
            "+1:00:00",
            "1:00:00.",
            "1:00:00.x",
            "1:2:3:4",
            "100:39:058",
            "12345:00:00",
            "99999999999999999999:00:00",
            "٣:00:00",
            "clk",
        ] {
            assert_eq!(parse_clk(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_time_is_written_in_whole_seconds() {
        assert_eq!(format_clk(5_998_000), "1:39:58");
        assert_eq!(format_clk(178_999), "0:02:58");
        assert_eq!(format_clk(0), "0:00:00");
        assert_eq!(format_clk(36_000_000_000), "10000:00:00");
    }

    #[test]
    fn times_leave_the_comment_and_the_words_stay() {
        let (times, rest) = take_times("[%clk\r\n00:15:27] a fine [%csl Ga1]\nmove[%emt 0:00:03]!");
        assert_eq!(times, Times { clk_ms: Some(927_000), emt_ms: Some(3_000) });
        assert_eq!(rest, "a fine [%csl Ga1] move !");
    }

    #[test]
    fn a_time_that_cannot_be_read_stays_as_text() {
        let (times, rest) = take_times("[%clk soon] [%emt 0:00:03]");
        assert_eq!(times, Times { clk_ms: None, emt_ms: Some(3_000) });
        assert_eq!(rest, "[%clk soon]");
    }
}
