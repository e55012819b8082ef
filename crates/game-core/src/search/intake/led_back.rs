//! Plies that were made while the board was out of reach and lead back to what stood there before: its first dump does not show
//! them, the times of its clock do.
//!
//! Knows the first dump and the first reading after an outage. Must not know hypotheses.

use shakmaty::Bitboard;

use super::super::Search;
use super::super::history::Event;
use super::super::weights as w;
use super::Intake;

/// What is known of an outage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LedBack {
    /// When the first dump after it showed what stood there before.
    unchanged_at: Option<u64>,
    /// The clock shows other times than if the player to move had thought all the time.
    played: bool,
    /// The board has told changes since: these may be the plies.
    changed: bool,
    /// Both are true, and the board's own log was not asked for yet.
    found: bool,
}

impl LedBack {
    /// The board tells a change.
    pub(super) fn note_change(&mut self) {
        self.changed = true;
    }

    /// The first dump after an outage shows what stood there before. Says whether plies led back to it, as far as is known.
    pub(super) fn dump_is_unchanged(&mut self, now: u64) -> bool {
        self.unchanged_at = Some(now);
        self.found |= self.played && !self.changed;
        self.found
    }
}

impl Intake {
    /// The clock is read for the first time after an outage.
    pub(super) fn lead_back(&mut self, search: &mut Search, now: u64, played: bool) {
        self.led_back.played = played;
        let unchanged = self.led_back.unchanged_at.take().is_some_and(|at| now.saturating_sub(at) < w::LATEST_MS);
        if let Some(fields) = self.fields.filter(|_| unchanged && played && !self.led_back.changed) {
            self.led_back.found = true;
            self.observe(search, now, Event::Gap { fields: Box::new(fields), late: Bitboard::EMPTY });
        }
    }

    /// Whether plies have led back to what stood there, and the board's own log was not asked for yet.
    pub(in crate::search) fn take_led_back(&mut self) -> bool {
        std::mem::take(&mut self.led_back.found)
    }
}
