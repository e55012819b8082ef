//! The game goes on from what stands there when no line explains an unseen stretch.
//!
//! After a gap a game from the placement of its first dump hears everything as well. When four of its plies, two of each side,
//! are sure, and the game before the gap still cannot explain what stands there, play goes on from that placement; the
//! stretch between is a gap of the record. Must not know why a line fails.

use super::game::Game;
use super::history::Event;
use super::tell::decide;
use super::weights::{self as w, Cost};
use super::{Search, Told};
use crate::line::fen_of;

/// Games from the placement after a gap, with either side to move where no clock tells it.
#[derive(Clone, Debug, Default)]
pub(super) struct Onward {
    games: Vec<Game>,
    since: u64,
    /// What the game cost before the gap.
    before: Cost,
}

impl Onward {
    pub(super) fn new(games: Vec<Game>, since: u64, before: Cost) -> Self {
        Self { games, since, before }
    }

    pub(super) fn hear(&mut self, now: u64, event: &Event) {
        self.games.iter_mut().for_each(|game| game.observe(now, event.clone()));
    }

    /// The game that has gone on for long enough, if the one before the gap costs so much.
    fn sure(&mut self, now: u64, cost: Cost) -> Option<usize> {
        self.games.iter_mut().for_each(Game::catch_up);
        self.games.iter().position(|game| {
            let Some(decision) = decide(game, now) else { return false };
            let likeliest = game.likeliest(now);
            let dear = cost.saturating_sub(self.before) > game.beam.cost().saturating_add(w::OFF + w::POOR);
            dear && game.lines.depth(decision.tell) >= w::FAULT_PLIES
                && likeliest.is_some_and(|best| !best.off && best.faulty == best.blind)
        })
    }
}

impl Search {
    /// Play goes on from what stands there, as soon as that is sure.
    pub(super) fn go_on_if_sure(&mut self) {
        let now = self.now;
        let Some(game) = self.game.as_deref() else {
            self.onward = None;
            return;
        };
        let Some(onward) = &mut self.onward else { return };
        let explained =
            game.likeliest(now).is_some_and(|best| best.differs.is_empty() && !best.off && best.illegal.is_none());
        if explained && now.saturating_sub(onward.since) >= w::UNEXPLAINED_MS && game.told != super::line::ROOT {
            let beyond = decide(game, now).is_some_and(|decision| decision.tell == game.told && !decision.doubt);
            if beyond {
                self.onward = None;
                return;
            }
        }
        if explained || game.is_behind() || game.waits_for_log || now.saturating_sub(onward.since) < w::UNEXPLAINED_MS {
            return;
        }
        let Some(at) = onward.sure(now, game.beam.cost()) else { return };
        let game = onward.games.swap_remove(at);
        self.go_on_with(game);
    }

    /// A person says that play goes on from what stands there.
    pub(super) fn go_on_at_once(&mut self, games: Vec<Game>) {
        if let Some(game) = games.into_iter().next() {
            self.go_on_with(game);
        }
    }

    fn go_on_with(&mut self, game: Game) {
        let Some(before) = self.game.as_deref() else { return };
        let told = Told::Gap { after_ply: before.lines.depth(before.told), fen: fen_of(&game.start) };
        (self.onward, self.doubt) = (None, None);
        self.game = Some(Box::new(game));
        self.say(told);
    }
}
