//! Messages of a board in single-board mode, decoded and encoded (`docs/protocol.md`, 4). Replies in
//! bus mode are in [`BusMessage`](crate::BusMessage).

use crate::{
    address::Address,
    battery::Battery,
    clock::ClockMessage,
    envelope::{HEADER, array, id, pack, unpack},
    error::MessageError,
    field::Field,
    log::EventLog,
    mode::Mode,
    piece::{Fields, PieceCode, pieces},
    text::{Ascii, SerialNumber},
};

/// A message of a board in single-board mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// 86: board dump, the content of all 64 fields. A scan takes about 250 ms, so a moving piece may
    /// show on two fields or on none.
    BoardDump(Fields),
    /// 86 with 103 bytes: dump of a draughts board of 100 squares; see [`PieceCode`] for the codes.
    DraughtsDump([PieceCode; 100]),
    /// 94, 95: dump of half of the squares of a draughts board.
    HalfDump {
        /// The half.
        half: HalfBoard,
        /// Content of the 50 squares.
        pieces: [PieceCode; 50],
    },
    /// 8e: field update, the new content of one field. A Pegasus reports only empty or not empty.
    FieldUpdate {
        /// The field that changed.
        field: Field,
        /// Its new content.
        piece: PieceCode,
    },
    /// 8d: clock times, or an ack of the clock.
    Clock(ClockMessage),
    /// 8f: the event log in the board's EEPROM.
    Log(EventLog),
    /// 90: address on a bus, derived from the serial number.
    BusAddress(Address),
    /// 91: the serial number.
    Serial(SerialNumber),
    /// 92: maker, version and serial number in several lines of ASCII. Encoding replaces other
    /// characters by `?`.
    Trademark(String),
    /// 93: firmware version. Compare it as a pair of numbers: 3.10 is newer than 3.9.
    Version {
        /// Before the dot, 0 to 127.
        main: u8,
        /// After the dot, 0 to 127.
        sub: u8,
    },
    /// 96: hardware version.
    HardwareVersion {
        /// Before the dot, 0 to 127.
        main: u8,
        /// After the dot, 0 to 127.
        sub: u8,
    },
    /// a0: the battery.
    Battery(Battery),
    /// a2: the long serial number. On a Revelation II its first four characters are the firmware
    /// version.
    LongSerial(Ascii<10>),
    /// a3: raw data of a clock on the I2C bus. The layout is not public.
    I2cClock(Vec<u8>),
    /// a4, Pegasus: raw lock state.
    LockState(Vec<u8>),
    /// a5, Pegasus: raw reply to a developer key.
    DeveloperKey(Vec<u8>),
}

/// Half of the squares of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HalfBoard {
    /// The dark squares.
    Dark,
    /// The light squares.
    Light,
}

impl Message {
    /// Decodes one complete message, from its id to its last byte.
    ///
    /// # Errors
    /// [`MessageError`] for bytes that are not exactly one message of single-board mode.
    pub fn decode(bytes: &[u8]) -> Result<Message, MessageError> {
        let (id, data) = unpack(Mode::Single, bytes)?;
        Ok(match (id, data) {
            (id::BOARD, _) if data.len() == 64 => Message::BoardDump(pieces(data)?),
            (id::BOARD, _) => Message::DraughtsDump(pieces(data)?),
            (id::DARK_SQUARES, _) => Message::HalfDump { half: HalfBoard::Dark, pieces: pieces(data)? },
            (id::LIGHT_SQUARES, _) => Message::HalfDump { half: HalfBoard::Light, pieces: pieces(data)? },
            (id::FIELD_UPDATE, &[field, piece]) => Message::FieldUpdate {
                field: Field::new(field).ok_or(MessageError::Field { offset: HEADER, byte: field })?,
                piece: PieceCode::from_byte(piece),
            },
            (id::CLOCK, _) => Message::Clock(ClockMessage::decode(array(data)?, HEADER)?),
            (id::LOG, _) => Message::Log(EventLog::from_bytes(data)),
            (id::BUS_ADDRESS, &[high, low]) => Message::BusAddress(Address::from_bytes(high, low)),
            (id::SERIAL, _) => Message::Serial(serial(data)?),
            (id::TRADEMARK, _) => Message::Trademark(String::from_utf8_lossy(data).into_owned()),
            (id::VERSION, &[main, sub]) => Message::Version { main, sub },
            (id::HARDWARE_VERSION, &[main, sub]) => Message::HardwareVersion { main, sub },
            (id::BATTERY, _) => Message::Battery(Battery::decode(array(data)?)),
            (id::LONG_SERIAL, _) => Message::LongSerial(Ascii::decode(data, HEADER)?),
            (id::I2C_CLOCK, _) => Message::I2cClock(data.to_vec()),
            (id::LOCK_STATE, _) => Message::LockState(data.to_vec()),
            (id::DEVELOPER_KEY, _) => Message::DeveloperKey(data.to_vec()),
            _ => return Err(MessageError::UnknownId { id }),
        })
    }

    /// The bytes on the wire. Text and raw data are cut at the longest message; bit 7 of their bytes
    /// is cleared.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Message::BoardDump(fields) => pack(id::BOARD, &fields.map(PieceCode::to_byte)),
            Message::DraughtsDump(squares) => pack(id::BOARD, &squares.map(PieceCode::to_byte)),
            Message::HalfDump { half, pieces } => {
                let id = match half {
                    HalfBoard::Dark => id::DARK_SQUARES,
                    HalfBoard::Light => id::LIGHT_SQUARES,
                };
                pack(id, &pieces.map(PieceCode::to_byte))
            }
            Message::FieldUpdate { field, piece } => pack(id::FIELD_UPDATE, &[field.number(), piece.to_byte()]),
            Message::Clock(clock) => pack(id::CLOCK, &clock.encode()),
            Message::Log(log) => pack(id::LOG, log.as_bytes()),
            Message::BusAddress(address) => pack(id::BUS_ADDRESS, &address.to_bytes()),
            Message::Serial(serial) => {
                let mut data = serial.number.as_bytes().to_vec();
                if let Some(version) = &serial.eeprom_version {
                    data.push(b' ');
                    data.extend_from_slice(version.as_bytes());
                }
                pack(id::SERIAL, &data)
            }
            Message::Trademark(text) => {
                let ascii = text.replace(|char: char| !char.is_ascii(), "?");
                pack(id::TRADEMARK, ascii.as_bytes())
            }
            Message::Version { main, sub } => pack(id::VERSION, &[*main, *sub]),
            Message::HardwareVersion { main, sub } => pack(id::HARDWARE_VERSION, &[*main, *sub]),
            Message::Battery(battery) => pack(id::BATTERY, &battery.encode()),
            Message::LongSerial(serial) => pack(id::LONG_SERIAL, serial.as_bytes()),
            Message::I2cClock(data) => pack(id::I2C_CLOCK, data),
            Message::LockState(data) => pack(id::LOCK_STATE, data),
            Message::DeveloperKey(data) => pack(id::DEVELOPER_KEY, data),
        }
    }
}

fn serial(data: &[u8]) -> Result<SerialNumber, MessageError> {
    // Five characters; boards of 1998 add a space and the version of the EEPROM.
    let (number, rest) = data.split_at_checked(5).ok_or(MessageError::Incomplete { length: data.len() })?;
    let eeprom_version = match rest {
        [_, version @ ..] => Some(Ascii::decode(version, HEADER + 6)?),
        [] => None,
    };
    Ok(SerialNumber { number: Ascii::decode(number, HEADER)?, eeprom_version })
}
