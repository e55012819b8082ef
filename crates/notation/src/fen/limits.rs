//! Limits of a FEN.

/// Longest text that is read, in bytes; a FEN has about a hundred.
pub(crate) const MAX_FEN_BYTES: usize = 256;
/// Highest halfmove clock and fullmove number.
pub const MAX_COUNTER: u32 = i32::MAX as u32;
