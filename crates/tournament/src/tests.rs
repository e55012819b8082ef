//! Tests of the tournament: days with orders, boards and files.

mod boards;
mod corrections;
mod pairings;
mod privacy;
mod properties;
mod results;
mod rounds;
mod seating;
mod sections;
mod starts;

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::Arc;

use coded_text::CodedText;
use game_core::event::{Event, Side, Variant};
use game_core::game::Game;
use game_core::input::{Notice, Order as BoardOrder};
use game_core::line::{Line, start_position};
use notation::pgn::Outcome;
use notation::play::find_move;

use super::*;
use crate::GameRef;
use ::pairings::model::ByeKind;
use ::pairings::score::Score;
use game_core::time::UtcMs;

/// Noon of 13 February 2027, UTC.
const NOON: UtcMs = 1_802_520_000_000;
const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A hall with persons and games, as the director keeps it.
#[derive(Default)]
struct Director {
    facts: Vec<Fact>,
    hall: Hall,
    persons: Persons,
    games: BTreeMap<String, Game>,
    now: UtcMs,
}

impl Director {
    fn new() -> Self {
        Self { now: NOON, ..Self::default() }
    }

    /// A section «open» with these pairings of round 1, and as many boards as it has games.
    fn with_round(rows: &str) -> Self {
        let mut director = Self::new();
        director.section("open", 1);
        director.load("open", rows);
        for board in 1..=director.hall.round("open", 1).unwrap().games.len() {
            director.seat(board);
        }
        director
    }

    /// A board is found, and a person assigns it to the table after the last one.
    fn seat(&mut self, board: usize) {
        self.order(Order::RegisterBoard { board: serial(board) });
        let table = self.hall.seats.last_key_value().map_or(1, |(last, _)| last + 1);
        self.order(Order::SeatBoards { seats: vec![Seat { table, board: Some(serial(board)) }] });
    }

    fn section(&mut self, slug: &str, first_table: u32) {
        let settings = SectionSettings { first_table, ..SectionSettings::named(format!("The {slug}")) };
        self.order(Order::SetSection { section: slug.into(), settings, confirm: false });
    }

    fn load(&mut self, slug: &str, rows: &str) -> Vec<String> {
        said(&self.order(load(slug, rows, true)).notes)
    }

    fn ask(&self, order: &Order) -> Result<Decision, Refusal> {
        decide(&self.hall, &self.persons, &self.games, self.now, order)
    }

    fn refused(&self, order: &Order) -> String {
        self.ask(order).unwrap_err().to_string()
    }

    #[track_caller]
    fn order(&mut self, order: impl Borrow<Order>) -> Decision {
        let order = order.borrow();
        let decision = self.ask(order).unwrap_or_else(|refusal| panic!("{order:?}: {refusal}"));
        self.record(&decision);
        decision
    }

    fn record(&mut self, decision: &Decision) {
        self.facts_of(&decision.facts);
        let forgotten = self.persons.leaving(&decision.persons);
        if !forgotten.is_empty() {
            self.hall.forget(&forgotten);
            self.facts.iter_mut().filter_map(Fact::tags_mut).for_each(|tags| remove_names(tags, &forgotten));
        }
        for (id, record) in &decision.persons {
            self.persons.set(*id, record.clone());
        }
        for (at, events) in &decision.games {
            self.record_events(at, events);
        }
    }

    fn facts_of(&mut self, facts: &[Fact]) {
        self.hall.apply_all(facts);
        self.facts.extend_from_slice(facts);
    }

    fn record_events(&mut self, at: &GameRef, events: &[Event]) {
        for event in events {
            assert!(self.games.entry(at.game.to_string()).or_default().apply(event), "{event:?} does not fit {at:?}");
        }
    }

    /// The start position comes onto a board: which game is it?
    fn start(&mut self, board: usize) -> Option<String> {
        self.start_from(board, USUAL, Variant::Standard)
    }

    /// The same with another start position.
    fn start_from(&mut self, board: usize, fen: &str, variant: Variant) -> Option<String> {
        let (opened, parked) = match open_game(&self.hall, &self.persons, &serial(board), fen, self.now) {
            Opening::Game(opened) => (opened, false),
            Opening::Unassigned(opened) => (opened, true),
            Opening::None => return None,
        };
        self.facts_of(&opened.facts);
        let mut events = vec![Event::GameStarted { fen: fen.into(), variant }];
        if !parked {
            events.push(Event::Tags { tags: opened.tags });
        }
        self.record_events(&opened.game, &events);
        Some(opened.game.game.to_string())
    }

    /// Moves are played on a board.
    fn play(&mut self, board: usize, moves: &str) {
        let id = Arc::clone(self.hall.playing(&serial(board)).unwrap());
        let at = self.hall.game_ref(&id).unwrap();
        for san in moves.split_whitespace() {
            let event = next_move(&self.games[&*id], san);
            self.record_events(&at, &[event]);
        }
    }

    /// A board's session gives the result of its game.
    fn result(&mut self, board: usize, result: &str) {
        let id = Arc::clone(self.hall.playing(&serial(board)).unwrap());
        let at = self.hall.game_ref(&id).unwrap();
        let result = Outcome::parse(result).unwrap();
        let event = Event::Result { result, reason: "kings in the centre".into() };
        let facts = follow(&self.hall, &at, &event);
        self.facts_of(&facts);
        self.record_events(&at, &[event]);
    }

    fn state(&self, game: &str) -> PairingState {
        self.hall.game(game).unwrap().game.state
    }

    fn round_state(&self, slug: &str, round: u32) -> RoundState {
        self.hall.round(slug, round).unwrap().state
    }

    /// The moves of a game.
    fn moves(&self, game: &str) -> Vec<&str> {
        self.games[game].moves().iter().map(|played| &*played.san).collect()
    }

    /// Number and players of each game of a round, with its id.
    fn pairings(&self, slug: &str, round: u32) -> Vec<String> {
        let name = |id: Option<PlayerId>| self.persons.get(id.unwrap()).unwrap().name.clone();
        let games = self.hall.round(slug, round).unwrap().games.iter();
        let line = |game: &Pairing| {
            let Pair { number, white, black, .. } = game.pair;
            format!("{} {number} {} - {}", game.id, name(white), name(black))
        };
        games.map(line).collect()
    }

    fn player(&self, name: &str) -> PlayerId {
        self.persons.iter().find(|(_, person)| person.name == name).unwrap().0
    }
}

fn serial(board: usize) -> String {
    format!("{}", 10_000 + board)
}

/// Notes as sentences in English.
fn said(notes: &[CodedText]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

/// A file with rows of round, board, White, Black and result.
fn load(slug: &str, rows: &str, confirm: bool) -> Order {
    let text = format!("Round;Board;White;Black;Result\n{}\n", rows.replace(", ", "\n"));
    let files = vec![PairingFile::read("pairings.csv", text.as_bytes()).unwrap()];
    Order::LoadPairings { section: slug.into(), files, round: None, confirm }
}

fn publish(slug: &str, round: u32) -> Order {
    Order::Publish { section: slug.into(), round, confirm: false }
}

/// The event of a move in the position that a game has reached.
fn next_move(game: &Game, san: &str) -> Event {
    let mut line = Line::new(start_position(game.fen(), game.variant()).unwrap(), game.variant());
    for played in game.moves() {
        let found = find_move(line.head(), &played.san).unwrap();
        assert!(line.push(found));
    }
    let found = find_move(line.head(), san).unwrap();
    assert!(line.push(found));
    let ply = line.plies();
    let name = line.name(ply).unwrap();
    let clk_ms = Some(300_000 - 1000 * ply as u64);
    Event::Move { ply: ply as u32, san: name.san, uci: name.uci, clk_ms, emt_ms: None }
}
