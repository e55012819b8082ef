//! A piece that the board takes for another: a rook upside down as the new queen, a piece of another set.
//!
//! Knows where that piece is while it is moved about. Must not know the wire or the rules.

use shakmaty::{Piece, Square};

use crate::hands::Touch;

/// The piece, and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Impostor {
    piece: Piece,
    as_piece: Piece,
    square: Square,
    in_hand: bool,
}

impl Impostor {
    /// The piece on this square is taken for another from now on.
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

    /// What the board takes the piece on a square for.
    pub(crate) fn seen_at(self, square: Square, piece: Option<Piece>) -> Option<Piece> {
        if square == self.square && piece == Some(self.piece) { Some(self.as_piece) } else { piece }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    #[test]
    fn it_is_known_wherever_it_goes_until_it_is_taken() {
        let (queen, rook, pawn) = (Color::White.queen(), Color::White.rook(), Color::Black.pawn());
        let mut impostor = Impostor::new(Square::E8, queen, rook);
        assert!(impostor.follow(Touch::Lift(Square::E8)));
        assert_eq!(impostor.seen_at(Square::E8, None), None);
        assert!(impostor.follow(Touch::Place(Square::E2, queen)));
        assert_eq!(impostor.seen_at(Square::E2, Some(queen)), Some(rook));
        assert_eq!(impostor.seen_at(Square::D1, Some(queen)), Some(queen));
        assert!(!impostor.follow(Touch::Place(Square::E2, pawn)));
    }
}
