//! A hall that plays for hours while cables are pulled, boards restart and the daemon with them: every game right, nothing grows.
//!
//! Two minutes of it run with every test. `BOARDCAST_SOAK_MINUTES`, `_BOARDS`, `_SPEED` and `BOARDCAST_SEED` make it longer,
//! `BOARDCAST_SOAK_NOISE=1` gives each board a noisy line, and `BOARDCAST_SOAK_RESTARTS=0` leaves one daemon at work throughout, to measure what it keeps of finished games. With
//! `BOARDCAST_SOAK_STATE`, a file, it is played in stretches of `BOARDCAST_SOAK_STRETCH` minutes, each with a hall of its own, and
//! the file keeps which are done: a soak that was stopped goes on with the stretch that it was in.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use board_sim::table::Phase;
use board_sim::{Beginning, Faults, Games, Hall, HallOptions};

use serde::{Deserialize, Serialize};

use crate::daemon::{Daemon, PATIENCE};
use crate::published::played_sans;

/// Hall minutes of a game of three minutes a player and two seconds a move, roughly.
const GAME_MINUTES: usize = 6;

/// Games in a row on one board, at most.
const MOST_ROUNDS: usize = 900;

/// How often the use of the machine is printed.
const REPORT: Duration = Duration::from_secs(30);

/// A computer that stands still for so long is named: at 20 times the speed of life twenty seconds of the hall go unread, and what
/// the boards sent meanwhile may be lost.
const STANDSTILL: Duration = Duration::from_secs(1);

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

/// Says when the threads of this process did not run, until what it returns is dropped: boards and daemon stood still together then,
/// which no hall does.
fn name_standstills() -> Arc<()> {
    let wanted = Arc::new(());
    let still = Arc::downgrade(&wanted);
    std::thread::spawn(move || {
        while still.strong_count() > 0 {
            let began = Instant::now();
            std::thread::sleep(Duration::from_millis(100));
            if began.elapsed() > STANDSTILL {
                println!("this computer stood still for {:.1} s", began.elapsed().as_secs_f32());
            }
        }
    });
    wanted
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
    // A board that woke up in bus mode may be taken for one of a bus on a busy machine: then it is asked for its changes (83).
    let asked = |hall: &Hall| hall.board(board).unwrap().host_commands.count(0x83);
    let before = asked(hall);
    let followed = |hall: &Hall| hall.board(board).unwrap().mode.is_armed() || asked(hall) > before + 1;
    assert!(
        hall.wait_until(PATIENCE, followed),
        "board {board} is not followed again after {number} disturbances: {:?}",
        hall.board(board)
    );
    hall.resume(board).unwrap();
}

/// What is played: a state of other settings is not gone on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Soak {
    minutes: usize,
    /// Minutes of a stretch.
    stretch: usize,
    boards: usize,
    speed: u16,
    seed: u64,
    /// Messages are lost, damaged and repeated.
    noise: bool,
}

/// What was played so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Done {
    minutes: usize,
    games: usize,
    disturbances: u64,
    restarts: u64,
}

#[derive(Serialize, Deserialize)]
struct State {
    soak: Soak,
    done: Done,
}

impl Soak {
    fn of_settings(resumable: bool) -> Self {
        let minutes = number("BOARDCAST_SOAK_MINUTES", 2);
        Self {
            minutes,
            stretch: if resumable { number("BOARDCAST_SOAK_STRETCH", 12).max(1) } else { minutes },
            boards: number("BOARDCAST_SOAK_BOARDS", 8),
            speed: number("BOARDCAST_SOAK_SPEED", 20),
            seed: number("BOARDCAST_SEED", 11),
            noise: number("BOARDCAST_SOAK_NOISE", 0_u8) > 0,
        }
    }
}

/// What a state says is done; nothing without one.
fn done_of(file: &Path, soak: Soak) -> Done {
    let Ok(text) = std::fs::read(file) else { return Done::default() };
    let state: State = serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert_eq!(state.soak, soak, "{} is of a soak with other settings: remove it, or set these", file.display());
    state.done
}

/// Replaces the state in one step, so that a soak that is killed meanwhile has the one before.
fn keep(file: &Path, soak: Soak, done: Done) {
    let part = file.with_extension("part");
    std::fs::write(&part, serde_json::to_vec_pretty(&State { soak, done }).unwrap()).unwrap();
    std::fs::rename(part, file).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn hours_of_play_with_pulled_cables_and_restarts_lose_no_move_and_leave_nothing_open() {
    let file = std::env::var_os("BOARDCAST_SOAK_STATE");
    let file = file.as_deref().map(Path::new);
    let soak = Soak::of_settings(file.is_some());
    let mut done = file.map_or_else(Done::default, |file| done_of(file, soak));
    println!("{soak:?}; done before: {done:?}");
    let _standstills = name_standstills();
    while done.minutes < soak.minutes {
        let minutes = soak.stretch.min(soak.minutes - done.minutes);
        let stretch = play(soak, done.minutes, minutes).await;
        done = Done {
            minutes: done.minutes + minutes,
            games: done.games + stretch.games,
            disturbances: done.disturbances + stretch.disturbances,
            restarts: done.restarts + stretch.restarts,
        };
        println!("{done:?}: every game right");
        if let Some(file) = file {
            keep(file, soak, done);
        }
    }
}

/// One stretch, from this minute of the soak on.
async fn play(soak: Soak, from: usize, minutes: usize) -> Done {
    let Soak { boards, speed, .. } = soak;
    // Each stretch has games and troubles of its own.
    let seed = soak.seed.wrapping_add((from as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let rounds = (minutes * usize::from(speed)).div_ceil(GAME_MINUTES).clamp(1, MOST_ROUNDS);
    let options = HallOptions {
        boards,
        speed: f64::from(speed),
        seed,
        games: blitz(),
        rounds_per_board: rounds,
        rotated: true,
        faults: if soak.noise { Faults::Damage } else { Faults::None },
        beginning: Beginning::RoundByRound,
        ..HallOptions::default()
    };
    let mut daemon = Daemon::start(options).await;
    let mut rng = fastrand::Rng::with_seed(seed);
    let began = Instant::now();
    let end = began + Duration::from_mins(minutes as u64);
    let (mut disturbed, mut restarted) = (0, 0);
    let mut reported = began;
    let mut at_first = None;
    let restarts = number("BOARDCAST_SOAK_RESTARTS", 1_u8) > 0;
    while Instant::now() < end {
        tokio::time::sleep(Duration::from_millis(rng.u64(500..3_000))).await;
        let board = rng.usize(0..boards);
        if restarts && rng.u8(0..20) == 0 {
            // Nothing is played meanwhile, so that every move has been seen.
            for board in 0..boards {
                daemon.hall.pause(board).unwrap();
            }
            tokio::time::sleep(Duration::from_millis(150)).await;
            daemon.restart().await;
            daemon.until_connected(boards).await;
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
            let finished: usize = daemon.hall.boards().iter().map(|board| board.games_finished).sum();
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
    if let Some((files, threads)) = at_first {
        // Threads that began with the last restart end when they have had nothing to do for ten seconds.
        let rested = Instant::now() + PATIENCE;
        while use_of_machine().2 > threads + boards && Instant::now() < rested {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let (_, now_files, now_threads) = use_of_machine();
        assert!(now_files <= files + boards, "open files grew from {files} to {now_files}");
        assert!(now_threads <= threads + boards, "threads grew from {threads} to {now_threads}");
    }
    daemon.stop().await;
    Done { minutes, games: told.len(), disturbances: disturbed, restarts: restarted }
}

#[test]
fn a_soak_goes_on_from_its_state_and_refuses_that_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("soak.json");
    let soak = Soak { minutes: 72, stretch: 12, boards: 64, speed: 20, seed: 11, noise: true };
    assert_eq!(done_of(&file, soak), Done::default());
    let done = Done { minutes: 24, games: 600, disturbances: 90, restarts: 4 };
    keep(&file, soak, done);
    assert_eq!(done_of(&file, soak), done);
    assert!(std::panic::catch_unwind(|| done_of(&file, Soak { boards: 8, ..soak })).is_err());
}
