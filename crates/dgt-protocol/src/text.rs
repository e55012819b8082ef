//! Serial numbers: ASCII texts of fixed length.

use std::fmt;

use crate::error::MessageError;

/// Exactly `N` printable ASCII characters (space to `~`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ascii<const N: usize>([u8; N]);

impl<const N: usize> Ascii<N> {
    /// The text; `None` unless it has exactly `N` characters, all of them printable ASCII.
    pub fn new(text: &str) -> Option<Ascii<N>> {
        Ascii::decode(text.as_bytes(), 0).ok()
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default() // always ASCII, checked in `decode`
    }

    /// The bytes on the wire.
    pub(crate) fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }

    /// Decodes bytes that begin at this offset of their message.
    pub(crate) fn decode(bytes: &[u8], offset: usize) -> Result<Ascii<N>, MessageError> {
        if let Some(at) = bytes.iter().position(|byte| !matches!(byte, b' '..=b'~')) {
            return Err(MessageError::Text { offset: offset + at, byte: bytes[at] });
        }
        match bytes.try_into() {
            Ok(text) => Ok(Ascii(text)),
            Err(_) => Err(MessageError::Incomplete { length: offset + bytes.len() }),
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

/// Reply to [`Command::Serial`](crate::Command::Serial) (`docs/protocol.md`, 4.6). `Display` shows the
/// number alone; it identifies the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SerialNumber {
    /// The serial number; five decimal digits on known boards.
    pub number: Ascii<5>,
    /// Version of the EEPROM, "1.0"; boards of 1998 send it.
    pub eeprom_version: Option<Ascii<3>>,
}

impl SerialNumber {
    /// A serial number without EEPROM version; `None` unless it is five printable ASCII characters.
    pub fn new(number: &str) -> Option<SerialNumber> {
        Ascii::new(number).map(|number| SerialNumber { number, eeprom_version: None })
    }
}

impl fmt::Display for SerialNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.number, f)
    }
}
