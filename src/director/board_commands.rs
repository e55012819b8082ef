//! The director's part for boards: which game begins on a board, what its session emitted, what the board was doing.
//!
//! Must not know how boards are read: what a start position or an event means is the tournament's business.

use std::sync::Arc;

use game_core::event::{Author, Event, Evidence, Record};
use game_core::game::Game;
use game_core::input::{Notice, Resume};
use hall_clock::UtcMs;
use journal::{Batch, JournalError, NewEvent};
use notation::pgn::Outcome;
use tournament::{Found, GameRef, OpenedGame, Opening, Order, PairingState, Seat};

use super::actor::{Director, State, by_board};
use super::changes::Basis;
use super::command::{BoardPast, CarriedOut, OrderRequest};

impl Director {
    /// Gives a board that was found a number when it has none.
    pub(super) fn register_board(&mut self, board: &Arc<str>) {
        if self.state.hall.numbers.contains_key(board) {
            return;
        }
        let order = Order::RegisterBoard { board: board.to_string() };
        if let Err(error) = self.carry_out(&own_order(Author::Board, order)) {
            tracing::error!(%board, "the board cannot be registered: {error}; its games are not recorded");
        }
    }

    /// The board that shows a king on e4 gets the table that waits for it, unless a game with moves is on the board: there
    /// the king may be on its way.
    pub(super) fn king_shown(&mut self, board: &Arc<str>) {
        let hall = &self.state.hall;
        let Some(table) = hall.identifying else { return };
        let game = hall.playing(board).and_then(|game| self.state.games.get(game));
        if game.is_some_and(|game| !game.ended() && !game.moves().is_empty()) {
            return tracing::info!(%board, "the board shows a king on e4 in a game with moves: it is not the board of table {table}");
        }
        let seats = vec![Seat { table, board: Some(board.to_string()) }];
        match self.carry_out(&own_order(Author::Board, Order::SeatBoards { seats })) {
            Ok(CarriedOut { notices, .. }) => {
                tracing::info!(%board, "the board shows a king on e4: it has table {table} now");
                self.notify(notices);
            }
            Err(error) => {
                tracing::warn!(%board, "the board shows a king on e4 but does not get table {table}: {error}");
            }
        }
    }

    /// Sends notices to boards without waiting: boards may take their time, and one of them may wait for an answer from here.
    fn notify(&self, notices: Vec<(Arc<str>, Notice)>) {
        if !notices.is_empty() {
            let boards = self.boards.clone();
            self.runtime.spawn(async move { boards.notify(notices).await });
        }
    }

    /// What a board was doing; nothing when the journal cannot be read, which is logged.
    pub(super) fn past(&mut self, board: &str) -> BoardPast {
        let hall = &self.state.hall;
        let playing = hall.playing(board);
        let found = playing.and_then(|game| hall.game(game));
        let rules = found.map(|found| (found.section.settings.result_rule, found.section.settings.doubting));
        let (result_rule, doubting) = rules.unwrap_or_default();
        // Also one of no pairing: without it the board, which stands as before, would begin another.
        let game = playing.and_then(|game| hall.game_ref(game));
        let known = self.journal.board(board).and_then(|known| Ok((known, self.load_game(game.as_ref())?)));
        match known {
            Ok((known, played)) => {
                let resume = game.as_ref().zip(played);
                let resume =
                    resume.map(|(at, played)| Resume { result_rule, doubting, ..known.to_resume(&at.game, played) });
                BoardPast { game, resume, orientation: known.orientation }
            }
            Err(error) => {
                tracing::error!(%board, %error, "the game on this board cannot be read: the board waits for a start position");
                BoardPast::default()
            }
        }
    }

    /// Loads a game that is on a board; none when it has no event yet.
    fn load_game(&mut self, at: Option<&GameRef>) -> Result<Option<&Game>, JournalError> {
        let Some(at) = at else { return Ok(None) };
        if !self.state.games.contains_key(&at.game) {
            let Some(past) = self.journal.game(&at.game)? else { return Ok(None) };
            self.state.games.insert(Arc::clone(&at.game), past.fold());
        }
        Ok(self.state.games.get(&at.game))
    }

    /// A start position came onto a board: records which game begins; none when none does.
    pub(super) fn open_game(&mut self, board: &str, at: UtcMs, started: Record) -> Option<OpenedGame> {
        let Record { event: Event::GameStarted { fen, variant }, author, evidence, .. } = started else { return None };
        let opened = self.begin_anew(board, &fen, at).or_else(|| {
            match tournament::open_game(&self.state.hall, self.state.persons(), board, &fen, at) {
                Opening::Game(opened) | Opening::Unassigned(opened) => Some(opened),
                Opening::None => None,
            }
        })?;
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
        let hall: Vec<_> = facts.iter().cloned().map(by_board).collect();
        self.state.games.insert(Arc::clone(&game.game), Game::new());
        self.state.fold(&hall, self.clock.now());
        let durable = self.record(Batch { hall, games, ..Batch::default() });
        self.let_go(durable);
        self.publish_due_rounds();
        Some(opened)
    }

    /// The game without a move on a board, where it begins anew from another start position; where it does not, it ends. (A session
    /// says of no such game that it ends: it does not know which one begins.)
    fn begin_anew(&mut self, board: &str, fen: &str, at: UtcMs) -> Option<OpenedGame> {
        let hall = &self.state.hall;
        let ready = hall.playing(board).and_then(|game| hall.game_ref(game))?;
        let game = self.state.games.get(&ready.game)?;
        if game.ended() || !game.moves().is_empty() || game.result() != Outcome::Unknown {
            return None;
        }
        let anew = (game.fen() != fen).then(|| tournament::begin_anew(hall, self.state.persons(), board, fen, at));
        if let Some(anew) = anew.flatten() {
            return Some(anew);
        }
        let (author, evidence, event) = (Author::Board, Evidence::StartPosition, Event::GameEnded);
        let ended = NewEvent { at, game: ready, author, evidence, event };
        self.hand_in(board, Batch { games: vec![ended], ..Batch::default() });
        None
    }

    /// Records what a board's session emitted, with the facts that follow from it. The board may not have taken yet that
    /// it plays another game now.
    pub(super) fn hand_in(&mut self, board: &str, mut batch: Batch) {
        if batch.games.iter().any(|new| matches!(new.event, Event::Move { ply: 1, .. })) {
            self.first_move(board);
        }
        batch.games.retain_mut(|new| self.state.redirect(board, &mut new.game));
        self.state.fold(&batch.hall, self.clock.now());
        let mut dated = Vec::new();
        for new in &batch.games {
            let hall = &self.state.hall;
            let day = tournament::played_on(hall, &new.game, &new.event, new.at);
            let on_another_day = day.is_some();
            let facts = day.into_iter().chain(tournament::follow(hall, &new.game, &new.event));
            let facts: Vec<_> = facts.map(by_board).collect();
            self.state.fold(&facts, self.clock.now());
            batch.hall.extend(facts);
            if on_another_day {
                let tags = tournament::date_tag(&self.state.hall, self.state.persons(), &new.game.game);
                let (author, evidence) = (Author::Rule("pairing".into()), Evidence::Command);
                dated.push(NewEvent { author, evidence, event: Event::Tags { tags }, ..new.clone() });
            }
        }
        batch.games.extend(dated);
        let hall_changed = !batch.hall.is_empty();
        self.record(batch);
        if hall_changed {
            self.publish_due_rounds();
        }
    }

    /// Before the first move on a board is recorded: it may be of another game than the one that began there.
    fn first_move(&mut self, board: &str) {
        let decision = self.consider(tournament::first_move, board);
        let done = decision.and_then(|decision| match decision.facts.as_slice() {
            [] => Ok(None),
            _ => self.put_into_effect(&Author::Board, None, decision).map(Some),
        });
        match done {
            Ok(Some(CarriedOut { notices, .. })) => {
                let game = self.state.hall.playing(board);
                tracing::info!(%board, ?game, "the first move is of another game than the one that began as the pieces were set up");
                self.notify(notices);
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%board, "whether the first move is of the next game cannot be seen: {error}"),
        }
    }

    /// Publishes the rounds that publish themselves and are due.
    fn publish_due_rounds(&mut self) {
        while let Some(order) = tournament::due(&self.state.hall) {
            match self.carry_out(&own_order(Author::Rule("auto_publish".into()), order)) {
                Ok(CarriedOut { notices, .. }) => self.notify(notices),
                Err(error) => {
                    return tracing::error!("the next round does not publish itself: {error}; publish it by hand");
                }
            }
        }
    }
}

impl State {
    /// Whether what a board emits for a game still belongs to it. What was adopted meanwhile goes to the game that it is, and what
    /// belongs to a round that was taken back to the game that the board keeps.
    fn redirect(&self, board: &str, at: &mut GameRef) -> bool {
        let Some(playing) = self.hall.playing(board) else { return false };
        if *playing == at.game {
            return true;
        }
        let waits = |found: &Found<'_>| found.game.state == PairingState::Paired;
        let taken_back =
            self.hall.unassigned.contains_key(playing) && self.hall.game(&at.game).is_some_and(|of| waits(&of));
        let adopted_by = self.hall.unassigned.get(&at.game).and_then(|apart| apart.adopted_as.as_ref());
        match self.hall.game_ref(playing).filter(|_| adopted_by == Some(playing) || taken_back) {
            Some(game) => {
                *at = game;
                true
            }
            None => false,
        }
    }
}

/// An order that follows from something on a board.
fn own_order(by: Author, order: Order) -> OrderRequest {
    OrderRequest { by, reason: None, basis: Basis::Any, order }
}
