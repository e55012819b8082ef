//! The address of a board on a bus.

/// Address of a board on a bus, 14 bits. Address 0 means all boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(u16);

impl Address {
    /// All boards on the line.
    pub const ALL: Address = Address(0);

    /// The address with this number, 0 to 16383; `None` above. A board's address is its serial number,
    /// where that fits.
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
