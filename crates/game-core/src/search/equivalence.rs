//! Whether two searches tell the same from now on.

use super::ending::Ended;
use super::game::Game;
use super::onward::Onward;
use super::{Intake, Search};

impl Search {
    /// Whether this search and another one, both heard up to `now`, tell the same whatever comes. `log`: the board's own log may
    /// still come.
    pub(super) fn is_equivalent_to(&self, other: &Self, now: u64, log: bool) -> bool {
        let Self {
            intake,
            game,
            ended,
            onward,
            begun,
            suspects,
            filled,
            now: _,
            last_run,
            unexplained,
            doubt_ms,
            out,
            explained: _,
            decided: _,
        } = self;
        let restart = Intake::may_not_have_started(intake);
        let same = |one: &Game, other: &Game| one.is_equivalent_to(other, now, log, restart);
        (begun, suspects, filled, last_run, unexplained, doubt_ms)
            == (&other.begun, &other.suspects, &other.filled, &other.last_run, &other.unexplained, &other.doubt_ms)
            && out == &other.out
            && intake == &other.intake
            && both(game.as_deref(), other.game.as_deref(), same)
            && both(ended.as_ref(), other.ended.as_ref(), |one: &Ended, other: &Ended| {
                one.shown == other.shown
                    && same(&one.game, &other.game)
                    && both(one.unended.as_deref(), other.unended.as_deref(), same)
            })
            && both(onward.as_ref(), other.onward.as_ref(), |one: &Onward, its: &Onward| {
                let before = |search: &Self, onward: &Onward| {
                    search.game.as_deref().map(|game| game.beam.cost() - onward.cost_before())
                };
                before(self, one) == before(other, its) && one.is_equivalent_to(its, same)
            })
    }
}

/// Whether there is neither, or both and they are the same.
fn both<T: ?Sized>(one: Option<&T>, other: Option<&T>, same: impl Fn(&T, &T) -> bool) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => same(one, other),
        (None, None) => true,
        _ => false,
    }
}
