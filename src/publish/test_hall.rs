//! A hall for tests: made-up games through a real recorder and gate.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, mpsc};

use game_core::event::{Author, Event, Evidence, Variant};

use super::gate::{self, History, View};
use crate::hall_clock::HallClock;
use crate::record::{self, Draft, GameRef, HandIn, RecorderHandle};
use crate::store::Journal;
use crate::tournament::until_office::EventInfo;

/// Knights go out and home again, for as many plies as a test needs.
const SHUFFLE: [(&str, &str); 4] = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) struct Hall {
    recorder: RecorderHandle,
    pub(crate) view: View,
    pub(crate) clock: HallClock,
    progress: Mutex<Progress>,
}

struct Progress {
    games: BTreeMap<String, (GameRef, u32)>,
    version: u64,
    released: mpsc::Receiver<()>,
}

impl Hall {
    /// A hall whose time runs at `speed`; 0 stops it.
    pub(crate) fn open(speed: f64) -> Self {
        let clock = HallClock::start(speed);
        let journal = Journal::in_memory().unwrap();
        let history = History::none(journal.identity().unwrap());
        let (recorder, feed, _) = record::start(clock, journal, Vec::new()).unwrap();
        let event = EventInfo { slug: "hall".into(), name: "Spring Open".into(), site: "Örebro".into() };
        let (view, _) = gate::open(&feed, Arc::new(event), clock, history).unwrap();
        let (sender, released) = mpsc::channel();
        view.watch(move || {
            let _ = sender.send(());
        });
        Self { recorder, view, clock, progress: Mutex::new(Progress { games: BTreeMap::new(), version: 0, released }) }
    }

    /// A game begins; returns when it is public.
    pub(crate) fn start_game(&self, id: &str, round: u32, table: u32, tags: &[(&str, &str)]) {
        let at = GameRef { game: id.into(), event: "hall".into(), round, table };
        let mut progress = self.progress.lock().unwrap();
        progress.games.insert(id.into(), (at.clone(), 0));
        let tags = tags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let started = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
        self.hand_in(&mut progress, vec![(at.clone(), started), (at, Event::Tags { tags })], 1);
    }

    /// So many plies are played; returns when they are public.
    pub(crate) fn play(&self, id: &str, plies: u32) {
        let mut progress = self.progress.lock().unwrap();
        for _ in 0..plies {
            let (at, played) = progress.games.get_mut(id).unwrap();
            let (san, uci) = SHUFFLE[*played as usize % SHUFFLE.len()];
            *played += 1;
            let ply = *played;
            let clk_ms = Some(5_400_000 - u64::from(ply) * 1000);
            let event = Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms, emt_ms: Some(1000) };
            let at = at.clone();
            self.hand_in(&mut progress, vec![(at, event)], 1);
        }
    }

    /// Something else happens; returns when it is public.
    pub(crate) fn happen(&self, id: &str, event: Event) {
        let mut progress = self.progress.lock().unwrap();
        let (at, played) = progress.games.get_mut(id).unwrap();
        if let Event::Retract { to_ply } = event {
            *played = to_ply;
        }
        let at = at.clone();
        self.hand_in(&mut progress, vec![(at, event)], 1);
    }

    fn hand_in(&self, progress: &mut Progress, events: Vec<(GameRef, Event)>, versions: u64) {
        let draft = |(game, event)| Draft {
            at: self.clock.now(),
            game,
            author: Author::Board,
            evidence: Evidence::Lever,
            event,
        };
        let games = events.into_iter().map(draft).collect();
        self.recorder.record(HandIn { games, ..HandIn::default() });
        progress.version += versions;
        while self.view.version() < progress.version {
            progress.released.recv().unwrap();
        }
    }
}
