//! The catalogue of what real boards and players do, as an adversary: each class of cases plays seeded games at simulated
//! boards in hall time and counts what the session made of them. A few games a class by default; with
//! `BOARDCAST_CAMPAIGN=full` 200, with `BOARDCAST_GAMES=n` n. Each failure is told with the seed that reproduces it:
//! `BOARDCAST_SEED=n` plays this one alone, `BOARDCAST_CLASS=words` the classes with these words in their names, and
//! `BOARDCAST_TRACE` prints every message and event, and in the end what is wrong, known reasons or not.
#![allow(clippy::disallowed_methods, reason = "a campaign is asked for by environment variables")]

mod alternatives;
mod bars;
mod campaign;
mod case;
mod classes;
mod decided;
mod difference;
mod expected;
mod known;
mod made_ply;
mod message_fault;
mod person;
mod report;
mod shared_scans;
mod table;
mod two_ways;

use std::collections::BTreeSet;

use classes::Class;
use report::Report;

/// Seeds of each class in the full campaign.
pub(crate) const FULL_SEEDS: u64 = 200;

pub(crate) fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

pub(crate) fn is_full() -> bool {
    std::env::var("BOARDCAST_CAMPAIGN").is_ok_and(|campaign| campaign == "full")
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
    let first = 0..variable("BOARDCAST_GAMES").unwrap_or(if is_full() { FULL_SEEDS } else { 4 });
    first.chain(known).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Plays each class and compares its records with what was to be told.
fn play(classes: &'static [Class]) {
    println!("{:27} {}", "class", Report::HEADER);
    let mut failures = Vec::new();
    for class in wanted(classes.iter()) {
        let seeds = seeds(class);
        let mut report = Report::default();
        for &seed in &seeds {
            report.add(seed, class, &table::watch((class.case)(seed)));
        }
        println!("{:27} {report}", class.name);
        for wrong in report.differences.values().flatten().filter(|_| table::is_traced()) {
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
            report.add(seed, class, &table::watch((class.case)(seed)));
        }
        println!("{:27} {report}", class.name);
        for (seed, wrong) in report.differences.iter().filter(|_| table::is_traced()) {
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

#[test]
fn games_of_chess960_are_told_as_they_were_played() {
    play(classes::CHESS960);
}
