//! How much of a game the bytes of a board with a fault decide: a dead square, two squares that light up together, or a piece that
//! is still seen where it was lifted.
//!
//! Knows the rules and what was played. Follows every game that shows the same at every press: where these part, nobody at the
//! board can know which one was played. Knows nothing of sessions.

use board_sim::defects::Defect;
use board_sim::plan::Plan;
use game_core::board_faults::BoardFaults;
use game_core::placement::{Placement, color_of};
use shakmaty::{Chess, Move, Position, Square};

use crate::case::{Case, Operator};
use crate::expected::Made;

/// A fault of the board is believed when a move of each player bears it out.
const BORNE_OUT_PLIES: usize = 2;

/// The fault of a board, and what is known of it from game to game.
#[derive(Clone)]
pub(crate) struct Fault {
    fault: BoardFaults,
    /// Faults that it may be.
    suspects: Vec<BoardFaults>,
}

/// A game that would show the same.
struct Seen {
    fault: BoardFaults,
    moves: Vec<Move>,
    position: Chess,
}

impl Fault {
    /// The fault of a case, if it has one that lasts.
    pub(crate) fn of(case: &Case) -> Option<Self> {
        let square = case.defect_square();
        let dead = |square: Square| BoardFaults::dead(square.into());
        match case.defect {
            Defect::DeadSquare if case.operator == Operator::DeclaresBlind => {
                Some(Self { fault: dead(square), suspects: vec![dead(square)] })
            }
            Defect::DeadSquare => {
                Some(Self { fault: dead(square), suspects: Square::ALL.into_iter().map(dead).collect() })
            }
            Defect::TwoTogether => {
                // Which of the two it is that lights up with the other is seen when one of them is left alone.
                let beside = case.square_beside();
                let together = |one, other| BoardFaults::default().with_crosstalk(Some((one, other)));
                let fault = together(square, beside);
                Some(Self { fault, suspects: vec![fault, together(beside, square)] })
            }
            _ => None,
        }
    }

    /// How many of the plies that were played can be known.
    pub(crate) fn decided(&mut self, plan: &Plan, made: &[Made]) -> usize {
        let (start, fault, plies) = (&plan.start, self.fault, made.len());
        let alike = |suspect: &&BoardFaults| suspect.shows(start.board()) == fault.shows(start.board());
        let began = |&fault: &BoardFaults| Seen { fault, moves: Vec::new(), position: start.clone() };
        let mut games: Vec<Seen> = self.suspects.iter().filter(alike).map(began).collect();
        let mut position = start.clone();
        let mut first_hidden = None;
        for (index, (ply, made)) in plan.plies.iter().zip(made).enumerate() {
            if first_hidden.is_none() && fault.crosstalk().is_some() {
                // It may have begun only now: what was seen before decides nothing.
                let moves: Vec<Move> = plan.plies.iter().take(index).map(|ply| ply.m).collect();
                let until = |&fault: &BoardFaults| Seen { fault, moves: moves.clone(), position: position.clone() };
                games = self.suspects.iter().map(until).collect();
            }
            position.play_unchecked(ply.m);
            let now = fault.shows(position.board());
            games = games.iter().flat_map(|game| game.to(&now)).collect();
            first_hidden = first_hidden.or_else(|| (now != Placement::from_board(position.board())).then_some(index));
            if first_hidden.is_some() && made.lit_alone {
                // A hand that passed over it has shown that the other does not light up with it.
                games.retain(|game| game.fault.crosstalk() == fault.crosstalk());
            }
        }
        let suspected = self.suspects.len();
        if first_hidden.is_some() || fault.crosstalk().is_none() {
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
pub(crate) fn decided_with_stuck(plan: &Plan, made: &[Made]) -> usize {
    let plies = made.len();
    let Some((last, (_, piece))) = made.last().and_then(|last| last.stuck.map(|stuck| (last, stuck))) else {
        return plies;
    };
    let first = plies - made.iter().rev().take_while(|ply| ply.stuck == last.stuck).count();
    let by = made.get(first).map(|ply| ply.by);
    let in_passing = plan.plies.get(first).is_some_and(|ply| ply.m.is_en_passant());
    let hidden = color_of(piece) == by || in_passing;
    if hidden && plies < first + BORNE_OUT_PLIES { first } else { plies }
}

impl Seen {
    /// The same games one ply on, to where the board shows this.
    fn to(&self, now: &Placement) -> Vec<Seen> {
        let turn = self.position.turn();
        let leads_there = |&m: &Move| {
            let mut after = self.position.clone();
            after.play_unchecked(m);
            self.fault.after(turn, m).shows(after.board()) == *now
        };
        let next = |m: Move| {
            let position = self.position.clone().play(m).ok()?;
            let moves = self.moves.iter().copied().chain([m]).collect();
            Some(Seen { fault: self.fault.after(turn, m), moves, position })
        };
        self.position.legal_moves().into_iter().filter(leads_there).filter_map(next).collect()
    }
}
