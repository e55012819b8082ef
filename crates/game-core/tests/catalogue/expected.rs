//! What a right record of a case is: the moves of the plan written by shakmaty, the times of the simulated clock.
//!
//! Must not call `game-core`, whose results are compared with it.

use std::ops::Range;

use board_sim::defects::Defect;
use board_sim::plan::Plan;
use board_sim::result::Ending;
use board_sim::trouble::Troubles;
use notation::pgn::Outcome;
use shakmaty::{Chess, Position};

use crate::alternatives::{Change, Stretch, stretches};
use crate::case::{Case, Expects, Loss, Out, fen_of, position_after};
use crate::decided::{Fault, decided_with_ghost};
use crate::made_ply::MadePly;

/// A ply as it is to be told.
#[derive(Clone)]
pub(crate) struct ExpectedPly {
    pub(crate) san: String,
    pub(crate) uci: String,
    /// What the clock showed, whether the board could know it or not.
    pub(crate) clk_ms: Option<u64>,
    pub(crate) made: MadePly,
}

/// A game as it is to be told.
#[derive(Clone)]
pub(crate) struct ExpectedGame {
    /// Which game of the table it is, from 0.
    pub(crate) of: usize,
    /// Pieces and side to move at its start, as a FEN has them.
    pub(crate) start: String,
    pub(crate) plies: Vec<ExpectedPly>,
    /// What was played after these, as SAN: it need not be told, and may be.
    pub(crate) further: Vec<String>,
    pub(crate) result: Outcome,
    /// Plies whose order nobody knows.
    pub(crate) any_order: Range<usize>,
    /// Plies for which other lines may show the same.
    pub(crate) open: Vec<Stretch>,
}

impl ExpectedGame {
    /// Whether the board could know what the clock showed at the press of a ply: of presses that nothing told and no log kept, it
    /// shows the last one.
    pub(crate) fn tells(&self, ply: usize, played: &ExpectedPly) -> bool {
        played.made.pressed_ms.is_some() && (!self.any_order.contains(&ply) || ply + 1 == self.any_order.end)
    }
}

/// The longest full scan of a simulated board, in ms.
const LONGEST_SCAN_MS: u64 = 500;

/// What is expected of a case; the games follow when its table has played them.
pub(crate) struct Expectation {
    plans: Vec<Plan>,
    troubles: Troubles,
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
    pieces_and_turn(&fen_of(position))
}

impl Expectation {
    pub(crate) fn of(case: &Case) -> Self {
        let ply = |ply: u64| usize::try_from(ply).unwrap();
        Self {
            plans: case.plans.clone(),
            troubles: case.settings.play.troubles,
            expects: case.expects,
            gap: case.out.map_or(0..0, |out| ply(out.from)..ply(out.told_from() + unseen_after(out))),
            fault: Fault::of(case),
            pieces_stick: case.defect == Defect::Ghost,
        }
    }

    /// The games to be recorded, from the plies that were made and the clock times that were shown after them.
    pub(crate) fn games(&self, clock_times: &[Vec<Option<u64>>], made: &[Vec<MadePly>]) -> Vec<ExpectedGame> {
        let mut games = Vec::new();
        let mut fault = self.fault.clone().filter(|_| self.expects == Expects::Decided);
        for (index, (plan, (clock_times, made))) in self.plans.iter().zip(clock_times.iter().zip(made)).enumerate() {
            let line: Vec<_> = plan.plies.iter().zip(clock_times).zip(made).collect();
            let part = |from: usize, to: usize, result| ExpectedGame {
                of: index,
                start: start(&position_after(plan, from)),
                plies: line[from.min(line.len())..to.min(line.len())]
                    .iter()
                    .map(|((ply, clk_ms), made)| ExpectedPly {
                        san: ply.san.to_string(),
                        uci: ply.m.to_uci(plan.start.castles().mode()).to_string(),
                        clk_ms: **clk_ms,
                        made: **made,
                    })
                    .collect(),
                further: Vec::new(),
                result,
                open: Vec::new(),
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
                        None if self.pieces_stick => decided_with_ghost(plan, &made[..all]),
                        None => all,
                    };
                    // Of a mate that may not have been one nobody can tell.
                    let result = if ended_by_rules(plan) && decided < all { Outcome::Unknown } else { result };
                    let further = plan.plies[decided.min(all)..all].iter().map(|ply| ply.san.to_string()).collect();
                    games.push(ExpectedGame { further, ..part(0, decided, result) });
                }
            }
        }
        games
    }

    /// The plies of a game for which other lines may show the same.
    pub(crate) fn open(&self, game: &ExpectedGame, changes: &[Change]) -> Vec<Stretch> {
        self.plans
            .get(game.of)
            .map_or_else(Vec::new, |plan| stretches(plan, game.plies.len(), changes, LONGEST_SCAN_MS))
    }

    /// What the board can tell of the result.
    fn result(&self, plan: &Plan) -> Outcome {
        let told = ended_by_rules(plan) || self.troubles.shows_result();
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
