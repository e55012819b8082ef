//! A hall with everything that serves the public, in which anything can happen.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use evaluations::Evaluations;
use game_core::event::{Event, Side};
use hall_clock::HandSet;
use notation::pgn::Outcome;
use pairings::score::Score;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::MINUTE;
use super::observer::Viewer;
use super::steps::{Decision, GAMES, Happening, uci};
use crate::{Limits, Served, Web, routes, serve};
use publish::gate::Delay;
use publish::hub;
use publish::test_hall::{Games, Hall, paired, round, round_state, tags};
use tournament::{Fact, GameRef, LoadedPlace, LoadedStandings, PlayerId, RoundSettings, RoundState, SectionSettings};

/// The instant at which the halls begin.
const BEGIN: u64 = 1_800_000_000_000;

/// A hall with everything that serves the public.
pub(super) struct Site {
    pub(super) runtime: Arc<Runtime>,
    pub(super) hall: Option<Hall>,
    pub(super) set: &'static HandSet,
    pub(super) folder: tempfile::TempDir,
    pub(super) web: Option<Arc<Web>>,
    pub(super) router: Router,
    pub(super) address: SocketAddr,
    pub(super) shutdown: CancellationToken,
    /// Those who watch it.
    pub(super) viewers: Vec<Viewer>,
    pub(super) lines: [Option<Vec<bool>>; GAMES.len()],
    pub(super) results: [bool; GAMES.len()],
    pub(super) published: bool,
    pub(super) finished: bool,
    pub(super) delay: Delay,
    /// Standings that were loaded; each is after a round of its own, so that none takes back those before it.
    standings: u32,
    /// What both halls have in common: plies and results of each game, and whether round 1 was ended. Nothing of it may be
    /// corrected in one hall alone.
    pub(super) common: ([usize; GAMES.len()], [bool; GAMES.len()], bool),
}

pub(super) fn game(index: usize) -> (&'static str, GameRef) {
    let (id, round, table) = GAMES[index];
    (id, GameRef { game: id.into(), event: "hall".into(), round, table })
}

impl Site {
    pub(super) fn open(runtime: &Arc<Runtime>, delay: Delay) -> Self {
        let set: &HandSet = Box::leak(Box::default());
        set.time.store(BEGIN, Ordering::SeqCst);
        let folder = tempfile::tempdir().unwrap();
        let (router, address) = (Router::new(), "127.0.0.1:0".parse().unwrap());
        let mut site = Self {
            runtime: Arc::clone(runtime),
            hall: None,
            set,
            folder,
            web: None,
            router,
            address,
            shutdown: CancellationToken::new(),
            viewers: Vec::new(),
            lines: Default::default(),
            results: Default::default(),
            published: false,
            finished: false,
            delay,
            standings: 0,
            common: Default::default(),
        };
        site.start(Games::new());
        let hall = site.hall();
        for index in 0..GAMES.len() {
            hall.know(&game(index).1);
        }
        let settings = RoundSettings { delay: Some(delay), ..RoundSettings::default() };
        let board_delays = [(3, if delay == Delay::UntilOver { delay } else { Delay::Seconds(1800) })].into();
        let section = SectionSettings {
            boardless_games: true,
            auto_publish: true,
            board_delays,
            ..SectionSettings::named("Open")
        };
        let mut facts = vec![
            Fact::SectionSet { section: "hall".into(), settings: section },
            round("hall", 1, settings.clone()),
            round("hall", 2, settings),
        ];
        facts.extend((0..GAMES.len()).map(|index| paired(&game(index).1)));
        facts.push(round_state("hall", 1, RoundState::Published));
        let names =
            (0..3).map(|index| (game(index).0, tags(&[("White", "Adler, Ida"), ("GameId", game(index).0)]))).collect();
        hall.record(facts, names);
        site
    }

    pub(super) fn start(&mut self, games: Games) {
        let folder: &Path = self.folder.path();
        let hall = Hall::by_hand(self.set, folder);
        hall.know_all(games);
        hall.settle();
        let _inside = self.runtime.enter();
        // Messages do not wait, and heartbeats have the time at which they come.
        let limits = hub::Limits {
            beat_every: Duration::from_hours(1),
            message_every: Duration::ZERO,
            ..hub::Limits::default()
        };
        let (hub, _) = hub::start(hall.public.clone(), hall.clock, limits).unwrap();
        let health: crate::Health = Box::new(|_, _| crate::HealthReport::well());
        let web = Web::new(hall.public.clone(), hub.clone(), hall.clock, crate::tests::page, health);
        let web = Arc::new(web.with_evaluations(engine(&hall, folder)));
        self.router = routes(&web).0;
        let served = Served::new(self.router.clone()).with_files(&web);
        let listener = self.runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        self.address = listener.local_addr().unwrap();
        self.shutdown = CancellationToken::new();
        self.runtime.spawn(serve(listener, served, Limits::default(), self.shutdown.clone(), move || hub.close()));
        self.web = Some(web);
        self.hall = Some(hall);
        self.viewers.clear();
        for query in ["", "?event=hall&round=1", "?games=g1,g3"] {
            self.watch(query);
        }
    }

    pub(super) fn hall(&self) -> &Hall {
        self.hall.as_ref().unwrap()
    }

    /// A socket and a reader of server-sent events come with this query; a game may not be there.
    pub(super) fn watch(&mut self, query: &str) {
        self.viewers.extend(Viewer::connect(&self.runtime, self.address, query));
        self.viewers.extend(Viewer::read_events(self.address, query));
        self.receive();
    }

    /// Where the first viewer is: stream and number.
    pub(super) fn last(&self) -> (String, u64) {
        self.viewers.first().map(|viewer| viewer.last.clone()).unwrap_or_default()
    }

    pub(super) fn restart(&mut self, moved_minutes: i64, same_boot: bool) {
        self.shutdown.cancel();
        let (stream, since) = self.last();
        self.viewers.clear();
        (self.router, self.web) = (Router::new(), None);
        let games = self.hall.take().unwrap().end();
        self.set.boot.fetch_add(u64::from(!same_boot), Ordering::SeqCst);
        let now = self.set.time.load(Ordering::SeqCst);
        self.set.time.store(now.saturating_add_signed(moved_minutes * MINUTE.cast_signed()), Ordering::SeqCst);
        self.start(games);
        self.watch(&format!("?stream={stream}&since={since}"));
    }

    pub(super) fn pass(&mut self, ms: u64) {
        // What is on its way has the time at which it was sent.
        self.receive();
        self.set.monotonic_ms.fetch_add(ms, Ordering::SeqCst);
        self.set.time.fetch_add(ms, Ordering::SeqCst);
        self.hall().settle();
    }

    pub(super) fn decide(&mut self, decision: Decision) {
        match decision {
            Decision::Name(index) => {
                self.hall().happen(game(index).0, tags(&[("White", "Adler, Ida M."), ("WhiteElo", "2100")]));
            }
            Decision::Withdraw(index, withdrawn) => {
                self.hall().record(vec![Fact::Withdrawn { game: game(index).0.into(), withdrawn }], Vec::new());
                if withdrawn && index < 3 {
                    self.publish_next();
                }
            }
            Decision::RoundName => {
                let settings =
                    RoundSettings { name: Some("Final".into()), delay: Some(self.delay), ..RoundSettings::default() };
                self.hall().record(vec![round("hall", 1, settings)], Vec::new());
            }
            Decision::Delay(minutes) => {
                self.delay = if self.delay == Delay::UntilOver { self.delay } else { Delay::Seconds(minutes * 60) };
                let settings = RoundSettings { delay: Some(self.delay), ..RoundSettings::default() };
                self.hall().record(vec![round("hall", 1, settings.clone()), round("hall", 2, settings)], Vec::new());
            }
            Decision::Reconnect => {
                let (stream, since) = self.last();
                self.viewers.truncate(2);
                self.watch(&format!("?stream={stream}&since={}", since.saturating_sub(1)));
            }
            Decision::Restart(moved, same_boot) => self.restart(moved, same_boot),
        }
        self.hall().settle();
    }

    /// Records what happens, as far as it is possible.
    pub(super) fn happen(&mut self, happening: Happening) {
        let event = |index: usize, event| vec![(game(index).0, event)];
        match happening {
            // A game that starts in an ended round takes the end back, as `Reopen` does.
            Happening::Start(0..3) | Happening::Finish | Happening::Reopen if self.common.2 => {}
            Happening::Start(index) => {
                if self.lines[index].is_none() && (index < 3 || self.published) {
                    self.lines[index] = Some(Vec::new());
                    self.hall().begin(
                        &game(index).1,
                        &[("White", "Adler, Ida"), ("Date", "2027.01.15"), ("GameId", game(index).0)],
                    );
                }
            }
            Happening::Play(index, knight) => {
                let Some(line) = &mut self.lines[index] else { return };
                let played = played(line, knight);
                line.push(knight);
                self.hall().record(Vec::new(), event(index, played));
            }
            Happening::Correct(index, plies) => {
                let Some(line) = &mut self.lines[index] else { return };
                let to = line.len().saturating_sub(plies).max(self.common.0[index]);
                let replaced = line.split_off(to);
                let mut events = vec![(game(index).0, Event::Retract { to_ply: to as u32 })];
                for knight in replaced {
                    events.push((game(index).0, played(line, !knight)));
                    line.push(!knight);
                }
                self.hall().record(Vec::new(), events);
            }
            Happening::TakeBack(index, plies) => {
                let Some(line) = &mut self.lines[index] else { return };
                line.truncate(line.len().saturating_sub(plies).max(self.common.0[index]));
                let to_ply = line.len() as u32;
                self.hall().record(Vec::new(), event(index, Event::Retract { to_ply }));
            }
            Happening::Amend(index) => {
                let common = self.common.0[index];
                let Some(line) = self.lines[index].as_ref().filter(|line| line.len() > common) else { return };
                let amended = Event::Amend { ply: line.len() as u32, clk_ms: Some(1000), emt_ms: None };
                self.hall().record(Vec::new(), event(index, amended));
            }
            Happening::Clock(index) => {
                let read_at = self.hall().clock.now();
                let (white_ms, black_ms, running) = (Some(1000), Some(2000), Some(Side::White));
                let clock = Event::Clock { white_ms, black_ms, running, flag: None, read_at };
                self.if_begun(index, clock);
            }
            Happening::Unexplained(index) => self.if_begun(index, Event::Unexplained { squares: vec!["e4".into()] }),
            Happening::Resolved(index) => self.if_begun(index, Event::Resolved),
            Happening::Result(index, result) => self.result(index, Some(Score::parse(result).unwrap())),
            Happening::NoResult(index) if self.results[index] => self.result(index, None),
            Happening::NoResult(_) => {}
            Happening::End(index) => self.if_begun(index, Event::GameEnded),
            Happening::Finish => {
                self.finished = true;
                self.hall().record(vec![round_state("hall", 1, RoundState::Finished)], Vec::new());
            }
            Happening::Reopen => {
                self.finished = false;
                self.hall().record(vec![round_state("hall", 1, RoundState::Running)], Vec::new());
            }
            Happening::Standings(leads) => {
                self.standings += 1;
                let standings = LoadedStandings {
                    after_round: 100 + self.standings,
                    tie_breaks: vec!["BH".into()],
                    places: [(PlayerId(1), LoadedPlace { rank: 2 - u32::from(leads), ..LoadedPlace::default() })]
                        .into(),
                };
                let section = "hall".into();
                self.hall().record(vec![Fact::StandingsLoaded { section, standings: standings.into() }], Vec::new());
            }
            Happening::Opening(index) => self.if_begun(index, tags(&[("Opening", "Knights")])),
        }
        self.hall().settle();
    }

    pub(super) fn if_begun(&self, index: usize, event: Event) {
        if self.lines[index].is_some() {
            self.hall().record(Vec::new(), vec![(game(index).0, event)]);
        }
    }

    /// A result by hand. The first one of round 1 publishes round 2.
    pub(super) fn result(&mut self, index: usize, score: Option<Score>) {
        if index >= 3 && !self.published || self.common.1[index] {
            return;
        }
        self.results[index] = score.is_some();
        let id = game(index).0;
        let outcome = score.map_or(Outcome::Unknown, Score::outcome);
        let reason = score.filter(|_| outcome == Outcome::Unknown).map_or("operator".into(), |score| score.to_string());
        let event = Event::Result { result: outcome, reason };
        self.hall().record(vec![Fact::ResultSet { game: id.into(), result: score }], vec![(id, event)]);
        if score.is_some() && index < 3 {
            self.publish_next();
        }
    }

    /// A game of round 1 is settled: round 2 publishes itself.
    pub(super) fn publish_next(&mut self) {
        if !self.published {
            self.published = true;
            let names = (3..5)
                .map(|index| (game(index).0, tags(&[("White", "Young, Amy"), ("GameId", game(index).0)])))
                .collect();
            self.hall().record_by("auto_publish", vec![round_state("hall", 2, RoundState::Published)], names);
        }
    }
}

/// An engine for the games of a hall: a script that answers at once, where the system runs scripts.
fn engine(hall: &Hall, folder: &Path) -> Option<Evaluations> {
    let program = folder.join("sound");
    #[cfg(unix)]
    if !program.exists() {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../uci/tests/fake_engine.sh");
        std::os::unix::fs::symlink(script, &program).unwrap();
    }
    cfg!(unix).then(|| Evaluations::start(&hall.gate, evaluations::Settings::of(program)).unwrap())
}

fn played(line: &[bool], knight: bool) -> Event {
    let ply = line.len() as u32 + 1;
    let (uci, to) = uci(line, knight);
    let clk_ms = Some(5_400_000 - u64::from(ply) * 1000);
    Event::Move { ply, san: format!("N{to}"), uci, clk_ms, emt_ms: Some(1000) }
}
