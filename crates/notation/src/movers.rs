//! Which pieces can legally move to a square, computed with bitboards instead of a list of legal moves.
//!
//! Covers pins, checks and en passant, not castling. Must not know how a move is written.

use shakmaty::{Bitboard, Chess, Color, Position, Rank, Role, Square, attacks};

/// The pieces of a role that can legally move to a square. `checkers` are the pieces that give check in the position; the
/// caller passes them because it often knows them already.
#[inline]
pub(crate) fn movers(position: &Chess, checkers: Bitboard, role: Role, to: Square) -> Bitboard {
    let board = position.board();
    let ours = position.our(role);
    if position.us().contains(to) {
        return Bitboard::EMPTY;
    }
    let Some(king) = position.our(Role::King).first() else { return Bitboard::EMPTY };
    let reaching = match role {
        Role::Pawn if position.maybe_ep_square() == Some(to) => return en_passant(position, king, to),
        Role::Pawn => pawns(position, to),
        Role::Knight => attacks::knight_attacks(to) & ours,
        Role::Bishop => attacks::bishop_attacks(to, board.occupied()) & ours,
        Role::Rook => attacks::rook_attacks(to, board.occupied()) & ours,
        Role::Queen => attacks::queen_attacks(to, board.occupied()) & ours,
        Role::King => {
            let candidates = attacks::king_attacks(to) & ours;
            return if candidates.any() && is_safe_for_king(position, king, to) { candidates } else { Bitboard::EMPTY };
        }
    };
    if reaching.is_empty() || !resolves_check(checkers, king, to) {
        return Bitboard::EMPTY;
    }
    without_pinned(position, king, reaching, to)
}

/// Whether the side to move, which is in check, is mated.
pub(crate) fn is_mate(position: &Chess) -> bool {
    // In most positions a king move shows that it is not mate.
    let steps = position.our(Role::King).first().is_some_and(|king| {
        (attacks::king_attacks(king) & !position.us()).into_iter().any(|to| is_safe_for_king(position, king, to))
    });
    !steps && position.legal_moves().is_empty()
}

fn is_safe_for_king(position: &Chess, king: Square, to: Square) -> bool {
    let board = position.board();
    board.attacks_to(to, !position.turn(), board.occupied().without(king)).is_empty()
}

/// Whether a piece that moves to a square resolves the check, if there is one: it captures the checker or blocks it.
fn resolves_check(checkers: Bitboard, king: Square, to: Square) -> bool {
    match checkers.single_square() {
        Some(checker) => checker == to || attacks::between(king, checker).contains(to),
        None => checkers.is_empty(),
    }
}

/// Pawns that can push to or capture on a square, ignoring pins and checks.
fn pawns(position: &Chess, to: Square) -> Bitboard {
    let (us, pawns) = (position.turn(), position.our(Role::Pawn));
    let occupied = position.board().occupied();
    if occupied.contains(to) {
        return attacks::pawn_attacks(!us, to) & pawns;
    }
    let (back, double_rank) = match us {
        Color::White => (-8, Rank::Fourth),
        Color::Black => (8, Rank::Fifth),
    };
    let Some(one) = to.offset(back) else { return Bitboard::EMPTY };
    if to.rank() != double_rank || occupied.contains(one) {
        return pawns & one;
    }
    one.offset(back).map_or(Bitboard::EMPTY, |two| pawns & two)
}

/// Pawns that can capture en passant on a square. Two pawns leave the rank, so attacks on the king are computed again.
fn en_passant(position: &Chess, king: Square, to: Square) -> Bitboard {
    let (board, them) = (position.board(), !position.turn());
    let candidates = attacks::pawn_attacks(them, to) & position.our(Role::Pawn);
    let safe = candidates.into_iter().filter(|from| {
        let taken = Square::from_coords(to.file(), from.rank());
        let occupied = board.occupied().without(*from).without(taken).with(to);
        board.attacks_to(king, them, occupied).without(taken).is_empty()
    });
    safe.collect()
}

/// The pieces whose move to the square does not expose their king.
fn without_pinned(position: &Chess, king: Square, mut pieces: Bitboard, to: Square) -> Bitboard {
    let board = position.board();
    let (straight, diagonal) =
        (attacks::rook_attacks(king, Bitboard::EMPTY), attacks::bishop_attacks(king, Bitboard::EMPTY));
    if (pieces & (straight | diagonal)).is_empty() {
        return pieces;
    }
    let snipers = (straight & board.rooks_and_queens()) | (diagonal & board.bishops_and_queens());
    for sniper in snipers & position.them() {
        let between = attacks::between(king, sniper);
        if let Some(pinned) = (between & board.occupied()).single_square()
            && to != sniper
            && !between.contains(to)
        {
            pieces.discard(pinned);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use shakmaty::Move;

    use super::*;
    use crate::fen::{Reading, read_fen};

    /// The same pieces by the list of legal moves.
    fn by_legal_moves(position: &Chess, role: Role, to: Square) -> Bitboard {
        let legal = position.legal_moves();
        let fitting = legal.iter().filter(|m| !matches!(m, Move::Castle { .. }) && m.role() == role && m.to() == to);
        fitting.filter_map(|m| m.from()).collect()
    }

    fn check(position: &Chess) {
        for role in Role::ALL {
            for to in Square::ALL {
                let found = movers(position, position.checkers(), role, to);
                assert_eq!(found, by_legal_moves(position, role, to), "{role:?} to {to} in {position:?}");
            }
        }
        if position.is_check() {
            assert_eq!(is_mate(position), position.legal_moves().is_empty(), "{position:?}");
        }
    }

    /// Every position of random games; these have pins, checks, promotions and mates.
    #[test]
    fn movers_agree_with_the_legal_moves() {
        let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..60 {
            let mut position = Chess::default();
            for _ in 0..150 {
                check(&position);
                chance ^= chance << 13;
                chance ^= chance >> 7;
                chance ^= chance << 17;
                let legal = position.legal_moves();
                let Some(&m) = usize::try_from(chance % 251).ok().and_then(|at| legal.get(at % legal.len().max(1)))
                else {
                    break;
                };
                position.play_unchecked(m);
            }
        }
    }

    /// Rare positions: en passant that opens a rank, a file or a diagonal, or resolves a check; pinned capturers;
    /// double check; positions that no game reaches.
    #[test]
    fn movers_are_right_in_rare_positions() {
        for fen in [
            "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",
            "8/8/8/r2pP2K/8/8/8/7k w - d6 0 2",
            "8/8/8/3pP3/4K3/8/8/7k w - d6 0 2",
            "7k/8/8/3pP3/2K5/8/8/8 w - d6 0 2",
            "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
            "b6k/8/8/3pP3/4K3/8/8/8 w - d6 0 2",
            "8/8/8/2PpP3/8/3K4/8/7k w - d6 0 2",
            "7k/8/8/8/3pPp2/8/8/2K1Q3 b - e3 0 2",
            "4k3/8/8/8/7b/8/5P2/r3K2R w K - 0 1",
            "4k3/4r3/8/8/7b/8/3N1B2/4K3 w - - 0 1",
            "4k3/8/8/q7/8/2N5/3P4/r2QK2R w K - 0 1",
            "3rk3/2P1P3/8/8/8/8/8/R3K2R w KQ - 0 1",
            "4k3/8/5n2/8/4K3/3b4/8/8 w - - 0 1",
            "R3k3/8/8/8/8/8/8/4K3 b - - 0 1",
            "R3k3/R7/8/8/8/8/8/4K3 b - - 0 1",
        ] {
            check(&read_fen(fen, Reading::LAX).unwrap_or_else(|error| panic!("{fen}: {error}")));
        }
    }
}
