//! The pieces on the 64 squares, as the board reports them.
//!
//! Knows field numbers, orientation and differences. Must not know the rules, the player to move, or time: any arrangement
//! of pieces is a placement, ten kings included.

use dgt_protocol::{Field, Fields, PieceCode};
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

/// The code of a piece.
pub fn code_of(piece: Piece) -> PieceCode {
    match (piece.color, piece.role) {
        (Color::White, Role::Pawn) => PieceCode::WhitePawn,
        (Color::White, Role::Rook) => PieceCode::WhiteRook,
        (Color::White, Role::Knight) => PieceCode::WhiteKnight,
        (Color::White, Role::Bishop) => PieceCode::WhiteBishop,
        (Color::White, Role::King) => PieceCode::WhiteKing,
        (Color::White, Role::Queen) => PieceCode::WhiteQueen,
        (Color::Black, Role::Pawn) => PieceCode::BlackPawn,
        (Color::Black, Role::Rook) => PieceCode::BlackRook,
        (Color::Black, Role::Knight) => PieceCode::BlackKnight,
        (Color::Black, Role::Bishop) => PieceCode::BlackBishop,
        (Color::Black, Role::King) => PieceCode::BlackKing,
        (Color::Black, Role::Queen) => PieceCode::BlackQueen,
    }
}

/// The piece with this code; none for an empty square and for the result pieces.
pub(crate) fn piece_of(code: PieceCode) -> Option<Piece> {
    let color = color_of(code)?;
    Role::ALL.into_iter().map(|role| Piece { color, role }).find(|&piece| code_of(piece) == code)
}

/// The colour of the piece with this code; none for an empty square and for the result pieces.
pub fn color_of(code: PieceCode) -> Option<Color> {
    match code.to_byte() {
        1..=6 => Some(Color::White),
        7..=12 => Some(Color::Black),
        _ => None,
    }
}

/// The real square of a wire field. Field 0 is a8 and 63 is h1 unless the players sit the other way round
/// (docs/protocol.md, 4.1).
pub fn square_of(field: Field, rotated: bool) -> Square {
    let field = if rotated { field.rotated() } else { field };
    // Fields count ranks from the eighth, squares from the first.
    Square::new(u32::from(field.number())).flip_vertical()
}

/// The pieces on the 64 squares, in real squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    codes: [PieceCode; 64],
}

impl Placement {
    /// A board without pieces.
    pub const EMPTY: Self = Self { codes: [PieceCode::Empty; 64] };

    /// The placement of a full dump.
    pub fn from_fields(fields: &Fields, rotated: bool) -> Self {
        let mut placement = Self::EMPTY;
        for (index, &code) in (0..).zip(fields) {
            if let Some(field) = Field::new(index) {
                placement.set(square_of(field, rotated), code);
            }
        }
        placement
    }

    /// The placement of a position's pieces.
    pub fn from_board(board: &Board) -> Self {
        let mut placement = Self::EMPTY;
        for (square, piece) in board {
            placement.set(square, code_of(piece));
        }
        placement
    }

    /// The pieces as the rules know them. Result pieces are left out.
    pub(crate) fn board(&self) -> Board {
        let mut board = Board::empty();
        for square in Square::ALL {
            if let Some(piece) = piece_of(self.get(square)) {
                board.set_piece_at(square, piece);
            }
        }
        board
    }

    /// The piece on a square.
    pub fn get(&self, square: Square) -> PieceCode {
        self.codes[square.to_usize()]
    }

    /// Puts a piece on a square, or empties it.
    pub(crate) fn set(&mut self, square: Square, code: PieceCode) {
        self.codes[square.to_usize()] = code;
    }

    /// The same pieces with the board turned by 180 degrees.
    #[must_use]
    pub fn turned(&self) -> Self {
        let mut turned = Self::EMPTY;
        for square in Square::ALL {
            turned.set(square.rotate_180(), self.get(square));
        }
        turned
    }

    /// The same pieces without those on some squares.
    #[must_use]
    pub(crate) fn without(&self, squares: Bitboard) -> Self {
        let mut rest = *self;
        for square in squares {
            rest.set(square, PieceCode::Empty);
        }
        rest
    }

    /// The squares on which two placements differ, a1 first.
    pub fn difference(&self, other: &Self) -> Vec<Square> {
        Square::ALL.into_iter().filter(|&s| self.get(s) != other.get(s)).collect()
    }

    /// The squares on which a piece of this code stands.
    pub(crate) fn squares_with(&self, code: PieceCode) -> impl Iterator<Item = Square> {
        Square::ALL.into_iter().filter(move |&s| self.get(s) == code)
    }

    /// The placement as the first field of a FEN; result pieces are written as `?`.
    pub fn fen(&self) -> String {
        let mut fen = String::with_capacity(72);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let code = self.codes[rank * 8 + file];
                if code == PieceCode::Empty {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    fen.push_str(&empty.to_string());
                    empty = 0;
                }
                fen.push(letter(code));
            }
            if empty > 0 {
                fen.push_str(&empty.to_string());
            }
            if rank > 0 {
                fen.push('/');
            }
        }
        fen
    }
}

fn letter(code: PieceCode) -> char {
    const LETTERS: [char; 16] = ['.', 'P', 'R', 'N', 'B', 'K', 'Q', 'p', 'r', 'n', 'b', 'k', 'q', '?', '?', '?'];
    LETTERS[usize::from(code.to_byte() & 0x0f)]
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn field_0_is_a8_and_a_turned_board_reads_the_same_after_turning() {
        assert_eq!(square_of(Field::new(0).unwrap(), false), Square::A8);
        assert_eq!(square_of(Field::new(56).unwrap(), false), Square::A1);
        assert_eq!(square_of(Field::new(0).unwrap(), true), Square::H1);
        let start = Placement::from_board(&Board::new());
        assert_ne!(start.turned(), start);
        assert_eq!(start.turned().turned(), start);
        assert_eq!(start.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    }
}
