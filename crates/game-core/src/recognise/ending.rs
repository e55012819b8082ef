//! How a game ends on the board: mate, stalemate, a sign; and how such an end is undone.
//!
//! Part of the recogniser; knows what it knows.

use notation::pgn::Outcome;
use shakmaty::{Color, Position};

use super::{Conclusion, Recogniser};
use crate::event::Evidence;
use crate::play::Claim;
use crate::sign::{goes_to_centre, sign};
use crate::time::Timestamp;

impl Recogniser {
    /// The last confirmed move has left no legal move.
    pub(crate) fn end_by_rules(&mut self, evidence: Evidence) {
        let Some(play) = &mut self.play else { return };
        let head = play.line.head();
        let (outcome, reason) = match (head.is_check(), head.turn()) {
            (false, _) => (Outcome::Draw, "stalemate"),
            (true, Color::White) => (Outcome::BlackWins, "checkmate"),
            (true, Color::Black) => (Outcome::WhiteWins, "checkmate"),
        };
        play.over = true;
        // A mate that was pressed is one; a clock that runs on after another tells that the hand went on.
        play.claim = (evidence == Evidence::Quiet && self.lever).then_some(Claim::Rules);
        self.conclusions.push_back(Conclusion::Over { outcome, reason, evidence: Evidence::Rules });
    }

    /// A sign that declares a result has stood long enough.
    pub(super) fn end_by_sign(&mut self) {
        let Some(play) = &mut self.play else { return };
        play.sign_since = None;
        let Some((outcome, reason)) = sign(&self.placement, self.blind) else { return };
        let firm = self.play.as_ref().map_or(0, |play| self.firm(play));
        let Some(play) = &mut self.play else { return };
        let head = play.line.plies();
        let half_of_the_sign = head > play.confirmed && play.line.move_at(head).is_some_and(goes_to_centre);
        let last = if half_of_the_sign { head - 1 } else { head }.min(firm);
        play.truncate(last);
        self.confirm_to(last, Evidence::Quiet);
        if let Some(play) = &mut self.play
            && !std::mem::replace(&mut play.over, true)
        {
            play.claim = Some(Claim::Sign);
            self.conclusions.push_back(Conclusion::Over { outcome, reason, evidence: Evidence::Quiet });
        }
    }

    /// The game goes on after all.
    pub(super) fn undo_end(&mut self, now: Timestamp) {
        let Some(play) = &mut self.play else { return };
        if play.claim.take().is_none() {
            return;
        }
        play.over = false;
        self.conclusions.push_back(Conclusion::Undone);
        self.look(now);
    }
}
