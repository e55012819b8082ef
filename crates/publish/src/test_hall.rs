//! A hall for tests: made-up games through a real recorder and gate.
#![expect(missing_docs, reason = "support of tests, not an interface")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use game_core::event::{Author, Event, Evidence, Variant};

use super::gate::{self, Gate, History, Policy, PublicView, SectionView};
use hall_clock::{HallClock, HandSet};
use journal::{Batch, Committed, Feed, Journal, NewEvent, NewFact, Reader, RecorderHandle};
use tournament::GameRef;
use tournament::{Fact, Pair, RoundSettings, RoundState, SectionSettings};

/// Knights go out and home again, for as many plies as a test needs.
const SHUFFLE: [(&str, &str); 4] = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The section of every game that names none.
const SECTION: &str = "hall";

pub struct Hall {
    recorder: RecorderHandle,
    recording: JoinHandle<()>,
    pub feed: Feed,
    pub gate: Gate,
    pub public: PublicView,
    /// The section `hall`.
    pub view: SectionView<PublicView>,
    pub clock: HallClock,
    progress: Mutex<Progress>,
}

/// Games by id, with the plies that were played.
pub type Games = BTreeMap<String, (GameRef, u32)>;

struct Progress {
    games: Games,
    entries: u64,
}

/// A section of this name; its games need no boards.
pub fn section(slug: &str, name: &str) -> Fact {
    let settings = SectionSettings { site: "Örebro".into(), boardless_games: true, ..SectionSettings::named(name) };
    Fact::SectionSet { section: slug.into(), settings }
}

pub fn round_state(slug: &str, round: u32, state: RoundState) -> Fact {
    Fact::RoundState { section: slug.into(), round, state }
}

pub fn round(slug: &str, round: u32, settings: RoundSettings) -> Fact {
    Fact::RoundSet { section: slug.into(), round, settings }
}

pub fn paired(at: &GameRef) -> Fact {
    let pair = Pair { number: at.table, ..Pair::default() };
    Fact::Paired { section: Arc::clone(&at.event), round: at.round, game: Arc::clone(&at.game), pair }
}

pub fn tags(tags: &[(&str, &str)]) -> Event {
    Event::Tags { tags: tags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect() }
}

impl Hall {
    /// A hall whose time runs at `speed`; 0 stops it.
    pub fn open(speed: f64) -> Self {
        let journal = Journal::in_memory().unwrap();
        let identity = journal.identity().unwrap();
        let hall = Self::assemble(HallClock::start(speed), journal, History::none(identity), Vec::new());
        hall.record(vec![section(SECTION, "Spring Open")], Vec::new());
        hall
    }

    /// A hall with its journal in an empty folder.
    pub fn in_folder(folder: &Path) -> Self {
        let journal = Journal::open(&folder.join(journal::FILE)).unwrap();
        let identity = journal.identity().unwrap();
        let hall = Self::assemble(HallClock::start(1.0), journal, History::none(identity), Vec::new());
        hall.record(vec![section(SECTION, "Spring Open")], Vec::new());
        hall
    }

    /// A hall whose time is set by hand, over the journal in a folder. Stream names follow from what happened alone.
    pub fn by_hand(set: &'static HandSet, folder: &Path) -> Self {
        let clock = HallClock::by_hand(set);
        let path = folder.join(journal::FILE);
        let (journal, reader) = (Journal::open(&path).unwrap(), Reader::open(&path).unwrap());
        let past = reader.past().unwrap();
        set.time.fetch_max(reader.latest().unwrap().unwrap_or(0), Ordering::SeqCst);
        let is_new = past.entries.is_empty();
        let history =
            History { identity: "test".into(), rounds: past.rounds, reader: Some(Arc::new(reader)), closed: false };
        let hall = Self::assemble(clock, journal, history, past.entries);
        if is_new {
            hall.record(vec![section(SECTION, "Spring Open")], Vec::new());
        }
        hall
    }

    fn assemble(clock: HallClock, journal: Journal, history: History, past: Vec<Committed>) -> Self {
        let entries = past.len() as u64;
        let (recorder, feed, recording) = journal::start(clock, journal, past).unwrap();
        let (gate, _) = gate::open(&feed, clock, history, recorder.downgrade()).unwrap();
        let public = gate.public(Policy::PUBLIC);
        let progress = Mutex::new(Progress { games: BTreeMap::new(), entries });
        let view = public.section_view(SECTION);
        Self { recorder, recording, feed, gate, public, view, clock, progress }
    }

    /// Releases what is due by now.
    pub fn settle(&self) {
        while !self.gate.is_settled() {
            self.gate.catch_up();
        }
    }

    /// A game of the section `hall` begins with these tags; returns when it is released.
    pub fn start_game(&self, id: &str, round: u32, table: u32, tags: &[(&str, &str)]) {
        let at = GameRef { game: id.into(), event: SECTION.into(), round, table };
        self.start(&at, tags);
    }

    /// A game begins with these tags; returns when it is released.
    pub fn start(&self, at: &GameRef, known: &[(&str, &str)]) {
        let slug = &at.event;
        self.know(at);
        let begins = [
            self::round(slug, at.round, RoundSettings::default()),
            round_state(slug, at.round, RoundState::Running),
            paired(at),
        ];
        let started = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
        self.record(begins.into(), vec![(&at.game, started), (&at.game, tags(known))]);
    }

    /// A game of a published pairing begins on a board; returns when the view knows it.
    pub fn begin(&self, at: &GameRef, known: &[(&str, &str)]) {
        let (section, round, game) = (Arc::clone(&at.event), at.round, Arc::clone(&at.game));
        let day = chrono::NaiveDate::default();
        let facts = vec![
            Fact::RoundState { section, round, state: RoundState::Running },
            Fact::Began { board: None, game, day },
        ];
        let started = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
        self.record(facts, vec![(&at.game, started), (&at.game, tags(known))]);
    }

    /// The daemon ends; gives the games, for [`Hall::know_all`].
    pub fn end(self) -> Games {
        let Self { recorder, progress, recording, .. } = self;
        drop(recorder);
        recording.join().unwrap();
        progress.into_inner().unwrap().games
    }

    /// The games of a hall that ended.
    pub fn know_all(&self, games: Games) {
        self.progress.lock().unwrap().games = games;
    }

    /// Events with this id belong to this game.
    pub fn know(&self, at: &GameRef) {
        self.progress.lock().unwrap().games.insert(at.game.to_string(), (at.clone(), 0));
    }

    /// Plays a number of plies; returns when they are released.
    pub fn play(&self, id: &str, plies: u32) {
        for _ in 0..plies {
            let event = {
                let mut progress = self.progress.lock().unwrap();
                let (_, played) = progress.games.get_mut(id).unwrap();
                let (san, uci) = SHUFFLE[*played as usize % SHUFFLE.len()];
                *played += 1;
                let clk_ms = Some(5_400_000 - u64::from(*played) * 1000);
                Event::Move { ply: *played, san: san.into(), uci: uci.into(), clk_ms, emt_ms: Some(1000) }
            };
            self.record(Vec::new(), vec![(id, event)]);
        }
    }

    /// Records another event of a game; returns when it is released.
    pub fn happen(&self, id: &str, event: Event) {
        if let Event::Retract { to_ply } = event {
            self.progress.lock().unwrap().games.get_mut(id).unwrap().1 = to_ply;
        }
        self.record(Vec::new(), vec![(id, event)]);
    }

    /// Waits until hall time has moved on: events of one instant may be one step.
    pub fn next_instant(&self) {
        let now = self.clock.now();
        while self.clock.now() == now {
            std::thread::yield_now();
        }
    }

    /// Records facts and events in one batch; returns when they are released.
    pub fn record(&self, facts: Vec<Fact>, events: Vec<(&str, Event)>) {
        self.record_as(&Author::Operator("arbiter".into()), facts, events);
    }

    /// The same by a rule.
    pub fn record_by(&self, rule: &str, facts: Vec<Fact>, events: Vec<(&str, Event)>) {
        self.record_as(&Author::Rule(rule.into()), facts, events);
    }

    /// Records events in one batch without waiting.
    pub fn hand_in(&self, events: Vec<(&str, Event)>) {
        self.send(&Author::Board, Vec::new(), events);
    }

    /// Waits until all that was recorded is released.
    pub fn wait_for_all(&self) {
        let entries = self.progress.lock().unwrap().entries;
        while self.public.taken() < entries {
            std::thread::yield_now();
        }
    }

    fn record_as(&self, by: &Author, facts: Vec<Fact>, events: Vec<(&str, Event)>) {
        self.send(by, facts, events);
        self.wait_for_all();
    }

    fn send(&self, by: &Author, facts: Vec<Fact>, events: Vec<(&str, Event)>) {
        let mut progress = self.progress.lock().unwrap();
        let at = self.clock.now();
        let draft = |(id, event): (&str, Event)| NewEvent {
            at,
            game: progress.games[id].0.clone(),
            author: Author::Board,
            evidence: Evidence::Lever,
            event,
        };
        let games: Vec<_> = events.into_iter().map(draft).collect();
        progress.entries += (facts.len() + games.len()) as u64;
        let hall = facts.into_iter().map(|fact| NewFact { by: by.clone(), reason: None, fact }).collect();
        self.recorder.record(Batch { hall, games, ..Batch::default() });
    }
}
