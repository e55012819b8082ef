//! A game of the journal with all its entries.

use game_core::game::Game;
use tournament::GameRef;

use crate::RecordedEvent;

/// A game with its entries.
#[derive(Clone, Debug)]
pub struct PastGame {
    /// Which one it is.
    pub at: GameRef,
    /// Its entries, in order.
    pub entries: Vec<RecordedEvent>,
}

impl PastGame {
    /// The game as its events make it; events that do not fit are skipped.
    pub fn fold(&self) -> Game {
        let mut game = Game::new();
        for entry in &self.entries {
            game.apply(&entry.event);
        }
        game
    }
}
