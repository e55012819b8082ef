//! The director for boards and their tasks: which game begins on a board, what its session gave out, what it was doing.
//!
//! None of it waits for the disk. What a start position or an event means is the tournament's business.

use std::sync::Arc;

use game_core::event::{Author, Event, Evidence, Record};
use game_core::game::Game;
use game_core::input::{Assign, Resume};

use super::{CarriedOut, Director, State};
use crate::boards::registry::Switchboard;
use hall_clock::UtcMs;
use journal::JournalError;
use journal::{Batch, NewEvent, NewFact};
use tournament::GameRef;
use tournament::{self, Fact, OpenedGame, Opening, Order, PairingState};

/// What a board was doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardPast {
    /// What is played on it, or was played last.
    pub game: Option<GameRef>,
    /// That game for its session.
    pub resume: Option<Resume>,
    /// How it lay: whether White sits at the far end, and whether the clock's left side is White's.
    pub facing: (bool, Option<bool>),
}

impl Director {
    /// How the tasks of boards are reached.
    pub(crate) fn switchboard(&self) -> &Switchboard {
        &self.inner.switchboard
    }

    /// A board was found: it gets a table when it has none.
    pub(crate) fn welcome(&self, board: &Arc<str>) {
        if self.hall().table_of(board).is_some() {
            return;
        }
        let order = Order::RegisterBoard { board: board.to_string() };
        if let Err(error) = self.carry_out(&Author::Board, None, None, &order) {
            tracing::error!(%board, "the board gets no table: {error}");
        }
    }

    /// Boards on which a game is played.
    pub(crate) fn boards_in_play(&self) -> Vec<Arc<str>> {
        let hall = self.hall();
        let in_play = |id: &str| hall.game(id).is_some_and(|found| found.game.state == PairingState::Playing);
        hall.on_boards.iter().filter(|(_, game)| in_play(game)).map(|(board, _)| Arc::clone(board)).collect()
    }

    /// What a board was doing; nothing when the journal cannot be read, which is logged.
    pub(crate) fn past(&self, board: &str) -> BoardPast {
        let hall = self.hall();
        let found = hall.playing(board).and_then(|game| hall.game(game));
        let result_rule = found.as_ref().map(|found| found.section.settings.result_rule).unwrap_or_default();
        let game = found.map(|found| found.at());
        let known = self.inner.journal.board(board).and_then(|known| Ok((known, self.live_game(game.as_ref())?)));
        match known {
            Ok((known, live)) => {
                let resume = game
                    .as_ref()
                    .zip(live)
                    .map(|(at, game)| Resume { result_rule, ..known.to_resume(&at.game, &game) });
                BoardPast { game, resume, facing: known.orientation }
            }
            Err(error) => {
                tracing::error!(%error, "what this board was playing is not known: its next game starts from the start position");
                BoardPast::default()
            }
        }
    }

    /// A game that is on a board, which brings it into memory; none when nothing was told of it.
    fn live_game(&self, at: Option<&GameRef>) -> Result<Option<Game>, JournalError> {
        let Some(at) = at else { return Ok(None) };
        let mut state = self.state();
        if !state.live.contains_key(&at.game) {
            let Some(past) = self.inner.journal.game(&at.game)? else { return Ok(None) };
            state.live.insert(Arc::clone(&at.game), past.fold());
        }
        Ok(state.live.get(&at.game).cloned())
    }

    /// From where the board's next game starts, when not from the usual position.
    pub(crate) fn expected(&self, board: &str) -> Option<Assign> {
        tournament::expected(&self.hall(), board)
    }

    /// A start position came onto a board: records which game begins; none when none does.
    pub(crate) fn open_game(&self, board: &str, at: UtcMs, started: Record) -> Option<OpenedGame> {
        let Record { event: Event::GameStarted { fen, variant }, author, evidence, .. } = started else { return None };
        let mut state = self.state();
        let opening = tournament::open_game(&state.hall, &state.persons, board, &fen, at);
        let (Opening::Game(opened) | Opening::Unassigned(opened)) = opening else { return None };
        let OpenedGame { game, tags, facts, .. } = &opened;
        let started = Event::GameStarted { fen, variant };
        let mut games = vec![NewEvent { at, game: game.clone(), author, evidence, event: started }];
        if !tags.is_empty() {
            let (author, evidence) = (Author::Rule("pairing".into()), Evidence::Command);
            games.push(NewEvent {
                at,
                game: game.clone(),
                author,
                evidence,
                event: Event::Tags { tags: tags.clone() },
            });
        }
        let hall = facts.iter().cloned().map(by_board).collect();
        state.live.insert(Arc::clone(&game.game), Game::new());
        self.record(&mut state, Batch { hall, games, ..Batch::default() });
        drop(state);
        self.go_on();
        Some(opened)
    }

    /// Rounds that are due publish themselves.
    fn go_on(&self) {
        while let Some(order) = tournament::due(&self.hall()) {
            match self.carry_out(&Author::Rule("auto_publish".into()), None, None, &order) {
                Ok(CarriedOut { notices, .. }) if notices.is_empty() => {}
                Ok(CarriedOut { notices, .. }) => {
                    let director = self.clone();
                    tokio::spawn(async move { director.tell_boards(notices).await });
                }
                Err(error) => {
                    return tracing::error!("the next round does not publish itself: {error}; publish it by hand");
                }
            }
        }
    }

    /// Hands on what a board's session gave out, with the facts that follow from it. The board may not know yet that it
    /// plays something else by now.
    pub(crate) fn batch(&self, board: &str, mut batch: Batch) {
        let mut state = self.state();
        batch.games.retain_mut(|draft| state.directs(board, &mut draft.game));
        let mut hall = Arc::clone(&state.hall);
        for draft in &batch.games {
            for fact in tournament::follow(&hall, &draft.game, &draft.event) {
                Arc::make_mut(&mut hall).apply(&fact);
                batch.hall.push(by_board(fact));
            }
        }
        drop(hall);
        let further = !batch.hall.is_empty();
        self.record(&mut state, batch);
        drop(state);
        if further {
            self.go_on();
        }
    }
}

impl State {
    /// Whether what a board says of a game still belongs to it; what was claimed meanwhile belongs to the game that it is.
    fn directs(&self, board: &str, at: &mut GameRef) -> bool {
        let Some(playing) = self.hall.playing(board) else { return false };
        if *playing == at.game {
            return true;
        }
        let claimed = self.hall.unassigned.get(&at.game).and_then(|apart| apart.adopted_as.as_ref());
        match self.hall.game_ref(playing).filter(|_| claimed == Some(playing)) {
            Some(game) => {
                *at = game;
                true
            }
            None => false,
        }
    }
}

fn by_board(fact: Fact) -> NewFact {
    NewFact { by: Author::Board, reason: None, fact }
}
