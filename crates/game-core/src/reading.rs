//! What both sides of a chess clock show at one instant, and how exactly a display tells time.
//!
//! The lowest layer of the clock: presses and the clock tracker build on it. Must not know the lever, players or moves.

/// A display counts whole seconds; in ms.
pub(crate) const SECOND_MS: u64 = 1_000;
/// A running clock reports every second. A pause longer than this, in ms, is a gap in which presses may have gone unseen.
pub(crate) const UNREAD_MS: u64 = 2_500;

/// What both sides of the clock show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Left side, in ms.
    pub(crate) left_ms: u64,
    /// Right side, in ms.
    pub(crate) right_ms: u64,
}

impl Reading {
    /// The time of one side, in ms.
    pub(crate) const fn of(self, left: bool) -> u64 {
        if left { self.left_ms } else { self.right_ms }
    }

    /// The same from the other side of the clock.
    pub(crate) const fn turned(self) -> Self {
        Self { left_ms: self.right_ms, right_ms: self.left_ms }
    }
}
