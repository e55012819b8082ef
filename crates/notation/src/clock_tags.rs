//! The clock tags of running games: `Clock` (PGN supplement, 5.1) and `ReferenceTime`, which live broadcasts add.
//!
//! Must not know the current time. `WhiteClock` and `BlackClock` are plain times:
//! [`crate::time::parse_clk`] and [`crate::time::format_clk`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::time::{format_clk, parse_clk};

/// The side whose clock runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Running {
    /// `W`
    White,
    /// `B`
    Black,
    /// `N`: the clocks are stopped.
    Neither,
}

/// The `Clock` tag, `W/1:34:56`: whose clock runs and what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockTag {
    /// Whose clock runs.
    pub running: Running,
    /// Its time in milliseconds, written in whole seconds. If neither runs, the time of the side to move.
    pub ms: u64,
}

/// The `ReferenceTime` tag, `B/2018-09-12T15:26:56.191-05:00`: the instant at which the clocks of the other tags were
/// read. Viewers count down from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferenceTime {
    /// Whose clock runs.
    pub running: Running,
    /// Milliseconds since 1970-01-01 00:00 UTC.
    pub utc_ms: i64,
}

/// The value of a clock tag that is not in its form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("“{text}” does not have the form of this tag; write it like “{example}”")]
pub struct ClockTagError {
    /// The value as given, cut to its first 40 characters.
    pub text: String,
    /// A value in the right form.
    pub example: &'static str,
}

impl ClockTagError {
    fn new(text: &str, example: &'static str) -> Self {
        Self { text: text.chars().take(40).collect(), example }
    }
}

impl FromStr for ClockTag {
    type Err = ClockTagError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let (running, time) = text.trim().split_once('/')?;
            Some(Self { running: side(running)?, ms: parse_clk(time)? })
        };
        read().ok_or_else(|| ClockTagError::new(text, "W/0:12:34"))
    }
}

impl fmt::Display for ClockTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.running, format_clk(self.ms))
    }
}

impl FromStr for ReferenceTime {
    type Err = ClockTagError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let (running, instant) = text.trim().split_once('/')?;
            Some(Self { running: side(running)?, utc_ms: parse_instant(instant)? })
        };
        read().ok_or_else(|| ClockTagError::new(text, "B/2018-09-12T15:26:56.191Z"))
    }
}

impl fmt::Display for ReferenceTime {
    /// In UTC with milliseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, ms) = (self.utc_ms.div_euclid(MS_PER_DAY), self.utc_ms.rem_euclid(MS_PER_DAY));
        let (year, month, day) = date(days);
        let (hours, minutes) = (ms / 3_600_000, ms / 60_000 % 60);
        let (seconds, fraction) = (ms / 1_000 % 60, ms % 1_000);
        write!(f, "{}/{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{fraction:03}Z", self.running)
    }
}

impl fmt::Display for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "W",
            Self::Black => "B",
            Self::Neither => "N",
        })
    }
}

const MS_PER_DAY: i64 = 24 * 3_600_000;

fn side(letter: &str) -> Option<Running> {
    match letter {
        "W" | "w" => Some(Running::White),
        "B" | "b" => Some(Running::Black),
        "N" | "n" => Some(Running::Neither),
        _ => None,
    }
}

/// An instant in the form of RFC 3339, in milliseconds since 1970; digits beyond them are cut.
fn parse_instant(text: &str) -> Option<i64> {
    let (year, rest) = number(text, 4)?;
    let (month, rest) = number(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 2)?;
    let (hours, rest) = number(rest.strip_prefix(['T', 't', ' '])?, 2)?;
    let (minutes, rest) = number(rest.strip_prefix(':')?, 2)?;
    let (seconds, rest) = number(rest.strip_prefix(':')?, 2)?;
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())),
        None => ("0", rest),
    };
    let fraction: i64 =
        fraction.bytes().zip([100, 10, 1]).map(|(digit, weight)| i64::from(digit - b'0') * weight).sum();
    let offset_minutes = match rest {
        "Z" | "z" => 0,
        _ => {
            let sign = if rest.starts_with('-') { -1 } else { 1 };
            let (hours, rest) = number(rest.strip_prefix(['+', '-'])?, 2)?;
            let (minutes, rest) = number(rest.strip_prefix(':')?, 2)?;
            if !rest.is_empty() {
                return None;
            }
            sign * (hours * 60 + minutes)
        }
    };
    let days = days(year, month, day);
    // A date that does not exist, such as 31 February, converts back to another one. A leap second counts as the next second.
    let valid = date(days) == (year, month, day) && hours < 24 && minutes < 60 && seconds <= 60;
    let ms = ((hours * 60 + minutes - offset_minutes) * 60 + seconds) * 1_000 + fraction;
    valid.then_some(days * MS_PER_DAY + ms)
}

fn number(text: &str, digits: usize) -> Option<(i64, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    number.bytes().all(|b| b.is_ascii_digit()).then(|| number.parse().ok()).flatten().map(|number| (number, rest))
}

/// Days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, so that the leap day is the
/// last of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day
        - 719_469
}

/// The date at a number of days after 1970-01-01.
fn date(days: i64) -> (i64, i64, i64) {
    const DAYS_PER_400_YEARS: i64 = 146_097;
    let days = days + 719_468;
    let day = days.rem_euclid(DAYS_PER_400_YEARS);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = 400 * days.div_euclid(DAYS_PER_400_YEARS) + year;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_the_supplement_comes_back() {
        for text in ["B/0:45:56", "W/1:34:56", "N/0:00:00"] {
            assert_eq!(text.parse::<ClockTag>().expect(text).to_string(), text);
        }
        assert_eq!("w/01:34:56".parse::<ClockTag>().expect("small and padded").to_string(), "W/1:34:56");
        for text in ["", "W", "W/", "X/0:00:01", "W/soon", "0:45:56"] {
            let error = text.parse::<ClockTag>().expect_err(text);
            assert_eq!(
                error.to_string(),
                format!("“{text}” does not have the form of this tag; write it like “W/0:12:34”")
            );
        }
    }

    #[test]
    fn a_reference_time_is_an_instant_wherever_it_was_written() {
        let read = |text: &str| text.parse::<ReferenceTime>().map(|time| time.to_string()).ok();
        assert_eq!(read("B/2018-09-12T15:26:56.191-05:00").as_deref(), Some("B/2018-09-12T20:26:56.191Z"));
        assert_eq!(read("W/1970-01-01T00:00:00Z").as_deref(), Some("W/1970-01-01T00:00:00.000Z"));
        assert_eq!(read("N/2024-02-29T23:59:60+05:30").as_deref(), Some("N/2024-02-29T18:30:00.000Z"));
        assert_eq!(read("N/1999-12-31T23:00:00.9999-02:00").as_deref(), Some("N/2000-01-01T01:00:00.999Z"));
        for text in [
            "B/2018-09-12",
            "B/2018-02-30T00:00:00Z",
            "B/2018-13-01T00:00:00Z",
            "B/2018-09-12T24:00:00Z",
            "B/2018-09-12T00:00:00",
            "B/2018-09-12T00:00:00+1:00",
            "2018-09-12T00:00:00Z",
            "B/é018-09-12T00:00:00Z",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_of_the_calendar_is_itself() {
        for day in (-800_000..800_000).step_by(13) {
            let (year, month, day_of_month) = date(day);
            assert_eq!(days(year, month, day_of_month), day);
        }
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(20_777), (2026, 11, 20));
    }
}
