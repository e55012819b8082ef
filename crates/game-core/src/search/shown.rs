//! What the board shows, as bitboards, so that comparing it with a position takes a few operations.
//!
//! Knows pieces and squares. Must not know lines or time.

use dgt_protocol::PieceCode;
use notation::pgn::Outcome;
use shakmaty::{Bitboard, Board, Piece, Role, Square};

use crate::placement::piece_of;

/// The contents of the 64 squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    board: Board,
    /// Squares with a result piece: something stands there, and no position has it.
    odd: Bitboard,
    /// The code of the one that came last.
    last_odd: PieceCode,
}

impl Default for Shown {
    fn default() -> Self {
        Self { board: Board::empty(), odd: Bitboard::EMPTY, last_odd: PieceCode::Empty }
    }
}

/// What a square may have shown without telling it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Exactly(Option<Piece>),
    /// Some piece: a message says that the square became empty that was empty.
    AnyPiece,
}

impl Content {
    pub(crate) fn fits(self, piece: Option<Piece>) -> bool {
        match self {
            Self::Exactly(content) => content == piece,
            Self::AnyPiece => piece.is_some(),
        }
    }
}

/// The squares on which two boards differ.
pub(crate) fn difference(a: &Board, b: &Board) -> Bitboard {
    let by_role = Role::ALL.into_iter().map(|role| a.by_role(role) ^ b.by_role(role));
    by_role.fold(a.white() ^ b.white(), |all, squares| all | squares)
}

impl Shown {
    pub(crate) fn new(board: Board) -> Self {
        Self { board, odd: Bitboard::EMPTY, last_odd: PieceCode::Empty }
    }

    /// Sets a square; says whether that changed it.
    pub(crate) fn set(&mut self, square: Square, code: PieceCode) -> bool {
        let piece = piece_of(code);
        let odd = piece.is_none() && code != PieceCode::Empty;
        let same = self.board.piece_at(square) == piece && self.odd.contains(square) == odd;
        match piece {
            Some(piece) => self.board.set_piece_at(square, piece),
            None => self.board.discard_piece_at(square),
        }
        self.odd.set(square, odd);
        if odd {
            self.last_odd = code;
        }
        !same
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    pub(crate) fn odd(&self) -> Bitboard {
        self.odd
    }

    /// The result that the one result piece on the board declares.
    pub(crate) fn result_piece(&self) -> Option<Outcome> {
        let outcome = match self.last_odd {
            PieceCode::WhiteWinsPiece => Outcome::WhiteWins,
            PieceCode::BlackWinsPiece => Outcome::BlackWins,
            PieceCode::DrawPiece => Outcome::Draw,
            _ => return None,
        };
        (self.odd.count() == 1).then_some(outcome)
    }

    /// Squares on which something stands.
    pub(crate) fn occupied(&self) -> Bitboard {
        self.board.occupied() | self.odd
    }

    /// Whether a square shows exactly this.
    pub(crate) fn is(&self, square: Square, piece: Option<Piece>) -> bool {
        self.board.piece_at(square) == piece && !self.odd.contains(square)
    }

    /// The squares that show something else than a position has.
    pub(crate) fn differs(&self, board: &Board) -> Bitboard {
        difference(&self.board, board) | self.odd
    }

    pub(crate) fn content(&self, square: Square) -> Content {
        if self.odd.contains(square) { Content::AnyPiece } else { Content::Exactly(self.board.piece_at(square)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_that_differ_are_found() {
        let mut shown = Shown::new(Board::new());
        assert!(shown.differs(&Board::new()).is_empty());
        assert!(shown.set(Square::E2, PieceCode::Empty));
        assert!(!shown.set(Square::E2, PieceCode::Empty));
        assert!(shown.set(Square::D2, PieceCode::BlackQueen));
        assert!(shown.set(Square::E5, PieceCode::from_byte(0x0d)));
        let squares: Vec<_> = shown.differs(&Board::new()).into_iter().collect();
        assert_eq!(squares, [Square::D2, Square::E2, Square::E5]);
    }
}
