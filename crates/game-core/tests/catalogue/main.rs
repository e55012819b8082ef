//! The catalogue of what real boards and players do, as an adversary: each class of cases plays seeded games at simulated
//! boards in hall time and counts what the session made of them. A few games a class by default; with
//! `BOARDCAST_CAMPAIGN=full` 200, with `BOARDCAST_GAMES=n` n. Each failure is told with the seed that reproduces it:
//! `BOARDCAST_SEED=n` plays this one alone, `BOARDCAST_CLASS=words` the classes with these words in their names.
#![allow(clippy::disallowed_methods, reason = "a campaign is asked for by environment variables")]

mod campaign;
mod case;
mod classes;
mod expected;
mod known;
mod person;
mod report;
#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "the games and positions are wanted, not the bytes")]
mod shared;
mod table;

use classes::{CLASSES, Class};
use report::Report;

pub(crate) fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

pub(crate) fn is_full() -> bool {
    std::env::var("BOARDCAST_CAMPAIGN").is_ok_and(|campaign| campaign == "full")
}

/// The classes that are asked for.
pub(crate) fn classes() -> impl Iterator<Item = &'static Class> {
    let wanted = std::env::var("BOARDCAST_CLASS").unwrap_or_default();
    CLASSES.iter().filter(move |class| class.name.contains(&wanted))
}

/// Two games are played for most seeds.
fn seeds() -> Vec<u64> {
    let count = variable("BOARDCAST_GAMES").unwrap_or(if is_full() { 200 } else { 4 });
    variable("BOARDCAST_SEED").map_or_else(|| (0..count).collect(), |seed| vec![seed])
}

#[test]
fn every_class_of_the_catalogue_is_told_as_it_was_played() {
    println!("{:27} {}", "class", Report::HEADER);
    let seeds = seeds();
    let mut failures = Vec::new();
    for class in classes() {
        let mut report = Report::default();
        for &seed in &seeds {
            report.add(seed, class, &table::watch((class.case)(seed)));
        }
        println!("{:27} {report}", class.name);
        let found = report.failures(class, &seeds);
        for failure in &found {
            println!("    {failure}");
        }
        failures.extend(found);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
