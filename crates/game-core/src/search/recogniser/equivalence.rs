//! Whether two recognisers conclude the same from now on.

use super::Recogniser;
use crate::time::Timestamp;

impl Recogniser {
    /// Whether this recogniser and another one, both heard up to `now`, conclude the same whatever comes. When confirmed plies
    /// were first on the board does not matter.
    pub(crate) fn is_equivalent_to(&self, other: &Self, now: Timestamp) -> bool {
        let Self {
            search,
            placement,
            line,
            seen,
            confirmed,
            steps,
            over,
            base,
            gap,
            heard,
            asked_gap,
            cut_gap,
            gap_plies,
            log_until,
            presses_since,
            joined,
            held,
            expected,
            set_up,
            played_on,
            settles_at,
            dump_again_at,
            goes_on,
            unsteady,
            dump_wanted,
            log_wanted,
        } = self;
        let log = log_until.is_some() || *log_wanted;
        let same_line = match (line, &other.line) {
            (Some(line), Some(other)) => line.is_same_line(other),
            (None, None) => true,
            _ => false,
        };
        (over, base, gap, heard, joined, held) == (&other.over, &other.base, &other.gap, &other.heard, &other.joined, &other.held)
            && goes_on == &other.goes_on
            && (confirmed, steps, placement) == (&other.confirmed, &other.steps, &other.placement)
            && (log_until, log_wanted, expected) == (&other.log_until, &other.log_wanted, &other.expected)
            && (!log || (gap_plies, presses_since, cut_gap) == (&other.gap_plies, &other.presses_since, &other.cut_gap))
            && (set_up, played_on, unsteady) == (&other.set_up, &other.played_on, &other.unsteady)
            && (settles_at, dump_again_at, dump_wanted) == (&other.settles_at, &other.dump_again_at, &other.dump_wanted)
            && seen.get(*confirmed..) == other.seen.get(*confirmed..)
            // The log is asked for once for each gap.
            && self.asks_for_gap(*asked_gap) == other.asks_for_gap(other.asked_gap)
            && same_line
            && search.is_equivalent_to(&other.search, now.as_ms(), log)
    }

    /// Whether the last gap is still to be asked about.
    fn asks_for_gap(&self, asked: Option<u64>) -> bool {
        self.search.game.as_deref().and_then(|game| game.gap_at).is_some_and(|at| asked != Some(at))
    }
}
