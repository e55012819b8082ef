//! Placements that are more than one legal move away: several plies at once, moves missed in a gap, takebacks.
//!
//! Part of the recogniser; knows what it knows. An explanation that competes with another is no explanation.

use dgt_protocol::PieceCode;
use shakmaty::{Move, Position};

use super::{BRIDGE_PLIES, BRIDGE_POSITIONS, Conclusion, IN_HAND_MS, Recogniser, TAKEBACK_PLIES, UNEXPLAINED_MS};
use crate::bridge::{Bridge, Limits, bridge};
use crate::event::Evidence;
use crate::placement::squares_of;
use crate::play::{Play, Standing};
use crate::time::Timestamp;

impl Recogniser {
    /// How many pairs of moves stand against the order in which their pieces left their squares.
    pub(super) fn disorder(&self, moves: &[Move]) -> usize {
        let left = |mv: &Move| mv.from().map(|square| self.changed_at[square.to_usize()]);
        let pairs =
            moves.iter().enumerate().flat_map(|(i, first)| moves[i + 1..].iter().map(move |then| (first, then)));
        pairs.filter(|(first, then)| left(first) > left(then)).count()
    }

    /// Looks closely at a placement that has settled and that nothing explains.
    pub(super) fn examine(&mut self, now: Timestamp) {
        let Some(play) = &mut self.play else { return };
        if let Standing::Open { examined, .. } = &mut play.standing {
            *examined = true;
        }
        self.dump_wanted = true;
        let Some(play) = &self.play else { return };
        let taken_back = !play.gap && self.contradiction(play).is_some();
        if taken_back || self.only_lifted(play) {
            return;
        }
        let mut limits = self.limits(BRIDGE_PLIES, play);
        match bridge(play.line.head(), &self.placement, limits, |moves| self.disorder(moves)) {
            Bridge::Found(moves) => self.follow(now, &moves, Evidence::Dump),
            Bridge::None if play.line.plies() > play.confirmed => {
                let before = play.line.plies() - 1;
                if let (Some(touched), Some(last)) = (&mut limits.touched, play.line.move_at(before + 1)) {
                    let turn = play.line.position(before).turn();
                    touched.extend(squares_of(turn, last).into_iter().flatten());
                }
                let position = play.line.position(before);
                if let Bridge::Found(moves) = bridge(position, &self.placement, limits, |moves| self.disorder(moves)) {
                    if let Some(play) = &mut self.play {
                        play.truncate(before);
                    }
                    self.follow(now, &moves, Evidence::Dump);
                }
            }
            Bridge::None | Bridge::Ambiguous => {}
        }
    }

    /// Adds moves found by a bridge; each but the last is confirmed by the one after it.
    pub(super) fn follow(&mut self, now: Timestamp, moves: &[Move], evidence: Evidence) {
        for &mv in moves {
            let firm = self.play.as_ref().map_or(0, |play| self.firm(play));
            self.confirm_to(firm, evidence);
            self.push(now, mv);
        }
        self.stand_on_head(now);
    }

    pub(super) fn limits(&self, plies: usize, play: &Play) -> Limits {
        Limits { plies, positions: BRIDGE_POSITIONS, touched: (!play.gap).then_some(self.touched) }
    }

    /// Whether the board differs from the head only by pieces that are not on it.
    pub(super) fn only_lifted(&self, play: &Play) -> bool {
        let lifted = self.placement.difference(&play.line.head_placement());
        lifted.iter().all(|&square| self.placement.get(square) == PieceCode::Empty)
    }

    pub(super) fn patience_ms(&self, play: &Play) -> u64 {
        if self.only_lifted(play) { IN_HAND_MS } else { UNEXPLAINED_MS }
    }

    /// What the board says against the last confirmed moves: how many plies stay, and the move then played, if any.
    pub(super) fn contradiction(&self, play: &Play) -> Option<(usize, Option<Move>)> {
        let head = play.line.plies();
        let hash = self.placement.hash();
        if let Some(mv) = play.line.other_move_to(hash).filter(|_| head == play.confirmed) {
            return Some((head - 1, Some(mv)));
        }
        let to_ply = play.line.last_ply_with(hash, TAKEBACK_PLIES)?;
        (to_ply < play.confirmed).then_some((to_ply, None))
    }

    pub(super) fn correct(&mut self, now: Timestamp, (to_ply, instead): (usize, Option<Move>)) {
        let Some(play) = &mut self.play else { return };
        play.truncate(to_ply);
        self.conclusions.push_back(Conclusion::Retracted { to_ply });
        self.undo_end(now);
        if let Some(mv) = instead {
            self.push(now, mv);
            self.confirm_to(to_ply + 1, Evidence::Quiet);
        }
        self.stand_on_head(now);
    }

    pub(super) fn tell_unexplained(&mut self) {
        let Some(play) = &mut self.play else { return };
        play.unexplained_told = true;
        let squares = self.placement.difference(&play.line.head_placement());
        self.conclusions.push_back(Conclusion::Unexplained(squares));
    }
}
