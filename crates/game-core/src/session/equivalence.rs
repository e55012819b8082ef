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
        self.differs_in(other, now).is_none()
    }

    /// The first part of two sessions that is not equal.
    pub fn differs_in(&self, other: &Self, now: Timestamp) -> Option<&'static str> {
        let Self {
            reader,
            last_bytes,
            link,
            bus,
            recogniser,
            battery: _, // Only read on demand.
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
            unseen_end,
            shows_other,
            now: _, // Neither is ahead of the given instant.
            catching_up,
            waiting_press,
            published_clock,
            author,
            outputs,
        } = self;
        let at_rest = reader.pending().is_empty() && other.reader.pending().is_empty();
        let bytes = at_rest || *last_bytes == other.last_bytes && reader.pending() == other.reader.pending();
        let game = (result, open, closing_at, claim, unseen_end, game, shows_other)
            == (
                &other.result,
                &other.open,
                &other.closing_at,
                &other.claim,
                &other.unseen_end,
                &other.game,
                &other.shows_other,
            )
            && (time_control, result_rule, doubting) == (&other.time_control, &other.result_rule, &other.doubting)
            && (author, outputs, published_clock) == (&other.author, &other.outputs, &other.published_clock);
        let presses = (catching_up, waiting_press) == (&other.catching_up, &other.waiting_press);
        let parts: [(&str, &dyn Fn() -> bool); 7] = [
            ("bytes", &|| bytes),
            ("link", &|| (link, bus) == (&other.link, &other.bus)),
            ("clock", &|| *clock == other.clock),
            ("game", &|| game),
            ("presses", &|| presses),
            ("times", &|| times.is_equivalent_to(&other.times)),
            ("recognition", &|| recogniser.is_equivalent_to(&other.recogniser, now)),
        ];
        parts.into_iter().find(|(_, same)| !same()).map(|(part, _)| part)
    }
}
