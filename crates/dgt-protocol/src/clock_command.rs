//! Messages of a computer to the clock (2b), decoded only (`docs/protocol.md`, 5). They can change the
//! times of a game, so this crate cannot send them.

use std::{error::Error, fmt};

/// A message to the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockCommand {
    /// 01: segments of the XL's display, in the order C B A F E D (it reads "1A:BC 1D:EF").
    Display {
        /// One byte for each digit; bits 0 to 6 are top, right top, right bottom, bottom, left
        /// bottom, left top, middle.
        segments: [u8; 6],
        /// Dot, colon and leading 1: 01, 02, 04 at the right, 08, 10, 20 at the left.
        icons: u8,
        /// 03 beeps, 01 does not.
        beep: u8,
    },
    /// 02: icons of the XL: left and right symbols, left and right periods with flag, special
    /// signs, three zeros.
    Icons([u8; 8]),
    /// 03: show the times again.
    End,
    /// 08: request for the buttons.
    Buttons,
    /// 09: request for the version.
    Version,
    /// 0a: set the times and run. Changes the times of a tournament clock.
    SetAndRun {
        /// Left time.
        left: SetTime,
        /// Right time.
        right: SetTime,
        /// 01 left runs, 02 right runs, 04 pause, 08 toggle at the lever.
        control: u8,
    },
    /// 0b: beep, in units of 64 ms.
    Beep(u8),
    /// 0c: text on a DGT3000, eight ASCII characters, and the beep, 0 to 15.
    Text([u8; 8], u8),
    /// 0d: text on a Revelation II, eleven ASCII characters, and the beep.
    LongText([u8; 11], u8),
    /// A command that no source describes.
    Other {
        /// The command.
        command: u8,
        /// The bytes after it, without the closing zero.
        content: Vec<u8>,
    },
}

/// A time to set, in plain binary numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetTime {
    /// 0 to 9; 16 is added when the clock counts up.
    pub hours: u8,
    /// 0 to 59.
    pub minutes: u8,
    /// 0 to 59.
    pub seconds: u8,
}

/// Reason why bytes are not a message to the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockCommandError {
    /// The size byte is not the number of bytes after it. Some programs put the length of the whole
    /// message there.
    Size {
        /// The size byte.
        announced: u8,
        /// Number of bytes after it.
        given: usize,
    },
    /// The first byte is not 2b, or the 03 before the command or the closing zero is missing.
    Frame,
    /// The length of the content is not that of the command.
    Content {
        /// The command.
        command: u8,
        /// Length of the content, in bytes.
        length: usize,
    },
}

impl fmt::Display for ClockCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ClockCommandError::Size { announced, given } => {
                write!(f, "the size byte is {announced}, but {given} bytes follow it: set it to {given}")
            }
            ClockCommandError::Frame => write!(f, "a message to the clock is 2b, size, 03, command, content, 00"),
            ClockCommandError::Content { command, length } => {
                write!(
                    f,
                    "clock command {command:02x} has {length} bytes of content, which is not its length: \
                     correct the content"
                )
            }
        }
    }
}

impl Error for ClockCommandError {}

impl ClockCommand {
    /// Decodes one complete message, from the 2b to the closing zero.
    ///
    /// # Errors
    /// [`ClockCommandError`] for bytes that are not exactly one message to the clock.
    pub fn decode(bytes: &[u8]) -> Result<ClockCommand, ClockCommandError> {
        let &[0x2b, announced, ref rest @ ..] = bytes else {
            return Err(ClockCommandError::Frame);
        };
        if usize::from(announced) != rest.len() {
            return Err(ClockCommandError::Size { announced, given: rest.len() });
        }
        let &[0x03, command, ref content @ .., 0x00] = rest else {
            return Err(ClockCommandError::Frame);
        };
        Ok(match (command, content) {
            (0x01, &[ref segments @ .., icons, beep]) if let Ok(segments) = segments.try_into() => {
                ClockCommand::Display { segments, icons, beep }
            }
            (0x02, _) if let Ok(icons) = content.try_into() => ClockCommand::Icons(icons),
            (0x03, []) => ClockCommand::End,
            (0x08, []) => ClockCommand::Buttons,
            (0x09, []) => ClockCommand::Version,
            (0x0a, &[lh, lm, ls, rh, rm, rs, control]) => ClockCommand::SetAndRun {
                left: SetTime { hours: lh, minutes: lm, seconds: ls },
                right: SetTime { hours: rh, minutes: rm, seconds: rs },
                control,
            },
            (0x0b, &[duration]) => ClockCommand::Beep(duration),
            (0x0c, [text @ .., beep]) if let Ok(text) = text.try_into() => ClockCommand::Text(text, *beep),
            (0x0d, [text @ .., beep]) if let Ok(text) = text.try_into() => ClockCommand::LongText(text, *beep),
            (0x01..=0x03 | 0x08..=0x0d, _) => {
                return Err(ClockCommandError::Content { command, length: content.len() });
            }
            _ => ClockCommand::Other { command, content: content.to_vec() },
        })
    }
}
