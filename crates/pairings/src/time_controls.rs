//! Time controls of both sides: the same, or one for each as in Armageddon. Forms: PGN, and code 222 of TRF26.

use std::fmt;

use coded_text::coded_texts;
use notation::time_control::{Period, TimeControl, TimeControlError};

use crate::time_control_words::of_words;

/// A time up to here, for a whole period, is in minutes: no games are played over the board with two minutes for all moves,
/// and none with more than two and a half hours for a period in minutes.
const MOST_MINUTES: u32 = 150;

/// Up to here, the second of two numbers is what each move adds in seconds: no games are played over the board with half an hour for
/// some moves and nothing after them.
const MOST_SECONDS_A_MOVE: u32 = 30;

/// The longest plausible first period, six hours, and the longest plausible increment, five minutes; in seconds.
const LONGEST_S: u32 = 6 * 60 * 60;
const LONGEST_INCREMENT_S: u32 = 5 * 60;

coded_texts! {
    /// Why a time control looks like a mistake.
    pub enum TimeControlDoubt {
        Short { text: String } = "time_control_short", "The time control {text} is in seconds: is it so short?";
        ShortInMinutes { text: String, minutes: String } = "time_control_short_minutes",
            "The time control {text} is in seconds (write {minutes} for minutes): is it so short?";
        Long { text: String } = "time_control_long", "The time control {text} is in seconds: is it so long?";
    }
}

/// Time controls in the form of PGN; both sides have the same one except in Armageddon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeControls {
    /// White's; none when unknown.
    pub white: Option<String>,
    /// Black's.
    pub black: Option<String>,
}

impl TimeControls {
    /// The same for both sides.
    pub fn same(control: impl Into<String>) -> Self {
        let control = control.into();
        Self { white: Some(control.clone()), black: Some(control) }
    }

    /// Whether both sides play without a time control, as in a simultaneous display: `-`.
    pub fn are_none(&self) -> bool {
        [&self.white, &self.black].into_iter().all(|control| control.as_deref() == Some("-"))
    }

    /// Reads `5400+30` for both sides or `W300-B240` for each.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(code: &str) -> Result<Self, TimeControlError> {
        match code.strip_prefix('W').and_then(|code| code.split_once("-B")) {
            Some((white, black)) => Self { white: Some(white.into()), black: Some(black.into()) }.checked(),
            None => Self::same(code).checked(),
        }
    }

    /// Reads the text of TRF record 122, which people write in words or in minutes: `90 min + 30 sec/move`, and `90+30` is 90
    /// minutes and 30 seconds a move. Numbers that are implausible as seconds are minutes; each move's increment is always in
    /// seconds. None for texts that are not understood as a whole.
    pub fn of_text(text: &str) -> Option<Self> {
        let Ok(control) = Self::parse(text) else {
            return of_words(text).map(|control| Self::same(control.to_string()));
        };
        if !control.is_short() {
            return Some(control);
        }
        let in_minutes = |text: &Option<String>| -> Option<Option<String>> {
            let Some(text) = text else { return Some(None) };
            let Ok(TimeControl::Periods(mut periods)) = text.parse() else { return None };
            // «90/30» is no 90 moves in half an hour, but 90 minutes and 30 seconds a move.
            if let [Period { moves: Some(minutes), seconds, increment_s: 0 }] = *periods
                && seconds <= MOST_SECONDS_A_MOVE
            {
                periods = vec![Period { moves: None, seconds: minutes, increment_s: seconds }];
            }
            for period in &mut periods {
                period.seconds = period.seconds.checked_mul(60)?;
            }
            Some(Some(TimeControl::Periods(periods).to_string()))
        };
        Some(Self { white: in_minutes(&control.white)?, black: in_minutes(&control.black)? })
    }

    /// Why a time control looks like a mistake, as a question for a person; none when it is plausible.
    pub fn doubt(&self) -> Option<TimeControlDoubt> {
        let text = self.white.as_ref().or(self.black.as_ref())?;
        let control: TimeControl = text.parse().ok()?;
        if self.is_short() {
            let (minutes, text) = (Self::of_text(text).map(|minutes| minutes.to_string()), text.clone());
            return Some(match minutes {
                Some(minutes) => TimeControlDoubt::ShortInMinutes { text, minutes },
                None => TimeControlDoubt::Short { text },
            });
        }
        let long = control.first_base_seconds().is_some_and(|seconds| seconds > LONGEST_S)
            || control.increment_s(1) > LONGEST_INCREMENT_S;
        long.then(|| TimeControlDoubt::Long { text: text.clone() })
    }

    /// Whether all its times are so short that minutes are meant.
    fn is_short(&self) -> bool {
        let short = |text: &String| match text.parse() {
            Ok(TimeControl::Periods(periods)) => {
                periods.iter().all(|period| (1..=MOST_MINUTES).contains(&period.seconds))
            }
            _ => false,
        };
        let mut sides = self.white.iter().chain(&self.black).peekable();
        sides.peek().is_some() && sides.all(short)
    }

    /// Whether both are unknown.
    pub fn is_unknown(&self) -> bool {
        self.white.is_none() && self.black.is_none()
    }

    /// The time control of both sides, if it is the same.
    pub fn common(&self) -> Option<&str> {
        self.white.as_deref().filter(|_| self.white == self.black)
    }

    /// Both in normal form; when only one is known, it applies to both.
    ///
    /// # Errors
    /// When one is not in PGN's form.
    pub fn checked(&self) -> Result<Self, TimeControlError> {
        let usual = |text: &Option<String>| -> Result<Option<String>, TimeControlError> {
            let control = text.as_deref().map(str::parse::<TimeControl>).transpose()?;
            Ok(control.filter(|control| *control != TimeControl::Unknown).map(|control| control.to_string()))
        };
        let (white, black) = (usual(&self.white)?, usual(&self.black)?);
        Ok(Self { white: white.clone().or_else(|| black.clone()), black: black.or(white) })
    }
}

impl fmt::Display for TimeControls {
    /// In the form of TRF26; `?` when unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |control: &Option<String>| control.clone().unwrap_or_else(|| "?".into());
        match self.common() {
            Some(control) => f.write_str(control),
            None if self.is_unknown() => f.write_str("?"),
            None => write!(f, "W{}-B{}", said(&self.white), said(&self.black)),
        }
    }
}
