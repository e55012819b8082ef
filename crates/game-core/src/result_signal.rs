//! Signals on the board that declare a result: two kings in the centre, or a special result piece.
//!
//! Must not know time, apart from how long a signal must be held.

use dgt_protocol::PieceCode;
use notation::pgn::Outcome;
use shakmaty::{Bitboard, Move, Role, Square};

use crate::placement::Placement;

/// How long a signal must be held, in ms (docs/board-behaviour.md, 7.1).
pub(crate) const SIGNAL_HELD_MS: u64 = 5_000;

const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// Whether a king moves to a centre square, which may be half of the signal.
pub(crate) fn goes_to_centre(mv: Move) -> bool {
    matches!(mv, Move::Normal { role: Role::King, to, .. } if CENTRE.contains(&to))
}

/// The result that a signal on the board declares, and its reason text.
pub(crate) fn result_signal(placement: &Placement, dead: Bitboard) -> Option<(Outcome, &'static str)> {
    let kings = || kings_signal(placement, dead).map(|outcome| (outcome, "kings in the centre"));
    result_piece(placement).map(|outcome| (outcome, "result piece")).or_else(kings)
}

/// The result declared by the only result piece on the board, on any square (docs/board-behaviour.md, 7.6).
fn result_piece(placement: &Placement) -> Option<Outcome> {
    let pieces = [
        (PieceCode::WhiteWinsPiece, Outcome::WhiteWins),
        (PieceCode::BlackWinsPiece, Outcome::BlackWins),
        (PieceCode::DrawPiece, Outcome::Draw),
    ];
    let mut seen = pieces.into_iter().filter(|(code, _)| placement.squares_with(*code).next().is_some());
    let (_, outcome) = seen.next()?;
    seen.next().is_none().then_some(outcome)
}

/// The result declared by two kings in the centre: White won on two light squares, Black won on two dark ones, otherwise a
/// draw. It does not depend on the orientation (docs/board-behaviour.md, 7.1). A king that is not reported stands on
/// the dead centre square.
fn kings_signal(placement: &Placement, dead: Bitboard) -> Option<Outcome> {
    let hidden = CENTRE.into_iter().find(|&square| dead.contains(square));
    let in_centre = |code| match placement.squares_with(code).next() {
        Some(_) => CENTRE.into_iter().find(|&square| placement.get(square) == code),
        None => hidden,
    };
    let white = in_centre(PieceCode::WhiteKing)?;
    let black = in_centre(PieceCode::BlackKing)?;
    if white == black {
        return None;
    }
    Some(match (white.is_light(), black.is_light()) {
        (true, true) => Outcome::WhiteWins,
        (false, false) => Outcome::BlackWins,
        _ => Outcome::Draw,
    })
}
