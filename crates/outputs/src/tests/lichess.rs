//! Pushes to a stand-in Lichess.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;

use game_core::event::Event;
use hall_clock::HandSet;
use notation::pgn::Outcome;
use publish::gate::Delay;
use publish::test_hall::{Hall, paired, round, round_state, tags};
use tournament::{GameRef, RoundSettings, RoundState};

use super::Driven;
use super::stand_in::{MADE_AT, Mood, SITE, StandIn};
use crate::Secret;
use crate::consumer::lichess::broadcast::{PlannedRound, complete, move_starts};
use crate::consumer::lichess::sentence::LichessSentence;
use crate::output::Order;
use crate::sentence::OutputSentence;
use crate::settings::{LichessTarget, Target};
use crate::status::State;

const ROUND: &str = "aB3dE6gH";
const HOUR_MS: u64 = 3_600_000;

fn target() -> Target {
    Target::Lichess(LichessTarget {
        rounds: vec![format!("https://lichess.org/broadcast/open/round-1/{ROUND}")],
        token: Secret::Text("lip_secret".into()),
        tables: None,
        broadcast: None,
        starts: BTreeMap::new(),
        site: SITE.into(),
    })
}

fn games(hall: &Hall, ids: &[&str]) {
    for (table, id) in (1..).zip(ids) {
        hall.start_game(id, 1, table, &[("White", "A, B"), ("Black", "C, D"), ("GameId", id)]);
    }
}

fn open(ids: &[&str]) -> (Hall, tempfile::TempDir, StandIn, Driven) {
    let (hall, folder, lichess) = (Hall::open(0.0), tempfile::tempdir().unwrap(), StandIn::default());
    games(&hall, ids);
    let output = drive(&hall, folder.path(), &lichess);
    (hall, folder, lichess, output)
}

fn drive(hall: &Hall, folder: &Path, lichess: &StandIn) -> Driven {
    Driven::new(hall, folder, &lichess.http(), Delay::NONE, target())
}

#[test]
fn only_changed_games_are_pushed() {
    let (hall, folder, lichess, mut output) = open(&["a", "b"]);
    output.pass(5000);
    assert_eq!(lichess.pushes(), [["a", "b"]]);
    hall.play("b", 3);
    output.pass(5000);
    assert_eq!(lichess.pushes(), [["b"]]);
    assert_eq!(lichess.shows(ROUND), [("a".into(), 0, "*"), ("b".into(), 3, "*")]);
    let status = output.status();
    assert_eq!((status.state, status.waiting, status.sent), (State::UpToDate, 0, 2));
    assert_eq!(status.answer, Some(LichessSentence::GamesTaken { round: 1, games: 1 }.coded()));

    // Another daemon with the same data sends nothing again.
    drop(output);
    let mut output = drive(&hall, folder.path(), &lichess);
    output.pass(5000);
    assert_eq!(lichess.pushes(), [[""; 0]; 0]);
    assert_eq!(output.status().state, State::UpToDate);
}

#[test]
fn an_hour_without_lichess_is_caught_up_exactly() {
    for mood in [
        Mood::Silent,
        Mood::Status(502, "text/html", "<html>Bad Gateway</html>"),
        Mood::Status(200, "text/html", "<html>maintenance</html>"),
        Mood::Status(429, "application/json", "{}"),
        Mood::Status(302, "text/html", ""),
        Mood::Status(401, "application/json", r#"{"error":"No such token"}"#),
        Mood::Deaf,
    ] {
        let (hall, _folder, lichess, mut output) = open(&["a", "b"]);
        output.pass(5000);
        lichess.requests();
        lichess.mood(mood.clone());
        for _ in 0..60 {
            hall.play("a", 1);
            output.pass(HOUR_MS / 60);
        }
        hall.happen("b", Event::Result { result: Outcome::BlackWins, reason: String::new() });
        let attempts = lichess.requests().len();
        assert!((5..200).contains(&attempts), "{mood:?}: {attempts} attempts in an hour");
        let status = output.status();
        assert_eq!(status.state, State::Failing, "{mood:?}");
        let trouble = status.alarm().unwrap().english;
        assert!(trouble.ends_with(['.', '»']) && !trouble.contains("html"), "{trouble}");
        assert!(status.lag_ms(output.now) > HOUR_MS - 60_000, "{mood:?}");

        lichess.mood(Mood::Well);
        output.pass(6 * 60_000);
        assert_eq!(lichess.shows(ROUND), [("a".into(), 60, "*"), ("b".into(), 0, "0-1")], "{mood:?}");
        let status = output.status();
        assert_eq!((status.state, status.alarm(), status.lag_ms(output.now)), (State::UpToDate, None, 0), "{mood:?}");
        assert_eq!(
            lichess.pushes().concat(),
            ["a", "b"],
            "{mood:?}: each changed game once, whatever happened meanwhile"
        );
    }
}

#[test]
fn a_flapping_lichess_loses_nothing() {
    let (hall, _folder, lichess, mut output) = open(&["a"]);
    for ply in 0..40 {
        lichess.mood(if ply % 3 == 0 { Mood::Well } else { Mood::Deaf });
        hall.play("a", 1);
        output.pass(2000);
    }
    lichess.mood(Mood::Well);
    output.pass(120_000);
    assert_eq!(lichess.shows(ROUND), [("a".into(), 40, "*")]);
}

#[test]
fn a_refused_game_is_shown_and_holds_up_no_other() {
    for whole in [false, true] {
        let (hall, folder, lichess, mut output) = open(&["a", "b", "c"]);
        lichess.refuse(&["b"], whole);
        output.pass(30_000);
        let shown: Vec<_> = lichess.shows(ROUND).into_iter().map(|(id, ..)| id).collect();
        assert_eq!(shown, ["a", "c"], "whole: {whole}");
        let status = output.status();
        let item = OutputSentence::Table { round: 1, table: 2 };
        assert_eq!(status.problems[0].item, item.clone().into());
        let reason = status.problems[0].reason.clone();
        assert_eq!(reason.code, if whole { "output_it_says" } else { "lichess_game_refused" });
        assert_eq!(status.alarm(), Some(OutputSentence::Differs { item: item.into(), reason }.coded()));
        let kept = output.status().problems;
        let mut output = drive(&hall, folder.path(), &lichess);
        output.pass(5000);
        assert_eq!(output.status().problems, kept, "the reason outlives a restart");
        lichess.requests();
        output.pass(HOUR_MS);
        assert_eq!(lichess.pushes().len(), 0, "it is not tried again as it is");
        lichess.refuse(&[], false);
        hall.play("b", 1);
        output.pass(5000);
        assert_eq!(lichess.shows(ROUND).len(), 3);
        assert_eq!(output.status().problems, []);
    }
}

#[test]
fn a_smaller_limit_is_found() {
    let (_hall, _folder, lichess, mut output) = open(&["a", "b", "c", "d", "e"]);
    lichess.take_at_most(700);
    output.pass(60_000);
    assert_eq!(lichess.shows(ROUND).len(), 5);
}

#[test]
fn a_changed_order_pushes_all_games() {
    let hall = Hall::open(0.0);
    let (folder, lichess) = (tempfile::tempdir().unwrap(), StandIn::default());
    let at = |game: &str, table| GameRef { game: game.into(), event: "hall".into(), round: 1, table };
    let facts = |games: &[(&str, u32)]| {
        let mut facts = vec![round("hall", 1, RoundSettings::default()), round_state("hall", 1, RoundState::Published)];
        facts.extend(games.iter().map(|(game, table)| paired(&at(game, *table))));
        facts
    };
    hall.know(&at("a", 1));
    hall.know(&at("b", 2));
    hall.record(
        facts(&[("a", 1), ("b", 2)]),
        vec![("a", tags(&[("White", "A"), ("GameId", "a")])), ("b", tags(&[("White", "B"), ("GameId", "b")]))],
    );
    let mut output = drive(&hall, folder.path(), &lichess);
    output.pass(5000);
    assert_eq!(lichess.pushes(), [["a", "b"]]);
    hall.record(facts(&[("a", 2), ("b", 1)]), Vec::new());
    output.pass(5000);
    let shown: Vec<_> = lichess.shows(ROUND).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(shown, ["b", "a"], "{:?}", lichess.pushes());
    lichess.requests();
    output.pass(60_000);
    assert_eq!(lichess.pushes().len(), 0);
}

#[test]
fn what_lichess_shows_is_compared_with_what_was_sent() {
    let (hall, _folder, lichess, mut output) = open(&["a"]);
    hall.play("a", 2);
    lichess.show_instead("a", "1. Nf3 d5 2. c4 *");
    lichess.delay(900);
    output.pass(3 * 60_000);
    let status = output.status();
    assert_eq!(status.state, State::UpToDate);
    assert_eq!(status.problems[0].reason, LichessSentence::OtherMoves { number: 1 }.into());
    assert!(
        !status.warnings.iter().any(|warning| warning.code == "lichess_delayed"),
        "the only delay is that of Lichess"
    );
    lichess.show_instead("a", "1. Nf3 Nf6 *");
    hall.play("a", 1);
    output.pass(3 * 60_000);
    let fewer = LichessSentence::FewerPlies { shown: 2, sent: 3 };
    assert_eq!(output.status().problems[0].reason, fewer.into());
}

#[test]
fn a_round_is_emptied_and_sent_again_on_request() {
    let (_hall, _folder, lichess, mut output) = open(&["a", "b"]);
    output.pass(5000);
    lichess.requests();
    lichess.mood(Mood::Status(500, "", ""));
    output.output.order(Order::SendAgain(Some(1)));
    output.pass(5000);
    assert_eq!(output.status().state, State::Retrying);
    lichess.mood(Mood::Well);
    output.pass(120_000);
    let requests = lichess.requests();
    let urls: Vec<_> = requests.iter().filter_map(|request| request.url.rsplit('/').next()).collect();
    let reset = urls.iter().rposition(|url| *url == "reset").unwrap();
    assert_eq!(urls[reset + 1], "push", "{urls:?}");
    assert_eq!(lichess.shows(ROUND).len(), 2);
}

#[test]
fn a_paused_output_sends_nothing_until_it_goes_on_also_over_a_restart() {
    let (hall, folder, lichess, mut output) = open(&["a"]);
    output.output.order(Order::Pause("Ida".into()));
    output.pass(60_000);
    assert_eq!((lichess.requests().len(), output.status().state), (0, State::Paused));
    let mut output = drive(&hall, folder.path(), &lichess);
    output.pass(60_000);
    assert_eq!((lichess.requests().len(), output.status().state), (0, State::Paused));
    hall.play("a", 5);
    output.output.order(Order::Resume);
    output.pass(5000);
    assert_eq!(lichess.shows(ROUND), [("a".into(), 5, "*")]);
}

#[test]
fn a_delayed_output_sends_nothing_early() {
    let (set, folder, lichess) =
        (Box::leak(Box::<HandSet>::default()), tempfile::tempdir().unwrap(), StandIn::default());
    let set: &'static HandSet = set;
    set.time.store(1_800_000_000_000, Ordering::SeqCst);
    let hall = Hall::by_hand(set, folder.path());
    let mut output = Driven::new(&hall, folder.path(), &lichess.http(), Delay::Seconds(900), target());
    let pass = |output: &mut Driven, ms: u64| {
        set.time.fetch_add(ms, Ordering::SeqCst);
        set.monotonic_ms.fetch_add(ms, Ordering::SeqCst);
        hall.settle();
        output.pass(ms);
    };
    games(&hall, &["a"]);
    hall.play("a", 1);
    let mut bodies = Vec::new();
    for minute in 1..=14 {
        pass(&mut output, 60_000);
        bodies.extend(lichess.requests());
        // What is played inside the delay is corrected inside it.
        if minute == 5 {
            hall.happen("a", Event::Retract { to_ply: 0 });
            hall.play("a", 2);
        }
    }
    assert!(
        bodies.iter().all(|request| !String::from_utf8_lossy(&request.body).contains("1. ")),
        "a move went out early"
    );
    pass(&mut output, 6 * 60_000);
    pass(&mut output, 60_000);
    assert_eq!(lichess.shows(ROUND), [("a".into(), 2, "*")]);
}

#[test]
fn a_round_that_is_not_there_and_too_many_games_are_named() {
    let hall = Hall::open(0.0);
    let (folder, lichess) = (tempfile::tempdir().unwrap(), StandIn::default());
    let ids: Vec<_> = (0..101).map(|n| format!("g{n}")).collect();
    games(&hall, &ids.iter().map(String::as_str).collect::<Vec<_>>());
    hall.start_game("z", 2, 1, &[("White", "A, B"), ("GameId", "z")]);
    let mut output = drive(&hall, folder.path(), &lichess);
    output.pass(60_000);
    assert_eq!(lichess.shows(ROUND).len(), 100);
    let warnings = coded_text::joined(&output.status().warnings);
    assert!(warnings.contains("Round 1 has 101 games") && warnings.contains("Round 2 is not sent"), "{warnings}");
}

#[test]
fn a_round_whose_last_game_is_adjourned_is_not_called_quiet() {
    let hall = Hall::open(0.0);
    let (folder, lichess) = (tempfile::tempdir().unwrap(), StandIn::default());
    games(&hall, &["a"]);
    let mut output = drive(&hall, folder.path(), &lichess);
    let mut is_quiet = |minutes: u32| {
        for _ in 0..minutes {
            output.pass(60_000);
        }
        output.status().warnings.iter().any(|warning| warning.code == "lichess_quiet")
    };
    assert!(is_quiet(60), "no move for an hour");
    hall.record(vec![tournament::Fact::Adjourned { game: "a".into() }], Vec::new());
    assert!(!is_quiet(10));
}

pub(super) fn planned(number: u32, starts_at: Option<u64>) -> PlannedRound {
    PlannedRound { number, name: format!("Round {number}"), starts_at }
}

pub(super) fn not_made() -> LichessTarget {
    match target() {
        Target::Lichess(target) => LichessTarget { rounds: Vec::new(), ..target },
        _ => unreachable!(),
    }
}

#[test]
fn a_broadcast_and_its_rounds_are_made_once() {
    let lichess = StandIn::default();
    let (http, now) = (lichess.http(), MADE_AT + 60_000);
    let mut target = not_made();
    let rounds = [planned(1, Some(MADE_AT + 900_000)), planned(2, None)];
    let said = complete(&mut target, &http, "Spring Open", &rounds, now).unwrap();
    assert_eq!(said.params["made"], coded_text::Param::Number(2), "{said}");
    let [(event, made)] = &lichess.broadcasts()[..] else { panic!("{:?}", lichess.broadcasts()) };
    assert_eq!((&**event, made.len()), ("Spring Open", 2));
    let (name, form) = &made[0];
    assert_eq!(name, "Round 1");
    for part in ["syncSource=push", "delay=0", &format!("startsAt={}", MADE_AT + 900_000)] {
        assert!(form.contains(part), "{form}");
    }
    assert!(!made[1].1.contains("startsAt"), "{}", made[1].1);
    assert_eq!(target.rounds, ["round000", "round001"]);
    assert_eq!(target.id_of(2), Some("round001"));

    // Again, and with another round: only that one is made.
    lichess.requests();
    complete(&mut target, &http, "Spring Open", &rounds, now).unwrap();
    assert!(lichess.requests().is_empty());
    complete(&mut target, &http, "Spring Open", &[rounds[0].clone(), rounds[1].clone(), planned(3, None)], now)
        .unwrap();
    assert_eq!((lichess.broadcasts()[0].1.len(), target.rounds.len()), (3, 3));
}

#[test]
fn a_planned_start_that_changes_is_moved_there() {
    let lichess = StandIn::default();
    let (http, now) = (lichess.http(), MADE_AT + 60_000);
    let mut target = not_made();
    let planned = |first: u64| [planned(1, Some(first)), planned(2, None), planned(3, Some(MADE_AT + HOUR_MS))];
    complete(&mut target, &http, "Spring Open", &planned(MADE_AT), now).unwrap();
    assert_eq!(move_starts(&mut target, &http, &planned(MADE_AT)), Ok(0), "nothing changed");
    lichess.requests();
    assert_eq!(move_starts(&mut target, &http, &planned(MADE_AT + HOUR_MS)), Ok(1));
    let [request] = &lichess.requests()[..] else { panic!("one request") };
    // With `patch` what the form does not have stays as it is.
    assert_eq!(request.url, format!("{SITE}/broadcast/round/round000/edit?patch=1"));
    assert_eq!(request.body, format!("startsAt={}", MADE_AT + HOUR_MS));
    // An answer that is lost is asked for again; a start that is given up here stays there.
    lichess.mood(Mood::Deaf);
    move_starts(&mut target, &http, &planned(MADE_AT + 2 * HOUR_MS)).unwrap_err();
    lichess.mood(Mood::Status(429, "application/json", "{}"));
    move_starts(&mut target, &http, &planned(MADE_AT + 2 * HOUR_MS)).unwrap_err();
    lichess.mood(Mood::Well);
    assert_eq!(move_starts(&mut target, &http, &planned(MADE_AT + 2 * HOUR_MS)), Ok(1));
    assert_eq!(target.starts.get(&1), Some(&(MADE_AT + 2 * HOUR_MS)));
    lichess.requests();
    let given_up = [PlannedRound { starts_at: None, ..planned(0)[0].clone() }];
    assert_eq!(move_starts(&mut target, &http, &given_up), Ok(0));
    // Rounds that a person made there are left alone.
    let mut by_hand = LichessTarget { broadcast: None, ..target };
    assert_eq!(move_starts(&mut by_hand, &http, &planned(MADE_AT)), Ok(0));
    assert!(lichess.requests().is_empty());
}

#[test]
fn an_answer_that_is_lost_makes_nothing_twice() {
    let lichess = StandIn::default();
    let (http, now) = (lichess.http(), MADE_AT + 60_000);
    let mut target = not_made();
    let rounds = [planned(1, None), planned(2, None)];
    // Each request does its work and its answer is lost; then the call is repeated.
    for _ in 0..3 {
        lichess.mood(Mood::Deaf);
        complete(&mut target, &http, "Spring Open", &rounds, now).unwrap_err();
        lichess.mood(Mood::Well);
    }
    complete(&mut target, &http, "Spring Open", &rounds, now).unwrap();
    assert_eq!(lichess.broadcasts().len(), 1);
    assert_eq!(lichess.broadcasts()[0].1.len(), 2);
    // Next year's event of the same name is another one.
    let mut next = not_made();
    complete(&mut next, &http, "Spring Open", &rounds, now + 365 * 24 * HOUR_MS).unwrap();
    assert_eq!(lichess.broadcasts().len(), 2);
}

#[test]
fn a_lichess_that_refuses_or_answers_rubbish_is_named() {
    let lichess = StandIn::default();
    let http = lichess.http();
    for (mood, words) in [
        (Mood::Status(401, "application/json", r#"{"error":"No such token"}"#), "token"),
        (Mood::Status(200, "text/html", "<html>"), "not understood"),
        (Mood::Status(200, "application/json", r#"{"id":"../x"}"#), "not understood"),
        (Mood::Silent, "no answer in time"),
    ] {
        lichess.mood(mood.clone());
        let said = complete(&mut not_made(), &http, "Spring Open", &[planned(1, None)], MADE_AT).unwrap_err().sentence;
        assert!(said.english.contains(words), "{mood:?}: {said}");
    }
    assert!(lichess.broadcasts().is_empty());
}
