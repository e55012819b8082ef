//! The person at the dashboard: what is ordered, and when.
//!
//! Knows what was really played, as an arbiter does who looks at the board and the score sheets.

use board_sim::plan::Plan;
use board_sim::table::Table;
use game_core::event::Variant;
use game_core::input::{Command, Order};
use game_core::session::BoardSession;
use shakmaty::{CastlingMode, Move, Position, Square};

use crate::case::{Case, Operator, Slip, position_after};
use crate::expected::fen_after;

/// A board that is not explained for this long is looked at by somebody, in ms.
const LOOKS_AFTER_MS: u64 = 20_000;
/// A mistake at the dashboard is seen this much later, in ms.
const MENDS_AFTER_MS: u64 = 9_000;
/// An order follows a press this soon, before the next hand reaches the board, in ms.
const AT_ONCE_MS: u64 = 40;

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Person {
    operator: Operator,
    seed: u64,
    blind: Square,
    due: Option<u64>,
    /// The plies that stay when the mistake is mended.
    mend_from: Option<usize>,
}

impl Person {
    pub(crate) fn new(case: &Case) -> Self {
        let (operator, seed) = (case.operator, case.settings.seed);
        Self { operator, seed, blind: case.defect_square(), due: None, mend_from: None }
    }

    /// When there is something to order.
    pub(crate) fn next_due(&self) -> Option<u64> {
        self.due
    }

    pub(crate) fn hears_unexplained(&mut self, now: u64) {
        if self.operator == Operator::Explains {
            self.due = Some(now + LOOKS_AFTER_MS);
        }
    }

    pub(crate) fn hears_resolved(&mut self) {
        if self.operator == Operator::Explains {
            self.due = None;
        }
    }

    /// The order given now, if any.
    pub(crate) fn acts(&mut self, now: u64, table: &Table, session: &BoardSession) -> Option<Command> {
        let Some(plan) = table.plan() else {
            // All games are over.
            self.due = None;
            return None;
        };
        let ply = table.ply();
        if let Operator::NamesPosition(after) | Operator::Errs(after, _) = self.operator
            && table.plies() == after
            && self.due.is_none()
        {
            self.due = Some(now + AT_ONCE_MS);
        }
        if self.operator == Operator::DeclaresBlind {
            self.operator = Operator::Absent;
            let order = serde_json::json!({ "by": "Ada", "order": "blind", "squares": [self.blind.to_string()] });
            return serde_json::from_value(order).ok();
        }
        if self.due.is_none_or(|due| due > now) {
            return None;
        }
        self.due = None;
        let order = match (self.operator, self.mend_from.take()) {
            (Operator::NamesPosition(_), _) => {
                self.operator = Operator::Absent;
                Order::StartFrom { fen: fen_after(plan, ply), variant: Variant::Standard }
            }
            (Operator::Errs(_, slip), _) => {
                let (keep, moves) = slipped(plan, ply, slip, self.seed)?;
                self.operator = Operator::Absent;
                self.mend_from = Some(keep);
                self.due = Some(now + MENDS_AFTER_MS);
                Order::Moves { keep: u32::try_from(keep).ok()?, moves: moves.iter().map(|&m| uci(m)).collect() }
            }
            (_, Some(keep)) => right_moves(plan, ply, keep)?,
            (Operator::Explains, _) => {
                let told = session.to_resume()?.moves;
                let same = told.iter().zip(&plan.plies[..ply]).take_while(|(told, ply)| told.uci == uci(ply.m)).count();
                right_moves(plan, ply, same)?
            }
            _ => return None,
        };
        Some(Command { by: "Ada".to_owned(), order })
    }
}

fn right_moves(plan: &Plan, ply: usize, keep: usize) -> Option<Order> {
    let moves = plan.plies[keep.min(ply)..ply].iter().map(|ply| uci(ply.m)).collect();
    Some(Order::Moves { keep: u32::try_from(keep.min(ply)).ok()?, moves })
}

fn uci(m: Move) -> String {
    m.to_uci(CastlingMode::Standard).to_string()
}

/// The plies that a mistaken order keeps, and the moves that it sets after them.
fn slipped(plan: &Plan, ply: usize, slip: Slip, seed: u64) -> Option<(usize, Vec<Move>)> {
    let any_move = |position: &shakmaty::Chess, not: Option<Move>| {
        let legal = position.legal_moves();
        let others: Vec<Move> = legal.into_iter().filter(|&m| Some(m) != not).collect();
        others.get(seed as usize % others.len().max(1)).copied()
    };
    match slip {
        Slip::Replaces => {
            let keep = ply.checked_sub(1)?;
            let instead = any_move(&position_after(plan, keep), plan.plies.get(keep).map(|ply| ply.m))?;
            Some((keep, vec![instead]))
        }
        Slip::Inserts => {
            let mut position = position_after(plan, ply);
            let first = any_move(&position, None)?;
            position.play_unchecked(first);
            let second = any_move(&position, None)?;
            Some((ply, vec![first, second]))
        }
        Slip::Deletes => Some((ply.checked_sub(2)?, Vec::new())),
    }
}
