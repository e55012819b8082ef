//! What was played in the hall is what the addresses tell, move by move and clock by clock.

use board_sim::hall::PlayedGame;
use board_sim::{Beginning, Games, HallOptions, Style};
use notation::pgn::Outcome;

use crate::daemon::{Daemon, PATIENCE, keep_pgn};
use crate::published::{Published, played_sans};

fn compare(played: &PlayedGame, text: &str, told: &Published) {
    let name = format!("board {}: {text}", played.serial);
    assert_eq!(told.sans, played_sans(played), "{name}");
    assert_eq!(told.clocks.len(), played.clock_times.len(), "{name}");
    let differing = told.clocks.iter().zip(&played.clock_times).filter(|(told, played)| told != played);
    let differing: Vec<_> = differing.collect();
    // At 40 hall seconds a second a pause of the machine is a second of the hall: a message that waits that long may bring the
    // clock's next second with it.
    let near = |(told, played): &(&Option<u64>, &Option<u64>)| {
        told.zip(**played).is_some_and(|(told, played)| told.abs_diff(played) <= 1_000)
    };
    assert!(differing.len() <= 2 && differing.iter().all(near), "{name}: clocks told and shown {differing:?}");
    assert_eq!(told.result, played.game.outcome.as_str(), "{name}");
    for tag in ["White", "Black", "TimeControl"] {
        assert_eq!(told.tags.get(tag).map(String::as_str), played.game.tags.get(tag), "{name}");
    }
    assert!(text.lines().all(|line| line.starts_with('[') || line.len() < 80), "{name}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_boards_of_all_kinds_of_games_come_out_exactly() {
    let options = HallOptions {
        boards: 16,
        speed: 40.0,
        seed: 2026,
        style: Style::Human,
        games: Games::Random,
        rounds_per_board: 1,
        rotated: true,
        ..HallOptions::default()
    };
    let daemon = Daemon::start(options).await;
    assert!(daemon.hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    let told = daemon.all_told().await;
    assert_eq!(told.len(), 16);
    for (played, text, game) in &told {
        compare(played, text, game);
    }

    let all: Vec<_> = told.iter().flat_map(|(played, ..)| played_sans(played)).collect();
    for kind in ["O-O", "O-O-O", "=Q"] {
        assert!(
            all.iter().any(|san| san.trim_end_matches(['+', '#']) == kind || san.contains(kind)),
            "no {kind} in the hall"
        );
    }
    assert!(all.iter().any(|san| ["=R", "=B", "=N"].iter().any(|piece| san.contains(piece))), "no underpromotion");
    assert!(all.iter().any(|san| san.ends_with('#')), "no mate");
    assert!(
        told.iter().any(|(p, ..)| p.game.outcome != Outcome::Unknown && !played_sans(p).last().unwrap().ends_with('#'))
    );

    let (status, round) = daemon.get("/pgn/rehearsal/round-1/games.pgn");
    assert_eq!((status, round.matches("[Event ").count()), (200, 16));
    for (_, text, _) in &told {
        assert!(round.contains(text.trim_end()), "the round's file holds each game as its own address tells it");
    }
    keep_pgn("sixteen-boards", &round);
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_game_on_the_same_board_follows_the_first_and_both_keep_their_address() {
    let options = HallOptions {
        boards: 2,
        speed: 40.0,
        seed: 7,
        games: Games::Random,
        rounds_per_board: 2,
        beginning: Beginning::RoundByRound,
        ..HallOptions::default()
    };
    let daemon = Daemon::start(options).await;
    assert!(daemon.hall.wait_until_done(PATIENCE));
    let told = daemon.all_told().await;
    assert_eq!(told.len(), 4);
    for (played, text, game) in &told {
        compare(played, text, game);
    }
    keep_pgn("two-rounds", &daemon.get("/pgn/rehearsal/all.pgn").1);
    daemon.stop().await;
}
