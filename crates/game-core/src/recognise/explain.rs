//! Placements that are more than one legal move away: several plies at once, moves missed in a gap, takebacks.
//!
//! Part of the recogniser; knows what it knows. An explanation that competes with another is no explanation.

use dgt_protocol::PieceCode;
use shakmaty::{Move, Position};

use super::{
    BRIDGE_PLIES, BRIDGE_POSITIONS, Conclusion, IN_HAND_MS, LOG_MS, Recogniser, TAKEBACK_PLIES, UNEXPLAINED_MS,
};
use crate::bridge::{Bridge, Limits, bridge};
use crate::event::Evidence;
use crate::placement::squares_of;
use crate::play::{LogSearch, Play, Standing, Stood};
use crate::time::Timestamp;

impl Recogniser {
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
        if play.gap && play.log == LogSearch::Untried {
            // The board itself knows the order, and what a search could not find.
            limits.any_order = false;
            match self.bridge_from(play, play.line.plies(), limits) {
                Bridge::Found(moves) => self.follow(now, &moves, Evidence::Dump),
                Bridge::None | Bridge::Ambiguous(_) => self.ask_log(now),
            }
            return;
        }
        if matches!(play.log, LogSearch::Asked { .. }) {
            return;
        }
        match self.bridge_from(play, play.line.plies(), limits) {
            Bridge::Found(moves) => self.follow(now, &moves, Evidence::Dump),
            Bridge::Ambiguous(candidates) => self.keep_candidates(candidates),
            Bridge::None if play.line.plies() > play.confirmed => {
                let before = play.line.plies() - 1;
                if let (Some(touched), Some(last)) = (&mut limits.touched, play.line.move_at(before + 1)) {
                    let turn = play.line.position(before).turn();
                    for square in squares_of(turn, last).into_iter().flatten() {
                        touched.add_all(square);
                    }
                }
                if let Bridge::Found(moves) = self.bridge_from(play, before, limits) {
                    if let Some(play) = &mut self.play {
                        play.truncate(before);
                    }
                    self.follow(now, &moves, Evidence::Dump);
                }
            }
            Bridge::None => {}
        }
    }

    /// Looks for a line from the position after a ply to the board as it stands, through all that stood in between.
    pub(super) fn bridge_from(&self, play: &Play, ply: usize, limits: Limits) -> Bridge {
        let from = play.line.position(ply);
        bridge(from, &self.placement, limits, |moves| self.weigh(play, from, moves))
    }

    fn keep_candidates(&mut self, candidates: [Vec<Move>; 2]) {
        if let Some(play) = &mut self.play {
            play.candidates = candidates.into();
        }
    }

    fn ask_log(&mut self, now: Timestamp) {
        if let Some(play) = &mut self.play {
            play.log = LogSearch::Asked { until: now.plus(LOG_MS) };
            self.log_wanted = true;
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
        Limits {
            at_least: play.presses,
            plies,
            positions: BRIDGE_POSITIONS,
            any_order: true,
            touched: (!play.gap).then_some(self.touched),
        }
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
        let earlier = || {
            let to_ply = play.line.last_ply_with(hash, TAKEBACK_PLIES)?;
            (to_ply < play.confirmed && to_ply >= play.ordered).then_some((to_ply, None))
        };
        let instead = || {
            let mv = play.line.other_move_to(hash).filter(|_| head == play.confirmed && head > play.ordered)?;
            Some((head - 1, Some(mv)))
        };
        // The same pieces may be the game's position of some moves ago or the last move made otherwise. What is put right
        // while the clock stands goes back to what was; a hand that is at work goes on.
        if self.stopped.is_some() { earlier().or_else(instead) } else { instead().or_else(earlier) }
    }

    /// The contradiction that may be acted upon. With the clock stopped it may be analysis; when it runs again it is a
    /// correction. After a gap the board's log is heard first.
    pub(super) fn correction(&self, play: &Play) -> Option<(usize, Option<Move>)> {
        let heard = !play.gap || play.log == LogSearch::Done;
        self.contradiction(play).filter(|_| heard && self.stopped.is_none())
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
        let placement = self.placement;
        play.note(Stood { placement, pressed: None, sure: true });
        let squares = placement.difference(&play.line.head_placement());
        self.conclusions.push_back(Conclusion::Unexplained(squares));
    }
}
