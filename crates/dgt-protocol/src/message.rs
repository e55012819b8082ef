//! The messages of a single board, both ways (protocol paper, 4). Knows the layout of each id; bus
//! replies are in [`bus`](crate::BusMessage).

use crate::{
    Address, Ascii, Battery, ClockMessage, EventLog, Field, Fields, MessageError, Mode, PieceCode, SerialNumber,
    envelope::{HEADER, close, id, open},
};

/// What a board says in single-board mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// 86: what stands on all 64 fields. A scan takes about 250 ms, so a piece on its way may be on
    /// two fields or none.
    BoardDump(Fields),
    /// 86 with 103 bytes: a draughts board of 100 squares; for its codes see [`PieceCode`].
    DraughtsDump([PieceCode; 100]),
    /// 94, 95: half of the squares of a 100-square board.
    HalfDump {
        /// Which half.
        half: HalfBoard,
        /// Their content.
        pieces: [PieceCode; 50],
    },
    /// 8e: the content of one field has changed. On a Pegasus only `Empty` or not counts.
    FieldUpdate {
        /// Where.
        field: Field,
        /// What stands there now.
        piece: PieceCode,
    },
    /// 8d: the clock.
    Clock(ClockMessage),
    /// 8f: the event log in the board's EEPROM.
    Log(EventLog),
    /// 90: the address on a bus, made from the serial number.
    BusAddress(Address),
    /// 91: the serial number.
    Serial(SerialNumber),
    /// 92: maker, version and serial number in several lines. Only ASCII can be sent: encoding puts
    /// `?` for the rest.
    Trademark(String),
    /// 93: firmware version. Compare as a pair of numbers: 3.10 is newer than 3.9.
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
    /// a3: raw data of a clock on the I2C bus; the layout is not public.
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
    /// Reads one whole message, from its id to its last byte.
    ///
    /// # Errors
    /// [`MessageError`], with the place, for anything that is not exactly one message of
    /// single-board mode.
    pub fn decode(bytes: &[u8]) -> Result<Message, MessageError> {
        let (id, data) = open(Mode::Single, bytes)?;
        Ok(match (id, data) {
            (id::BOARD, _) if data.len() == 64 => Message::BoardDump(pieces(data)?),
            (id::BOARD, _) => Message::DraughtsDump(pieces(data)?),
            (id::DARK_SQUARES, _) => Message::HalfDump { half: HalfBoard::Dark, pieces: pieces(data)? },
            (id::LIGHT_SQUARES, _) => Message::HalfDump { half: HalfBoard::Light, pieces: pieces(data)? },
            (id::FIELD_UPDATE, &[field, piece]) => Message::FieldUpdate {
                field: Field::new(field).ok_or(MessageError::Field { place: HEADER, byte: field })?,
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

    /// The bytes on the wire. Text and raw data are cut at the longest message, and their bit 7 is
    /// cleared.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Message::BoardDump(fields) => close(id::BOARD, &fields.map(PieceCode::to_byte)),
            Message::DraughtsDump(squares) => close(id::BOARD, &squares.map(PieceCode::to_byte)),
            Message::HalfDump { half, pieces } => {
                let id = match half {
                    HalfBoard::Dark => id::DARK_SQUARES,
                    HalfBoard::Light => id::LIGHT_SQUARES,
                };
                close(id, &pieces.map(PieceCode::to_byte))
            }
            Message::FieldUpdate { field, piece } => close(id::FIELD_UPDATE, &[field.number(), piece.to_byte()]),
            Message::Clock(clock) => close(id::CLOCK, &clock.encode()),
            Message::Log(log) => close(id::LOG, log.as_bytes()),
            Message::BusAddress(address) => close(id::BUS_ADDRESS, &address.to_bytes()),
            Message::Serial(serial) => {
                let mut data = serial.number.as_bytes().to_vec();
                if let Some(version) = &serial.eeprom_version {
                    data.push(b' ');
                    data.extend_from_slice(version.as_bytes());
                }
                close(id::SERIAL, &data)
            }
            Message::Trademark(text) => {
                let ascii = text.replace(|char: char| !char.is_ascii(), "?");
                close(id::TRADEMARK, ascii.as_bytes())
            }
            Message::Version { main, sub } => close(id::VERSION, &[*main, *sub]),
            Message::HardwareVersion { main, sub } => close(id::HARDWARE_VERSION, &[*main, *sub]),
            Message::Battery(battery) => close(id::BATTERY, &battery.encode()),
            Message::LongSerial(serial) => close(id::LONG_SERIAL, serial.as_bytes()),
            Message::I2cClock(data) => close(id::I2C_CLOCK, data),
            Message::LockState(data) => close(id::LOCK_STATE, data),
            Message::DeveloperKey(data) => close(id::DEVELOPER_KEY, data),
        }
    }
}

/// The content as an array; its length was checked with the id.
pub(crate) fn array<const N: usize>(data: &[u8]) -> Result<[u8; N], MessageError> {
    data.try_into().map_err(|_| MessageError::Incomplete { length: data.len() })
}

/// The content as piece codes.
pub(crate) fn pieces<const N: usize>(data: &[u8]) -> Result<[PieceCode; N], MessageError> {
    array(data).map(|bytes| bytes.map(PieceCode::from_byte))
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
