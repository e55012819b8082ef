//! The sign that two kings in the centre give.
//!
//! Knows squares and results. Knows nothing of time beyond how long the sign must be held.

use dgt_protocol::PieceCode;
use notation::pgn::Outcome;
use shakmaty::{Bitboard, Move, Role, Square};

use crate::placement::Placement;

/// Both kings in the centre mean a result when held this long (behaviour paper, 7.1).
pub(crate) const KINGS_HELD_MS: u64 = 5_000;

const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// Whether a king goes to a square where it could be half of the sign.
pub(crate) fn goes_to_centre(mv: Move) -> bool {
    matches!(mv, Move::Normal { role: Role::King, to, .. } if CENTRE.contains(&to))
}

/// The result that two kings in the centre declare: on light squares White won, on dark ones Black, on one of each a
/// draw. The same whichever way round the board stands (behaviour paper, 7.1). A king that is seen nowhere stands on the
/// centre square that cannot be believed.
pub(crate) fn kings_sign(placement: &Placement, blind: Bitboard) -> Option<Outcome> {
    let hidden = CENTRE.into_iter().find(|&square| blind.contains(square));
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
