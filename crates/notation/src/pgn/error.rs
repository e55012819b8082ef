//! Errors of reading PGN.

use std::fmt;

use thiserror::Error;

use super::limits::{MAX_COMMENT_BYTES, MAX_GAME_BYTES, MAX_PLIES, MAX_TAG_VALUE_BYTES, MAX_TAGS};
use super::rules::RulesError;
use crate::fen::FenError;

/// A game that could not be read; the games before and after it are not affected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct PgnError {
    /// Line of the error, from 1.
    pub line: usize,
    /// Column of the error in characters, from 1.
    pub column: usize,
    /// Number of the game in the text, from 1; damaged games count.
    pub game: usize,
    /// The players, as [`Tags::players`](super::Tags::players) gives them.
    pub players: String,
    /// In the movetext, the move that comes next in its line; for a wrong move its own number.
    pub next_move: Option<MoveNumber>,
    /// What is wrong.
    pub reason: Reason,
}

/// The number of a move with its side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNumber {
    /// From 1.
    pub number: u64,
    /// Whether Black moves.
    pub black: bool,
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {} ({})", self.number, if self.black { "Black" } else { "White" })
    }
}

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// A symbol of the movetext that is neither a move, a number nor a result.
    #[error("“{0}” is not a move; correct it or put it into a comment in braces")]
    NotAMove(String),
    /// A character that is not allowed at its place.
    #[error("“{0}” is not allowed here; delete it or put it into a comment in braces")]
    Stray(char),
    /// A zero byte: a binary file, or text in UTF-16 without a byte-order mark.
    #[error("this is binary data and not PGN; save the games as text in UTF-8")]
    NotText,
    /// A tag that does not have the form `[Name "value"]`.
    #[error("this is not a tag; write [Name \"value\"]")]
    NotATag,
    /// A tag name with forbidden characters.
    #[error("“{0}” is not a tag name; use letters, digits and underscores only")]
    TagName(String),
    /// A tag value without a closing quote.
    #[error("the tag value has no end; close it with \"]")]
    OpenTagValue,
    /// A tag value over [`MAX_TAG_VALUE_BYTES`].
    #[error("the tag value is longer than {MAX_TAG_VALUE_BYTES} bytes; shorten it or close it with \"]")]
    LongTagValue,
    /// More than [`MAX_TAGS`] tags besides the roster.
    #[error("the game has more than {MAX_TAGS} tags besides the seven of the roster; delete some")]
    TooManyTags,
    /// A comment without a closing brace.
    #[error("the comment has no end; close it with a brace")]
    OpenComment,
    /// A comment over [`MAX_COMMENT_BYTES`].
    #[error("the comment is longer than {MAX_COMMENT_BYTES} bytes; shorten it or close it with a brace")]
    LongComment,
    /// A numeric annotation glyph (NAG) outside `$0` to `$255`.
    #[error("a NAG must be from $0 to $255; correct it")]
    Nag,
    /// Exclamation and question marks that are not a suffix of the standard.
    #[error("“{0}” is not a move suffix; use ! ? !! ?? !? or ?!")]
    Suffix(String),
    /// A variation without a move before it.
    #[error("a variation needs a move before it; put it after the move that it replaces")]
    VariationWithoutMove,
    /// A variation without a closing parenthesis.
    #[error("the variation has no end; close it with a parenthesis")]
    OpenVariation,
    /// More than [`MAX_PLIES`] plies.
    #[error("the game has more than {MAX_PLIES} plies, variations included; split it")]
    TooManyPlies,
    /// More than [`MAX_GAME_BYTES`].
    #[error("the game is longer than {MAX_GAME_BYTES} bytes; split it or end it with a result")]
    LongGame,
    /// A castling right or an en passant square of the `FEN` tag that is ignored.
    #[error("the FEN tag: {0}; it is ignored")]
    IgnoredRight(FenError),
    /// A null move in the main line, which is kept.
    #[error("a null move is not allowed in the main line; it stays")]
    NullMove,
    /// A move number that does not count the moves; only the first one of a game is named.
    #[error("the move number is {written}, but this is move {counted}; correct it")]
    MoveNumber {
        /// The number as written.
        written: String,
        /// The number by the moves before it.
        counted: u64,
    },
    /// Text that was left out of a game that is otherwise read.
    #[error("{0}; this character or word is left out")]
    Dropped(Box<Reason>),
    /// A variation whose rest was left out.
    #[error("{0}; the rest of the variation is left out")]
    CutVariation(Box<Reason>),
    /// An illegal move, or a start position that is not valid.
    #[error(transparent)]
    Rules(#[from] RulesError),
}
