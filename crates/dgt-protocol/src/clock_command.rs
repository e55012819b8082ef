//! Messages of a computer to the clock (2b), for reading only: a broadcast never sends one
//! (protocol paper, 5). Knows their layout, not the answers.

use std::{error::Error, fmt};

/// A message to the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockCommand {
    /// 01: segments of the XL's display, in the order C B A F E D (it reads "1A:BC 1D:EF").
    Display {
        /// One byte a digit; bits 0 to 6 are top, right top, right bottom, bottom, left bottom,
        /// left top, middle.
        segments: [u8; 6],
        /// Dots, colons and leading ones: 01, 02, 04 at the right, 08, 10, 20 at the left.
        icons: u8,
        /// 03 beeps, 01 does not.
        beep: u8,
    },
    /// 02: icons of the XL: left and right symbols, left and right periods with flag, special
    /// signs, three zeros.
    Icons([u8; 8]),
    /// 03: back to the time display.
    End,
    /// 08: question for the buttons.
    Buttons,
    /// 09: question for the version.
    Version,
    /// 0a: set the times and run. Can change the times of a tournament clock.
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
    /// 0c: text on a DGT3000, eight ASCII characters; then the beep, 0 to 15.
    Text([u8; 8], u8),
    /// 0d: text on a Revelation II, eleven ASCII characters; then the beep.
    LongText([u8; 11], u8),
    /// A command that no source describes.
    Other {
        /// The command.
        command: u8,
        /// What follows, without the closing zero.
        content: Vec<u8>,
    },
}

/// A time to be set, in plain binary numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetTime {
    /// 0 to 9; 16 more counts up.
    pub hours: u8,
    /// 0 to 59.
    pub minutes: u8,
    /// 0 to 59.
    pub seconds: u8,
}

/// Why bytes are no message to the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockCommandError {
    /// The size byte does not count the bytes behind it. Some programs put the length of the whole
    /// message there.
    Size {
        /// The size byte.
        announced: u8,
        /// The bytes behind it.
        given: usize,
    },
    /// It does not begin with 2b, or lacks the 03 before the command or the zero at the end.
    Frame,
    /// The content is not as long as that of its command.
    Content {
        /// The command.
        command: u8,
        /// Its content in bytes.
        length: usize,
    },
}

impl fmt::Display for ClockCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ClockCommandError::Size { announced, given } => {
                write!(f, "the size byte is {announced}, but {given} bytes follow it: it must count these")
            }
            ClockCommandError::Frame => write!(f, "a message to the clock is 2b, size, 03, command, content, 00"),
            ClockCommandError::Content { command, length } => {
                write!(
                    f,
                    "clock command {command:02x} does not have {length} bytes of content: \
                     correct its length"
                )
            }
        }
    }
}

impl Error for ClockCommandError {}

impl ClockCommand {
    /// Reads one whole message, from the 2b to the closing zero.
    ///
    /// # Errors
    /// [`ClockCommandError`] for anything that is not exactly one message to the clock.
    pub fn decode(bytes: &[u8]) -> Result<ClockCommand, ClockCommandError> {
        let &[0x2b, announced, ref behind @ ..] = bytes else {
            return Err(ClockCommandError::Frame);
        };
        if usize::from(announced) != behind.len() {
            return Err(ClockCommandError::Size { announced, given: behind.len() });
        }
        let &[0x03, command, ref content @ .., 0x00] = behind else {
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
