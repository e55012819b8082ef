//! Requests per second and processor time of a request, beside nginx and the floor, while every move changes the files.

use std::path::Path;
use std::time::Duration;

use crate::machine::{Server, Usage, median, us};
use crate::nginx::Nginx;
use crate::ours::PLIES;
use crate::pollers::{self, Question};

/// Games of the round.
pub(crate) const GAMES: u32 = 100;

/// From one move to the next: a round of blitz on 100 boards has about 15 a second.
pub(crate) const CHANGE_EVERY: Duration = Duration::from_millis(66);

const POLLERS: usize = 32;
const TIME: Duration = Duration::from_millis(700);
const ROUNDS: usize = 5;

/// Name of a case, file, whether with gzip, whether conditional.
const CASES: [(&str, &str, bool, bool); 6] = [
    ("304", "games", false, true),
    ("304, gzip", "games", true, true),
    ("one game", "game-1", false, false),
    ("one game, gzip", "game-1", true, false),
    ("round", "games", false, false),
    ("round, gzip", "games", true, false),
];

/// One measurement.
struct Figures {
    per_second: f64,
    cpu_us: f64,
    longest: usize,
    changed: u64,
}

pub(crate) fn run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_string_lossy().into_owned();
    let mut writer = Server::start(&["writer", &path]);
    let nginx = Nginx::start(folder.path());
    if nginx.is_none() {
        println!(
            "nginx is not installed (Debian: apt install nginx-light): only the project's own figures and the floor's\n"
        );
    }
    let mut ours = Server::start(&["ours", "1", &GAMES.to_string(), &PLIES.to_string(), "memory"]);
    println!(
        "{ROUNDS} rounds of {:.1} s, {POLLERS} pollers; a move every {} ms\n",
        TIME.as_secs_f64(),
        CHANGE_EVERY.as_millis()
    );
    println!(
        "| case | body | req/s: floor | nginx | boardcast | CPU µs: floor | nginx | boardcast | req/s of nginx | CPU of floor | nginx: CPU of floor |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (name, file, gzip, conditional) in CASES {
        let question = Question { path: format!("/pgn/s1/round-1/{file}.pgn"), gzip, conditional };
        let (mut of_floor, mut of_nginx, mut of_ours) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            of_floor.push(floor(folder.path(), file, &question));
            if let Some(nginx) = &nginx {
                writer.order("start");
                of_nginx.push(measure(&nginx.address, &question, || nginx.usage()));
                writer.order("stop");
            }
            ours.order(format!("changes {}", CHANGE_EVERY.as_micros()));
            of_ours.push(measure(&ours.address.clone(), &question, || ours.usage()));
            ours.ask("stop");
        }
        row(name, &of_floor, &of_nginx, &of_ours);
    }
    println!(
        "\nOf nginx the processor time of its worker alone counts, of boardcast that of the whole process, moves and new files included."
    );
}

fn floor(folder: &Path, file: &str, question: &Question) -> Figures {
    let at = |ending: &str| folder.join(format!("files/pgn/s1/round-1/{file}.{ending}")).to_string_lossy().into_owned();
    let floor = Server::start(&["floor-files", &at("pgn"), &at("pgn.gz")]);
    measure(&floor.address, question, || floor.usage())
}

fn measure(address: &str, question: &Question, usage: impl Fn() -> Usage) -> Figures {
    let mut before = None;
    let answers = pollers::ask(address, question, POLLERS, TIME, || before = Some(usage()));
    let cpu = usage().cpu.saturating_sub(before.map_or(Duration::ZERO, |before| before.cpu));
    assert_eq!(answers.lost, 0, "no connection is lost: {question:?}");
    let known = answers.statuses.keys().all(|status| [200, 304].contains(status));
    assert!(known && answers.count() > 0, "{question:?}: {answers:?}");
    let (full, longest) = (answers.statuses.get(&200).copied().unwrap_or(0), answers.longest);
    Figures { per_second: answers.per_second(), cpu_us: us(cpu) / answers.count() as f64, longest, changed: full }
}

/// Prints medians, and medians of the ratios of each round.
fn row(name: &str, floor: &[Figures], nginx: &[Figures], ours: &[Figures]) {
    let of = |figures: &[Figures], value: fn(&Figures) -> f64| median(figures.iter().map(value).collect());
    let ratio = |one: &[Figures], other: &[Figures], value: fn(&Figures) -> f64| {
        median(one.iter().zip(other).map(|(one, other)| value(one) / value(other)).collect())
    };
    let rate: fn(&Figures) -> f64 = |of| of.per_second;
    let cpu: fn(&Figures) -> f64 = |of| of.cpu_us;
    println!(
        "| {name} | {} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} | {:.2} | **{:.2}** | {:.2} | {:.2} |",
        ours.iter().map(|of| of.longest).max().unwrap_or(0),
        of(floor, rate),
        of(nginx, rate),
        of(ours, rate),
        of(floor, cpu),
        of(nginx, cpu),
        of(ours, cpu),
        ratio(ours, nginx, rate),
        ratio(ours, floor, cpu),
        ratio(nginx, floor, cpu),
    );
    if name.starts_with("304") {
        let full = ours.iter().map(|of| of.changed).sum::<u64>();
        eprintln!("({name}: {full} answers of boardcast were new files)");
    }
}
