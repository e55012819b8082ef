//! Move ordinals: the index of a move among the legal moves, sorted by SAN in ASCII order (PGN standard, 20.2).

use shakmaty::san::San;
use shakmaty::{Chess, Move, Position};

/// The legal moves sorted by SAN; the index of a move is its ordinal. There are at most 218.
pub(super) fn ordered_moves(position: &Chess) -> Vec<Move> {
    let legal = position.legal_moves();
    // Check marks do not affect the order: no two moves differ in them alone, and they sort before every character that
    // can follow in a longer SAN.
    let mut moves: Vec<(String, Move)> = legal.iter().map(|&m| (San::disambiguate(m, &legal).to_string(), m)).collect();
    moves.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    moves.into_iter().map(|(_, m)| m).collect()
}

/// The ordinal of a move; `None` if it is not legal.
pub(super) fn ordinal(position: &Chess, m: Move) -> Option<u8> {
    let place = ordered_moves(position).iter().position(|&legal| legal == m)?;
    u8::try_from(place).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{find_move, write_move};

    #[test]
    fn ordinals_are_those_of_the_standard() {
        let start = Chess::default();
        let moves = ordered_moves(&start);
        assert_eq!(moves.len(), 20);
        for (place, san) in [(0, "Na3"), (1, "Nc3"), (4, "a3"), (19, "h4")] {
            assert_eq!(write_move(&start, moves[usize::from(place)]), san);
            let m = find_move(&start, san).expect("a first move");
            assert_eq!(ordinal(&start, m), Some(place));
        }
    }
}
