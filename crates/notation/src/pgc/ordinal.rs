//! Move ordinals: the rank of a move's SAN in ASCII order among the legal moves (PGN standard,
//! 20.2).

use shakmaty::san::San;
use shakmaty::{Chess, Move, Position};

/// The legal moves in the order of their SAN; the place of a move, from 0, is its ordinal. There
/// are at most 218.
pub fn ordered_moves(position: &Chess) -> Vec<Move> {
    let legal = position.legal_moves();
    // Check marks would change nothing: no two moves differ in them alone, and they sort before
    // whatever can follow in a longer SAN.
    let mut moves: Vec<(String, Move)> = legal.iter().map(|&m| (San::disambiguate(m, &legal).to_string(), m)).collect();
    moves.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    moves.into_iter().map(|(_, m)| m).collect()
}

/// The ordinal of a move; `None` if it is not legal.
pub fn ordinal(position: &Chess, m: Move) -> Option<u8> {
    let place = ordered_moves(position).iter().position(|&legal| legal == m)?;
    u8::try_from(place).ok()
}
