//! What comes out of the gate.

use std::path::Path;
use std::sync::Arc;

use game_core::event::{Author, Event, Evidence, Variant};
use notation::pgn::Outcome;

use super::{History, PublicEvent, Since, View};
use crate::hall_clock::HallClock;
use crate::publish::selection::Selection;
use crate::publish::test_hall::Hall;
use crate::record::{self, Draft, GameRef, HandIn, RecorderHandle};
use crate::store::{FILE, Journal, Reader};
use crate::tournament::until_office::EventInfo;

#[test]
fn a_game_goes_public_event_by_event() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 7, &[("White", "Carlsen, Magnus"), ("Black", "Ding, Liren")]);
    hall.play("a", 2);
    let Since::Events(events) = hall.view.since(1, 0) else { panic!("all is kept") };
    assert!(events.iter().map(|event| event.seq).eq(1..=3));
    let PublicEvent::GameStarted { board: 7, tags, variant: Variant::Standard, .. } = &events[0].event else {
        panic!("the tags go out with the start: {:?}", events[0])
    };
    assert_eq!(tags.get("White").map(String::as_str), Some("Carlsen, Magnus"));
    let PublicEvent::Move { ply: 2, fen, .. } = &events[2].event else { panic!("{:?}", events[2]) };
    assert_eq!(fen, "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2");
}

#[test]
fn what_only_arbiters_may_know_stays_inside() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[]);
    hall.happen("a", Event::Unexplained { squares: vec!["e4".into(), "d5".into()] });
    let Since::Events(events) = hall.view.since(1, 1) else { panic!("all is kept") };
    assert_eq!(events[0].event, PublicEvent::Waiting { waiting: true });
}

#[test]
fn an_event_that_does_not_fit_its_game_says_nothing_new() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[]);
    let illegal = Event::Move { ply: 1, san: "Ke3".into(), uci: "e1e3".into(), clk_ms: None, emt_ms: None };
    hall.happen("a", illegal);
    hall.play("a", 1);
    let Since::Events(events) = hall.view.since(1, 1) else { panic!("all is kept") };
    assert_eq!(events[0].event, PublicEvent::Waiting { waiting: false }, "its number is given all the same");
    assert!(matches!(events[1].event, PublicEvent::Move { ply: 1, .. }));
    assert_eq!(hall.view.game("a").unwrap().game.moves().len(), 1);
}

#[test]
fn the_past_is_bounded_and_its_end_is_told() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[]);
    hall.play("a", 5_000);
    let round = hall.view.round(1).unwrap();
    assert_eq!((round.oldest, round.seq), (906, 5_001));
    assert_eq!(hall.view.since(1, 904), Since::Gone);
    let Since::Events(events) = hall.view.since(1, 905) else { panic!("just kept") };
    assert!(events.iter().map(|event| event.seq).eq(906..=5_001));
    assert_eq!(hall.view.since(1, 5_001), Since::Events(Vec::new()));
    assert_eq!(hall.view.since(1, 5_002), Since::Gone, "a number from the future");
    assert_eq!(hall.view.since(1, u64::MAX), Since::Gone);
    assert_eq!(hall.view.since(2, 0), Since::Gone, "a round nobody knows");
}

#[test]
fn a_round_shows_the_latest_game_of_each_table() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 2, &[]);
    hall.start_game("b", 1, 1, &[]);
    assert!(!hall.view.round(1).unwrap().ended());
    hall.happen("a", Event::Result { result: Outcome::Draw, reason: "kings in the centre".into() });
    hall.start_game("c", 1, 2, &[]);
    let latest = hall.view.round(1).unwrap().latest();
    let ids: Vec<_> = latest.iter().map(|game| &*game.at.game).collect();
    assert_eq!(ids, ["b", "c"]);
    assert_eq!(hall.view.round(1).unwrap().games.len(), 3);
    hall.happen("b", Event::GameEnded);
    hall.happen("c", Event::GameEnded);
    assert!(hall.view.round(1).unwrap().ended());
}

#[test]
fn attention_turns_to_the_next_round_when_as_many_play_it() {
    let hall = Hall::open(1.0);
    for table in 1..=3 {
        hall.start_game(&format!("1-{table}"), 1, table, &[]);
    }
    hall.happen("1-3", Event::Result { result: Outcome::WhiteWins, reason: "checkmate".into() });
    hall.start_game("2-3", 2, 3, &[]);
    assert_eq!(hall.view.current_round(), 1, "two still play the first round");
    hall.happen("1-2", Event::GameEnded);
    assert_eq!(hall.view.current_round(), 2, "one and one: on to the next");
    hall.happen("2-3", Event::GameEnded);
    assert_eq!(hall.view.current_round(), 2, "and never back");
    hall.start_game("4-1", 4, 1, &[]);
    assert_eq!(hall.view.current_round(), 4);
}

#[test]
fn streams_of_two_journals_have_different_names() {
    let names = [(); 2].map(|()| Hall::open(1.0).view.round(1).unwrap().stream);
    assert!(names[0].starts_with("hall/1/"));
    assert_ne!(names[0], names[1]);
}

/// The daemon's half from the journal to the view, over a journal in this folder.
fn open_over(folder: &Path) -> (RecorderHandle, View) {
    let (journal, reader) = (Journal::open(&folder.join(FILE)).unwrap(), Reader::open(&folder.join(FILE)).unwrap());
    let clock = HallClock::start(1.0);
    let past = reader.past().unwrap();
    let history =
        History { identity: journal.identity().unwrap(), rounds: past.rounds, reader: Some(Arc::new(reader)) };
    let (recorder, feed, _) = record::start(clock, journal, past.entries).unwrap();
    let event = EventInfo { slug: "hall".into(), name: "Spring Open".into(), site: "?".into() };
    (recorder, super::open(&feed, Arc::new(event), clock, history).unwrap().0)
}

fn events(round: u32, events: Vec<Event>) -> HandIn {
    let game = GameRef { game: format!("hall-{round}-1").into(), event: "hall".into(), round, table: 1 };
    let draft = |event| Draft { at: 1, game: game.clone(), author: Author::Board, evidence: Evidence::Lever, event };
    HandIn { games: events.into_iter().map(draft).collect(), ..HandIn::default() }
}

#[test]
fn after_a_restart_the_view_is_as_it_was_and_old_rounds_come_when_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(&folder.path().join(FILE)).unwrap();
    let start = Event::GameStarted {
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
        variant: Variant::Standard,
    };
    let e4 = Event::Move { ply: 1, san: "e4".into(), uci: "e2e4".into(), clk_ms: None, emt_ms: None };
    let won = Event::Result { result: Outcome::WhiteWins, reason: "kings in the centre".into() };
    for round in 1..=3 {
        journal.commit(1, &[events(round, vec![start.clone(), e4.clone(), won.clone()])]).unwrap();
    }
    let tags = Event::Tags { tags: [("White".to_owned(), "Adams".to_owned())].into() };
    journal.commit(2, &[events(4, vec![start, tags, e4])]).unwrap();
    drop(journal);

    let (_, view) = open_over(folder.path());
    let before: Vec<_> = view.rounds().iter().map(|round| (round.stream.clone(), round.seq)).collect();
    assert_eq!(before.iter().map(|(_, seq)| *seq).collect::<Vec<_>>(), [3, 3, 3, 2]);
    let (recorder, view) = open_over(folder.path());
    let rounds: Vec<_> = view.rounds().iter().map(|round| (round.stream.clone(), round.seq)).collect();
    assert_eq!(rounds, before);
    assert_eq!(view.current_round(), 4);
    assert_eq!(view.game("hall-4-1").unwrap().game.tags()["White"], "Adams");
    assert!(view.recent_rounds().iter().map(|round| round.number).eq([3, 4]), "the rest is long over");
    assert_eq!(Selection::All.select(&view, 0).unwrap().games.len(), 4);
    assert_eq!(view.since(1, 3), Since::Events(Vec::new()), "a viewer who has all");
    assert_eq!(view.since(1, 2), Since::Gone, "nobody keeps events of old rounds");
    let Since::Events(known) = view.since(4, 0) else { panic!("a round being played is kept") };
    assert!(matches!(&known[0].event, PublicEvent::GameStarted { tags, .. } if tags["White"] == "Adams"));

    // The arbiter finds that the old game was drawn.
    let (sender, released) = std::sync::mpsc::channel();
    view.watch(move || sender.send(()).unwrap());
    let drawn = Event::Result { result: Outcome::Draw, reason: "operator".into() };
    recorder.record(events(1, vec![drawn]));
    released.recv().unwrap();
    let corrected = view.game("hall-1-1").unwrap();
    assert_eq!((corrected.game.moves().len(), corrected.game.result()), (1, Outcome::Draw));
    assert_eq!(view.round(1).unwrap().seq, 4);
    assert_eq!(view.round(1).unwrap().games[0].game.result(), Outcome::Draw);
}
