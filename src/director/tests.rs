//! The director with a journal on a disk and boards that are none: what it records, and what a restart knows.

mod public;

use std::path::Path;

use game_core::event::{Event, Record, Variant};
use game_core::input::ResultRule;
use game_core::time::Timestamp;

use super::*;
use crate::director::initial::{Founding, Wanted};
use journal::DataFolder;
use journal::{self, Feed};
use tournament::GameRef;
use tournament::{PairingFile, SectionSettings};

/// An director over a data folder, with the feed of its recorder.
pub(crate) fn open(data: &Path, clock: HallClock) -> (Director, Feed) {
    let (journal, reader) = DataFolder::take(data).unwrap().open_journal().unwrap();
    let past = reader.past().unwrap();
    let (recorder, feed, _) = journal::start(clock, journal, past.entries.clone()).unwrap();
    (Director::open(clock, recorder, Arc::new(reader), &past), feed)
}

/// The director of a hall without pairings: each start position is a game. Waits for nothing, also where time is made up.
pub(crate) fn open_play(data: &Path, clock: HallClock) -> (Director, Feed) {
    let (director, feed) = open(data, clock);
    for order in Founding::of(Wanted::default()).unwrap().orders(&director.hall()) {
        director.carry_out(&Author::Rule("test".into()), None, None, &order).unwrap();
    }
    (director, feed)
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn ada() -> Author {
    Author::Operator("Ada".into())
}

fn record(event: Event) -> Record {
    Record { t: Timestamp::ZERO, event, author: Author::Board, evidence: Evidence::StartPosition }
}

/// A start position comes onto a board.
fn start(director: &Director, board: &str) -> Option<GameRef> {
    let started = record(Event::GameStarted { fen: START.into(), variant: Variant::Standard });
    director.open_game(board, director.inner.clock.now(), started).map(|opened| opened.game)
}

/// A board's task tells of a move in what it takes to be its game.
fn played(director: &Director, board: &str, game: &GameRef, ply: u32, san: &str, uci: &str) {
    let event = Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms: Some(600_000), emt_ms: None };
    let draft = NewEvent { at: 1, game: game.clone(), author: Author::Board, evidence: Evidence::Lever, event };
    director.batch(board, Batch { games: vec![draft], ..Batch::default() });
}

fn section(slug: &str) -> Order {
    let settings = SectionSettings { auto_publish: true, ..SectionSettings::named("Cup") };
    Order::SetSection { section: slug.into(), settings }
}

fn pairings(rows: &str) -> Order {
    let text = format!("Round;Board;White;Black;Result\n{rows}");
    let file = PairingFile { name: "round.csv".into(), text, windows_1252: false };
    Order::LoadPairings { section: "cup".into(), files: vec![file], confirm: false }
}

/// A hall with a section and two boards at tables 1 and 2.
async fn cup(data: &Path) -> (Director, Feed) {
    let (director, feed) = open(data, HallClock::start(1.0));
    director.order(ada(), None, None, section("cup")).await.unwrap();
    director.welcome(&"10001".into());
    director.welcome(&"10002".into());
    (director, feed)
}

/// The moves of a game as the journal has them.
fn sans(director: &Director, game: &str) -> Vec<String> {
    let past = director.inner.journal.game(game).unwrap();
    past.map_or_else(Vec::new, |past| past.fold().moves().iter().map(|played| played.san.clone()).collect())
}

#[tokio::test]
async fn what_was_ordered_is_known_after_a_restart_and_the_second_of_two_operators_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (director, _) = cup(folder.path()).await;
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
async fn whose_word_a_result_needs_is_known_to_the_board_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let (director, _) = cup(folder.path()).await;
    let settings = r#"{"name": "Cup", "auto_publish": true, "result_rule": "confirmed"}"#;
    let settings = serde_json::from_str(settings).unwrap();
    let confirmed = Order::SetSection { section: "cup".into(), settings };
    for order in [confirmed, pairings("1;1;Adler;Bos;\n")] {
        director.order(ada(), None, None, order).await.unwrap();
    }
    let started = record(Event::GameStarted { fen: START.into(), variant: Variant::Standard });
    let opened = director.open_game("10001", director.inner.clock.now(), started).unwrap();
    assert_eq!(opened.result_rule, ResultRule::Confirmed);
    played(&director, "10001", &opened.game, 1, "e4", "e2e4");
    // An order is answered when everything before it is on the disk.
    director.order(ada(), None, None, section("other")).await.unwrap();
    drop(director);
    let (again, _) = open(folder.path(), HallClock::start(1.0));
    assert_eq!(again.past("10001").resume.unwrap().result_rule, ResultRule::Confirmed);
}

#[tokio::test]
async fn moves_made_before_the_pairing_become_its_game_while_play_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (director, feed) = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;2;Clark;Dee;\n")).await.unwrap();
    let apart = start(&director, "10001").unwrap();
    assert_eq!(&*apart.event, tournament::UNASSIGNED);
    played(&director, "10001", &apart, 1, "e4", "e2e4");
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n1;2;Clark;Dee;\n")).await.unwrap();
    let claim = Order::Adopt { unassigned: apart.game.to_string(), game: "cup-1-1".into(), confirm: false };
    director.order(ada(), None, None, claim).await.unwrap();
    // Its task has not heard of it.
    played(&director, "10001", &apart, 2, "e5", "e7e5");
    director.settle().await.unwrap();
    assert_eq!(sans(&director, "cup-1-1"), ["e4", "e5"]);
    assert_eq!(sans(&director, &apart.game), ["e4"]);
    let told = feed.read_from(0).ready_entries();
    let at = |entry: &Committed| entry.game().map(|entry| entry.game.game.clone());
    assert!(told.iter().filter_map(at).any(|game| &*game == "cup-1-1"));
}

#[tokio::test]
async fn a_game_of_open_play_becomes_that_of_a_pairing_while_play_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (director, _) = open_play(folder.path(), HallClock::start(1.0));
    director.welcome(&"10001".into());
    let open = start(&director, "10001").unwrap();
    assert_eq!(&*open.event, "live-games");
    played(&director, "10001", &open, 1, "e4", "e2e4");
    director.order(ada(), None, None, section("cup")).await.unwrap();
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let claim = Order::Adopt { unassigned: open.game.to_string(), game: "cup-1-1".into(), confirm: false };
    director.order(ada(), None, None, claim).await.unwrap();
    // Its task has not heard of it.
    played(&director, "10001", &open, 2, "e5", "e7e5");
    director.settle().await.unwrap();
    assert_eq!(
        (sans(&director, "cup-1-1"), sans(&director, &open.game)),
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
    let (director, _) = cup(folder.path()).await;
    director.welcome(&"20001".into());
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let game = start(&director, "10001").unwrap();
    played(&director, "10001", &game, 1, "e4", "e2e4");
    let swap = Order::SwapBoard { game: game.game.to_string(), board: "20001".into() };
    director.order(ada(), Some("a broken cable".into()), None, swap).await.unwrap();
    // Somebody clears the old board.
    played(&director, "10001", &game, 2, "a5", "a7a5");
    played(&director, "20001", &game, 2, "e5", "e7e5");
    director.settle().await.unwrap();
    assert_eq!(sans(&director, "cup-1-1"), ["e4", "e5"]);
    assert_eq!((director.past("10001").game, director.past("20001").game), (None, Some(game)));
    assert_eq!(director.past("20001").resume.unwrap().moves.len(), 2);
    assert_eq!(director.boards_in_play(), ["20001".into()]);
    assert_eq!(director.hall().table_of("20001"), Some(1));
}

#[tokio::test]
async fn while_the_disk_fails_orders_are_refused_and_boards_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let (director, _) = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let holder = rusqlite::Connection::open(journal::journal_path(folder.path())).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let game = start(&director, "10001").unwrap();
    while !director.inner.recorder.is_failing() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let refused = director.order(ada(), None, None, section("other")).await.unwrap_err();
    assert!(refused.to_string().starts_with("nothing was changed, because the journal cannot be written"), "{refused}");
    assert!(director.hall().section("other").is_none());
    played(&director, "10001", &game, 1, "e4", "e2e4");
    holder.execute_batch("ROLLBACK").unwrap();
    while director.inner.recorder.is_failing() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    director.settle().await.unwrap();
    assert_eq!(sans(&director, "cup-1-1"), ["e4"]);
}
