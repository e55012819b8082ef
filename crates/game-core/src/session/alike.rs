//! Whether two sessions will do the same from now on: what a campaign of damaged lines needs to know to leave off.
//!
//! Part of the session; knows what it knows. What is only told on demand (status, counts of lost bytes) and the times of moves
//! long past may differ.

use super::BoardSession;
use crate::time::Timestamp;

impl BoardSession {
    /// Whether this session and another one, both at `now`, give out the same for all inputs to come, but for corrections of
    /// what they told differently before.
    pub fn goes_on_like(&self, other: &Self, now: Timestamp) -> bool {
        let Self {
            reader,
            last_bytes,
            link,
            recogniser,
            unsteady: _, // Only told on demand.
            clock,
            times,
            status: _,
            game,
            time_control,
            result_rule,
            result,
            open,
            closing_at,
            claim,
            now: _, // Neither is ahead of the time that is given.
            catching_up,
            waiting_press,
            told_clock,
            author,
            outputs,
        } = self;
        let at_rest = reader.pending().is_empty() && other.reader.pending().is_empty();
        (at_rest || *last_bytes == other.last_bytes && reader.pending() == other.reader.pending())
            && *link == other.link
            && *clock == other.clock
            && (result, open, closing_at, claim) == (&other.result, &other.open, &other.closing_at, &other.claim)
            && (catching_up, waiting_press, told_clock) == (&other.catching_up, &other.waiting_press, &other.told_clock)
            && (game, time_control, author, outputs)
                == (&other.game, &other.time_control, &other.author, &other.outputs)
            && *result_rule == other.result_rule
            && times.goes_on_like(&other.times)
            && recogniser.goes_on_like(&other.recogniser, now)
    }
}
