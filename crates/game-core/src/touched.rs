//! The pieces reported on each square since the board last showed a known position.
//!
//! Must not know time, or which moves are legal.

use dgt_protocol::PieceCode;
use shakmaty::{CastlingSide, Color, Move, Piece, Role, Square};

use crate::board_faults::squares_of;
use crate::placement::code_of;

/// The pieces that were reported on each square since the last known position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touched([u16; 64]);

impl Touched {
    /// No reports.
    pub(crate) const NOTHING: Self = Self([0; 64]);

    /// Adds a report.
    pub(crate) fn add(&mut self, square: Square, code: PieceCode) {
        self.0[square.to_usize()] |= 1 << code.to_byte();
    }

    /// Allows any piece on a square.
    pub(crate) fn add_all(&mut self, square: Square) {
        self.0[square.to_usize()] = u16::MAX;
    }

    /// Allows any piece where this one was reported: it may be misread.
    pub(crate) fn take_for_any(&mut self, code: PieceCode) {
        for seen in self.0.iter_mut().filter(|seen| **seen & 1 << code.to_byte() != 0) {
            *seen = u16::MAX;
        }
    }

    fn has(&self, square: Square, piece: Piece) -> bool {
        self.0[square.to_usize()] & 1 << code_of(piece).to_byte() != 0
    }

    /// Whether a move agrees with the reports: all its squares changed, and its piece was reported on its target. For
    /// castling both king and rook were reported on theirs.
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
