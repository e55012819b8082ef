//! Errors of reading EPD.

use thiserror::Error;

use super::limits::{MAX_OPCODE_BYTES, MAX_RECORD_BYTES, MAX_STRING_BYTES};
use crate::fen::FenError;
use crate::play::MoveError;

/// A record that could not be read; the records before and after it are not affected.
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

/// An error while reading several records.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The text cannot be read any further.
    #[error("line {line}: the text cannot be read: {source}")]
    Io {
        /// The line that could not be read, from 1.
        line: usize,
        /// The error of the source.
        source: std::io::Error,
    },
    /// A record is damaged; reading continues with the next line.
    #[error("line {line}, {source}")]
    Record {
        /// The record's line, from 1.
        line: usize,
        /// What is wrong.
        source: EpdError,
    },
}

/// What is wrong with an operation. Those marked *strict* are accepted by lax reading.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// A record over [`MAX_RECORD_BYTES`] as given or in its canonical form.
    #[error("the record is longer than {MAX_RECORD_BYTES} bytes; delete some operations")]
    TooLong,
    /// White space other than one space between two parts; *strict*.
    #[error("separate the parts of a record by exactly one space")]
    Spacing,
    /// A byte outside printing ASCII; *strict* unless it is a control character.
    #[error("“{0}” is not a printing ASCII character; replace it")]
    NotPrinting(char),
    /// Fewer than four data fields.
    #[error("a record starts with four fields (pieces, side to move, castling, en passant); add the missing ones")]
    MissingField,
    /// A word that cannot be an opcode.
    #[error("“{0}” is not an opcode; write a letter and up to {more} letters, digits or underscores", more = MAX_OPCODE_BYTES - 1)]
    NotAnOpcode(String),
    /// An operation without its semicolon; *strict*.
    #[error("the operation has no end; close it with a semicolon")]
    OpenOperation,
    /// A string without its end.
    #[error("the string has no end; close it with a quote")]
    OpenString,
    /// A string over 255 bytes.
    #[error("the string is longer than {MAX_STRING_BYTES} bytes; shorten it")]
    LongString,
    /// A quote inside a string: the standard has no way to write it.
    #[error("a string cannot hold a quote; use an apostrophe")]
    QuoteInString,
    /// A repeated operation.
    #[error("{0} occurs twice; keep one of the two")]
    Repeated(String),
    /// Operations out of ASCII order; *strict*.
    #[error("{0} comes after an opcode that sorts after it; write the operations in ASCII order")]
    OpcodeOrder(String),
    /// Operands of a set out of ASCII order, or repeated; *strict*.
    #[error("the operands of {0} are a set; write each once and in ASCII order")]
    OperandOrder(String),
    /// Too few or too many operands.
    #[error("{opcode} takes {takes}; correct its operands")]
    Count {
        /// The opcode.
        opcode: String,
        /// The operands it takes, in words.
        takes: &'static str,
    },
    /// An operand that does not have the opcode's type.
    #[error("“{text}” is not {expected}; correct it")]
    Type {
        /// The operand as given, shortened.
        text: String,
        /// The expected form, in words.
        expected: &'static str,
    },
    /// A string without quotes; *strict*.
    #[error("write the string in quotes")]
    Unquoted,
    /// A string where another operand is expected.
    #[error("leave out the quotes around {0}")]
    Quoted(String),
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
    #[error("write the number as {0}")]
    NumberForm(i64),
    /// A word that is not one of the choices.
    #[error("{opcode} does not take “{text}”; use one of {choices}")]
    Choice {
        /// The opcode.
        opcode: String,
        /// The operand as given, shortened.
        text: String,
        /// The words allowed.
        choices: String,
    },
    /// A repeated tag in one `ptp`.
    #[error("the tag {0} occurs twice; keep one of the two")]
    RepeatedTag(String),
    /// A move that is not legal in the position.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move in another notation than standard algebraic; *strict*.
    #[error("write the move as {0}")]
    NotSan(String),
    /// Two operations that exclude each other.
    #[error("{0} and {1} exclude each other; keep one of the two")]
    Excluded(&'static str, &'static str),
    /// An operation that needs another one.
    #[error("{0} needs the move that it belongs to; add sm")]
    NeedsMove(&'static str),
    /// A single move and a variation that begin differently.
    #[error("{0} and the first move of {1} differ; correct one of them")]
    FirstMove(&'static str, &'static str),
}
