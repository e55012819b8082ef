//! Cables pulled and boards restarted while play goes on.

use board_sim::board::BoardMode;
use board_sim::{Games, HallOptions};

use crate::daemon::{Daemon, PATIENCE, keep_pgn, sans};

fn options(seed: u64) -> HallOptions {
    HallOptions { boards: 2, speed: 40.0, seed, games: Games::Random, rounds_per_board: 1, ..HallOptions::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_unplugged_in_the_middle_and_plugged_in_under_another_name_goes_on_with_its_game() {
    let daemon = Daemon::start(options(11)).await;
    let hall = &daemon.hall;
    let plies = |board| hall.board(board).unwrap().plies;
    assert!(hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies >= 8));
    hall.unplug(0).unwrap();
    let at_unplugging = plies(0);
    assert!(hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies >= at_unplugging + 3));
    hall.plug(0, Some("ttyOTHER7")).unwrap();
    assert!(hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().mode.is_armed()), "the board is not followed again");
    assert!(hall.wait_until_done(PATIENCE));

    let told = daemon.all_told().await;
    for (played, text, game) in &told {
        assert_eq!(sans(game), sans(&played.game), "{text}");
        let wrong = game.line.iter().zip(&played.game.line).filter(|(t, p)| t.clk_ms.is_some() && t.clk_ms != p.clk_ms);
        assert_eq!(wrong.count(), 0, "a clock that nobody read: {text}");
    }
    keep_pgn("unplugged", &told[0].1);
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_that_restarts_and_falls_silent_is_armed_again() {
    let daemon = Daemon::start(options(12)).await;
    let hall = &daemon.hall;
    assert!(hall.wait_until(PATIENCE, |hall| hall.board(1).unwrap().plies >= 8));
    hall.power_cycle(1).unwrap();
    assert!(hall.wait_until(PATIENCE, |hall| hall.board(1).unwrap().mode != BoardMode::Bus), "the daemon lets it be silent");
    assert!(hall.wait_until(PATIENCE, |hall| hall.board(1).unwrap().mode.is_armed()), "the board is not armed again");
    assert!(hall.wait_until_done(PATIENCE));
    for (played, text, game) in daemon.all_told().await {
        assert_eq!(sans(&game), sans(&played.game), "{text}");
    }
    daemon.stop().await;
}
