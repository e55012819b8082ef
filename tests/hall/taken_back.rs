//! A result that was entered at the wrong table: play goes on there until it is taken back.

use board_sim::{Games, HallOptions, OwnLog, Style};
use boardcast::director::DirectorHandle;
use game_core::event::Author;
use tournament::{Order, PairingState};

use crate::daemon::{Daemon, PATIENCE, keep_pgn};
use crate::published::{played_sans, wrong_and_missing};

const GAME: &str = "rehearsal-1-1";

/// Plies that are played between the result and its taking back: more than the ten seconds in which a game with a result stays
/// open for late readings of the clock.
const PLAYED_ON: u64 = 12;

async fn order(director: &DirectorHandle, order: Order) {
    director.order(Author::Operator("Ada".into()), None, None, order).await.unwrap();
}

fn result(result: &str) -> Order {
    Order::SetResult { game: GAME.into(), result: result.into(), reason: None, confirm: true }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_played_while_a_wrong_result_stood_is_told_in_order_and_with_its_times() {
    let options = HallOptions {
        boards: 1,
        speed: 40.0,
        seed: 14,
        style: Style::Human,
        games: Games::Random,
        rounds_per_board: 1,
        own_log: OwnLog::None,
        ..HallOptions::default()
    };
    let daemon = Daemon::start(options).await;
    daemon.hall.start();
    assert!(daemon.hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies >= 10));
    order(daemon.director(), result("1-0")).await;
    let plies = daemon.hall.board(0).unwrap().plies;
    assert!(daemon.hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies >= plies + PLAYED_ON));
    let state = || daemon.director().hall().game(GAME).unwrap().game.state;
    assert_eq!(state(), PairingState::Finished);
    let (_, told) = daemon.pgn(1, 1).unwrap();
    assert!(told.result == "1-0" && told.sans.len() as u64 <= plies + 1, "{} plies of {plies}", told.sans.len());
    order(daemon.director(), result("*")).await;
    assert_eq!(state(), PairingState::Playing);
    assert!(daemon.hall.wait_until_done(PATIENCE), "the hall does not come to an end: {:?}", daemon.hall.boards());

    let played = daemon.hall.played();
    let [played] = &played[..] else { panic!("{} games", played.len()) };
    let sans = played_sans(played);
    let deadline = tokio::time::Instant::now() + PATIENCE;
    let (text, told) = loop {
        let (text, told) = daemon.pgn(1, 1).unwrap();
        if told.sans == sans && told.result == played.game.outcome.as_str() {
            break (text, told);
        }
        assert!(tokio::time::Instant::now() < deadline, "{text}\nplayed: {sans:?}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    let (wrong, missing) = wrong_and_missing(&told.clocks, &played.clock_times);
    assert!(wrong == 0 && missing <= 2, "{wrong} clocks wrong, {missing} missing of {}", told.clocks.len());
    keep_pgn("taken-back", &text);
    daemon.stop().await;
}
