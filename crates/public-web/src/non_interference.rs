//! What happens inside the delay changes no public byte: two halls whose corrected records agree up to an instant, and differ
//! after it, answer the same until the delay is over.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use futures_util::{SinkExt, StreamExt};
use game_core::event::{Event, Side};
use hall_clock::HandSet;
use notation::pgn::Outcome;
use pairings::score::Score;
use proptest::prelude::*;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::{Limits, Served, Web, routes, serve};
use publish::gate::Delay;
use publish::hub;
use publish::test_hall::{Games, Hall, paired, round, round_state, tags};
use tournament::{Fact, GameRef, RoundSettings, RoundState, SectionSettings};

const MINUTE: u64 = 60_000;

/// The instant at which the halls begin.
const BEGIN: u64 = 1_800_000_000_000;

/// Longer than anything here takes; only a defect waits so long.
const PATIENCE: Duration = Duration::from_mins(1);

/// Games of round 1 at tables 1 to 3, of round 2 at tables 1 and 2.
const GAMES: [(&str, u32, u32); 5] = [("g1", 1, 1), ("g2", 1, 2), ("g3", 1, 3), ("h1", 2, 1), ("h2", 2, 2)];

/// What happens in a hall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Happening {
    Start(usize),
    /// A knight moves: which of the two.
    Play(usize, bool),
    /// The last plies are replaced, each by a move of the other knight.
    Correct(usize, usize),
    /// The players take back.
    TakeBack(usize, usize),
    Amend(usize),
    Clock(usize),
    Unexplained(usize),
    Resolved(usize),
    /// A result, typed by hand.
    Result(usize, &'static str),
    /// It is taken back.
    NoResult(usize),
    /// The board is free.
    End(usize),
    /// The organiser ends round 1.
    Finish,
    Reopen,
    /// An opening that somebody reads from the moves.
    Opening(usize),
}

/// What organisers do, in both halls alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Name(usize),
    Withdraw(usize, bool),
    RoundName,
    Delay(u32),
    Reconnect,
    /// The daemon starts again: minutes by which the date is moved, and whether the machine started again, too.
    Restart(i64, bool),
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Both(Happening),
    Decision(Decision),
}

fn happening() -> impl Strategy<Value = Happening> {
    let game = 0..GAMES.len();
    prop_oneof![
        3 => game.clone().prop_map(Happening::Start),
        9 => (game.clone(), any::<bool>()).prop_map(|(game, knight)| Happening::Play(game, knight)),
        2 => (game.clone(), 1..4_usize).prop_map(|(game, plies)| Happening::Correct(game, plies)),
        1 => (game.clone(), 1..3_usize).prop_map(|(game, plies)| Happening::TakeBack(game, plies)),
        1 => game.clone().prop_map(Happening::Amend),
        1 => game.clone().prop_map(Happening::Clock),
        1 => game.clone().prop_map(Happening::Unexplained),
        1 => game.clone().prop_map(Happening::Resolved),
        2 => (game.clone(), prop_oneof![Just("1-0"), Just("1/2-1/2"), Just("0-1"), Just("0-0")])
            .prop_map(|(game, result)| Happening::Result(game, result)),
        1 => game.clone().prop_map(Happening::NoResult),
        1 => game.clone().prop_map(Happening::End),
        1 => Just(Happening::Finish),
        1 => Just(Happening::Reopen),
        1 => game.prop_map(Happening::Opening),
    ]
}

fn decision() -> impl Strategy<Value = Decision> {
    prop_oneof![
        (0..GAMES.len()).prop_map(Decision::Name),
        ((0..GAMES.len()), any::<bool>()).prop_map(|(game, withdrawn)| Decision::Withdraw(game, withdrawn)),
        Just(Decision::RoundName),
        prop_oneof![Just(5), Just(10), Just(20)].prop_map(Decision::Delay),
        Just(Decision::Reconnect),
        (prop_oneof![Just(0), Just(60)], any::<bool>()).prop_map(|(moved, boot)| Decision::Restart(moved, boot)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![6 => happening().prop_map(Step::Both), 1 => decision().prop_map(Step::Decision)]
}

/// Where each knight of each side stands: at home or out.
fn uci(line: &[bool], knight: bool) -> (String, &'static str) {
    const SQUARES: [[(&str, &str); 2]; 2] = [[("g1", "f3"), ("b1", "c3")], [("g8", "f6"), ("b8", "c6")]];
    let side = line.len() % 2;
    let moved = line.iter().skip(side).step_by(2).filter(|moved| **moved == knight).count();
    let (home, away) = SQUARES[side][usize::from(knight)];
    let (from, to) = if moved % 2 == 0 { (home, away) } else { (away, home) };
    (format!("{from}{to}"), to)
}

type Socket = WebSocketStream<TcpStream>;

/// A hall with everything that serves the public.
struct Site {
    runtime: Arc<Runtime>,
    hall: Option<Hall>,
    set: &'static HandSet,
    folder: tempfile::TempDir,
    router: Router,
    address: std::net::SocketAddr,
    shutdown: CancellationToken,
    sockets: Vec<Socket>,
    /// What they received since it was captured.
    received: Vec<Vec<String>>,
    /// The stream and number of the last message.
    last: (String, u64),
    lines: [Option<Vec<bool>>; GAMES.len()],
    results: [bool; GAMES.len()],
    published: bool,
    finished: bool,
    delay: Delay,
    /// What both halls have in common: plies and results of each game, and whether round 1 was ended. Nothing of it may be
    /// corrected in one hall alone.
    common: ([usize; GAMES.len()], [bool; GAMES.len()], bool),
}

fn game(index: usize) -> (&'static str, GameRef) {
    let (id, round, table) = GAMES[index];
    (id, GameRef { game: id.into(), event: "hall".into(), round, table })
}

impl Site {
    fn open(runtime: &Arc<Runtime>, delay: Delay) -> Self {
        let set: &HandSet = Box::leak(Box::default());
        set.time.store(BEGIN, Ordering::SeqCst);
        let folder = tempfile::tempdir().unwrap();
        let (router, address) = (Router::new(), "127.0.0.1:0".parse().unwrap());
        let mut site = Self {
            runtime: Arc::clone(runtime),
            hall: None,
            set,
            folder,
            router,
            address,
            shutdown: CancellationToken::new(),
            sockets: Vec::new(),
            received: Vec::new(),
            last: (String::new(), 0),
            lines: Default::default(),
            results: Default::default(),
            published: false,
            finished: false,
            delay,
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

    fn start(&mut self, games: Games) {
        let folder: &Path = self.folder.path();
        let hall = Hall::by_hand(self.set, folder);
        hall.know_all(games);
        hall.settle();
        let _inside = self.runtime.enter();
        let (hub, _) = hub::start(hall.public.clone(), hall.clock, hub::Limits::default()).unwrap();
        let web = Arc::new(Web::new(
            hall.public.clone(),
            hub.clone(),
            hall.clock,
            super::tests::page,
            Box::new(|_, _| crate::HealthReport::well()),
        ));
        self.router = routes(&web).0;
        let served = Served::new(self.router.clone()).with_files(&web);
        let listener = self.runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        self.address = listener.local_addr().unwrap();
        self.shutdown = CancellationToken::new();
        self.runtime.spawn(serve(listener, served, Limits::default(), self.shutdown.clone(), move || hub.close()));
        self.hall = Some(hall);
        self.sockets.clear();
        self.received.clear();
        self.connect("");
        self.connect("?event=hall&round=1");
    }

    fn hall(&self) -> &Hall {
        self.hall.as_ref().unwrap()
    }

    fn connect(&mut self, query: &str) {
        let address = self.address;
        let url = format!("ws://{address}/api/v1/live{query}");
        let socket = self.runtime.block_on(async {
            let stream = TcpStream::connect(address).await.unwrap();
            client_async(url, stream).await.unwrap().0
        });
        self.sockets.push(socket);
        self.received.push(Vec::new());
        self.receive();
    }

    fn restart(&mut self, moved_minutes: i64, same_boot: bool) {
        self.shutdown.cancel();
        self.sockets.clear();
        self.router = Router::new();
        let games = self.hall.take().unwrap().end();
        self.set.boot.fetch_add(u64::from(!same_boot), Ordering::SeqCst);
        let now = self.set.time.load(Ordering::SeqCst);
        self.set.time.store(now.saturating_add_signed(moved_minutes * MINUTE.cast_signed()), Ordering::SeqCst);
        self.start(games);
        let (stream, since) = self.last.clone();
        self.connect(&format!("?stream={stream}&since={since}"));
    }

    fn pass(&mut self, ms: u64) {
        // What is on its way has the time at which it was sent.
        self.receive();
        self.set.monotonic_ms.fetch_add(ms, Ordering::SeqCst);
        self.set.time.fetch_add(ms, Ordering::SeqCst);
        self.hall().settle();
    }

    fn decide(&mut self, decision: Decision) {
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
                self.sockets.truncate(2);
                self.received.truncate(2);
                let (stream, since) = self.last.clone();
                self.connect(&format!("?stream={stream}&since={}", since.saturating_sub(1)));
            }
            Decision::Restart(moved, same_boot) => self.restart(moved, same_boot),
        }
        self.hall().settle();
    }

    /// Records what happens, as far as it is possible.
    fn happen(&mut self, happening: Happening) {
        let event = |index: usize, event| vec![(game(index).0, event)];
        match happening {
            Happening::Start(index) => {
                // A start takes a result back that was typed before it.
                let corrects = self.common.1[index];
                if self.lines[index].is_none() && (index < 3 || self.published) && !corrects {
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
            Happening::Finish | Happening::Reopen if self.common.2 => {}
            Happening::Finish => {
                self.finished = true;
                self.hall().record(vec![round_state("hall", 1, RoundState::Finished)], Vec::new());
            }
            Happening::Reopen => {
                self.finished = false;
                self.hall().record(vec![round_state("hall", 1, RoundState::Running)], Vec::new());
            }
            Happening::Opening(index) => self.if_begun(index, tags(&[("Opening", "Knights")])),
        }
        self.hall().settle();
    }

    fn if_begun(&self, index: usize, event: Event) {
        if self.lines[index].is_some() {
            self.hall().record(Vec::new(), vec![(game(index).0, event)]);
        }
    }

    /// A result by hand. The first one of round 1 publishes round 2.
    fn result(&mut self, index: usize, score: Option<Score>) {
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
    fn publish_next(&mut self) {
        if !self.published {
            self.published = true;
            let names = (3..5)
                .map(|index| (game(index).0, tags(&[("White", "Young, Amy"), ("GameId", game(index).0)])))
                .collect();
            self.hall().record_by("auto_publish", vec![round_state("hall", 2, RoundState::Published)], names);
        }
    }

    /// Every public byte at this moment.
    fn captured(&mut self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for path in paths() {
            for (name, value) in
                [("accept-encoding", "identity"), ("accept-encoding", "gzip"), ("if-modified-since", LONG_AGO)]
            {
                let request = Request::builder().uri(&path).header(name, value).body(Body::empty()).unwrap();
                let answer = self.runtime.block_on(async {
                    let response = self.router.clone().oneshot(request).await.unwrap();
                    let (parts, body) = response.into_parts();
                    let bytes = to_bytes(body, usize::MAX).await.unwrap();
                    let text = if value == "gzip" {
                        format!("{bytes:?}")
                    } else {
                        String::from_utf8_lossy(&bytes).into_owned()
                    };
                    format!("{:?} {:?} {text}", parts.status, parts.headers)
                });
                all.push((format!("{path} {value}"), answer));
            }
        }
        self.receive();
        for (index, received) in self.received.iter_mut().enumerate() {
            all.push((format!("socket {index}"), std::mem::take(received).join("\n")));
        }
        all
    }

    fn receive(&mut self) {
        for index in 0..self.sockets.len() {
            let frames = self.frames(index);
            for text in &frames {
                self.note(text);
            }
            self.received[index].extend(frames);
        }
    }

    /// What a socket received up to now.
    fn frames(&mut self, index: usize) -> Vec<String> {
        let socket = &mut self.sockets[index];
        let mut texts = Vec::new();
        self.runtime.block_on(async {
            // Two answers: what was released before the first question is there before the second answer.
            for question in 0..2_u8 {
                if socket.send(Message::Ping(vec![question].into())).await.is_err() {
                    return;
                }
                loop {
                    let next = tokio::time::timeout(PATIENCE, socket.next()).await.expect("the hub answers");
                    match next {
                        Some(Ok(Message::Pong(answer))) if answer[..] == [question] => break,
                        Some(Ok(Message::Text(text))) => texts.push(text.to_string()),
                        Some(Ok(_)) => {}
                        Some(Err(_)) | None => return,
                    }
                }
            }
        });
        texts
    }

    fn note(&mut self, text: &str) {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        if let Some(stream) = json["snapshot"]["stream"].as_str() {
            self.last = (stream.to_owned(), json["snapshot"]["seq"].as_u64().unwrap());
        } else if let Some(seq) = json["seq"].as_u64() {
            self.last.1 = seq;
        }
    }
}

const LONG_AGO: &str = "Sun, 01 Nov 2026 00:00:00 GMT";

fn played(line: &[bool], knight: bool) -> Event {
    let ply = line.len() as u32 + 1;
    let (uci, to) = uci(line, knight);
    let clk_ms = Some(5_400_000 - u64::from(ply) * 1000);
    Event::Move { ply, san: format!("N{to}"), uci, clk_ms, emt_ms: Some(1000) }
}

/// Addresses of everything that is there or might be.
fn paths() -> Vec<String> {
    let mut paths: Vec<String> =
        ["/live.pgn", "/ascii/live.pgn", "/pgn/hall/live.pgn", "/pgn/hall/all.pgn", "/ascii/pgn/hall/all.pgn"]
            .map(str::to_owned)
            .into();
    for round in 1..=3 {
        paths.push(format!("/pgn/hall/round-{round}/games.pgn"));
        paths.push(format!("/pgn/hall/round-{round}/boards-1-2.pgn"));
        paths.push(format!("/api/v1/round?event=hall&round={round}"));
        paths.push(format!("/api/v1/sections/hall/rounds/{round}"));
        paths.push(format!("/embed/round/hall/{round}"));
        paths.push(format!("/api/v1/live?event=hall&round={round}"));
        paths.extend((1..=4).map(|table| format!("/pgn/hall/round-{round}/game-{table}.pgn")));
    }
    let cloud = format!("/get/{}", publish::livechess::id_of("hall"));
    paths.push(format!("{cloud}/tournament.json"));
    for round in 1..=2 {
        paths.push(format!("{cloud}/round-{round}/index.json"));
        paths.extend((1..=3).map(|game| format!("{cloud}/round-{round}/game-{game}.json")));
    }
    for id in ["g1", "g2", "g3", "h1", "h2", "g9"] {
        paths.push(format!("/pgn/game/{id}.pgn"));
        paths.push(format!("/ascii/pgn/game/{id}.pgn"));
        paths.push(format!("/epd/game/{id}.epd"));
        paths.push(format!("/api/v1/games/{id}"));
        paths.push(format!("/game/{id}"));
        paths.push(format!("/embed/game/{id}"));
        paths.push(format!("/board/{id}.svg"));
        paths.push(format!("/board/{id}.png?size=64"));
    }
    let others =
        ["/api/v1/sections", "/api/v1/sections/hall", "/api/v1/sections/hall/players", "/api/v1/round", "/health", "/"];
    paths.extend(others.map(str::to_owned));
    paths
}

fn compare(sites: &mut [Site; 2], when: &str) -> Result<Vec<(String, String)>, TestCaseError> {
    let [one, other] = sites;
    let (one, other) = (one.captured(), other.captured());
    for (one, other) in one.iter().zip(&other) {
        prop_assert_eq!(one, other, "{}", when);
    }
    Ok(one)
}

/// What the two halls do, and when.
#[derive(Clone, Debug)]
struct Story {
    until_over: bool,
    /// In both, with the seconds before each step.
    common: Vec<(u64, Step)>,
    /// A mistake in the first hall only, with the seconds until it is put right.
    mistake: Option<(usize, bool, u64)>,
    /// In each by itself, with the seconds before each.
    futures: [Vec<(u64, Happening)>; 2],
    /// The daemon starts again meanwhile, with the date moved by these minutes.
    restart: Option<(i64, bool)>,
}

fn story() -> impl Strategy<Value = Story> {
    let future = || prop::collection::vec((0..90_u64, happening()), 1..12);
    (
        prop::bool::weighted(0.2),
        prop::collection::vec((0..200_u64, step()), 0..16),
        prop::option::of((0..2_usize, any::<bool>(), 1..120_u64)),
        [future(), future()],
        prop::option::weighted(0.4, (prop_oneof![Just(0_i64), Just(60)], any::<bool>())),
    )
        .prop_map(|(until_over, common, mistake, futures, restart)| Story {
            until_over,
            common,
            mistake,
            futures,
            restart,
        })
}

/// Plays a story; returns whether the halls differ once the delay is over.
fn tell(runtime: &Arc<Runtime>, story: Story) -> Result<bool, TestCaseError> {
    let delay = if story.until_over { Delay::UntilOver } else { Delay::Seconds(600) };
    let mut sites = [Site::open(runtime, delay), Site::open(runtime, delay)];
    let over = |happening: &Happening| {
        matches!(happening, Happening::Result(..) | Happening::NoResult(_) | Happening::Finish | Happening::Reopen)
    };
    // Until the game is over: stories end before the opening.
    let stays = |step: &Step| !story.until_over || !matches!(step, Step::Both(happening) if over(happening));
    for (index, (seconds, step)) in story.common.into_iter().filter(|(_, step)| stays(step)).enumerate() {
        for site in &mut sites {
            site.pass(seconds * 1000);
            match step {
                Step::Both(happening) => site.happen(happening),
                Step::Decision(decision) => site.decide(decision),
            }
        }
        compare(&mut sites, &format!("common step {index}: {step:?}"))?;
    }
    if let Some((index, knight, seconds)) = story.mistake {
        for (number, site) in sites.iter_mut().enumerate() {
            site.happen(Happening::Start(index));
            site.happen(Happening::Play(index, if number == 0 { !knight } else { knight }));
        }
        compare(&mut sites, "after the mistake")?;
        for (number, site) in sites.iter_mut().enumerate() {
            site.pass(seconds * 1000);
            if number == 0 {
                site.happen(Happening::Correct(index, 1));
            }
        }
        compare(&mut sites, "after it was put right")?;
    }
    for site in &mut sites {
        let plies = site.lines.each_ref().map(|line| line.as_ref().map_or(0, Vec::len));
        site.common = (plies, site.results, site.finished);
    }
    let until = match sites[0].delay {
        Delay::Seconds(seconds) => u64::from(seconds) * 1000,
        Delay::UntilOver => 4 * 60 * MINUTE,
    };
    let steps = story.futures.iter().enumerate().flat_map(|(site, future)| {
        let mut at = 0;
        future.iter().map(move |(seconds, happening)| {
            at += seconds * 1000 + 1;
            (at, site, *happening)
        })
    });
    let mut steps: Vec<_> = steps.filter(|(_, _, happening)| !story.until_over || !over(happening)).collect();
    steps.sort_by_key(|(at, site, _)| (*at, *site));
    let mut passed = 0;
    let half = until / 2;
    let mut restart = story.restart;
    for (at, number, happening) in steps.into_iter().filter(|(at, ..)| *at < until) {
        if let Some((moved, same_boot)) = restart.filter(|_| at > half) {
            restart = None;
            for site in &mut sites {
                site.decide(Decision::Restart(moved, same_boot));
            }
            compare(&mut sites, "after a restart")?;
        }
        for site in &mut sites {
            site.pass(at - passed);
        }
        passed = at;
        sites[number].happen(happening);
        compare(&mut sites, &format!("{at} ms after the halls part: {happening:?}"))?;
    }
    for site in &mut sites {
        site.pass(until - passed);
    }
    compare(&mut sites, "when the delay is nearly over")?;
    for site in &mut sites {
        site.pass(61 * MINUTE);
    }
    Ok(sites[0].captured() != sites[1].captured())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_public_byte_tells_what_happens_inside_the_delay(story in story()) {
        let runtime = Arc::new(Runtime::new().unwrap());
        tell(&runtime, story)?;
    }
}

/// Each case plays two halls and reads every address after every step.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(8)
}

#[test]
fn once_the_delay_is_over_the_halls_differ() {
    let runtime = Arc::new(Runtime::new().unwrap());
    let future = |knight| vec![(30, Happening::Start(0)), (30, Happening::Play(0, knight))];
    let common = vec![(0, Step::Both(Happening::Start(1))), (10, Step::Both(Happening::Play(1, true)))];
    let futures = [future(true), future(false)];
    let story = Story { until_over: false, common, mistake: None, futures, restart: None };
    assert!(tell(&runtime, story).unwrap());
}
