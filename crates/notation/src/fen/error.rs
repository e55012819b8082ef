//! What can be wrong with a FEN, and where.

use std::fmt;

use shakmaty::Color;
use thiserror::Error;

use super::read::{MAX_COUNTER, MAX_FEN_BYTES};

/// A FEN that is no position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field}, character {column}: {reason}")]
pub struct FenError {
    /// The field that is wrong.
    pub field: Field,
    /// Where in the whole text, in characters from 1. A rule that concerns the position as a whole
    /// is reported at the beginning of the field.
    pub column: usize,
    /// What is wrong.
    pub reason: Reason,
}

/// The six fields of a FEN (PGN standard, 16.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Which piece stands where.
    Placement,
    /// Who is to move.
    ActiveColor,
    /// Who may still castle where.
    Castling,
    /// The square behind a pawn that has just made two steps.
    EnPassant,
    /// Plies since the last pawn move or capture.
    HalfmoveClock,
    /// Number of the next move.
    FullmoveNumber,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Placement => "piece placement",
            Self::ActiveColor => "active color",
            Self::Castling => "castling availability",
            Self::EnPassant => "en passant target square",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}

/// What is wrong with a FEN. Those marked *strict* are forgiven in [`super::Reading::LAX`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// Longer than [`MAX_FEN_BYTES`].
    #[error("the text is longer than {MAX_FEN_BYTES} bytes; a position never is")]
    TooLong,
    /// A field is not there; *strict* except for the placement.
    #[error("this field is missing; add it")]
    Missing,
    /// Something stands behind the last field.
    #[error("nothing may follow the sixth field; take “{0}” out")]
    Superfluous(String),
    /// White space other than one space between two fields; *strict*.
    #[error("fields are separated by exactly one space and nothing stands around them")]
    Spacing,
    /// A character with no meaning in its field.
    #[error("“{0}” has no meaning here; correct it")]
    Stray(char),
    /// Two digits for one gap; *strict*.
    #[error("two digits in a row; write their sum")]
    AdjacentDigits,
    /// A rank that is too short.
    #[error("rank {rank} has {squares} squares instead of 8; correct it")]
    ShortRank {
        /// 1 to 8.
        rank: usize,
        /// Squares found.
        squares: usize,
    },
    /// A rank that is too long.
    #[error("rank {0} has more than 8 squares; correct it")]
    LongRank(usize),
    /// Other than eight ranks.
    #[error("there are {0} ranks instead of 8; separate them by “/”")]
    Ranks(usize),
    /// A side without a king.
    #[error("{} has no king; add it", name(*.0))]
    NoKing(Color),
    /// A second king.
    #[error("{} has more than one king; take this one off", name(*.0))]
    ManyKings(Color),
    /// A pawn on the first or eighth rank.
    #[error("a pawn cannot stand on the first or eighth rank; correct it")]
    PawnOnBackRank,
    /// More pieces than promotions can give.
    #[error("there are more pieces than a game can have, promotions included; take some off")]
    TooMuchMaterial,
    /// The king that is not to move could be taken.
    #[error("the side that is not to move is in check; correct who is to move")]
    OppositeCheck,
    /// No last move can have given this check; *strict*.
    #[error("no last move can have given this check; correct the pieces or the en passant square")]
    ImpossibleCheck,
    /// Neither `w` nor `b`; capitals are forgiven in lax reading.
    #[error("“{0}” is no side; write w or b")]
    NotAColor(String),
    /// A right to castle without king or rook in place; *strict*.
    #[error("“{0}” needs king and rook on their squares; take it out")]
    NoCastling(char),
    /// Castling letters in another order or form than the standard's; *strict*.
    #[error("the castling letters are written “{0}”")]
    CastlingForm(String),
    /// More than four castling letters, or two for one rook; the second case is *strict*.
    #[error("every castling right is named once")]
    CastlingTwice,
    /// Not a square.
    #[error("“{0}” is no square; write one like e3, or -")]
    NotASquare(String),
    /// A target square that no double step can have left; *strict*.
    #[error("no pawn can just have passed {0}; write - or correct the square")]
    NoDoubleStep(String),
    /// Not a number in range.
    #[error("“{0}” is no number from 0 to {MAX_COUNTER}; correct it")]
    NotANumber(String),
    /// A number written in another form than the standard's; *strict*.
    #[error("the number is written {0}")]
    NumberForm(u32),
    /// Move number 0; *strict*.
    #[error("the first move has number 1; correct it")]
    MoveZero,
    /// A halfmove clock that ran through a pawn move; *strict*.
    #[error("the clock is 0 after a pawn's double step; correct it or the en passant square")]
    ClockAfterDoubleStep,
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}
