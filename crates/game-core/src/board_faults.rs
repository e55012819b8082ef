//! What a board with hardware faults shows of a position: dead squares, misread pieces, crosstalk between two squares.
//!
//! Must not know how a fault was found, or time.

use dgt_protocol::PieceCode;
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Move, Piece, Position, Role, Square};

use crate::placement::{Placement, code_of, key};

/// The faults of a board. The default is a board without faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardFaults {
    /// Dead squares: what they report is ignored, and they count as empty in positions and on the board.
    pub(crate) dead: Bitboard,
    /// Squares of misread pieces, with the reported code. A misread piece takes its fault along when it moves.
    misread: [Option<(Square, PieceCode)>; MISREAD_PIECES],
    /// Crosstalk: the piece on the first square is also reported on the second while the second is empty.
    crosstalk: Option<(Square, Square)>,
}

/// Most misread pieces of one board; with more of them no report can be trusted.
const MISREAD_PIECES: usize = 3;

impl BoardFaults {
    /// The placement that the board shows of a position.
    pub fn shows(&self, board: &Board) -> Placement {
        let mut placement = Placement::EMPTY;
        for (square, piece) in board {
            placement.set(square, self.seen_on(square, code_of(piece)));
        }
        self.add_crosstalk(placement)
    }

    /// The placement that the board shows of pieces none of which is misread.
    pub(crate) fn shows_pieces(&self, pieces: &Placement) -> Placement {
        self.add_crosstalk(pieces.without(self.dead))
    }

    fn add_crosstalk(&self, mut shown: Placement) -> Placement {
        if let Some((square, beside)) = self.crosstalk
            && shown.get(beside) == PieceCode::Empty
        {
            shown.set(beside, shown.get(square));
        }
        shown
    }

    /// These faults with another crosstalk: the piece on the first square is also reported on the second.
    #[must_use]
    pub fn with_crosstalk(&self, crosstalk: Option<(Square, Square)>) -> Self {
        Self { crosstalk, ..*self }
    }

    /// The two squares with crosstalk.
    pub fn crosstalk(&self) -> Option<(Square, Square)> {
        self.crosstalk
    }

    /// A board whose only faults are dead squares.
    pub fn dead(squares: Bitboard) -> Self {
        Self { dead: squares, ..Self::default() }
    }

    /// These faults with other dead squares.
    #[must_use]
    pub(crate) fn with_dead(&self, squares: Bitboard) -> Self {
        Self { dead: squares, ..*self }
    }

    /// These faults and one more: the piece on this square is reported as `seen`. None when there are too many already.
    pub(crate) fn with_misread(&self, square: Square, seen: PieceCode) -> Option<Self> {
        let mut more = *self;
        let known = more.misread.iter().position(|misread| misread.is_some_and(|(at, _)| at == square));
        let place = known.or_else(|| more.misread.iter().position(Option::is_none))?;
        *more.misread.get_mut(place)? = Some((square, seen));
        Some(more)
    }

    /// Squares of misread pieces, with the reported code.
    pub(crate) fn misread(&self) -> impl Iterator<Item = (Square, PieceCode)> + use<> {
        self.misread.into_iter().flatten()
    }

    /// The code that is reported for a piece on a square.
    fn seen_on(&self, square: Square, code: PieceCode) -> PieceCode {
        if self.dead.contains(square) {
            return PieceCode::Empty;
        }
        self.misread().find(|&(misread, _)| misread == square).map_or(code, |(_, seen)| seen)
    }

    /// The hash of the placement shown after a legal move, from the hash before it. Plays the move only if there is
    /// crosstalk.
    pub(crate) fn hash_after(&self, hash: u64, position: &Chess, mv: Move) -> u64 {
        let turn = position.turn();
        if self.crosstalk.is_some() {
            // With crosstalk a square depends on another one. This is rare.
            let mut after = position.clone();
            after.play_unchecked(mv);
            return self.after(turn, mv).shows(after.board()).hash();
        }
        let own = |role| code_of(Piece { color: turn, role });
        let theirs = |role| code_of(Piece { color: !turn, role });
        let before = |square, code| key(square, self.seen_on(square, code));
        let faults = self.after(turn, mv);
        let after = |square, code| key(square, faults.seen_on(square, code));
        match mv {
            Move::Normal { role, from, capture, to, promotion } => {
                let taken = capture.map_or(0, |role| before(to, theirs(role)));
                hash ^ before(from, own(role)) ^ taken ^ after(to, own(promotion.unwrap_or(role)))
            }
            Move::EnPassant { from, to } => {
                let victim = Square::from_coords(to.file(), from.rank());
                hash ^ before(from, own(Role::Pawn)) ^ after(to, own(Role::Pawn)) ^ before(victim, theirs(Role::Pawn))
            }
            Move::Castle { king, rook } => {
                let (king_to, rook_to) = castling_targets(turn, king, rook);
                hash ^ before(king, own(Role::King))
                    ^ before(rook, own(Role::Rook))
                    ^ after(king_to, own(Role::King))
                    ^ after(rook_to, own(Role::Rook))
            }
            Move::Put { role, to } => hash ^ after(to, own(role)),
        }
    }

    /// The faults after a move: a misread piece moves along or leaves the board.
    #[must_use]
    pub fn after(&self, turn: Color, mv: Move) -> Self {
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

    /// The faults before a move, from those after it.
    #[must_use]
    pub(crate) fn before(&self, turn: Color, mv: Move) -> Self {
        self.map_misread(|misread| match mv {
            Move::Normal { from, to, promotion: None, .. } | Move::EnPassant { from, to } if misread == to => {
                Some(from)
            }
            Move::Normal { to, .. } if misread == to => None,
            Move::Castle { king, rook } if misread == castling_targets(turn, king, rook).0 => Some(king),
            Move::Castle { king, rook } if misread == castling_targets(turn, king, rook).1 => Some(rook),
            _ => Some(misread),
        })
    }

    fn map_misread(&self, goes: impl Fn(Square) -> Option<Square>) -> Self {
        let misread = self.misread.map(|misread| misread.and_then(|(square, seen)| Some((goes(square)?, seen))));
        Self { misread, ..*self }
    }

    /// All squares with a fault: dead ones, those of misread pieces, and both squares with crosstalk.
    pub(crate) fn squares(&self) -> Bitboard {
        let crosstalk = self.crosstalk.into_iter().flat_map(|(square, beside)| [square, beside]);
        self.misread().map(|(square, _)| square).chain(crosstalk).fold(self.dead, |all, square| all | square)
    }
}

/// The squares that a legal move changes.
pub(crate) fn squares_of(turn: Color, mv: Move) -> [Option<Square>; 4] {
    match mv {
        Move::Normal { from, to, .. } => [Some(from), Some(to), None, None],
        Move::EnPassant { from, to } => [Some(from), Some(to), Some(Square::from_coords(to.file(), from.rank())), None],
        Move::Castle { king, rook } => {
            let (king_to, rook_to) = castling_targets(turn, king, rook);
            [Some(king), Some(rook), Some(king_to), Some(rook_to)]
        }
        Move::Put { to, .. } => [Some(to), None, None, None],
    }
}

/// The target squares of king and rook in a castling move.
pub(crate) fn castling_targets(turn: Color, king: Square, rook: Square) -> (Square, Square) {
    let side = CastlingSide::from_king_side(king < rook);
    (side.king_to(turn), side.rook_to(turn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    const POSITIONS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "4k3/P6P/8/2pP4/8/8/8/4K3 w - c6 0 1",
        "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1",
    ];

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(shakmaty::CastlingMode::Chess960).unwrap()
    }

    #[test]
    fn the_hash_after_a_move_is_the_hash_of_what_is_shown_after_it_whatever_the_fault() {
        for before in POSITIONS.map(position) {
            let faults = Square::ALL.into_iter().flat_map(|square| {
                let piece = before.board().piece_at(square);
                let misread = piece.and_then(|_| BoardFaults::default().with_misread(square, PieceCode::WhiteBishop));
                let beside = Square::new(u32::from(square) ^ 8);
                [
                    Some(BoardFaults::dead(square.into())),
                    misread,
                    Some(BoardFaults::default().with_crosstalk(Some((square, beside)))),
                ]
            });
            for faults in faults.flatten().chain([BoardFaults::default()]) {
                let hash = faults.shows(before.board()).hash();
                for mv in before.legal_moves() {
                    let after = before.clone().play(mv).unwrap();
                    let then = faults.after(before.turn(), mv);
                    assert_eq!(
                        faults.hash_after(hash, &before, mv),
                        then.shows(after.board()).hash(),
                        "{mv} {faults:?}"
                    );
                    assert!(
                        then.misread().count() < faults.misread().count() || then.before(before.turn(), mv) == faults,
                        "{mv} {faults:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_move_changes_no_square_but_its_own() {
        for before in POSITIONS.map(position) {
            for mv in before.legal_moves() {
                let after = before.clone().play(mv).unwrap();
                let changed = Placement::from_board(before.board()).difference(&Placement::from_board(after.board()));
                let named: Vec<_> = squares_of(before.turn(), mv).into_iter().flatten().collect();
                assert!(changed.iter().all(|s| named.contains(s)), "{mv}");
            }
        }
    }
}
