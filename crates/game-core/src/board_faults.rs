//! What a board with hardware faults shows of a position: misread pieces.
//!
//! Must not know how a fault was found, or time.

use dgt_protocol::PieceCode;
use shakmaty::{CastlingSide, Color, Move, Square};

/// The faults of a board. The default is a board without faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardFaults {
    /// Squares of misread pieces, with the reported code. A misread piece takes its fault along when it moves.
    misread: [Option<(Square, PieceCode)>; MISREAD_PIECES],
}

/// Most misread pieces of one board; with more of them no report can be trusted.
const MISREAD_PIECES: usize = 3;

impl BoardFaults {
    /// These faults and one more: the piece on this square is reported as `seen`. None when there are too many already.
    pub(crate) fn with_misread(self, square: Square, seen: PieceCode) -> Option<Self> {
        let mut more = self;
        let known = more.misread.iter().position(|misread| misread.is_some_and(|(at, _)| at == square));
        let place = known.or_else(|| more.misread.iter().position(Option::is_none))?;
        *more.misread.get_mut(place)? = Some((square, seen));
        Some(more)
    }

    /// Squares of misread pieces, with the reported code.
    pub(crate) fn misread(self) -> impl Iterator<Item = (Square, PieceCode)> {
        self.misread.into_iter().flatten()
    }

    /// The faults after a move: a misread piece moves along or leaves the board.
    #[must_use]
    pub(crate) fn after(self, turn: Color, mv: Move) -> Self {
        self.map_misread(|misread| match mv {
            Move::Normal { from, to, promotion: None, .. } if misread == from => Some(to),
            Move::EnPassant { from, to } if misread == from => Some(to),
            Move::EnPassant { from, to } if misread == Square::from_coords(to.file(), from.rank()) => None,
            Move::Normal { from, to, .. } if misread == from || misread == to => None,
            Move::Castle { king, rook } if misread == king => Some(castling_targets(turn, king, rook).0),
            Move::Castle { king, rook } if misread == rook => Some(castling_targets(turn, king, rook).1),
            _ => Some(misread),
        })
    }

    /// The faults before a move after which these are known: a misread piece goes back with it. What the move took is not known.
    #[must_use]
    pub(crate) fn before(self, turn: Color, mv: Move) -> Self {
        self.map_misread(|misread| match mv {
            Move::Normal { from, to, promotion, .. } if misread == to => promotion.is_none().then_some(from),
            Move::EnPassant { from, to } if misread == to => Some(from),
            Move::Castle { king, rook } if misread == castling_targets(turn, king, rook).0 => Some(king),
            Move::Castle { king, rook } if misread == castling_targets(turn, king, rook).1 => Some(rook),
            _ => Some(misread),
        })
    }

    fn map_misread(self, goes: impl Fn(Square) -> Option<Square>) -> Self {
        let misread = self.misread.map(|misread| misread.and_then(|(square, seen)| Some((goes(square)?, seen))));
        Self { misread }
    }
}

/// The target squares of king and rook in a castling move.
fn castling_targets(turn: Color, king: Square, rook: Square) -> (Square, Square) {
    let side = CastlingSide::from_king_side(king < rook);
    (side.king_to(turn), side.rook_to(turn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position, fen::Fen};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(shakmaty::CastlingMode::Chess960).unwrap()
    }

    /// Where a piece that is misread on a square is misread after a move.
    fn goes(fen: &str, square: Square, uci: &str) -> Option<Square> {
        let before = position(fen);
        let mv = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&before).unwrap();
        let faults = BoardFaults::default().with_misread(square, PieceCode::WhiteBishop).unwrap();
        faults.after(before.turn(), mv).misread().next().map(|(square, _)| square)
    }

    #[test]
    fn a_misread_piece_takes_its_fault_along_and_off_the_board() {
        let rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(goes(rooks, Square::A1, "a1a5"), Some(Square::A5));
        assert_eq!(goes(rooks, Square::A8, "a1a8"), None, "taken");
        assert_eq!(goes(rooks, Square::H1, "e1h1"), Some(Square::F1), "castled");
        assert_eq!(goes(rooks, Square::E1, "e1a1"), Some(Square::C1));
        assert_eq!(goes(rooks, Square::H8, "a1a8"), Some(Square::H8), "it stands");
        let passant = "4k3/P6P/8/2pP4/8/8/8/4K3 w - c6 0 1";
        assert_eq!(goes(passant, Square::C5, "d5c6"), None, "taken in passing");
        assert_eq!(goes(passant, Square::D5, "d5c6"), Some(Square::C6));
        assert_eq!(goes(passant, Square::A7, "a7a8q"), None, "another piece stands there");
    }

    #[test]
    fn a_misread_piece_goes_back_with_the_move_that_is_taken_back() {
        for (fen, square, uci) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Square::A1, "a1a5"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Square::H1, "e1h1"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", Square::E8, "e8a8"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Square::H8, "a1a8"),
            ("4k3/P6P/8/2pP4/8/8/8/4K3 w - c6 0 1", Square::D5, "d5c6"),
        ] {
            let before = position(fen);
            let mv = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&before).unwrap();
            let faults = BoardFaults::default().with_misread(square, PieceCode::WhiteBishop).unwrap();
            assert_eq!(faults.after(before.turn(), mv).before(before.turn(), mv), faults, "{fen} {uci}");
        }
    }

    #[test]
    fn no_more_than_some_pieces_are_misread() {
        let mut faults = BoardFaults::default();
        for square in [Square::A1, Square::B1, Square::C1, Square::A1] {
            faults = faults.with_misread(square, PieceCode::WhitePawn).unwrap();
        }
        assert_eq!(faults.misread().count(), MISREAD_PIECES);
        assert_eq!(faults.with_misread(Square::D1, PieceCode::WhitePawn), None);
    }
}
