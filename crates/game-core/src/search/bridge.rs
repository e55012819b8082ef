//! The lines that may have been played while the board was out of reach: best first, by a lower bound of the plies that are
//! still missing; lines that come to the same position are one.
//!
//! Knows the rules, one position and what the board shows afterwards. Must not know costs or hypotheses.

use std::collections::{BTreeMap, BinaryHeap};

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Move, Piece, Position, Role};

use super::hypothesis::{Change, changes};
use super::shown::{Shown, difference};
use super::weights as w;

/// What the board shows, and the squares of which that says nothing.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) shown: &'a Shown,
    pub(crate) ignored: Bitboard,
}

/// A line that leads there.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) moves: Vec<Move>,
    /// So many of its first plies are the same in all lines that come to the same position in as many plies.
    pub(crate) sure: usize,
}

/// A position on the way.
struct Step {
    position: Chess,
    parent: usize,
    mv: Option<Move>,
    plies: u32,
    /// The last step that all lines have that come here.
    common: usize,
}

/// The board, the castling rights with the en passant square, and the plies made so far.
type Key = ([u64; 8], u32);

impl Target<'_> {
    /// The shortest lines from a position to what the board shows, where hands may hold a piece each, and lines of up to two
    /// plies more. Expands no more positions than `budget` has left.
    pub(crate) fn ways(&self, from: &Chess, budget: &mut u32) -> Vec<Way> {
        let mut steps = vec![Step { position: from.clone(), parent: 0, mv: None, plies: 0, common: 0 }];
        let mut known: BTreeMap<Key, usize> = BTreeMap::new();
        let mut queue = BinaryHeap::new();
        queue.push(rank(self.missing(from), 0, 0));
        let mut goals: Vec<usize> = Vec::new();
        let mut limit = w::GAP_PLIES;
        while let Some((std::cmp::Reverse(all), _, std::cmp::Reverse(at))) = queue.pop() {
            if all > limit || goals.len() >= w::GAP_LINES {
                break;
            }
            let (position, plies) = (steps[at].position.clone(), steps[at].plies);
            let differs = self.differs(position.board());
            if let Some(held) = self.in_hands(position.board()) {
                // A piece in a hand may as well be captured: so many plies more say something else of it.
                limit = limit.min(plies + 2 + 2 * held);
                if plies > 0 {
                    goals.push(at);
                }
                if plies > 0 && held == 0 {
                    continue;
                }
            }
            let Some(left) = budget.checked_sub(1) else { break };
            *budget = left;
            for mv in position.legal_moves() {
                let (changed, count) = changes(&position, mv);
                // A ply that changes only squares that agree has to be undone: not searched.
                if !changed[..count].iter().any(|change: &Change| differs.contains(change.square)) {
                    continue;
                }
                let mut next = position.clone();
                next.play_unchecked(mv);
                let missing = self.missing(&next);
                if plies + 1 + missing > limit {
                    continue;
                }
                let key = key(&next, plies + 1);
                if let Some(&same) = known.get(&key) {
                    steps[same].common = common(&steps, steps[same].common, at);
                    continue;
                }
                let number = steps.len();
                known.insert(key, number);
                steps.push(Step { position: next, parent: at, mv: Some(mv), plies: plies + 1, common: number });
                queue.push(rank(plies + 1 + missing, plies + 1, number));
            }
        }
        goals.into_iter().map(|goal| way(&steps, goal)).collect()
    }

    fn differs(&self, board: &Board) -> Bitboard {
        (difference(board, self.shown.board()) | self.shown.odd()) & !self.ignored
    }

    /// How many pieces are in the hands of the players, lifted or on their way over other squares, where that is all that differs.
    fn in_hands(&self, board: &Board) -> Option<u32> {
        let differs = self.differs(board);
        let lifted = differs & board.occupied() & !self.shown.occupied();
        let mut count = lifted.count() as u32;
        let mut held: Vec<Option<Piece>> = lifted.into_iter().map(|square| board.piece_at(square)).collect();
        for square in differs & self.shown.occupied() {
            let piece = self.shown.board().piece_at(square);
            let at = held.iter().position(|&each| each == piece)?;
            held.swap_remove(at);
            // It says where the piece is not: as much as a ply.
            count += 1;
        }
        (lifted.count() <= w::IN_HANDS).then_some(count)
    }

    /// A lower bound of the plies that are missing: each puts one piece of its side where it differs, castling two, and captures
    /// one piece of the other side.
    fn missing(&self, from: &Chess) -> u32 {
        let (shown, board) = (self.shown.board(), from.board());
        let differs = self.differs(board);
        let men = |board: &Board, color: Color| board.by_color(color).count() as u32;
        let needs = |color: Color| {
            let arrivals = (differs & shown.by_color(color)).count() as u32;
            let castles = u32::from(from.castles().has_color(color));
            let hidden = (self.ignored & board.occupied()).count() as u32 + w::IN_HANDS as u32;
            let (had, has) = (men(board, color.other()), men(shown, color.other()) + hidden);
            arrivals.saturating_sub(castles).max(had.saturating_sub(has))
        };
        let (mine, theirs) = (needs(from.turn()), needs(from.turn().other()));
        (2 * mine).saturating_sub(1).max(2 * theirs)
    }
}

/// Shorter lines first; of those the ones with fewer plies made, so that all lines to a position are known when it is expanded.
fn rank(
    all: u32,
    plies: u32,
    step: usize,
) -> (std::cmp::Reverse<u32>, std::cmp::Reverse<u32>, std::cmp::Reverse<usize>) {
    (std::cmp::Reverse(all), std::cmp::Reverse(plies), std::cmp::Reverse(step))
}

fn key(position: &Chess, plies: u32) -> Key {
    let board = position.board();
    let mut key = [0; 8];
    for (slot, role) in key.iter_mut().zip(Role::ALL) {
        *slot = u64::from(board.by_role(role));
    }
    key[6] = u64::from(board.white());
    let en_passant = position.ep_square(EnPassantMode::Legal).map_or(0, |square| 1u64 << u32::from(square));
    key[7] = u64::from(position.castles().castling_rights()) ^ en_passant;
    (key, plies)
}

/// The last step that two steps have in common.
fn common(steps: &[Step], mut a: usize, mut b: usize) -> usize {
    let up = |step: usize| if steps[step].common == step { steps[step].parent } else { steps[step].common };
    while a != b {
        if steps[a].plies >= steps[b].plies { a = up(a) } else { b = up(b) }
    }
    a
}

fn way(steps: &[Step], goal: usize) -> Way {
    let mut moves = Vec::new();
    let (mut at, mut sure) = (goal, steps[goal].plies);
    while let Some(mv) = steps[at].mv {
        moves.push(mv);
        // What comes after a position is as sure as the position; what leads there only as far as all lines have it.
        if steps[at].common != at {
            sure = sure.min(steps[steps[at].common].plies);
        }
        at = steps[at].parent;
    }
    moves.reverse();
    Way { moves, sure: sure as usize }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::uci::UciMove;

    fn after(moves: &str) -> Chess {
        moves.split_whitespace().fold(Chess::default(), |position, uci| {
            let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play(mv).unwrap()
        })
    }

    fn ways(from: &Chess, to: &Chess) -> Vec<Way> {
        let shown = Shown::new(to.board().clone());
        Target { shown: &shown, ignored: Bitboard::EMPTY }.ways(from, &mut 3_000)
    }

    #[test]
    fn the_only_line_is_found_whole() {
        let found = ways(&after(""), &after("e2e4 d7d5 e4d5 d8d5"));
        assert!(found.iter().any(|way| way.moves.len() == 4 && way.sure == 4), "{found:?}");
    }

    #[test]
    fn lines_in_either_order_are_one_that_is_not_sure() {
        let found = ways(&after("e2e4 e7e5"), &after("e2e4 e7e5 g1f3 b8c6 f1c4"));
        let way = found.iter().find(|way| way.moves.len() == 3).unwrap();
        assert_eq!(way.sure, 0);
    }

    #[test]
    fn eight_plies_with_exchanges_on_one_square_are_found() {
        let before = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 d7d6";
        let line = " b1c3 c8g4 h2h3 g4f3 d1f3 d8d7 c1g5 f8e7";
        let found = ways(&after(before), &after(&format!("{before}{line}")));
        assert!(found.iter().any(|way| way.moves.len() == 8), "{}", found.len());
    }
}
