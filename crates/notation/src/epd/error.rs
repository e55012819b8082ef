//! What can be wrong with an EPD record, and where.

use thiserror::Error;

use super::opcode::MAX_OPCODE_BYTES;
use super::operand::MAX_STRING_BYTES;
use super::record::MAX_RECORD_BYTES;
use crate::fen::FenError;
use crate::play::MoveError;

/// A record that could not be read. The records around it are not concerned.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EpdError {
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] FenError),
    /// An operation is wrong.
    #[error("column {column}: {reason}")]
    Operation {
        /// Where, in characters from 1.
        column: usize,
        /// What is wrong.
        reason: Reason,
    },
}

/// What ends the reading of a record, or of the whole text.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The text cannot be read any further.
    #[error("line {line}: reading stopped: {source}")]
    Io {
        /// The line that could not be read, from 1.
        line: usize,
        /// What the source of the text says.
        source: std::io::Error,
    },
    /// A record is damaged; reading goes on with the next line.
    #[error("line {line}, {source}")]
    Record {
        /// The record's line, from 1.
        line: usize,
        /// What is wrong.
        source: EpdError,
    },
}

/// What is wrong with an operation. Those marked *strict* are forgiven in lax reading.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// A record over [`MAX_RECORD_BYTES`] as given or in its canonical form.
    #[error("the record is longer than {MAX_RECORD_BYTES} bytes; take operations out")]
    TooLong,
    /// White space other than one space between two parts; *strict*.
    #[error("parts of a record are separated by exactly one space")]
    Spacing,
    /// A byte outside printing ASCII; *strict* unless it is a control character.
    #[error("“{0}” is no printing ASCII character; replace it")]
    NotPrinting(char),
    /// Fewer than four data fields.
    #[error("a record begins with four data fields: pieces, side to move, castling, en passant; add what is missing")]
    MissingField,
    /// A word that cannot be an opcode.
    #[error("“{0}” is no opcode; write a letter and up to {more} letters, digits or underscores", more = MAX_OPCODE_BYTES - 1)]
    NotAnOpcode(String),
    /// An operation without its semicolon; *strict*.
    #[error("the operation does not end; close it with a semicolon")]
    OpenOperation,
    /// A string without its end.
    #[error("the string does not end; close it with a quote")]
    OpenString,
    /// A string over [`MAX_STRING_BYTES`].
    #[error("the string is longer than {MAX_STRING_BYTES} bytes; shorten it")]
    LongString,
    /// A quote inside a string: the standard has no way to write it.
    #[error("a string cannot hold a quote; use an apostrophe")]
    QuoteInString,
    /// An operation that is there already.
    #[error("{0} is there already; keep one of the two")]
    Repeated(String),
    /// Operations out of ASCII order; *strict*.
    #[error("{0} stands behind an opcode that sorts after it; write operations in ASCII order")]
    OpcodeOrder(String),
    /// Operands of a set out of ASCII order, or two alike; *strict*.
    #[error("the operands of {0} are a set; write each once and in ASCII order")]
    OperandOrder(String),
    /// Too few or too many operands.
    #[error("{opcode} takes {takes}; correct its operands")]
    Count {
        /// The opcode.
        opcode: String,
        /// What it takes.
        takes: &'static str,
    },
    /// An operand that is not of the opcode's type.
    #[error("“{text}” is no {wanted}; correct it")]
    Type {
        /// The operand as given, shortened.
        text: String,
        /// The form asked for.
        wanted: &'static str,
    },
    /// A string without quotes; *strict*.
    #[error("a string stands in quotes")]
    Unquoted,
    /// A number out of its range.
    #[error("{value} is out of range: {opcode} takes {least} to {most}")]
    Range {
        /// The opcode.
        opcode: String,
        /// The number given.
        value: i64,
        /// Lowest number allowed.
        least: i64,
        /// Highest number allowed.
        most: i64,
    },
    /// A number written in another form than the standard's; *strict*.
    #[error("the number is written {0}")]
    NumberForm(i64),
    /// A word that is none of the choices.
    #[error("“{text}” is unknown to {opcode}; use one of {choices}")]
    Choice {
        /// The opcode.
        opcode: String,
        /// The operand as given, shortened.
        text: String,
        /// The words allowed.
        choices: String,
    },
    /// A tag that is named twice in one `ptp`.
    #[error("the tag {0} is named twice; keep one")]
    RepeatedTag(String),
    /// A move that the position does not have.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move in another notation than standard algebraic; *strict*.
    #[error("the move is written {0}")]
    NotSan(String),
    /// Two operations that exclude each other.
    #[error("{0} and {1} exclude each other; keep one")]
    Excluded(&'static str, &'static str),
    /// An operation that needs another one.
    #[error("{0} needs the move it goes with; add sm")]
    NeedsMove(&'static str),
    /// A single move and a variation that begin differently.
    #[error("{0} and the first move of {1} differ; correct one of them")]
    FirstMove(&'static str, &'static str),
}
