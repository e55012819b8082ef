//! Plies that the players take back while the clock runs.

use dgt_protocol::PieceCode;
use shakmaty::Square;

use super::{clock, feed, square, start};
use crate::game::Game;
use crate::session::BoardSession;

/// A piece goes from one square to another, and the clock is pressed: then it runs for the left side or the right one.
fn ply(at: u64, from: Square, to: Square, piece: PieceCode, left_runs: bool) -> [(u64, Vec<u8>); 3] {
    [(at, square(from, PieceCode::Empty)), (at + 300, square(to, piece)), (at + 900, clock(300, left_runs))]
}

/// The moves of the game after these inputs.
fn record(inputs: &[(u64, Vec<u8>)]) -> String {
    let mut session = BoardSession::new();
    let mut game = Game::new();
    for (_, event) in feed(&mut session, inputs) {
        assert!(game.apply(&event), "{event:?}");
    }
    game.moves().iter().map(|played| played.san.as_str()).collect::<Vec<_>>().join(" ")
}

/// The pieces go back by legal moves, in the wrong order.
#[test]
fn plies_that_are_put_back_one_after_the_other_are_taken_back() {
    let mut inputs = vec![(100, start()), (1_000, clock(300, true))];
    inputs.extend(ply(2_000, Square::E2, Square::E4, PieceCode::WhitePawn, false));
    inputs.extend(ply(5_000, Square::E7, Square::E5, PieceCode::BlackPawn, true));
    inputs.extend(ply(8_000, Square::G1, Square::F3, PieceCode::WhiteKnight, false));
    inputs.extend(ply(11_000, Square::B8, Square::C6, PieceCode::BlackKnight, true));
    inputs.push((15_000, square(Square::C6, PieceCode::Empty)));
    inputs.push((15_300, square(Square::B8, PieceCode::BlackKnight)));
    inputs.push((16_000, square(Square::F3, PieceCode::Empty)));
    inputs.push((16_300, square(Square::G1, PieceCode::WhiteKnight)));
    inputs.extend(ply(20_000, Square::D2, Square::D4, PieceCode::WhitePawn, false));
    inputs.extend(ply(24_000, Square::D7, Square::D6, PieceCode::BlackPawn, true));
    inputs.extend(ply(28_000, Square::F1, Square::E2, PieceCode::WhiteBishop, false));
    inputs.extend(ply(32_000, Square::F8, Square::E7, PieceCode::BlackBishop, true));
    assert_eq!(record(&inputs), "e4 e5 d4 d6 Be2 Be7");
}

/// The pawn that was taken in passing is back on its square before the one that took it is.
#[test]
fn so_is_a_pawn_that_was_taken_in_passing_with_the_reply_to_it() {
    let (white, black) = (PieceCode::WhitePawn, PieceCode::BlackPawn);
    let mut inputs = vec![(100, start()), (1_000, clock(300, true))];
    inputs.extend(ply(2_000, Square::E2, Square::E4, white, false));
    inputs.extend(ply(5_000, Square::A7, Square::A6, black, true));
    inputs.extend(ply(8_000, Square::E4, Square::E5, white, false));
    inputs.extend(ply(11_000, Square::D7, Square::D5, black, true));
    inputs.push((14_200, square(Square::D5, PieceCode::Empty)));
    inputs.extend(ply(14_000, Square::E5, Square::D6, white, false));
    inputs.sort_by_key(|(at, _)| *at);
    inputs.extend(ply(17_000, Square::B7, Square::B5, black, true));
    for (after, to, piece) in [
        (0, Square::B5, PieceCode::Empty),
        (400, Square::B7, black),
        (1_600, Square::D5, black),
        (2_500, Square::D6, PieceCode::Empty),
        (3_200, Square::E5, white),
    ] {
        inputs.push((19_600 + after, square(to, piece)));
    }
    inputs.extend(ply(26_000, Square::F1, Square::E2, PieceCode::WhiteBishop, false));
    inputs.extend(ply(29_000, Square::B7, Square::B5, black, true));
    inputs.extend(ply(32_000, Square::B1, Square::A3, PieceCode::WhiteKnight, false));
    inputs.extend(ply(35_000, Square::H7, Square::H5, black, true));
    assert_eq!(record(&inputs), "e4 a6 e5 d5 Be2 b5 Na3 h5");
}

/// The same pieces go back and forth, and each time the clock is pressed.
#[test]
fn pieces_that_go_back_and_are_pressed_are_moves() {
    let mut inputs = vec![(100, start()), (1_000, clock(300, true))];
    for round in 0..2 {
        let at = 2_000 + round * 12_000;
        inputs.extend(ply(at, Square::G1, Square::F3, PieceCode::WhiteKnight, false));
        inputs.extend(ply(at + 3_000, Square::G8, Square::F6, PieceCode::BlackKnight, true));
        inputs.extend(ply(at + 6_000, Square::F3, Square::G1, PieceCode::WhiteKnight, false));
        inputs.extend(ply(at + 9_000, Square::F6, Square::G8, PieceCode::BlackKnight, true));
    }
    assert_eq!(record(&inputs), "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
}

/// The king is lifted to give up just after a press that came before its piece was seen.
#[test]
fn a_pressed_ply_is_told_while_the_opponent_holds_a_piece() {
    let mut inputs = vec![(100, start()), (1_000, clock(300, true))];
    inputs.extend(ply(2_000, Square::E2, Square::E4, PieceCode::WhitePawn, false));
    inputs.push((5_000, square(Square::E7, PieceCode::Empty)));
    inputs.push((5_300, clock(300, true)));
    inputs.push((5_400, square(Square::E5, PieceCode::BlackPawn)));
    inputs.push((6_900, square(Square::E1, PieceCode::Empty)));
    inputs.extend((7..30).map(|second| (second * 1_000, clock(300 - second as u32, true))));
    assert_eq!(record(&inputs), "e4 e5");
}
