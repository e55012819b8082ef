//! How a command ended.

/// How a command ended that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// Everything is done.
    Fully,
    /// Everything was read, and some of it contradicts itself; a message on standard error named it.
    Contradictions,
    /// Part of the input was left out or not changed; a message on standard error named it.
    Partly,
}
