//! The positions of a game, and a `.fen` file of them.

use shakmaty::{Chess, Position};
use thiserror::Error;

use super::{FenError, Style, write_fen};
use crate::pgn::Game;
use crate::play::{MoveError, find_written, start_position};

/// A game that cannot be played through.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlayError {
    /// Its start position is wrong.
    #[error("the FEN tag does not say a position: {0}")]
    Start(#[from] FenError),
    /// One of its moves is wrong.
    #[error("ply {ply}: {source}")]
    Move {
        /// The ply, from 1.
        ply: usize,
        /// What is wrong with it.
        source: MoveError,
    },
}

/// The positions of a game's main line, the start position first.
///
/// # Errors
/// The start position or a move is wrong.
pub fn game_positions(game: &Game) -> Result<Vec<Chess>, PlayError> {
    let mut position = start_position(&game.tags)?;
    let mut positions = vec![position.clone()];
    for (index, ply) in game.line().enumerate() {
        let m = find_written(&position, ply.san).map_err(|source| PlayError::Move { ply: index + 1, source })?;
        position.play_unchecked(m);
        positions.push(position.clone());
    }
    Ok(positions)
}

/// Positions as the text of a `.fen` file, one a line (PGN standard, 16.1).
pub fn write_fens(positions: &[Chess], style: Style) -> String {
    positions.iter().map(|position| write_fen(position, style) + "\n").collect()
}
