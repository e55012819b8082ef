//! The four-bit piece codes. Must not know the rules of chess.

use crate::{envelope::array, error::MessageError};

/// Content of one field (`docs/protocol.md`, 4.2).
///
/// A Pegasus reports occupancy only: [`Empty`](PieceCode::Empty), or
/// [`WhitePawn`](PieceCode::WhitePawn) for any piece. Draughts boards use code 1 for a white man,
/// 4 for a black man, 7 for a white king, 10 for a black king.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceCode {
    /// Empty field.
    #[default]
    Empty = 0,
    /// White pawn.
    WhitePawn = 1,
    /// White rook.
    WhiteRook = 2,
    /// White knight.
    WhiteKnight = 3,
    /// White bishop.
    WhiteBishop = 4,
    /// White king.
    WhiteKing = 5,
    /// White queen.
    WhiteQueen = 6,
    /// Black pawn.
    BlackPawn = 7,
    /// Black rook.
    BlackRook = 8,
    /// Black knight.
    BlackKnight = 9,
    /// Black bishop.
    BlackBishop = 10,
    /// Black king.
    BlackKing = 11,
    /// Black queen.
    BlackQueen = 12,
    /// Result piece: placed on the board, it declares a draw.
    DrawPiece = 13,
    /// Result piece: White wins.
    WhiteWinsPiece = 14,
    /// Result piece: Black wins.
    BlackWinsPiece = 15,
}

/// Content of all fields of a chess board, indexed by [`Field::index`](crate::Field::index).
pub type Fields = [PieceCode; 64];

impl PieceCode {
    /// All codes in the order of their numbers.
    pub const ALL: [PieceCode; 16] = [
        PieceCode::Empty,
        PieceCode::WhitePawn,
        PieceCode::WhiteRook,
        PieceCode::WhiteKnight,
        PieceCode::WhiteBishop,
        PieceCode::WhiteKing,
        PieceCode::WhiteQueen,
        PieceCode::BlackPawn,
        PieceCode::BlackRook,
        PieceCode::BlackKnight,
        PieceCode::BlackBishop,
        PieceCode::BlackKing,
        PieceCode::BlackQueen,
        PieceCode::DrawPiece,
        PieceCode::WhiteWinsPiece,
        PieceCode::BlackWinsPiece,
    ];

    /// The code in the low four bits. The other bits are ignored; they are 0 on every board seen so
    /// far, and [`Frame::unknown_bits`](crate::Frame::unknown_bits) returns them.
    pub const fn from_byte(byte: u8) -> PieceCode {
        PieceCode::ALL[(byte & 0x0f) as usize]
    }

    /// The byte on the wire, 0 to 15.
    pub const fn to_byte(self) -> u8 {
        self as u8
    }
}

/// The content of a message as piece codes.
pub(crate) fn pieces<const N: usize>(data: &[u8]) -> Result<[PieceCode; N], MessageError> {
    array(data).map(|bytes| bytes.map(PieceCode::from_byte))
}
