//! A piece that the board reports as another one: a rook upside down as the new queen, a piece of another set.
//!
//! Knows where that piece is while it is moved. Must not know the wire or the rules.

use shakmaty::{Piece, Square};

use crate::hands::Touch;

/// The piece, what the board reports, and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MisreadPiece {
    piece: Piece,
    as_piece: Piece,
    square: Square,
    in_hand: bool,
}

impl MisreadPiece {
    /// The piece on this square is reported as `as_piece` from now on.
    pub(crate) fn new(square: Square, piece: Piece, as_piece: Piece) -> Self {
        Self { piece, as_piece, square, in_hand: false }
    }

    /// Follows a touch; `false` when the piece has left the game.
    pub(crate) fn follow(&mut self, touch: Touch) -> bool {
        match touch {
            Touch::Lift(square) if square == self.square => self.in_hand = true,
            Touch::Place(square, piece) if self.in_hand && piece == self.piece => {
                (self.square, self.in_hand) = (square, false);
            }
            Touch::Place(square, _) if square == self.square => return false,
            _ => {}
        }
        true
    }

    /// What the board reports of the piece on a square.
    pub(crate) fn seen_at(self, square: Square, piece: Option<Piece>) -> Option<Piece> {
        if square == self.square && piece == Some(self.piece) { Some(self.as_piece) } else { piece }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    #[test]
    fn it_is_misread_on_every_square_until_it_is_captured() {
        let (queen, rook, pawn) = (Color::White.queen(), Color::White.rook(), Color::Black.pawn());
        let mut misread = MisreadPiece::new(Square::E8, queen, rook);
        assert!(misread.follow(Touch::Lift(Square::E8)));
        assert_eq!(misread.seen_at(Square::E8, None), None);
        assert!(misread.follow(Touch::Place(Square::E2, queen)));
        assert_eq!(misread.seen_at(Square::E2, Some(queen)), Some(rook));
        assert_eq!(misread.seen_at(Square::D1, Some(queen)), Some(queen));
        assert!(!misread.follow(Touch::Place(Square::E2, pawn)));
    }
}
