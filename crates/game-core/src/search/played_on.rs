//! Play that goes on from a position that no line explains: with a clock two presses show it, without one two further moves of
//! each player that are legal from there.
//!
//! Knows how much was played since. Must not know the board.

use super::weights as w;

/// Whether play has gone on from what stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlayedOn {
    presses: u32,
    told: bool,
}

impl PlayedOn {
    /// A line explains the board again.
    pub(super) fn end(&mut self) {
        *self = Self::default();
    }

    /// The unexplained position is told.
    pub(super) fn tell(&mut self) {
        self.presses = 0;
    }

    /// A player has pressed. Says once that play goes on.
    pub(super) fn press(&mut self) -> bool {
        self.presses += 1;
        self.presses >= w::TWICE && !std::mem::replace(&mut self.told, true)
    }

    /// So many plies are known from the illegal one on, which counts: putting pieces right looks like moves too. Says once that play goes on.
    pub(super) fn goes_on(&mut self, plies: u32) -> bool {
        plies > w::BORNE_OUT && !std::mem::replace(&mut self.told, true)
    }
}
