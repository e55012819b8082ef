//! Clock times as text, and the clock commands of comments (PGN supplement, 4).
//!
//! Must not know whose time it is or whether it is plausible.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::command::commands;

const MS_PER_SECOND: u64 = 1_000;
const MS_PER_MINUTE: u64 = 60 * MS_PER_SECOND;
const MS_PER_HOUR: u64 = 60 * MS_PER_MINUTE;

/// Most digits of the hours in a time that is read. No time control exceeds a few days, so a longer number is an error.
const MAX_HOUR_DIGITS: usize = 4;

/// Reads a clock time; the result is in milliseconds.
///
/// | form | read as | written by |
/// | --- | --- | --- |
/// | `1:39:58`, `01:39:58`, `1:31:3` | h:mm:ss, padded or not | PGN supplement, `LiveChess` |
/// | `0:02:58.9` | h:mm:ss with a fraction; digits beyond milliseconds are cut | chess.com |
/// | `0:15.16` | h:mm.ss | older DGT software |
///
/// White space is ignored, because programs break lines inside commands. Everything else is `None`: minutes or seconds
/// over 59, signs, and two fields without a third (`1:39`), which is hours in some programs and minutes in others.
pub fn parse_clk(text: &str) -> Option<u64> {
    let text: Cow<'_, str> =
        if text.contains(char::is_whitespace) { text.split_whitespace().collect() } else { text.into() };
    let (hours, rest) = text.split_once(':')?;
    let (minutes, seconds, fraction) = match rest.split_once(':') {
        Some((minutes, rest)) => match rest.split_once('.') {
            Some((seconds, fraction)) => (minutes, seconds, milliseconds(fraction)?),
            None => (minutes, rest, 0),
        },
        // One digit after the dot could also be tenths: a clock value is never guessed.
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

/// Writes milliseconds as `h:mm:ss`, rounded down to whole seconds; hours are not padded.
pub fn format_clk(ms: u64) -> String {
    let mut text = String::new();
    push_clk(&mut text, ms - ms % MS_PER_SECOND);
    text
}

/// Appends milliseconds as `h:mm:ss`, with a fraction unless it is zero.
fn push_clk(text: &mut String, ms: u64) {
    let (hours, minutes, seconds) = (ms / MS_PER_HOUR, ms / MS_PER_MINUTE % 60, ms / MS_PER_SECOND % 60);
    let digit = |value: u64| char::from(b'0' + (value % 10) as u8);
    if hours < 10 {
        text.push(digit(hours));
    } else {
        // Writing to a string does not fail.
        let _ = write!(text, "{hours}");
    }
    text.extend([':', digit(minutes / 10), digit(minutes), ':', digit(seconds / 10), digit(seconds)]);
    let fraction = ms % MS_PER_SECOND;
    if fraction > 0 {
        text.extend(['.', digit(fraction / 100), digit(fraction / 10), digit(fraction)]);
        text.truncate(text.trim_end_matches('0').len());
    }
}

/// The times of a move from the clock commands of its comments (PGN supplement, 4), in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// `[%clk]`: time left on the mover's clock after the move, until the next time control.
    pub clk_ms: Option<u64>,
    /// `[%emt]`: time spent on the move.
    pub emt_ms: Option<u64>,
    /// `[%egt]`: time spent by the mover on the game so far.
    pub egt_ms: Option<u64>,
    /// `[%mct]`: time shown by the mover's mechanical clock.
    pub mct_ms: Option<u64>,
}

impl Times {
    /// The times in a comment. The last of several commands of one name counts; a time that cannot be read is ignored.
    pub fn of(comment: &str) -> Self {
        let mut times = Self::default();
        for command in commands(comment) {
            if let Some(time) = times.named(command.name) {
                *time = parse_clk(command.arguments).or(*time);
            }
        }
        times
    }

    /// These times, replaced by those of a later comment where it has them.
    #[must_use]
    pub(crate) fn updated_by(self, later: Self) -> Self {
        Self {
            clk_ms: later.clk_ms.or(self.clk_ms),
            emt_ms: later.emt_ms.or(self.emt_ms),
            egt_ms: later.egt_ms.or(self.egt_ms),
            mct_ms: later.mct_ms.or(self.mct_ms),
        }
    }

    /// These times as commands, in whole seconds: `[%clk 1:39:58] [%emt 0:00:14]`. Empty without a time.
    pub fn commands(&self) -> String {
        // Most moves have two times.
        let mut text = String::with_capacity("[%clk 1:39:58] [%emt 0:00:14]".len());
        for (name, ms) in [("clk", self.clk_ms), ("emt", self.emt_ms), ("egt", self.egt_ms), ("mct", self.mct_ms)] {
            if let Some(ms) = ms {
                if !text.is_empty() {
                    text.push(' ');
                }
                push_command(&mut text, name, ms - ms % MS_PER_SECOND);
            }
        }
        text
    }

    fn named(&mut self, name: &str) -> Option<&mut Option<u64>> {
        match name {
            "clk" => Some(&mut self.clk_ms),
            "emt" => Some(&mut self.emt_ms),
            "egt" => Some(&mut self.egt_ms),
            "mct" => Some(&mut self.mct_ms),
            _ => None,
        }
    }
}

/// Appends a clock command in canonical form. Returns `false` and appends nothing if the command is not a clock command or
/// its time cannot be read.
pub(crate) fn push_canonical_command(text: &mut String, name: &str, arguments: &str) -> bool {
    let time = Times::default().named(name).and_then(|_| parse_clk(arguments));
    time.inspect(|&ms| push_command(text, name, ms)).is_some()
}

/// Fast check that a command, from its percent sign on, is in canonical form: not a clock command, or one that needs no
/// change. May return `false` for a canonical command.
pub(crate) fn is_surely_canonical(command: &[u8]) -> bool {
    let Some((name, rest)) = command.get(1..).and_then(|rest| rest.split_at_checked(3)) else { return true };
    if !matches!(name, b"clk" | b"emt" | b"egt" | b"mct") {
        return true;
    }
    match rest {
        [b' ', hour, b':', m1, m2, b':', s1, s2, b']', ..] => {
            let sixty = |tens: &u8, ones: &u8| matches!(tens, b'0'..=b'5') && ones.is_ascii_digit();
            name != b"mct" && hour.is_ascii_digit() && sixty(m1, m2) && sixty(s1, s2)
        }
        _ => false,
    }
}

fn push_command(text: &mut String, name: &str, ms: u64) {
    text.push_str("[%");
    text.push_str(name);
    text.push(' ');
    // A mechanical clock's hours have two digits (PGN supplement, 4.5).
    if name == "mct" && ms < 10 * MS_PER_HOUR {
        text.push('0');
    }
    push_clk(text, ms);
    text.push(']');
}

/// A number of at least one and at most `max_digits` digits.
fn number(text: &str, max_digits: usize) -> Option<u64> {
    let digits = text.len() <= max_digits && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// The digits after the decimal point of the seconds, in milliseconds.
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
        let times = Times { clk_ms: Some(178_999), emt_ms: Some(1_000), ..Times::default() };
        assert_eq!(times.commands(), "[%clk 0:02:58] [%emt 0:00:01]");
        assert_eq!(Times::default().commands(), "");
    }

    #[test]
    fn times_are_found_among_words() {
        let times =
            Times::of("[%clk\r\n00:15:27] a fine [%csl Ga1]\nmove[%emt 0:00:03]! [%egt 0:44:33] [%mct 17:10:42]");
        let read =
            Times { clk_ms: Some(927_000), emt_ms: Some(3_000), egt_ms: Some(2_673_000), mct_ms: Some(61_842_000) };
        assert_eq!(times, read);
        assert_eq!(Times::of("[%clk 0:00:05] [%clk soon]").clk_ms, Some(5_000));
        let later = Times { clk_ms: Some(1), ..Times::default() };
        assert_eq!(read.updated_by(later), Times { clk_ms: Some(1), ..read });
    }
}
