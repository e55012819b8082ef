//! Which `clock` events are published, so that the last one belongs to the game: afterwards the clock is set for the next
//! game.
//!
//! Must not know presses or the board.

use crate::event::Event;

/// How much older than its instant a reading may be, in ms.
const SLACK_MS: u64 = 2_000;

/// The published readings of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PublishedClock {
    last: Option<Event>,
    /// The reading before the clock was set while it was stopped. No move has been played since.
    before_setting: Option<Event>,
}

impl PublishedClock {
    /// The event to publish for a reading. None when the game is over on the board and the clock is set again.
    pub(super) fn news(&mut self, reading: Event, over: bool) -> Option<Event> {
        let set = self.last.as_ref().filter(|last| is_set(last, &reading));
        if over && (set.is_some() || self.last.is_none()) {
            return None;
        }
        if matches!(reading, Event::Clock { running: None, .. }) && self.before_setting.is_none() {
            self.before_setting = set.cloned();
        }
        self.last = Some(reading.clone());
        Some(reading)
    }

    /// A move or a press: the setting of the clock was meant for this game.
    pub(super) fn played(&mut self) {
        self.before_setting = None;
    }

    /// Ends the game. Returns the reading before the clock was set for the next game, to be published again.
    pub(super) fn end(&mut self) -> Option<Event> {
        std::mem::take(self).before_setting
    }
}

/// Whether a time was set since the published reading, because the passing of time does not lead to it.
fn is_set(told: &Event, reading: &Event) -> bool {
    let (
        Event::Clock { white_ms, black_ms, read_at, .. },
        Event::Clock { white_ms: white_now, black_ms: black_now, read_at: now, .. },
    ) = (told, reading)
    else {
        return false;
    };
    let passed = now.saturating_sub(*read_at) + SLACK_MS;
    [(white_ms, white_now), (black_ms, black_now)].into_iter().any(|times| match times {
        (Some(told), Some(now)) => now > told || told - now > passed,
        _ => false,
    })
}
