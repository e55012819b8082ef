//! Whether a player can still mate by any series of legal moves.
//!
//! Answers «impossible» only when it is certain: by material, or because every reachable position was examined within a bound
//! on work. Must not know clocks or results.

use std::collections::BTreeSet;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Position, Square};

/// Most positions examined where the pawns are locked and only kings and bishops can move.
const LOCKED_POSITIONS: usize = 4_000;
/// Most positions examined elsewhere: enough for a line of forced moves.
const FORCED_POSITIONS: usize = 48;

/// Whether a mate by one player is still possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mating {
    /// No series of legal moves leads to a mate by this player.
    Impossible,
    /// A mate is not excluded, however unlikely.
    NotRuledOut,
}

/// Whether each player can still mate from a position: White, then Black.
pub(crate) fn mating(position: &Chess) -> [Mating; 2] {
    let mut open = [Color::White, Color::Black].map(|color| !position.has_insufficient_material(color));
    if open != [false; 2] {
        look_ahead(position, &mut open);
    }
    open.map(|open| if open { Mating::NotRuledOut } else { Mating::Impossible })
}

/// Examines every reachable position and clears `open` for a player who mates in none of them. Changes nothing when there are
/// too many positions.
fn look_ahead(position: &Chess, open: &mut [bool; 2]) {
    let bound = if is_locked(position) { LOCKED_POSITIONS } else { FORCED_POSITIONS };
    let mut known: BTreeSet<Zobrist64> = BTreeSet::new();
    let mut waiting = vec![position.clone()];
    let mut mates = [false; 2];
    while let Some(position) = waiting.pop() {
        let moves = position.legal_moves();
        if moves.is_empty() && position.is_check() {
            mates[usize::from(position.turn() == Color::White)] = true;
        }
        // No mate is possible from here.
        if position.is_insufficient_material() {
            continue;
        }
        for mv in moves {
            let Ok(next) = position.clone().play(mv) else { continue };
            if known.insert(next.zobrist_hash(EnPassantMode::Legal)) {
                waiting.push(next);
            }
        }
        if known.len() > bound || open.iter().zip(mates).all(|(open, mates)| !open || mates) {
            return;
        }
    }
    for (open, mates) in open.iter_mut().zip(mates) {
        *open &= mates;
    }
}

/// Whether there are only kings, bishops and pawns, and every pawn has a piece before it.
fn is_locked(position: &Chess) -> bool {
    let board = position.board();
    let others = board.knights() | board.rooks_and_queens();
    let blocked = |square: Square| {
        let forward = if board.color_at(square) == Some(Color::White) { 8 } else { -8 };
        square.offset(forward).is_some_and(|ahead| board.occupied().contains(ahead))
    };
    others.is_empty() && board.pawns().into_iter().all(blocked)
}

#[cfg(test)]
mod tests {
    use notation::fen::{Reading, read_fen};

    use super::*;

    fn of(fen: &str) -> ([Mating; 2], bool) {
        let position = read_fen(fen, Reading::LAX).unwrap_or_else(|error| panic!("{fen}: {error}"));
        (mating(&position), is_dead(&position))
    }

    /// Whether neither player can mate any more (FIDE Laws, 5.2.2). A position that is mate already is not dead.
    fn is_dead(position: &Chess) -> bool {
        mating(position) == NEITHER && !position.is_checkmate()
    }

    const BOTH: [Mating; 2] = [Mating::NotRuledOut; 2];
    const NEITHER: [Mating; 2] = [Mating::Impossible; 2];

    #[test]
    fn material_decides_where_it_can() {
        assert_eq!(of("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), (NEITHER, true));
        assert_eq!(of("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1"), (NEITHER, true));
        assert!(!of("4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1").1, "two knights can mate with help");
        let knight_and_pawn = of("4k3/p7/8/8/8/8/8/1N2K3 w - - 0 1");
        assert_eq!(knight_and_pawn, (BOTH, false), "the pawn can stand in its king's way");
        let rook = of("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(rook, ([Mating::NotRuledOut, Mating::Impossible], false));
        assert_eq!(of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), (BOTH, false));
    }

    #[test]
    fn a_wall_of_pawns_that_nobody_can_pass_is_dead() {
        assert_eq!(of("8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1"), (NEITHER, true));
        // The same with a gap: a king gets through.
        assert_eq!(of("8/8/4k3/p1p1p3/P1P1P3/4K3/8/8 w - - 0 1"), (BOTH, false));
    }

    #[test]
    fn a_forced_capture_can_leave_a_dead_position() {
        // The king's only move takes the queen.
        assert_eq!(of("8/8/8/8/8/8/1q3k2/K7 w - - 0 1"), (NEITHER, true));
        // Here it can also go on.
        assert!(!of("8/8/8/8/8/8/1q6/K1k5 w - - 0 1").1);
        let mated = of("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(mated, ([Mating::NotRuledOut, Mating::Impossible], false), "mate is no dead position");
    }
}
