//! Converts squares and pieces of chess to fields and codes of the wire, for both orientations of the board.
//!
//! Knows the numbering (docs/protocol.md, 4.1 and 4.2).

use dgt_protocol::{Field, PieceCode};
use shakmaty::{Color, Piece, Role, Square};

/// The field under a square. `rotated`: the board lies turned by 180 degrees, field n becomes 63 - n.
pub fn field(square: Square, rotated: bool) -> Option<Field> {
    let (file, rank) = square.coords();
    let number = (7 - rank.to_u32()) * 8 + file.to_u32();
    let field = Field::new(number as u8)?;
    Some(if rotated { field.rotated() } else { field })
}

/// The code of a piece, or of an empty square.
pub fn code(piece: Option<Piece>) -> PieceCode {
    let Some(Piece { color, role }) = piece else {
        return PieceCode::Empty;
    };
    let white = match role {
        Role::Pawn => 1,
        Role::Rook => 2,
        Role::Knight => 3,
        Role::Bishop => 4,
        Role::King => 5,
        Role::Queen => 6,
    };
    PieceCode::from_byte(if color == Color::White { white } else { white + 6 })
}

#[cfg(test)]
mod tests {
    use dgt_protocol::Message;
    use shakmaty::{Chess, Position};

    use super::*;

    #[test]
    fn the_start_position_is_the_dump_of_a_real_board() {
        let start = Chess::default();
        let mut fields = [PieceCode::Empty; 64];
        for square in Square::ALL {
            let field = field(square, false).expect("every square has a field");
            fields[field.index()] = code(start.board().piece_at(square));
        }
        let mut expected = vec![0x86, 0x00, 0x43, 8, 9, 10, 12, 11, 10, 9, 8];
        expected.extend([7; 8]);
        expected.extend([0; 32]);
        expected.extend([1; 8]);
        expected.extend([2, 3, 4, 6, 5, 4, 3, 2]);
        assert_eq!(Message::BoardDump(fields).encode(), expected);
    }

    #[test]
    fn a_turned_board_counts_from_the_other_corner() {
        assert_eq!(field(Square::E2, false).map(Field::number), Some(52));
        assert_eq!(field(Square::E2, true).map(Field::number), Some(11));
    }
}
