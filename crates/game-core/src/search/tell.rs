//! What is told, and when: the one rule between what is likely and what the record says.
//!
//! Knows the hypotheses of a game and what was told of it. Must not know how they were found.

use shakmaty::{Move, Position, Role, Square, attacks};

use super::game::Game;
use super::hypothesis::{Hypothesis, index};
use super::line::{NodeId, ROOT};
use super::weights::{self as w, Cost};

/// A king there may be half of a result.
const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// What the record has to say now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// Plies after this line are taken back first.
    pub(crate) back_to: NodeId,
    /// Then plies up to this line are told.
    pub(crate) tell: NodeId,
    /// The likeliest line is as likely as another one from its end on.
    pub(crate) doubt: bool,
}

/// Decides at a moment.
pub(crate) fn decide(game: &Game, now: u64) -> Option<Decision> {
    decide_for(game, now, w::RETRACT)
}

/// Decides when a doubt has been open for long enough. What was told is taken back for a line that is only likelier: the record would
/// say nothing more otherwise.
pub(crate) fn decide_doubtful(game: &Game, now: u64) -> Option<Decision> {
    decide_for(game, now, 0)
}

/// Whether what was told cannot go on: an illegal move stands after it, or nothing is played any more.
pub(super) fn is_stuck(game: &Game) -> bool {
    let begins = |each: &&Hypothesis| game.lines.begins_with(each.line, game.told);
    let with = game.beam.hypotheses.iter().filter(begins).min_by_key(|each| each.cost);
    with.is_some_and(|with| with.illegal.is_some() || with.off)
}

/// Decides where a line is worth so much that what was told is taken back for it.
fn decide_for(game: &Game, now: u64, retract: Cost) -> Option<Decision> {
    let nothing = Decision { back_to: game.told, tell: game.told, doubt: false };
    let seen = game.seen()?;
    if game.is_behind() || game.sign.is_some() || game.waits_for_log {
        return Some(nothing);
    }
    let costs: Vec<Cost> = game.beam.hypotheses.iter().map(|each| each.cost_at(now, seen)).collect();
    let lines = &game.lines;
    let likeliest = |each: &dyn Fn(&Hypothesis) -> bool| {
        game.beam
            .hypotheses
            .iter()
            .zip(&costs)
            .filter(|&(hypothesis, _)| each(hypothesis))
            .min_by_key(|&(_, cost)| *cost)
    };
    let (mut best, cost) = likeliest(&|_| true)?;
    // Of lines that are as likely, the record goes on with the one that it has.
    let with = likeliest(&|each| lines.begins_with(each.line, game.told));
    let has = with.is_some_and(|(_, &with)| with <= cost.saturating_add(w::OFTEN));
    if let Some((with, _)) = with.filter(|_| has) {
        best = with;
    }
    if game.stopped_at.is_some_and(|at| best.ply_at > at + w::SETTLED_MS || best.ply_at == 0) {
        return Some(nothing);
    }
    if game.gap_at.is_some_and(|at| now.saturating_sub(at) < w::LATEST_MS) {
        return Some(nothing);
    }
    let from = if has { game.told } else { ROOT };
    let agree = |margin| game.beam.agreed_beyond(from, &costs, margin, lines);
    let agreed = agree(w::RARE)?;
    let quiet = is_quiet(game, best, now) && agree(w::OFTEN) == Some(best.line);
    let doubt = best.differs.is_empty() && agreed != best.line && !quiet;
    let line = if quiet { best.line } else { agreed };
    let until = if quiet { lines.depth(best.line) } else { confirmed(game, best, now, lines.depth(line)) };
    let tell = lines.ancestor(line, until);
    if lines.begins_with(best.line, game.told) {
        let longer = lines.depth(tell) > game.told_plies();
        return Some(Decision { back_to: game.told, tell: if longer { tell } else { game.told }, doubt });
    }
    // What was told is not what is likeliest now.
    if with.is_some_and(|(_, &with)| with <= cost.saturating_add(retract)) {
        return Some(Decision { doubt: best.differs.is_empty(), ..nothing });
    }
    let common = lines.common(game.told, best.line);
    let longer = lines.depth(tell) > lines.depth(common);
    let still = now.saturating_sub(game.touched_at) >= w::HANDS_DONE_MS && game.stopped_at.is_none();
    if !longer && !still {
        // The hands are still at work, or nothing is decided before the clock runs again.
        return Some(Decision { doubt, ..nothing });
    }
    Some(Decision { back_to: common, tell: if longer { tell } else { common }, doubt })
}

/// How many plies of the best line, of those that are agreed, are pressed or answered. A reply answers when it has stood for a
/// while, or has a reply itself.
fn confirmed(game: &Game, best: &Hypothesis, now: u64, agreed: u32) -> u32 {
    if best.illegal.is_some() {
        return agreed;
    }
    let end = game.lines.depth(best.line);
    let from_gap = game.gap_at == Some(best.ply_at);
    let pressing = game.history.last().is_some_and(|seen| seen.pressing);
    let stands = best.differs.is_empty() && now.saturating_sub(game.touched_at) >= w::SETTLED_MS;
    // What the player to move has lifted since is his next ply.
    let in_hand = best.position.us() & !game.history.shown().occupied();
    let mut plies = agreed;
    while plies > 0 {
        let answered = (end >= plies + 2 || end > plies && stands) && !from_gap;
        let mine = (end - plies).is_multiple_of(2);
        let side = index(if mine { best.position.turn().other() } else { best.position.turn() });
        let settled = plies < end || (best.differs & !in_hand).is_empty();
        // A clock that was stopped since tells no presses any more, but there was one.
        let ended = if pressing { !best.unpressed[side] } else { best.presses.of(plies).is_some() };
        let pressed = ended && plies + 1 >= end && settled && !from_gap;
        if answered || pressed {
            break;
        }
        plies -= 1;
    }
    plies
}

/// Whether the hand that made the last ply is done, as far as quiet can tell. Where the player to move has lifted a piece and left it
/// there, as one who resigns does with his king, it takes as long as he may hold it.
fn is_quiet(game: &Game, best: &Hypothesis, now: u64) -> bool {
    let quiet = now.saturating_sub(game.touched_at);
    let lifted = best.position.us() & !game.history.shown().occupied();
    let wait_ms = if best.differs.is_empty() { wait_ms(game, best) } else { w::IN_HAND_MS };
    (best.differs & !lifted).is_empty()
        && best.illegal.is_none()
        && quiet >= w::SETTLED_MS
        && quiet >= wait_ms
        && !may_castle_on(game, best)
}

/// How long the last ply must stand: the hand may go on.
fn wait_ms(game: &Game, best: &Hypothesis) -> u64 {
    if game.history.has_clock() {
        return w::PATIENCE_MS;
    }
    let Some(mv) = game.lines.last(best.line) else { return w::SETTLED_MS };
    if is_open_choice(mv) {
        return w::LATEST_MS;
    }
    let Move::Normal { from, to, capture: None, .. } = mv else { return w::SETTLED_MS };
    let before = game.position(game.lines.parent(best.line));
    let goes_on = before.legal_moves().into_iter().any(|other| match other {
        Move::Normal { from: start, to: end, .. } => start == from && attacks::between(from, end).contains(to),
        Move::Castle { king, rook } => king == from && attacks::between(king, rook).contains(to),
        _ => false,
    });
    if goes_on { w::HANDS_DONE_MS } else { w::SETTLED_MS }
}

/// Whether another piece may be looked for in the place of a promoted one, or a king be half of a result.
fn is_open_choice(mv: Move) -> bool {
    mv.promotion().is_some() || mv.role() == Role::King && CENTRE.contains(&mv.to())
}

/// How long a mate must stand before it ends the game.
pub(super) fn mate_stands_ms(game: &Game, line: NodeId) -> u64 {
    if game.lines.last(line).is_some_and(is_open_choice) { w::LATEST_MS } else { w::HANDS_DONE_MS }
}

/// Whether the last ply may be half of castling: a rook from its first square to where castling puts it, its king at home.
fn may_castle_on(game: &Game, best: &Hypothesis) -> bool {
    let Some(Move::Normal { role: Role::Rook, from, to, .. }) = game.lines.last(best.line) else { return false };
    let color = best.position.turn().other();
    let king = game.start.board().king_of(color);
    king.is_some()
        && best.position.board().king_of(color) == king
        && game.start.castles().castling_rights().contains(from)
        && shakmaty::CastlingSide::ALL.into_iter().any(|side| side.rook_to(color) == to)
}
