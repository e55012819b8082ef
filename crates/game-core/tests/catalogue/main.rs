//! The catalogue of what real boards and players do, as an adversary: each class of cases plays seeded games at simulated
//! boards in hall time and counts what the session made of them. A few games a class by default; with
//! `BOARDCAST_CAMPAIGN=full` 200, with `BOARDCAST_GAMES=n` n. Each failure is told with the seed that reproduces it:
//! `BOARDCAST_SEED=n` plays this one alone, `BOARDCAST_PARITY=even` or `odd` n seeds of that parity (even ones are for tuning,
//! odd ones for published figures), `BOARDCAST_CLASS=words` the classes with these words in their names. `BOARDCAST_WRONG`
//! prints what is wrong, known reasons or not, and `BOARDCAST_TRACE` every message and event as well;
//! `BOARDCAST_CAPTURES=folder` keeps what reached the session as captures.
#![allow(clippy::disallowed_methods, reason = "a campaign is asked for by environment variables")]

mod alternatives;
mod bars;
mod campaign;
mod case;
mod classes;
mod decided;
mod difference;
mod equality;
mod expected;
mod known;
mod made_ply;
mod message_fault;
mod person;
mod report;
mod shared_scans;
mod table;
mod two_ways;
mod watched;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use classes::Class;
use game_core::capture::{CaptureLine, Entry};
use report::Report;

/// Seeds of each class in the full campaign.
pub(crate) const FULL_SEEDS: u64 = 200;

pub(crate) fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

pub(crate) fn is_full() -> bool {
    std::env::var("BOARDCAST_CAMPAIGN").is_ok_and(|campaign| campaign == "full")
}

/// Whether what is wrong is printed, known or not.
fn is_told() -> bool {
    table::is_traced() || std::env::var_os("BOARDCAST_WRONG").is_some()
}

/// Those of some classes that are asked for.
pub(crate) fn wanted(classes: impl Iterator<Item = &'static Class>) -> impl Iterator<Item = &'static Class> {
    let words = std::env::var("BOARDCAST_CLASS").unwrap_or_default();
    classes.filter(move |class| class.name.contains(&words))
}

/// The seeds of a class that are played, two games for most: the first few and those known to differ, so that every run
/// checks them.
fn seeds(class: &Class) -> Vec<u64> {
    if let Some(seed) = variable("BOARDCAST_SEED") {
        return vec![seed];
    }
    let known = known::seeds_of(class.name).filter(|_| variable("BOARDCAST_GAMES").is_none());
    let count = variable("BOARDCAST_GAMES").unwrap_or(if is_full() { FULL_SEEDS } else { 4 });
    let of_parity = |first: usize| (0..2 * count).skip(first).step_by(2).collect();
    match std::env::var("BOARDCAST_PARITY").as_deref() {
        Ok("even") => of_parity(0),
        Ok("odd") => of_parity(1),
        _ => (0..count).chain(known).collect::<BTreeSet<_>>().into_iter().collect(),
    }
}

/// Plays a seed of a class; writes what reached the session as a capture into the folder `BOARDCAST_CAPTURES`, if there is one.
fn watch(class: &Class, seed: u64) -> watched::Watched {
    let watched = table::watch((class.case)(seed));
    if let Ok(folder) = std::env::var("BOARDCAST_CAPTURES") {
        let mut lines = String::from("# boardcast-capture 1\n");
        for (at, input) in &watched.inputs {
            let _ = writeln!(lines, "{}", CaptureLine { at: *at, entry: Entry::In(input.clone()) });
        }
        let name = format!("{folder}/{}-{seed}.capture", class.name.replace([' ', ','], "-"));
        std::fs::write(&name, lines).expect("the folder can be written to");
    }
    watched
}

/// Plays each class and compares its records with what was to be told.
fn play(classes: &'static [Class]) {
    println!("{:27} {}", "class", Report::HEADER);
    let mut failures = Vec::new();
    for class in wanted(classes.iter()) {
        let seeds = seeds(class);
        let mut report = Report::default();
        for &seed in &seeds {
            report.add(seed, class, &watch(class, seed));
        }
        println!("{:27} {report}", class.name);
        for wrong in report.differences.values().flatten().filter(|_| is_told()) {
            println!("    {:?}: {}", wrong.kind, wrong.what);
        }
        let found = report.failures(class, &seeds);
        for failure in &found {
            println!("    {failure}");
        }
        failures.extend(found);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn whatever_hands_do_the_game_is_told_as_it_was_played() {
    play(classes::HANDS);
}

#[test]
fn what_is_illegal_or_odd_is_told_as_it_was_played() {
    play(classes::ODD);
}

#[test]
fn whatever_clocks_do_the_game_is_told_as_it_was_played() {
    play(classes::CLOCKS);
}

#[test]
fn however_games_begin_they_are_told_as_they_were_played() {
    play(classes::BEGINNINGS);
}

#[test]
fn however_games_end_they_are_told_as_they_were_played() {
    play(classes::ENDINGS);
}

#[test]
fn whatever_lines_and_boards_do_the_game_is_told_as_it_was_played() {
    play(classes::LINES);
}

#[test]
fn whatever_people_order_the_game_is_told_as_it_was_played() {
    play(classes::OPERATORS);
}

#[test]
fn what_nobody_can_know_is_said_and_the_rest_is_told_as_it_was_played() {
    play(classes::RARE);
}

/// What is asserted stands in [`bars`]; the rest is measured.
#[test]
fn with_two_hands_and_combined_troubles_as_much_is_told_as_the_bars_say() {
    println!("{:27} {}", "class", Report::HEADER);
    let mut failures = Vec::new();
    for class in wanted(shared_scans::SHARED_SCANS.iter()) {
        let mut report = Report::default();
        for seed in seeds(class) {
            report.add(seed, class, &watch(class, seed));
        }
        println!("{:27} {report}", class.name);
        for (seed, wrong) in report.differences.iter().filter(|_| is_told()) {
            for wrong in wrong {
                println!("    seed {seed} {:?}: {}", wrong.kind, wrong.what);
            }
        }
        let bar = bars::BARS.iter().find(|bar| bar.class == class.name).expect("every class has a bar");
        let told = report.games_right();
        failures.extend(bar.unless_reached(told).map(|what| format!("{}: {what}", class.name)));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Games whose record once stopped, or made the core panic: a doubt whose other line parted before the last told ply, an illegal
/// move that was put back on a board with a flickering square, two orders of moves that stayed open until mate.
#[test]
fn records_that_once_stopped_reach_the_end_of_their_games() {
    // Their themes followed from the whole seed.
    let once = [
        ("gap, log in order of events", 12, ["180+2", "300+3", "300"]),
        ("storm", 4, ["180+2", "300", "120+1"]),
        ("storm", 100, ["180+2", "300", "120+1"]),
        ("storm", 108, ["180+2", "300", "120+1"]),
        ("time scramble", 121, ["180", "300", "120"]),
    ];
    for (name, seed, controls) in once {
        let class = shared_scans::SHARED_SCANS.iter().find(|class| class.name == name).expect("a class");
        let case = case::Case { plans: case::plans(seed, &controls), ..(class.case)(seed) };
        let mut report = Report::default();
        report.add(seed, class, &table::watch(case));
        let stops = |kind| matches!(kind, difference::Kind::MissingMoves | difference::Kind::MissingResult);
        let stopped: Vec<_> = report.differences.values().flatten().filter(|wrong| stops(wrong.kind)).collect();
        assert!(stopped.is_empty(), "{name}, seed {seed}: {stopped:?}");
    }
}

#[test]
fn games_of_chess960_are_told_as_they_were_played() {
    play(classes::CHESS960);
}
