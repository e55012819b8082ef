//! What the board shows, four bits a square, so that comparing it with a position takes a few operations and a game's
//! observations little memory.
//!
//! Knows pieces and squares. Must not know lines or time.

use dgt_protocol::PieceCode;
use notation::pgn::Outcome;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use crate::placement::piece_of;

/// The number of a square with a result piece: something stands there, and no position has it. A piece has the number of its
/// role, from 1, and [`BLACK`] more for Black.
const ODD: u8 = 7;
/// The roles by their numbers.
const ROLES: [Option<Role>; 8] = [
    None,
    Some(Role::Pawn),
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
    Some(Role::King),
    None,
];
/// What the number of a black piece has more than that of a white one.
const BLACK: u8 = 8;

/// The contents of the 64 squares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The numbers of all squares: their lowest bits, and so on.
    bits: [Bitboard; 4],
    /// The code of the result piece that came last.
    last_odd: PieceCode,
}

/// What a square may have shown without telling it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Exactly(Option<Piece>),
    /// Some piece: a message says that the square became empty that was empty.
    AnyPiece,
    /// A piece that may have stood there beside the middle of the square, as it was read there later.
    Unread(Piece),
}

impl Content {
    pub(crate) fn fits(self, piece: Option<Piece>) -> bool {
        match self {
            Self::Exactly(content) => content == piece,
            Self::AnyPiece => piece.is_some(),
            Self::Unread(unread) => piece == Some(unread),
        }
    }
}

fn number(piece: Option<Piece>) -> u8 {
    piece.map_or(0, |piece| piece.role as u8 | if piece.color.is_black() { BLACK } else { 0 })
}

/// The numbers of a position's squares.
fn bits_of(board: &Board) -> [Bitboard; 4] {
    [
        board.pawns() | board.bishops() | board.queens(),
        board.knights() | board.bishops() | board.kings(),
        board.rooks() | board.queens() | board.kings(),
        board.black(),
    ]
}

fn difference(one: [Bitboard; 4], other: [Bitboard; 4]) -> Bitboard {
    one.into_iter().zip(other).fold(Bitboard::EMPTY, |all, (one, other)| all | one ^ other)
}

impl Shown {
    pub(crate) fn new(board: &Board) -> Self {
        Self { bits: bits_of(board), last_odd: PieceCode::Empty }
    }

    fn at(&self, square: Square) -> u8 {
        (0..).zip(self.bits).fold(0, |number, (bit, squares)| number | u8::from(squares.contains(square)) << bit)
    }

    /// Sets a square; says whether that changed it.
    pub(crate) fn set(&mut self, square: Square, code: PieceCode) -> bool {
        let piece = piece_of(code);
        let odd = piece.is_none() && code != PieceCode::Empty;
        let number = if odd { ODD } else { number(piece) };
        let same = self.at(square) == number;
        for (bit, squares) in (0..).zip(&mut self.bits) {
            squares.set(square, number >> bit & 1 == 1);
        }
        if odd {
            self.last_odd = code;
        }
        !same
    }

    /// The piece on a square, if a piece of chess stands there.
    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        let number = self.at(square);
        let role = ROLES.get(usize::from(number & !BLACK)).copied().flatten()?;
        Some(Piece { color: Color::from_white(number & BLACK == 0), role })
    }

    /// The pieces of chess and where they stand.
    pub(crate) fn board(&self) -> Board {
        let standing = |square| Some((square, self.piece_at(square)?));
        self.pieces().into_iter().filter_map(standing).fold(Board::empty(), |mut board, (square, piece)| {
            board.set_piece_at(square, piece);
            board
        })
    }

    /// The squares with pieces of chess.
    pub(crate) fn pieces(&self) -> Bitboard {
        self.occupied() & !self.odd()
    }

    /// The pieces of one side.
    pub(crate) fn by_color(&self, color: Color) -> Bitboard {
        let [.., black] = self.bits;
        self.pieces() & if color.is_black() { black } else { !black }
    }

    /// How many of a piece there are.
    pub(crate) fn count(&self, piece: Piece) -> usize {
        let [low, middle, high, _] = self.bits;
        let has = |bit: usize| piece.role as u8 >> bit & 1 == 1;
        let bits = [low, middle, high].into_iter().enumerate();
        bits.fold(self.by_color(piece.color), |all, (bit, set)| all & if has(bit) { set } else { !set }).count()
    }

    /// The kings of one side.
    pub(crate) fn kings(&self, color: Color) -> Bitboard {
        let [low, middle, high, _] = self.bits;
        !low & middle & high & self.by_color(color)
    }

    /// The squares with result pieces.
    pub(crate) fn odd(&self) -> Bitboard {
        let [low, middle, high, _] = self.bits;
        low & middle & high
    }

    /// The result that the one result piece on the board declares.
    pub(crate) fn result_piece(&self) -> Option<Outcome> {
        let outcome = match self.last_odd {
            PieceCode::WhiteWinsPiece => Outcome::WhiteWins,
            PieceCode::BlackWinsPiece => Outcome::BlackWins,
            PieceCode::DrawPiece => Outcome::Draw,
            _ => return None,
        };
        (self.odd().count() == 1).then_some(outcome)
    }

    /// Squares on which something stands.
    pub(crate) fn occupied(&self) -> Bitboard {
        let [low, middle, high, _] = self.bits;
        low | middle | high
    }

    /// Whether a square shows exactly this.
    pub(crate) fn is(&self, square: Square, piece: Option<Piece>) -> bool {
        self.at(square) == number(piece)
    }

    /// Whether a square has the same content as at another time.
    pub(crate) fn is_same(&self, square: Square, other: &Self) -> bool {
        self.at(square) == other.at(square)
    }

    /// The squares that show something else than a position has.
    pub(crate) fn differs(&self, board: &Board) -> Bitboard {
        difference(self.bits, bits_of(board))
    }

    /// The squares that show something else than the pieces of another board, where result pieces are none.
    pub(crate) fn differs_from(&self, other: &Self) -> Bitboard {
        difference(self.bits, other.without_odd().bits)
    }

    /// The same without result pieces.
    pub(crate) fn without_odd(&self) -> Self {
        let pieces = self.pieces();
        Self { bits: self.bits.map(|squares| squares & pieces), last_odd: PieceCode::Empty }
    }

    pub(crate) fn content(&self, square: Square) -> Content {
        if self.odd().contains(square) { Content::AnyPiece } else { Content::Exactly(self.piece_at(square)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_that_differ_are_found() {
        let mut shown = Shown::new(&Board::new());
        assert!(shown.differs(&Board::new()).is_empty());
        assert!(shown.set(Square::E2, PieceCode::Empty));
        assert!(!shown.set(Square::E2, PieceCode::Empty));
        assert!(shown.set(Square::D2, PieceCode::BlackQueen));
        assert!(shown.set(Square::E5, PieceCode::from_byte(0x0d)));
        let squares: Vec<_> = shown.differs(&Board::new()).into_iter().collect();
        assert_eq!(squares, [Square::D2, Square::E2, Square::E5]);
    }

    #[test]
    fn each_square_gives_back_what_was_set() {
        for code in PieceCode::ALL {
            let mut shown = Shown::new(&Board::new());
            shown.set(Square::E4, code);
            let piece = piece_of(code);
            assert!(shown.is(Square::E4, piece) || code.to_byte() > PieceCode::BlackQueen.to_byte());
            assert_eq!(shown.piece_at(Square::E4), piece);
            assert_eq!(shown.odd().contains(Square::E4), piece.is_none() && code != PieceCode::Empty);
            let mut board = Board::new();
            if let Some(piece) = piece {
                board.set_piece_at(Square::E4, piece);
            }
            if let Some(piece) = piece {
                assert_eq!(shown.count(piece), board.by_piece(piece).count());
            }
            for color in Color::ALL {
                assert_eq!(shown.by_color(color), board.by_color(color));
                assert_eq!(shown.kings(color), board.by_piece(color.king()));
            }
            assert_eq!(shown.differs(&Board::new()), shown.differs_from(&Shown::new(&Board::new())));
            assert!(shown.without_odd().differs(&board).is_empty());
        }
    }
}
