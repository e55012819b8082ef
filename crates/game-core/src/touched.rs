//! Where the board reported changes since it last showed a known position, and what stood there in between.
//!
//! Knows squares and pieces. Knows nothing of time or of which moves are legal.

use dgt_protocol::PieceCode;
use shakmaty::{CastlingSide, Color, Move, Piece, Role, Square};

use crate::board_faults::squares_of;
use crate::placement::code_of;

/// The pieces that were seen on each square since the last known position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touched([u16; 64]);

impl Touched {
    /// Nothing was reported.
    pub(crate) const NOTHING: Self = Self([0; 64]);

    /// This was reported of a square.
    pub(crate) fn add(&mut self, square: Square, code: PieceCode) {
        self.0[square.to_usize()] |= 1 << code.to_byte();
    }

    /// Anything may have stood on a square.
    pub(crate) fn add_all(&mut self, square: Square) {
        self.0[square.to_usize()] = u16::MAX;
    }

    /// What was reported as this piece may be any other.
    pub(crate) fn take_for_any(&mut self, code: PieceCode) {
        for seen in self.0.iter_mut().filter(|seen| **seen & 1 << code.to_byte() != 0) {
            *seen = u16::MAX;
        }
    }

    fn has(&self, square: Square, piece: Piece) -> bool {
        self.0[square.to_usize()] & 1 << code_of(piece).to_byte() != 0
    }

    /// Whether a move can have been made: all its squares changed, and its piece was seen where it went. A king that goes
    /// over a square where a queen could have stood is no queen.
    pub(crate) fn allows(&self, turn: Color, mv: Move) -> bool {
        let own = |role| Piece { color: turn, role };
        let arrived = match mv {
            Move::Normal { role, to, promotion, .. } => self.has(to, own(promotion.unwrap_or(role))),
            Move::EnPassant { to, .. } => self.has(to, own(Role::Pawn)),
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                self.has(side.king_to(turn), own(Role::King)) && self.has(side.rook_to(turn), own(Role::Rook))
            }
            Move::Put { .. } => false,
        };
        arrived && squares_of(turn, mv).into_iter().flatten().all(|square| self.0[square.to_usize()] != 0)
    }
}
