//! How much memory a session holds at most: counted, over whole games, over the troubles that make the search work most, and
//! over rubbish.

#[path = "catalogue/alternatives.rs"]
mod alternatives;
#[path = "catalogue/case.rs"]
mod case;
#[path = "catalogue/classes.rs"]
#[expect(dead_code, reason = "what is expected of a class does not matter here")]
mod classes;
#[path = "catalogue/decided.rs"]
mod decided;
#[path = "catalogue/difference.rs"]
#[expect(dead_code, reason = "nothing is compared here")]
mod difference;
#[path = "catalogue/expected.rs"]
#[expect(dead_code, reason = "nothing is compared here")]
mod expected;
#[path = "catalogue/made_ply.rs"]
#[expect(dead_code, reason = "nothing is compared here")]
mod made_ply;
#[path = "catalogue/message_fault.rs"]
#[expect(dead_code, reason = "the lines are good")]
mod message_fault;
#[path = "catalogue/person.rs"]
mod person;
#[path = "catalogue/shared_scans.rs"]
mod shared_scans;
#[path = "catalogue/table.rs"]
#[expect(dead_code, reason = "only what reached the session matters here")]
mod table;
#[path = "catalogue/two_ways.rs"]
mod two_ways;
#[path = "catalogue/watched.rs"]
#[expect(dead_code, reason = "nothing is compared here")]
mod watched;

use std::sync::Mutex;

use board_sim::plan::Plan;
use board_sim::random;
use dgt_protocol::{ClockMessage, ClockTimes, Field, Message, PieceCode, SideTime};
use game_core::event::{Event, Record};
use game_core::input::{Attach, Command, Detach, Input, Notice, Order};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use peak_alloc::PeakAlloc;

use case::{Case, human, tags};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Held by each test, as the memory of the whole process is counted.
static ALONE: Mutex<()> = Mutex::new(());

/// The most that a session may hold, in bytes.
const MOST: usize = 420 << 10;

/// The most while a result stands that a person has entered and play goes on.
const MOST_AFTER_RESULT: usize = 500 << 10;

/// Plies of a game after which the observations of the first ones are long forgotten.
const PLIES: usize = 600;

/// The most bytes that a session takes for each ply of the second half of such a game: its moves, their times and presses.
const MOST_A_PLY: usize = 400;

/// Games whose troubles widen the search, or make it follow several games; the fifth is long.
const CASES: [(&str, u64); 6] = [
    ("storm", 1),
    ("mixture", 1),
    ("daemon killed, no log", 0),
    ("gap of 7 to 20 plies", 0),
    ("dead square found", 1),
    ("very bad line", 0),
];

type Traffic = Vec<(Timestamp, Input)>;

/// The most that a session holds at a time while it takes these inputs.
fn most(traffic: &Traffic) -> usize {
    held(traffic).into_iter().max().unwrap_or(0)
}

/// What a session holds after each ply that it tells while it takes these inputs; of a ply the most.
fn held(traffic: &Traffic) -> Vec<usize> {
    let mut held = Vec::with_capacity(4096);
    held.push(0);
    let before = MEMORY.current_usage();
    let mut session = BoardSession::new();
    for (at, input) in traffic {
        let mut told = 0;
        let mut drain = |session: &mut BoardSession| {
            while let Some(output) = session.poll_output() {
                let is_move = |record: &Record| matches!(record.event, Event::Move { .. });
                told += usize::from(matches!(&output, Output::Event(record) if is_move(record)));
            }
        };
        while let Some(due) = session.next_deadline().filter(|due| due <= at) {
            session.handle_timeout(due);
            drain(&mut session);
        }
        session.handle_input(*at, input);
        drain(&mut session);
        // What a call needs while it works is not held.
        let now = MEMORY.current_usage().saturating_sub(before);
        held.resize(held.len() + told, now);
        if let Some(last) = held.last_mut() {
            *last = (*last).max(now);
        }
    }
    held
}

/// Rubbish that keeps the search busy: pieces that come and go, presses, dumps of something else, and the cable out.
fn rubbish(seed: u64) -> Traffic {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut now = 0;
    let mut fields = [PieceCode::Empty; 64];
    let start = game_core::placement::Placement::from_board(&shakmaty::Board::new());
    for field in Field::all() {
        fields[field.index()] = start.get(game_core::placement::square_of(field, false));
    }
    let dump = |fields: &[PieceCode; 64]| Input::Bytes(Message::BoardDump(*fields).encode());
    let mut traffic = vec![(Timestamp::ZERO, Input::Notice(Notice::Attach(Attach::default())))];
    traffic.push((Timestamp::from_ms(100), dump(&fields)));
    let mut left = true;
    for number in 0..4_000u32 {
        now += rng.u64(50..700);
        let input = match rng.u8(0..40) {
            0 => {
                let field = rng.usize(0..64);
                fields[field] = PieceCode::from_byte(rng.u8(0..13));
                dump(&fields)
            }
            1 if number % 7 == 0 => Input::Notice(Notice::Detach(Detach::default())),
            2 => Input::Notice(Notice::Attach(Attach::default())),
            3..8 => {
                left = !left;
                let time = SideTime::from_seconds(5_000 - number);
                let running = number % 50 != 0;
                let times =
                    ClockTimes { left: time, right: time, running, right_side_up: left, ..ClockTimes::default() };
                Input::Bytes(Message::Clock(ClockMessage::Times(times)).encode())
            }
            _ => {
                let field = rng.u8(0..64);
                let piece = if rng.bool() { PieceCode::Empty } else { PieceCode::from_byte(rng.u8(0..13)) };
                fields[usize::from(field)] = piece;
                let field = Field::new(field).expect("a field of the board");
                Input::Bytes(Message::FieldUpdate { field, piece }.encode())
            }
        };
        traffic.push((Timestamp::from_ms(now), input));
    }
    traffic
}

#[test]
fn a_game_of_many_plies_adds_little_for_each() {
    let _alone = ALONE.lock();
    let plan = Plan::from_random(tags(0, &["5400+30"]), &random::play_long(PLIES, 0));
    let held = held(&table::watch(Case { plans: vec![plan], ..human(0) }).inputs);
    for plies in (50..held.len()).step_by(50) {
        println!("{plies:4} plies {:6} KiB", held[plies] / 1024);
    }
    let (early, late) = (&held[PLIES / 2..PLIES / 2 + 50], &held[held.len() - 50..]);
    let mean = |held: &[usize]| held.iter().sum::<usize>() / held.len();
    let plies = held.len() - 50 - PLIES / 2;
    let each = mean(late).saturating_sub(mean(early)) / plies;
    println!("a ply of the second half: {each} bytes");
    assert!(each <= MOST_A_PLY, "{each} bytes");
}

#[test]
fn a_game_that_is_heard_on_after_its_result_is_held_twice_and_not_more() {
    let _alone = ALONE.lock();
    let plan = Plan::from_random(tags(0, &["5400+30"]), &random::play_long(330, 0));
    let mut traffic = table::watch(Case { plans: vec![plan], ..human(0) }).inputs;
    let order = Order::Result { result: "1-0".into(), reason: None };
    let half = traffic.len() / 2;
    traffic.insert(half, (traffic[half].0, Input::Notice(Notice::Command(Command { by: String::new(), order }))));
    let held = most(&traffic);
    println!("{} KiB", held / 1024);
    assert!(held <= MOST_AFTER_RESULT, "{} KiB", held / 1024);
}

#[test]
fn a_session_holds_at_most_420_kibibytes() {
    let _alone = ALONE.lock();
    let mut cases: Vec<(String, Traffic)> = Vec::new();
    let plan = Plan::from_random(tags(0, &["5400+30"]), &random::play_long(330, 0));
    cases.push(("a long game".to_owned(), table::watch(Case { plans: vec![plan], ..human(0) }).inputs));
    for (name, seed) in CASES {
        let class = classes::all().chain(shared_scans::SHARED_SCANS).find(|class| class.name == name).expect(name);
        cases.push((format!("{name}, seed {seed}"), table::watch((class.case)(seed)).inputs));
    }
    for seed in 0..2 {
        cases.push((format!("rubbish {seed}"), rubbish(seed)));
    }
    let mut beyond = Vec::new();
    for (name, traffic) in &cases {
        let held = most(traffic);
        println!("{name:32} {:6} KiB of {} inputs", held / 1024, traffic.len());
        if held > MOST {
            beyond.push(format!("{name}: {} KiB", held / 1024));
        }
    }
    assert!(beyond.is_empty(), "{}", beyond.join(", "));
}
