//! Boards on which the game of another table is played: boards or players were exchanged without an order.
//!
//! Knows recorded positions and what stands on boards. Must not know what a board's session does with that.

use std::sync::Arc;

use game_core::game::Game;
use game_core::input::{Notice, ShowsOther};
use game_core::placement::Placement;
use shakmaty::Position as _;

/// Below this number of plies several games may have the same position.
const FEWEST_PLIES: usize = 4;
/// The most squares that one ply changes.
const SQUARES_OF_A_PLY: usize = 4;

/// A running game.
pub(super) struct Played<'a> {
    /// Its id.
    pub(super) id: &'a Arc<str>,
    /// As recorded.
    pub(super) game: &'a Game,
    /// The board that plays it; none where it plays another one.
    pub(super) board: Option<&'a Arc<str>>,
    /// What stands on its board; none while that is not known.
    pub(super) shown: Option<&'a Placement>,
    /// Whether it is known what the board shows: another game, or what play in this one leads to, though it is not told yet.
    pub(super) is_settled: bool,
}

/// What boards are to be told: each shows the recorded position of just one other game, or the next one, which that game's own board
/// does not show, and is more than a ply away from its own.
pub(super) fn exchanged(games: &[Played<'_>]) -> Vec<(Arc<str>, Notice)> {
    let tell = |own: &Played<'_>| {
        let (board, shown) = (own.board?, own.shown.filter(|_| !own.is_settled && is_far(own, own.shown))?);
        let others = games.iter().filter(|other| other.id != own.id && other.game.moves().len() >= FEWEST_PLIES);
        let mut others = others.filter(|other| is_far(other, other.shown) && shows(shown, other.game));
        let other = others.next().filter(|_| others.next().is_none())?;
        Some((Arc::clone(board), Notice::ShowsOther(ShowsOther { game: other.id.to_string() })))
    };
    games.iter().filter_map(tell).collect()
}

/// Whether a game's board shows something that is more than a ply away from its record; also where it shows nothing.
fn is_far(played: &Played<'_>, shown: Option<&Placement>) -> bool {
    let recorded = Placement::from_board(played.game.position().board());
    shown.is_none_or(|shown| shown.difference(&recorded).len() > SQUARES_OF_A_PLY)
}

/// Whether this is the last recorded position of a game, or one after a further ply.
fn shows(shown: &Placement, game: &Game) -> bool {
    let recorded = game.position();
    let differs = shown.difference(&Placement::from_board(recorded.board())).len();
    let after = |mv| recorded.clone().play(mv).is_ok_and(|next| *shown == Placement::from_board(next.board()));
    differs == 0 || differs <= SQUARES_OF_A_PLY && recorded.legal_moves().into_iter().any(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game_core::event::{Event, Variant};
    use shakmaty::san::San;
    use shakmaty::{CastlingMode, Chess};

    fn game(sans: &str) -> Game {
        let mut game = Game::new();
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into();
        game.apply(&Event::GameStarted { fen, variant: Variant::Standard });
        let mut position = Chess::default();
        for (ply, san) in (1..).zip(sans.split_whitespace()) {
            let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
            let uci = mv.to_uci(CastlingMode::Standard).to_string();
            position = position.play(mv).unwrap();
            game.apply(&Event::Move { ply, san: san.into(), uci, clk_ms: None, emt_ms: None });
        }
        game
    }

    fn placement(game: &Game) -> Placement {
        Placement::from_board(game.position().board())
    }

    /// Which boards are told of which game, where two games are recorded and their boards show what is after these moves.
    fn told(recorded: [&str; 2], shown: [Option<&str>; 2]) -> Vec<String> {
        let ids: [Arc<str>; 2] = ["open-1-1".into(), "open-1-2".into()];
        let boards: [Arc<str>; 2] = ["11001".into(), "11002".into()];
        let games = recorded.map(game);
        let shown = shown.map(|sans| sans.map(|sans| placement(&game(sans))));
        let played: Vec<_> = (0..2)
            .map(|at| Played {
                id: &ids[at],
                game: &games[at],
                board: Some(&boards[at]),
                shown: shown[at].as_ref(),
                is_settled: false,
            })
            .collect();
        let told = exchanged(&played).into_iter().map(|(board, notice)| match notice {
            Notice::ShowsOther(other) => format!("{board} {}", other.game),
            _ => panic!("{notice:?}"),
        });
        told.collect()
    }

    #[test]
    fn boards_that_show_each_others_games_are_told() {
        let (open, closed) = ("e4 e5 Nf3 Nc6 Bb5 a6", "d4 d5 c4 e6 Nc3 Nf6");
        assert_eq!(told([open, closed], [Some(closed), Some(open)]), ["11001 open-1-2", "11002 open-1-1"]);
        // One of them is being set up, out of reach, or has a move more.
        assert_eq!(told([open, closed], [Some(closed), None]), ["11001 open-1-2"]);
        assert_eq!(told([open, closed], [Some(""), Some(&format!("{open} Ba4"))]), ["11002 open-1-1"]);
    }

    #[test]
    fn a_board_that_shows_moves_of_its_own_game_shows_no_other_one() {
        // Moves of both went unseen, of one of them more.
        let (id, board): ([Arc<str>; 2], Arc<str>) = (["open-1-1".into(), "open-1-2".into()], "11001".into());
        let (own, other) = (game("e4 e5 Nf3 Nc6"), game("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6"));
        let shown = placement(&other);
        let told = |is_settled| {
            let other = Played { id: &id[1], game: &other, board: None, shown: None, is_settled: false };
            let own = Played { id: &id[0], game: &own, board: Some(&board), shown: Some(&shown), is_settled };
            exchanged(&[own, other]).len()
        };
        assert_eq!([true, false].map(told), [0, 1]);
    }

    #[test]
    fn games_that_follow_each_other_exchange_nothing() {
        let (open, closed) = ("e4 e5 Nf3 Nc6 Bb5 a6", "d4 d5 c4 e6 Nc3 Nf6");
        assert!(told([open, closed], [Some(open), Some(closed)]).is_empty());
        // Both play the same opening; of one of them moves went unseen.
        assert!(told(["e4 e5", open], [Some(open), Some(open)]).is_empty());
        // Too short to be told apart.
        assert!(told([open, "d4 d5"], [Some("d4 d5"), None]).is_empty());
    }
}
