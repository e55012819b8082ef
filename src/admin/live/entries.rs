//! The hall as values by key, for the dashboard.
//!
//! | key | value |
//! | --- | --- |
//! | `me` | name and role of the person |
//! | `hall` | sections, rounds, tables, as `/api/v1/admin/hall` |
//! | `players/SECTION` | the persons of a section by player |
//! | `game/ID` | a game of the current rounds, or an unassigned game that is on a board |
//! | `moves/ID` | moves, events and corrections of the game that the page asked for |
//! | `board/SERIAL` | a board, as in `/api/v1/admin/boards` |
//! | `alarm/ID` | an alarm, as in `/api/v1/admin/alarms` |
//! | `output/NAME` | an output, as in `/api/v1/admin/outputs` |
//! | `source/NAME` | a source, as in `/api/v1/admin/sources`, without its games |
//! | `report/ID` | what visitors report about a game |
//! | `health` | as `/api/v1/admin/health` |
//!
//! Knows nothing of sockets or persons.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use game_core::alarm::Audience;
use game_core::game::Game;
use serde::Serialize;

use super::game::{GameLine, GameMoves, Happened, happened};
use crate::admin::Admin;
use crate::admin::api::alarms::AlarmLine;
use crate::admin::api::boards::{BoardState, ClockShown};
use crate::admin::api::outputs::OutputLine;
use crate::admin::api::players::Person;
use crate::admin::api::sections::HallView;
use crate::admin::api::sources::SourceLine;
use hall_clock::UtcMs;
use journal::{Committed, Feed, FeedReader};
use tournament::{Hall, Round, RoundState, Section};

/// A running clock whose reading differs less from its computed time is not sent again, in ms.
const CLOCK_DRIFT_MS: u64 = 1_500;

/// Values by key.
pub(super) type Entries = BTreeMap<Arc<str>, Entry>;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The persons that it is for; none for all.
    pub(super) audience: Option<Audience>,
    /// The value.
    pub(super) json: Arc<str>,
}

/// What the dashboard knows of the games; shared by all open pages.
#[derive(Debug)]
pub(in crate::admin) struct Live {
    record: Mutex<Record>,
}

#[derive(Debug)]
struct Record {
    feed: FeedReader,
    games: HashMap<Arc<str>, Recorded>,
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
        let record = Record { feed: feed.read_from(0), games: HashMap::new(), clocks: HashMap::new() };
        Self { record: Mutex::new(record) }
    }

    /// Everything as it is now, with the moves of one game.
    pub(super) fn look(&self, admin: &Admin, wanted: Option<&str>) -> Entries {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.read_feed();
        let parts = &admin.parts;
        let (snapshot, now) = (parts.director.snapshot(), parts.hall_clock.now());
        let hall = &*snapshot.hall;
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
            for game in shown_rounds(section).flat_map(|round| &round.games) {
                if let Some(found) = hall.game(&game.id) {
                    let recorded = record.games.get(&game.id);
                    put(format!("game/{}", game.id), Entry::public(&GameLine::paired(hall, &found, recorded)));
                }
            }
        }
        for (id, unassigned) in &hall.unassigned {
            let here = hall.playing(&unassigned.board) == Some(id);
            if let Some(recorded) = record.games.get(id).filter(|_| here && unassigned.adopted_as.is_none()) {
                let line = GameLine::unassigned(id, &unassigned.board, recorded);
                put(format!("game/{id}"), Entry::public(&line));
            }
        }
        if let Some((id, recorded)) = wanted.and_then(|id| record.games.get_key_value(id)) {
            put(format!("moves/{id}"), Entry::public(&GameMoves::of(hall, id, recorded)));
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
        record.forget_finished(hall);
        entries
    }
}

impl Record {
    fn read_feed(&mut self) {
        for entry in self.feed.ready_entries() {
            let Committed::Game(entry) = entry else { continue };
            let recorded = self.games.entry(Arc::clone(&entry.game.game)).or_default();
            if recorded.game.apply(&entry.event) {
                recorded.note(&entry);
            }
        }
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

    /// Forgets the games of rounds that are not shown any more.
    fn forget_finished(&mut self, hall: &Hall) {
        self.games.retain(|id, _| match hall.game(id) {
            Some(found) => {
                found.round.state != RoundState::Finished
                    || shown_rounds(found.section).any(|round| round.number == found.round.number)
            }
            None => true,
        });
    }
}

impl Recorded {
    fn note(&mut self, entry: &journal::RecordedEvent) {
        if matches!(entry.event, game_core::event::Event::Move { .. }) {
            self.last_at = Some(entry.at);
        }
        self.happened.extend(happened(entry));
    }
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
