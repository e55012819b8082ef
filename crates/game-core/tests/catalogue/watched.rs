//! What should have been told of a table and what was.

use game_core::event::{Author, Event, Record};
use game_core::game::Game;
use game_core::input::Input;
use game_core::time::Timestamp;

use crate::difference::{Difference, Kind};
use crate::expected::ExpectedGame;

/// What was recorded of one game.
#[derive(Clone)]
pub(crate) struct Told {
    /// Which game of the table was being played or set up when it began, from 0.
    pub(crate) of: usize,
    /// The events of the session, folded by `game-core` itself: the fold is part of what is tested, and only the expected
    /// game has to be independent of it.
    pub(crate) game: Game,
    /// When each ply was published last.
    pub(crate) published_ms: Vec<u64>,
}

/// What should have been told and what was.
#[derive(Clone, Default)]
pub(crate) struct Watched {
    pub(crate) expected: Vec<ExpectedGame>,
    pub(crate) told: Vec<Told>,
    /// Moves taken back because of what the board showed, without those that the players took back.
    pub(crate) retracts: usize,
    pub(crate) unexplained: usize,
    /// Positions whose moves one call listed, at most.
    pub(crate) most_positions: u64,
    /// Differences that are seen while the games are played.
    pub(crate) differences: Vec<Difference>,
    /// The bytes of each message that the board sent.
    pub(crate) messages: Vec<usize>,
    /// Everything that reached the session.
    pub(crate) inputs: Vec<(Timestamp, Input)>,
    /// All that the session told, with the number of games that the table had played then.
    pub(crate) records: Vec<(usize, Record)>,
    /// In the end the session takes every piece for what the board takes it for.
    pub(crate) sees_board: bool,
}

impl Watched {
    /// Takes notice of what the session told when the table had played so many games.
    pub(crate) fn hear(&mut self, of: usize, record: &Record) {
        let Record { t, event, author, .. } = record;
        match event {
            Event::GameStarted { .. } => self.told.push(Told { of, game: Game::new(), published_ms: Vec::new() }),
            Event::Retract { .. } => self.retracts += usize::from(*author == Author::Board),
            Event::Unexplained { .. } => self.unexplained += 1,
            _ => {}
        }
        let Some(told) = self.told.last_mut() else {
            // Before the first game the board can only be said to stand wrongly.
            if !matches!(event, Event::Unexplained { .. } | Event::Resolved) {
                let what = format!("{event:?} before any game");
                self.differences.push(Difference::new(Kind::EventOutOfPlace, what));
            }
            return;
        };
        if !told.game.apply(event) {
            let what = format!("{event:?} contradicts the events before it");
            self.differences.push(Difference::new(Kind::EventOutOfPlace, what));
            return;
        }
        let plies = told.game.moves().len();
        if let Event::Move { .. } = event {
            told.published_ms.truncate(plies - 1);
            told.published_ms.push(t.as_ms());
        }
        told.published_ms.truncate(plies);
    }
}
