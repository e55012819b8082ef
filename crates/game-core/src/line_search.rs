//! Searches for the legal moves from a position to a placement several plies away.
//!
//! Needed when moves come faster than the board reports, or after a gap. Works within a bound on positions and never chooses
//! between different explanations. Must not know time.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role};

use crate::board_faults::BoardFaults;
use crate::placement::Placement;
use crate::touched::Touched;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimits {
    /// Fewest plies: each press of the clock ends one.
    pub(crate) at_least: usize,
    /// Most plies of an explanation.
    pub(crate) plies: usize,
    /// Most positions examined before the search gives up.
    pub(crate) positions: usize,
    /// Whether one of several orders of the same moves is enough; otherwise different orders are different explanations.
    pub(crate) any_order: bool,
    /// The pieces reported on each square; only moves that agree with them are considered. Without them every legal move is,
    /// as after a gap.
    pub(crate) touched: Option<Touched>,
    /// The faults of the board.
    pub(crate) faults: BoardFaults,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SearchResult {
    /// The shortest line. Other lines of its length play the same moves in a less likely order.
    Found(Vec<Move>),
    /// Two of several different lines of the same, shortest length.
    Ambiguous([Vec<Move>; 2]),
    /// No line within the limits.
    None,
}

/// Finds the shortest legal line from `from` to the placement `to`. `weigh` rejects a line (none) or weighs it; among
/// several orders of the same moves the one with the least weight is taken.
pub(crate) fn find_line(
    from: &Chess,
    to: &Placement,
    limits: SearchLimits,
    weigh: impl Fn(&[Move]) -> Option<usize>,
) -> SearchResult {
    let mut search = search(to, limits, weigh);
    let faults = limits.faults;
    let hash = faults.shows(from.board()).hash();
    for plies in limits.at_least.max(1)..=limits.plies {
        if search.within_reach(from, faults, plies) {
            search.extend(from, faults, hash, plies);
        }
        if search.positions_left == 0 {
            return SearchResult::None;
        }
        search.found.sort_by_key(|(weight, _)| *weight); // Stable: of equals the first stays first.
        let Some((_, likeliest)) = search.found.first() else { continue };
        let differs = |line: &Vec<Move>| !limits.any_order || line.iter().any(|mv| !likeliest.contains(mv));
        let other = search.found.iter().skip(1).map(|(_, line)| line).find(|line| differs(line));
        return match other {
            Some(other) => SearchResult::Ambiguous([likeliest.clone(), other.clone()]),
            None => SearchResult::Found(likeliest.clone()),
        };
    }
    SearchResult::None
}

fn search<W: Fn(&[Move]) -> Option<usize>>(to: &Placement, limits: SearchLimits, weigh: W) -> Search<W> {
    Search {
        there: to.board(),
        to_hash: to.hash(),
        touched: limits.touched,
        positions_left: limits.positions,
        line: Vec::new(),
        found: Vec::new(),
        weigh,
    }
}

/// Lines kept: enough to know that there are several.
const EXPLANATIONS_KEPT: usize = 64;

struct Search<W> {
    there: Board,
    to_hash: u64,
    touched: Option<Touched>,
    positions_left: usize,
    line: Vec<Move>,
    found: Vec<(usize, Vec<Move>)>,
    weigh: W,
}

impl<W: Fn(&[Move]) -> Option<usize>> Search<W> {
    fn extend(&mut self, position: &Chess, faults: BoardFaults, hash: u64, plies: usize) {
        let turn = position.turn();
        for mv in position.legal_moves() {
            if self.positions_left == 0 || self.found.len() >= EXPLANATIONS_KEPT {
                return;
            }
            if !self.may_have_been_played(turn, mv) {
                continue;
            }
            self.positions_left -= 1;
            let hash = faults.hash_after(hash, position, mv);
            self.line.push(mv);
            if plies == 1 {
                if hash == self.to_hash
                    && let Some(weight) = (self.weigh)(&self.line)
                {
                    self.found.push((weight, self.line.clone()));
                }
            } else {
                let (mut next, faults) = (position.clone(), faults.after(turn, mv));
                next.play_unchecked(mv);
                if self.within_reach(&next, faults, plies - 1) {
                    self.extend(&next, faults, hash, plies - 1);
                }
            }
            self.line.pop();
        }
    }

    fn may_have_been_played(&self, turn: Color, mv: Move) -> bool {
        self.touched.is_none_or(|touched| touched.allows(turn, mv))
    }

    /// Whether the placement may be reached in this number of plies. Never false for a position from which it can be.
    fn within_reach(&self, position: &Chess, faults: BoardFaults, plies: usize) -> bool {
        let (board, unseen) = (position.board(), faults.squares());
        let count = |squares: Bitboard| (squares & !unseen).count();
        let mut differing = Bitboard::EMPTY;
        let mut castlings = 0;
        for color in Color::ALL {
            let (stand, wanted) = (board.by_color(color), self.there.by_color(color));
            let mut missing = Bitboard::EMPTY;
            for role in Role::ALL {
                let (stand, wanted) = (stand & board.by_role(role), wanted & self.there.by_role(role));
                missing |= wanted & !stand;
                differing |= wanted ^ stand;
            }
            let own = if color == position.turn() { plies.div_ceil(2) } else { plies / 2 };
            let castling = usize::from(own > 0 && position.castles().has_color(color));
            castlings += castling;
            // A ply moves one piece of its colour to its place (castling two) and captures at most one of the other colour.
            // Squares with a fault may hide further pieces.
            let pawn = board.by_role(Role::Pawn) & stand;
            let wanted_pawns = self.there.by_role(Role::Pawn) & wanted;
            if count(missing) > own + castling
                || count(stand) > count(wanted) + (plies - own) + unseen.count()
                || count(wanted) > count(stand) + unseen.count()
                || count(wanted_pawns) > count(pawn) + unseen.count()
            {
                return false;
            }
        }
        // A ply changes two squares, castling four, en passant three; en passant takes two plies.
        count(differing) <= 2 * plies + 2 * castlings + plies.div_ceil(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_sim::random::{self, Theme};
    use shakmaty::{Square, san::San};

    fn after(moves: &str) -> Chess {
        let mut position = Chess::default();
        for san in moves.split_whitespace() {
            let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
        }
        position
    }

    fn free(plies: usize) -> SearchLimits {
        SearchLimits {
            at_least: 0,
            plies,
            positions: 200_000,
            any_order: true,
            touched: None,
            faults: BoardFaults::default(),
        }
    }

    #[test]
    fn six_plies_missed_in_a_gap_are_found() {
        let from = after("e4 e5");
        let to = Placement::from_board(after("e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6").board());
        let SearchResult::Found(moves) = find_line(&from, &to, free(6), |_| Some(0)) else { panic!("no bridge") };
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
        assert_eq!(find_line(&from, &to, SearchLimits { touched, ..free(4) }, |_| { Some(0) }), SearchResult::None);
    }

    #[test]
    fn no_line_that_leads_there_is_out_of_reach() {
        for seed in 0..60 {
            let theme = Theme::ALL[seed as usize % Theme::ALL.len()];
            let faults = [BoardFaults::default(), BoardFaults::dead(Square::new(seed as u32).into())];
            for faults in faults {
                let mut line = vec![(Chess::default(), faults)];
                for mv in random::play(theme, seed).moves {
                    let (before, faults) = line.last().expect("it begins somewhere");
                    line.push((before.clone().play(mv).expect("legal"), faults.after(before.turn(), mv)));
                }
                for there in 0..line.len() {
                    let (position, faults) = &line[there];
                    let shown = faults.shows(position.board());
                    for plies in 0..=there.min(8) {
                        let search = search(&shown, free(plies), |_: &[Move]| Some(0));
                        let (from, faults) = &line[there - plies];
                        assert!(search.within_reach(from, *faults, plies), "seed {seed}, ply {there}, {plies} plies");
                    }
                }
            }
        }
    }

    #[test]
    fn two_explanations_that_differ_are_not_decided() {
        // Both knights could have taken the pawn that vanished and come back: nothing tells which.
        let from = after("Nf3 d5 Nc3 d4 Nb1 d3");
        let to = Placement::from_board(after("Nf3 d5 Nc3 d4 Nb1 d3 a3").board());
        assert!(matches!(find_line(&from, &to, free(3), |_| Some(0)), SearchResult::Found(line) if line.len() == 1));
        let knights: Chess = "4k3/8/8/8/4p3/2N3N1/8/4K3 w - - 0 1"
            .parse::<shakmaty::fen::Fen>()
            .unwrap()
            .into_position(shakmaty::CastlingMode::Standard)
            .unwrap();
        let mut gone = Placement::from_board(knights.board());
        gone.set(Square::E4, dgt_protocol::PieceCode::Empty);
        gone.set(Square::E8, dgt_protocol::PieceCode::Empty);
        gone.set(Square::E7, dgt_protocol::PieceCode::BlackKing);
        assert!(matches!(find_line(&knights, &gone, free(4), |_| Some(0)), SearchResult::Ambiguous(_)));
    }
}
