//! Whether two sessions give the same outputs from now on. The campaign of damaged lines stops comparing them there.
//!
//! The times of moves long past, and what is only read on demand, may differ.

use super::state::BoardSession;
use crate::time::Timestamp;

impl BoardSession {
    /// Messages of this game are known to get lost or damaged from now on, as after bytes that form no message.
    pub fn assume_damage(&mut self) {
        self.recogniser.lost_message();
    }

    /// Whether this session and another one, both at `now`, give the same outputs for all further inputs, apart from
    /// corrections of what they published differently before.
    pub fn is_equivalent_to(&self, other: &Self, now: Timestamp) -> bool {
        let Self {
            reader,
            last_bytes,
            link,
            bus,
            recogniser,
            unsteady: _, // Only read on demand.
            clock,
            times,
            game,
            time_control,
            result_rule,
            doubting,
            result,
            open,
            closing_at,
            claim,
            now: _, // Neither is ahead of the given instant.
            catching_up,
            waiting_press,
            published_clock,
            author,
            outputs,
        } = self;
        let at_rest = reader.pending().is_empty() && other.reader.pending().is_empty();
        (at_rest || *last_bytes == other.last_bytes && reader.pending() == other.reader.pending())
            && (link, bus) == (&other.link, &other.bus)
            && *clock == other.clock
            && (result, open, closing_at, claim) == (&other.result, &other.open, &other.closing_at, &other.claim)
            && (catching_up, waiting_press, published_clock)
                == (&other.catching_up, &other.waiting_press, &other.published_clock)
            && (game, time_control, author, outputs)
                == (&other.game, &other.time_control, &other.author, &other.outputs)
            && *result_rule == other.result_rule
            && *doubting == other.doubting
            && times.is_equivalent_to(&other.times)
            && recogniser.is_equivalent_to(&other.recogniser, now)
    }
}
