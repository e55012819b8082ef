//! The `TimeControl` tag: how much time the players have (PGN standard, 9.6.1).
//!
//! TRF26 record 222 has the same form, except for Armageddon. Must not know clocks.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Most periods of one time control; real ones have up to four.
const MAX_PERIODS: usize = 16;

/// A time control in the form of the `TimeControl` tag.
///
/// Numbers are seconds, as the standard says: `90+30` is a minute and a half with half a minute for each move. A file that
/// means 90 minutes cannot be distinguished; the caller has to ask.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TimeControl {
    /// `?`: not known.
    #[default]
    Unknown,
    /// `-`: played without a time control.
    None,
    /// One or more periods, `40/7200:3600`. Only the last may be without a number of moves.
    Periods(Vec<Period>),
    /// `*180`: a sand clock; what one player uses the other gains.
    Sandclock {
        /// Seconds of each player at the start.
        seconds: u32,
    },
    /// `40/7200:*180`: periods with a number of moves, then a last part without one.
    Then {
        /// The numbered periods, at least one.
        periods: Vec<Period>,
        /// The last part: unknown, none or a sand clock.
        last: Box<TimeControl>,
    },
}

/// One period of a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// Moves of each player in this period, at least 1; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// Seconds that the period adds to the clock.
    pub seconds: u32,
    /// Seconds added for each move.
    pub increment_s: u32,
}

/// A `TimeControl` value that is not in the standard's form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("“{text}” is not a time control in seconds; write “?”, “-”, “5400+30”, “40/7200:3600” or “*180”")]
pub struct TimeControlError {
    /// The value as given, cut to its first 40 characters.
    pub text: String,
}

impl TimeControl {
    /// Seconds on each clock at the start; `None` without a time control or if it is unknown.
    pub fn first_base_seconds(&self) -> Option<u32> {
        match self {
            Self::Unknown | Self::None => None,
            Self::Periods(periods) | Self::Then { periods, .. } => periods.first().map(|period| period.seconds),
            Self::Sandclock { seconds } => Some(*seconds),
        }
    }

    /// Seconds that a move adds to its player's clock. Plies count from 1 at the start of the game;
    /// 0 counts as 1. A last period with a number of moves repeats.
    pub fn increment_s(&self, ply: u32) -> u32 {
        let (Self::Periods(periods) | Self::Then { periods, .. }) = self else {
            return 0;
        };
        let mut moves_left = ply.div_ceil(2).max(1);
        for period in periods {
            match period.moves {
                Some(moves) if moves < moves_left => moves_left -= moves,
                _ => return period.increment_s,
            }
        }
        match self {
            Self::Periods(periods) => periods.last().map_or(0, |period| period.increment_s),
            _ => 0,
        }
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text.trim()).ok_or_else(|| TimeControlError { text: text.trim().chars().take(40).collect() })
    }
}

fn parse(text: &str) -> Option<TimeControl> {
    match text {
        "?" => return Some(TimeControl::Unknown),
        "-" => return Some(TimeControl::None),
        _ => {}
    }
    if let Some(seconds) = text.strip_prefix('*') {
        return Some(TimeControl::Sandclock { seconds: number(seconds)? });
    }
    if let Some((numbered, last)) = text.rsplit_once(':')
        && last.starts_with(['?', '-', '*'])
    {
        let periods = periods(numbered)?;
        let valid = periods.iter().all(|period| period.moves.is_some());
        return valid.then(|| Some(TimeControl::Then { periods, last: Box::new(parse(last)?) }))?;
    }
    periods(text).map(TimeControl::Periods)
}

/// Periods of which only the last may be without a number of moves.
fn periods(text: &str) -> Option<Vec<Period>> {
    let periods = text.split(':').take(MAX_PERIODS + 1).map(period).collect::<Option<Vec<_>>>()?;
    let (_, earlier) = periods.split_last()?;
    let valid = periods.len() <= MAX_PERIODS && earlier.iter().all(|period| period.moves.is_some());
    valid.then_some(periods)
}

fn period(text: &str) -> Option<Period> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(number(moves).filter(|&moves| moves > 0)?), time),
        None => (None, text),
    };
    let (seconds, increment_s) = match time.split_once('+') {
        Some((seconds, increment)) => (number(seconds)?, number(increment)?),
        None => (number(time)?, 0),
    };
    Some(Period { moves, seconds, increment_s })
}

/// Digits only: `parse` alone would also take a plus sign.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("?"),
            Self::None => f.write_str("-"),
            Self::Sandclock { seconds } => write!(f, "*{seconds}"),
            Self::Periods(periods) => write_periods(f, periods),
            Self::Then { periods, last } => {
                write_periods(f, periods)?;
                write!(f, ":{last}")
            }
        }
    }
}

fn write_periods(f: &mut fmt::Formatter<'_>, periods: &[Period]) -> fmt::Result {
    for (index, period) in periods.iter().enumerate() {
        if index > 0 {
            f.write_str(":")?;
        }
        write!(f, "{period}")?;
    }
    Ok(())
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.seconds)?;
        if self.increment_s > 0 {
            write!(f, "+{}", self.increment_s)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TimeControl {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_forms_of_the_standard_come_back_as_written() {
        for text in [
            "?",
            "-",
            "300",
            "4500+60",
            "180+2",
            "40/9000",
            "40/7200:3600",
            "40/6000+30:900+30",
            "*180",
            "0+5",
            "40/7200:*180",
            "40/7200:20/3600:?",
            "40/7200:-",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
        assert_eq!(read("180+0").to_string(), "180");
        assert_eq!(read(" 5400+30 ").first_base_seconds(), Some(5400));
        assert_eq!(read("40/7200:3600").first_base_seconds(), Some(7200));
        assert_eq!(read("*180").first_base_seconds(), Some(180));
        assert_eq!(read("-").first_base_seconds(), None);
    }

    #[test]
    fn free_text_is_refused_and_never_guessed() {
        for text in [
            "",
            "15 min/game",
            "90min + 30s/move",
            "40/",
            "/300",
            "0/300",
            "300:",
            "300:600",
            "+30",
            "180++2",
            "4294967296",
            "1:2:3",
            "300:*180",
            "*180:*180",
            "?:300",
            ":?",
            "40/7200:*",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text:?}");
        }
        let hostile = "1/1:".repeat(100_000) + "1";
        assert!(hostile.parse::<TimeControl>().is_err());
        assert_eq!(
            "G/90".parse::<TimeControl>().map_err(|error| error.to_string()),
            Err("“G/90” is not a time control in seconds; write “?”, “-”, “5400+30”, “40/7200:3600” or “*180”"
                .to_owned())
        );
    }

    #[test]
    fn the_increment_follows_the_period() {
        let classical = read("40/6000:20/3000+10:900+30");
        assert_eq!(classical.increment_s(1), 0);
        assert_eq!(classical.increment_s(80), 0, "Black's 40th move");
        assert_eq!(classical.increment_s(81), 10, "White's 41st move");
        assert_eq!(classical.increment_s(120), 10);
        assert_eq!(classical.increment_s(121), 30);
        assert_eq!(classical.increment_s(u32::MAX), 30);
        assert_eq!(read("40/7200+5").increment_s(400), 5, "the last period repeats");
        assert_eq!(read("180+2").increment_s(0), 2);
        assert_eq!(read("?").increment_s(1), 0);
    }
}
