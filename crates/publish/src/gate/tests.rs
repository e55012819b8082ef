//! What comes out of the gate.

use std::sync::atomic::Ordering;

use game_core::event::{Event, Variant};
use hall_clock::HandSet;
use notation::pgn::Outcome;

use super::{PublicEvent, PublicView, Since, View};
use crate::test_hall::{Hall, paired, round, round_state, section, tags};
use tournament::GameRef;
use tournament::{Fact, RoundSettings, RoundState, SectionSettings};

mod delay;
mod long_over;
mod restart;

/// The section as the public sees it.
type Section = super::SectionView<PublicView>;

fn since(view: &Section, round: u32, seq: u64) -> Since {
    view.tail(round, seq).map_or(Since::NotKept, |tail| tail.since)
}

fn stream(view: &Section, round: u32) -> String {
    view.round(round).unwrap().stream.to_string()
}

fn table(id: &str, round: u32, table: u32) -> GameRef {
    GameRef { game: id.into(), event: "hall".into(), round, table }
}

fn played(ply: u32, san: &str, uci: &str) -> Event {
    Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms: None, emt_ms: None }
}

fn listed(view: &Section, round: u32) -> Vec<String> {
    view.round(round).unwrap().latest().iter().map(|game| game.at().game.to_string()).collect()
}

/// Two tables of round 2 are paired and published.
fn with_pairings(hall: &Hall) {
    let (a, b) = (table("a", 2, 1), table("b", 2, 2));
    hall.know(&a);
    hall.know(&b);
    let settings = RoundSettings { name: Some("Tie-break 2".into()), ..RoundSettings::default() };
    hall.record(vec![round("hall", 2, settings), paired(&b), paired(&a)], Vec::new());
    assert!(hall.view.round(2).is_none(), "it is not published");
    let known = vec![("b", tags(&[("White", "Clark, Ann")])), ("a", tags(&[("White", "Adler, Ida")]))];
    hall.record(vec![round_state("hall", 2, RoundState::Published)], known);
}

#[test]
fn a_game_goes_public_event_by_event() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 7, &[("White", "Carlsen, Magnus"), ("Black", "Ding, Liren")]);
    hall.play("a", 2);
    let Since::Events(events) = since(&hall.view, 1, 0) else { panic!("all is kept") };
    assert!(events.iter().map(|event| event.seq).eq(1..=3));
    let PublicEvent::GameStarted { board: 7, tags, variant: Variant::Standard, .. } = &events[0].event else {
        panic!("the start has the tags: {:?}", events[0])
    };
    assert_eq!(tags.get("White").map(String::as_str), Some("Carlsen, Magnus"));
    let PublicEvent::Move { ply: 2, played } = &events[2].event else { panic!("{:?}", events[2]) };
    assert_eq!(&*played.fen, "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2");
    assert_eq!(played.record, hall.view.game("a").unwrap().game.moves()[1]);
}

#[test]
fn what_only_arbiters_may_know_stays_inside() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[]);
    hall.happen("a", Event::Unexplained { squares: vec!["e4".into(), "d5".into()] });
    let Since::Events(events) = since(&hall.view, 1, 1) else { panic!("all is kept") };
    assert_eq!(events[0].event, PublicEvent::Waiting { waiting: true });
}

#[test]
fn an_event_that_does_not_fit_its_game_says_nothing_new() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[]);
    let illegal = Event::Move { ply: 1, san: "Ke3".into(), uci: "e1e3".into(), clk_ms: None, emt_ms: None };
    hall.happen("a", illegal);
    hall.play("a", 1);
    let Since::Events(events) = since(&hall.view, 1, 1) else { panic!("all is kept") };
    assert_eq!(events[0].event, PublicEvent::Waiting { waiting: false }, "it has a number");
    assert!(matches!(events[1].event, PublicEvent::Move { ply: 1, .. }));
    assert_eq!(hall.view.game("a").unwrap().game.moves().len(), 1);
}

#[test]
fn the_window_is_bounded_and_its_first_number_is_known() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[]);
    hall.play("a", 5_000);
    let tail = hall.view.tail(1, u64::MAX).unwrap();
    assert_eq!((tail.oldest, tail.seq), (906, 5_001));
    assert_eq!(since(&hall.view, 1, 904), Since::NotKept);
    let Since::Events(events) = since(&hall.view, 1, 905) else { panic!("just kept") };
    assert!(events.iter().map(|event| event.seq).eq(906..=5_001));
    assert_eq!(since(&hall.view, 1, 5_001), Since::Events(Vec::new()));
    assert_eq!(since(&hall.view, 1, 5_002), Since::NotKept, "a number from the future");
    assert_eq!(since(&hall.view, 1, u64::MAX), Since::NotKept);
    assert_eq!(since(&hall.view, 2, 0), Since::NotKept, "an unknown round");
}

#[test]
fn a_round_shows_the_latest_game_of_each_table() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 2, &[]);
    hall.start_game("b", 1, 1, &[]);
    assert!(!hall.view.round(1).unwrap().ended());
    hall.happen("a", Event::Result { result: Outcome::Draw, reason: "kings in the centre".into() });
    hall.start_game("c", 1, 2, &[]);
    assert_eq!(listed(&hall.view, 1), ["b", "c"]);
    assert_eq!(hall.view.round(1).unwrap().games.len(), 3);
    hall.happen("b", Event::GameEnded);
    hall.happen("c", Event::GameEnded);
    assert!(hall.view.round(1).unwrap().ended());
}

#[test]
fn the_next_round_is_featured_when_as_many_games_of_it_are_played() {
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
    let names = [(); 2].map(|()| stream(&Hall::open(1.0).view, 1));
    assert!(names[0].starts_with("hall/1/"));
    assert_ne!(names[0], names[1]);
}

#[test]
fn pairings_are_public_once_they_are_published_and_keep_their_places() {
    let hall = Hall::open(1.0);
    with_pairings(&hall);
    let round = hall.view.round(2).unwrap();
    assert_eq!(round.info.name, "Tie-break 2");
    assert_eq!(listed(&hall.view, 2), ["a", "b"], "by table");
    assert!(!hall.view.game("a").unwrap().has_begun());
    assert_eq!(hall.view.current_round(), 2, "nothing is expected of the round before");
    let before = stream(&hall.view, 2);
    let started = Event::GameStarted { fen: crate::test_hall::START.into(), variant: Variant::Standard };
    hall.record(Vec::new(), vec![("b", started), ("b", tags(&[("White", "Clark, Ann")]))]);
    assert_eq!(listed(&hall.view, 2), ["a", "b"]);
    assert!(hall.view.game("b").unwrap().is_under_way());
    assert_eq!(stream(&hall.view, 2), before, "an event told it");
    assert_eq!(hall.view.round(1).map(|round| round.games.len()), Some(0));
}

#[test]
fn a_withdrawn_game_is_nowhere_and_comes_back_as_it_is_by_then() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    hall.start_game("b", 1, 2, &[]);
    hall.play("a", 2);
    let (before, withdrawn) = (stream(&hall.view, 1), |withdrawn| Fact::Withdrawn { game: "a".into(), withdrawn });
    let version = hall.view.version();
    hall.record(vec![withdrawn(true)], Vec::new());
    assert_ne!(hall.view.version(), version);
    assert_eq!(listed(&hall.view, 1), ["b"]);
    assert!(hall.view.game("a").is_none() && hall.public.game("a").is_none());
    let without = stream(&hall.view, 1);
    assert_ne!(without, before, "no viewer continues from where it was shown");
    assert_eq!(since(&hall.view, 1, 3), Since::NotKept);
    hall.play("a", 3);
    hall.play("b", 1);
    let Since::Events(events) = since(&hall.view, 1, 4) else { panic!("nothing was lost") };
    assert_eq!(
        events.iter().map(|event| (&*event.game, event.seq)).collect::<Vec<_>>(),
        [("b", 5)],
        "what is hidden has no number"
    );
    hall.record(vec![withdrawn(false)], Vec::new());
    assert_eq!(hall.view.game("a").unwrap().game.moves().len(), 5);
    assert_eq!(listed(&hall.view, 1), ["a", "b"]);
    assert!(![before, without].contains(&stream(&hall.view, 1)));
}

#[test]
fn a_pairing_that_was_taken_back_vanishes() {
    let hall = Hall::open(1.0);
    with_pairings(&hall);
    let c = table("c", 2, 1);
    hall.know(&c);
    hall.record(vec![Fact::Unpaired { game: "a".into() }, paired(&c)], vec![("c", tags(&[("White", "Evans, Eve")]))]);
    assert_eq!(listed(&hall.view, 2), ["c", "b"]);
}

#[test]
fn a_round_that_is_no_longer_public_is_as_one_that_never_was() {
    let hall = Hall::open(1.0);
    hall.start_game("first", 1, 1, &[]);
    hall.happen("first", Event::Result { result: Outcome::Draw, reason: "agreement".into() });
    with_pairings(&hall);
    assert_eq!(hall.view.current_round(), 2);
    let before = stream(&hall.view, 2);
    hall.record(vec![round_state("hall", 2, RoundState::Prepared)], Vec::new());
    assert!(hall.view.round(2).is_none() && hall.view.tail(2, 0).is_none());
    assert!(hall.view.game("a").is_none() && hall.public.game("a").is_none());
    assert_eq!(hall.view.rounds().iter().map(|round| round.number).collect::<Vec<_>>(), [1]);
    assert_eq!(hall.view.current_round(), 1, "viewers who ask for no round get what is there");
    hall.record(vec![round_state("hall", 2, RoundState::Published)], Vec::new());
    assert_eq!((listed(&hall.view, 2), hall.view.current_round()), (vec!["a".to_owned(), "b".to_owned()], 2));
    assert_eq!(hall.view.game("a").unwrap().game.tags()["White"], "Adler, Ida");
    assert_ne!(stream(&hall.view, 2), before, "no viewer continues from where it was shown");
}

#[test]
fn a_viewer_that_resumes_gets_no_name_that_was_changed() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida"), ("WhiteElo", "2100")]);
    hall.play("a", 2);
    hall.happen("a", tags(&[("Annotator", "Bos")]));
    assert!(matches!(since(&hall.view, 1, 0), Since::Events(events) if events.len() == 4));
    hall.next_instant();
    let hidden = tags(&[("White", "A., I."), ("WhiteElo", "")]);
    hall.record(Vec::new(), vec![("a", hidden.clone()), ("a", Event::Resolved)]);
    assert_eq!(since(&hall.view, 1, 3), Since::NotKept);
    let Since::Events(events) = since(&hall.view, 1, 4) else { panic!("a viewer that has all continues") };
    assert_eq!(events.len(), 2);
    assert!(!format!("{events:?}").contains("Ida"));
    hall.happen("a", hidden);
    assert!(matches!(since(&hall.view, 1, 4), Since::Events(events) if events.len() == 3), "nothing changed");
}

#[test]
fn a_round_that_is_over_and_quiet_keeps_no_events() {
    let set: &HandSet = Box::leak(Box::default());
    let folder = tempfile::tempdir().unwrap();
    let hall = Hall::by_hand(set, folder.path());
    hall.start_game("a", 1, 1, &[]);
    hall.play("a", 2);
    let pass = |minutes: u64| {
        set.time.fetch_add(minutes * 60_000, Ordering::SeqCst);
        hall.gate.catch_up();
    };
    let kept = |seq| match since(&hall.view, 1, seq) {
        Since::Events(events) => Some(events.len()),
        Since::NotKept => None,
    };
    pass(60);
    assert_eq!(kept(0), Some(3), "a player thinks");
    let name = stream(&hall.view, 1);
    hall.happen("a", Event::Result { result: Outcome::Draw, reason: "agreement".into() });
    hall.happen("a", Event::GameEnded);
    pass(9);
    assert_eq!(kept(0), Some(5));
    pass(2);
    assert_eq!((kept(0), kept(4), kept(5)), (None, None, Some(0)), "a viewer that has all continues");
    hall.happen("a", Event::Result { result: Outcome::WhiteWins, reason: "operator".into() });
    assert_eq!((kept(4), kept(5), stream(&hall.view, 1)), (None, Some(1), name));
}

#[test]
fn a_correction_is_one_step() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[]);
    hall.play("a", 1);
    hall.next_instant();
    hall.play("a", 1);
    hall.next_instant();
    let again =
        |ply, san: &str, uci: &str| Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms: None, emt_ms: None };
    let corrected = [Event::Retract { to_ply: 0 }, again(1, "e4", "e2e4"), again(2, "e5", "e7e5")];
    hall.record(Vec::new(), corrected.into_iter().map(|event| ("a", event)).collect());
    let Since::Events(events) = since(&hall.view, 1, 0) else { panic!("all is kept") };
    assert_eq!(events.iter().map(|event| event.more).skip(2).collect::<Vec<_>>(), [false, true, true, false]);
}

#[test]
fn sections_stand_side_by_side_and_a_running_round_is_current() {
    let hall = Hall::open(1.0);
    let kept = stream(&hall.view, 1);
    hall.record(vec![section("women", "Women")], Vec::new());
    assert_ne!(stream(&hall.view, 1), kept, "the list of sections is in every snapshot");
    let slugs: Vec<_> = hall.public.sections().iter().map(|view| view.slug().to_string()).collect();
    assert_eq!(slugs, ["hall", "women"]);
    let current = || hall.public.featured_section().unwrap().slug().to_string();
    assert_eq!(current(), "hall");
    let game = GameRef { game: "w".into(), event: "women".into(), round: 1, table: 11 };
    hall.start(&game, &[]);
    hall.play("w", 1);
    assert_eq!(current(), "women");
    hall.start_game("a", 1, 1, &[]);
    assert_eq!(current(), "women", "both run: the featured section stays");
    hall.record(vec![round_state("women", 1, RoundState::Finished)], Vec::new());
    assert_eq!(current(), "hall");
    assert!(hall.view.game("w").is_none());
    assert_eq!(hall.public.game("w").unwrap().0.slug().to_string(), "women");
    assert_eq!(hall.public.section("women").unwrap().round(1).unwrap().seq, 2);
    assert!(hall.public.section("juniors").is_none());
}

#[test]
fn a_section_without_a_round_is_listed_only_while_none_has_one() {
    let hall = Hall::open(1.0);
    let slugs = || hall.public.sections().iter().map(|view| view.slug().to_string()).collect::<Vec<_>>();
    let featured = || hall.public.featured_section().map(|section| section.slug().to_string());
    let open_play = SectionSettings { open_play: true, ..SectionSettings::named("Club") };
    hall.record(vec![Fact::SectionSet { section: "club".into(), settings: open_play }], Vec::new());
    assert_eq!(slugs(), ["hall"], "where there are pairings, open play gets no game");
    hall.record(vec![section("women", "Women")], Vec::new());
    assert_eq!(slugs(), ["hall", "women"]);
    let before = stream(&hall.public.section("women").unwrap(), 1);
    hall.record(vec![round("women", 1, RoundSettings::default())], Vec::new());
    assert_eq!((slugs(), featured()), (vec!["women".to_owned()], Some("women".to_owned())));
    let women = hall.public.section("women").unwrap();
    assert_ne!(stream(&women, 1), before, "the list of sections is in every snapshot");
    assert!(hall.public.section("hall").is_some(), "an address that was given out beforehand answers");
    assert!(crate::livechess::section_of(&hall.public, &crate::livechess::id_of("hall")).is_some());
}

#[test]
fn a_section_that_was_taken_away_is_as_one_that_never_was() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[]);
    hall.record(vec![section("women", "Women"), round("women", 1, RoundSettings::default())], Vec::new());
    let women = hall.public.section("women").unwrap();
    let (kept, before) = (stream(&hall.view, 1), stream(&women, 1));
    let removed = |removed| Fact::SectionRemoved { section: "women".into(), removed };
    hall.record(vec![removed(true)], Vec::new());
    assert!(hall.public.section("women").is_none() && women.info().is_none() && women.tail(1, 0).is_none());
    assert_eq!(hall.public.sections().len(), 1);
    assert_ne!(stream(&hall.view, 1), kept, "the list of sections is in every snapshot");
    hall.record(vec![removed(false)], Vec::new());
    assert_eq!(hall.public.sections().len(), 2);
    assert_ne!(stream(&women, 1), before, "no viewer continues from where it was shown");
}

#[test]
fn what_is_kept_apart_stays_private() {
    let hall = Hall::open(1.0);
    let apart = GameRef { game: "7-apart-1".into(), event: tournament::UNASSIGNED.into(), round: 1, table: 1 };
    hall.know(&apart);
    let started = Event::GameStarted { fen: crate::test_hall::START.into(), variant: Variant::Standard };
    hall.record(vec![Fact::Unassigned { board: "7".into(), game: "7-apart-1".into() }], vec![("7-apart-1", started)]);
    assert!(hall.public.game("7-apart-1").is_none());
    assert_eq!(hall.public.sections().len(), 1);
}

#[test]
fn an_event_recorded_while_its_game_is_hidden_has_no_number_and_one_after_it_has() {
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[]);
    let withdrawn = |withdrawn| Fact::Withdrawn { game: "a".into(), withdrawn };
    // In one batch, facts come before events.
    hall.record(vec![withdrawn(true)], vec![("a", Event::Resolved)]);
    assert_eq!(hall.view.round(1).unwrap().seq, 1);
    hall.record(vec![withdrawn(false)], vec![("a", Event::Resolved)]);
    assert_eq!(hall.view.round(1).unwrap().seq, 2);
    hall.record(vec![withdrawn(true), withdrawn(false)], vec![("a", Event::Resolved)]);
    assert_eq!(hall.view.round(1).unwrap().seq, 3, "a withdrawal that the same batch takes back");
}

#[test]
fn tags_have_a_number_unless_they_were_recorded_with_the_start() {
    // All instants are the same: only the batch tells which tags belong to the start.
    let hall = Hall::open(0.0);
    let game = table("a", 1, 1);
    hall.start(&game, &[("White", "Adler, Ida")]);
    hall.happen("a", tags(&[("Annotator", "Bos")]));
    let Since::Events(events) = since(&hall.view, 1, 0) else { panic!("all is kept") };
    let PublicEvent::GameStarted { tags: with_start, .. } = &events[0].event else { panic!("{:?}", events[0]) };
    assert_eq!(with_start.len(), 1);
    assert!(matches!(&events[1].event, PublicEvent::Tags { .. }));

    let bare = table("b", 1, 2);
    hall.know(&bare);
    let started = Event::GameStarted { fen: crate::test_hall::START.into(), variant: Variant::Standard };
    hall.record(vec![paired(&bare)], vec![("b", started)]);
    hall.happen("b", tags(&[("White", "Clark, Ann")]));
    assert_eq!(hall.view.round(1).unwrap().seq, 4, "tags of a batch of their own");
}

/// A round with a delay; a game of it is played.
#[cfg(feature = "keys")]
fn with_delayed_round(hall: &Hall) {
    hall.start_game("a", 1, 1, &[]);
    hall.play("a", 2);
    let delay = Some(super::Delay::Seconds(600));
    let delayed = RoundSettings { name: Some("Final".into()), delay, ..RoundSettings::default() };
    hall.record(vec![round("hall", 2, delayed)], Vec::new());
    let game = table("d", 2, 1);
    hall.know(&game);
    hall.record(vec![paired(&game), round_state("hall", 2, RoundState::Published)], Vec::new());
    hall.begin(&game, &[("White", "Dee, Tom")]);
    hall.play("d", 2);
}

#[cfg(feature = "keys")]
#[test]
fn a_key_shows_a_round_that_the_public_does_not_see_under_other_stream_names() {
    let hall = Hall::open(1.0);
    with_delayed_round(&hall);
    let keys = hall.gate.keys();
    let section = keys.section("hall").unwrap();
    assert_eq!(section.game("d").unwrap().game.moves().len(), 2);
    assert_eq!(section.game("a").unwrap().game.moves().len(), 2);
    assert_eq!(section.round(2).unwrap().info.name, "Final");
    assert_eq!(section.round(1).unwrap().seq, hall.view.round(1).unwrap().seq);
    assert_ne!(section.round(1).unwrap().stream, hall.view.round(1).unwrap().stream);
    let (sender, released) = std::sync::mpsc::channel();
    keys.watch(move || sender.send(()).unwrap());
    hall.play("d", 1);
    released.recv().unwrap();
    assert_eq!(section.game("d").unwrap().game.moves().len(), 3);
    assert!(hall.view.game("d").is_none());
}

#[test]
fn a_watcher_that_ends_before_the_view_is_forgotten() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[]);
    let (ending, ended) = std::sync::mpsc::channel();
    hall.public.watch_while(move || {
        ending.send(()).unwrap();
        false
    });
    hall.play("a", 1);
    ended.recv().unwrap();
    // Dropped with what it keeps, and not called again.
    assert_eq!(ended.recv(), Err(std::sync::mpsc::RecvError));
}

#[test]
fn a_second_view_of_one_policy_is_the_first() {
    let hall = Hall::open(1.0);
    hall.start_game("a", 1, 1, &[]);
    let again = hall.gate.public(super::Policy::PUBLIC).section("hall").unwrap();
    assert_eq!(again.round(1).unwrap().stream, hall.view.round(1).unwrap().stream);
    assert_eq!(again.version(), hall.view.version());
}
