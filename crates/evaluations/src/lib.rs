//! What a chess engine thinks of the positions of public games: for the public page, and only where the delay forbids any use of it
//! at the board.
//!
//! **The rule** ([`LEAST_DELAY`]): a position is evaluated when the gate has released it to a view that is at least 15 minutes late,
//! whatever the organiser's delay is. An evaluation is given away while the organiser's delay of the round, and that of the
//! board, is at least 15 minutes as well, and for a position that the public view has at the same place of the game. So a delay that
//! is shortened takes all evaluations away at once, and one that is set in the middle of a game brings none of a position that is
//! still on the board.
//!
//! **Where to start:** [`Evaluations::start`]; `shared` has what was asked for and what is known, `worker` is the thread that owns the
//! engine.
//!
//! **Must not know** boards, the journal or addresses. It makes its view by itself and can name no undelayed one.

mod known;
mod score;
mod settings;
mod shared;
#[cfg(all(test, unix))]
mod tests;
mod watched;
mod worker;

use std::io;
use std::sync::Arc;
use std::time::Instant;

use publish::gate::{Delay, GameView, Gate, Policy, PublicView, View};

pub use score::{Evaluation, Score};
pub use settings::Settings;

use shared::Shared;
use worker::Pace;

// `publish::keys` does not exist for this crate: `tests/wall` compiles this line and expects that it fails.
#[cfg(wall_proof)]
const _: Option<publish::keys::KeyView> = None;

/// The shortest delay with which evaluations are given: 15 minutes.
pub const LEAST_DELAY: Delay = Delay::Seconds(15 * 60);

/// Evaluations of public games. The thread of the engine ends when this is dropped.
pub struct Evaluations {
    view: PublicView,
    shared: Arc<Shared>,
}

/// What is known of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfGame {
    /// What the engine calls itself; empty before it has answered.
    pub engine: Arc<str>,
    /// By ply, 0 for the start; a position that was not evaluated yet is left out.
    pub positions: Vec<(usize, Evaluation)>,
}

impl Evaluations {
    /// Starts the thread that owns the engine. An engine that cannot be started is logged and tried again; nothing else waits for it.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(gate: &Gate, settings: Settings) -> io::Result<Self> {
        Self::start_at(gate, settings, Pace::USUAL)
    }

    /// Starts the engine of these settings once and ends it; gives its name.
    ///
    /// # Errors
    /// When it does not start or is no engine.
    pub fn try_engine(settings: &Settings) -> anyhow::Result<String> {
        Ok(worker::engine_of(settings, Pace::USUAL.patience)?.name().to_owned())
    }

    fn start_at(gate: &Gate, settings: Settings, pace: Pace) -> io::Result<Self> {
        let view = gate.public(Policy::at_least(LEAST_DELAY));
        let shared = Arc::new(Shared::default());
        worker::start(settings, pace, Arc::clone(&shared))?;
        Ok(Self { view, shared })
    }

    /// What is known of a game as the public view shows it; none where no evaluation may be given. What is not known yet is
    /// evaluated while the game is asked for, the newest position first. May read the game from the disk.
    pub fn of(&self, public: &GameView) -> Option<OfGame> {
        let id = &public.at.game;
        let section = self.view.section(&public.at.event)?;
        if !public.has_begun() || !section.has_delay(&public.at, LEAST_DELAY) {
            return None;
        }
        let late = section.game(id);
        let late = late.iter().flat_map(|late| positions(late));
        let both = positions(public).zip(late).map(|(public, late)| (public == late).then_some(late));
        let both: Vec<_> = both.collect();
        let both: Vec<_> = both.iter().map(Option::as_deref).collect();
        Some(self.shared.asked(id, &both, Instant::now()))
    }

    /// Waits until everything that was asked for is evaluated, for tests.
    #[cfg(any(test, feature = "test-support"))]
    pub fn settle(&self) {
        self.shared.settle();
    }
}

impl Drop for Evaluations {
    fn drop(&mut self) {
        self.shared.stop();
    }
}

/// The positions of a game as its page shows them, that of the start first.
fn positions(view: &GameView) -> impl Iterator<Item = String> {
    let game = &view.game;
    let before_last = game.moves().len().checked_sub(1);
    let start = before_last.map(|_| game.fen().to_owned());
    let earlier = game.fens().take(before_last.unwrap_or(0));
    // Moves may have gone unseen before the last position.
    start.into_iter().chain(earlier).chain([game.fen_shown().to_owned()])
}
