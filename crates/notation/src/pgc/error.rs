//! What can be wrong with PGC data, and what of a game PGC cannot hold.

use thiserror::Error;

use crate::fen::FenError;
use crate::pgn::{MAX_PLIES, MAX_TAGS};
use crate::play::MoveError;

/// A game that could not be read. The games around it are not concerned.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("byte {offset}: {reason}")]
pub struct PgcError {
    /// Where the record begins that is wrong, in bytes from 0.
    pub offset: usize,
    /// The damaged game's place in the data, from 1; readable and damaged games are counted alike.
    pub game: usize,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a game in PGC.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// The data ends inside a record.
    #[error("the data ends inside this record; get the whole file")]
    Cut,
    /// The data ends inside a game.
    #[error("the data ends before the game does; get the whole file")]
    NoEnd,
    /// A byte that marks no record.
    #[error("{0:#04x} marks no record; the data is damaged or no PGC")]
    UnknownMarker(u8),
    /// A record that has no place outside a game.
    #[error("this record stands outside a game; a game begins with 0x05 or 0x01")]
    Outside,
    /// A game that begins inside another one.
    #[error("a game begins before the last one ended; the record 0x06 is missing")]
    Nested,
    /// A tag behind moves.
    #[error("a tag stands behind the moves; tags come first")]
    LateTag,
    /// A tag name with forbidden characters.
    #[error("“{0}” is no tag name; use letters, digits and underscores only")]
    TagName(String),
    /// More than [`MAX_TAGS`] tags besides the roster.
    #[error("this game has more than {MAX_TAGS} tags besides the roster; take some out")]
    TooManyTags,
    /// The `FEN` tag is no position.
    #[error("the FEN tag does not say a position: {0}")]
    Start(#[from] FenError),
    /// An ordinal beyond the legal moves.
    #[error("ply {ply}: move {ordinal} of {moves} does not exist; the data is damaged")]
    Ordinal {
        /// The ply, from 1; in a variation it goes on from where the variation begins.
        ply: usize,
        /// The ordinal, from 0.
        ordinal: u8,
        /// Number of legal moves.
        moves: usize,
    },
    /// More than [`MAX_PLIES`] moves.
    #[error("this game has more than {MAX_PLIES} moves with its variations; split it")]
    TooManyPlies,
    /// A variation where no move stands before it.
    #[error("this variation has no move to stand for; the data is damaged")]
    VariationWithoutMove,
    /// The end of a variation that did not begin.
    #[error("a variation ends here that did not begin; the data is damaged")]
    NoVariation,
    /// The end of the game inside a variation.
    #[error("a variation does not end; the data is damaged")]
    OpenVariation,
}

/// A game that PGC cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WriteError {
    /// Its start position is wrong.
    #[error("the FEN tag does not say a position: {0}")]
    Start(#[from] FenError),
    /// One of its moves is wrong; a null move has no ordinal.
    #[error("ply {ply}: {source}")]
    Move {
        /// The ply, from 1; in a variation it goes on from where the variation begins.
        ply: usize,
        /// What is wrong with it.
        source: MoveError,
    },
    /// A character outside Latin-1.
    #[error("{place} has a “{character}”, and PGC is Latin-1 only; write it in other letters")]
    NotLatin1 {
        /// The tag or comment.
        place: String,
        /// The first such character.
        character: char,
    },
    /// A text longer than its length field can say.
    #[error("{place} is longer than {most} bytes; shorten it")]
    TooLong {
        /// The tag or comment.
        place: String,
        /// The most that fits.
        most: usize,
    },
}
