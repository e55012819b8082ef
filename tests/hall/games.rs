//! What was played in the hall is what the addresses tell, move by move and clock by clock.

use board_sim::hall::PlayedGame;
use board_sim::{Beginning, Games, HallOptions, Style};
use notation::pgn::{Game, Outcome};
use pgn_reader::{RawComment, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Position};
use std::io::Cursor;
use std::ops::ControlFlow;

use crate::daemon::{Daemon, PATIENCE, clocks, keep_pgn, sans};

/// A second reader's opinion: every move legal, every comment whole.
struct Legal(Chess);

impl Visitor for Legal {
    type Tags = ();
    type Movetext = usize;
    type Output = usize;

    fn begin_tags(&mut self) -> ControlFlow<usize, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<usize, usize> {
        self.0 = Chess::default();
        ControlFlow::Continue(0)
    }

    fn san(&mut self, plies: &mut usize, san: SanPlus) -> ControlFlow<usize> {
        let mv = san.san.to_move(&self.0).unwrap_or_else(|error| panic!("{san}: {error}"));
        self.0.play_unchecked(mv);
        *plies += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, _: &mut usize, comment: RawComment<'_>) -> ControlFlow<usize> {
        let text = std::str::from_utf8(comment.0).unwrap();
        assert_eq!(text.matches("[%").count(), text.matches(']').count(), "{text}");
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut usize) -> ControlFlow<usize, Skip> {
        panic!("a published game has no variations")
    }

    fn end_game(&mut self, plies: usize) -> usize {
        plies
    }
}

fn compare(played: &PlayedGame, text: &str, told: &Game) {
    let name = format!("board {}: {text}", played.serial);
    assert_eq!(sans(told), sans(&played.game), "{name}");
    assert_eq!(clocks(told), clocks(&played.game), "{name}");
    assert_eq!(told.outcome, played.game.outcome, "{name}");
    for tag in ["White", "Black", "TimeControl"] {
        assert_eq!(told.tags.get(tag), played.game.tags.get(tag), "{name}");
    }
    let mut reader = Reader::new(Cursor::new(text));
    let plies = reader.read_game(&mut Legal(Chess::default())).unwrap().unwrap();
    assert_eq!(plies, played.game.line().count(), "{name}");
    assert!(text.lines().all(|line| line.starts_with('[') || line.len() < 80), "{name}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_boards_of_all_kinds_of_games_come_out_exactly() {
    let options = HallOptions {
        boards: 16,
        speed: 80.0,
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

    let all: Vec<_> = told.iter().flat_map(|(played, ..)| sans(&played.game)).collect();
    for kind in ["O-O", "O-O-O", "=Q"] {
        assert!(
            all.iter().any(|san| san.trim_end_matches(['+', '#']) == kind || san.contains(kind)),
            "no {kind} in the hall"
        );
    }
    assert!(all.iter().any(|san| ["=R", "=B", "=N"].iter().any(|piece| san.contains(piece))), "no underpromotion");
    assert!(all.iter().any(|san| san.ends_with('#')), "no mate");
    assert!(
        told.iter().any(|(p, ..)| p.game.outcome != Outcome::Unknown && !sans(&p.game).last().unwrap().ends_with('#'))
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
        speed: 80.0,
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
