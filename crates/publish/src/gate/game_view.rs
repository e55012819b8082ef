//! A game as far as it was released.

use game_core::event::Event;
use game_core::game::Game;

use hall_clock::UtcMs;
use journal::PastGame;
use journal::PositionTimes;
use journal::RecordedEvent;
use tournament::GameRef;

/// A game as far as it was released.
#[derive(Clone, Debug)]
pub struct GameView {
    /// Where it belongs.
    pub at: GameRef,
    /// Moves, clocks, result, tags.
    pub game: Game,
    /// When its positions arose.
    pub times: PositionTimes,
    /// Changes with every change of the game; no two states of a view share one.
    pub version: u64,
    /// When it last changed in this view, hall time.
    pub changed_at: UtcMs,
    /// Whether it began on a board.
    started: bool,
}

impl GameView {
    /// A game of which nothing is known yet.
    pub(super) fn new(at: GameRef) -> Self {
        Self { at, game: Game::new(), times: PositionTimes::default(), version: 0, changed_at: 0, started: false }
    }

    /// A game of the journal.
    pub(super) fn of_the_past(past: &PastGame) -> Self {
        let mut view = Self::new(past.at.clone());
        for entry in &past.entries {
            view.apply(entry, 0);
        }
        view
    }

    /// Takes the next event; whether it fits.
    pub(super) fn apply(&mut self, entry: &RecordedEvent, version: u64) -> bool {
        let event = &entry.event;
        if !self.game.apply(event) {
            return false;
        }
        self.times.note(entry);
        self.started |= matches!(event, Event::GameStarted { .. });
        self.version = version;
        self.changed_at = entry.committed_at;
        true
    }

    /// Whether it is more than a pairing: a board shows it, or moves of it are known.
    pub fn has_begun(&self) -> bool {
        self.started || !self.game.moves().is_empty()
    }

    /// Whether it is played at this moment.
    pub fn is_under_way(&self) -> bool {
        self.has_begun() && self.game.is_running()
    }
}
