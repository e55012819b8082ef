//! The director with a journal on a disk and boards that are none: what it records, and what a restart knows.

mod actor;
mod public;

use std::path::Path;
use std::time::Duration;

use game_core::event::{Author, Event, Evidence, Record, Variant};
use game_core::input::ResultRule;
use game_core::time::Timestamp;

use super::command::OrderRequest;
use super::*;
use crate::director::initial::{EventSettings, InitialTournament};
use journal::{Batch, Committed, DataFolder, Feed, NewEvent};
use tournament::{CorrectionText, GameRef, OpenedGame, Order, PairingFile, Seat, SectionSettings};

/// A director at work, with what tests look at beside it.
pub(crate) struct AtWork {
    pub(crate) director: DirectorHandle,
    pub(crate) feed: Feed,
    recorder: RecorderHandle,
    recorder_thread: JoinHandle<()>,
    running: Running,
}

/// The parts of a director over a data folder, not yet at work.
struct Parts {
    handle: DirectorHandle,
    orders: Orders,
    director: Director,
    feed: Feed,
    recorder: RecorderHandle,
    recorder_thread: JoinHandle<()>,
}

impl Parts {
    fn of(data: &Path, clock: HallClock) -> Self {
        let (journal, reader) = DataFolder::take(data).unwrap().open_journal().unwrap();
        let past = reader.past().unwrap();
        let (recorder, feed, recorder_thread) = journal::start(clock, journal, past.entries.clone()).unwrap();
        let (handle, orders, director) = assemble(clock, recorder.clone(), reader, &past);
        Self { handle, orders, director, feed, recorder, recorder_thread }
    }

    /// Without pairings: each start position is a game. Waits for nothing, also where time is made up.
    fn open_play(data: &Path, clock: HallClock) -> Self {
        let mut parts = Self::of(data, clock);
        for order in InitialTournament::of(EventSettings::default()).unwrap().orders(&parts.handle.hall()) {
            let by = Author::Rule("test".into());
            parts.director.carry_out(&OrderRequest { by, reason: None, basis: Basis::Any, order }).unwrap();
        }
        parts
    }

    fn start(self) -> AtWork {
        let Self { handle, orders, director, feed, recorder, recorder_thread } = self;
        let thread = thread::spawn(|| director.run());
        let running = Running { thread, orders: tokio::spawn(orders.run()) };
        AtWork { director: handle, feed, recorder, recorder_thread, running }
    }
}

/// A director over a data folder, with the feed of its recorder.
pub(crate) fn open(data: &Path, clock: HallClock) -> (DirectorHandle, Feed) {
    let AtWork { director, feed, .. } = Parts::of(data, clock).start();
    (director, feed)
}

/// The director of a hall without pairings: each start position is a game.
pub(crate) fn open_play(data: &Path, clock: HallClock) -> (DirectorHandle, Feed) {
    let AtWork { director, feed, .. } = Parts::open_play(data, clock).start();
    (director, feed)
}

/// The same for tests in which tokio's time is made up: it would pass while a thread is waited for.
pub(crate) fn open_play_as_task(data: &Path, clock: HallClock) -> DirectorHandle {
    let Parts { handle, orders, director, .. } = Parts::open_play(data, clock);
    tokio::spawn(director.run_as_task());
    tokio::spawn(orders.run());
    handle
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn ada() -> Author {
    Author::Operator("Ada".into())
}

fn record(event: Event) -> Record {
    Record { t: Timestamp::ZERO, event, author: Author::Board, evidence: Evidence::StartPosition }
}

/// A start position comes onto a board.
async fn opened(director: &DirectorHandle, board: &str) -> Option<OpenedGame> {
    let started = record(Event::GameStarted { fen: START.into(), variant: Variant::Standard });
    director.link(board.into()).open_game(HallClock::start(1.0).now(), started).await
}

/// A start position comes onto a board; gives which game it is.
async fn start(director: &DirectorHandle, board: &str) -> Option<GameRef> {
    opened(director, board).await.map(|opened| opened.game)
}

/// A move in what a board's task takes to be its game.
fn a_move(game: &GameRef, ply: u32, san: &str, uci: &str) -> Batch {
    let event = Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms: Some(600_000), emt_ms: None };
    let new = NewEvent { at: 1, game: game.clone(), author: Author::Board, evidence: Evidence::Lever, event };
    Batch { games: vec![new], ..Batch::default() }
}

/// A board's task hands such a move in.
fn played(director: &DirectorHandle, board: &str, game: &GameRef, ply: u32, san: &str, uci: &str) {
    director.link(board.into()).hand_in(a_move(game, ply, san, uci));
}

/// Waits until the journal has everything that was handed in before.
async fn settle(director: &DirectorHandle) {
    director.preview(section("settled")).await.unwrap();
}

fn section(slug: &str) -> Order {
    let settings = SectionSettings { auto_publish: true, ..SectionSettings::named("Cup") };
    Order::SetSection { section: slug.into(), settings, confirm: false }
}

fn pairings(rows: &str) -> Order {
    let text = format!("Round;Board;White;Black;Result\n{rows}");
    let file = PairingFile { name: "round.csv".into(), text, guessed_encoding: None };
    Order::LoadPairings { section: "cup".into(), files: vec![file], round: None, confirm: false }
}

/// A hall with a section and two boards at tables 1 and 2.
async fn cup(data: &Path) -> AtWork {
    let at_work = Parts::of(data, HallClock::start(1.0)).start();
    let director = &at_work.director;
    director.order(ada(), None, None, section("cup")).await.unwrap();
    seat(director, &["10001", "10002"]).await;
    at_work
}

/// Boards are found, and a person assigns them to the tables from 1.
pub(crate) async fn seat(director: &DirectorHandle, boards: &[&str]) {
    for board in boards {
        director.register_board(&(*board).into()).await;
    }
    let seats = (1..).zip(boards).map(|(table, board)| Seat { table, board: Some((*board).into()) }).collect();
    director.order(ada(), None, None, Order::SeatBoards { seats }).await.unwrap();
}

/// The moves of a game as the journal has them.
fn sans(data: &Path, game: &str) -> Vec<String> {
    let past = Reader::open_in(data).unwrap().game(game).unwrap();
    past.map_or_else(Vec::new, |past| past.fold().moves().iter().map(|played| played.san.to_string()).collect())
}

#[tokio::test]
async fn orders_survive_a_restart_and_the_second_of_two_operators_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    let looked_at = director.version();
    let first = director.order(ada(), None, Some(looked_at), pairings("1;1;Adler;Bos;\n")).await.unwrap();
    assert!(first.version > looked_at && !first.notes.is_empty(), "{first:?}");
    let second = director.order(Author::Operator("Bob".into()), None, Some(looked_at), section("other")).await;
    assert!(matches!(second, Err(OrderError::Stale)), "{second:?}");
    let hall = director.hall();
    assert!(hall.section("other").is_none(), "half of it was applied");
    drop(director);

    let (again, _) = open(folder.path(), HallClock::start(1.0));
    assert_eq!((&*again.hall(), again.version()), (&*hall, first.version));
    assert_eq!(again.hall().table_of("10002"), Some(2));
    let white = again.hall().game("cup-1-1").unwrap().game.pair.white.unwrap();
    assert_eq!(again.persons().get(white).unwrap().name, "Adler");
}

#[tokio::test]
async fn the_section_of_the_settings_stays_away_over_a_restart_once_it_was_removed() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = Parts::open_play(folder.path(), HallClock::start(1.0)).start();
    director.order(ada(), None, None, section("cup")).await.unwrap();
    let remove = Order::RemoveSection { section: "live-games".into() };
    director.order(ada(), None, None, remove).await.unwrap();
    let hall = director.hall();
    drop(director);
    let (again, _) = open_play(folder.path(), HallClock::start(1.0));
    assert_eq!(again.hall(), hall);
    let path = folder.path().join("round.csv");
    std::fs::write(&path, "Round;Board;White;Black\n1;1;Adler;Bos\n").unwrap();
    let name = Some("Live games".into());
    let settings = EventSettings { name, pairings: vec![path], ..EventSettings::default() };
    assert_eq!(InitialTournament::of(settings).unwrap().orders(&hall), [], "neither do its pairings bring it back");
}

#[tokio::test]
async fn whose_word_a_result_needs_is_known_to_the_board_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    let settings =
        SectionSettings { auto_publish: true, result_rule: ResultRule::Confirmed, ..SectionSettings::named("Cup") };
    let confirmed = Order::SetSection { section: "cup".into(), settings, confirm: false };
    for order in [confirmed, pairings("1;1;Adler;Bos;\n")] {
        director.order(ada(), None, None, order).await.unwrap();
    }
    let opened = opened(&director, "10001").await.unwrap();
    assert_eq!(opened.result_rule, ResultRule::Confirmed);
    played(&director, "10001", &opened.game, 1, "e4", "e2e4");
    // An order is answered when everything before it is on the disk.
    director.order(ada(), None, None, section("other")).await.unwrap();
    drop(director);
    let (again, _) = open(folder.path(), HallClock::start(1.0));
    assert_eq!(again.link("10001".into()).past().await.resume.unwrap().result_rule, ResultRule::Confirmed);
}

#[tokio::test]
async fn boards_in_the_start_position_begin_the_games_of_pairings_that_are_published_later() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = Parts::open_play(folder.path(), HallClock::start(1.0)).start();
    seat(&director, &["10001", "10002"]).await;
    let open = start(&director, "10001").await.unwrap();
    assert_eq!(&*open.event, "live-games");
    director.order(ada(), None, None, section("cup")).await.unwrap();
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    // Its task has not taken the notice yet.
    played(&director, "10001", &open, 1, "e4", "e2e4");
    settle(&director).await;
    assert_eq!(sans(folder.path(), "cup-1-1"), ["e4"]);
    assert!(sans(folder.path(), &open.game).is_empty());
}

#[tokio::test]
async fn the_board_with_a_king_on_e4_gets_the_table_that_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = Parts::of(folder.path(), HallClock::start(1.0)).start();
    director.order(ada(), None, None, section("cup")).await.unwrap();
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n1;2;Clark;Dee;\n")).await.unwrap();
    for board in ["10001", "10002", "10003"] {
        director.register_board(&board.into()).await;
    }
    let playing = start(&director, "10003").await.unwrap();
    played(&director, "10003", &playing, 1, "e4", "e2e4");
    let shown = async |board: &str| {
        director.link(board.into()).king_shown().await;
        settle(&director).await;
        director.hall().seats.clone()
    };
    assert!(shown("10002").await.is_empty(), "no table waits");
    director.order(ada(), None, None, Order::IdentifyTable { table: Some(1) }).await.unwrap();
    assert!(shown("10003").await.is_empty(), "its king is in a game with moves");
    let seats = shown("10002").await;
    assert_eq!(seats.into_iter().collect::<Vec<_>>(), [(1, "10002".into())]);
    assert_eq!(shown("10001").await.len(), 1, "the table has its board");
    assert_eq!(&*start(&director, "10002").await.unwrap().game, "cup-1-1");
}

#[tokio::test]
async fn moves_made_before_the_pairing_become_its_game_while_play_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, feed, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;2;Clark;Dee;\n")).await.unwrap();
    let apart = start(&director, "10001").await.unwrap();
    assert_eq!(&*apart.event, tournament::UNASSIGNED);
    played(&director, "10001", &apart, 1, "e4", "e2e4");
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n1;2;Clark;Dee;\n")).await.unwrap();
    let claim = Order::Adopt { unassigned: apart.game.to_string(), game: "cup-1-1".into(), confirm: false };
    director.order(ada(), None, None, claim).await.unwrap();
    // Its task has not taken the notice yet.
    played(&director, "10001", &apart, 2, "e5", "e7e5");
    settle(&director).await;
    assert_eq!(sans(folder.path(), "cup-1-1"), ["e4", "e5"]);
    assert_eq!(sans(folder.path(), &apart.game), ["e4"]);
    let committed = feed.read_from(0).ready_entries();
    let at = |entry: &Committed| entry.game().map(|entry| entry.game.game.clone());
    assert!(committed.iter().filter_map(at).any(|game| &*game == "cup-1-1"));
}

#[tokio::test]
async fn a_game_of_open_play_becomes_that_of_a_pairing_while_play_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (director, _) = open_play(folder.path(), HallClock::start(1.0));
    director.register_board(&"10001".into()).await;
    let open = start(&director, "10001").await.unwrap();
    assert_eq!(&*open.event, "live-games");
    played(&director, "10001", &open, 1, "e4", "e2e4");
    director.order(ada(), None, None, section("cup")).await.unwrap();
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let claim = Order::Adopt { unassigned: open.game.to_string(), game: "cup-1-1".into(), confirm: false };
    director.order(ada(), None, None, claim).await.unwrap();
    // Its task has not taken the notice yet.
    played(&director, "10001", &open, 2, "e5", "e7e5");
    settle(&director).await;
    assert_eq!(
        (sans(folder.path(), "cup-1-1"), sans(folder.path(), &open.game)),
        (vec!["e4".into(), "e5".into()], vec!["e4".into()])
    );
    let hall = director.hall();
    assert!(hall.game(&open.game).is_none() && hall.section("live-games").unwrap().rounds[&1].games.is_empty());
    drop(director);
    let (again, _) = self::open(folder.path(), HallClock::start(1.0));
    assert_eq!(again.hall(), hall, "a restart finds the same hall");
}

#[tokio::test]
async fn a_game_that_another_board_took_over_hears_that_board_only() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    director.register_board(&"20001".into()).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let game = start(&director, "10001").await.unwrap();
    played(&director, "10001", &game, 1, "e4", "e2e4");
    let swap = Order::SwapBoard { game: game.game.to_string(), board: "20001".into(), exchange: false };
    director.order(ada(), Some("a broken cable".into()), None, swap).await.unwrap();
    // The old board is cleared.
    played(&director, "10001", &game, 2, "a5", "a7a5");
    played(&director, "20001", &game, 2, "e5", "e7e5");
    settle(&director).await;
    assert_eq!(sans(folder.path(), "cup-1-1"), ["e4", "e5"]);
    let [left, taken_over] = ["10001", "20001"].map(|board| director.link(board.into()));
    let (left, taken_over) = ({ left }.past().await, { taken_over }.past().await);
    assert_eq!((left.game, taken_over.game), (None, Some(game)));
    assert_eq!(taken_over.resume.unwrap().moves.len(), 2);
    assert_eq!(director.boards_in_play(), ["20001".into()]);
    assert_eq!(director.hall().table_of("20001"), Some(1));
}

#[tokio::test]
async fn while_the_disk_fails_orders_are_refused_and_boards_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, recorder, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let holder = rusqlite::Connection::open(journal::journal_path(folder.path())).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let game = start(&director, "10001").await.unwrap();
    while !recorder.is_failing() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let refused = director.order(ada(), None, None, section("other")).await.unwrap_err();
    assert!(refused.to_string().starts_with("Nothing was changed, because the journal cannot be written"), "{refused}");
    assert!(director.hall().section("other").is_none());
    played(&director, "10001", &game, 1, "e4", "e2e4");
    holder.execute_batch("ROLLBACK").unwrap();
    while recorder.is_failing() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    settle(&director).await;
    assert_eq!(sans(folder.path(), "cup-1-1"), ["e4"]);
}

#[tokio::test]
async fn of_two_who_change_the_same_the_later_is_told_and_who_changes_another_thing_is_not_hindered() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    let bob = || Author::Operator("Bob".into());
    let named = |name: &str| {
        let settings = SectionSettings::named(name);
        Order::SetSection { section: "cup".into(), settings, confirm: true }
    };
    let seen = director.version();
    let done = director.order_on(ada(), None, Basis::Seen(seen), named("Ada's Cup")).await.unwrap();
    assert_eq!(
        done.version,
        seen + done.facts.len() as u64,
        "by which a page knows whether another order came before its own"
    );
    director.order_on(bob(), None, Basis::Seen(seen), section("other")).await.unwrap();
    let refused = director.order_on(bob(), None, Basis::Seen(seen), named("Bob's Cup")).await;
    let Err(OrderError::Changed(change)) = refused else { panic!("{refused:?}") };
    assert_eq!(Author::Operator(change.by), ada());
    assert_eq!(change.what.to_string(), "section \"cup\": settings changed");
    drop(director);

    // Also after a restart; and Bob may choose his own.
    let (again, _) = open(folder.path(), HallClock::start(1.0));
    let refused = again.order_on(bob(), None, Basis::Seen(seen), named("Bob's Cup")).await;
    let Err(OrderError::Changed(change)) = refused else { panic!("{refused:?}") };
    assert_eq!(*change.what, CorrectionText::Section { section: "cup".into() }.coded());
    again.order_on(bob(), None, Basis::Any, named("Bob's Cup")).await.unwrap();
    assert_eq!(again.hall().section("cup").unwrap().settings.name, "Bob's Cup");
}

const DRAWN: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";

/// A start position of Chess960 comes onto a board; gives which game it is.
async fn drawn(director: &DirectorHandle, board: &str) -> OpenedGame {
    let started = record(Event::GameStarted { fen: DRAWN.into(), variant: Variant::Chess960 });
    director.link(board.into()).open_game(HallClock::start(1.0).now(), started).await.unwrap()
}

#[tokio::test]
async fn a_game_of_a_pairing_begins_anew_with_the_start_that_is_set_up() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n1;2;Cruz;Dahl;\n2;1;Bos;Cruz;\n")).await.unwrap();
    let game = start(&director, "10001").await.unwrap();
    start(&director, "10002").await.unwrap();
    let anew = drawn(&director, "10001").await;
    assert_eq!((&anew.game, anew.tags["White"].as_str()), (&game, "Adler"));
    played(&director, "10001", &game, 1, "e4", "e2e4");
    settle(&director).await;
    let hall = director.hall();
    let known = Reader::open_in(folder.path()).unwrap().game(&game.game).unwrap().unwrap().fold();
    assert_eq!((known.fen(), known.variant(), known.moves().len()), (DRAWN, Variant::Chess960, 1));
    assert!(!known.ended() && known.tags()["White"] == "Adler", "{known:?}");
    assert!(hall.unassigned.is_empty());
    assert_eq!(hall.game(&game.game).unwrap().game.state, tournament::PairingState::Playing);
    assert!(!hall.round("cup", 2).unwrap().published, "no game is over");
    let past = director.link("10001".into()).past().await.resume.unwrap();
    assert_eq!((past.fen.as_str(), past.moves.len()), (DRAWN, 1));
}

#[tokio::test]
async fn an_unassigned_game_without_a_move_ends_where_another_one_begins() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;7;Adler;Bos;\n")).await.unwrap();
    let apart = start(&director, "10001").await.unwrap();
    assert_eq!(&*drawn(&director, "10001").await.game.game, "10001-apart-2");
    settle(&director).await;
    let known = Reader::open_in(folder.path()).unwrap().game(&apart.game).unwrap().unwrap().fold();
    assert!(known.ended() && known.fen() == START, "{known:?}");
}

#[tokio::test]
async fn a_game_whose_pieces_stood_ready_the_evening_before_has_the_date_of_its_first_move() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let game = start(&director, "10001").await.unwrap();
    let day = |days: u64| HallClock::start(1.0).now() + days * 24 * 60 * 60 * 1000;
    for (ply, san, uci, at) in [(1, "e4", "e2e4", day(1)), (2, "e5", "e7e5", day(2))] {
        let mut moved = a_move(&game, ply, san, uci);
        moved.games[0].at = at;
        director.link("10001".into()).hand_in(moved);
    }
    settle(&director).await;
    let known = Reader::open_in(folder.path()).unwrap().game(&game.game).unwrap().unwrap().fold();
    let hall = director.hall();
    let played = hall.game(&game.game).unwrap();
    assert_eq!(Some(played.game.day), Some(played.section.day(day(1))));
    assert_eq!(known.tags()["Date"], played.game.day.unwrap().format("%Y.%m.%d").to_string());
    assert_eq!((known.moves().len(), known.tags()["White"].as_str()), (2, "Adler"));
}
