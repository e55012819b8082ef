//! What those who ask and the thread of the engine share: the games that are looked at, and what is known.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::OfGame;
use super::known::Known;
use super::score::Evaluation;
use super::watched::Watched;

#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    watched: Watched,
    known: Known,
    engine: Arc<str>,
    /// Whether the thread waits because there is nothing to do.
    idle: bool,
    stop: bool,
}

impl Shared {
    /// What is known of a game; what is missing will be evaluated. `positions` are those by ply of which evaluations may be given.
    pub(crate) fn asked(&self, game: &Arc<str>, positions: &[Option<&str>], now: Instant) -> OfGame {
        let mut state = self.state();
        let State { watched, known, engine, idle, .. } = &mut *state;
        let mut found = OfGame { engine: Arc::clone(engine), positions: Vec::new() };
        let mut missing = Vec::new();
        for (ply, fen) in positions.iter().enumerate().filter_map(|(ply, fen)| Some((ply, (*fen)?))) {
            match known.get(fen) {
                Some(evaluation) => found.positions.push((ply, evaluation)),
                None if known.is_missing(fen) => missing.push((positions.len() - 1 - ply, fen.into())),
                None => {}
            }
        }
        if !missing.is_empty() {
            watched.asked(game, missing, now);
            *idle = false;
            self.changed.notify_all();
        }
        found
    }

    /// Waits for a position to evaluate; none at the stop.
    pub(crate) fn next(&self) -> Option<Arc<str>> {
        let mut state = self.state();
        loop {
            let State { watched, known, idle, stop, .. } = &mut *state;
            if *stop {
                return None;
            }
            if let Some(next) = watched.next(Instant::now(), |fen| known.is_missing(fen)) {
                return Some(next);
            }
            *idle = true;
            self.changed.notify_all();
            state = self
                .changed
                .wait_while(state, |state| state.idle && !state.stop)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn evaluated(&self, fen: &Arc<str>, evaluation: Evaluation) {
        self.state().known.evaluated(fen, evaluation);
    }

    pub(crate) fn failed(&self, fen: &Arc<str>) {
        self.state().known.failed(fen);
    }

    pub(crate) fn impossible(&self, fen: &Arc<str>) {
        self.state().known.impossible(fen);
    }

    /// Notes what the engine calls itself.
    pub(crate) fn name(&self, engine: &str) {
        self.state().engine = engine.into();
    }

    /// Waits this long, or until the stop.
    pub(crate) fn pause(&self, pause: Duration) {
        let waited = self.changed.wait_timeout_while(self.state(), pause, |state| !state.stop);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn stop(&self) {
        self.state().stop = true;
        self.changed.notify_all();
    }

    /// Waits until the thread has nothing to do.
    #[cfg(any(test, feature = "test-support"))]
    pub(crate) fn settle(&self) {
        let waited = self.changed.wait_while(self.state(), |state| !state.idle && !state.stop);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
