//! A ply as the simulated table made it, with its times.

use dgt_protocol::{Field, PieceCode};
use shakmaty::{ByColor, Color};

/// A ply as the table made it.
#[derive(Clone, Copy)]
pub(crate) struct MadePly {
    /// When the last square was touched.
    pub(crate) stood_ms: u64,
    /// When its maker pressed, if the board could know.
    pub(crate) pressed_ms: Option<u64>,
    /// Who made it.
    pub(crate) by: Color,
    /// For how long White's and Black's time had run by then in the game, if there was a clock.
    pub(crate) ran_ms: Option<ByColor<u64>>,
    /// Whether the hand could still have gone on from it.
    pub(crate) may_change: bool,
    /// The ghost: a lifted piece that the board still reported, and where.
    pub(crate) ghost: Option<(Field, PieceCode)>,
    /// Of two squares with crosstalk the passive one was reported alone in this turn.
    pub(crate) lit_alone: bool,
}

impl MadePly {
    /// Whether its maker spent so much on it, to a second: as the clock counts it, with what it counts until the next ply is
    /// complete when the opponent presses back, or since the ply before stood there.
    pub(crate) fn took(self, ms: u64, before: Self, after: Option<Self>) -> bool {
        let near = |spent: u64| ms.abs_diff(spent) <= 1_000;
        let by_clock = |until: Self| Some(until.ran_ms?[self.by].saturating_sub(before.ran_ms?[self.by]));
        let since_stood = self.pressed_ms.unwrap_or(self.stood_ms).saturating_sub(before.stood_ms);
        near(since_stood) || [Some(self), after].into_iter().flatten().filter_map(by_clock).any(near)
    }
}
