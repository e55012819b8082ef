//! A game that is adjourned and goes on in a later session, on another board.

use board_sim::{Games, HallOptions, Style};
use boardcast::director::DirectorHandle;
use game_core::event::Author;
use hall_clock::HallClock;
use shakmaty::san::San;
use shakmaty::{Chess, Position};
use tournament::{Order, PairingState};

use crate::daemon::{Daemon, PATIENCE, keep_pgn};
use crate::published::{played_sans, wrong_and_missing};

const GAME: &str = "rehearsal-1-1";

/// Hall time in which every change on the board is reported, with room to spare.
const SCAN_MS: u64 = 2_000;

/// The pieces that the board of the first table shows, as FEN.
fn shown(daemon: &Daemon) -> String {
    let states = daemon.director().board_states();
    let on_table = daemon.director().hall().on_board(GAME).map(ToString::to_string);
    states.into_iter().find(|state| Some(state.board.as_ref()) == on_table.as_deref()).expect("the board is there").fen
}

/// The pieces after these moves from the usual start position, as FEN.
fn placement_after(sans: &[String]) -> String {
    let mut position = Chess::default();
    for san in sans {
        let played = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(played);
    }
    position.board().to_string()
}

async fn order(director: &DirectorHandle, order: Order) {
    director.order(Author::Operator("Ada".into()), None, None, order).await.unwrap();
}

fn state(daemon: &Daemon) -> PairingState {
    daemon.director().hall().game(GAME).unwrap().game.state
}

async fn until(what: &str, fact: impl Fn() -> bool) {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    while !fact() {
        assert!(tokio::time::Instant::now() < deadline, "it never came about that {what}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adjourned_game_goes_on_on_another_board_after_a_restart_at_the_same_address() {
    let options = HallOptions {
        boards: 2,
        speed: 40.0,
        seed: 11,
        style: Style::Human,
        games: Games::Random,
        rounds_per_board: 1,
        ..HallOptions::default()
    };
    let mut clock: Option<HallClock> = None;
    let mut daemon = Daemon::start_with(options, |settings| clock = Some(settings.clock)).await;
    daemon.hall.start();
    assert!(daemon.hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies >= 10));
    let hall_clock = clock.unwrap();
    let plies = loop {
        daemon.hall.pause(0).unwrap();
        let plies = usize::try_from(daemon.hall.board(0).unwrap().plies).unwrap();
        let all_told = || daemon.pgn(1, 1).is_some_and(|(_, game)| game.sans.len() == plies);
        until("all is told that was played", all_told).await;
        hall_clock.sleep_until(hall_clock.now() + SCAN_MS).await;
        if shown(&daemon) == placement_after(&daemon.pgn(1, 1).unwrap().1.sans) {
            break plies;
        }
        // A piece is in a hand: the game is adjourned after the next move.
        daemon.hall.resume(0).unwrap();
        assert!(daemon.hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies > plies as u64));
    };
    order(daemon.director(), Order::Adjourn { game: GAME.into() }).await;
    assert_eq!(state(&daemon), PairingState::Adjourned);
    let (_, first_session) = daemon.pgn(1, 1).unwrap();

    // In the evening everything is switched off; the next day another board stands on another table.
    daemon.restart().await;
    assert_eq!(state(&daemon), PairingState::Adjourned);
    assert_eq!(daemon.pgn(1, 1).unwrap().1.sans, first_session.sans, "the game keeps its address meanwhile");
    daemon.hall.exchange(0, 20_001, true, "ttySPARE").unwrap();
    until("the other board is found", || {
        daemon.director().board_states().iter().any(|state| &*state.board == "20001" && state.connected)
    })
    .await;
    order(daemon.director(), Order::Resume { game: GAME.into(), board: Some("20001".into()) }).await;
    until("the other board is followed", || daemon.hall.board(0).unwrap().mode.is_armed()).await;
    // The players sit down while the daemon makes sure of what stands there.
    hall_clock.sleep_until(hall_clock.now() + 5000).await;
    daemon.hall.resume(0).unwrap();
    assert!(daemon.hall.wait_until_done(PATIENCE), "the hall does not come to an end: {:?}", daemon.hall.boards());

    let played = daemon.hall.played();
    let played = played.iter().find(|played| played.serial == "20001").expect("the game on the other board");
    let sans = played_sans(played);
    let result = played.game.outcome.as_str();
    let over = || daemon.pgn(1, 1).is_some_and(|(_, told)| told.sans == sans && told.result == result);
    until("the game is told to its end", over).await;
    let (text, told) = daemon.pgn(1, 1).unwrap();
    assert!(told.sans.len() > plies && told.sans.starts_with(&first_session.sans));
    assert_eq!(told.clocks[..plies], first_session.clocks[..], "the times of the first session stay");
    let (wrong, missing) = wrong_and_missing(&told.clocks, &played.clock_times);
    assert!(wrong == 0 && missing <= 4, "{wrong} clocks wrong, {missing} missing of {}", told.clocks.len());
    let hall = daemon.director().hall();
    assert_eq!(hall.games().filter(|found| found.round.number == 1).count(), 2, "no other game was opened");
    assert_eq!(hall.on_board(GAME).map(AsRef::as_ref), Some("20001"));
    keep_pgn("adjourned", &text);
    daemon.stop().await;
}
