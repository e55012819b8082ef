//! Finding the legal moves that lead from a position to a placement several plies away.
//!
//! Used when moves were made faster than the board reports, or while it could not be reached. Knows the rules and a
//! bound on work. Knows nothing of time and never decides between explanations that differ.

use shakmaty::{Chess, Color, Move, Position, Square};

use crate::lens::Lens;
use crate::placement::{Placement, code_of, color_of};
use crate::touched::Touched;

/// What a search may do.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Fewest plies of an explanation: a press of the clock ends each.
    pub at_least: usize,
    /// Most plies of an explanation.
    pub plies: usize,
    /// Most positions to look at before giving up.
    pub positions: usize,
    /// Whether one of several orders of the same moves will do; otherwise they are explanations that differ.
    pub any_order: bool,
    /// When set, a move is considered only if these allow it: what the board reported of its squares. Without it any legal move is (after a gap, when changes went unseen).
    pub touched: Option<Touched>,
    /// The faults of the board.
    pub lens: Lens,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bridge {
    /// The shortest explanation; others of its length play the same moves in another, less likely order.
    Found(Vec<Move>),
    /// Several explanations of the same length that differ: two of them.
    Ambiguous([Vec<Move>; 2]),
    /// No explanation within the limits.
    None,
}

/// Looks for the shortest legal line from `from` to the placement `to` that `weigh` does not rule out. Of several orders of
/// the same moves it takes the one that weighs least.
pub fn bridge(from: &Chess, to: &Placement, limits: Limits, weigh: impl Fn(&[Move]) -> Option<usize>) -> Bridge {
    let mut search = Search {
        to,
        touched: limits.touched,
        positions_left: limits.positions,
        line: Vec::new(),
        found: Vec::new(),
        weigh,
    };
    let lens = limits.lens;
    let hash = lens.shows(from.board()).hash();
    for plies in limits.at_least.max(1)..=limits.plies {
        search.extend(from, lens, hash, plies);
        if search.positions_left == 0 {
            return Bridge::None;
        }
        search.found.sort_by_key(|(weight, _)| *weight); // Stable: of equals the first stays first.
        let Some((_, likeliest)) = search.found.first() else { continue };
        let differs = |line: &Vec<Move>| !limits.any_order || line.iter().any(|mv| !likeliest.contains(mv));
        let other = search.found.iter().skip(1).map(|(_, line)| line).find(|line| differs(line));
        return match other {
            Some(other) => Bridge::Ambiguous([likeliest.clone(), other.clone()]),
            None => Bridge::Found(likeliest.clone()),
        };
    }
    Bridge::None
}

/// Enough explanations to know that there are several.
const EXPLANATIONS_KEPT: usize = 64;

struct Search<'a, W> {
    to: &'a Placement,
    touched: Option<Touched>,
    positions_left: usize,
    line: Vec<Move>,
    found: Vec<(usize, Vec<Move>)>,
    weigh: W,
}

impl<W: Fn(&[Move]) -> Option<usize>> Search<'_, W> {
    fn extend(&mut self, position: &Chess, lens: Lens, hash: u64, plies: usize) {
        let turn = position.turn();
        for mv in position.legal_moves() {
            if self.positions_left == 0 || self.found.len() >= EXPLANATIONS_KEPT {
                return;
            }
            if !self.may_have_been_played(turn, mv) {
                continue;
            }
            self.positions_left -= 1;
            let hash = lens.hash_after(hash, turn, mv);
            self.line.push(mv);
            if plies == 1 {
                if hash == self.to.hash()
                    && let Some(weight) = (self.weigh)(&self.line)
                {
                    self.found.push((weight, self.line.clone()));
                }
            } else if let Ok(next) = position.clone().play(mv)
                && self.within_reach(&next, lens.after(turn, mv), plies - 1)
            {
                self.extend(&next, lens.after(turn, mv), hash, plies - 1);
            }
            self.line.pop();
        }
    }

    fn may_have_been_played(&self, turn: Color, mv: Move) -> bool {
        self.touched.is_none_or(|touched| touched.allows(turn, mv))
    }

    /// Whether `plies` more plies can suffice. A ply brings at most one piece of the mover's colour to its place, castling two.
    fn within_reach(&self, position: &Chess, lens: Lens, plies: usize) -> bool {
        let mut missing = [0usize; 2];
        for square in Square::ALL {
            let wanted = self.to.get(square);
            if let Some(color) = color_of(wanted)
                && !lens.squares().contains(square)
                && position.board().piece_at(square).map(code_of) != Some(wanted)
            {
                missing[usize::from(color == Color::White)] += 1;
            }
        }
        let mover_plies = plies.div_ceil(2);
        let other_plies = plies / 2;
        let (white, black) =
            if position.turn() == Color::White { (mover_plies, other_plies) } else { (other_plies, mover_plies) };
        missing[1] <= white + usize::from(white > 0) && missing[0] <= black + usize::from(black > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::san::San;

    fn after(moves: &str) -> Chess {
        let mut position = Chess::default();
        for san in moves.split_whitespace() {
            let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
        }
        position
    }

    fn free(plies: usize) -> Limits {
        Limits { at_least: 0, plies, positions: 200_000, any_order: true, touched: None, lens: Lens::default() }
    }

    #[test]
    fn six_plies_missed_in_a_gap_are_found() {
        let from = after("e4 e5");
        let to = Placement::from_board(after("e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6").board());
        let Bridge::Found(moves) = bridge(&from, &to, free(6), |_| Some(0)) else { panic!("no bridge") };
        assert_eq!(moves.len(), 6);
        let mut position = from;
        for mv in moves {
            position = position.play(mv).unwrap();
        }
        assert_eq!(Placement::from_board(position.board()), to);
    }

    #[test]
    fn a_pawn_in_the_hand_is_not_explained_by_moves_on_squares_nobody_touched() {
        let from = after("e4 e5");
        let mut to = Placement::from_board(from.board());
        to.set(Square::D2, dgt_protocol::PieceCode::Empty);
        let mut lifted = Touched::NOTHING;
        lifted.add(Square::D2, dgt_protocol::PieceCode::Empty);
        let touched = Some(lifted);
        assert_eq!(bridge(&from, &to, Limits { touched, ..free(4) }, |_| { Some(0) }), Bridge::None);
    }

    #[test]
    fn two_explanations_that_differ_are_not_decided() {
        // Both knights could have taken the pawn that vanished and come back: nothing tells which.
        let from = after("Nf3 d5 Nc3 d4 Nb1 d3");
        let to = Placement::from_board(after("Nf3 d5 Nc3 d4 Nb1 d3 a3").board());
        assert!(matches!(bridge(&from, &to, free(3), |_| Some(0)), Bridge::Found(line) if line.len() == 1));
        let knights: Chess = "4k3/8/8/8/4p3/2N3N1/8/4K3 w - - 0 1"
            .parse::<shakmaty::fen::Fen>()
            .unwrap()
            .into_position(shakmaty::CastlingMode::Standard)
            .unwrap();
        let mut gone = Placement::from_board(knights.board());
        gone.set(Square::E4, dgt_protocol::PieceCode::Empty);
        gone.set(Square::E8, dgt_protocol::PieceCode::Empty);
        gone.set(Square::E7, dgt_protocol::PieceCode::BlackKing);
        assert!(matches!(bridge(&knights, &gone, free(4), |_| Some(0)), Bridge::Ambiguous(_)));
    }
}
