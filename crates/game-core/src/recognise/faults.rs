//! Looks for board faults that would explain the board: dead squares, misread pieces, ghosts, crosstalk.
//!
//! A fault found here is only a suspicion; `hypotheses` decides.

use dgt_protocol::PieceCode;
use shakmaty::{Bitboard, Chess, Move, Position, Role, Square};

use super::constraints::passes_stable;
use super::hypotheses::{Basis, Hypothesis};
use super::{Recogniser, SCAN_MS, SEARCH_PLIES};
use crate::board_faults::{BoardFaults, castling_targets, squares_of};
use crate::event::Evidence;
use crate::line::Line;
use crate::line_search::{SearchLimits, SearchResult, find_line};
use crate::placement::{Placement, code_of};
use crate::play::Play;
use crate::time::Timestamp;

/// Most hypotheses followed at once: the number of moves of a queen.
const FOLLOWED: usize = 28;
/// Fewest plies searched for each suspected fault; each press since then allows one more.
const SUSPECTED_PLIES: usize = 2;
/// Most positions examined for each suspected fault.
const SUSPECTED_POSITIONS: usize = 2_000;

impl Recogniser {
    /// Looks for faults of the board that would explain it: a move to a square that never reported a piece, a piece that is
    /// not seen where it stands or still seen where it was lifted, or one that reads as another.
    pub(super) fn suspect_faults(&mut self, now: Timestamp) {
        self.hypotheses.retain(|hypothesis| !hypothesis.missed_a_move());
        let Some(play) = self.play.as_ref().filter(|_| !self.speculative && self.hypotheses.is_empty()) else { return };
        if play.gap && !play.candidates.is_empty() {
            // Several lines explain what the board showed after the gap without any fault.
            return;
        }
        let (head, slid_over) = self.position_before_fault(play);
        let (from, faults) = (play.line.position(head), play.line.faults_at(head));
        let limits = self.limits((play.presses + 1).clamp(SUSPECTED_PLIES, SEARCH_PLIES), play);
        let limits = SearchLimits { positions: SUSPECTED_POSITIONS, ..limits };
        let mut found: Vec<(BoardFaults, Vec<Move>)> = Vec::new();
        let taken = play.line.move_at(head).and_then(Move::capture).map(|role| code_of(role.of(from.turn())));
        for suspected in self.suspects(from, faults, taken) {
            let mut touched = self.touched;
            for square in slid_over {
                touched.add_all(square);
            }
            for square in suspected.squares() | suspected.misread().next().map_or(Bitboard::EMPTY, |_| Bitboard::FULL) {
                touched.add_all(square);
            }
            let limits = SearchLimits { touched: limits.touched.map(|_| touched), faults: suspected, ..limits };
            let placement = self.placement.without(suspected.dead);
            let seen = find_line(from, &placement, limits, |moves| {
                self.weigh(play, from, suspected, moves).filter(|_| passes_stable(&play.stable, from, suspected, moves))
            });
            if let SearchResult::Found(moves) = seen
                && !self.shows_after(play, head, &moves)
            {
                found.push((suspected, moves));
            }
        }
        if found.len() > FOLLOWED {
            return;
        }
        let press = play.press;
        let start = Line::with_faults(faults, from.clone(), play.line.variant());
        if !found.is_empty()
            && let Some(play) = &mut self.play
        {
            // What was on its way is no move until the board tells which.
            play.truncate(head);
        }
        for (suspected, moves) in found {
            let mut line = start.clone();
            line.set_faults(suspected);
            let mut view = self.view(now, suspected, line, false);
            view.ghost = (suspected.dead & !faults.dead & self.placement.occupied())
                .first()
                .map(|square| (square, self.placement.get(square)));
            view.suspected_dead = suspected.dead & !faults.dead & !self.working;
            view.follow(now, &moves, Evidence::Dump);
            if let Some((side, at)) = press
                && let Some(play) = &mut view.play
            {
                play.press = Some((side, at));
                view.use_press(now);
            }
            self.hypotheses.push(Hypothesis::new(Basis::Ply(head), suspected, view));
        }
    }

    /// Whether the board, as it is believed to be, shows the position after a ply and some moves: then no other fault is to be seen.
    fn shows_after(&self, play: &Play, start: usize, moves: &[Move]) -> bool {
        let from = play.line.position(start).clone();
        let mut line = Line::with_faults(play.line.faults_at(start), from, play.line.variant());
        moves.iter().all(|&mv| line.push(mv)) && line.head_placement() == self.placement
    }

    /// The ply after which nothing explains the board. A move that is not certain and whose piece has gone from its square
    /// again, or has been seen on another since, was on the way there, as was a rook beside which its king has come; and one that lit up
    /// two squares may have gone to the other: then it is the one before, and the squares of that move.
    fn position_before_fault(&self, play: &Play) -> (usize, Bitboard) {
        let head = play.line.plies();
        let after = play.line.head_placement();
        let arrived = self.arrived(&after);
        let alternative = |mv: &Move| {
            let (seen, piece) = (self.placement.get(mv.to()), after.get(mv.to()));
            let elsewhere = || arrived.into_iter().any(|square| self.placement.get(square) == piece);
            let gone = seen == PieceCode::Empty || seen != piece && elsewhere();
            let lights_up =
                crosstalk_neighbours(&self.placement, mv.to()).any(|beside| self.changed_in_one_scan(mv.to(), beside));
            !mv.is_castle() && (gone || lights_up || self.was_seen_later(mv.to(), arrived) || self.castles(play, *mv))
        };
        let Some(mv) = play.line.move_at(head).filter(|mv| head > play.confirmed && alternative(mv)) else {
            return (head, Bitboard::EMPTY);
        };
        let turn = play.line.position(head - 1).turn();
        (head - 1, squares_of(turn, mv).into_iter().flatten().collect())
    }

    /// Whether the last move brings a rook to where it castles, and its king has come there too.
    fn castles(&self, play: &Play, last: Move) -> bool {
        let color = !play.line.head().turn();
        let king_there = |square| self.placement.get(square) == code_of(Role::King.of(color));
        play.line.alternatives().any(|other| match other {
            Move::Castle { king, rook } => {
                let (king_to, rook_to) = castling_targets(color, king, rook);
                last.from() == Some(rook) && last.to() == rook_to && king_there(king_to)
            }
            _ => false,
        })
    }

    /// The faults that could explain what differs from a position after one more move, or two. `taken`: the piece that the last
    /// move took.
    fn suspects(&self, from: &Chess, faults: BoardFaults, taken: Option<PieceCode>) -> Vec<BoardFaults> {
        let (turn, shown) = (from.turn(), faults.shows(from.board()));
        let moves = from.legal_moves();
        let silent = |square: &Square| !self.working.contains(*square) && !faults.dead.contains(*square);
        let goals: Bitboard = moves.iter().flat_map(|&mv| squares_of(turn, mv)).flatten().filter(silent).collect();
        // Or a piece stands so badly that it is not seen any more.
        let different: Bitboard = self.placement.difference(&shown).into_iter().collect();
        let unseen = different & shown.occupied() & !self.placement.occupied();
        let sticking = self.ghost_squares(from, &shown, taken);
        let mut suspects: Vec<BoardFaults> =
            (goals | unseen | sticking).into_iter().map(|square| faults.with_dead(faults.dead | square)).collect();
        // Two squares that light up together: the same piece is seen on both.
        for square in sticking | different & self.placement.occupied() {
            let beside = crosstalk_neighbours(&self.placement, square);
            let beside = beside.filter(|&beside| {
                // It lights up when the other does, or when its own piece leaves it.
                let left = shown.get(square) != PieceCode::Empty;
                left || !different.contains(beside) || self.changed_in_one_scan(square, beside)
            });
            suspects.extend(beside.map(|beside| faults.with_crosstalk(Some((beside, square)))));
        }
        // A piece that reads as another: where a square shows what stood nowhere near it.
        for square in different & self.placement.occupied() {
            let seen = self.placement.get(square);
            let arriving = moves.iter().filter(|mv| mv.to() == square).filter_map(|mv| mv.from());
            let stayed = (shown.get(square) != PieceCode::Empty).then_some(square);
            for piece in arriving.chain(stayed) {
                let plausible = shown.get(piece) != seen && self.placement.get(piece) != shown.get(piece);
                if plausible {
                    suspects.extend(faults.with_misread(piece, seen));
                }
            }
        }
        suspects
    }

    /// Where a piece may still be seen although it has gone: on a square that the next move leaves, that it passed on its way
    /// to one on which the same piece was seen later, or over which it went when it was taken.
    fn ghost_squares(&self, from: &Chess, shown: &Placement, taken: Option<PieceCode>) -> Bitboard {
        let arrived = self.arrived(shown);
        // It was seen there before the next hand came.
        let first = self.placement.difference(shown).into_iter().map(|square| self.changed_at[square.to_usize()]).min();
        let came_first = |square: Square| Some(self.changed_at[square.to_usize()]) == first;
        let aside = |square: Square| Some(self.placement.get(square)) == taken && came_first(square);
        let passed = arrived.into_iter().filter(|&square| self.was_seen_later(square, arrived) || aside(square));
        let still = |square: &Square| {
            let seen = self.placement.get(*square);
            seen != PieceCode::Empty && seen == shown.get(*square)
        };
        let mut sticking: Bitboard = passed.collect();
        for mv in from.legal_moves() {
            let Ok(after) = from.clone().play(mv) else { continue };
            let after = Placement::from_board(after.board());
            let squares: Bitboard = squares_of(from.turn(), mv).into_iter().flatten().collect();
            let goals = squares & arrived;
            if goals.is_empty() || goals.into_iter().any(|square| self.placement.get(square) != after.get(square)) {
                continue;
            }
            sticking |= (squares & !goals).into_iter().filter(still).collect::<Bitboard>();
            let taken = mv.capture().map(|role| code_of(role.of(!from.turn())));
            sticking |= (arrived & !goals)
                .into_iter()
                .filter(|&at| Some(self.placement.get(at)) == taken)
                .collect::<Bitboard>();
        }
        sticking
    }

    /// The squares with a piece that is not there in a position.
    fn arrived(&self, shown: &Placement) -> Bitboard {
        let different: Bitboard = self.placement.difference(shown).into_iter().collect();
        different & self.placement.occupied()
    }

    /// Whether two squares changed within one scan of the board.
    fn changed_in_one_scan(&self, one: Square, other: Square) -> bool {
        let [one, other] = [one, other].map(|square| self.changed_at[square.to_usize()]);
        one.since(other).max(other.since(one)) <= SCAN_MS
    }

    /// Whether the piece that is seen on a square was seen on one of these later.
    fn was_seen_later(&self, square: Square, arrived: Bitboard) -> bool {
        let (seen, since) = (self.placement.get(square), self.changed_at[square.to_usize()]);
        arrived.into_iter().any(|other| self.placement.get(other) == seen && self.changed_at[other.to_usize()] > since)
    }

    /// Whether there is a fault that may be over. A hypothesis is not given up for another.
    fn has_temporary_fault(&self, play: &Play) -> bool {
        let faults = play.line.faults();
        faults.misread().next().is_some() || faults.crosstalk().is_some() && !self.speculative
    }

    /// A piece that read as another may be read rightly where it goes, or be exchanged for a good one. Whether the board is
    /// explained without that fault, which is then forgotten.
    pub(super) fn fault_has_passed(&mut self, now: Timestamp) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| self.has_temporary_fault(play)) else {
            return false;
        };
        let from = play.line.head();
        let faults = BoardFaults::dead(play.line.faults().dead);
        let moves = if faults.shows(from.board()) == self.placement {
            Vec::new()
        } else {
            let limits = SearchLimits { faults, ..self.limits(2, play) };
            match find_line(from, &self.placement, limits, |moves| self.weigh(play, from, faults, moves)) {
                SearchResult::Found(moves) => moves,
                SearchResult::Ambiguous(_) | SearchResult::None => return false,
            }
        };
        if let Some(play) = &mut self.play {
            play.line.set_faults(faults);
        }
        if self.crosstalk.take().is_some() {
            self.expect_start(self.start.0.clone(), self.start.1);
        }
        self.follow(now, &moves, Evidence::Dump);
        true
    }
}

/// The squares beside one on which the same piece is seen as there.
pub(super) fn crosstalk_neighbours(placement: &Placement, square: Square) -> impl Iterator<Item = Square> {
    let seen = placement.get(square);
    let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        .map(|(file, rank)| Some(Square::from_coords(square.file().offset(file)?, square.rank().offset(rank)?)));
    let shown = *placement;
    beside.into_iter().flatten().filter(move |&beside| seen != PieceCode::Empty && shown.get(beside) == seen)
}
