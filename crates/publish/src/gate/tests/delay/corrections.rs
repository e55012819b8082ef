//! Corrections of what is held back: a mistake that is put right inside the delay is never seen.

use game_core::event::{Event, Variant};
use notation::pgn::Outcome;
use tournament::Delay;

use super::{MINUTE, Story};
use crate::gate::tests::played;
use crate::test_hall::{START, tags};

#[test]
fn a_start_that_is_set_up_instead_of_another_one_is_public_after_its_own_delay() {
    const DRAWN: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    let set_up = |story: &Story| {
        let started = Event::GameStarted { fen: DRAWN.into(), variant: Variant::Chess960 };
        story.hall.record(Vec::new(), vec![("a", started), ("a", tags(&[("White", "Adler, Ida")]))]);
        story.hall.settle();
    };
    let shown = |story: &Story| {
        let game = story.hall.view.game("a").unwrap();
        (story.state(), game.game.fen().to_owned(), game.game.tags()["White"].clone())
    };
    let [usual, drawn] = [START, DRAWN].map(|fen| ("ready", fen.to_owned(), "Adler, Ida".to_owned()));

    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.pass(15 * MINUTE);
    assert_eq!(shown(&story), usual);
    set_up(&story);
    story.pass(14 * MINUTE);
    assert_eq!(shown(&story), usual, "the start before it is public");
    story.pass(MINUTE);
    assert_eq!(shown(&story), drawn);

    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.pass(5 * MINUTE);
    set_up(&story);
    story.pass(14 * MINUTE);
    assert_eq!(story.state(), "paired", "no start is public");
    story.pass(MINUTE);
    assert_eq!(shown(&story), drawn);
}

#[test]
fn a_mistake_that_was_put_right_inside_the_delay_is_never_seen() {
    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.pass(MINUTE);
    story.hall.play("a", 2);
    story.pass(MINUTE);
    let corrected = [Event::Retract { to_ply: 1 }, played(2, "e5", "e7e5"), played(3, "e4", "e2e4")];
    story.hall.record(Vec::new(), corrected.into_iter().map(|event| ("a", event)).collect());
    story.pass(14 * MINUTE);
    let san =
        || story.hall.view.game("a").unwrap().game.moves().iter().map(|ply| ply.san.to_string()).collect::<Vec<_>>();
    assert_eq!(san(), ["Nf3", "e5"], "the right move, at the time of the wrong one");
    story.pass(MINUTE);
    assert_eq!(san(), ["Nf3", "e5", "e4"]);
    let seq = story.hall.view.round(1).unwrap().seq;
    assert_eq!(seq, 5, "pairing, start and three moves: no number tells of the mistake");
    // A correction of what is public is public at once.
    story.hall.happen("a", Event::Retract { to_ply: 2 });
    story.hall.settle();
    assert_eq!(san(), ["Nf3", "e5"]);
}

#[test]
fn names_change_at_once_and_the_start_that_is_held_back_has_the_new_ones() {
    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.pass(MINUTE);
    story.hall.happen("a", tags(&[("White", "Adler, Ida M."), ("Annotator", "Bos")]));
    let shown = |name: &str| story.hall.view.game("a").unwrap().game.tags().get(name).cloned();
    assert_eq!((shown("White").as_deref(), shown("Annotator")), (Some("Adler, Ida M."), None));
    story.pass(14 * MINUTE);
    assert_eq!(story.state(), "ready");
    assert_eq!((shown("White").as_deref(), shown("Annotator")), (Some("Adler, Ida M."), None));
    story.pass(MINUTE);
    assert_eq!(shown("Annotator").as_deref(), Some("Bos"));
}

#[test]
fn a_tag_that_is_removed_inside_the_delay_is_never_seen() {
    let story = Story::open(Delay::Seconds(900));
    let tag = |value: &str| {
        story.hall.happen("a", tags(&[("Opening", value)]));
        story.hall.settle();
    };
    let seen = || {
        let tags = story.hall.view.game("a").map(|game| game.game.tags().clone()).unwrap_or_default();
        (story.hall.view.round(1).map_or(0, |round| round.seq), tags.get("Opening").cloned())
    };
    story.start();
    story.pass(20 * MINUTE);
    let before = seen();
    tag("Knights");
    story.pass(MINUTE);
    tag("");
    assert_eq!(seen(), before, "neither the tag nor that it is gone");
    story.pass(20 * MINUTE);
    assert_eq!(seen(), before, "nor later");
    tag("Bishops");
    story.pass(20 * MINUTE);
    assert_eq!(seen(), (before.0 + 1, Some("Bishops".to_owned())));
    tag("Rooks");
    tag("");
    assert_eq!(seen(), (before.0 + 2, None), "what is public is removed at once");
    story.pass(20 * MINUTE);
    assert_eq!(seen(), (before.0 + 2, None));
}

#[test]
fn moves_that_are_entered_after_a_result_do_not_move_the_result() {
    let story = Story::open(Delay::Seconds(900));
    let other = Story::open(Delay::Seconds(900));
    story.set_result(Some("1-0"));
    other.set_result(Some("1-0"));
    story.pass(5 * MINUTE);
    other.pass(5 * MINUTE);
    // As an operator enters the moves of a game that has a result.
    let started = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
    let result = Event::Result { result: Outcome::WhiteWins, reason: "operator".into() };
    let entered = [started, tags(&[("White", "Adler, Ida")]), played(1, "e4", "e2e4"), result];
    story.hall.record(Vec::new(), entered.into_iter().map(|event| ("a", event)).collect());
    story.pass(10 * MINUTE - 1);
    assert_eq!(story.result(), Outcome::Unknown);
    story.pass(1);
    other.pass(10 * MINUTE);
    let seq = |story: &Story| story.hall.view.round(1).unwrap().seq;
    assert_eq!((story.result(), story.plies()), (Outcome::WhiteWins, 0), "the result comes at its own time");
    assert_eq!((other.result(), seq(&other)), (story.result(), seq(&story)), "nothing tells of the moves");
    story.pass(5 * MINUTE);
    assert_eq!((story.result(), story.plies()), (Outcome::WhiteWins, 1), "and stays with the moves");
}

#[test]
fn a_game_that_is_recorded_anew_keeps_the_time_of_its_result() {
    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.hall.play("a", 1);
    story.pass(MINUTE);
    story.set_result(Some("1-0"));
    story.pass(MINUTE);
    let started = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
    let result = Event::Result { result: Outcome::BlackWins, reason: "operator".into() };
    let anew = [started, tags(&[("White", "Adler, Ida")]), played(1, "e4", "e2e4"), result];
    story.hall.record(Vec::new(), anew.into_iter().map(|event| ("a", event)).collect());
    story.pass(13 * MINUTE);
    assert_eq!((story.plies(), story.result()), (1, Outcome::Unknown));
    story.pass(MINUTE);
    assert_eq!(story.result(), Outcome::BlackWins, "the corrected result, at the time of the first one");
    // A new start without a result takes the result back.
    story.pass(20 * MINUTE);
    assert_eq!(story.result(), Outcome::BlackWins);
}
