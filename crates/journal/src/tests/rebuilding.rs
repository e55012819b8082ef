//! Whatever is damaged in a journal, a rebuild gives back what is sound and what captures tell, or leaves the files as they are.

use std::fs;
use std::path::Path;

use game_core::event::{Author, Event, Evidence};
use tournament::{Fact, Hall, Order, Pair, RoundSettings, RoundState, SectionSettings};

use super::{batch, game, open, played, start};
use crate::check::Findings;
use crate::{
    Batch, BoardFact, Captured, CapturedEvent, Committed, DataFolder, FILE, NewBoardFact, NewFact, Notice, Reader,
    Rebuilt, rebuild,
};

const MOVES: [(&str, &str); 4] = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];
const MOVES_OF_A_GAME: u32 = 60;

fn fact(fact: Fact) -> Batch {
    Batch { hall: vec![NewFact { by: Author::Operator("Ada".into()), reason: None, fact }], ..Batch::default() }
}

/// A round of two tables, one of them with a result that was typed; what the captures of board 20077 tell of the other.
fn a_round(data: &Path) -> Captured {
    fs::create_dir_all(data).unwrap();
    let (mut journal, _reader) = open(data);
    let section = || "cup".into();
    let pair = |number| Pair { number, ..Pair::default() };
    let delayed = RoundSettings { default_time_s: Some(900), ..RoundSettings::default() };
    for (number, made) in [
        Fact::SectionSet { section: section(), settings: SectionSettings::named("Cup") },
        Fact::RoundSet { section: section(), round: 1, settings: delayed },
        Fact::Paired { section: section(), round: 1, game: "cup-1-1".into(), pair: pair(1) },
        Fact::Paired { section: section(), round: 1, game: "cup-1-2".into(), pair: pair(2) },
        Fact::Seated { table: 1, board: Some("20077".into()) },
        Fact::RoundState { section: section(), round: 1, state: RoundState::Running },
        Fact::ResultSet {
            game: "cup-1-2".into(),
            result: Some(pairings::score::Score::of_outcome(notation::pgn::Outcome::Draw).unwrap()),
        },
    ]
    .into_iter()
    .enumerate()
    {
        journal.commit(1000 + number as u64, &[fact(made)]).unwrap();
    }
    let at = game(1, 1);
    let began = Fact::Began { board: Some("20077".into()), game: at.game.clone(), day: chrono::NaiveDate::MIN };
    let mut captured = Captured::default();
    let mut tell = |at: u64, event: Event| {
        captured.events.push(CapturedEvent {
            board: "20077".into(),
            game: "cup-1-1".into(),
            at,
            author: Author::Board,
            evidence: Evidence::Lever,
            event,
        });
    };
    let mut started = start(&at);
    started.hall = fact(began).hall;
    started.games.iter_mut().for_each(|new| new.at = 100_000);
    tell(100_000, started.games[0].event.clone());
    journal.commit(100_001, &[started]).unwrap();
    for ply in 1..=MOVES_OF_A_GAME {
        let (san, uci) = MOVES[(ply as usize - 1) % MOVES.len()];
        let when = 100_000 * u64::from(ply + 1);
        let mut moved = batch(&at, vec![played(ply, san, uci)]);
        moved.games[0].at = when;
        tell(when, moved.games[0].event.clone());
        journal.commit(when + 1, &[moved]).unwrap();
    }
    captured.boards = vec![NewBoardFact {
        at: 100_000,
        board: "20077".into(),
        fact: BoardFact::Orientation { rotated: true, white_is_left: Some(false) },
    }];
    captured
}

/// What a journal says: the moves of the game, its events, and the hall.
fn told(data: &Path) -> (usize, Vec<String>, Hall) {
    let reader = Reader::open_in(data).unwrap();
    let past = reader.past().unwrap();
    let mut hall = Hall::default();
    let mut lines = Vec::new();
    for entry in &past.entries {
        match entry {
            Committed::Hall(entry) => hall.apply(&entry.fact),
            Committed::Game(entry) => lines.push(format!("{} {:?}", entry.at, entry.event)),
        }
    }
    let game = reader.game("cup-1-1").unwrap().map(|game| game.fold().moves().len());
    (game.unwrap_or(0), lines, hall)
}

fn rebuilt(data: &Path, captured: &Captured) -> Rebuilt {
    let folder = DataFolder::take(data).unwrap();
    rebuild(&folder, 77_000_000, captured.clone(), |_| Vec::new()).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for name in ["", "-mark"].map(|suffix| format!("{FILE}{suffix}")) {
        fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
}

#[test]
fn whatever_page_is_destroyed_the_game_comes_back_and_what_does_not_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let captured = a_round(&data);
    let before = told(&data);
    assert_eq!(before.0, MOVES_OF_A_GAME as usize);
    let whole = fs::read(data.join(FILE)).unwrap();
    let pages = whole.len() / 4096;
    assert!(pages > 10, "{pages} pages");
    let mut typed = 0;
    for page in 0..pages {
        let left = folder.path().join(format!("page-{page}"));
        copy(&data, &left);
        let mut bytes = whole.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0x5a);
        fs::write(left.join(FILE), bytes).unwrap();
        let Rebuilt::Anew { not_had, aside, .. } = rebuilt(&left, &captured) else {
            // A page that nothing uses.
            assert_eq!(told(&left), before, "page {page}");
            continue;
        };
        assert!(aside.join(FILE).exists() && Notice::read(&left).unwrap().rebuilt);
        let (moves, lines, hall) = told(&left);
        let is_paired = hall.game("cup-1-1").is_some();
        assert!(moves == MOVES_OF_A_GAME as usize || !is_paired, "page {page}: {moves} moves, {not_had:?}");
        if is_paired {
            assert!(
                lines.iter().filter(|line| line.contains("Move")).count() == MOVES_OF_A_GAME as usize,
                "page {page}"
            );
        } else {
            // The pairings were on that page, and no capture has them.
            assert!(
                not_had.iter().any(|line| line.english.contains("the pairing of game cup-1-1")),
                "page {page}: {not_had:?}"
            );
        }
        if hall.game("cup-1-2").is_some_and(|found| found.game.result.is_some()) {
            typed += 1;
        } else {
            assert!(!not_had.is_empty(), "page {page}: a typed result is gone and nobody says so");
        }
        let mut findings = Findings::default();
        Reader::open_in(&left).unwrap().check_rows(&mut findings).unwrap();
        assert_eq!(findings.faults, [], "page {page}");
    }
    assert!(typed > pages / 2, "a typed result survives most damage: {typed} of {pages}");
}

#[test]
fn a_sound_journal_with_captures_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let captured = a_round(folder.path());
    let before = fs::read(folder.path().join(FILE)).unwrap();
    assert_eq!(rebuilt(folder.path(), &captured), Rebuilt::NothingToDo { missing: Vec::new() });
    assert_eq!(fs::read(folder.path().join(FILE)).unwrap(), before);
    assert!(Notice::read(folder.path()).is_none());
    assert!(!folder.path().join("rebuild-unfinished").exists());
}

#[test]
fn what_was_lost_before_the_daemon_went_on_comes_between_what_was_recorded_before_and_after() {
    let folder = tempfile::tempdir().unwrap();
    let (data, older) = (folder.path().join("data"), folder.path().join("older"));
    let captured = a_round(&data);
    let before = told(&data);
    // An older copy: without the last twenty moves.
    fs::create_dir(&older).unwrap();
    let hand = rusqlite::Connection::open(data.join(FILE)).unwrap();
    let identity: String = hand.query_row("SELECT identity FROM journal", [], |row| row.get(0)).unwrap();
    hand.execute("VACUUM INTO ?1", [older.join(FILE).to_str()]).unwrap();
    drop(hand);
    let hand = rusqlite::Connection::open(older.join(FILE)).unwrap();
    hand.execute_batch(
        "DROP TRIGGER game_event_is_not_removed; \
         DELETE FROM game_event WHERE number > (SELECT max(number) - 20 FROM game_event)",
    )
    .unwrap();
    hand.execute("UPDATE journal SET identity = ?1", [identity]).unwrap();
    hand.execute_batch(
        "CREATE TRIGGER game_event_is_not_removed BEFORE DELETE ON game_event BEGIN SELECT RAISE(ABORT, ''); END",
    )
    .unwrap();
    drop(hand);
    fs::remove_file(data.join(FILE)).unwrap();
    fs::copy(older.join(FILE), data.join(FILE)).unwrap();
    // The daemon starts on it, says what is missing, and goes on: the board showed the last position, and play went on.
    let (mut journal, reader) = open(&data);
    assert_eq!(Notice::read(&data).unwrap().missing.len(), 1);
    let at = game(1, 1);
    for (ply, (san, uci)) in (MOVES_OF_A_GAME - 19..=MOVES_OF_A_GAME + 1).zip(MOVES.iter().cycle()) {
        let mut moved = batch(&at, vec![played(ply, san, uci)]);
        moved.games[0].at = 50_000_000;
        journal.commit(50_000_000, &[moved]).unwrap();
    }
    drop((journal, reader));

    let Rebuilt::Anew { restored, not_had, .. } = rebuilt(&data, &captured) else { panic!("nothing was done") };
    assert_eq!(restored, 20, "{not_had:?}");
    let (moves, lines, _) = told(&data);
    assert_eq!(moves, MOVES_OF_A_GAME as usize + 1);
    assert_eq!(lines[..before.1.len()], before.1, "the moves have their own times again");
    assert!(not_had.iter().any(|line| line.english.contains("orders of people")), "{not_had:?}");
}

#[test]
fn moves_of_a_game_that_took_over_open_play_come_back_without_journal_and_pairings() {
    let folder = tempfile::tempdir().unwrap();
    let at = game(1, 1);
    let mut captured = Captured::default();
    let mut tell = |game: &str, at: u64, event: Event| {
        let (author, evidence) = (Author::Board, Evidence::Lever);
        let (board, game) = ("20077".into(), game.into());
        captured.events.push(CapturedEvent { board, game, at, author, evidence, event });
    };
    // The board was plugged in before the pairings were loaded.
    let open_play = "20077-19700101-1";
    tell(open_play, 100_000, start(&at).games[0].event.clone());
    for (ply, (san, uci)) in (1..).zip(MOVES) {
        tell("cup-1-1", 200_000 + u64::from(ply), played(ply, san, uci));
    }
    let settings = SectionSettings { open_play: true, ..SectionSettings::named("Live games") };
    let initial = Order::SetSection { section: "live-games".into(), settings, confirm: true };
    let data = DataFolder::take(folder.path()).unwrap();
    let Rebuilt::Anew { restored, not_had, .. } = rebuild(&data, 77_000_000, captured, |_| vec![initial]).unwrap()
    else {
        panic!("nothing was done")
    };
    assert_eq!(restored, 5, "{not_had:?}");
    let game = Reader::open_in(folder.path()).unwrap().game(open_play).unwrap().unwrap();
    assert_eq!(game.fold().moves().len(), 4);
    let said = not_had.iter().find(|line| line.english.contains("the pairing of game cup-1-1")).unwrap();
    assert!(said.english.contains("Its moves are in the unassigned game 20077-19700101-1 of board 20077"), "{said}");
    assert!(!not_had.iter().any(|line| line.english.contains("do not fit")), "{not_had:?}");
}

#[test]
fn a_game_without_a_move_is_over_where_another_one_began_and_not_where_it_began_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut captured = Captured::default();
    let mut tell = |game: &str, at: u64, event: Event| {
        let (author, evidence) = (Author::Board, Evidence::StartPosition);
        let (board, game) = ("20077".into(), game.into());
        captured.events.push(CapturedEvent { board, game, at, author, evidence, event });
    };
    let usual = start(&game(1, 1)).games[0].event.clone();
    let drawn = Event::GameStarted {
        fen: "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1".into(),
        variant: game_core::event::Variant::Chess960,
    };
    // A session does not say that a game without a move ends.
    let (first, second) = ("20077-19700101-1", "20077-19700101-2");
    tell(first, 100_000, usual.clone());
    tell(second, 200_000, drawn);
    tell(second, 300_000, usual);
    for (ply, (san, uci)) in (1..).zip(MOVES) {
        tell(second, 400_000 + u64::from(ply), played(ply, san, uci));
    }
    let settings = SectionSettings { open_play: true, ..SectionSettings::named("Live games") };
    let initial = Order::SetSection { section: "live-games".into(), settings, confirm: true };
    let data = DataFolder::take(folder.path()).unwrap();
    let Rebuilt::Anew { not_had, .. } = rebuild(&data, 77_000_000, captured, |_| vec![initial]).unwrap() else {
        panic!("nothing was done")
    };
    let reader = Reader::open_in(folder.path()).unwrap();
    let [first, second] = [first, second].map(|game| reader.game(game).unwrap().unwrap().fold());
    assert_eq!((first.ended(), second.ended(), second.moves().len()), (true, false, 4), "{not_had:?}");
    let hall = told(folder.path()).2;
    assert_eq!(hall.playing("20077").map(AsRef::as_ref), Some("20077-19700101-2"));
}

#[test]
fn a_game_that_began_anew_and_whose_pairing_is_lost_does_not_mix_with_a_later_unassigned_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut captured = Captured::default();
    let mut tell = |game: &str, at: u64, event: Event| {
        let (author, evidence) = (Author::Board, Evidence::StartPosition);
        let (board, game) = ("20077".into(), game.into());
        captured.events.push(CapturedEvent { board, game, at, author, evidence, event });
    };
    let usual = start(&game(1, 1)).games[0].event.clone();
    let clock = Event::Clock { white_ms: None, black_ms: None, running: None, flag: None, read_at: 1 };
    let (open_play, apart) = ("20077-19700101-1", "20077-apart-1");
    tell(open_play, 100_000, usual.clone());
    // Its pairing took it over.
    tell("cup-1-1", 150_000, clock);
    tell("cup-1-1", 200_000, usual.clone());
    for (ply, (san, uci)) in (1..).zip(MOVES) {
        tell("cup-1-1", 300_000 + u64::from(ply), played(ply, san, uci));
    }
    tell("cup-1-1", 350_000, Event::GameEnded);
    tell(apart, 400_000, usual);
    tell(apart, 400_001, played(1, MOVES[0].0, MOVES[0].1));
    let settings = SectionSettings { open_play: true, ..SectionSettings::named("Live games") };
    let initial = Order::SetSection { section: "live-games".into(), settings, confirm: true };
    let data = DataFolder::take(folder.path()).unwrap();
    let Rebuilt::Anew { not_had, .. } = rebuild(&data, 77_000_000, captured, |_| vec![initial]).unwrap() else {
        panic!("nothing was done")
    };
    let reader = Reader::open_in(folder.path()).unwrap();
    let game = reader.game(open_play).unwrap().unwrap().fold();
    assert_eq!((game.moves().len(), game.ended()), (4, true), "{not_had:?}");
    assert!(!not_had.iter().any(|line| line.english.contains("do not fit")), "{not_had:?}");
}

#[test]
fn a_game_that_is_brought_back_has_the_day_of_its_first_move() {
    const DAY_MS: u64 = 24 * 60 * 60 * 1000;
    let folder = tempfile::tempdir().unwrap();
    let mut captured = Captured::default();
    let mut tell = |at: u64, event: Event| {
        let (author, evidence) = (Author::Board, Evidence::StartPosition);
        let game = "20077-19700101-1".into();
        captured.events.push(CapturedEvent { board: "20077".into(), game, at, author, evidence, event });
    };
    tell(100_000, start(&game(1, 1)).games[0].event.clone());
    for (day, (san, uci)) in (1..).zip(&MOVES[..2]) {
        tell(u64::from(day) * DAY_MS, played(day, san, uci));
    }
    let settings = SectionSettings { open_play: true, ..SectionSettings::named("Live games") };
    let initial = Order::SetSection { section: "live-games".into(), settings, confirm: true };
    let data = DataFolder::take(folder.path()).unwrap();
    rebuild(&data, 77_000_000, captured, |_| vec![initial]).unwrap();
    let reader = Reader::open_in(folder.path()).unwrap();
    let game = reader.game("20077-19700101-1").unwrap().unwrap().fold();
    assert_eq!((game.tags()["Date"].as_str(), game.moves().len()), ("1970.01.02", 2));
}
