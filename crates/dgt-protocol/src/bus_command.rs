//! Commands to boards on a bus, each with an address and a checksum (`docs/protocol.md`, 7.2). Must not
//! know when to send them.

use crate::{
    address::Address,
    envelope::{bus_id, checksum},
};

/// A harmless command to boards on a bus. Leaving bus mode (88), restart (89), configuration (a0) and
/// messages to the clock (a1, a2) disturb games and cannot be expressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BusCommand {
    /// 81: clock.
    Clock(Address),
    /// 82: board dump.
    Board(Address),
    /// 83: changes since the last 83. Empties the board's buffer: after a damaged reply send
    /// [`RepeatChanges`](BusCommand::RepeatChanges).
    Changes(Address),
    /// 84: the last packet of changes again.
    RepeatChanges(Address),
    /// 85: write a start tag and all pieces to the log.
    StartGame(Address),
    /// 86: changes since the start tag, except those that 83 has yet to fetch.
    FromStart(Address),
    /// 87: ping. To [`Address::ALL`], each board answers at a random moment within 1100 ms.
    Ping(Address),
    /// 8a: ignore the next ping to all boards; a ping reply confirms this at once.
    IgnoreNextPing(Address),
    /// 8b: firmware version.
    Version(Address),
    /// 8c: dump of 50 squares (draughts).
    HalfBoard(Address),
    /// 8d: changes, clock and board dump, one after the other.
    Everything(Address),
    /// 91: serial number.
    Serial(Address),
    /// 92: ping with a random delay.
    PingRandomDelay(Address),
    /// 93: I2C clock.
    I2cClock(Address),
    /// 94: button of the I2C clock.
    I2cButton(Address),
    /// 95: ack of the I2C clock.
    I2cAck(Address),
    /// 96: statistics.
    Statistics(Address),
    /// 97: trademark.
    Trademark(Address),
    /// 98: battery state.
    Battery(Address),
    /// 99: last button of the I2C clock again.
    RepeatI2cButton(Address),
    /// 9a: last ack of the I2C clock again.
    RepeatI2cAck(Address),
    /// 9b: hardware version.
    HardwareVersion(Address),
}

impl BusCommand {
    /// The command byte and the address.
    fn parts(self) -> (u8, Address) {
        match self {
            BusCommand::Clock(address) => (0x81, address),
            BusCommand::Board(address) => (0x82, address),
            BusCommand::Changes(address) => (0x83, address),
            BusCommand::RepeatChanges(address) => (0x84, address),
            BusCommand::StartGame(address) => (0x85, address),
            BusCommand::FromStart(address) => (0x86, address),
            BusCommand::Ping(address) => (0x87, address),
            BusCommand::IgnoreNextPing(address) => (0x8a, address),
            BusCommand::Version(address) => (0x8b, address),
            BusCommand::HalfBoard(address) => (0x8c, address),
            BusCommand::Everything(address) => (0x8d, address),
            BusCommand::Serial(address) => (0x91, address),
            BusCommand::PingRandomDelay(address) => (0x92, address),
            BusCommand::I2cClock(address) => (0x93, address),
            BusCommand::I2cButton(address) => (0x94, address),
            BusCommand::I2cAck(address) => (0x95, address),
            BusCommand::Statistics(address) => (0x96, address),
            BusCommand::Trademark(address) => (0x97, address),
            BusCommand::Battery(address) => (0x98, address),
            BusCommand::RepeatI2cButton(address) => (0x99, address),
            BusCommand::RepeatI2cAck(address) => (0x9a, address),
            BusCommand::HardwareVersion(address) => (0x9b, address),
        }
    }

    /// The command with this byte; `None` for an unknown or forbidden one.
    pub(crate) fn from_parts(code: u8, address: Address) -> Option<BusCommand> {
        let make = match code {
            0x81 => BusCommand::Clock,
            0x82 => BusCommand::Board,
            0x83 => BusCommand::Changes,
            0x84 => BusCommand::RepeatChanges,
            0x85 => BusCommand::StartGame,
            0x86 => BusCommand::FromStart,
            0x87 => BusCommand::Ping,
            0x8a => BusCommand::IgnoreNextPing,
            0x8b => BusCommand::Version,
            0x8c => BusCommand::HalfBoard,
            0x8d => BusCommand::Everything,
            0x91 => BusCommand::Serial,
            0x92 => BusCommand::PingRandomDelay,
            0x93 => BusCommand::I2cClock,
            0x94 => BusCommand::I2cButton,
            0x95 => BusCommand::I2cAck,
            0x96 => BusCommand::Statistics,
            0x97 => BusCommand::Trademark,
            0x98 => BusCommand::Battery,
            0x99 => BusCommand::RepeatI2cButton,
            0x9a => BusCommand::RepeatI2cAck,
            0x9b => BusCommand::HardwareVersion,
            _ => return None,
        };
        Some(make(address))
    }

    /// Address of the board that the command is for.
    pub fn address(self) -> Address {
        self.parts().1
    }

    /// Ids of the replies, in the order of their arrival. Newer boards send 8b in place of every second
    /// 85.
    pub fn replies(self) -> &'static [u8] {
        match self {
            BusCommand::Clock(_) => &[bus_id::CLOCK],
            BusCommand::Board(_) => &[bus_id::BOARD],
            BusCommand::Changes(_) | BusCommand::RepeatChanges(_) => &[bus_id::CHANGES_ODD],
            BusCommand::StartGame(_) => &[bus_id::START_WRITTEN],
            BusCommand::FromStart(_) => &[bus_id::FROM_START],
            BusCommand::Ping(_) | BusCommand::IgnoreNextPing(_) | BusCommand::PingRandomDelay(_) => &[bus_id::PING],
            BusCommand::Version(_) => &[bus_id::VERSION],
            BusCommand::HalfBoard(_) => &[bus_id::HALF_BOARD],
            BusCommand::Everything(_) => &[bus_id::CHANGES_ODD, bus_id::CLOCK, bus_id::BOARD],
            BusCommand::Serial(_) => &[bus_id::SERIAL],
            BusCommand::I2cClock(_)
            | BusCommand::I2cButton(_)
            | BusCommand::I2cAck(_)
            | BusCommand::RepeatI2cButton(_)
            | BusCommand::RepeatI2cAck(_) => &[bus_id::I2C_CLOCK],
            BusCommand::Statistics(_) => &[bus_id::STATISTICS],
            BusCommand::Trademark(_) => &[bus_id::TRADEMARK],
            BusCommand::Battery(_) => &[bus_id::BATTERY],
            BusCommand::HardwareVersion(_) => &[bus_id::HARDWARE_VERSION],
        }
    }

    /// The four bytes on the wire: command, address, checksum.
    pub fn encode(self) -> [u8; 4] {
        let (code, address) = self.parts();
        let [high, low] = address.to_bytes();
        [code, high, low, checksum(&[code, high, low])]
    }
}
