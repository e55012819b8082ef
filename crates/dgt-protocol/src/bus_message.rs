//! Replies of boards on a bus, where several boards share one line and each has an address
//! (`docs/protocol.md`, 7.3). The requests are in [`BusCommand`](crate::BusCommand).

use crate::{
    address::Address,
    clock::ClockMessage,
    envelope::{HEADER, array, bus_id, pack_bus, unpack_bus},
    error::MessageError,
    log::EventLog,
    piece::{Fields, PieceCode, pieces},
};

/// A reply of a board on a bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusMessage {
    /// 83: board dump, the content of all 64 fields.
    Board {
        /// Sender.
        address: Address,
        /// Content of each field.
        fields: Fields,
    },
    /// 84: the clock, up to one second old.
    Clock {
        /// Sender.
        address: Address,
        /// The same content as in single-board mode.
        clock: ClockMessage,
    },
    /// 85, 8b: changes since the last request for them.
    Changes {
        /// Sender.
        address: Address,
        /// Id of the packet; newer boards alternate it.
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
    /// 87: reply to a ping.
    Ping {
        /// Sender.
        address: Address,
    },
    /// 88: the start tag is written.
    StartWritten {
        /// Sender.
        address: Address,
    },
    /// 89: firmware version. Boards up to version 1.2 send a reply without it: `None`.
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
        /// Content of the 50 squares.
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
        /// The request that it answers.
        reply: RawReply,
        /// The content; each byte has seven bits.
        data: Vec<u8>,
    },
}

/// Id of a packet of changes. Newer boards alternate between the two ids, so that a lost or repeated
/// packet shows (inferred; `docs/protocol.md`, 7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangesParity {
    /// 85, and the only id of older boards.
    Odd,
    /// 8b.
    Even,
}

/// A reply whose layout is not public; only its id is known.
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
    /// Decodes one complete reply, from its id to its checksum.
    ///
    /// # Errors
    /// [`MessageError::Checksum`] for a wrong checksum; another [`MessageError`] for bytes that are
    /// not exactly one reply.
    pub fn decode(bytes: &[u8]) -> Result<BusMessage, MessageError> {
        let (id, address, data) = unpack_bus(bytes)?;
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

    /// The bytes on the wire. Raw data is cut at the longest message; bit 7 of its bytes is cleared.
    pub fn encode(&self) -> Vec<u8> {
        let address = self.address();
        match self {
            BusMessage::Board { fields, .. } => pack_bus(bus_id::BOARD, address, &fields.map(PieceCode::to_byte)),
            BusMessage::Clock { clock, .. } => pack_bus(bus_id::CLOCK, address, &clock.encode()),
            BusMessage::Changes { parity, log, .. } => {
                let id = match parity {
                    ChangesParity::Odd => bus_id::CHANGES_ODD,
                    ChangesParity::Even => bus_id::CHANGES_EVEN,
                };
                pack_bus(id, address, log.as_bytes())
            }
            BusMessage::FromStart { log, .. } => pack_bus(bus_id::FROM_START, address, log.as_bytes()),
            BusMessage::Ping { .. } => pack_bus(bus_id::PING, address, &[]),
            BusMessage::StartWritten { .. } => pack_bus(bus_id::START_WRITTEN, address, &[]),
            BusMessage::Version { version: Some((main, sub)), .. } => {
                pack_bus(bus_id::VERSION, address, &[*main, *sub])
            }
            BusMessage::Version { version: None, .. } => pack_bus(bus_id::VERSION, address, &[]),
            BusMessage::HalfBoard { pieces, .. } => {
                pack_bus(bus_id::HALF_BOARD, address, &pieces.map(PieceCode::to_byte))
            }
            BusMessage::HardwareVersion { main, sub, .. } => {
                pack_bus(bus_id::HARDWARE_VERSION, address, &[*main, *sub])
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
                pack_bus(id, address, data)
            }
        }
    }

    /// Address of the sender.
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
