//! A thousand boards at the speed of life, 300 of them on 20 lines in bus mode: every game right, and what the daemon costs.
//! `BOARDCAST_BOARDS`, `_PLIES` and `BOARDCAST_ROUNDS` give their number, the plies of a game, and the games of a board one
//! after another. Within a game the daemon's memory grows with the record; from game to game it should not.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use std::thread;
use std::time::{Duration, Instant};

use board_sim::{Beginning, Hall, HallOptions, Link, random};
use notation::pgn::Outcome;
use notation::time::Times;
use shakmaty::Chess;
use shakmaty::san::SanPlus;
use tournament::serial_order;

use crate::hall::{lines, told_lines};
use crate::process::{Recipe, in_time};

/// Of so many boards three are in bus mode.
const THREE_IN_BUS_MODE_OF: usize = 10;

/// How many of them share a line.
const ON_A_LINE: usize = 15;

/// How often the daemon's use of the machine is printed.
const REPORT: Duration = Duration::from_secs(30);

/// Time for all boards to be found. Lines in bus mode are searched one after the other.
const FINDING: Duration = Duration::from_mins(10);

/// Time for the games, which take some six seconds a ply.
const PLAYING: Duration = Duration::from_hours(1);

fn number<T: FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Different games of the hall; they repeat.
const GAMES: u64 = 50;

/// Random games of so many plies, agreed drawn.
fn games(plies: usize, seed: u64) -> board_sim::Games {
    let game = |number: u64| {
        let mut game = notation::pgn::Game::default();
        for (name, value) in [("White", "White"), ("Black", "Black"), ("TimeControl", "300+3")] {
            game.tags.set(name, value);
        }
        let mut position = Chess::default();
        for played in random::play_long(plies, seed * GAMES + number).moves {
            game.play(SanPlus::from_move_and_play_unchecked(&mut position, played), Times::default());
        }
        game.outcome = Outcome::Draw;
        game.tags.set("Result", Outcome::Draw.as_str());
        game
    };
    board_sim::Games::Pgn((0..GAMES).map(game).collect())
}

/// Two halls side by side: boards with ports of their own, and lines of boards.
fn furnish(folder: &Path, boards: usize, plies: usize, rounds: usize, seed: u64) -> Vec<Hall> {
    let on_lines = 3 * boards / THREE_IN_BUS_MODE_OF / ON_A_LINE * ON_A_LINE;
    let hall = |name: &str, boards, bus, first_serial| {
        let link = Link::Pty { folder: folder.join("ports").join(name) };
        let games = games(plies, seed);
        Hall::new(HallOptions {
            boards,
            bus,
            first_serial,
            speed: 1.0,
            seed,
            link,
            games,
            rounds_per_board: rounds,
            beginning: Beginning::RoundByRound,
            ..HallOptions::default()
        })
        .unwrap()
    };
    // Boards in bus mode have numbers below 16,384.
    let mut halls = vec![hall("single", boards - on_lines, 0, 10_001)];
    if on_lines > 0 {
        halls.push(hall("lines", on_lines, ON_A_LINE, 12_001));
    }
    halls
}

fn pairings(halls: &[Hall]) -> String {
    let mut boards: Vec<_> = halls.iter().flat_map(Hall::schedule).collect();
    boards.sort_by_key(|board| serial_order(&board.serial));
    let pairing = |round: usize, place: usize, tags: &notation::pgn::Tags| {
        let name = |tag| tags.get(tag).unwrap_or("?");
        let (white, black) = (name("White"), name("Black"));
        // The games repeat; players do not.
        format!(
            "[Event \"Crash\"]\n[Round \"{round}\"]\n[White \"{white} {place}\"]\n[Black \"{black} {place}\"]\n\n*\n\n"
        )
    };
    let rounds = boards.first().map_or(0, |board| board.games.len());
    let places = |round: usize| boards.iter().map(move |board| &board.games[round]).enumerate();
    (0..rounds).flat_map(|round| places(round).map(move |(place, tags)| pairing(round + 1, place, tags))).collect()
}

/// Seconds of processor time, memory in KiB, open files and threads of a process.
fn use_of_machine(process: u32) -> (f64, u64, usize, usize) {
    let folder = format!("/proc/{process}");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap_or_default();
    let count = |name: &str| std::fs::read_dir(format!("{folder}/{name}")).map_or(0, Iterator::count);
    let stat = read("stat");
    let ticks = |place: usize| -> f64 {
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        after_name.split_whitespace().nth(place).and_then(|text| text.parse().ok()).unwrap_or(0.0)
    };
    let status = read("status");
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok());
    // User and system time, in hundredths of a second.
    ((ticks(11) + ticks(12)) / 100.0, memory.unwrap_or(0), count("fd"), count("task"))
}

/// Prints what a line in bus mode was asked in a second since the last report.
fn report_lines(halls: &[Hall], before: &mut [u64; 4], during: Duration) {
    // All boards of a line hear what each of them is asked.
    let lines: Vec<_> = halls.iter().skip(1).flat_map(|hall| hall.boards().into_iter().step_by(ON_A_LINE)).collect();
    let count = |command| lines.iter().map(|board| board.host_commands.count(command)).sum::<u64>();
    let asked = [count(0x83), count(0x81), count(0x82), count(0x84) + count(0x87)];
    let seconds = during.as_secs_f64() * lines.len() as f64;
    if seconds > 0.0 {
        let [changes, clocks, dumps, again] =
            std::array::from_fn(|place| (asked[place] - before[place]) as f64 / seconds);
        println!(
            "        a line, a second: {changes:.1} changes, {clocks:.1} clocks, {dumps:.2} dumps, {again:.2} repeats and pings"
        );
    }
    *before = asked;
}

#[test]
#[ignore = "a quarter of an hour at the speed of life: cargo test --release --test crash thousand -- --ignored --nocapture"]
fn a_thousand_boards_are_told_exactly_and_cost_less_than_half_a_core() {
    let boards: usize = number("BOARDCAST_BOARDS", 1000);
    let plies: usize = number("BOARDCAST_PLIES", 150);
    let rounds: usize = number("BOARDCAST_ROUNDS", 1);
    let folder = tempfile::tempdir().unwrap();
    let mut halls = furnish(folder.path(), boards, plies, rounds, number("BOARDCAST_SEED", 3));
    let mut recipe = Recipe::new(folder.path());
    recipe.ports = folder.path().join("ports/*");
    std::fs::write(&recipe.pairings, pairings(&halls)).unwrap();
    let begun = Instant::now();
    let daemon = recipe.start();
    let process = daemon.0.id();
    recipe.wait_until_ready();
    let armed = |halls: &[Hall]| {
        halls
            .iter()
            .flat_map(Hall::boards)
            .filter(|board| board.host_commands.count(0x42) + board.host_commands.count(0x82) > 0)
            .count()
    };
    while armed(&halls) < boards {
        assert!(begun.elapsed() < FINDING, "{} of {boards} boards are followed", armed(&halls));
        thread::sleep(Duration::from_millis(200));
    }
    println!("{boards} boards are followed after {:.1} s", begun.elapsed().as_secs_f64());

    for hall in &halls {
        hall.start();
    }
    let begun = Instant::now();
    let (before, ..) = use_of_machine(process);
    let (mut first, mut asked) = (None, [0; 4]);
    report_lines(&halls, &mut asked, Duration::ZERO);
    let playing = |halls: &[Hall]| halls.iter().any(|hall| !hall.wait_until_done(Duration::ZERO));
    while playing(&halls) {
        thread::sleep(REPORT);
        let (seconds, memory, files, threads) = use_of_machine(process);
        let elapsed = begun.elapsed().as_secs_f64();
        let plies: u64 = halls.iter().flat_map(Hall::boards).map(|board| board.plies).sum();
        let share = 100.0 * (seconds - before) / elapsed;
        println!(
            "{elapsed:>5.0} s: {plies} plies, {share:.1} % of a core, {memory} KiB, {files} files, {threads} threads"
        );
        first.get_or_insert(files);
        report_lines(&halls, &mut asked, REPORT);
        assert!(begun.elapsed() < PLAYING, "the games do not come to an end");
    }
    let played: Vec<_> = halls.iter().flat_map(Hall::played).collect();
    let played: BTreeMap<_, _> = lines(&played);
    let right = in_time(|| told_lines(&recipe) == played);
    let told = told_lines(&recipe);
    let wrong: Vec<_> = played.iter().filter(|(game, moves)| told.get(*game) != Some(moves)).collect();
    for (game, moves) in &wrong {
        println!("{game}: played {moves:?}\n  told {:?}", told.get(*game));
    }
    assert!(right, "{} of {} games are not told as they were played", wrong.len(), played.len());
    let (_, _, files, _) = use_of_machine(process);
    let first = first.unwrap_or(files);
    assert!(files <= first + 10, "open files grew from {first} to {files}");
    for hall in &mut halls {
        hall.stop();
    }
}
