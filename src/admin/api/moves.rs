//! Moves entered by hand.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A change of moves, which are written in SAN or UCI.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "edit", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum MoveEdit {
    /// Inserts a move before a ply.
    Insert {
        /// The ply, from 1.
        ply: u32,
        /// The move.
        played: EnteredMove,
    },
    /// Replaces a move.
    Replace {
        /// The ply, from 1.
        ply: u32,
        /// The move; times that are not given stay as they are.
        played: EnteredMove,
    },
    /// Deletes a move.
    Delete {
        /// The ply, from 1.
        ply: u32,
    },
    /// Deletes all moves after a ply.
    Cut {
        /// The last ply that stays; 0 for none.
        after: u32,
    },
    /// Gives the moves that went unseen after a ply. They have to lead to the position from which the game went on; the moves
    /// after it stay.
    FillGap {
        /// The last ply before them; 0 when there is none.
        after: u32,
        /// The moves that went unseen.
        moves: Vec<EnteredMove>,
    },
    /// Replaces all moves after a ply.
    Set {
        /// The last ply that stays; 0 for none.
        after: u32,
        /// The new moves.
        moves: Vec<EnteredMove>,
        /// The number of plies that the game has now; if it has another number, the order is refused. With this field, times
        /// that are not given are unknown; without it, they stay as they are.
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
    /// Clock time of the player after the press, in milliseconds.
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
            MoveEdit::FillGap { after, moves } => {
                Self::FillGap { after, moves: moves.into_iter().map(Into::into).collect() }
            }
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
            tournament::MoveEdit::FillGap { after, moves } => {
                Self::FillGap { after, moves: moves.into_iter().map(Into::into).collect() }
            }
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
