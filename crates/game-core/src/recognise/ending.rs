//! How a game ends on the board (mate, stalemate, result signal), and how such an end is undone.

use notation::pgn::Outcome;
use shakmaty::{Color, Move, Position};

use super::{Conclusion, DONE_MS, Recogniser};
use crate::event::Evidence;
use crate::placement::Placement;
use crate::play::{Claim, Play, Standing};
use crate::result_signal::{goes_to_centre, result_signal};
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
    pub(super) fn end_by_signal(&mut self) {
        let Some(play) = &mut self.play else { return };
        play.signal_since = None;
        let Some((outcome, reason)) = result_signal(&self.placement, self.dead) else { return };
        let firm = self.play.as_ref().map_or(0, |play| self.plies_before_stop(play));
        let Some(play) = &mut self.play else { return };
        let head = play.line.plies();
        let last_move = play.line.move_at(head).filter(|_| head > play.confirmed);
        let was_made = last_move.is_none_or(|mv| !goes_to_centre(mv) && hand_was_done(play, mv, &self.placement));
        let last = if was_made { head } else { head - 1 }.min(firm);
        play.truncate(last);
        self.confirm_to(last, Evidence::Quiet);
        if let Some(play) = &mut self.play
            && !std::mem::replace(&mut play.over, true)
        {
            play.claim = Some(Claim::Signal);
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

/// Whether the hand was done with the last move before the pieces were moved about: it stood for a while, or its piece still
/// stands there.
fn hand_was_done(play: &Play, last: Move, placement: &Placement) -> bool {
    let stood = !matches!(play.standing, Standing::Open { held: ..DONE_MS, .. });
    stood || placement.get(last.to()) == play.line.head_placement().get(last.to())
}
