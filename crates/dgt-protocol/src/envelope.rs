//! The bytes around the content of every message of a board: id, length and, on a bus, address and
//! checksum (`docs/protocol.md`, 2 and 7.3). Knows which ids exist and their lengths, not contents.

use crate::{address::Address, error::MessageError, mode::Mode};

/// Ids of single-board mode.
pub(crate) mod id {
    pub(crate) const BOARD: u8 = 0x86;
    pub(crate) const CLOCK: u8 = 0x8d;
    pub(crate) const FIELD_UPDATE: u8 = 0x8e;
    pub(crate) const LOG: u8 = 0x8f;
    pub(crate) const BUS_ADDRESS: u8 = 0x90;
    pub(crate) const SERIAL: u8 = 0x91;
    pub(crate) const TRADEMARK: u8 = 0x92;
    pub(crate) const VERSION: u8 = 0x93;
    pub(crate) const DARK_SQUARES: u8 = 0x94;
    pub(crate) const LIGHT_SQUARES: u8 = 0x95;
    pub(crate) const HARDWARE_VERSION: u8 = 0x96;
    pub(crate) const BATTERY: u8 = 0xa0;
    pub(crate) const LONG_SERIAL: u8 = 0xa2;
    pub(crate) const I2C_CLOCK: u8 = 0xa3;
    pub(crate) const LOCK_STATE: u8 = 0xa4;
    pub(crate) const DEVELOPER_KEY: u8 = 0xa5;
}

/// Ids of bus mode.
pub(crate) mod bus_id {
    pub(crate) const BOARD: u8 = 0x83;
    pub(crate) const CLOCK: u8 = 0x84;
    pub(crate) const CHANGES_ODD: u8 = 0x85;
    pub(crate) const FROM_START: u8 = 0x86;
    pub(crate) const PING: u8 = 0x87;
    pub(crate) const START_WRITTEN: u8 = 0x88;
    pub(crate) const VERSION: u8 = 0x89;
    pub(crate) const HALF_BOARD: u8 = 0x8a;
    pub(crate) const CHANGES_EVEN: u8 = 0x8b;
    pub(crate) const HARDWARE_VERSION: u8 = 0x8c;
    pub(crate) const SERIAL: u8 = 0xb0;
    pub(crate) const I2C_CLOCK: u8 = 0xb1;
    pub(crate) const STATISTICS: u8 = 0xb2;
    pub(crate) const CONFIGURATION: u8 = 0xb3;
    pub(crate) const TRADEMARK: u8 = 0xb4;
    pub(crate) const BATTERY: u8 = 0xb5;
}

/// Bytes before the content in single-board mode: the id and two length bytes.
pub(crate) const HEADER: usize = 3;
/// Bytes around the content of a bus reply: header, address and checksum.
const BUS_OVERHEAD: usize = HEADER + 3;
/// Largest content of any message, in bytes: the full event log (`docs/protocol.md`, 6).
const LARGEST_CONTENT: usize = 0x1f00;

impl Mode {
    /// Length of the longest message of this mode, in bytes: a full event log. The buffer of a
    /// [`FrameReader`](crate::FrameReader) never exceeds it.
    pub const fn longest_message(self) -> usize {
        match self {
            Mode::Single => HEADER + LARGEST_CONTENT,
            Mode::Bus => BUS_OVERHEAD + LARGEST_CONTENT,
        }
    }
}

/// Whether this length is valid for this id; `None` for an unknown id.
fn is_valid_length(mode: Mode, id: u8, length: usize) -> Option<bool> {
    let longest = mode.longest_message();
    Some(match mode {
        Mode::Single => match id {
            id::BOARD => length == 67 || length == 103,
            id::CLOCK => length == 10,
            id::FIELD_UPDATE | id::BUS_ADDRESS | id::VERSION | id::HARDWARE_VERSION => length == 5,
            id::SERIAL => length == 8 || length == 12,
            id::DARK_SQUARES | id::LIGHT_SQUARES => length == 53,
            id::BATTERY => length == 12,
            id::LONG_SERIAL => length == 13,
            id::LOG | id::TRADEMARK | id::I2C_CLOCK | id::LOCK_STATE | id::DEVELOPER_KEY => {
                (HEADER..=longest).contains(&length)
            }
            _ => return None,
        },
        Mode::Bus => match id {
            bus_id::BOARD => length == 70,
            bus_id::CLOCK => length == 13,
            bus_id::PING | bus_id::START_WRITTEN => length == 6,
            bus_id::VERSION => length == 8 || length == 6,
            bus_id::HALF_BOARD => length == 56,
            bus_id::HARDWARE_VERSION => length == 8,
            bus_id::CHANGES_ODD
            | bus_id::CHANGES_EVEN
            | bus_id::FROM_START
            | bus_id::SERIAL
            | bus_id::I2C_CLOCK
            | bus_id::STATISTICS
            | bus_id::CONFIGURATION
            | bus_id::TRADEMARK
            | bus_id::BATTERY => (BUS_OVERHEAD..=longest).contains(&length),
            _ => return None,
        },
    })
}

/// Length announced by a header; `None` for an unknown id or a length that is not valid for it.
pub(crate) fn announced_length(mode: Mode, message: &[u8]) -> Option<usize> {
    let &[id, high, low, ..] = message else {
        return None;
    };
    let length = join(high, low)?;
    (is_valid_length(mode, id, length) == Some(true)).then_some(length)
}

/// Checks a complete message and returns its id and its content.
pub(crate) fn unpack(mode: Mode, message: &[u8]) -> Result<(u8, &[u8]), MessageError> {
    let &[id, ref rest @ ..] = message else {
        return Err(MessageError::Incomplete { length: 0 });
    };
    if let Some(at) = rest.iter().position(|byte| !byte.is_ascii()) {
        return Err(MessageError::HighBit { offset: at + 1, byte: rest[at] });
    }
    let &[high, low, ref content @ ..] = rest else {
        return Err(MessageError::Incomplete { length: message.len() });
    };
    let announced = join(high, low).unwrap_or_default(); // bit 7 of both was checked above
    match is_valid_length(mode, id, announced) {
        None => Err(MessageError::UnknownId { id }),
        Some(true) if announced == message.len() => Ok((id, content)),
        Some(_) => Err(MessageError::Length { id, announced, given: message.len() }),
    }
}

/// Checks a complete bus reply and returns its id, its sender and its content.
pub(crate) fn unpack_bus(message: &[u8]) -> Result<(u8, Address, &[u8]), MessageError> {
    let (id, content) = unpack(Mode::Bus, message)?;
    let &[high, low, ref data @ .., found] = content else {
        return Err(MessageError::Incomplete { length: message.len() });
    };
    let expected = checksum(&message[..message.len() - 1]);
    if found != expected {
        return Err(MessageError::Checksum { expected, found });
    }
    Ok((id, Address::from_bytes(high, low), data))
}

/// The content as an array; its length was checked with the id.
pub(crate) fn array<const N: usize>(data: &[u8]) -> Result<[u8; N], MessageError> {
    data.try_into().map_err(|_| MessageError::Incomplete { length: data.len() })
}

/// Builds a message of single-board mode. Bit 7 of each data byte is cleared; data beyond the largest
/// content is cut.
pub(crate) fn pack(id: u8, data: &[u8]) -> Vec<u8> {
    let data = &data[..data.len().min(LARGEST_CONTENT)];
    let [high, low] = split(HEADER + data.len());
    let mut message = vec![id, high, low];
    message.extend(data.iter().map(|byte| byte & 0x7f));
    message
}

/// Builds a bus reply; the data is treated as in [`pack`].
pub(crate) fn pack_bus(id: u8, address: Address, data: &[u8]) -> Vec<u8> {
    let data = &data[..data.len().min(LARGEST_CONTENT)];
    let [high, low] = split(BUS_OVERHEAD + data.len());
    let [address_high, address_low] = address.to_bytes();
    let mut message = vec![id, high, low, address_high, address_low];
    message.extend(data.iter().map(|byte| byte & 0x7f));
    message.push(checksum(&message));
    message
}

/// Checksum on a bus: low seven bits of the sum of the bytes (`docs/protocol.md`, 7.2).
pub(crate) fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte)) & 0x7f
}

/// Joins two seven-bit bytes into one number; `None` if a byte has bit 7 set.
fn join(high: u8, low: u8) -> Option<usize> {
    (high.is_ascii() && low.is_ascii()).then(|| usize::from(high) << 7 | usize::from(low))
}

/// Splits a number up to 16383 into two seven-bit bytes, high byte first.
fn split(number: usize) -> [u8; 2] {
    [(number >> 7 & 0x7f) as u8, (number & 0x7f) as u8]
}
