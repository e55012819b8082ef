//! Field numbers in the board's own numbering. Must not know how the board stands on the table.

/// One of the 64 fields in the board's own numbering: 0 is a8, 7 h8, 56 a1, 63 h1 while the connector
/// is at White's left hand. The board does not renumber when it is rotated (`docs/protocol.md`, 4.1);
/// [`Field::rotated`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(u8);

impl Field {
    /// The field with this number, 0 to 63; `None` above.
    pub const fn new(number: u8) -> Option<Field> {
        if number < 64 { Some(Field(number)) } else { None }
    }

    /// All 64 fields in ascending order.
    pub fn all() -> impl DoubleEndedIterator<Item = Field> + Clone {
        (0..64).map(Field)
    }

    /// The number, 0 to 63.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The index in [`Fields`](crate::Fields), 0 to 63.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The field with this square's name when the board stands the other way round: 63 minus the number.
    #[must_use]
    pub const fn rotated(self) -> Field {
        Field(63 - self.0)
    }
}
