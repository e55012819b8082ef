//! How much of a game the bytes of a board with a fault decide: a dead square, crosstalk of two squares, or a ghost (a lifted
//! piece that is still reported).
//!
//! Knows the rules and what was played. Follows every game that shows the same at every press: where these differ, the bytes cannot
//! tell which one was played. Knows nothing of sessions.

use board_sim::defects::Defect;
use board_sim::plan::Plan;
use shakmaty::{Board, Chess, Color, Move, Position, Square};

use crate::case::{Case, Operator};
use crate::made_ply::MadePly;

/// A fault of the board is believed when a move of each player bears it out.
const BORNE_OUT_PLIES: usize = 2;

/// A lasting fault of a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BoardFault {
    /// The square is always reported empty.
    Dead(Square),
    /// The piece on the first square is also reported on the second one while that is empty.
    Crosstalk(Square, Square),
}

impl BoardFault {
    /// The pieces that the board reports of these. Written here again, so that an error in the session's own model of faults
    /// is not expected of it.
    fn shows(self, pieces: &Board) -> Board {
        let mut shown = pieces.clone();
        match self {
            BoardFault::Dead(square) => shown.discard_piece_at(square),
            BoardFault::Crosstalk(square, beside) => {
                if let (Some(piece), None) = (pieces.piece_at(square), pieces.piece_at(beside)) {
                    shown.set_piece_at(beside, piece);
                }
            }
        }
        shown
    }

    fn is_crosstalk(self) -> bool {
        matches!(self, BoardFault::Crosstalk(..))
    }
}

/// The fault of a board, and what is known of it from game to game.
#[derive(Clone)]
pub(crate) struct Fault {
    fault: BoardFault,
    /// Faults that it may be.
    suspects: Vec<BoardFault>,
}

/// A game that would show the same.
struct Seen {
    fault: BoardFault,
    moves: Vec<Move>,
    position: Chess,
}

impl Fault {
    /// The fault of a case, if it has one that lasts.
    pub(crate) fn of(case: &Case) -> Option<Self> {
        let square = case.defect_square();
        match case.defect {
            Defect::DeadSquare if case.operator == Operator::DeclaresBlind => {
                let fault = BoardFault::Dead(square);
                Some(Self { fault, suspects: vec![fault] })
            }
            Defect::DeadSquare => {
                let suspects = Square::ALL.into_iter().map(BoardFault::Dead).collect();
                Some(Self { fault: BoardFault::Dead(square), suspects })
            }
            Defect::Crosstalk => {
                // Which of the two it is that lights up with the other is seen when one of them is left alone.
                let beside = case.square_beside();
                let fault = BoardFault::Crosstalk(square, beside);
                Some(Self { fault, suspects: vec![fault, BoardFault::Crosstalk(beside, square)] })
            }
            _ => None,
        }
    }

    /// How many of the plies that were played can be known.
    pub(crate) fn decided(&mut self, plan: &Plan, made: &[MadePly]) -> usize {
        let (start, fault, plies) = (&plan.start, self.fault, made.len());
        let alike = |suspect: &&BoardFault| suspect.shows(start.board()) == fault.shows(start.board());
        let began = |&fault: &BoardFault| Seen { fault, moves: Vec::new(), position: start.clone() };
        let mut games: Vec<Seen> = self.suspects.iter().filter(alike).map(began).collect();
        let mut position = start.clone();
        let mut first_hidden = None;
        for (index, (ply, made)) in plan.plies.iter().zip(made).enumerate() {
            if first_hidden.is_none() && fault.is_crosstalk() {
                // It may have begun only now: what was seen before decides nothing.
                let moves: Vec<Move> = plan.plies.iter().take(index).map(|ply| ply.m).collect();
                let until = |&fault: &BoardFault| Seen { fault, moves: moves.clone(), position: position.clone() };
                games = self.suspects.iter().map(until).collect();
            }
            position.play_unchecked(ply.m);
            let now = fault.shows(position.board());
            games = games.iter().flat_map(|game| game.to(&now)).collect();
            first_hidden = first_hidden.or_else(|| (now != *position.board()).then_some(index));
            if first_hidden.is_some() && made.lit_alone {
                // A hand that passed over it has shown that the other does not light up with it.
                games.retain(|game| game.fault == fault);
            }
        }
        let suspected = self.suspects.len();
        if first_hidden.is_some() || !fault.is_crosstalk() {
            self.suspects = games.iter().map(|game| game.fault).collect();
        }
        if let Some(hidden) = first_hidden.filter(|hidden| suspected > 1 && plies < hidden + BORNE_OUT_PLIES) {
            return hidden;
        }
        let played = |ply: usize| plan.plies.get(ply).map(|ply| ply.m);
        (0..plies).take_while(|&ply| games.iter().all(|game| game.moves.get(ply).copied() == played(ply))).count()
    }
}

/// How many of the plies that were played can be known, when a piece that was lifted is still reported to the end. A press ends
/// a move that agrees on the pieces of its maker: one that leaves none of them, and no pawn taken in passing, where it was is
/// decided whatever else is seen.
pub(crate) fn decided_with_ghost(plan: &Plan, made: &[MadePly]) -> usize {
    let plies = made.len();
    let Some((last, (_, piece))) = made.last().and_then(|last| last.ghost.map(|ghost| (last, ghost))) else {
        return plies;
    };
    let first = plies - made.iter().rev().take_while(|ply| ply.ghost == last.ghost).count();
    let by = made.get(first).map(|ply| ply.by);
    let in_passing = plan.plies.get(first).is_some_and(|ply| ply.m.is_en_passant());
    let color = match piece.to_byte() {
        1..=6 => Some(Color::White),
        7..=12 => Some(Color::Black),
        _ => None,
    };
    let hidden = color == by || in_passing;
    if hidden && plies < first + BORNE_OUT_PLIES { first } else { plies }
}

impl Seen {
    /// The same games one ply on, to where the board shows this.
    fn to(&self, now: &Board) -> Vec<Seen> {
        let next = |m: Move| {
            let position = self.position.clone().play(m).ok()?;
            let moves = self.moves.iter().copied().chain([m]).collect();
            (self.fault.shows(position.board()) == *now).then_some(Seen { fault: self.fault, moves, position })
        };
        self.position.legal_moves().into_iter().filter_map(next).collect()
    }
}
