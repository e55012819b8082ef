//! Errors of decoding a message. Their texts say which byte is wrong and what to do.

use std::{error::Error, fmt};

/// Reason why bytes are not a message. Offsets count from the id, which is byte 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageError {
    /// Fewer bytes than the header or the content needs.
    Incomplete {
        /// Number of bytes given.
        length: usize,
    },
    /// No message of this mode has this id.
    UnknownId {
        /// The first byte.
        id: u8,
    },
    /// The announced length is not valid for this id, or is not the number of bytes given.
    Length {
        /// The message's id.
        id: u8,
        /// The length in the header, 0 to 16383, header included.
        announced: usize,
        /// The number of bytes given.
        given: usize,
    },
    /// A byte after the id has bit 7 set: another message began inside this one.
    HighBit {
        /// Offset of the byte.
        offset: usize,
        /// The byte.
        byte: u8,
    },
    /// A bus frame was decoded as a single-board message, or the reverse. The two modes use the same
    /// ids for different messages.
    WrongMode,
    /// The checksum of a bus reply is wrong: line damage, or two boards that answered at once.
    Checksum {
        /// Checksum of the received bytes, 0 to 127.
        expected: u8,
        /// Checksum in the message.
        found: u8,
    },
    /// A field number above 63.
    Field {
        /// Offset of the byte.
        offset: usize,
        /// The byte.
        byte: u8,
    },
    /// A part of a clock time is out of range.
    Clock {
        /// The part.
        part: ClockPart,
        /// Offset of the byte.
        offset: usize,
        /// The byte.
        byte: u8,
    },
    /// A character that is not valid in a serial number.
    Text {
        /// Offset of the byte.
        offset: usize,
        /// The byte.
        byte: u8,
    },
}

/// A part of a clock time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockPart {
    /// 0 to 9, in the low four bits.
    Hours,
    /// 00 to 59, two decimal digits.
    Minutes,
    /// 00 to 59, two decimal digits.
    Seconds,
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MessageError::Incomplete { length } => {
                write!(f, "the message ends after {length} bytes: wait for the rest or repeat the request")
            }
            MessageError::UnknownId { id } => write!(f, "{id:02x} is not the id of a message: skip it"),
            MessageError::Length { id, announced, given } => write!(
                f,
                "message {id:02x} announces {announced} bytes and has {given}, which is not valid: \
                 drop it and request a dump"
            ),
            MessageError::HighBit { offset, byte } => {
                write!(
                    f,
                    "byte {offset} is {byte:02x}, the start of another message: \
                     drop this one and request a dump"
                )
            }
            MessageError::WrongMode => {
                write!(
                    f,
                    "this frame was read in the other mode, where its id has another meaning: \
                     decode it in that mode"
                )
            }
            MessageError::Checksum { expected, found } => write!(
                f,
                "the checksum is {found:02x} and should be {expected:02x}: \
                 request the reply again (with 84 after 83, else with the same command)"
            ),
            MessageError::Field { offset, byte } => {
                write!(
                    f,
                    "byte {offset} is {byte:02x}, but fields are 00 to 3f: \
                     drop the message and request a dump"
                )
            }
            MessageError::Clock { part, offset, byte } => {
                let (name, range) = match part {
                    ClockPart::Hours => ("hours", "0 to 9"),
                    ClockPart::Minutes => ("minutes", "00 to 59 in decimal digits"),
                    ClockPart::Seconds => ("seconds", "00 to 59 in decimal digits"),
                };
                write!(
                    f,
                    "byte {offset} is {byte:02x}, but {name} are {range}: \
                     keep the last good clock times"
                )
            }
            MessageError::Text { offset, byte } => {
                write!(
                    f,
                    "byte {offset} is {byte:02x}, which is not a character of a serial number: \
                     request it again"
                )
            }
        }
    }
}

impl Error for MessageError {}
