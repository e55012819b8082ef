//! What comes out of the gate.

use game_core::event::{Event, Variant};
use notation::pgn::Outcome;

use super::{PublicEvent, Since};
use crate::publish::test_hall::Hall;

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
