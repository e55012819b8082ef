//! A machine whose clock was set back over a restart.

use board_sim::{Games, HallOptions};
use hall_clock::HallClock;
use journal::journal_path;
use rusqlite::Connection;

use crate::daemon::{Daemon, PATIENCE};

const HOUR_MS: u64 = 3_600_000;

/// When each event was given out and committed, in the order of the record.
fn instants(journal: &Connection) -> Vec<(u64, u64)> {
    let mut rows = journal.prepare("SELECT at, committed_at FROM game_event ORDER BY number").unwrap();
    rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn times_do_not_run_backwards_when_the_clock_was_set_back_over_a_restart() {
    let options = HallOptions {
        boards: 1,
        speed: 40.0,
        seed: 5,
        games: Games::Random,
        rounds_per_board: 1,
        ..Default::default()
    };
    let (speed, before) = (options.speed, HallClock::start(40.0).now());
    let mut daemon = Daemon::start(options).await;
    let journal = Connection::open(journal_path(&daemon.folder.path().join("data"))).unwrap();
    let deadline = std::time::Instant::now() + PATIENCE;
    while instants(&journal).len() < 5 {
        assert!(std::time::Instant::now() < deadline, "nothing is recorded");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    daemon.restart_with(|settings| settings.clock = HallClock::start_at(before - HOUR_MS, speed)).await;
    let known = instants(&journal).len();
    assert!(daemon.hall.wait_until_done(PATIENCE));
    daemon.all_told().await;
    let instants = instants(&journal);
    assert!(instants.len() > known, "nothing was recorded after the restart");
    for pair in instants.windows(2) {
        assert!(pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1, "{pair:?}");
    }
    daemon.stop().await;
}
