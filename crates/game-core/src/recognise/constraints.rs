//! Placements through which every line must pass on its way to the present board.
//!
//! A placement on which a player pressed the clock was a position of the game. A placement in a dump was a position, or a
//! move being made from one.

use dgt_protocol::PieceCode;
use shakmaty::{Chess, Color, Move, Position, Square};

use super::{Recogniser, SETTLE_MS};
use crate::board_faults::{BoardFaults, squares_of};
use crate::event::Side;
use crate::placement::{Placement, color_of};
use crate::play::{LogSearch, Observed, Play, Standing};
use crate::time::Timestamp;

impl Recogniser {
    /// A dump showed the board; `before` is the hash of the placement that was known until then.
    pub(super) fn note_dump(&mut self, now: Timestamp, before: u64) {
        let placement = self.placement;
        let Some(play) = &mut self.play else { return };
        if let Standing::Open { changed, .. } = play.standing
            && before == placement.hash()
            && now.since(changed) >= SETTLE_MS
        {
            play.note_stable(placement);
        }
        if let Some(last) = play.observed.last_mut().filter(|last| last.placement.hash() == before) {
            // Of dumps that differ although nothing was told between them, one is damaged: two that agree are believed.
            if last.dumps < 2 || last.placement == placement {
                last.dumps = if last.placement == placement { last.dumps + 1 } else { 1 };
                last.placement = placement;
            }
        } else if play.gap && play.observed.is_empty() {
            play.note(Observed { placement, pressed: None, dumps: 1 });
        }
    }

    /// What stands against a line from a position of the game; none when it cannot have been played.
    pub(super) fn weigh(&self, play: &Play, from: &Chess, faults: BoardFaults, moves: &[Move]) -> Option<usize> {
        let sure = || play.observed.iter().filter(|observed| observed.dumps > 0);
        if sure().next().is_some() && !passes(sure(), from, faults, moves) {
            return None;
        }
        if (play.gap || !self.lever) && !passes_stable(&play.stable, from, faults, moves) {
            return None;
        }
        // After a gap the lever tells who is to move; the board's log knows better, and so does the next press.
        let last = Side::from(if moves.len() % 2 == 1 { from.turn() } else { !from.turn() });
        if play.gap
            && play.log == LogSearch::Untried
            && self.running == Some(last)
            && !self.last_move_was_seen(play, moves)
        {
            return None;
        }
        Some(self.disorder(moves))
    }

    /// Whether the last move was made before our eyes, after the gap: its player has only not pressed yet.
    fn last_move_was_seen(&self, play: &Play, moves: &[Move]) -> bool {
        let Standing::Open { since, .. } = play.standing else { return false };
        moves.last().is_some_and(|mv| self.changed_at[mv.to().to_usize()] > since)
    }

    /// How many pairs of moves stand against the order in which their pieces left their squares.
    pub(super) fn disorder(&self, moves: &[Move]) -> usize {
        let left = |mv: &Move| mv.from().map(|square| self.changed_at[square.to_usize()]);
        let pairs =
            moves.iter().enumerate().flat_map(|(i, first)| moves[i + 1..].iter().map(move |then| (first, then)));
        pairs.filter(|(first, then)| left(first) > left(then)).count()
    }
}

/// A position of a line.
struct Node {
    placement: Placement,
    /// Who made the move to it.
    mover: Side,
    /// The move from it and its colour.
    next: Option<(Color, Move)>,
}

/// Whether the placements are met on the line, in their order.
fn passes<'a>(observed: impl Iterator<Item = &'a Observed>, from: &Chess, faults: BoardFaults, moves: &[Move]) -> bool {
    let believed =
        observed.map(|observed| Observed { placement: observed.placement.without(faults.dead), ..*observed });
    meets_all(believed, &nodes(from, faults, moves), meets)
}

/// Whether placements that stood for a while are met on the line, in their order, but for pieces in a hand.
pub(super) fn passes_stable(stable: &[Placement], from: &Chess, faults: BoardFaults, moves: &[Move]) -> bool {
    let believed = stable.iter().map(|seen| seen.without(faults.dead));
    stable.is_empty()
        || meets_all(believed, &nodes(from, faults, moves), |seen, node, next| fits(seen, node, next, |_| true))
}

fn nodes(from: &Chess, faults: BoardFaults, moves: &[Move]) -> Vec<Node> {
    let (mut position, mut faults) = (from.clone(), faults);
    let mut nodes = Vec::with_capacity(moves.len() + 1);
    for index in 0..=moves.len() {
        let next = moves.get(index).map(|&mv| (position.turn(), mv));
        let by = Side::from(position.turn()).other();
        nodes.push(Node { placement: faults.shows(position.board()), mover: by, next });
        let Some((turn, mv)) = next else { break };
        faults = faults.after(turn, mv);
        let Ok(after) = position.play(mv) else { break };
        position = after;
    }
    nodes
}

fn meets_all<T>(
    observed: impl Iterator<Item = T>,
    nodes: &[Node],
    meets: impl Fn(&T, &Node, Option<&Node>) -> bool,
) -> bool {
    let mut rest = nodes;
    for observed in observed {
        let met = (0..rest.len()).find(|&at| rest.get(at).is_some_and(|node| meets(&observed, node, rest.get(at + 1))));
        let Some(met) = met else { return false };
        rest = rest.get(met..).unwrap_or_default();
    }
    true
}

fn meets(observed: &Observed, node: &Node, next: Option<&Node>) -> bool {
    match observed.pressed {
        Some(side) => {
            node.mover == side && fits(&observed.placement, node, next, |color| color != Some(node.mover.into()))
        }
        // What two dumps have shown alike stood there for more than a moment.
        None => {
            on_the_way(&observed.placement, node)
                && (observed.dumps < 2 || fits(&observed.placement, node, next, |_| true))
        }
    }
}

/// Whether each piece that was seen stands there in the position too, or in the next one: its move may have begun. Pieces
/// that may have been in a hand need not stand: those of a player who pressed all do.
fn fits(seen: &Placement, node: &Node, next: Option<&Node>, in_hand: impl Fn(Option<Color>) -> bool) -> bool {
    Square::ALL.into_iter().all(|square| {
        let (piece, wanted) = (seen.get(square), node.placement.get(square));
        let then = || next.is_some_and(|next| next.placement.get(square) == piece);
        let lifted = || piece == PieceCode::Empty && in_hand(color_of(wanted));
        piece == wanted || lifted() || then()
    })
}

/// Whether a placement shows a position, or the next move from it being made: its squares may be empty, and its piece may be
/// anywhere for a moment.
fn on_the_way(seen: &Placement, node: &Node) -> bool {
    let differing = node.placement.difference(seen);
    let Some((turn, mv)) = node.next else {
        return differing.iter().all(|&square| seen.get(square) == PieceCode::Empty);
    };
    let squares = squares_of(turn, mv);
    let in_hand = mv.from().map(|square| node.placement.get(square));
    let strange = |square: &Square| !squares.contains(&Some(*square));
    differing.iter().filter(|square| strange(square)).all(|&square| Some(seen.get(square)) == in_hand)
}
