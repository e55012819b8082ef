//! The hall as values by key, for the dashboard.
//!
//! | key | value |
//! | --- | --- |
//! | `me` | name and role of the person |
//! | `hall` | sections, rounds, tables, as `/api/v1/admin/hall` |
//! | `players/SECTION` | the persons of a section by player |
//! | `game/ID` | a game of the current rounds, one that is played on, or an unassigned game that is on a board |
//! | `past/ID` | the game that the page asked for, as `game/ID`, where it is of another round |
//! | `moves/ID` | moves, events and corrections of the game that the page asked for |
//! | `board/SERIAL` | a board, as in `/api/v1/admin/boards` |
//! | `alarm/ID` | an alarm, as in `/api/v1/admin/alarms` |
//! | `output/NAME` | an output, as in `/api/v1/admin/outputs` |
//! | `source/NAME` | a source, as in `/api/v1/admin/sources`, without its games |
//! | `report/ID` | what visitors report about a game |
//! | `health` | as `/api/v1/admin/health` |
//!
//! What is the same for all pages is made once for each look of all of them. Knows nothing of sockets or persons.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use game_core::alarm::Audience;
use game_core::event::Event;
use game_core::game::Game;
use serde::Serialize;
use tokio::time::Instant;

use super::game::{GameLine, GameMoves, Happened, happened};
use crate::admin::Admin;
use crate::admin::api::alarms::AlarmLine;
use crate::admin::api::boards::{BoardState, ClockShown};
use crate::admin::api::outputs::OutputLine;
use crate::admin::api::players::Person;
use crate::admin::api::sections::HallView;
use crate::admin::api::sources::SourceLine;
use crate::director::Snapshot;
use hall_clock::UtcMs;
use journal::{Committed, Feed, FeedReader, Reader, RecordedEvent};
use tournament::{Found, Hall, PairingState, Round, RoundState, Section, StartPosition};

/// A running clock whose reading differs less from its computed time is not sent again, in ms.
const CLOCK_DRIFT_MS: u64 = 1_500;

/// Games that the hall does not show in memory before all of these are dropped: more than pages show at once.
const KEPT: usize = 64;

/// Values by key.
pub(super) type Entries = BTreeMap<Arc<str>, Entry>;

/// A value.
#[derive(Clone, Debug, Eq)]
pub(super) struct Entry {
    /// The persons that it is for; none for all.
    pub(super) audience: Option<Audience>,
    /// The value.
    pub(super) json: Arc<str>,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        // What did not change from one look to the next is the same text in memory.
        self.audience == other.audience && (Arc::ptr_eq(&self.json, &other.json) || self.json == other.json)
    }
}

/// What a page sees.
#[derive(Clone, Debug, Default)]
pub(super) struct Look {
    /// What is the same for all pages.
    pub(super) hall: Arc<Entries>,
    /// What is for this page only.
    pub(super) own: Entries,
}

/// The hall at one look.
#[derive(Debug)]
struct Made {
    /// The look that it was made for; none for one outside of the common rhythm.
    tick: Option<u32>,
    snapshot: Arc<Snapshot>,
    shown: Shown,
    entries: Arc<Entries>,
}

/// Ids of the games that the hall shows.
type Shown = HashSet<Arc<str>>;

/// What the dashboard knows of the games; shared by all open pages.
#[derive(Debug)]
pub(in crate::admin) struct Live {
    record: Mutex<Record>,
    /// The last look; none before the first page.
    made: Mutex<Option<Arc<Made>>>,
    /// From when ticks are counted.
    begin: Instant,
}

#[derive(Debug)]
struct Record {
    feed: FeedReader,
    /// Those that are shown, and unassigned ones.
    games: HashMap<Arc<str>, Recorded>,
    /// Games that pages ask for and `games` does not have, from the journal.
    past: HashMap<Arc<str>, Recorded>,
    /// Games that are read from the journal at the moment, each with what the feed has of it meanwhile.
    reading: HashMap<Arc<str>, Vec<Arc<RecordedEvent>>>,
    /// The clocks as they were sent, by board.
    clocks: HashMap<String, ClockShown>,
}

/// A game as recorded.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    /// The fold of its events.
    pub(super) game: Game,
    /// When the last move was recorded.
    pub(super) last_at: Option<UtcMs>,
    /// What happened besides moves and clocks.
    pub(super) happened: Vec<Happened>,
    /// The number of its last entry.
    last: Option<u64>,
}

impl Entry {
    /// A value for all.
    pub(super) fn public(value: &impl Serialize) -> Self {
        Self::of(None, value)
    }

    fn of(audience: Option<Audience>, value: &impl Serialize) -> Self {
        // Every value is made of texts, numbers and maps with text keys.
        let json = serde_json::to_string(value).unwrap_or_else(|_| "null".into());
        Self { audience, json: json.into() }
    }
}

impl Live {
    /// Over the committed events.
    pub(in crate::admin) fn new(feed: &Feed) -> Self {
        Self::following(feed.read_from(0))
    }

    fn following(feed: FeedReader) -> Self {
        let record = Record {
            feed,
            games: HashMap::new(),
            past: HashMap::new(),
            reading: HashMap::new(),
            clocks: HashMap::new(),
        };
        Self { record: Mutex::new(record), made: Mutex::new(None), begin: Instant::now() }
    }

    /// The moment of the first tick of all pages.
    pub(super) fn begin(&self) -> Instant {
        self.begin
    }

    /// Everything, with the moves of one game. All pages that look at the same `tick` share one state of the hall; without a
    /// tick it is made anew.
    pub(super) fn look(&self, admin: &Admin, wanted: Option<&str>, tick: Option<u32>) -> Look {
        let made = self.hall(admin, tick);
        let own = wanted.map(|id| self.moves(admin, &made, id)).unwrap_or_default();
        Look { hall: Arc::clone(&made.entries), own }
    }

    /// The hall at this tick. Pages that come while it is made wait for it.
    fn hall(&self, admin: &Admin, tick: Option<u32>) -> Arc<Made> {
        let mut last = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = last.as_ref().filter(|made| tick.is_some() && made.tick >= tick) {
            return Arc::clone(made);
        }
        let mut made = self.make(admin, tick);
        if let Some(last) = &*last {
            made.entries = kept(&last.entries, made.entries);
        }
        let made = Arc::new(made);
        *last = Some(Arc::clone(&made));
        made
    }

    /// The moves of a game, and its line where the hall does not show it.
    fn moves(&self, admin: &Admin, made: &Made, wanted: &str) -> Entries {
        let (hall, shown) = (&*made.snapshot.hall, &made.shown);
        // The feed is read only where the game has to be fetched: the moves agree with the line of the game.
        let missing = !self.record().missing(hall, shown, Some(wanted)).is_empty();
        if missing {
            self.read_past(hall, shown, Some(wanted), |id| Recorded::of_journal(&admin.parts.reader, id));
        }
        let record = self.record();
        let mut entries = Entries::new();
        if let Some(found) = hall.game(wanted) {
            let (id, recorded) = (&found.game.id, record.game(&found.game.id));
            if !shown.contains(id) {
                let line = Entry::public(&GameLine::paired(hall, &found, recorded));
                entries.insert(format!("past/{id}").into(), line);
            }
            let at_start = Recorded::at_start(found.round);
            if let Some(recorded) = recorded.or((!found.game.has_begun()).then_some(&at_start)) {
                entries.insert(format!("moves/{id}").into(), Entry::public(&GameMoves::of(hall, id, recorded)));
            }
        } else if let Some((id, recorded)) = record.games.get_key_value(wanted) {
            entries.insert(format!("moves/{id}").into(), Entry::public(&GameMoves::of(hall, id, recorded)));
        }
        entries
    }

    fn make(&self, admin: &Admin, tick: Option<u32>) -> Made {
        let parts = &admin.parts;
        let (snapshot, now) = (parts.director.snapshot(), parts.hall_clock.now());
        let hall = &*snapshot.hall;
        let shown = shown_games(hall);
        self.read_past(hall, &shown, None, |id| Recorded::of_journal(&parts.reader, id));
        let mut record = self.record();
        record.read_feed(hall, &shown);
        let mut entries = Entries::new();
        let mut put = |key: String, entry: Entry| entries.insert(key.into(), entry);
        put(
            "hall".into(),
            Entry::public(&HallView::of(snapshot.version, hall, parts.director.connected_boards(), now)),
        );
        put("health".into(), Entry::public(&admin.brief_health()));
        for section in hall.sections.values() {
            let persons = section.players.keys().filter_map(|id| {
                let person: Person = snapshot.persons.get(*id)?.clone().into();
                Some((id.0, person))
            });
            let persons: BTreeMap<u32, Person> = persons.collect();
            put(format!("players/{}", section.slug), Entry::public(&persons));
        }
        for found in shown.iter().filter_map(|id| hall.game(id)) {
            let recorded = record.game(&found.game.id);
            put(format!("game/{}", found.game.id), Entry::public(&GameLine::paired(hall, &found, recorded)));
        }
        for (id, unassigned) in &hall.unassigned {
            let here = hall.playing(&unassigned.board) == Some(id);
            if let Some(recorded) = record.games.get(id).filter(|_| here && unassigned.adopted_as.is_none()) {
                let line = GameLine::unassigned(id, &unassigned.board, recorded);
                put(format!("game/{id}"), Entry::public(&line));
            }
        }
        for state in parts.director.board_states() {
            let mut board = BoardState::from(state);
            record.steady(&mut board);
            put(format!("board/{}", board.board), Entry::public(&board));
        }
        for alarm in parts.alarms.list(|_| true) {
            let key = format!("alarm/{}", serde_json::json!(alarm.id));
            let audience = alarm.audience;
            put(key, Entry::of(Some(audience), &AlarmLine::of(alarm)));
        }
        for output in parts.outputs.list() {
            put(format!("output/{}", output.settings.name), Entry::public(&OutputLine::from(output)));
        }
        for source in parts.sources.list() {
            put(format!("source/{}", source.settings.name), Entry::public(&SourceLine::brief(source)));
        }
        for (game, lines) in admin.reports.list() {
            put(format!("report/{game}"), Entry::public(&lines));
        }
        record.forget_finished(hall, &shown);
        drop(record);
        Made { tick, snapshot, shown, entries: Arc::new(entries) }
    }

    /// Reads the games that a look needs and that are not in memory. Other pages go on meanwhile: a disk may be slow.
    fn read_past(&self, hall: &Hall, shown: &Shown, wanted: Option<&str>, read: impl Fn(&str) -> Option<Recorded>) {
        let missing = {
            let mut record = self.record();
            record.read_feed(hall, shown);
            record.missing(hall, shown, wanted)
        };
        for id in missing {
            let recorded = read(&id);
            self.record().put_past(&id, recorded, shown);
        }
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Record {
    fn read_feed(&mut self, hall: &Hall, shown: &Shown) {
        for entry in self.feed.ready_entries() {
            let Committed::Game(entry) = entry else { continue };
            let id = &entry.game.game;
            let begins = matches!(entry.event, Event::GameStarted { .. });
            if let Some(missed) = self.reading.get_mut(id) {
                missed.push(Arc::clone(&entry));
            }
            if begins {
                self.past.remove(id);
            } else if let Some(past) = self.past.get_mut(id) {
                past.add_later(&entry);
                continue;
            }
            // Of a game that went on before, the journal has the beginning.
            let is_whole = begins
                || self.games.contains_key(id)
                || hall.game(id).is_none_or(|found| !found.game.has_begun() && shown.contains(id));
            if !is_whole {
                continue;
            }
            self.games.entry(Arc::clone(id)).or_default().add(&entry);
        }
    }

    /// The games that a look needs and that only the journal has. What the feed has of them from now on is kept for
    /// [`Self::put_past`].
    fn missing(&mut self, hall: &Hall, shown: &Shown, wanted: Option<&str>) -> Vec<Arc<str>> {
        let ids = shown.iter().map(|id| &**id).chain(wanted.filter(|id| !shown.contains(*id)));
        let games = ids.filter_map(|id| hall.game(id)).map(|found| found.game);
        let unknown = games.filter(|game| {
            let is_known = self.games.contains_key(&game.id) || self.past.contains_key(&game.id);
            !is_known && (game.has_begun() || !shown.contains(&game.id))
        });
        let missing: Vec<_> = unknown.map(|game| Arc::clone(&game.id)).collect();
        for id in &missing {
            self.reading.entry(Arc::clone(id)).or_default();
        }
        missing
    }

    /// Takes over a game from the journal, with what happened to it since it was read.
    fn put_past(&mut self, id: &Arc<str>, recorded: Option<Recorded>, shown: &Shown) {
        // Another page that read it at the same time was first: its game has the same, and what came since.
        let Some(missed) = self.reading.remove(id) else { return };
        let Some(mut recorded) = recorded.filter(|_| !self.games.contains_key(id)) else { return };
        for entry in missed {
            recorded.add_later(&entry);
        }
        if self.past.keys().filter(|id| !shown.contains(*id)).count() >= KEPT {
            self.past.retain(|id, _| shown.contains(id));
        }
        self.past.insert(Arc::clone(id), recorded);
    }

    /// A game as recorded; none of which nothing is recorded.
    fn game(&self, id: &str) -> Option<&Recorded> {
        self.games.get(id).or_else(|| self.past.get(id))
    }

    /// Leaves a running clock as it was sent while its time runs as expected.
    fn steady(&mut self, board: &mut BoardState) {
        let Some(clock) = &mut board.clock else {
            self.clocks.remove(&board.board);
            return;
        };
        match self.clocks.get(&board.board) {
            Some(sent) if clock.continues(sent, CLOCK_DRIFT_MS) => *clock = sent.clone(),
            _ => {
                self.clocks.insert(board.board.clone(), clock.clone());
            }
        }
    }

    /// Forgets the games of rounds that are not shown any more, and unassigned ones that are not on their board any more.
    fn forget_finished(&mut self, hall: &Hall, shown: &Shown) {
        self.games.retain(|id, _| match hall.game(id) {
            Some(found) => found.round.state != RoundState::Finished || shown.contains(id),
            None => hall.unassigned.get(id).is_none_or(|apart| hall.playing(&apart.board) == Some(id)),
        });
    }
}

impl Recorded {
    /// A game of this round before anything of it is recorded.
    fn at_start(round: &Round) -> Self {
        let mut recorded = Self::default();
        if let Some(StartPosition { fen, variant, .. }) = &round.start {
            recorded.game.apply(&Event::GameStarted { fen: fen.clone(), variant: *variant });
        }
        recorded
    }

    /// A game of which the feed has no beginning.
    fn of_journal(reader: &Reader, id: &str) -> Option<Self> {
        let past = reader.game(id).unwrap_or_else(|error| {
            tracing::error!(game = %id, %error, "a game of an earlier round cannot be read");
            None
        })?;
        let mut recorded = Self::default();
        past.entries.iter().for_each(|entry| recorded.add(entry));
        Some(recorded)
    }

    /// Adds an entry that may be there already.
    fn add_later(&mut self, entry: &RecordedEvent) {
        if self.last.is_none_or(|last| entry.number > last) {
            self.add(entry);
        }
    }

    fn add(&mut self, entry: &RecordedEvent) {
        self.last = Some(entry.number);
        if self.game.apply(&entry.event) {
            self.note(entry);
        }
    }

    fn note(&mut self, entry: &RecordedEvent) {
        if matches!(entry.event, Event::Move { .. }) {
            self.last_at = Some(entry.at);
        }
        self.happened.extend(happened(entry));
    }
}

/// The entries `now`, with the texts in memory of those that did not change; all of `before` where none did.
fn kept(before: &Arc<Entries>, mut now: Arc<Entries>) -> Arc<Entries> {
    let mut same = before.len() == now.len();
    for (key, entry) in Arc::make_mut(&mut now) {
        match before.get(key) {
            Some(old) if old == entry => *entry = old.clone(),
            _ => same = false,
        }
    }
    if same { Arc::clone(before) } else { now }
}

/// The games that the hall shows: those of the current rounds, and one that is played on a board that they do not need.
fn shown_games(hall: &Hall) -> Shown {
    let (mut shown, mut boards) = (Shown::new(), HashSet::new());
    for section in hall.sections.values() {
        for (round, game) in shown_rounds(section).flat_map(|round| round.games.iter().map(move |game| (round, game))) {
            boards.extend(hall.board_of(&Found { section, round, game }));
            shown.insert(Arc::clone(&game.id));
        }
    }
    let played_on = hall.on_boards.iter().filter(|(board, id)| {
        let plays = |found: Found<'_>| found.game.state == PairingState::Playing;
        !boards.contains(board) && hall.game(id).is_some_and(plays)
    });
    shown.extend(played_on.map(|(_, id)| Arc::clone(id)));
    shown
}

/// The rounds of a section that the dashboard shows: those that are published and not finished; else the last finished one and
/// the one after it.
fn shown_rounds(section: &Section) -> impl Iterator<Item = &Round> {
    let rounds = || section.rounds.values().map(|round| &**round);
    let open = |round: &Round| !matches!(round.state, RoundState::Prepared | RoundState::Finished);
    let any_open = rounds().any(open);
    let last = rounds().filter(|round| round.state == RoundState::Finished).map(|round| round.number).max();
    let next = rounds().filter(|round| round.state == RoundState::Prepared).map(|round| round.number).min();
    rounds().filter(
        move |round| {
            if any_open { open(round) } else { Some(round.number) == last || Some(round.number) == next }
        },
    )
}
