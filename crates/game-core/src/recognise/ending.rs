//! How a game ends on the board: mate, stalemate, the kings' sign.
//!
//! Part of the recogniser; knows what it knows.

use super::{Conclusion, Recogniser};
use crate::event::Evidence;
use crate::sign::{goes_to_centre, kings_sign};

impl Recogniser {
    pub(super) fn end_by_kings(&mut self) {
        let Some(play) = &mut self.play else { return };
        play.kings_since = None;
        let Some(outcome) = kings_sign(&self.placement) else { return };
        let head = play.line.plies();
        let half_of_the_sign = head > play.confirmed && play.line.move_at(head).is_some_and(goes_to_centre);
        if half_of_the_sign {
            play.truncate(head - 1);
        } else {
            self.confirm_to(head, Evidence::Quiet);
        }
        if let Some(play) = &mut self.play
            && !std::mem::replace(&mut play.over, true)
        {
            let reason = "kings in the centre";
            self.conclusions.push_back(Conclusion::Over { outcome, reason, evidence: Evidence::Quiet });
        }
    }
}
