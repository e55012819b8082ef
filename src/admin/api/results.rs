//! Results of games, and byes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::same_variants;

/// A game's result: at most one point in all.
#[derive(Serialize, ToSchema)]
pub(crate) struct Score {
    /// White's share.
    pub(crate) white: Points,
    /// Black's share.
    pub(crate) black: Points,
    /// How it came about.
    pub(crate) kind: Kind,
}

/// What a side scored.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Points {
    /// 0
    Zero,
    /// ½
    Half,
    /// 1
    One,
}

/// How a result came about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Over the board.
    Played,
    /// Over the board, but so short that it is not rated (TRF `W`, `D`, `L`).
    Unrated,
    /// Somebody did not come (TRF `+`, `-`).
    Forfeit,
}

/// What a bye is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ByeKind {
    /// From the pairing, nobody being left (TRF `U`).
    Pairing,
    /// A full point asked for (TRF `F`).
    Full,
    /// Half a point asked for (TRF `H`).
    Half,
    /// Absent (TRF `Z`).
    Zero,
}

impl From<pairings::score::Score> for Score {
    fn from(score: pairings::score::Score) -> Self {
        let pairings::score::Score { white, black, kind } = score;
        Self { white: white.into(), black: black.into(), kind: kind.into() }
    }
}

same_variants!(from Points, pairings::score::Points, Zero, Half, One);
same_variants!(from Kind, pairings::score::Kind, Played, Unrated, Forfeit);
same_variants!(ByeKind, pairings::model::ByeKind, Pairing, Full, Half, Zero);
