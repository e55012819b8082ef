//! What orders consist of.

use serde::{Deserialize, Serialize};

use pairings::Problem;
use pairings::encoding::{Encoding, decode};

/// A start position that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawnStart {
    /// A number of Chess960, 0 to 959; 518 is the usual position.
    Chess960(u32),
    /// A position of orthodox chess.
    Fen(String),
}

/// A board at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The table, from 1.
    pub table: u32,
    /// Serial number of the board; none to leave the table without.
    #[serde(default)]
    pub board: Option<String>,
}

/// A change of moves. Moves are written in SAN or UCI.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case", deny_unknown_fields)]
pub enum MoveEdit {
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnteredMove {
    /// In SAN or UCI.
    pub san: String,
    /// What the mover's clock showed after the press, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clk_ms: Option<u64>,
    /// Time spent on the move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emt_ms: Option<u64>,
}

/// A file of pairings as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingFile {
    /// Its name, for messages.
    pub name: String,
    /// What is in it.
    pub text: String,
    /// Whether it was no UTF-8 and was read as Windows-1252.
    #[serde(default)]
    pub windows_1252: bool,
}

impl PairingFile {
    /// A file as it was read or uploaded.
    ///
    /// # Errors
    /// When it is too large or no text.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Problem> {
        let name = name.to_owned();
        if bytes.len() as u64 > pairings::MAX_BYTES {
            return Err(pairings::too_large().in_file(&name));
        }
        let (text, encoding) = decode(bytes).map_err(|problem| problem.in_file(&name))?;
        Ok(Self { name, text, windows_1252: encoding == Encoding::Windows1252 })
    }
}
