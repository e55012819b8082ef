//! Whether the times of two games go on the same way.

use super::Times;

/// The times of a move depend on this many moves before it at most.
const PLIES_LOOKED_BACK: usize = 3;

impl Times {
    /// Whether later moves get the same times as those of another game. The times of earlier moves may differ.
    pub(crate) fn is_equivalent_to(&self, other: &Self) -> bool {
        let Self { controls, first, start, plies, presses, assigned, carried, unchecked, learned, hinted, .. } = self;
        let (set_aside, unfinished_ms, taken_back) = (&self.set_aside, self.unfinished_ms, self.taken_back);
        let before = plies.len().saturating_sub(PLIES_LOOKED_BACK);
        plies.len() == other.plies.len()
            && plies.get(before..) == other.plies.get(before..)
            && self.last_known(plies.len() + 1) == other.last_known(plies.len() + 1)
            && (controls, first, start, presses, assigned, carried)
                == (&other.controls, &other.first, &other.start, &other.presses, &other.assigned, &other.carried)
            && (set_aside, unfinished_ms, taken_back) == (&other.set_aside, other.unfinished_ms, other.taken_back)
            && (unchecked, learned, hinted) == (&other.unchecked, &other.learned, &other.hinted)
    }
}
