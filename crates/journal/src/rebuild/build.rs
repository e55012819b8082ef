//! Writes the rows of a new journal: sound entries as they are, and between them what captures tell, as the daemon would have
//! recorded it.
//!
//! It folds hall and games as it goes, so that a captured start finds its pairing and a captured result ends its game. Must
//! not know files.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use chrono::DateTime;
use coded_text::CodedText;
use game_core::event::{Author, Event, Evidence};
use game_core::game::Game;
use game_core::time::UtcMs;
use rusqlite::{Transaction, params, params_from_iter};
use tournament::{
    Fact, GameRef, GamesKnown, Hall, OpenedGame, Opening, Order, Pair, PersonRecord, Persons, PlayerId, RoundSettings,
    RoundState, SectionSettings, UNASSIGNED, date_tag, decide, due, follow, open_game, played_on, public_tags,
};

use super::salvage::{Entry, Salvage, SavedEvent, SavedFact};
use super::{Captured, CapturedEvent};
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

    /// An event that a capture tells, with what follows from it in the hall.
    fn captured(&mut self, new: CapturedEvent) -> Result<(), JournalError> {
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

    fn new_fact(&mut self, fact: &Fact, by: &Author) -> Result<(), JournalError> {
        let mut bare = fact.clone();
        let tags = bare.tags_mut().map(std::mem::take).filter(|tags| !tags.is_empty());
        let tags = tags.map(|tags| json(&tags)).transpose()?;
        let (stored, author) = (written(stored::write_fact(&bare))?, written(stored::write_author(by))?);
        let now = self.committed_at;
        self.fact((fact, &stored, tags.as_deref()), (now, now), &author, None)
    }

    fn fact(
        &mut self,
        (fact, json, tags): (&Fact, &str, Option<&str>),
        (committed_at, effective_at): (UtcMs, UtcMs),
        author: &str,
        reason: Option<&str>,
    ) -> Result<(), JournalError> {
        let number = self.next;
        self.transaction
            .prepare_cached("INSERT INTO hall_event VALUES (?1, ?2, ?3, ?4, ?5, content_sum(?1, ?2, ?3, ?4, ?5))")?
            .execute(params![number, committed_at, effective_at, author, json])?;
        if reason.is_some() || tags.is_some() {
            self.transaction
                .prepare_cached("INSERT INTO hall_text VALUES (?1, ?2, ?3, content_sum(?1, ?2, ?3))")?
                .execute(params![number, reason, tags])?;
        }
        self.next += 1;
        self.hall.apply(fact);
        if let Fact::RoundState { section, round, state } = fact {
            let round = (Arc::clone(section), *round);
            if *state == RoundState::Finished {
                self.finished.insert(round);
            } else {
                self.finished.remove(&round);
            }
        }
        Ok(())
    }

    /// An event that is new in the record; `after` is the game with it, if it is known.
    fn event(
        &mut self,
        at: &GameRef,
        given_out: UtcMs,
        author: &Author,
        evidence: Evidence,
        event: &Event,
        after: Option<Game>,
    ) -> Result<(), JournalError> {
        let (number, key) = (self.next, self.key(at)?);
        let step = self.step.as_ref().map_or(number, |(_, _, step)| *step);
        let (batch, now) = (self.batch, self.committed_at);
        let game = self.games.entry(Arc::clone(&at.game)).or_default();
        let effective_at = game.instants.effective(event, batch, now);
        match after {
            Some(after) => game.fold = after,
            None => {
                game.fold.apply(event);
            }
        }
        let tags = match event {
            Event::Tags { tags } => Some(json(tags)?),
            _ => None,
        };
        let event = if tags.is_some() { json(&Event::Tags { tags: BTreeMap::new() })? } else { json(event)? };
        let author = written(stored::write_author(author))?;
        self.row(
            (number, key, step),
            (given_out, now, effective_at),
            (&author, stored::write_evidence(evidence).as_ref(), &event),
            tags.as_deref(),
        )
    }

    fn row(
        &mut self,
        (number, key, step): (u64, i64, u64),
        (at, committed_at, effective_at): (UtcMs, UtcMs, UtcMs),
        (author, evidence, event): (&str, &str, &str),
        tags: Option<&str>,
    ) -> Result<(), JournalError> {
        self.transaction
            .prepare_cached(
                "INSERT INTO game_event SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \
                 content_sum(?1, id, event, round, ?3, ?4, ?5, ?6, ?7, ?8, ?9) FROM game WHERE key = ?2",
            )?
            .execute(params![number, key, at, committed_at, effective_at, author, evidence, event, step])?;
        if let Some(tags) = tags {
            self.transaction
                .prepare_cached("INSERT INTO game_tags VALUES (?1, ?2, content_sum(?1, ?2))")?
                .execute(params![number, tags])?;
        }
        self.next += 1;
        Ok(())
    }

    /// The key of a game, which is added when it is new.
    fn key(&mut self, at: &GameRef) -> Result<i64, JournalError> {
        if let Some(known) = self.games.get(&at.game) {
            return Ok(known.key);
        }
        self.transaction
            .prepare_cached("INSERT INTO game (id, event, round, tbl, over) VALUES (?1, ?2, ?3, ?4, 0)")?
            .execute(params![at.game, at.event, at.round, at.table])?;
        let key = self.transaction.last_insert_rowid();
        self.games.insert(Arc::clone(&at.game), Written { key, ..Written::default() });
        Ok(key)
    }
}

/// The games that were written, for orders.
struct Folds<'a>(&'a HashMap<Arc<str>, Written>);

impl GamesKnown for Folds<'_> {
    fn game(&self, id: &str) -> Option<Game> {
        self.0.get(id).map(|game| game.fold.clone())
    }
}

/// What a capture would tell again of an entry: game, time, event.
fn of_capture(entry: &Entry) -> Option<(&str, UtcMs, String)> {
    match entry {
        Entry::Game(saved) => Some((&*saved.game.game, saved.at, json(&saved.event).ok()?)),
        Entry::Hall(_) => None,
    }
}

fn json<T: serde::Serialize>(value: &T) -> Result<String, JournalError> {
    written(serde_json::to_string(value))
}

fn written(json: serde_json::Result<String>) -> Result<String, JournalError> {
    json.map_err(|source| JournalError::Damaged { place: "a new entry".into(), source })
}
