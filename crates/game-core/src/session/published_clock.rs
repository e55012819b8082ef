//! What was told of the clock in a game, so that its last reading is the game's own: after a game the clock is set for the next
//! one.
//!
//! Part of the session. Knows readings as they were told. Knows nothing of presses or of the board.

use crate::event::Event;

/// A reading may be so much older than the instant of the one after it says, in ms.
const SLACK_MS: u64 = 2_000;

/// What was told of the clock in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PublishedClock {
    last: Option<Event>,
    /// What was told before the clock was set while it stood. Nobody has played since.
    before_setting: Option<Event>,
}

impl PublishedClock {
    /// What is to be told of a reading. Once the game is over on the board, nothing of a clock that is set anew.
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

    /// A move was made or pressed: whoever set the clock before meant this game.
    pub(super) fn played(&mut self) {
        self.before_setting = None;
    }

    /// The game has ended. Gives what its clock showed when last was told what showed later.
    pub(super) fn end(&mut self) -> Option<Event> {
        std::mem::take(self).before_setting
    }
}

/// Whether a time is another one than goes on from what was told.
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
