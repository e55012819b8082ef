//! LED commands (60) of a Revelation II and a Pegasus, for reading only (protocol paper, 8).
//! Ordinary boards ignore them.

use crate::Field;

/// A command for the LEDs of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LedCommand {
    /// Revelation II: light on or off at two fields.
    Squares {
        /// On.
        on: bool,
        /// First field, in the board's numbering; a Revelation II turns it by itself.
        from: Field,
        /// Second field.
        to: Field,
    },
    /// Revelation II: all off.
    AllOff,
    /// Revelation II above firmware 3.21: does a LED go off when the piece on its field changes?
    OffOnChange(bool),
    /// Revelation II above firmware 3.21: does the board turn its numbering by itself?
    AutomaticTurn(bool),
    /// Pegasus: lights at some fields.
    Pegasus {
        /// Speed of blinking.
        speed: u8,
        /// How often.
        repeat: u8,
        /// Brightness.
        brightness: u8,
        /// Where.
        fields: Vec<Field>,
    },
    /// Pegasus: all off.
    PegasusOff,
    /// Anything else: the bytes behind the size byte. Boards ignore it.
    Other(Vec<u8>),
}

impl LedCommand {
    /// Reads the bytes behind the size byte.
    pub(crate) fn decode(content: &[u8]) -> LedCommand {
        LedCommand::known(content).unwrap_or_else(|| LedCommand::Other(content.to_vec()))
    }

    fn known(content: &[u8]) -> Option<LedCommand> {
        Some(match *content {
            [0x00, 0x40, _, 0x00] => LedCommand::AllOff,
            [pattern @ (0x00 | 0x01), from, to, 0x00] => {
                LedCommand::Squares { on: pattern == 0x01, from: Field::new(from)?, to: Field::new(to)? }
            }
            [0x02, 0x01, enabled @ (0x00 | 0x01), 0x00] => LedCommand::OffOnChange(enabled == 0x01),
            [0x02, 0x02, enabled @ (0x00 | 0x01), 0x00] => LedCommand::AutomaticTurn(enabled == 0x01),
            [0x00, 0x00] => LedCommand::PegasusOff,
            [0x05, speed, repeat, brightness, ref fields @ .., 0x00] => LedCommand::Pegasus {
                speed,
                repeat,
                brightness,
                fields: fields.iter().map(|field| Field::new(*field)).collect::<Option<_>>()?,
            },
            _ => return None,
        })
    }
}
