//! Plies that become other ones by what the board shows later: the piece stood beside its square, what belongs to a move was
//! forgotten, or the player has changed his mind.
//!
//! Knows hypotheses and observations. Must not know what was told.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role};

use super::beam::Beam;
use super::expand::castling;
use super::history::Observation;
use super::hypothesis::Hypothesis;
use super::line::{Lines, NodeId, after};
use super::terms::Term;
use super::weights as w;

/// A move, and after it plies that were made after another one: the moves from the same squares to the same ones. None where one of
/// them is not legal.
fn replayed(from: &Chess, first: Move, plies: &[Move]) -> Option<(Chess, Vec<Move>)> {
    let (mut position, mut moves) = (from.clone(), vec![first]);
    position.play_unchecked(first);
    let named = |mv: &Move| (mv.from(), mv.to(), mv.promotion());
    for ply in plies {
        let mv = position.legal_moves().into_iter().find(|mv| named(mv) == named(ply))?;
        position.play_unchecked(mv);
        moves.push(mv);
    }
    Some((position, moves))
}

/// A hypothesis with another move in the place of a ply of its line, the first one being 0, and the plies after it. None where one of
/// them is not legal.
fn with_another(line: &Hypothesis, ply: usize, mv: Move, start: &Chess, lines: &mut Lines) -> Option<Hypothesis> {
    let moves = lines.moves(line.line);
    let before = after(start, moves.get(..ply)?);
    let (position, moves) = replayed(&before, mv, moves.get(ply + 1..)?).filter(|_| before.is_legal(mv))?;
    let line_before = lines.ancestor(line.line, ply as u32);
    Some(Hypothesis { position, line: lines.extended(line_before, &moves), sure: None, rival: None, ..line.clone() })
}

impl Beam {
    /// Where a legal move in the place of an illegal one leads to what stands there, with the plies after it, that was played.
    pub(super) fn put_illegal_right(&mut self, seen: &Observation, start: &Chess, lines: &mut Lines) {
        let low = self.hypotheses.iter().map(|each| each.cost).min().unwrap_or(0);
        let near = |each: &&Hypothesis| each.illegal.is_some() && !each.off && each.cost <= low.saturating_add(w::POOR);
        let illegal: Vec<Hypothesis> = self.hypotheses.iter().filter(near).cloned().collect();
        for each in illegal.iter().filter(|each| each.differs_for_sure(seen).any()) {
            let before = each.before_illegal(start, lines);
            let plies = lines.moves_since(each.played(), each.line);
            let legal = before.position.legal_moves().into_iter();
            let right =
                legal.filter_map(|mv| replayed(&before.position, mv, plies.get(1..)?)).find_map(|(position, moves)| {
                    let right = Hypothesis { position, presses: each.presses.clone(), ..before.clone() };
                    right.differs_for_sure(seen).is_empty().then_some((right, moves))
                });
            if let Some((mut right, moves)) = right {
                right.line = lines.extended(each.line, &moves);
                self.hypotheses.push(right);
            }
        }
    }

    /// One of the last plies but the very last went to another square, to which its piece comes only now: it had stood on the border. Or its
    /// message named a wrong square, as a dump shows, and the piece was taken on the right one since.
    pub(super) fn change_earlier(&mut self, seen: &Observation, start: &Chess, lines: &mut Lines) {
        let legal = self.hypotheses.iter().filter(|each| !each.off && each.illegal.is_none());
        let Some(best) = legal.min_by_key(|each| each.cost) else { return };
        let differs = best.differs_for_sure(seen);
        let arrived = differs & seen.shown.occupied();
        let Some(left) = (differs & !arrived).single_square() else { return };
        let recent = match (arrived.count(), seen.dump) {
            (1, _) if !seen.stands => w::BORNE_OUT as usize,
            (0, true) => w::STRETCH,
            _ => return,
        };
        let moves = lines.moves(best.line);
        let mut recent = (1..moves.len()).rev().take(recent).map(|after| after - 1);
        let Some(at) = recent.find(|&at| moves[at].to() == left && !moves[at].is_castle()) else { return };
        let other = |mv: &Move| {
            (mv.from(), mv.promotion()) == (moves[at].from(), moves[at].promotion())
                && (arrived.is_empty() || arrived.contains(mv.to()))
                && !mv.is_castle()
        };
        let others = after(start, &moves[..at]).legal_moves().into_iter().filter(other);
        let mut found = others
            .filter_map(|mv| with_another(best, at, mv, start, lines))
            .filter(|changed| changed.differs_for_sure(seen).is_empty());
        let (Some(mut changed), None) = (found.next(), found.next()) else { return };
        changed.pay(Term::PlyChanged, w::VERY_RARE);
        self.hypotheses.push(changed);
    }

    /// One of the last two plies becomes another one, as what stands there says.
    pub(super) fn change_last(&mut self, seen: &Observation, start: &Chess, lines: &mut Lines) {
        let legal = self.hypotheses.iter().filter(|each| !each.off && each.illegal.is_none());
        let Some(best) = legal.min_by_key(|each| each.cost) else { return };
        let changed = |line: NodeId| {
            let mv = lines.last(line)?;
            Some((line, other_piece(mv, best, seen).or_else(|| castling(mv, best, seen))?))
        };
        let last = [best.line, lines.parent(best.line)];
        let elsewhere = || Some((best.line, other_square(best, seen, start, lines)?));
        let Some((line, mv)) = last.into_iter().find_map(changed).or_else(elsewhere) else { return };
        let at = lines.depth(line) as usize - 1;
        let Some(changed) = with_another(best, at, mv, start, lines) else { return };
        let kings = seen.shown.kings(Color::White) | seen.shown.kings(Color::Black);
        let follows = mv.is_castle() && !(kings & seen.touched & Bitboard::from(mv.to().rank())).is_empty();
        let was_queen = lines.last(line).and_then(Move::promotion) == Some(Role::Queen);
        let is_rook = mv.promotion() == Some(Role::Rook) && was_queen;
        let read = if is_rook { best.reading_queen_as_rook(mv.to()) } else { None };
        let rook_alone = best.line;
        for each in self.hypotheses.iter_mut().filter(|each| follows && each.line == rook_alone) {
            each.pay(Term::KingFollowed, w::VERY_RARE);
        }
        for mut each in [Some(changed), read].into_iter().flatten() {
            each.pay(Term::PlyChanged, w::SELDOM);
            self.hypotheses.push(each);
        }
    }
}

/// The promotion to the piece that stands there now: the player has changed his mind.
fn other_piece(mv: Move, best: &Hypothesis, seen: &Observation) -> Option<Move> {
    let Move::Normal { role, from, capture, to, promotion: Some(promoted) } = mv else { return None };
    let now = seen.shown.piece_at(to)?;
    let other = now.role != promoted && !matches!(now.role, Role::Pawn | Role::King);
    let same = best.position.board().piece_at(to).is_some_and(|was| was.color == now.color);
    let mv = Move::Normal { role, from, capture, to, promotion: Some(now.role) };
    let differs = best.content(to) != Some(now) && !best.ignores(to);
    (other && same && differs).then_some(mv)
}

/// The move of the same piece to where it stands now, instead of the last one of a line: the player has put it there after his press.
/// What both moves leave is there.
fn other_square(best: &Hypothesis, seen: &Observation, start: &Chess, lines: &Lines) -> Option<Move> {
    let mv = lines.last(best.line).filter(|mv| !mv.is_promotion() && !mv.is_castle() && seen.pressing)?;
    let piece = best.position.board().piece_at(mv.to())?;
    let wrong = best.differs_from(&seen.shown) & !best.faulty & !best.lost;
    let arrived: Bitboard = wrong.into_iter().filter(|&square| seen.shown.is(square, Some(piece))).collect();
    if !wrong.contains(mv.to()) || arrived.is_empty() {
        return None;
    }
    let before = lines.position(start, lines.parent(best.line));
    let fits = |other: &Move| {
        let position = after(&before, &[*other]);
        let changed = Hypothesis { position, ..best.clone() };
        let differs = changed.differs_from(&seen.shown) & !best.faulty & !best.lost;
        (differs & !wrong).is_empty() && !differs.contains(mv.to())
    };
    let others = before.legal_moves().into_iter();
    others.filter(|other| other.from() == mv.from() && arrived.contains(other.to())).find(fits)
}
