//! Limits of the EPD standard.

/// Longest record in bytes, its line end not counted (EPD standard, 4).
pub const MAX_RECORD_BYTES: usize = 4096;
/// Longest opcode or identifier in bytes (EPD standard, 5.1 and 5.2.1).
pub(crate) const MAX_OPCODE_BYTES: usize = 15;
/// Longest string in bytes, without its quotes (EPD standard, 5.1).
pub(crate) const MAX_STRING_BYTES: usize = 255;
