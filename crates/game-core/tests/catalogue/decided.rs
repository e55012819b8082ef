//! How much of a game the bytes of a board with a fault decide: a dead square, or a piece that is still seen where it was lifted.
//!
//! Knows the rules and what was played. Follows every game that shows the same at every press: where these part, nobody at the
//! board can know which one was played. Knows nothing of sessions.

use board_sim::defects::Defect;
use board_sim::plan::Plan;
use game_core::lens::Lens;
use game_core::placement::{Placement, color_of};
use shakmaty::{Bitboard, Board, Chess, Move, Position, Square};

use crate::case::{Case, Operator};
use crate::expected::Made;

/// A fault of the board is believed when a move of each player bears it out.
const BORNE_OUT_PLIES: usize = 2;

/// The dead square of a board, and what is known of it from game to game.
#[derive(Clone)]
pub(crate) struct DeadSquare {
    dead: Square,
    /// Squares that may be it.
    suspects: Bitboard,
}

/// A game that would show the same.
struct Seen {
    dead: Square,
    moves: Vec<Move>,
    position: Chess,
}

fn shown(board: &Board, dead: Square) -> Placement {
    Lens::blind(dead.into()).shows(board)
}

impl DeadSquare {
    /// The dead square of a case, if there is one.
    pub(crate) fn of(case: &Case) -> Option<Self> {
        let dead = case.defect_square();
        let suspects = if case.operator == Operator::DeclaresBlind { dead.into() } else { Bitboard::FULL };
        (case.defect == Defect::DeadSquare).then_some(Self { dead, suspects })
    }

    /// How many of the plies that were played can be known.
    pub(crate) fn decided(&mut self, plan: &Plan, plies: usize) -> usize {
        let (start, dead) = (&plan.start, self.dead);
        let alike = |&suspect: &Square| shown(start.board(), suspect) == shown(start.board(), dead);
        let suspects: Vec<Square> = self.suspects.into_iter().filter(alike).collect();
        let began = |dead| Seen { dead, moves: Vec::new(), position: start.clone() };
        let mut games: Vec<Seen> = suspects.into_iter().map(began).collect();
        let mut position = start.clone();
        let mut first_hidden = None;
        for (index, ply) in plan.plies.iter().take(plies).enumerate() {
            position.play_unchecked(ply.m);
            let now = shown(position.board(), dead);
            games = games.iter().flat_map(|game| game.to(&now)).collect();
            first_hidden = first_hidden.or_else(|| position.board().piece_at(dead).map(|_| index));
        }
        let suspects = games.iter().map(|game| game.dead).collect();
        let suspected = std::mem::replace(&mut self.suspects, suspects).count();
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
        let next = |m: Move| {
            let position = self.position.clone().play(m).ok()?;
            let moves = self.moves.iter().copied().chain([m]).collect();
            (shown(position.board(), self.dead) == *now).then_some(Seen { dead: self.dead, moves, position })
        };
        let works = now.get(self.dead) != dgt_protocol::PieceCode::Empty;
        self.position.legal_moves().into_iter().filter(|_| !works).filter_map(next).collect()
    }
}
