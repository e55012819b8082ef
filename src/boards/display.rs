//! Publishes the state of one board for those with access: position, clock, doubts, game.
//!
//! Must not know who reads it. Written by the board's task alone.

use std::sync::Arc;

use game_core::event::Event;
use game_core::placement::Placement;
use game_core::session::Doubts;
use tokio::sync::watch;

use crate::boards::counters::BoardCounters;
use crate::boards::session::CapturedSession;
use tournament::{BoardState, GameRef};

/// Where a board's task publishes the state of its board.
#[derive(Debug)]
pub struct BoardDisplay {
    state: watch::Sender<BoardState>,
    /// The published position, so that the text of an unchanged one is not made again.
    placement: Placement,
    counters: Arc<BoardCounters>,
}

impl BoardDisplay {
    /// The display that feeds this state.
    pub fn new(state: watch::Sender<BoardState>) -> Self {
        Self { state, placement: Placement::EMPTY, counters: Arc::default() }
    }

    /// The same, counting here.
    #[must_use]
    pub fn counted(self, counters: Arc<BoardCounters>) -> Self {
        Self { counters, ..self }
    }

    /// What is counted of the board.
    pub(super) fn counters(&self) -> &BoardCounters {
        &self.counters
    }

    /// Updates the squares that recognition cannot explain.
    pub(super) fn note(&self, event: &Event) {
        self.counters.happened(event);
        match event {
            Event::Unexplained { squares } => self.state.send_modify(|state| state.unexplained.clone_from(squares)),
            Event::Resolved | Event::GameStarted { .. } | Event::GameEnded => {
                self.state.send_modify(|state| state.unexplained.clear());
            }
            _ => {}
        }
    }

    /// Publishes what the session knows now.
    pub fn update(&mut self, connected: bool, session: &CapturedSession, game: Option<&GameRef>) {
        let placement = *session.placement();
        let changed = placement != self.placement;
        self.placement = placement;
        self.counters.reached(connected);
        self.state.send_modify(|state| {
            if changed {
                state.fen = placement.fen();
            }
            state.connected = connected;
            (state.rotated, state.white_is_left) = session.orientation();
            state.clock = session.clock_shown();
            state.claim = session.result_shown();
            let Doubts { wrong_start, unsteady, faulty, candidates, clock_battery_low, battery_low: _ } =
                session.doubts();
            (state.wrong_start, state.unsteady) = (wrong_start, unsteady);
            (state.faulty, state.candidates) = (faulty, candidates);
            state.clock_battery_low = clock_battery_low;
            state.battery = session.battery();
            state.game = game.map(|game| Arc::clone(&game.game));
            state.follows_game = session.follows_game();
            state.shows_other = session.shows_other().map(Into::into);
        });
    }
}
