//! Boards in bus mode: several on one line, through a pseudo-terminal.

use std::collections::BTreeSet;
use std::time::Instant;

use board_sim::{Beginning, Faults, Games, Hall, HallOptions};
use game_core::capture::{Entry, read_capture};
use game_core::input::{Input, Notice};
use game_core::replay::replay;

use crate::daemon::{Daemon, PATIENCE, captures};
use crate::published::played_sans;

fn options(boards: usize, hall_speed: f64, seed: u64) -> HallOptions {
    HallOptions {
        boards,
        bus: boards,
        speed: hall_speed,
        seed,
        games: Games::Random,
        rounds_per_board: 1,
        beginning: Beginning::RoundByRound,
        ..HallOptions::default()
    }
}

/// Every game is told as it was played, at the table of its board.
async fn all_right(daemon: &Daemon) {
    assert!(daemon.hall.wait_until_done(3 * PATIENCE), "the hall does not come to an end: {:?}", daemon.hall.boards());
    for (played, text, game) in daemon.all_told().await {
        assert_eq!(game.sans, played_sans(&played), "board {}: {text}", played.serial);
    }
    assert!(daemon.hall.boards().iter().all(|board| board.host_commands.count(0x4b) == 0), "a single-board command");
}

#[tokio::test(flavor = "multi_thread")]
async fn five_boards_on_one_line_are_told_exactly_and_their_captures_replay() {
    let daemon = Daemon::start(options(5, 10.0, 41)).await;
    daemon.until_connected(5).await;
    all_right(&daemon).await;
    let folder = daemon.stop().await;
    let captures = captures(folder.path());
    // A hall that runs over midnight begins a second capture of each board.
    let boards: BTreeSet<_> = captures.iter().map(|path| path.parent()).collect();
    assert_eq!(boards.len(), 5, "each board has captures of its own");
    for path in captures {
        let capture = read_capture(&std::fs::read(&path).unwrap());
        let attached = |entry: &&Entry| matches!(entry, Entry::In(Input::Notice(Notice::Attach(_))));
        let entries = capture.lines.iter().map(|line| &line.entry);
        assert_eq!(entries.filter(attached).count(), 1, "lost and found again: {}", path.display());
        let replayed = replay(&[capture]);
        assert!(!replayed.commands_differ, "{}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "three minutes: cargo test --test hall damage_on -- --ignored"]
async fn damage_on_the_line_and_a_board_that_is_pulled_and_put_back_lose_no_move() {
    let seed = std::env::var("BOARDCAST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(42);
    let daemon = Daemon::start_with(HallOptions { faults: Faults::Damage, ..options(5, 10.0, seed) }, |_| ()).await;
    // Boards are told when their games begin: nothing is played before their positions are known.
    let begun = |hall: &Hall| hall.boards().iter().all(|board| board.host_commands.count(0x85) > 0);
    assert!(daemon.hall.wait_until(PATIENCE, begun), "the games do not begin: {:?}", daemon.hall.boards());
    daemon.hall.start();
    assert!(daemon.hall.wait_until(PATIENCE, |hall| hall.boards().iter().all(|board| board.plies >= 4)));
    daemon.hall.pause(2).unwrap();
    daemon.hall.unplug(2).unwrap();
    daemon.until_connected(4).await;
    daemon.hall.plug(2, None).unwrap();
    daemon.until_connected(5).await;
    daemon.hall.resume(2).unwrap();
    all_right(&daemon).await;
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_boards_on_one_line_are_found_and_told_exactly() {
    let mut daemon = Daemon::start_with(options(30, 5.0, 43), |_| ()).await;
    let began = Instant::now();
    daemon.until_connected(30).await;
    println!("30 boards were found after {} ms", began.elapsed().as_millis());
    // The line is known now.
    daemon.restart().await;
    let began = Instant::now();
    daemon.until_connected(30).await;
    println!("found again after {} ms", began.elapsed().as_millis());
    daemon.hall.start();
    all_right(&daemon).await;
    daemon.stop().await;
}
