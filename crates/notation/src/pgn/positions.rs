//! The positions of a game: where it starts and what its moves lead to.

use shakmaty::{Chess, Position};
use thiserror::Error;

use super::game::Game;
use super::tags::Tags;
use crate::fen::{FenError, Reading, read_fen_noting};
use crate::play::{MoveError, find_written};

/// A game that cannot be played through.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlayError {
    /// Its start position is wrong.
    #[error("the FEN tag is not valid: {0}")]
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

/// The position that a game starts from: its `FEN` tag, read as [`Reading::LAX`], or the standard start position. A
/// `Variant` tag that names Chess960 makes the castling letters X-FEN or Shredder-FEN.
///
/// # Errors
/// What is wrong with the `FEN` tag.
pub(crate) fn start_position(tags: &Tags) -> Result<Chess, FenError> {
    start_position_noting(tags, &mut Vec::new())
}

/// [`start_position`], which also adds the castling rights and the en passant square that are ignored to a list.
pub(super) fn start_position_noting(tags: &Tags, ignored: &mut Vec<FenError>) -> Result<Chess, FenError> {
    let reading = if is_chess960(tags) { Reading::LAX.chess960() } else { Reading::LAX };
    tags.get("FEN").map_or_else(|| Ok(Chess::default()), |fen| read_fen_noting(fen, reading, ignored))
}

/// Whether the `Variant` tag names Chess960 by one of its usual names; LiveChess writes «Fischerandom».
pub fn is_chess960(tags: &Tags) -> bool {
    let variant = letters_of(tags.get("Variant").unwrap_or_default());
    CHESS960.iter().any(|name| variant.contains(name))
}

/// The value of the `Variant` tag if it names a variant with rules of its own.
pub(super) fn unsupported_variant(tags: &Tags) -> Option<&str> {
    // Parts of the names that the big sites and programs write.
    const UNSUPPORTED: [&str; 24] = [
        "crazyhouse",
        "bughouse",
        "atomic",
        "antichess",
        "giveaway",
        "suicide",
        "losers",
        "losing",
        "horde",
        "racingkings",
        "kingofthehill",
        "threecheck",
        "3check",
        "fivecheck",
        "5check",
        "fogofwar",
        "darkchess",
        "duckchess",
        "seirawan",
        "capablanca",
        "shogi",
        "xiangqi",
        "makruk",
        "4player",
    ];
    let written = tags.get("Variant")?;
    let variant = letters_of(written);
    UNSUPPORTED.iter().any(|name| variant.contains(name)).then_some(written)
}

/// The ASCII letters and digits of a name, in lower case.
fn letters_of(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Names of Chess960.
const CHESS960: [&str; 4] = ["chess960", "fischerandom", "fischerrandom", "freestyle"];
