//! How much memory games take, counted: the record of a running game, the committed feed, a public view with its latest events;
//! and what stays of a game that is over.
//!
//! `cargo test -p publish --test memory -- --nocapture` prints the figures. SQLite's own memory is not counted.

use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};

use game_core::event::{Author, Event, Side, Variant};
use game_core::game::Game;
use hall_clock::{HallClock, HandSet};
use journal::{Batch, Committed, Journal, NewFact, start};
use notation::pgn::Outcome;
use peak_alloc::PeakAlloc;
use publish::test_hall::{Hall, START};
use tournament::{Fact, GameRef, RoundState};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const GAMES: u32 = 40;

/// Plies of each game: a long one.
const PLIES: u32 = 150;

/// The most bytes that a ply takes in the record of a running game, in the feed, and in a view with its latest events.
const MOST_A_PLY: [usize; 3] = [100, 90, 300];

/// The most bytes that such a game takes in feed and view together an hour after its end.
const MOST_OF_A_GAME: usize = 30_000;

/// The most bytes that it takes in a view once two later rounds have begun.
const MOST_OF_AN_EARLIER_GAME: usize = 4_000;

/// Knights go out and home again.
const KNIGHTS: [(&str, &str); 4] = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];

static TIME: LazyLock<HandSet> = LazyLock::new(HandSet::default);

const TAGS: [(&str, &str); 12] = [
    ("Event", "Spring Open"),
    ("Site", "Oerebro SWE"),
    ("Date", "2026.11.25"),
    ("Round", "1.1"),
    ("White", "Familyname, Given Name"),
    ("Black", "Othername, Given Name"),
    ("WhiteElo", "2143"),
    ("BlackElo", "1987"),
    ("WhiteFideId", "1234567"),
    ("BlackFideId", "7654321"),
    ("TimeControl", "5400+30"),
    ("Board", "1"),
];

/// A move and the reading of the clocks after it.
fn ply(ply: u32) -> [Event; 2] {
    let (san, uci) = KNIGHTS[(ply as usize - 1) % KNIGHTS.len()];
    let left = 5_400_000 - u64::from(ply) * 1000;
    let running = Some(if ply.is_multiple_of(2) { Side::White } else { Side::Black });
    let read_at = TIME.time.load(Ordering::SeqCst);
    [
        Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms: Some(left), emt_ms: Some(1000) },
        Event::Clock { white_ms: Some(left), black_ms: Some(left), running, flag: None, read_at },
    ]
}

/// The record of a game of 150 plies.
fn game() -> Game {
    let mut game = Game::new();
    assert!(game.apply(&Event::GameStarted { fen: START.into(), variant: Variant::Standard }));
    for number in 1..=PLIES {
        for event in ply(number) {
            assert!(game.apply(&event));
        }
    }
    game
}

/// Plays the games in a hall; returns the names of the games.
fn play(hall: &Hall, plies: u32) -> Vec<String> {
    let games: Vec<_> = (1..=GAMES).map(|table| format!("hall-1-{table}")).collect();
    for (table, id) in (1..).zip(&games) {
        let at = GameRef { game: id.as_str().into(), event: "hall".into(), round: 1, table };
        hall.start(&at, &TAGS);
    }
    for number in 1..=plies {
        TIME.time.fetch_add(1000, Ordering::SeqCst);
        hall.record(Vec::new(), games.iter().flat_map(|id| ply(number).map(|event| (id.as_str(), event))).collect());
    }
    games
}

/// Bytes of a feed that begins with these entries, with copies of their own, after it has grown by some more.
fn feed_of(entries: &[Committed]) -> usize {
    let own = |entry: &Committed| match entry {
        Committed::Game(entry) => Committed::Game(Arc::new((**entry).clone())),
        Committed::Hall(entry) => Committed::Hall(Arc::new((**entry).clone())),
    };
    let before = settled();
    let past = entries.iter().map(own).collect();
    let (recorder, _feed, _) = start(HallClock::by_hand(&TIME), Journal::in_memory().unwrap(), past).unwrap();
    for number in 1..=50 {
        let by = Author::Board;
        let fact = Fact::RoundState { section: "hall".into(), round: number, state: RoundState::Running };
        recorder.record(Batch { hall: vec![NewFact { by, reason: None, fact }], ..Batch::default() });
        while recorder.backlog() > 0 {
            std::thread::yield_now();
        }
    }
    settled() - before
}

/// The bytes in use once the recorder and the gate have done their work.
fn settled() -> usize {
    std::thread::sleep(std::time::Duration::from_millis(300));
    MEMORY.current_usage()
}

#[test]
fn games_take_little_memory() {
    let before = MEMORY.current_usage();
    let games: Vec<_> = (0..GAMES).map(|_| game()).collect();
    let a_ply = |bytes: usize| bytes / (GAMES * PLIES) as usize;
    let a_game = |bytes: usize| bytes / GAMES as usize;
    let record = a_ply(MEMORY.current_usage() - before);
    drop(games);

    let folder = tempfile::tempdir().unwrap();
    let hall = Hall::by_hand(&TIME, folder.path());
    let before = settled();
    let games = play(&hall, PLIES);
    let playing = settled() - before;
    let entries = hall.feed.read_from(0).ready_entries();
    let feed = feed_of(&entries);
    drop(entries);
    let view = playing - feed;
    let each = [record, a_ply(feed), a_ply(view)];
    println!("a ply of a running game: {} in a record, {} in the feed, {} in the view", each[0], each[1], each[2]);
    assert!(each.iter().zip(MOST_A_PLY).all(|(bytes, most)| *bytes <= most), "{each:?}");

    for id in &games {
        let result = Event::Result { result: Outcome::Draw, reason: "agreement".into() };
        hall.record(Vec::new(), vec![(id, result), (id, Event::GameEnded)]);
    }
    let over = a_game(settled() - before);
    TIME.time.fetch_add(3_600_000, Ordering::SeqCst);
    hall.gate.catch_up();
    let later = a_game(settled() - before);
    println!("a game that is over: {over} in all; an hour later {later}, of which {} in the feed", a_game(feed));
    assert!(later <= MOST_OF_A_GAME, "{later}");

    for round in 2..=3 {
        let (id, event) = (format!("hall-{round}-1"), Arc::from("hall"));
        hall.start(&GameRef { game: id.as_str().into(), event, round, table: 1 }, &TAGS);
    }
    TIME.time.fetch_add(60_000, Ordering::SeqCst);
    hall.gate.catch_up();
    let earlier = a_game(settled() - before).saturating_sub(a_game(feed));
    println!("{earlier} of it in the view after two more rounds have begun");
    assert!(earlier <= MOST_OF_AN_EARLIER_GAME, "{earlier}");
}
