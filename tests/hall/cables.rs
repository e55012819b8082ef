//! Cables pulled and boards restarted while play goes on.

use board_sim::{Games, Hall, HallOptions};

use crate::daemon::{Daemon, PATIENCE, keep_pgn};
use crate::published::{played_sans, wrong_and_missing};

/// A closed Ruy Lopez, four seconds a move. Three plies after the eighth allow one order only: the rook needs the
/// castling.
const GAME: &str = "[White \"Ruy\"]\n[Black \"Lopez\"]\n[TimeControl \"600+4\"]\n[Result \"1/2-1/2\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 \
    11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 1/2-1/2\n";

fn options(seed: u64) -> HallOptions {
    let games = Games::from_pgn(GAME).unwrap();
    HallOptions { boards: 1, speed: 20.0, seed, games, rounds_per_board: 1, ..HallOptions::default() }
}

/// The command that asks a board for its changes (docs/protocol.md, 3).
const UPDATE_NICE: u8 = 0x4b;

/// The game goes on as played, and no clock is told that nobody read.
async fn told_as_played(daemon: &Daemon, name: &str) {
    assert!(daemon.hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    for (played, text, game) in daemon.all_told().await {
        assert_eq!(game.sans, played_sans(&played), "{text}");
        let (wrong, missing) = wrong_and_missing(&game.clocks, &played.clock_times);
        assert!(wrong == 0 && missing <= 4, "{wrong} clocks wrong, {missing} missing: {text}");
        keep_pgn(name, &text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_unplugged_in_the_middle_and_plugged_in_under_another_name_goes_on_with_its_game() {
    let daemon = Daemon::start(options(11)).await;
    let hall = &daemon.hall;
    assert!(hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies >= 8));
    hall.unplug(0).unwrap();
    assert!(
        hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies >= 10),
        "play does not go on without a cable"
    );
    hall.pause(0).unwrap();
    hall.plug(0, Some("ttyOTHER7")).unwrap();
    assert!(
        hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().mode.is_armed()),
        "the board is not followed again"
    );
    hall.resume(0).unwrap();
    told_as_played(&daemon, "unplugged").await;
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_that_restarts_and_falls_silent_is_armed_again() {
    let daemon = Daemon::start(options(12)).await;
    let hall = &daemon.hall;
    assert!(hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies >= 8));
    hall.pause(0).unwrap();
    // The daemon may arm it before this test looks at its mode again.
    let arming = |hall: &Hall| hall.board(0).unwrap().host_commands.count(UPDATE_NICE);
    let before = arming(hall);
    hall.power_cycle(0).unwrap();
    let again = |hall: &Hall| arming(hall) > before && hall.board(0).unwrap().mode.is_armed();
    assert!(hall.wait_until(PATIENCE, again), "the board is not armed again");
    hall.resume(0).unwrap();
    told_as_played(&daemon, "restarted").await;
    daemon.stop().await;
}
