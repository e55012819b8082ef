//! LED commands (60) for a Revelation II and a Pegasus, decoded only (`docs/protocol.md`, 8). Ordinary
//! boards ignore them.

use crate::field::Field;

/// A command for the LEDs of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LedCommand {
    /// Revelation II: LEDs of two fields on or off.
    Squares {
        /// True: on.
        on: bool,
        /// First field, in the board's numbering, which a Revelation II may turn by itself.
        from: Field,
        /// Second field.
        to: Field,
    },
    /// Revelation II: all LEDs off.
    AllOff,
    /// Revelation II above firmware 3.21: whether a LED goes off when the piece on its field changes.
    OffOnChange(bool),
    /// Revelation II above firmware 3.21: whether the board turns its numbering by itself.
    AutomaticTurn(bool),
    /// Pegasus: LEDs of some fields on.
    Pegasus {
        /// Speed of blinking.
        speed: u8,
        /// Number of repetitions.
        repeat: u8,
        /// Brightness.
        brightness: u8,
        /// The fields.
        fields: Vec<Field>,
    },
    /// Pegasus: all LEDs off.
    PegasusOff,
    /// Any other command: the bytes after the size byte. Boards ignore it.
    Other(Vec<u8>),
}

impl LedCommand {
    /// Decodes the bytes after the size byte.
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
