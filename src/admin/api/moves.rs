//! Moves entered by hand.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A change of moves. Moves are written in SAN or UCI.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "edit", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum MoveEdit {
    /// A move is put before a ply; the later ones follow it.
    Insert {
        /// Where, from 1.
        ply: u32,
        /// The move.
        played: EnteredMove,
    },
    /// Another move was played.
    Replace {
        /// Which ply, from 1.
        ply: u32,
        /// The move; times that are not given stay as they were read.
        played: EnteredMove,
    },
    /// A move was not played.
    Delete {
        /// Which ply, from 1.
        ply: u32,
    },
    /// Nothing was played after a ply.
    Cut {
        /// The last ply that stays; 0 when none does.
        after: u32,
    },
    /// These moves were played after a ply, and none else.
    Set {
        /// The last ply that stays; 0 when none does.
        after: u32,
        /// The moves after it.
        moves: Vec<EnteredMove>,
        /// How many plies the game has as far as the operator knows: with another number the order is refused, and times
        /// that are not given are unknown. Without it those of the moves that go stay.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<u32>,
    },
}

/// A move entered by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EnteredMove {
    /// In SAN or UCI.
    pub(crate) san: String,
    /// What the mover's clock showed after the press, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clk_ms: Option<u64>,
    /// Time spent on the move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) emt_ms: Option<u64>,
}

impl From<MoveEdit> for tournament::MoveEdit {
    fn from(edit: MoveEdit) -> Self {
        match edit {
            MoveEdit::Insert { ply, played } => Self::Insert { ply, played: played.into() },
            MoveEdit::Replace { ply, played } => Self::Replace { ply, played: played.into() },
            MoveEdit::Delete { ply } => Self::Delete { ply },
            MoveEdit::Cut { after } => Self::Cut { after },
            MoveEdit::Set { after, moves, instead_of } => {
                Self::Set { after, moves: moves.into_iter().map(Into::into).collect(), instead_of }
            }
        }
    }
}

impl From<tournament::MoveEdit> for MoveEdit {
    fn from(edit: tournament::MoveEdit) -> Self {
        match edit {
            tournament::MoveEdit::Insert { ply, played } => Self::Insert { ply, played: played.into() },
            tournament::MoveEdit::Replace { ply, played } => Self::Replace { ply, played: played.into() },
            tournament::MoveEdit::Delete { ply } => Self::Delete { ply },
            tournament::MoveEdit::Cut { after } => Self::Cut { after },
            tournament::MoveEdit::Set { after, moves, instead_of } => {
                Self::Set { after, moves: moves.into_iter().map(Into::into).collect(), instead_of }
            }
        }
    }
}

impl From<EnteredMove> for tournament::EnteredMove {
    fn from(EnteredMove { san, clk_ms, emt_ms }: EnteredMove) -> Self {
        Self { san, clk_ms, emt_ms }
    }
}

impl From<tournament::EnteredMove> for EnteredMove {
    fn from(entered: tournament::EnteredMove) -> Self {
        let tournament::EnteredMove { san, clk_ms, emt_ms } = entered;
        Self { san, clk_ms, emt_ms }
    }
}
