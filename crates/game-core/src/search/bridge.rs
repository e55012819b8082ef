//! The lines that may have been played while the board was out of reach: best first, by a lower bound of the plies that are
//! still missing; lines that come to the same position are one.
//!
//! Knows the rules, one position and what the board shows afterwards. Must not know costs or hypotheses.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Square};

use super::hypothesis::{Change, changes, hash_of, index};
use super::shown::Shown;
use super::weights as w;

/// Hands that may hold a piece: one of each player.
const HANDS: u32 = Color::ALL.len() as u32;

/// What the board shows, and the squares of which that says nothing.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) shown: &'a Shown,
    pub(crate) ignored: Bitboard,
    /// Where pieces were lifted that were in a hand before.
    pub(crate) held: Bitboard,
    /// Where pieces were lifted when the board was in reach again: these were moved last.
    pub(crate) late: Bitboard,
    /// So many plies at most lead there.
    pub(crate) most: usize,
}

/// A line that leads there.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) moves: Vec<Move>,
    /// So many of its first plies are the same in all lines that come to the same position in as many plies.
    pub(crate) sure: usize,
    /// Another line to the same position, if there is one.
    pub(crate) other: Option<Vec<Move>>,
    /// The pieces that were in a hand are those that were moved.
    pub(crate) held: bool,
}

/// A position on the way.
struct Step {
    position: Chess,
    plies: u32,
    /// Which players have moved a piece that was moved last.
    done: [bool; 2],
    /// The positions before it, and the move from each.
    parents: Vec<(usize, Move)>,
}

impl Target<'_> {
    /// The shortest lines from a position to what the board shows, where hands may hold a piece each, and lines of up to two
    /// plies more. Looks at no more positions than `budget` has left.
    pub(crate) fn ways(&self, from: &Chess, budget: &mut u32) -> Vec<Way> {
        if self.late.any() {
            let mut half = budget.div_ceil(2);
            *budget -= half;
            let ways = self.ways_from_hands(from, &mut half);
            *budget += half;
            if !ways.is_empty() {
                return ways;
            }
        }
        Self { late: Bitboard::EMPTY, ..*self }.ways_from_hands(from, budget)
    }

    fn ways_from_hands(&self, from: &Chess, budget: &mut u32) -> Vec<Way> {
        if self.held.is_empty() {
            return self.all_ways(from, budget);
        }
        let mut half = budget.div_ceil(2);
        *budget -= half;
        let mut ways = self.all_ways(from, &mut half);
        *budget += half;
        ways.extend(Self { held: Bitboard::EMPTY, ..*self }.all_ways(from, budget));
        ways
    }

    fn all_ways(&self, from: &Chess, budget: &mut u32) -> Vec<Way> {
        let mut half = budget.div_ceil(2);
        *budget -= half;
        let (mut ways, mut shortest) = self.search(from, self.most as u32, 0, &mut half);
        *budget += half;
        // What is in a hand looks like a captured piece: that leaves more open, and explains it in fewer plies.
        if (self.differs(from.board()) & from.board().occupied() & !self.shown.occupied()).any() {
            shortest = shortest.saturating_sub(if ways.is_empty() { 0 } else { 2 });
            ways.extend(self.search(from, shortest, HANDS, budget).0);
        }
        ways
    }

    /// Lines of at most `limit` plies and the most that was looked for, when `hidden` captured pieces may be in hands.
    fn search(&self, from: &Chess, mut limit: u32, hidden: u32, budget: &mut u32) -> (Vec<Way>, u32) {
        let mut steps = vec![Step { position: from.clone(), plies: 0, done: [false; 2], parents: Vec::new() }];
        let mut known: BTreeMap<(u64, u32, [bool; 2]), usize> = BTreeMap::new();
        let mut queue = BinaryHeap::from([rank(self.missing(from, hidden), 0, 0)]);
        let mut goals: Vec<usize> = Vec::new();
        let mut all_known = true;
        while let Some((Reverse(all), _, at)) = queue.pop() {
            if all > limit || goals.len() >= w::WIDE {
                break;
            }
            let (position, plies, done) = (steps[at].position.clone(), steps[at].plies, steps[at].done);
            let differs = self.differs(position.board());
            if let Some(held) = self.in_hands(from.board(), position.board()) {
                // A piece in a hand may as well be captured: so many plies more say something else of it.
                limit = limit.min(plies + 2 + 2 * held);
                if plies > 0 && (held == 0 || hidden > 0) {
                    goals.push(at);
                }
                if plies > 0 && held == 0 {
                    continue;
                }
            }
            if *budget == 0 {
                all_known = false;
                break;
            }
            if done[index(position.turn())] {
                continue;
            }
            // The first ply of each player.
            let held = self.held & position.us();
            let held = if plies < HANDS { held } else { Bitboard::EMPTY };
            for mv in position.legal_moves() {
                if held.any() && !moved(mv).any(|square| held.contains(square)) {
                    continue;
                }
                let (changed, count) = changes(&position, mv);
                // A ply that changes only squares that agree has to be undone: not searched.
                if !changed[..count].iter().any(|change: &Change| differs.contains(change.square)) {
                    continue;
                }
                *budget = budget.saturating_sub(1);
                let mut next = position.clone();
                next.play_unchecked(mv);
                let all = plies + 1 + self.missing(&next, hidden);
                if all > limit {
                    continue;
                }
                let mut done = done;
                done[index(position.turn())] = moved(mv).any(|square| self.late.contains(square));
                let key = (hash_of(&next), plies + 1, done);
                if let Some(&same) = known.get(&key) {
                    steps[same].parents.push((at, mv));
                    continue;
                }
                let number = steps.len();
                known.insert(key, number);
                steps.push(Step { position: next, plies: plies + 1, done, parents: vec![(at, mv)] });
                queue.push(rank(all, plies + 1, number));
            }
        }
        let common = dominators(&steps);
        let held = self.held.any();
        let ways = goals.into_iter().map(|goal| Way { held, ..way(&steps, &common, goal, all_known) }).collect();
        (ways, limit)
    }

    fn differs(&self, board: &Board) -> Bitboard {
        self.shown.differs(board) & !self.ignored
    }

    /// How many pieces are in the hands of the players, lifted or on their way over other squares, where that is all that differs.
    /// One of those that were captured since `from` may still be on its way off the board.
    fn in_hands(&self, from: &Board, board: &Board) -> Option<u32> {
        let differs = self.differs(board);
        let lifted = differs & board.occupied() & !self.shown.occupied();
        let mut count = lifted.count() as u32;
        let mut held: Vec<Option<Piece>> = lifted.into_iter().map(|square| board.piece_at(square)).collect();
        let mut captured = None;
        for square in differs & self.shown.occupied() {
            let piece = self.shown.piece_at(square);
            if let Some(at) = held.iter().position(|&each| each == piece) {
                held.swap_remove(at);
            } else if captured.is_none() && board.piece_at(square).is_none() {
                captured = piece.filter(|&piece| from.by_piece(piece).count() > board.by_piece(piece).count());
                captured?;
            } else {
                return None;
            }
            // It says where the piece is not: as much as a ply.
            count += 1;
        }
        (lifted.count() as u32 <= HANDS).then_some(count)
    }

    /// A lower bound of the plies that are missing: each puts one piece of its side where it differs, castling two, and captures
    /// one piece of the other side.
    fn missing(&self, from: &Chess, hidden: u32) -> u32 {
        let (shown, board) = (self.shown, from.board());
        let differs = self.differs(board);
        let hidden = hidden + (self.ignored & board.occupied()).count() as u32;
        let men = |squares: Bitboard| squares.count() as u32;
        let needs = |color: Color| {
            let arrivals = (differs & shown.by_color(color)).count() as u32;
            let castles = u32::from(
                from.castles().has_color(color) && !(differs & board.kings() & board.by_color(color)).is_empty(),
            );
            let (had, has) = (men(board.by_color(color.other())), men(shown.by_color(color.other())) + hidden);
            arrivals.saturating_sub(castles).max(had.saturating_sub(has))
        };
        let (mine, theirs) = (needs(from.turn()), needs(from.turn().other()));
        (2 * mine).saturating_sub(1).max(2 * theirs)
    }
}

/// The shortest lines first; of those the ones that are nearest to their end.
fn rank(all: u32, plies: u32, step: usize) -> (Reverse<u32>, u32, usize) {
    (Reverse(all), plies, step)
}

/// For each step the last one before it that all lines to it have.
fn dominators(steps: &[Step]) -> Vec<usize> {
    let mut order: Vec<usize> = (1..steps.len()).collect();
    order.sort_by_key(|&step| steps[step].plies);
    let mut common = vec![0; steps.len()];
    for step in order {
        let meet = |mut a: usize, mut b: usize| {
            while a != b {
                if steps[a].plies >= steps[b].plies { a = common[a] } else { b = common[b] }
            }
            a
        };
        common[step] = steps[step].parents.iter().map(|&(parent, _)| parent).reduce(meet).unwrap_or(0);
    }
    common
}

/// The moves that lead to a step, through the second way to `turn`.
fn path(steps: &[Step], goal: usize, turn: Option<usize>) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut at = goal;
    loop {
        let step = &steps[at];
        let parent = if Some(at) == turn { step.parents.get(1) } else { step.parents.first() };
        let Some(&(parent, mv)) = parent else { break };
        moves.push(mv);
        at = parent;
    }
    moves.reverse();
    moves
}

fn way(steps: &[Step], common: &[usize], goal: usize, all_known: bool) -> Way {
    let moves = path(steps, goal, None);
    // The last place where two lines meet.
    let mut turn = goal;
    while let [(parent, _)] = steps[turn].parents[..] {
        turn = parent;
    }
    let other = (turn != 0).then(|| path(steps, goal, Some(turn)));
    // Sure is what all lines have from the beginning on.
    let mut sure = steps[goal].plies;
    let mut at = goal;
    while at != 0 {
        let before = common[at];
        if steps[before].plies + 1 < steps[at].plies {
            sure = steps[before].plies;
        }
        at = before;
    }
    Way { moves, sure: if all_known { sure as usize } else { 0 }, other, held: false }
}

/// The squares from which a move takes pieces of its side.
fn moved(mv: Move) -> impl Iterator<Item = Square> {
    let rook = if let Move::Castle { rook, .. } = mv { Some(rook) } else { None };
    mv.from().into_iter().chain(rook)
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
        ways_to(from, to.board())
    }

    fn target(shown: &Shown) -> Target<'_> {
        let none = Bitboard::EMPTY;
        Target { shown, ignored: none, held: none, late: none, most: w::STRETCH }
    }

    fn ways_to(from: &Chess, board: &Board) -> Vec<Way> {
        let shown = Shown::new(board);
        target(&shown).ways(from, &mut 20_000)
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

    #[test]
    fn a_piece_that_was_in_a_hand_says_which_order_was_played() {
        let (before, after) = (after("e2e4 e7e5"), after("e2e4 e7e5 g1f3 b8c6 f1c4"));
        let shown = Shown::new(after.board());
        let held = Bitboard::from_square(Square::F1);
        let found = Target { held, ..target(&shown) }.ways(&before, &mut 20_000);
        let first = |way: &&Way| way.held && way.moves.len() == 3;
        let way = found.iter().find(first).unwrap();
        assert_eq!((way.moves[0].from(), way.sure), (Some(Square::F1), 3));
        assert!(found.iter().any(|way| !way.held), "it may have been put back");
    }

    #[test]
    fn a_piece_that_left_its_square_since_the_board_is_back_was_moved_last() {
        let (before, after) = (after("e2e4 e7e5"), after("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3"));
        let shown = Shown::new(after.board());
        let late = Bitboard::from_iter([Square::G1, Square::B8]);
        let found = Target { late, ..target(&shown) }.ways(&before, &mut 20_000);
        let lines = found.iter().filter(|way| way.moves.len() == 5);
        let last: Vec<_> = lines.map(|way| [3, 4].map(|ply| way.moves[ply].from().unwrap())).collect();
        assert!(!last.is_empty() && last.iter().all(|last| *last == [Square::B8, Square::G1]), "{last:?}");
    }

    #[test]
    fn a_captured_piece_may_still_be_on_its_way_off_the_board() {
        let before = after("e2e4 d7d5");
        let line = after("e2e4 d7d5 e4d5 d8d5");
        let mut shown = line.board().clone();
        let pawn = before.board().piece_at(Square::E4).unwrap();
        shown.set_piece_at(Square::H5, pawn);
        assert!(ways_to(&before, &shown).iter().any(|way| way.moves.len() == 2 && way.sure == 2));
        // No rook was captured.
        shown.set_piece_at(Square::H5, before.board().piece_at(Square::A1).unwrap());
        assert!(ways_to(&before, &shown).is_empty());
    }
}
