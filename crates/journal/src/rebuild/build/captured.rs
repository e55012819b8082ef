//! What captures tell between sound entries, as the daemon would have recorded it: which game an event belongs to, how that game
//! began, and what follows in the hall.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use game_core::event::{Author, Event, Evidence};
use game_core::game::Game;
use game_core::time::UtcMs;
use tournament::{
    Fact, GameRef, GamesKnown, Hall, OpenedGame, Opening, Order, UNASSIGNED, date_tag, decide, due, follow, open_game,
    played_on, public_tags,
};

use super::super::CapturedEvent;
use super::{Builder, Written};
use crate::JournalError;
use crate::loss::Loss;

impl<I: FnOnce(&Hall) -> Vec<Order>> Builder<'_, I> {
    /// An event that a capture tells, with what follows from it in the hall.
    pub(super) fn captured(&mut self, new: CapturedEvent) -> Result<(), JournalError> {
        let CapturedEvent { board, game, at, author, evidence, event } = new;
        self.committed_at = self.committed_at.max(at);
        if self.step.as_ref().is_none_or(|(of, when, _)| (of, when) != (&board, &at)) {
            self.step = Some((Arc::clone(&board), at, self.next));
            self.batch += 1;
        }
        let place = (Arc::clone(&board), Arc::clone(&game));
        if let Event::GameStarted { fen, .. } = &event {
            let known = self.captured.get(&place).filter(|known| self.stands_ready(known)).cloned();
            if let Some(known) = known {
                // It begins anew: another start position was set up.
                self.event(&known, at, &author, evidence, &event, None)?;
                let tags = public_tags(&self.hall, &self.persons, &known.game);
                if !tags.is_empty() {
                    let by = Author::Rule("pairing".into());
                    self.event(&known, at, &by, Evidence::Command, &Event::Tags { tags }, None)?;
                }
                self.built.restored += 1;
                return Ok(());
            }
            self.end_ready(&board, &game, at)?;
            let opened = self.open(&board, &game, fen, at)?;
            self.captured.insert(place, opened.game.clone());
            if self.is_apart(&opened.game) {
                self.unassigned.insert(board, Arc::clone(&opened.game.game));
            } else {
                self.unassigned.remove(&board);
            }
            self.event(&opened.game, at, &author, evidence, &event, None)?;
            if !opened.tags.is_empty() {
                let tags = Event::Tags { tags: opened.tags };
                self.event(&opened.game, at, &Author::Rule("pairing".into()), Evidence::Command, &tags, None)?;
            }
            self.built.restored += 1;
            return Ok(());
        }
        let known = self.captured.get(&place).cloned().or_else(|| self.hall.game_ref(&game));
        let Some(known) = known.or_else(|| self.taken_over(place, &event)) else {
            *self.strays.entry(game).or_default() += 1;
            return Ok(());
        };
        if !self.games.contains_key(&known.game) {
            self.assigned(&board, &known, at)?;
        }
        let mut after = self.games.get(&known.game).map(|game| game.fold.clone()).unwrap_or_default();
        if !after.apply(&event) {
            *self.strays.entry(known.game).or_default() += 1;
            return Ok(());
        }
        let day = played_on(&self.hall, &known, &event, at);
        let on_another_day = day.is_some();
        for fact in day.into_iter().chain(follow(&self.hall, &known, &event)) {
            self.new_fact(&fact, &Author::Board)?;
        }
        self.event(&known, at, &author, evidence, &event, Some(after))?;
        if on_another_day {
            let tags = Event::Tags { tags: date_tag(&self.hall, &self.persons, &known.game) };
            self.event(&known, at, &Author::Rule("pairing".into()), Evidence::Command, &tags, None)?;
        }
        self.built.restored += 1;
        Ok(())
    }

    /// Whether a game has begun that has neither a move nor a result.
    fn stands_ready(&self, game: &GameRef) -> bool {
        let ready = |game: &Written| game.fold.is_running() && game.fold.moves().is_empty();
        self.games.get(&game.game).is_some_and(ready)
    }

    /// Another game begins on a board: one without a move that stood there ends, which its session does not say.
    fn end_ready(&mut self, board: &Arc<str>, next: &Arc<str>, at: UtcMs) -> Result<(), JournalError> {
        let Some(ready) = self.hall.playing(board).filter(|ready| *ready != next) else { return Ok(()) };
        let Some(ready) = self.hall.game_ref(ready) else { return Ok(()) };
        if self.stands_ready(&ready) {
            for fact in follow(&self.hall, &ready, &Event::GameEnded) {
                self.new_fact(&fact, &Author::Board)?;
            }
            self.event(&ready, at, &Author::Board, Evidence::StartPosition, &Event::GameEnded, None)?;
            self.built.restored += 1;
        }
        Ok(())
    }

    /// Whether a game belongs to no pairing.
    fn is_apart(&self, game: &GameRef) -> bool {
        let open_play = self.hall.section(&game.event).is_some_and(|section| section.settings.open_play);
        open_play || *game.event == *UNASSIGNED
    }

    /// The game in which the moves of one stand whose pairing is lost and that began without a pairing: its pairing took the
    /// running game of its board over, so that no start of it was captured.
    fn taken_over(&mut self, place: (Arc<str>, Arc<str>), event: &Event) -> Option<GameRef> {
        let (board, game) = &place;
        // A game that moved here from another board is none that began here.
        if self.captured.keys().any(|(_, known)| known == game) {
            return None;
        }
        let before = self.unassigned.get(board)?;
        let written = self.games.get(before).filter(|before| before.fold.is_running())?;
        if !written.fold.clone().apply(event) {
            return None;
        }
        let known = self.hall.game_ref(before)?;
        let (unassigned, board) = (before.to_string(), board.to_string());
        self.built.not_had.push(Loss::PairingOfGame { game: game.to_string(), unassigned, board }.into());
        self.captured.insert(place, known.clone());
        Some(known)
    }

    /// A game of the pairings that went on with the moves of a game without one, when its board got a table: it begins with
    /// those moves.
    fn assigned(&mut self, board: &Arc<str>, game: &GameRef, at: UtcMs) -> Result<(), JournalError> {
        let before = self.unassigned.get(board).and_then(|before| self.games.get(before));
        let Some(before) = before.map(|before| before.fold.clone()) else { return Ok(()) };
        let opened = self.open(board, &game.game, before.fen(), at)?;
        let by = Author::Rule("rebuild".into());
        let start = Event::GameStarted { fen: before.fen().to_owned(), variant: before.variant() };
        for event in std::iter::once(start).chain(Game::new().changes_to(&before)) {
            self.event(&opened.game, at, &by, Evidence::Command, &event, None)?;
            self.built.restored += 1;
        }
        let tags = Event::Tags { tags: opened.tags };
        self.event(&opened.game, at, &Author::Rule("pairing".into()), Evidence::Command, &tags, None)
    }

    /// The game that began on a board, with its facts.
    fn open(&mut self, board: &Arc<str>, id: &Arc<str>, fen: &str, at: UtcMs) -> Result<OpenedGame, JournalError> {
        if self.hall.sections.is_empty()
            && let Some(initial) = self.initial.take()
        {
            for order in initial(&self.hall) {
                self.order(&order)?;
            }
            // A round that publishes itself.
            while let Some(order) = due(&self.hall) {
                if !self.order(&order)? {
                    break;
                }
            }
        }
        // Where the board stood follows from the game that was played on it.
        if let Some(table) = self.hall.game(id).and_then(|found| found.table()) {
            if self.hall.table_of(board) != Some(table) {
                self.new_fact(
                    &Fact::Seated { table, board: Some(Arc::clone(board)) },
                    &Author::Rule("rebuild".into()),
                )?;
            }
        } else if self.hall.table_of(board).is_none() {
            self.order(&Order::RegisterBoard { board: board.to_string() })?;
        }
        let began = self.hall.game(id).is_some_and(|found| found.game.has_begun());
        let mut opened = match open_game(&self.hall, &self.persons, board, fen, at) {
            Opening::Game(opened) | Opening::Unassigned(opened) if opened.game.game == *id => opened,
            _ => {
                let mut facts = Vec::new();
                let game = if let Some(game) = self.hall.game_ref(id) {
                    let day = self.hall.game(id).and_then(|found| found.section.day(at));
                    let day = day.filter(|_| !began);
                    facts.extend(day.map(|day| Fact::Began {
                        board: Some(Arc::clone(board)),
                        game: Arc::clone(id),
                        day,
                    }));
                    game
                } else {
                    self.without_pairing(board, id, &mut facts)
                };
                let (tags, time_control, result_rule) =
                    (BTreeMap::new(), None, game_core::input::ResultRule::default());
                OpenedGame {
                    game,
                    tags,
                    time_control,
                    result_rule,
                    doubting: game_core::input::Doubting::default(),
                    facts,
                }
            }
        };
        for fact in std::mem::take(&mut opened.facts) {
            self.new_fact(&fact, &Author::Board)?;
        }
        if opened.tags.is_empty() {
            opened.tags = public_tags(&self.hall, &self.persons, &opened.game.game);
        }
        Ok(opened)
    }

    /// A game whose pairing is not known: it is kept like one that began on a board without a pairing.
    fn without_pairing(&mut self, board: &Arc<str>, id: &Arc<str>, facts: &mut Vec<Fact>) -> GameRef {
        let free = (1..=u32::MAX).map(|count| format!("{board}-apart-{count}")).find(|id| !self.hall.knows_id(id));
        let game: Arc<str> = free.unwrap_or_else(|| id.to_string()).into();
        let (unassigned, board_of) = (game.to_string(), board.to_string());
        self.built.not_had.push(Loss::PairingOfGame { game: id.to_string(), unassigned, board: board_of }.into());
        facts.push(Fact::Unassigned { board: Arc::clone(board), game: Arc::clone(&game) });
        GameRef { game, event: UNASSIGNED.into(), round: 1, table: self.hall.table_of(board).unwrap_or(1) }
    }

    /// An order of the daemon itself; one that is refused is said. Returns whether it was carried out.
    fn order(&mut self, order: &Order) -> Result<bool, JournalError> {
        let by = Author::Rule("rebuild".into());
        let decided = decide(&self.hall, &self.persons, &Folds(&self.games), self.committed_at, order);
        let decision = match decided {
            Ok(decision) => decision,
            Err(refusal) => {
                self.built.not_had.push(Loss::Refused { reason: Box::new(refusal.coded()) }.into());
                return Ok(false);
            }
        };
        for (id, person) in decision.persons {
            if let Some(person) = person {
                self.person(id, &person)?;
            }
        }
        for fact in decision.facts {
            self.new_fact(&fact, &by)?;
        }
        for (game, events) in decision.games {
            for event in events {
                self.event(&game, self.committed_at, &by, Evidence::Command, &event, None)?;
            }
        }
        Ok(true)
    }
}

/// The games that were written, for orders.
struct Folds<'a>(&'a HashMap<Arc<str>, Written>);

impl GamesKnown for Folds<'_> {
    fn game(&self, id: &str) -> Option<Game> {
        self.0.get(id).map(|game| game.fold.clone())
    }
}
