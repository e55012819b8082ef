//! Writes the rows of a new journal: sound entries as they are, and between them what captures tell, as the daemon would have
//! recorded it.
//!
//! It folds hall and games as it goes, so that a captured start finds its pairing and a captured result ends its game. Must
//! not know files. [`captured`] has what captures tell, [`rows`] how an entry is written.

mod captured;
mod rows;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use chrono::DateTime;
use coded_text::CodedText;
use game_core::event::{Author, Event, Evidence};
use game_core::game::Game;
use game_core::time::UtcMs;
use rows::{json, written};
use rusqlite::{Transaction, params, params_from_iter};
use tournament::{
    Fact, GameRef, Hall, Order, Pair, PersonRecord, Persons, PlayerId, RoundSettings, RoundState, SectionSettings,
    UNASSIGNED, follow, played_on, public_tags,
};

use super::Captured;
use super::salvage::{Entry, Salvage, SavedEvent, SavedFact};
use crate::instants::Instants;
use crate::loss::Loss;
use crate::{JournalError, stored};

/// What was written.
#[derive(Debug, Default)]
pub(super) struct Built {
    /// Events that captures told.
    pub(super) restored: u64,
    /// What could not be brought back, one sentence each.
    pub(super) not_had: Vec<CodedText>,
}

/// A game as far as it was written.
#[derive(Debug, Default)]
struct Written {
    key: i64,
    fold: Game,
    instants: Instants,
}

/// Writes a new journal.
pub(super) struct Builder<'a, I> {
    transaction: &'a Transaction<'a>,
    /// The orders of a hall that begins empty.
    initial: Option<I>,
    hall: Hall,
    persons: Persons,
    games: HashMap<Arc<str>, Written>,
    /// The games that captured events belong to, by board and the id in the capture.
    captured: HashMap<(Arc<str>, Arc<str>), GameRef>,
    next: u64,
    /// New numbers of sound entries.
    numbers: HashMap<u64, u64>,
    finished: BTreeSet<(Arc<str>, u32)>,
    committed_at: UtcMs,
    /// Board and time of the last captured event, and the number of the first entry that was recorded with it.
    step: Option<(Arc<str>, UtcMs, u64)>,
    batch: u64,
    /// Captured events that no game of the record can take, by game.
    strays: BTreeMap<Arc<str>, u64>,
    built: Built,
    /// The board of each game that a capture has.
    on_boards: HashMap<Arc<str>, Arc<str>>,
    /// Games whose pairings were made of their events.
    made: HashSet<Arc<str>>,
    /// The game without a pairing, unassigned or of open play, that captures tell of last, by board.
    unassigned: HashMap<Arc<str>, Arc<str>>,
}

impl<'a, I: FnOnce(&Hall) -> Vec<Order>> Builder<'a, I> {
    pub(super) fn new(transaction: &'a Transaction<'a>, initial: I, on_boards: HashMap<Arc<str>, Arc<str>>) -> Self {
        Self {
            transaction,
            initial: Some(initial),
            hall: Hall::default(),
            persons: Persons::default(),
            games: HashMap::new(),
            captured: HashMap::new(),
            next: 0,
            numbers: HashMap::new(),
            finished: BTreeSet::new(),
            committed_at: 0,
            step: None,
            batch: 0,
            strays: BTreeMap::new(),
            built: Built::default(),
            on_boards,
            made: HashSet::new(),
            unassigned: HashMap::new(),
        }
    }

    /// Writes everything.
    pub(super) fn build(mut self, salvage: &Salvage, wanted: Captured) -> Result<Built, JournalError> {
        let Captured { events: mut wanted, boards } = wanted;
        let saved: HashSet<_> = salvage.entries.iter().filter_map(of_capture).collect();
        wanted.retain(|event| !saved.contains(&(&*event.game, event.at, json(&event.event).unwrap_or_default())));
        wanted.sort_by_key(|event| event.at);
        self.persons(salvage)?;
        let mut wanted = wanted.into_iter().peekable();
        for entry in &salvage.entries {
            while let Some(event) = wanted.next_if(|event| event.at < entry.committed_at()) {
                self.captured(event)?;
            }
            self.committed_at = self.committed_at.max(entry.committed_at());
            match entry {
                Entry::Game(event) => self.saved_event(event)?,
                Entry::Hall(fact) => self.saved_fact(fact)?,
            }
        }
        for event in wanted {
            self.captured(event)?;
        }
        let new = boards.into_iter().map(|new| Ok((new.at, new.board, written(stored::write_board_fact(&new.fact))?)));
        let mut boards = new.collect::<Result<Vec<_>, JournalError>>()?;
        boards.extend(salvage.boards.iter().cloned());
        boards.sort_by_key(|(at, ..)| *at);
        let mut known = HashMap::new();
        for (at, board, fact) in &boards {
            // By the board and the kind of its setting.
            let kind = fact.split_once(':').map_or("", |(kind, _)| kind);
            if known.insert((Arc::clone(board), kind), fact) == Some(fact) {
                continue;
            }
            self.transaction
                .prepare_cached(
                    "INSERT INTO board_event SELECT next, ?1, ?2, ?3, content_sum(next, ?1, ?2, ?3) \
                     FROM (SELECT coalesce(max(number), 0) + 1 AS next FROM board_event)",
                )?
                .execute(params![at, board, fact])?;
        }
        // What a view released is told by numbers of entries: it holds as long as those are the same.
        let moved = self.numbers.iter().filter(|(old, new)| old != new).map(|(old, _)| *old).min();
        let (held, gone): (Vec<_>, Vec<_>) =
            salvage.releases.iter().partition(|(known, _)| moved.is_none_or(|moved| *known <= moved));
        for (_, values) in held {
            self.transaction
                .prepare_cached("INSERT INTO release VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?
                .execute(params_from_iter(values))?;
        }
        if !gone.is_empty() {
            self.built.not_had.push(Loss::StreamNumbers.into());
        }
        for (section, round) in &self.finished {
            self.transaction.execute("INSERT INTO finished_round VALUES (?1, ?2)", params![section, round])?;
        }
        for written in self.games.values() {
            let over = !written.fold.is_running();
            self.transaction
                .prepare_cached("UPDATE game SET over = ?2 WHERE key = ?1")?
                .execute(params![written.key, over])?;
        }
        for (game, events) in self.strays {
            self.built.not_had.push(Loss::EventsOfGame { game: game.to_string(), events }.into());
        }
        Ok(self.built)
    }

    fn persons(&mut self, salvage: &Salvage) -> Result<(), JournalError> {
        for (id, json) in &salvage.persons {
            if let Ok(person) = stored::read_person(json) {
                self.person(PlayerId(*id), &person)?;
            }
        }
        Ok(())
    }

    fn person(&mut self, id: PlayerId, person: &PersonRecord) -> Result<(), JournalError> {
        self.transaction
            .prepare_cached("INSERT OR REPLACE INTO person VALUES (?1, ?2, content_sum(?1, ?2))")?
            .execute(params![id.0, written(stored::write_person(person))?])?;
        self.persons.set(id, Some(person.clone()));
        Ok(())
    }

    fn saved_fact(&mut self, saved: &SavedFact) -> Result<(), JournalError> {
        let recorded = &saved.recorded;
        self.numbers.insert(recorded.number, self.next);
        self.fact(
            (&recorded.fact, &saved.json, saved.tags.as_deref()),
            (recorded.committed_at, recorded.effective_at),
            &saved.author,
            recorded.reason.as_deref(),
        )
    }

    fn saved_event(&mut self, saved: &SavedEvent) -> Result<(), JournalError> {
        let at = &saved.game;
        if let Event::Move { ply, uci, .. } = &saved.event {
            // After a loss a session may have found moves again that a capture tells better.
            let known = self.games.get(&at.game).map(|game| game.fold.moves()).unwrap_or_default();
            let there = usize::try_from(*ply).ok().and_then(|ply| known.get(ply.checked_sub(1)?));
            match there {
                Some(there) if there.uci == *uci => return Ok(()),
                Some(_) => {
                    let back = Event::Retract { to_ply: ply - 1 };
                    let by = Author::Rule("rebuild".into());
                    self.event(at, saved.at, &by, Evidence::Command, &back, None)?;
                }
                None => {}
            }
        }
        let is_known = self.hall.game_ref(&at.game).is_some();
        if !is_known && matches!(saved.event, Event::GameStarted { .. }) {
            self.pairing_of(saved)?;
        }
        if self.made.contains(&at.game) {
            let day = played_on(&self.hall, at, &saved.event, saved.at);
            for fact in day.into_iter().chain(follow(&self.hall, at, &saved.event)) {
                self.new_fact(&fact, &Author::Rule("rebuild".into()))?;
            }
        }
        let (number, key) = (self.next, self.key(at)?);
        self.numbers.insert(saved.number, number);
        let step = self.numbers.get(&saved.step).copied().unwrap_or(number);
        if matches!(saved.event, Event::Tags { .. }) && saved.tags.is_none() {
            // Their row was damaged; what the pairings say is there.
            let tags = Event::Tags { tags: public_tags(&self.hall, &self.persons, &at.game) };
            let (author, evidence) = (Author::Rule("rebuild".into()), Evidence::Command);
            return self.event(at, saved.at, &author, evidence, &tags, None);
        }
        let game = self.games.entry(Arc::clone(&at.game)).or_default();
        game.fold.apply(&saved.event);
        game.instants.recall(&saved.event, saved.effective_at);
        self.row(
            (number, key, step),
            (saved.at, saved.committed_at, saved.effective_at),
            (&saved.author, &saved.evidence, &saved.json),
            saved.tags.as_deref(),
        )
    }

    /// The pairing of a game whose facts were lost, as far as the game's row tells it.
    fn pairing_of(&mut self, saved: &SavedEvent) -> Result<(), JournalError> {
        let GameRef { game, event: section, round, table } = saved.game.clone();
        let board = self.on_boards.get(&game).cloned();
        let mut facts = Vec::new();
        if *section == *UNASSIGNED {
            facts.extend(board.map(|board| Fact::Unassigned { board, game: Arc::clone(&game) }));
        } else {
            self.made.insert(Arc::clone(&game));
            let known = self.hall.section(&section);
            if known.is_none() {
                facts.push(Fact::SectionSet {
                    section: Arc::clone(&section),
                    settings: SectionSettings::named(&*section),
                });
                self.built.not_had.push(Loss::SectionSettings { section: section.to_string() }.into());
            }
            if known.is_none_or(|known| !known.rounds.contains_key(&round)) {
                let (section, settings) = (Arc::clone(&section), RoundSettings::default());
                facts.push(Fact::RoundSet { section: Arc::clone(&section), round, settings });
                facts.push(Fact::RoundState { section, round, state: RoundState::Running });
            }
            let pair = Pair { number: table, ..Pair::default() };
            facts.push(Fact::Paired { section, round, game: Arc::clone(&game), pair });
            if let Some(board) = board.clone().filter(|board| self.hall.table_of(board) != Some(table)) {
                facts.push(Fact::Seated { table, board: Some(board) });
            }
            let day = DateTime::from_timestamp_millis(i64::try_from(saved.at).unwrap_or_default());
            let day = day.unwrap_or_default().date_naive();
            facts.push(Fact::Began { board, game: Arc::clone(&game), day });
            self.built.not_had.push(Loss::Players { game: game.to_string() }.into());
        }
        for fact in facts {
            self.new_fact(&fact, &Author::Rule("rebuild".into()))?;
        }
        Ok(())
    }
}

/// What a capture would tell again of an entry: game, time, event.
fn of_capture(entry: &Entry) -> Option<(&str, UtcMs, String)> {
    match entry {
        Entry::Game(saved) => Some((&*saved.game.game, saved.at, json(&saved.event).ok()?)),
        Entry::Hall(_) => None,
    }
}
