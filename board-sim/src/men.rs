//! The men on the table, and what the board takes them for.
//!
//! Knows which way round the board lies, pieces that are reported as others, and pieces that declare a result. Must not know
//! the scan, time or which game is played.

use dgt_protocol::{Field, PieceCode};
use shakmaty::{Board, Color, Piece, Square};

use crate::{hands::Touch, impostor::Impostor, placement};

/// A field, and what a scan finds there from now on; `None` if nothing changes.
pub(crate) type Sensed = Option<(Field, PieceCode)>;

/// Everything that stands on the board.
#[derive(Clone, Debug)]
pub(crate) struct Men {
    standing: Board,
    rotated: bool,
    impostor: Option<Impostor>,
    /// Where a piece stands that declares the result.
    result_piece: Option<Square>,
}

impl Men {
    /// An empty board. `rotated`: White's men stand on fields 0 to 15.
    pub(crate) fn new(rotated: bool) -> Self {
        Self { standing: Board::empty(), rotated, impostor: None, result_piece: None }
    }

    /// The men as they really stand.
    pub(crate) fn standing(&self) -> &Board {
        &self.standing
    }

    pub(crate) fn touch(&mut self, touch: Touch) -> Sensed {
        touch.apply(&mut self.standing);
        self.impostor = self.impostor.and_then(|mut impostor| impostor.follow(touch).then_some(impostor));
        let (Touch::Lift(square) | Touch::Place(square, _)) = touch;
        self.seen_at(square)
    }

    /// The piece on this square is taken for another from now on.
    pub(crate) fn misread(&mut self, square: Square, piece: Piece, as_piece: Piece) -> Sensed {
        self.impostor = Some(Impostor::new(square, piece, as_piece));
        self.seen_at(square)
    }

    /// A piece made for it declares who has won, or a draw.
    pub(crate) fn declare(&mut self, square: Square, winner: Option<Color>) -> Sensed {
        self.result_piece = Some(square);
        let code = match winner {
            Some(Color::White) => PieceCode::WhiteWinsPiece,
            Some(Color::Black) => PieceCode::BlackWinsPiece,
            None => PieceCode::DrawPiece,
        };
        Some((placement::field(square, self.rotated)?, code))
    }

    /// After a game pieces that mislead are exchanged for sound ones, and the piece that declared the result goes.
    pub(crate) fn put_away(&mut self) -> Sensed {
        self.impostor = None;
        self.result_piece.take().and_then(|square| self.seen_at(square))
    }

    /// White sits where Black sat. The men stay on their fields, which are other squares now.
    pub(crate) fn turn_round(&mut self) {
        self.standing.rotate_180();
        self.rotated = !self.rotated;
    }

    fn seen_at(&self, square: Square) -> Sensed {
        let piece = self.standing.piece_at(square);
        let seen = self.impostor.map_or(piece, |impostor| impostor.seen_at(square, piece));
        Some((placement::field(square, self.rotated)?, placement::code(seen)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_piece_covers_a_square_until_it_is_put_away() {
        let mut men = Men::new(false);
        men.touch(Touch::Place(Square::E4, Color::White.king()));
        let declared = men.declare(Square::E4, None).expect("a square has a field");
        assert_eq!(declared.1, PieceCode::DrawPiece);
        assert_eq!(men.put_away(), Some((declared.0, PieceCode::WhiteKing)));
        assert_eq!(men.put_away(), None);
    }

    #[test]
    fn a_board_that_is_turned_round_keeps_its_men_on_their_fields() {
        let mut men = Men::new(false);
        let before = men.touch(Touch::Place(Square::A1, Color::White.rook()));
        men.turn_round();
        assert_eq!(men.standing().piece_at(Square::H8), Some(Color::White.rook()));
        assert_eq!(men.seen_at(Square::H8), before);
    }
}
