//! The parts of orders.

use game_core::event::Variant;
use pairings::Problem;
use pairings::encoding::decode;

/// A start position for a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawnStart {
    /// A number of Chess960, 0 to 959; 518 is the usual position.
    Chess960(u32),
    /// A position of orthodox chess.
    Fen(String),
}

/// A start position as another recorder has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenStart {
    /// The position.
    pub fen: String,
    /// The rules.
    pub variant: Variant,
}

/// A board at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The table, from 1.
    pub table: u32,
    /// Serial number of the board; none to leave the table without.
    pub board: Option<String>,
}

/// A change of moves. Moves are written in SAN or UCI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveEdit {
    /// Inserts a move before a ply.
    Insert {
        /// Where, from 1.
        ply: u32,
        /// The move.
        played: EnteredMove,
    },
    /// Replaces a move.
    Replace {
        /// Which ply, from 1.
        ply: u32,
        /// The move; missing times keep their recorded values.
        played: EnteredMove,
    },
    /// Deletes a move.
    Delete {
        /// Which ply, from 1.
        ply: u32,
    },
    /// Deletes all moves after a ply.
    Cut {
        /// The last ply that stays; 0 when none does.
        after: u32,
    },
    /// Gives the moves that went unseen after a ply. They lead to the position from which the game went on; the moves after it
    /// stay.
    FillGap {
        /// The last ply before them; 0 when there is none.
        after: u32,
        /// The moves that went unseen.
        moves: Vec<EnteredMove>,
    },
    /// Replaces all moves after a ply.
    Set {
        /// The last ply that stays; 0 when none does.
        after: u32,
        /// The moves after it.
        moves: Vec<EnteredMove>,
        /// Expected number of plies of the game: with another number the order is refused, and missing times are unknown.
        /// Without it, missing times keep the values of the replaced moves.
        instead_of: Option<u32>,
    },
}

/// A move entered by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnteredMove {
    /// In SAN or UCI.
    pub san: String,
    /// What the mover's clock showed after the press, in milliseconds.
    pub clk_ms: Option<u64>,
    /// Time spent on the move, in milliseconds.
    pub emt_ms: Option<u64>,
}

/// A file of pairings as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingFile {
    /// File name, for messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The encoding that it was read in, if that was guessed: `windows-1250`.
    pub guessed_encoding: Option<String>,
}

impl PairingFile {
    /// A file as it was read or uploaded.
    ///
    /// # Errors
    /// When it is too large or not a text.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Problem> {
        let name = name.to_owned();
        if bytes.len() as u64 > pairings::MAX_BYTES {
            return Err(pairings::too_large().in_file(&name));
        }
        let (text, encoding) = decode(bytes).map_err(|problem| problem.in_file(&name))?;
        Ok(Self { name, text, guessed_encoding: encoding.guessed().map(str::to_owned) })
    }
}
