//! The commands that may be sent to a board. [`Command`] cannot express commands that disturb a game or
//! damage a board: messages to the clock (2b, 2c), the boot loader (4e), permanent changes of the scan
//! (51, 53, 54), LEDs (60), developer keys (63), and 88, 89, a0 to a2 on a bus.
//! [`CommandReader`](crate::CommandReader) decodes those as well.

use crate::{bus_command::BusCommand, envelope::id};

/// A harmless command (`docs/protocol.md`, 3). A single-board command takes every board on the line out
/// of bus mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// 40: reset; ends every update mode.
    Reset,
    /// 41: clock.
    Clock,
    /// 42: board dump.
    Board,
    /// 43: update mode; field updates at once, the clock at least every second.
    Update,
    /// 44: update mode without the clock.
    UpdateBoard,
    /// 45: serial number; the cheapest test whether the board is alive.
    Serial,
    /// 46: bus address.
    BusAddress,
    /// 47: trademark.
    Trademark,
    /// 48: hardware version; newer boards only.
    HardwareVersion,
    /// 49: event log. A full one takes 8 s at 9600 baud.
    Log,
    /// 4a: switch to bus mode.
    ToBus,
    /// 4b: update mode with the clock only when it changed. The mode to use.
    UpdateNice,
    /// 4c: battery state; boards with a battery only.
    Battery,
    /// 4d: firmware version; distinguishes a board from another device.
    Version,
    /// 50: dump of the 50 dark squares (draughts).
    DarkSquares,
    /// 52: dump of the 50 light squares (draughts).
    LightSquares,
    /// 55: long serial number; Bluetooth boards and Revelation II.
    LongSerial,
    /// 56: I2C clock; its layout is not public.
    I2cClock,
    /// 57: as 43 with the I2C clock.
    UpdateI2c,
    /// 58: as 4b with the I2C clock.
    UpdateNiceI2c,
    /// A command to boards on a bus. A board in single-board mode changes to bus mode without carrying
    /// it out: send it again.
    Bus(BusCommand),
}

impl Command {
    /// The bytes on the wire.
    pub fn encode(self) -> Vec<u8> {
        let byte = match self {
            Command::Reset => 0x40,
            Command::Clock => 0x41,
            Command::Board => 0x42,
            Command::Update => 0x43,
            Command::UpdateBoard => 0x44,
            Command::Serial => 0x45,
            Command::BusAddress => 0x46,
            Command::Trademark => 0x47,
            Command::HardwareVersion => 0x48,
            Command::Log => 0x49,
            Command::ToBus => 0x4a,
            Command::UpdateNice => 0x4b,
            Command::Battery => 0x4c,
            Command::Version => 0x4d,
            Command::DarkSquares => 0x50,
            Command::LightSquares => 0x52,
            Command::LongSerial => 0x55,
            Command::I2cClock => 0x56,
            Command::UpdateI2c => 0x57,
            Command::UpdateNiceI2c => 0x58,
            Command::Bus(command) => return command.encode().to_vec(),
        };
        vec![byte]
    }

    /// The single-board command with this byte; `None` for an unknown or forbidden one.
    pub(crate) fn from_byte(byte: u8) -> Option<Command> {
        Some(match byte {
            0x40 => Command::Reset,
            0x41 => Command::Clock,
            0x42 => Command::Board,
            0x43 => Command::Update,
            0x44 => Command::UpdateBoard,
            0x45 => Command::Serial,
            0x46 => Command::BusAddress,
            0x47 => Command::Trademark,
            0x48 => Command::HardwareVersion,
            0x49 => Command::Log,
            0x4a => Command::ToBus,
            0x4b => Command::UpdateNice,
            0x4c => Command::Battery,
            0x4d => Command::Version,
            0x50 => Command::DarkSquares,
            0x52 => Command::LightSquares,
            0x55 => Command::LongSerial,
            0x56 => Command::I2cClock,
            0x57 => Command::UpdateI2c,
            0x58 => Command::UpdateNiceI2c,
            _ => return None,
        })
    }

    /// Ids of the messages that the command causes: the reply to a request, or the messages of an
    /// update mode.
    pub fn replies(self) -> &'static [u8] {
        match self {
            Command::Reset | Command::ToBus => &[],
            Command::Clock => &[id::CLOCK],
            Command::Board => &[id::BOARD],
            Command::Update | Command::UpdateNice => &[id::FIELD_UPDATE, id::CLOCK],
            Command::UpdateBoard => &[id::FIELD_UPDATE],
            Command::Serial => &[id::SERIAL],
            Command::BusAddress => &[id::BUS_ADDRESS],
            Command::Trademark => &[id::TRADEMARK],
            Command::HardwareVersion => &[id::HARDWARE_VERSION],
            Command::Log => &[id::LOG],
            Command::Battery => &[id::BATTERY],
            Command::Version => &[id::VERSION],
            Command::DarkSquares => &[id::DARK_SQUARES],
            Command::LightSquares => &[id::LIGHT_SQUARES],
            Command::LongSerial => &[id::LONG_SERIAL],
            Command::I2cClock => &[id::I2C_CLOCK],
            Command::UpdateI2c | Command::UpdateNiceI2c => &[id::FIELD_UPDATE, id::I2C_CLOCK],
            Command::Bus(command) => command.replies(),
        }
    }
}
