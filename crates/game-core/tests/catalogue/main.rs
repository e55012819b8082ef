//! The catalogue of what real boards and players do, as an adversary: each class of cases plays seeded games at simulated
//! boards in hall time and counts what the session made of them. A few games a class by default; with
//! `BOARDCAST_CAMPAIGN=full` 200, with `BOARDCAST_GAMES=n` n. Each failure is told with the seed that reproduces it:
//! `BOARDCAST_SEED=n` plays this one alone.
#![allow(clippy::disallowed_methods, reason = "a campaign is asked for by environment variables")]

mod classes;
mod report;
mod table;

use classes::{CLASSES, Class};
use report::Report;

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn games_each() -> u64 {
    let full = std::env::var("BOARDCAST_CAMPAIGN").is_ok_and(|campaign| campaign == "full");
    variable("BOARDCAST_GAMES").unwrap_or(if full { 200 } else { 4 })
}

fn play(class: &Class) -> Report {
    let mut report = Report::default();
    let seeds = variable("BOARDCAST_SEED").map_or(0..games_each(), |seed| seed..seed + 1);
    for seed in seeds {
        let case = (class.case)(seed);
        let shows_result = case.settings.manners.trouble.shows_result();
        let watched = table::watch(case);
        report.add(seed, shows_result, &watched);
    }
    println!("{:24} {report}", class.name);
    report
}

#[test]
fn every_class_of_the_catalogue_is_recognised_as_well_as_it_ever_was() {
    println!("{:24} {}", "class", Report::HEADER);
    let wanted = std::env::var("BOARDCAST_CLASS").unwrap_or_default();
    let mut short = Vec::new();
    for class in CLASSES.iter().filter(|class| class.name.contains(&wanted)) {
        let report = play(class);
        for line in &report.wrong {
            println!("    {}, {line}", class.name);
        }
        if let Err(what) = report.check(class) {
            short.push(format!("{}: {what}\n  {}", class.name, report.wrong.join("\n  ")));
        }
    }
    assert!(short.is_empty(), "{}", short.join("\n"));
}
