//! By how much the public sees games later: a policy of tournaments, sections, rounds and boards.
//!
//! Must not know how a delay is kept.

use std::fmt;
use std::str::FromStr;

use super::hall::Hall;
use super::section::Section;

/// By how much the public sees games later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Delay {
    /// Seconds, at most [`Delay::MAX_S`]. With 0 a move is public as soon as it is recorded.
    Seconds(u32),
    /// Nothing of a game is public before it is over. It opens [`Delay::OPENS_AFTER_S`] seconds after its result is confirmed.
    UntilOver,
}

impl Delay {
    /// No delay.
    pub const NONE: Self = Self::Seconds(0);

    /// The longest delay in seconds: a day.
    pub const MAX_S: u32 = 24 * 60 * 60;

    /// Usual delays in seconds: 10, 15, 20 and 30 minutes.
    pub const PRESETS_S: [u32; 4] = [600, 900, 1200, 1800];

    /// Seconds from the confirmation of a result until a game opens that is public when it is over.
    pub const OPENS_AFTER_S: u32 = 120;

    /// Whether it is in range.
    pub fn is_valid(self) -> bool {
        match self {
            Self::Seconds(seconds) => seconds <= Self::MAX_S,
            Self::UntilOver => true,
        }
    }
}

impl Default for Delay {
    fn default() -> Self {
        Self::NONE
    }
}

/// `900 s`, `until_over`: [`Delay::from_str`] reads both.
impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seconds(seconds) => write!(f, "{seconds} s"),
            Self::UntilOver => f.write_str(UNTIL_OVER),
        }
    }
}

/// How «until the game is over» is written in settings.
pub(crate) const UNTIL_OVER: &str = "until_over";

/// A text is not a delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoDelay;

impl fmt::Display for NoDelay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a delay is a number of seconds, or like \"15 min\" or \"1 h\", at most 24 h, or \"until_over\"")
    }
}

impl std::error::Error for NoDelay {}

impl FromStr for Delay {
    type Err = NoDelay;

    /// A number of seconds, a number with `s`, `min`, `m` or `h`, or `until_over`.
    fn from_str(text: &str) -> Result<Self, NoDelay> {
        let text = text.trim();
        if text.replace(['-', ' '], "_").eq_ignore_ascii_case(UNTIL_OVER) {
            return Ok(Self::UntilOver);
        }
        let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let factor = match unit.trim() {
            "" | "s" => 1,
            "min" | "m" => 60,
            "h" => 3600,
            _ => return Err(NoDelay),
        };
        let seconds = number.parse::<u32>().ok().and_then(|number| number.checked_mul(factor));
        seconds.map(Self::Seconds).filter(|delay| delay.is_valid()).ok_or(NoDelay)
    }
}

/// Which delay holds: the most specific one that is set.
impl Hall {
    /// The delay of a board's game in a round: that of the board, else of the round.
    pub fn delay(&self, section: &Section, round: u32, board: u32) -> Delay {
        let own = section.settings.board_delays.get(&board).copied();
        own.unwrap_or_else(|| self.round_delay(section, round))
    }

    /// The delay of a round: its own, else that of its section, else that of the tournament.
    pub fn round_delay(&self, section: &Section, round: u32) -> Delay {
        let settings = &section.settings;
        let of_round = || section.rounds.get(&round)?.settings.delay;
        let of_tournament = || self.tournaments.get(settings.tournament.as_str())?.delay;
        of_round().or(settings.delay).or_else(of_tournament).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_read_as_people_write_them() {
        for (text, delay) in [
            ("0", Delay::NONE),
            ("900", Delay::Seconds(900)),
            ("90 s", Delay::Seconds(90)),
            ("15 min", Delay::Seconds(900)),
            ("15m", Delay::Seconds(900)),
            ("24 h", Delay::Seconds(86_400)),
            ("until_over", Delay::UntilOver),
            ("until over", Delay::UntilOver),
            ("Until-Over", Delay::UntilOver),
        ] {
            assert_eq!(text.parse(), Ok(delay), "{text}");
            assert_eq!(delay.to_string().parse(), Ok(delay));
        }
        for wrong in ["", "min", "-5", "1.5 h", "25 h", "86401", "99999999999", "15 days", "0x10", "5 m i n", "é"] {
            assert_eq!(wrong.parse::<Delay>(), Err(NoDelay), "{wrong}");
        }
    }
}
