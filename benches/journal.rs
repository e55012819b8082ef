//! What durability costs: commits of the journal against the bare transactions in SQLite, and how long a daemon with ten
//! thousand finished games takes to answer. Prints figures; judges nothing.
//!
//! `cargo bench --bench journal`; the database is made below the folder in `TMPDIR`, whose disk is what is measured.

#[path = "common/measured.rs"]
mod measured;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use game_core::event::{Author, Event, Evidence, Side, Variant};
use journal::{Batch, BoardFact, NewBoardFact, NewEvent, NewFact};
use journal::{DataFolder, FILE, Journal};
use notation::pgn::Outcome;
use pairings::score::Score;
use rusqlite::{Connection, TransactionBehavior, params};
use tournament::GameRef;
use tournament::{Fact, Pair, PlayerId, RoundSettings, RoundState, SectionSettings};

use measured::{Quantiles, daemon};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MOVES: [(&str, &str); 4] = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];

/// Commits of each kind in a round; ours and bare ones take turns, so that both meet the same disk.
const COMMITS: u32 = 300;
const ROUNDS: u32 = 3;

/// Finished rounds, games in each, plies of a game; one more round is being played.
const FINISHED: u32 = 50;
const TABLES: u32 = 200;
const PLIES: u32 = 80;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    for group in [1, 100] {
        commits(&folder.path().join(format!("group-{group}")), group);
    }
    start(&folder.path().join("start"));
}

fn draft(game: &GameRef, event: Event) -> NewEvent {
    NewEvent { at: 1, game: game.clone(), author: Author::Board, evidence: Evidence::Lever, event }
}

fn played(ply: u32) -> Event {
    let (san, uci) = MOVES[(ply - 1) as usize % MOVES.len()];
    Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms: Some(5_400_000), emt_ms: Some(14_000) }
}

fn game(round: u32, table: u32) -> GameRef {
    GameRef { game: format!("cup-{round}-{table}").into(), event: "cup".into(), round, table }
}

/// Latency of commits of so many moves each, and the ratio to the bare transactions.
fn commits(folder: &Path, group: u32) {
    std::fs::create_dir(folder).unwrap();
    let mut journal = Journal::open(&folder.join("ours.sqlite")).unwrap();
    let other = folder.join("bare.sqlite");
    drop(Journal::open(&other).unwrap());
    let mut bare = Connection::open(&other).unwrap();
    for (name, value) in [("journal_mode", "WAL"), ("synchronous", "FULL"), ("foreign_keys", "1")] {
        bare.pragma_update(None, name, value).unwrap();
    }
    let at = game(1, 1);
    let started = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
    journal.commit(1, &[Batch { games: vec![draft(&at, started)], ..Batch::default() }]).unwrap();
    bare.execute("INSERT INTO game VALUES (1, 'cup-1-1', 'cup', 1, 1, 0)", []).unwrap();

    let (mut ply, mut number) = (0, 0);
    for _ in 0..ROUNDS {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..COMMITS {
            let moves: Vec<_> = (1..=group).map(|k| played(ply + k)).collect();
            ply += group;
            let texts: Vec<_> = moves.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
            let hand_ins: Vec<_> =
                moves.into_iter().map(|event| Batch { games: vec![draft(&at, event)], ..Batch::default() }).collect();
            let began = Instant::now();
            journal.commit(1, &hand_ins).unwrap();
            ours.push(began.elapsed());
            let began = Instant::now();
            insert(&mut bare, &texts, &mut number);
            theirs.push(began.elapsed());
        }
        let (ours, theirs) = (Quantiles::of(ours), Quantiles::of(theirs));
        let ratio = ours.p50.as_secs_f64() / theirs.p50.as_secs_f64();
        println!("commit of {group}: {ours}; bare: {theirs}; ratio of medians {ratio:.2}");
    }
}

/// The rows of these events and nothing else.
fn insert(bare: &mut Connection, texts: &[String], number: &mut u64) {
    let transaction = bare.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
    for text in texts {
        let mut insert = transaction
            .prepare_cached("INSERT INTO game_event VALUES (?1, 1, 1, 1, 1, '\"board\"', '\"lever\"', ?2, ?1)")
            .unwrap();
        insert.execute(params![*number, text]).unwrap();
        *number += 1;
    }
    transaction.commit().unwrap();
}

/// A whole game: each ply a move and a reading of the clock.
fn whole_game(at: &GameRef, over: bool) -> Batch {
    let started = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
    let names = [("White", "Adams, Michael"), ("Black", "Baker, Robert"), ("Event", "Cup"), ("Date", "2026.11.20")];
    let tags = names.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let mut events = vec![started, Event::Tags { tags }];
    for ply in 1..=PLIES {
        events.push(played(ply));
        let running = Some(if ply % 2 == 1 { Side::Black } else { Side::White });
        events.push(Event::Clock {
            white_ms: Some(5_400_000),
            black_ms: Some(5_300_000),
            running,
            flag: None,
            read_at: 1,
        });
    }
    if over {
        events.push(Event::Result { result: Outcome::Draw, reason: "kings in the centre".into() });
        events.push(Event::GameEnded);
    }
    let facing = BoardFact::Orientation { rotated: false, white_is_left: Some(true) };
    let board = NewBoardFact { at: 1, board: format!("{}", 10_000 + at.table).into(), fact: facing };
    let hall = facts(at, over).into_iter().map(|fact| NewFact { by: Author::Board, reason: None, fact }).collect();
    let games = events.into_iter().map(|event| draft(at, event)).collect();
    Batch { boards: vec![board], hall, games, ..Batch::default() }
}

/// What the hall knows of a game.
fn facts(at: &GameRef, over: bool) -> Vec<Fact> {
    let (section, round) = (&at.event, at.round);
    let mut facts = Vec::new();
    if at.table == 1 {
        let settings = SectionSettings::named("Cup");
        facts.push(Fact::SectionSet { section: section.clone(), settings });
        facts.push(Fact::RoundSet { section: section.clone(), round, settings: RoundSettings::default() });
        facts.push(Fact::RoundState { section: section.clone(), round, state: RoundState::Running });
    }
    let [white, black] = [2 * at.table, 2 * at.table + 1].map(|player| Some(PlayerId(player)));
    let pair = Pair { number: at.table, white, black, ..Pair::default() };
    facts.push(Fact::Paired { section: section.clone(), round, game: at.game.clone(), pair });
    let board = Some(format!("{}", 10_000 + at.table).into());
    facts.push(Fact::Began { board, game: at.game.clone(), day: NaiveDate::MIN });
    if over {
        facts.push(Fact::ResultSet { game: at.game.clone(), result: Score::of_outcome(Outcome::Draw) });
    }
    facts
}

/// Starts a daemon over a full journal.
fn start(data: &Path) {
    let owner = DataFolder::take(data).unwrap();
    let (mut journal, _) = owner.open_journal().unwrap();
    for round in 1..=FINISHED + 1 {
        let games = (1..=TABLES).map(|table| whole_game(&game(round, table), round <= FINISHED));
        journal.commit(1, &games.collect::<Vec<_>>()).unwrap();
    }
    drop((journal, owner));
    let megabytes = std::fs::metadata(data.join(FILE)).unwrap().len() / 1_000_000;
    println!("journal of {} finished games and {TABLES} running ones: {megabytes} MB", FINISHED * TABLES);

    for _ in 0..ROUNDS {
        let began = Instant::now();
        let (mut daemon, address) = daemon(data, &[]);
        while !answers(address, "/health") {
            std::thread::sleep(Duration::from_millis(1));
        }
        let ready = began.elapsed();
        assert!(answers(address, &format!("/pgn/cup/round-{}/games.pgn", FINISHED + 1)));
        let status = std::fs::read_to_string(format!("/proc/{}/status", daemon.id())).unwrap_or_default();
        let memory = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or("no /proc here").to_owned();
        let began = Instant::now();
        assert!(answers(address, "/pgn/cup/round-1/games.pgn"));
        println!(
            "ready after {} ms, {memory}; the first round, fetched from the journal: {} ms",
            ready.as_millis(),
            began.elapsed().as_millis()
        );
        daemon.kill().unwrap();
        daemon.wait().unwrap();
    }
}

fn answers(address: SocketAddr, path: &str) -> bool {
    let Ok(mut socket) = TcpStream::connect(address) else { return false };
    let mut answer = Vec::new();
    write!(socket, "GET {path} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n").is_ok()
        && socket.read_to_end(&mut answer).is_ok()
        && answer.starts_with(b"HTTP/1.1 200")
}
