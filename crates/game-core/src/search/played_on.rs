//! Play that goes on from a position that no line explains: with a clock two presses show it, without one two further moves of
//! each player that are legal from there.
//!
//! Knows how much was played since. Must not know the board.

/// Presses after the report of the unexplained position by which play goes on.
const PRESSES: usize = 2;
/// Plies by which play goes on without a clock, with the illegal one: putting pieces right looks like moves too.
const PLIES: u32 = 5;

/// Whether play has gone on from what stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlayedOn {
    presses: usize,
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
        self.presses >= PRESSES && !std::mem::replace(&mut self.told, true)
    }

    /// So many plies are known from the illegal one on. Says once that play goes on.
    pub(super) fn goes_on(&mut self, plies: u32) -> bool {
        plies >= PLIES && !std::mem::replace(&mut self.told, true)
    }
}
