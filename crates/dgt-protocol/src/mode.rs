//! The two modes of a line.

/// How the line is used. The same ids mean different things in the two modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Single-board mode: one board on the line.
    Single,
    /// Bus mode: several boards on one line; replies carry an address and a checksum. A board is in
    /// this mode after power-up.
    Bus,
}
