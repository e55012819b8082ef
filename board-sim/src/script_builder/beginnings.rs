//! How a game begins when its pieces do not stand as they should.
//!
//! Part of the script builder; see there.

use fastrand::Rng;
use shakmaty::{Board, Color, Position, Square};

use super::{ScriptBuilder, UNTOUCHED_PLIES};
use crate::{
    hands::{Step, Touch},
    plan::Plan,
    trouble::{Trouble, Troubles},
};

/// How the pieces stand when the players have set them up for a game: with a mistake, if that is the trouble.
pub(crate) fn set_up_as(troubles: Troubles, plan: &Plan, rng: &mut Rng) -> Board {
    let mut pieces = plan.start.board().clone();
    if troubles.has(Trouble::WrongStart) {
        misplace(&mut pieces, rng);
    } else if troubles.has(Trouble::CorrectedLate) {
        let first = plan.plies.iter().take(UNTOUCHED_PLIES);
        let touched: Vec<Square> = first.flat_map(|ply| [ply.m.from(), Some(ply.m.to())]).flatten().collect();
        let castles = plan.plies.iter().take(UNTOUCHED_PLIES).any(|ply| ply.m.is_castle());
        let free = (pieces.occupied() & !pieces.kings()).into_iter();
        let free: Vec<Square> =
            free.filter(|square| !(touched.contains(square) || castles && pieces.rooks().contains(*square))).collect();
        if let Some(&square) = rng.choice(&free) {
            pieces.discard_piece_at(square);
        }
    }
    pieces
}

/// Two pieces of a player exchanged, a pawn a square too far, or a piece not there at all.
fn misplace(pieces: &mut Board, rng: &mut Rng) {
    let colors = pieces.by_color(if rng.bool() { Color::White } else { Color::Black });
    let officers: Vec<Square> = (colors & !pieces.pawns()).into_iter().collect();
    let pawns: Vec<Square> = (colors & pieces.pawns()).into_iter().collect();
    match (rng.u32(0..3), rng.choice(&officers), rng.choice(&pawns)) {
        (0, Some(&one), _) => {
            let others = officers.into_iter().filter(|&square| pieces.role_at(square) != pieces.role_at(one));
            let others: Vec<Square> = others.collect();
            if let Some(&other) = rng.choice(&others)
                && let (Some(first), Some(second)) = (pieces.piece_at(one), pieces.piece_at(other))
            {
                pieces.set_piece_at(one, second);
                pieces.set_piece_at(other, first);
            }
        }
        (1, _, Some(&pawn)) => {
            if let Some(piece) = pieces.piece_at(pawn)
                && let Some(ahead) = pawn.offset(if piece.color.is_white() { 8 } else { -8 })
                && pieces.piece_at(ahead).is_none()
            {
                pieces.discard_piece_at(pawn);
                pieces.set_piece_at(ahead, piece);
            }
        }
        (_, Some(&square), _) => pieces.discard_piece_at(square),
        _ => {}
    }
}

impl ScriptBuilder<'_> {
    /// A wrong setup is seen and corrected, if that is the trouble.
    pub(crate) fn before_start(&mut self, standing: &Board) {
        let mut start = self.position.board().clone().into_iter();
        self.badly_placed = start.find(|&(square, _)| standing.piece_at(square).is_none());
        if self.options.troubles.has(Trouble::WrongStart) && standing != self.position.board() {
            self.script.wait(self.rng.u64(20_000..60_000));
            self.put_right(standing);
            self.script.wait(self.rng.u64(1_000..5_000));
        }
    }

    /// The piece that the board does not see is put right.
    pub(super) fn correct_start(&mut self) {
        if let Some((square, piece)) = self.badly_placed {
            let place = Step { pause_ms: self.rng.u64(300..1_500), touch: Touch::Place(square, piece) };
            self.script.steps(&[place]);
        }
    }
}
