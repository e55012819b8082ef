//! The edit of moves that an undo holds. The same in version 1 and 2.

use serde::{Deserialize, Serialize};
use tournament::{EnteredMove, MoveEdit};

use super::FormError;

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub(super) enum StoredEdit {
    Insert {
        ply: u32,
        played: StoredMove,
    },
    Replace {
        ply: u32,
        played: StoredMove,
    },
    Delete {
        ply: u32,
    },
    Cut {
        after: u32,
    },
    FillGap {
        after: u32,
        moves: Vec<StoredMove>,
    },
    Set {
        after: u32,
        moves: Vec<StoredMove>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<u32>,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredMove {
    san: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clk_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    emt_ms: Option<u64>,
}

impl From<&EnteredMove> for StoredMove {
    fn from(entered: &EnteredMove) -> Self {
        let EnteredMove { san, clk_ms, emt_ms } = entered.clone();
        Self { san, clk_ms, emt_ms }
    }
}

impl From<StoredMove> for EnteredMove {
    fn from(stored: StoredMove) -> Self {
        let StoredMove { san, clk_ms, emt_ms } = stored;
        Self { san, clk_ms, emt_ms }
    }
}

impl From<&MoveEdit> for StoredEdit {
    fn from(edit: &MoveEdit) -> Self {
        match edit {
            MoveEdit::Insert { ply, played } => Self::Insert { ply: *ply, played: played.into() },
            MoveEdit::Replace { ply, played } => Self::Replace { ply: *ply, played: played.into() },
            MoveEdit::Delete { ply } => Self::Delete { ply: *ply },
            MoveEdit::Cut { after } => Self::Cut { after: *after },
            MoveEdit::FillGap { after, moves } => {
                Self::FillGap { after: *after, moves: moves.iter().map(Into::into).collect() }
            }
            MoveEdit::Set { after, moves, instead_of } => {
                Self::Set { after: *after, moves: moves.iter().map(Into::into).collect(), instead_of: *instead_of }
            }
        }
    }
}

impl TryFrom<StoredEdit> for MoveEdit {
    type Error = FormError;

    fn try_from(stored: StoredEdit) -> Result<Self, FormError> {
        Ok(match stored {
            StoredEdit::Insert { ply, played } => Self::Insert { ply, played: played.into() },
            StoredEdit::Replace { ply, played } => Self::Replace { ply, played: played.into() },
            StoredEdit::Delete { ply } => Self::Delete { ply },
            StoredEdit::Cut { after } => Self::Cut { after },
            StoredEdit::FillGap { after, moves } => {
                Self::FillGap { after, moves: moves.into_iter().map(Into::into).collect() }
            }
            StoredEdit::Set { after, moves, instead_of } => {
                Self::Set { after, moves: moves.into_iter().map(Into::into).collect(), instead_of }
            }
            StoredEdit::Unknown => return Err(FormError::Newer("edit of moves".into())),
        })
    }
}
