//! The pieces on the board, and what the board reports of them.
//!
//! Knows the orientation of the board, misread pieces and result pieces. Must not know the scan, time or which game is
//! played.

use dgt_protocol::{Field, PieceCode};
use shakmaty::{Board, Color, Piece, Square};

use crate::{hands::Touch, misread_piece::MisreadPiece, placement};

/// A field and what a scan finds there from now on; `None` if nothing changes.
pub(crate) type SensorChange = Option<(Field, PieceCode)>;

/// The pieces that stand on the board.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    /// As they really stand.
    actual: Board,
    rotated: bool,
    misread: Option<MisreadPiece>,
    /// The square of the result piece.
    result_piece: Option<Square>,
}

impl Pieces {
    /// An empty board. `rotated`: White's pieces stand on fields 0 to 15.
    pub(crate) fn new(rotated: bool) -> Self {
        Self { actual: Board::empty(), rotated, misread: None, result_piece: None }
    }

    /// Whether White's pieces stand on fields 0 to 15.
    pub(crate) fn is_rotated(&self) -> bool {
        self.rotated
    }

    /// The pieces as they really stand.
    pub(crate) fn actual(&self) -> &Board {
        &self.actual
    }

    /// Applies a touch.
    pub(crate) fn touch(&mut self, touch: Touch) -> SensorChange {
        touch.apply(&mut self.actual);
        self.misread = self.misread.and_then(|mut misread| misread.follow(touch).then_some(misread));
        let (Touch::Lift(square) | Touch::Place(square, _)) = touch;
        self.seen_at(square)
    }

    /// From now on the board reports the piece on this square as another one.
    pub(crate) fn misread(&mut self, square: Square, piece: Piece, as_piece: Piece) -> SensorChange {
        self.misread = Some(MisreadPiece::new(square, piece, as_piece));
        self.seen_at(square)
    }

    /// A result piece is put on a square; it declares a winner, or a draw (`None`).
    pub(crate) fn declare(&mut self, square: Square, winner: Option<Color>) -> SensorChange {
        self.result_piece = Some(square);
        let code = match winner {
            Some(Color::White) => PieceCode::WhiteWinsPiece,
            Some(Color::Black) => PieceCode::BlackWinsPiece,
            None => PieceCode::DrawPiece,
        };
        Some((placement::field(square, self.rotated)?, code))
    }

    /// After a game the misread piece is replaced by a sound one, and the result piece is removed.
    pub(crate) fn put_away(&mut self) -> SensorChange {
        self.misread = None;
        self.result_piece.take().and_then(|square| self.seen_at(square))
    }

    /// White sits where Black sat. The pieces stay on their fields, which are other squares now.
    pub(crate) fn turn_round(&mut self) {
        self.actual.rotate_180();
        self.rotated = !self.rotated;
    }

    fn seen_at(&self, square: Square) -> SensorChange {
        let piece = self.actual.piece_at(square);
        let seen = self.misread.map_or(piece, |misread| misread.seen_at(square, piece));
        Some((placement::field(square, self.rotated)?, placement::code(seen)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_piece_covers_a_square_until_it_is_put_away() {
        let mut pieces = Pieces::new(false);
        pieces.touch(Touch::Place(Square::E4, Color::White.king()));
        let declared = pieces.declare(Square::E4, None).expect("a square has a field");
        assert_eq!(declared.1, PieceCode::DrawPiece);
        assert_eq!(pieces.put_away(), Some((declared.0, PieceCode::WhiteKing)));
        assert_eq!(pieces.put_away(), None);
    }

    #[test]
    fn a_board_that_is_turned_round_keeps_its_pieces_on_their_fields() {
        let mut pieces = Pieces::new(false);
        let before = pieces.touch(Touch::Place(Square::A1, Color::White.rook()));
        pieces.turn_round();
        assert_eq!(pieces.actual().piece_at(Square::H8), Some(Color::White.rook()));
        assert_eq!(pieces.seen_at(Square::H8), before);
    }
}
