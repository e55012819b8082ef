//! A daemon that does not know which board stands at which table.

use std::time::{Duration, Instant};

use board_sim::{Beginning, Games, HallOptions};
use boardcast::director::by_serial::AllBoards;
use game_core::event::Author;
use tournament::{Hall, Order, PairingState};

use crate::daemon::{Daemon, PATIENCE};
use crate::published::played_sans;

fn options(seed: u64) -> HallOptions {
    HallOptions {
        boards: 3,
        speed: 30.0,
        seed,
        games: Games::Random,
        rounds_per_board: 1,
        beginning: Beginning::RoundByRound,
        ..HallOptions::default()
    }
}

async fn until(daemon: &Daemon, fact: impl Fn(&Hall) -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !fact(&daemon.director().hall()) {
        assert!(Instant::now() < deadline, "{:?}", daemon.director().hall());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Every game is told as played, at the table of its board: in the order of serial numbers.
async fn all_right(daemon: &Daemon) {
    assert!(daemon.hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    for (played, text, game) in daemon.all_told().await {
        assert_eq!(game.sans, played_sans(&played), "{text}");
        assert_eq!(game.tag("White"), played.game.tags.get("White").unwrap(), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_board_gets_a_table_by_arrival_and_its_moves_wait_for_the_order() {
    let mut daemon = Daemon::start_with(options(31), |settings| settings.initial.seats.clear()).await;
    daemon.hall.start();
    until(&daemon, |hall| hall.unassigned.len() == 3).await;
    assert!(daemon.hall.wait_until(PATIENCE, |hall| hall.boards().iter().all(|board| board.plies >= 6)));
    let hall = daemon.director().hall();
    assert!(hall.seats.is_empty(), "a board has a table: {:?}", hall.seats);
    assert!(hall.games().all(|found| found.game.state == PairingState::Paired));
    let confirm = Order::AssignBySerial { boards: Vec::new() };
    daemon.director().order(Author::Operator("Ada".into()), None, None, confirm).await.unwrap();
    let seats = daemon.director().hall().seats.clone();
    assert_eq!(seats.len(), 3);
    // The assignment is in the record.
    daemon.restart().await;
    assert_eq!(daemon.director().hall().seats, seats);
    all_right(&daemon).await;
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_option_assigns_by_serial_numbers_once_all_boards_are_there() {
    let change = |settings: &mut boardcast::app::Settings| {
        settings.initial.seats.clear();
        settings.assign_by_serial = Some(AllBoards::AsTables);
    };
    let daemon = Daemon::start_with(options(32), change).await;
    daemon.hall.start();
    until(&daemon, |hall| hall.seats.len() == 3).await;
    all_right(&daemon).await;
    daemon.stop().await;
}
