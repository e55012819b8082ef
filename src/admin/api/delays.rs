//! Delays of the public view.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// By how much the public sees games later: seconds from 0 to 86400, or `until_over` for nothing before the game is over; then it
/// opens two minutes after its result is confirmed. Usual delays are 600, 900, 1200 and 1800.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged, expecting = "a delay is a number of seconds up to 86400, or \"until_over\"")]
pub(crate) enum Delay {
    /// Seconds, up to 24 hours; 0 for none.
    Seconds(u32),
    /// In a word.
    Word(DelayWord),
}

/// A delay that is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DelayWord {
    /// Until the game is over.
    UntilOver,
}

/// The delay of a board in every round of its section.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardDelay {
    /// Number of the board in the section, from 1.
    pub(crate) board: u32,
    /// Its delay.
    pub(crate) delay_s: Delay,
}

impl From<Delay> for tournament::Delay {
    fn from(delay: Delay) -> Self {
        match delay {
            Delay::Seconds(seconds) => Self::Seconds(seconds),
            Delay::Word(DelayWord::UntilOver) => Self::UntilOver,
        }
    }
}

impl From<tournament::Delay> for Delay {
    fn from(delay: tournament::Delay) -> Self {
        match delay {
            tournament::Delay::Seconds(seconds) => Self::Seconds(seconds),
            tournament::Delay::UntilOver => Self::Word(DelayWord::UntilOver),
        }
    }
}
