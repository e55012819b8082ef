//! What a computer may send to a board. Commands that could disturb a game or damage a board cannot
//! be expressed here: clock messages (2b, 2c), the boot loader (4e), lasting changes of the scan
//! (51, 53, 54), developer keys (63) and their kin on a bus. What others send is read by
//! [`CommandReader`](crate::CommandReader).

use crate::{BusCommand, envelope::id};

/// A command that does no harm (protocol paper, 3). Every single-board command switches a board out
/// of bus mode; on a shared line it does so to all boards at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// 40: back to idle; ends every update mode.
    Reset,
    /// 41: send the clock.
    Clock,
    /// 42: send the board.
    Board,
    /// 43: send changes of fields at once and the clock at least every second.
    Update,
    /// 44: send changes of fields only.
    UpdateBoard,
    /// 45: send the serial number; the cheapest sign of life.
    Serial,
    /// 46: send the bus address.
    BusAddress,
    /// 47: send the trademark.
    Trademark,
    /// 48: send the hardware version; newer boards only.
    HardwareVersion,
    /// 49: send the event log. A full one takes 8 s at 9600 baud.
    Log,
    /// 4a: go to bus mode.
    ToBus,
    /// 4b: send changes of fields, and of the clock when it changed. The mode to use.
    UpdateNice,
    /// 4c: send the battery; boards with a battery only.
    Battery,
    /// 4d: send the firmware version; tells a board from another device.
    Version,
    /// 50: send 50 dark squares (draughts).
    DarkSquares,
    /// 52: send 50 light squares (draughts).
    LightSquares,
    /// 55: send the long serial number; Bluetooth boards and Revelation II.
    LongSerial,
    /// 56: send the I2C clock; its layout is not public.
    I2cClock,
    /// 57: as 43 with the I2C clock.
    UpdateI2c,
    /// 58: as 4b with the I2C clock.
    UpdateNiceI2c,
    /// A command to boards on a bus. A board in single-board mode only changes its mode on it: send
    /// it again.
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

    /// The single-board command with this byte; `None` for bytes that are no command or a forbidden
    /// one.
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

    /// Ids of the messages that it makes the board send: the one reply to a question, or all that
    /// an update mode sends.
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
