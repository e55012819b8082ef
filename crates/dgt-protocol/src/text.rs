//! Short texts of fixed length: serial numbers. Knows what may stand in them, not whose they are.

use std::fmt;

use crate::MessageError;

/// Exactly `N` printable ASCII characters (space to `~`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ascii<const N: usize>([u8; N]);

impl<const N: usize> Ascii<N> {
    /// The text, if it has exactly `N` characters and all are printable ASCII.
    pub fn new(text: &str) -> Option<Ascii<N>> {
        Ascii::decode(text.as_bytes(), 0).ok()
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default() // ASCII by construction
    }

    /// The characters as they are on the wire.
    pub(crate) fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }

    /// Reads wire bytes whose first one has this place in its message.
    pub(crate) fn decode(bytes: &[u8], place: usize) -> Result<Ascii<N>, MessageError> {
        if let Some(at) = bytes.iter().position(|byte| !matches!(byte, b' '..=b'~')) {
            return Err(MessageError::Text { place: place + at, byte: bytes[at] });
        }
        match bytes.try_into() {
            Ok(text) => Ok(Ascii(text)),
            Err(_) => Err(MessageError::Incomplete { length: place + bytes.len() }),
        }
    }
}

impl<const N: usize> fmt::Display for Ascii<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for Ascii<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// The answer to [`Command::Serial`](crate::Command::Serial) (protocol paper, 4.6). Displayed as
/// the number alone, which is what identifies a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SerialNumber {
    /// The serial number, on known boards five decimal digits.
    pub number: Ascii<5>,
    /// Boards of 1998 add the version of their EEPROM, "1.0".
    pub eeprom_version: Option<Ascii<3>>,
}

impl SerialNumber {
    /// A present-day serial number: five printable ASCII characters.
    pub fn new(number: &str) -> Option<SerialNumber> {
        Ascii::new(number).map(|number| SerialNumber { number, eeprom_version: None })
    }
}

impl fmt::Display for SerialNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.number, f)
    }
}
