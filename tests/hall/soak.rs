//! A hall that plays for hours while cables are pulled, boards restart and the daemon with them: every game right, nothing grows.
//!
//! Two minutes of it run with every test. `BOARDCAST_SOAK_MINUTES`, `_BOARDS`, `_SPEED` and `BOARDCAST_SEED` make it longer.

use std::str::FromStr;
use std::time::{Duration, Instant};

use board_sim::table::Phase;
use board_sim::{Beginning, Faults, Games, Hall, HallOptions};

use crate::daemon::{Daemon, PATIENCE};
use crate::published::played_sans;

/// Hall minutes of a game of three minutes a player and two seconds a move, roughly.
const GAME_MINUTES: usize = 6;

/// Games in a row on one board, at most.
const MOST_ROUNDS: usize = 900;

/// How often the use of the machine is printed.
const REPORT: Duration = Duration::from_secs(30);

fn number<T: FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Master games as blitz.
fn blitz() -> Games {
    let mut games = board_sim::games::shipped().unwrap();
    for game in &mut games {
        game.tags.set("TimeControl", "180+2");
        let moves: Vec<_> = game.line().map(|ply| ply.san).collect();
        game.movetext.clear();
        for san in moves {
            game.play(san, notation::time::Times::default());
        }
    }
    Games::Pgn(games)
}

/// Memory in KiB, open files and threads of this process: the daemon with the boards that it reads.
fn use_of_machine() -> (u64, usize, usize) {
    let count = |folder| std::fs::read_dir(folder).map_or(0, Iterator::count);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok());
    (memory.unwrap_or(0), count("/proc/self/fd"), count("/proc/self/task"))
}

fn is_playing(hall: &Hall, board: usize) -> bool {
    hall.board(board).is_some_and(|board| board.phase == Phase::Playing && board.mode.is_armed())
}

/// Players wait while their board is away, as they do when an operator is at the table.
async fn disturb(daemon: &Daemon, board: usize, rng: &mut fastrand::Rng, number: u64) {
    let hall = &daemon.hall;
    hall.pause(board).unwrap();
    // Three seconds of the hall at 20 times its speed: what was played has been seen.
    tokio::time::sleep(Duration::from_millis(150)).await;
    if rng.bool() {
        hall.power_cycle(board).unwrap();
    } else {
        hall.unplug(board).unwrap();
        tokio::time::sleep(Duration::from_millis(rng.u64(0..500))).await;
        let name = rng.bool().then(|| format!("ttyAGAIN{number}"));
        hall.plug(board, name.as_deref()).unwrap();
    }
    let armed = hall.wait_until(PATIENCE, |hall| hall.board(board).unwrap().mode.is_armed());
    assert!(armed, "board {board} is not followed again after {number} disturbances");
    hall.resume(board).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn hours_of_play_with_pulled_cables_and_restarts_lose_no_move_and_leave_nothing_open() {
    let minutes: usize = number("BOARDCAST_SOAK_MINUTES", 2);
    let (boards, speed): (usize, u16) = (number("BOARDCAST_SOAK_BOARDS", 8), number("BOARDCAST_SOAK_SPEED", 20));
    let chance = number("BOARDCAST_SEED", 11);
    let rounds = (minutes * usize::from(speed)).div_ceil(GAME_MINUTES).clamp(1, MOST_ROUNDS);
    let options = HallOptions {
        boards,
        speed: f64::from(speed),
        seed: chance,
        games: blitz(),
        rounds_per_board: rounds,
        rotated: true,
        faults: Faults::None,
        beginning: Beginning::RoundByRound,
        ..HallOptions::default()
    };
    let mut daemon = Daemon::start(options).await;
    let mut rng = fastrand::Rng::with_seed(chance);
    let began = Instant::now();
    let end = began + Duration::from_mins(minutes as u64);
    let (mut disturbed, mut restarted) = (0, 0);
    let mut reported = began;
    let mut at_first = None;
    println!("{boards} boards, {rounds} games each, at {speed} times the speed of life");
    while Instant::now() < end {
        tokio::time::sleep(Duration::from_millis(rng.u64(500..3_000))).await;
        let board = rng.usize(0..boards);
        if rng.u8(0..20) == 0 {
            // Nothing is played meanwhile, so that every move has been seen.
            for board in 0..boards {
                daemon.hall.pause(board).unwrap();
            }
            tokio::time::sleep(Duration::from_millis(150)).await;
            daemon.restart().await;
            let armed = |hall: &Hall| hall.boards().iter().all(|board| board.mode.is_armed());
            assert!(daemon.hall.wait_until(PATIENCE, armed), "a board is not followed after a restart");
            for board in 0..boards {
                daemon.hall.resume(board).unwrap();
            }
            restarted += 1;
        } else if is_playing(&daemon.hall, board) {
            disturb(&daemon, board, &mut rng, disturbed).await;
            disturbed += 1;
        }
        if reported.elapsed() > REPORT {
            reported = Instant::now();
            let (memory, files, threads) = use_of_machine();
            let finished = daemon.hall.played().len();
            println!(
                "{:>5} s: {finished} games, {disturbed} disturbances, {restarted} restarts, {memory} KiB, {files} files, {threads} threads",
                began.elapsed().as_secs()
            );
            at_first.get_or_insert((files, threads));
        }
    }
    // The games that are on come to their end.
    daemon.hall.hold();
    let over = |hall: &Hall| hall.boards().iter().all(|board| board.phase != Phase::Playing);
    assert!(daemon.hall.wait_until(5 * PATIENCE, over), "games do not come to an end: {:?}", daemon.hall.boards());
    let told = daemon.all_told().await;
    for (played, text, game) in &told {
        assert_eq!(game.sans, played_sans(played), "board {}: {text}", played.serial);
    }
    println!("{} games right after {disturbed} disturbances and {restarted} restarts", told.len());
    if let Some((files, threads)) = at_first {
        let (_, now_files, now_threads) = use_of_machine();
        assert!(now_files <= files + boards, "open files grew from {files} to {now_files}");
        assert!(now_threads <= threads + boards, "threads grew from {threads} to {now_threads}");
    }
    daemon.stop().await;
}
