//! What a right record of a case is, made from what was played.

use std::ops::Range;

use board_sim::defects::Defect;
use board_sim::plan::Plan;
use board_sim::result::Ending;
use board_sim::trouble::Trouble;
use dgt_protocol::{Field, PieceCode};
use game_core::line::fen_of;
use notation::pgn::{Game as Played, Outcome};
use shakmaty::{ByColor, Chess, Color, EnPassantMode, Position, fen::Fen};

use crate::case::{Case, Expects, Loss, Out, position_after};
use crate::decided::{Fault, decided_with_stuck};

/// A ply as the table made it.
#[derive(Clone, Copy)]
pub(crate) struct Made {
    /// When the last square was touched.
    pub(crate) stood_ms: u64,
    /// When its maker pressed, if the board could know.
    pub(crate) pressed_ms: Option<u64>,
    /// Who made it.
    pub(crate) by: Color,
    /// For how long White's and Black's time had run by then in the game, if there was a clock.
    pub(crate) ran_ms: Option<ByColor<u64>>,
    /// Whether the hand could still have gone on from it.
    pub(crate) may_change: bool,
    /// A piece that the board still reported where it was not any more, and where.
    pub(crate) stuck: Option<(Field, PieceCode)>,
    /// Of two squares that light up together the one that lights up with the other was seen alone in this turn.
    pub(crate) lit_alone: bool,
}

/// A ply as it is to be told.
#[derive(Clone)]
pub(crate) struct ExpectedPly {
    pub(crate) san: String,
    pub(crate) uci: String,
    /// What the clock showed, whether the board could know it or not.
    pub(crate) clk_ms: Option<u64>,
    pub(crate) made: Made,
}

/// A game as it is to be told.
#[derive(Clone)]
pub(crate) struct ExpectedGame {
    /// Which game of the table it is, from 0.
    pub(crate) of: usize,
    /// Pieces and side to move at its start, as a FEN has them.
    pub(crate) start: String,
    pub(crate) plies: Vec<ExpectedPly>,
    pub(crate) result: Outcome,
    /// Plies whose order nobody knows.
    pub(crate) any_order: Range<usize>,
}

impl Made {
    /// Whether its maker spent so much on it, to a second: as the clock counts it, with what it counts until the next ply is
    /// complete when the opponent presses back, or since the ply before stood there.
    pub(crate) fn took(self, ms: u64, before: Self, after: Option<Self>) -> bool {
        let near = |spent: u64| ms.abs_diff(spent) <= 1_000;
        let by_clock = |until: Self| Some(until.ran_ms?[self.by].saturating_sub(before.ran_ms?[self.by]));
        let since_stood = self.pressed_ms.unwrap_or(self.stood_ms).saturating_sub(before.stood_ms);
        near(since_stood) || [Some(self), after].into_iter().flatten().filter_map(by_clock).any(near)
    }
}

impl ExpectedGame {
    /// Whether the board could know what the clock showed at the press of a ply: of presses that nothing told and no log kept, it
    /// shows the last one.
    pub(crate) fn tells(&self, ply: usize, played: &ExpectedPly) -> bool {
        played.made.pressed_ms.is_some() && (!self.any_order.contains(&ply) || ply + 1 == self.any_order.end)
    }
}

/// The plan of a case that is needed after its table has played it.
pub(crate) struct Promise {
    plans: Vec<Plan>,
    trouble: Trouble,
    expects: Expects,
    gap: Range<usize>,
    fault: Option<Fault>,
    pieces_stick: bool,
}

/// Plies that may be made after a board is back before it is armed again, as nothing announces that it is.
fn unseen_after(out: Out) -> u64 {
    if out.how == Loss::Power { 8 } else { 0 }
}

/// Pieces and side to move of a FEN.
pub(crate) fn pieces_and_turn(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

fn start(position: &Chess) -> String {
    pieces_and_turn(&Fen::from_position(position, EnPassantMode::Legal).to_string())
}

impl Promise {
    pub(crate) fn of(case: &Case) -> Self {
        let ply = |ply: u64| usize::try_from(ply).unwrap();
        Self {
            plans: case.plans.clone(),
            trouble: case.settings.manners.trouble,
            expects: case.expects,
            gap: case.out.map_or(0..0, |out| ply(out.from)..ply(out.told_from() + unseen_after(out))),
            fault: Fault::of(case),
            pieces_stick: case.defect == Defect::StuckPiece,
        }
    }

    /// The games to be told, when these were played.
    pub(crate) fn games(&self, played: &[Played], made: &[Vec<Made>]) -> Vec<ExpectedGame> {
        let mut games = Vec::new();
        let mut fault = self.fault.clone().filter(|_| self.expects == Expects::Decided);
        for (index, (plan, (played, made))) in self.plans.iter().zip(played.iter().zip(made)).enumerate() {
            let line: Vec<_> = played.line().zip(&plan.plies).zip(made).collect();
            let part = |from: usize, to: usize, result| ExpectedGame {
                of: index,
                start: start(&position_after(plan, from)),
                plies: line[from.min(line.len())..to.min(line.len())]
                    .iter()
                    .map(|((ply, planned), made)| ExpectedPly {
                        san: ply.san.to_string(),
                        uci: planned.m.to_uci(plan.start.castles().mode()).to_string(),
                        clk_ms: ply.times().clk_ms,
                        made: **made,
                    })
                    .collect(),
                result,
                any_order: if self.expects == Expects::AnyOrder && index == 0 { self.gap.clone() } else { 0..0 },
            };
            // A game that a flag has cut short has no result on the board.
            let all = line.len();
            let result = if all < plan.plies.len() { Outcome::Unknown } else { self.result(plan) };
            match self.expects {
                Expects::From(ply) if index == 0 => games.push(part(ply, all, result)),
                Expects::Split(ply) if index == 0 => {
                    games.push(part(0, ply, Outcome::Unknown));
                    games.push(part(ply, all, result));
                }
                Expects::Nothing => {}
                _ => {
                    let decided = match &mut fault {
                        Some(fault) => fault.decided(plan, &made[..all]),
                        None if self.pieces_stick => decided_with_stuck(plan, &made[..all]),
                        None => all,
                    };
                    // Of a mate that may not have been one nobody can tell.
                    let result = if ended_by_rules(plan) && decided < all { Outcome::Unknown } else { result };
                    games.push(part(0, decided, result));
                }
            }
        }
        games
    }

    /// What the board can tell of the result.
    fn result(&self, plan: &Plan) -> Outcome {
        let told = ended_by_rules(plan) || self.trouble.shows_result();
        if told { plan.ending.outcome() } else { Outcome::Unknown }
    }
}

/// Whether the last ply of a game leaves no legal move.
fn ended_by_rules(plan: &Plan) -> bool {
    matches!(plan.ending, Ending::Mate(_) | Ending::Stalemate)
}

/// Whether a hand that has just made the last of these plies could be on its way to another move or to a sign: a piece that
/// slides on, half of castling, a pawn that waits for its queen, a king in the centre, a mate that is looked at.
pub(crate) fn may_change(plan: &Plan, plies: usize) -> bool {
    use shakmaty::{CastlingSide, Move, Role, Square, attacks};
    let Some(before) = plies.checked_sub(1) else { return false };
    let (position, Some(ply)) = (position_after(plan, before), plan.plies.get(before)) else { return false };
    let legal = position.legal_moves();
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5].contains(&ply.m.to());
    let goes_on = |from, to| {
        legal.iter().any(|other| match *other {
            Move::Normal { from: start, to: end, .. } => start == from && attacks::between(from, end).contains(to),
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                (rook == from && side.rook_to(position.turn()) == to)
                    || (king == from && attacks::between(king, rook).contains(to))
            }
            _ => false,
        })
    };
    let ends = position_after(plan, plies).legal_moves().is_empty();
    ends || ply.m.is_promotion()
        || ply.m.role() == Role::King && centre
        || ply.m.from().is_some_and(|from| !ply.m.is_capture() && !ply.m.is_castle() && goes_on(from, ply.m.to()))
}

/// The position as an operator types it.
pub(crate) fn fen_after(plan: &Plan, plies: usize) -> String {
    fen_of(&position_after(plan, plies))
}
