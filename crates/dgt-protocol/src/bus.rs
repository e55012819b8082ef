//! Replies of boards in bus mode, where several share one line and each has an address (protocol
//! paper, 7.3). Knows their layout; questions are in [`BusCommand`](crate::BusCommand).

use crate::{
    ClockMessage, EventLog, Fields, MessageError, PieceCode,
    envelope::{HEADER, bus_id, close_bus, open_bus},
    message::{array, pieces},
};

/// The address of a board on a bus, 14 bits. 0 speaks to all boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(u16);

impl Address {
    /// Every board on the line.
    pub const ALL: Address = Address(0);

    /// The address with this number, 0 to 16383. Boards have their serial number as address, as far
    /// as it fits.
    pub const fn new(number: u16) -> Option<Address> {
        if number < 1 << 14 { Some(Address(number)) } else { None }
    }

    /// The number, 0 to 16383.
    pub const fn number(self) -> u16 {
        self.0
    }

    pub(crate) fn from_bytes(high: u8, low: u8) -> Address {
        Address(u16::from(high & 0x7f) << 7 | u16::from(low & 0x7f))
    }

    pub(crate) fn to_bytes(self) -> [u8; 2] {
        [(self.0 >> 7) as u8, (self.0 & 0x7f) as u8]
    }
}

/// What a board on a bus replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusMessage {
    /// 83: what stands on all fields.
    Board {
        /// Sender.
        address: Address,
        /// The content of the board.
        fields: Fields,
    },
    /// 84: the clock, up to one second old.
    Clock {
        /// Sender.
        address: Address,
        /// As in single-board mode.
        clock: ClockMessage,
    },
    /// 85, 8b: what changed since the last question.
    Changes {
        /// Sender.
        address: Address,
        /// Alternates on newer boards.
        parity: ChangesParity,
        /// The changes.
        log: EventLog,
    },
    /// 86: everything since the start tag.
    FromStart {
        /// Sender.
        address: Address,
        /// The events.
        log: EventLog,
    },
    /// 87: here I am.
    Ping {
        /// Sender.
        address: Address,
    },
    /// 88: the start tag is written.
    StartWritten {
        /// Sender.
        address: Address,
    },
    /// 89: firmware version as main and sub; `None` up to version 1.2, whose reply carries none.
    Version {
        /// Sender.
        address: Address,
        /// Main and sub version, 0 to 127 each.
        version: Option<(u8, u8)>,
    },
    /// 8a: half of the squares of a 100-square board.
    HalfBoard {
        /// Sender.
        address: Address,
        /// Their content.
        pieces: [PieceCode; 50],
    },
    /// 8c: hardware version.
    HardwareVersion {
        /// Sender.
        address: Address,
        /// Before the dot, 0 to 127.
        main: u8,
        /// After the dot, 0 to 127.
        sub: u8,
    },
    /// b0 to b5: replies of newer boards whose layout is not public.
    Raw {
        /// Sender.
        address: Address,
        /// What it answers.
        reply: RawReply,
        /// The content, seven bits a byte.
        data: Vec<u8>,
    },
}

/// Which of the two ids a packet of changes has. Newer boards alternate, so that a lost or repeated
/// packet shows (inference of the protocol paper, 7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangesParity {
    /// 85, and the only id of older boards.
    Odd,
    /// 8b.
    Even,
}

/// A reply of which only the id is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RawReply {
    /// b0: serial number.
    Serial,
    /// b1: I2C clock, its button or its ack.
    I2cClock,
    /// b2: statistics.
    Statistics,
    /// b3: configuration.
    Configuration,
    /// b4: trademark.
    Trademark,
    /// b5: battery.
    Battery,
}

impl BusMessage {
    /// Reads one whole reply, from its id to its checksum.
    ///
    /// # Errors
    /// [`MessageError::Checksum`] for a wrong checksum; [`MessageError`], with the place, for
    /// anything else that is not exactly one reply.
    pub fn decode(bytes: &[u8]) -> Result<BusMessage, MessageError> {
        let (id, address, data) = open_bus(bytes)?;
        let raw = |reply| BusMessage::Raw { address, reply, data: data.to_vec() };
        let changes = |parity| BusMessage::Changes { address, parity, log: EventLog::from_bytes(data) };
        Ok(match (id, data) {
            (bus_id::BOARD, _) => BusMessage::Board { address, fields: pieces(data)? },
            (bus_id::CLOCK, _) => BusMessage::Clock { address, clock: ClockMessage::decode(array(data)?, HEADER + 2)? },
            (bus_id::CHANGES_ODD, _) => changes(ChangesParity::Odd),
            (bus_id::CHANGES_EVEN, _) => changes(ChangesParity::Even),
            (bus_id::FROM_START, _) => BusMessage::FromStart { address, log: EventLog::from_bytes(data) },
            (bus_id::PING, _) => BusMessage::Ping { address },
            (bus_id::START_WRITTEN, _) => BusMessage::StartWritten { address },
            (bus_id::VERSION, &[main, sub]) => BusMessage::Version { address, version: Some((main, sub)) },
            (bus_id::VERSION, _) => BusMessage::Version { address, version: None },
            (bus_id::HALF_BOARD, _) => BusMessage::HalfBoard { address, pieces: pieces(data)? },
            (bus_id::HARDWARE_VERSION, &[main, sub]) => BusMessage::HardwareVersion { address, main, sub },
            (bus_id::SERIAL, _) => raw(RawReply::Serial),
            (bus_id::I2C_CLOCK, _) => raw(RawReply::I2cClock),
            (bus_id::STATISTICS, _) => raw(RawReply::Statistics),
            (bus_id::CONFIGURATION, _) => raw(RawReply::Configuration),
            (bus_id::TRADEMARK, _) => raw(RawReply::Trademark),
            (bus_id::BATTERY, _) => raw(RawReply::Battery),
            _ => return Err(MessageError::UnknownId { id }),
        })
    }

    /// The bytes on the wire. Raw data is cut at the longest message, and its bit 7 is cleared.
    pub fn encode(&self) -> Vec<u8> {
        let address = self.address();
        match self {
            BusMessage::Board { fields, .. } => close_bus(bus_id::BOARD, address, &fields.map(PieceCode::to_byte)),
            BusMessage::Clock { clock, .. } => close_bus(bus_id::CLOCK, address, &clock.encode()),
            BusMessage::Changes { parity, log, .. } => {
                let id = match parity {
                    ChangesParity::Odd => bus_id::CHANGES_ODD,
                    ChangesParity::Even => bus_id::CHANGES_EVEN,
                };
                close_bus(id, address, log.as_bytes())
            }
            BusMessage::FromStart { log, .. } => close_bus(bus_id::FROM_START, address, log.as_bytes()),
            BusMessage::Ping { .. } => close_bus(bus_id::PING, address, &[]),
            BusMessage::StartWritten { .. } => close_bus(bus_id::START_WRITTEN, address, &[]),
            BusMessage::Version { version: Some((main, sub)), .. } => {
                close_bus(bus_id::VERSION, address, &[*main, *sub])
            }
            BusMessage::Version { version: None, .. } => close_bus(bus_id::VERSION, address, &[]),
            BusMessage::HalfBoard { pieces, .. } => {
                close_bus(bus_id::HALF_BOARD, address, &pieces.map(PieceCode::to_byte))
            }
            BusMessage::HardwareVersion { main, sub, .. } => {
                close_bus(bus_id::HARDWARE_VERSION, address, &[*main, *sub])
            }
            BusMessage::Raw { reply, data, .. } => {
                let id = match reply {
                    RawReply::Serial => bus_id::SERIAL,
                    RawReply::I2cClock => bus_id::I2C_CLOCK,
                    RawReply::Statistics => bus_id::STATISTICS,
                    RawReply::Configuration => bus_id::CONFIGURATION,
                    RawReply::Trademark => bus_id::TRADEMARK,
                    RawReply::Battery => bus_id::BATTERY,
                };
                close_bus(id, address, data)
            }
        }
    }

    /// Who sent it.
    pub fn address(&self) -> Address {
        match self {
            BusMessage::Board { address, .. }
            | BusMessage::Clock { address, .. }
            | BusMessage::Changes { address, .. }
            | BusMessage::FromStart { address, .. }
            | BusMessage::Ping { address }
            | BusMessage::StartWritten { address }
            | BusMessage::Version { address, .. }
            | BusMessage::HalfBoard { address, .. }
            | BusMessage::HardwareVersion { address, .. }
            | BusMessage::Raw { address, .. } => *address,
        }
    }
}
