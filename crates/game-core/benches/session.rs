//! What the session costs, over the traffic of the catalogue and in a long game: time for each field update, which must be
//! alike early and late, its worst call, and the memory of a board.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a benchmark measures real time")]

#[path = "../tests/catalogue/alternatives.rs"]
#[expect(dead_code, reason = "nothing is compared here")]
mod alternatives;
#[path = "../tests/catalogue/case.rs"]
#[expect(dead_code, reason = "nothing is killed here")]
mod case;
#[path = "../tests/catalogue/classes.rs"]
#[expect(dead_code, reason = "what is expected of a class does not matter here")]
mod classes;
#[path = "../tests/catalogue/decided.rs"]
mod decided;
#[path = "../tests/catalogue/difference.rs"]
#[expect(dead_code, reason = "nothing is compared here")]
mod difference;
#[path = "../tests/catalogue/expected.rs"]
#[expect(dead_code, reason = "nothing is compared here")]
mod expected;
#[path = "../tests/catalogue/made_ply.rs"]
#[expect(dead_code, reason = "nothing is compared here")]
mod made_ply;
#[path = "../tests/catalogue/message_fault.rs"]
#[expect(dead_code, reason = "the lines are good")]
mod message_fault;
#[path = "../tests/catalogue/person.rs"]
mod person;
#[path = "../tests/catalogue/table.rs"]
#[expect(dead_code, reason = "only what reached the session matters here")]
mod table;
#[path = "../tests/catalogue/two_ways.rs"]
mod two_ways;
#[path = "../tests/catalogue/watched.rs"]
#[expect(dead_code, reason = "nothing is compared here")]
mod watched;

use std::time::{Duration, Instant};

use board_sim::plan::Plan;
use board_sim::random;
use divan::{AllocProfiler, Bencher, counter::ItemsCount};
use game_core::input::Input;
use game_core::session::BoardSession;
use game_core::time::Timestamp;

use case::{Case, human, tags};
use classes::all;

#[global_allocator]
static MEMORY: AllocProfiler = AllocProfiler::system();

/// Runs of which each call's least time is taken.
const RUNS: usize = 3;
/// Seeds of each class, two games each.
const SEEDS: u64 = 4;
/// Plies after which the cost of the next ones is measured, and how many they are.
const PLIES: [usize; 3] = [20, 150, 300];
const NEXT: usize = 20;

type Traffic = Vec<(Timestamp, Input)>;

/// What a call was about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    FieldUpdate,
    Clock,
    Dump,
    Other,
    Deadline,
}

const KINDS: [(Kind, &str); 5] = [
    (Kind::FieldUpdate, "field update"),
    (Kind::Clock, "clock message"),
    (Kind::Dump, "dump"),
    (Kind::Other, "log, cable, order"),
    (Kind::Deadline, "deadline"),
];

/// A call of the session and how long it took.
type Call = (Duration, Kind);

fn main() {
    println!("mean cost of a call over all classes, the least of {RUNS} runs; the longest single one");
    let mut every: Vec<(Call, &str, u64)> = Vec::new();
    for class in all() {
        for seed in 0..SEEDS {
            let traffic = recorded((class.case)(seed));
            every.extend(calls(&traffic).into_iter().map(|call| (call, class.name, seed)));
        }
    }
    for (kind, name) in KINDS {
        let of_kind = every.iter().filter(|((_, other), ..)| *other == kind);
        let total: Duration = of_kind.clone().map(|((time, _), ..)| *time).sum();
        let count = of_kind.clone().count();
        let mean = total.as_secs_f64() * 1e6 / count.max(1) as f64;
        if let Some(((time, _), class, seed)) = of_kind.max_by_key(|((time, _), ..)| *time) {
            let worst = time.as_secs_f64() * 1e3;
            println!("{name:18} {count:8} calls, {mean:7.3} µs each, at most {worst:.2} ms ({class}, seed {seed})");
        }
    }
    divan::main();
}

/// Everything that reaches the session in a case.
fn recorded(case: Case) -> Traffic {
    table::watch(case).inputs
}

fn field_updates(traffic: &[(Timestamp, Input)]) -> usize {
    traffic.iter().filter(|(_, input)| kind(input) == Kind::FieldUpdate).count()
}

fn take(session: &mut BoardSession, at: Timestamp, input: &Input) {
    while let Some(due) = session.next_deadline().filter(|due| *due <= at) {
        session.handle_timeout(due);
    }
    session.handle_input(at, input);
    while let Some(output) = session.poll_output() {
        divan::black_box(output);
    }
}

fn run(session: &mut BoardSession, traffic: &[(Timestamp, Input)]) {
    for (at, input) in traffic {
        take(session, *at, input);
    }
}

/// Every call that a session's owner makes for its traffic, with the least time that it took in some runs: what else the
/// machine does in between does not count.
fn calls(traffic: &[(Timestamp, Input)]) -> Vec<Call> {
    let mut least = one_by_one(traffic);
    for _ in 1..RUNS {
        for (least, again) in least.iter_mut().zip(one_by_one(traffic)) {
            least.0 = least.0.min(again.0);
        }
    }
    least
}

fn one_by_one(traffic: &[(Timestamp, Input)]) -> Vec<Call> {
    let mut session = BoardSession::new();
    let mut calls = Vec::new();
    let mut time = |session: &mut BoardSession, kind, call: &dyn Fn(&mut BoardSession)| {
        let began = Instant::now();
        call(session);
        while let Some(output) = session.poll_output() {
            divan::black_box(output);
        }
        calls.push((began.elapsed(), kind));
    };
    for (at, input) in traffic {
        while let Some(due) = session.next_deadline().filter(|due| due <= at) {
            time(&mut session, Kind::Deadline, &|session| session.handle_timeout(due));
        }
        time(&mut session, kind(input), &|session| session.handle_input(*at, input));
    }
    calls
}

fn kind(input: &Input) -> Kind {
    match input {
        Input::Bytes(bytes) => match bytes.first() {
            Some(0x8e) => Kind::FieldUpdate,
            Some(0x8d) => Kind::Clock,
            Some(0x86) => Kind::Dump,
            _ => Kind::Other,
        },
        Input::Notice(_) => Kind::Other,
    }
}

/// A game longer than any that is played, with human hands and a clock.
fn long_game() -> Traffic {
    let plan = Plan::from_random(tags(0, &["5400+30"]), &random::play_long(330, 0));
    recorded(Case { plans: vec![plan], ..human(0) })
}

/// All classes, everything that a session does for them: the time for each item is that for one field update.
#[divan::bench(sample_count = 20)]
fn all_classes(bencher: Bencher) {
    let cases = all().flat_map(|class| (0..SEEDS).map(|seed| recorded((class.case)(seed))));
    let traffic: Vec<Traffic> = cases.collect();
    let updates: usize = traffic.iter().map(|traffic| field_updates(traffic)).sum();
    bencher.counter(ItemsCount::new(updates)).bench_local(|| {
        for traffic in &traffic {
            run(&mut BoardSession::new(), traffic);
        }
    });
}

/// The next plies of a long game: the time for each item is that for one field update, the ticks of the clock included.
#[divan::bench(args = PLIES)]
fn plies_after(bencher: Bencher, ply: usize) {
    let traffic = long_game();
    let mut session = BoardSession::new();
    let (mut from, mut to) = (0, 0);
    for (index, (at, input)) in traffic.iter().enumerate() {
        take(&mut session, *at, input);
        let told = session.to_resume().map_or(0, |resume| resume.moves.len());
        from = if told <= ply { index + 1 } else { from };
        to = if told <= ply + NEXT { index + 1 } else { to };
    }
    let mut session = BoardSession::new();
    run(&mut session, &traffic[..from]);
    let next = &traffic[from..to];
    bencher.counter(ItemsCount::new(field_updates(next))).with_inputs(|| session.clone()).bench_local_values(
        |mut session| {
            run(&mut session, next);
            session
        },
    );
}

/// A board from being plugged in to the end of a long game: the most memory that it holds at a time.
#[divan::bench(sample_count = 5)]
fn memory_of_a_long_game(bencher: Bencher) {
    let traffic = long_game();
    bencher.bench_local(|| {
        let mut session = BoardSession::new();
        run(&mut session, &traffic);
        session
    });
}
