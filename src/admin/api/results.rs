//! Results of games, and byes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::same_variants;

/// A game's result: at most one point in all.
#[derive(Serialize, ToSchema)]
pub(crate) struct Score {
    /// White's points.
    pub(crate) white: Points,
    /// Black's points.
    pub(crate) black: Points,
    /// How it was reached.
    pub(crate) kind: Kind,
}

/// The points of one side.
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

/// How a result was reached.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Over the board.
    Played,
    /// Over the board, but so short that it is not rated (TRF `W`, `D`, `L`).
    Unrated,
    /// A player was absent or barred (TRF `+`, `-`).
    Forfeit,
}

/// The kind of a bye: its points and their reason.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ByeKind {
    /// A full point, because no opponent was left (TRF `U`).
    Pairing,
    /// A full point on request (TRF `F`).
    Full,
    /// Half a point on request (TRF `H`).
    Half,
    /// No point: absent (TRF `Z`).
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
