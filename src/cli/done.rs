//! How a command ended: exit code 0 or 1.

/// How a command ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// All work is done: exit code 0.
    Fully,
    /// Part of the work was not possible, and a message told which: exit code 1.
    Partly,
}
