//! A game as far as it was released to a view.

use game_core::event::Event;
use game_core::game::Game;

use super::round::KEPT_WHEN_OVER;
use hall_clock::UtcMs;
use journal::PositionTimes;
use journal::RecordedEvent;
use notation::pgn::PlayError;
use tournament::GameRef;

/// What is in memory of a game that is read from the disk.
#[derive(Clone, Debug)]
pub(super) struct Archived {
    /// Where it belongs.
    pub(super) at: GameRef,
    /// As in [`GameView`]; 0 for a game of before the start.
    pub(super) version: u64,
    /// As in [`GameView`]; none for a game of before the start.
    pub(super) changed_at: Option<UtcMs>,
    /// The number of the entry that came next when all of its entries were released: later ones may be held back.
    pub(super) next: u64,
}

/// A game as far as it was released.
#[derive(Clone, Debug)]
pub struct GameView {
    /// Where it belongs.
    pub at: GameRef,
    /// Moves, clocks, result, tags.
    pub game: Game,
    /// When its positions arose.
    times: PositionTimes,
    /// Changes with every change of the game; differs between any two states of a view.
    pub(crate) version: u64,
    /// When it last changed in this view, hall time.
    pub changed_at: UtcMs,
    /// Whether a game start was recorded.
    started: bool,
    /// Whether it is adjourned.
    pub(super) adjourned: bool,
}

impl GameView {
    /// A game of which nothing is known yet.
    pub(super) fn new(at: GameRef) -> Self {
        let (game, times) = (Game::new(), PositionTimes::default());
        Self { at, game, times, version: 0, changed_at: 0, started: false, adjourned: false }
    }

    /// Applies the next event, released at hall time `now`; false, and nothing changes, when it does not fit the game.
    pub(super) fn apply(&mut self, entry: &RecordedEvent, now: UtcMs, version: u64) -> bool {
        let event = &entry.event;
        if !self.game.apply(event) {
            return false;
        }
        self.times.note(entry);
        if !self.game.is_running() {
            self.times.shrink();
        }
        self.started |= matches!(event, Event::GameStarted { .. });
        self.version = version;
        self.changed_at = now;
        true
    }

    /// What stays in memory when its entries before number `next` are read from the disk from now on.
    pub(super) fn archived(&self, next: u64) -> Archived {
        Archived { at: self.at.clone(), version: self.version, changed_at: Some(self.changed_at), next }
    }

    /// Whether it can be read from the disk at hall time `now`: it has been over for a while.
    pub(super) fn is_long_over(&self, now: UtcMs) -> bool {
        !self.game.is_running() && now >= self.changed_at.saturating_add(KEPT_WHEN_OVER)
    }

    /// When the first move was played; none before it, or where that is not known.
    pub fn first_move_at(&self) -> Option<UtcMs> {
        self.times.after(1)
    }

    /// Whether it is more than a pairing: a board shows it, or moves of it are known.
    pub fn has_begun(&self) -> bool {
        self.started || !self.game.moves().is_empty()
    }

    /// Whether it was interrupted and goes on later.
    pub fn is_adjourned(&self) -> bool {
        self.adjourned && self.game.is_running()
    }

    /// The positions as EPD, one record a line, with the instants at which they arose.
    ///
    /// # Errors
    /// When a move is illegal: no game that follows from events has one.
    pub fn epd(&self) -> Result<String, PlayError> {
        self.times.epd(&self.at.game, &self.game.to_pgn())
    }

    /// Whether moves may come at this moment: it has begun, is not over and not adjourned.
    pub fn is_being_played(&self) -> bool {
        self.is_under_way() && !self.is_adjourned()
    }

    /// Whether it has begun and is not over.
    pub fn is_under_way(&self) -> bool {
        self.has_begun() && self.game.is_running()
    }
}
