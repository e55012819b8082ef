//! Errors of reading FEN.

use std::fmt;

use shakmaty::Color;
use thiserror::Error;

use super::limits::{MAX_COUNTER, MAX_FEN_BYTES};

/// A FEN that is not a valid position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field}, character {column}: {reason}")]
pub struct FenError {
    /// The field that is wrong.
    pub field: Field,
    /// Place in the whole text, in characters from 1. An error of the position as a whole is reported at the start of the
    /// field.
    pub column: usize,
    /// What is wrong.
    pub reason: Reason,
}

/// The six fields of a FEN (PGN standard, 16.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The pieces on their squares.
    Placement,
    /// The side to move.
    ActiveColor,
    /// The castling rights.
    Castling,
    /// The square that a pawn has just passed with a double step.
    EnPassant,
    /// Plies since the last pawn move or capture.
    HalfmoveClock,
    /// The number of the next move.
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

/// What is wrong with a FEN. Those marked *strict* are accepted by `Reading::LAX`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// Longer than 256 bytes.
    #[error("the text is longer than {MAX_FEN_BYTES} bytes; a FEN is shorter")]
    TooLong,
    /// A missing field; *strict* except for the placement.
    #[error("this field is missing; add it")]
    Missing,
    /// Text after the last field.
    #[error("a FEN has six fields; delete “{0}”")]
    Superfluous(String),
    /// White space other than one space between two fields; *strict*.
    #[error("separate the fields by exactly one space, without spaces before or after them")]
    Spacing,
    /// A character that its field does not allow.
    #[error("“{0}” is not allowed here; correct it")]
    Stray(char),
    /// Two adjacent digits; *strict*.
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
    /// Not eight ranks.
    #[error("there are {0} ranks instead of 8; separate the ranks by “/”")]
    Ranks(usize),
    /// A side without a king.
    #[error("{} has no king; add it", name(*.0))]
    NoKing(Color),
    /// A second king.
    #[error("{} has more than one king; remove this one", name(*.0))]
    ManyKings(Color),
    /// A pawn on the first or eighth rank.
    #[error("a pawn cannot stand on the first or eighth rank; correct it")]
    PawnOnBackRank,
    /// More pieces than a game can have, promotions included.
    #[error("there are more pieces than a game can have, promotions included; remove some")]
    TooMuchMaterial,
    /// The side that is not to move is in check.
    #[error("the side that is not to move is in check; correct the side to move")]
    OppositeCheck,
    /// A check that no last move can have given; *strict*.
    #[error("no move can give this check; correct the pieces or the en passant square")]
    ImpossibleCheck,
    /// Neither `w` nor `b`; lax reading accepts capitals.
    #[error("“{0}” is not a side; write w or b")]
    NotAColor(String),
    /// A right to castle without king or rook in place; *strict*.
    #[error("“{0}” needs king and rook on their castling squares; delete it")]
    NoCastling(char),
    /// Castling letters in another order or form than the standard's; *strict*.
    #[error("write the castling letters as “{0}”")]
    CastlingForm(String),
    /// More than four castling letters, or two for one rook; the second case is *strict*.
    #[error("write each castling right once")]
    CastlingTwice,
    /// Not a square.
    #[error("“{0}” is not a square; write a square such as e3, or -")]
    NotASquare(String),
    /// A square that no pawn can have passed with a double step; *strict*.
    #[error("no pawn has just passed {0}; write - or correct the square")]
    NoDoubleStep(String),
    /// Not a number in range.
    #[error("“{0}” is not a number from 0 to {MAX_COUNTER}; correct it")]
    NotANumber(String),
    /// A number written in another form than the standard's; *strict*.
    #[error("write the number as {0}")]
    NumberForm(u32),
    /// Move number 0; *strict*.
    #[error("move numbers start at 1; correct it")]
    MoveZero,
    /// A halfmove clock above 0 directly after a pawn move; *strict*.
    #[error("the halfmove clock must be 0 after a pawn's double step; correct it or the en passant square")]
    ClockAfterDoubleStep,
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}
