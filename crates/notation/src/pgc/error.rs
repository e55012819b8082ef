//! Errors of reading and writing PGC.

use thiserror::Error;

use crate::fen::FenError;
use crate::pgn::{MAX_PLIES, MAX_TAGS};
use crate::play::MoveError;

/// A game that could not be read; the games before and after it are not affected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("byte {offset}: {reason}")]
pub struct PgcError {
    /// Start of the wrong record, in bytes from 0.
    pub offset: usize,
    /// Number of the game in the data, from 1; damaged games count.
    pub game: usize,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a game in PGC.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// The data ends inside a record.
    #[error("the data ends inside this record; get a complete file")]
    Cut,
    /// The data ends inside a game.
    #[error("the data ends inside this game; get a complete file")]
    NoEnd,
    /// A byte that is not a marker.
    #[error("{0:#04x} is not a record marker; the data is damaged or not PGC")]
    UnknownMarker(u8),
    /// A record that is not allowed outside a game.
    #[error("this record is outside a game; a game begins with 0x05 or 0x01")]
    Outside,
    /// A game that begins inside another one.
    #[error("a game begins before the last one ended; the record 0x06 is missing")]
    Nested,
    /// A tag after moves.
    #[error("a tag comes after moves; write tags first")]
    LateTag,
    /// A tag name with forbidden characters.
    #[error("“{0}” is not a tag name; use letters, digits and underscores only")]
    TagName(String),
    /// More than [`MAX_TAGS`] tags besides the roster.
    #[error("the game has more than {MAX_TAGS} tags besides the seven of the roster; delete some")]
    TooManyTags,
    /// The `FEN` tag is not valid.
    #[error("the FEN tag is not valid: {0}")]
    Start(#[from] FenError),
    /// An ordinal beyond the legal moves.
    #[error(
        "ply {ply}: ordinal {ordinal} is out of range, because the position has {moves} moves; the data is damaged"
    )]
    Ordinal {
        /// The ply, from 1; a variation continues the count of its line.
        ply: usize,
        /// The ordinal, from 0.
        ordinal: u8,
        /// Number of legal moves.
        moves: usize,
    },
    /// More than [`MAX_PLIES`] plies.
    #[error("the game has more than {MAX_PLIES} plies, variations included; split it")]
    TooManyPlies,
    /// A variation without a move before it.
    #[error("a variation needs a move before it; the data is damaged")]
    VariationWithoutMove,
    /// The end of a variation that did not begin.
    #[error("the end of a variation has no beginning; the data is damaged")]
    NoVariation,
    /// The end of the game inside a variation.
    #[error("the variation has no end; the data is damaged")]
    OpenVariation,
}

/// A game that PGC cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WriteError {
    /// Its start position is wrong.
    #[error("the FEN tag is not valid: {0}")]
    Start(#[from] FenError),
    /// One of its moves is wrong; a null move has no ordinal.
    #[error("ply {ply}: {source}")]
    Move {
        /// The ply, from 1; a variation continues the count of its line.
        ply: usize,
        /// What is wrong with it.
        source: MoveError,
    },
    /// A character outside Latin-1.
    #[error("{place} has the character “{character}”, but PGC allows Latin-1 only; replace it")]
    NotLatin1 {
        /// The tag or comment.
        place: String,
        /// The first such character.
        character: char,
    },
    /// A text that is longer than its length field allows.
    #[error("{place} is longer than {most} bytes; shorten it")]
    TooLong {
        /// The tag or comment.
        place: String,
        /// The most that fits.
        most: usize,
    },
}
