//! What can be wrong with a message. Says the place and what to do; knows nothing of the caller.

use std::{error::Error, fmt};

/// Why bytes are no message. Places count from the id byte, which is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageError {
    /// Fewer bytes than the header, or than the content, needs.
    Incomplete {
        /// Bytes there are.
        length: usize,
    },
    /// No message of this mode has this id.
    UnknownId {
        /// The byte in the place of an id.
        id: u8,
    },
    /// The announced length is not one that this id can have, or not the number of bytes given.
    Length {
        /// The message's id.
        id: u8,
        /// The length in the header, 0 to 16383, header included.
        announced: usize,
        /// The number of bytes given.
        given: usize,
    },
    /// A byte behind the id has bit 7 set: another message has begun inside this one.
    HighBit {
        /// Where.
        place: usize,
        /// The byte.
        byte: u8,
    },
    /// A single-board message was asked of a bus frame, or the reverse. The ids of the two modes
    /// clash.
    OtherMode,
    /// The checksum of a bus reply is wrong: line damage, or two boards at once.
    Checksum {
        /// What the bytes add up to, 0 to 127.
        expected: u8,
        /// What the board sent.
        found: u8,
    },
    /// A field number above 63.
    Field {
        /// Where.
        place: usize,
        /// The byte.
        byte: u8,
    },
    /// A part of a clock time that no clock shows.
    Clock {
        /// Which part.
        part: ClockPart,
        /// Where.
        place: usize,
        /// The byte.
        byte: u8,
    },
    /// A character that cannot stand in a serial number.
    Text {
        /// Where.
        place: usize,
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
                write!(f, "the message ends after {length} bytes: wait for the rest or ask again")
            }
            MessageError::UnknownId { id } => write!(f, "no message has the id {id:02x}: skip it"),
            MessageError::Length { id, announced, given } => write!(
                f,
                "message {id:02x} announces {announced} bytes and has {given}, which cannot be: \
                 drop it and ask for a dump"
            ),
            MessageError::HighBit { place, byte } => {
                write!(
                    f,
                    "byte {place} is {byte:02x}, the start of another message: \
                     drop this one and ask for a dump"
                )
            }
            MessageError::OtherMode => {
                write!(
                    f,
                    "this frame was read in the other mode, where its id has another meaning: \
                     decode it in its own"
                )
            }
            MessageError::Checksum { expected, found } => write!(
                f,
                "the checksum is {found:02x} and should be {expected:02x}: \
                 ask the board to repeat (84 after 83, else the same)"
            ),
            MessageError::Field { place, byte } => {
                write!(
                    f,
                    "byte {place} is {byte:02x}, but fields are 00 to 3f: \
                     drop the message and ask for a dump"
                )
            }
            MessageError::Clock { part, place, byte } => {
                let (name, range) = match part {
                    ClockPart::Hours => ("hours", "0 to 9"),
                    ClockPart::Minutes => ("minutes", "00 to 59 in decimal digits"),
                    ClockPart::Seconds => ("seconds", "00 to 59 in decimal digits"),
                };
                write!(
                    f,
                    "byte {place} is {byte:02x}, but {name} are {range}: \
                     keep the last good clock times"
                )
            }
            MessageError::Text { place, byte } => {
                write!(
                    f,
                    "byte {place} is {byte:02x}, which is no character of a serial number: \
                     ask for it again"
                )
            }
        }
    }
}

impl Error for MessageError {}
