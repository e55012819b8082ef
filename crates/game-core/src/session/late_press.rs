//! Presses that come after their move was published.

use super::state::{BoardSession, LatePress};
use crate::time::Timestamp;

impl BoardSession {
    /// Assigns the last press to a published move that it did not confirm: the mover pressed late, or a second time after
    /// the opponent pressed back.
    pub(super) fn use_late_press(&mut self, now: Timestamp) {
        let (Some(press), Some(line)) = (self.times.last_press(), self.recogniser.line()) else { return };
        let side = self.clock.side(press.left);
        let head = line.plies();
        let ply = if head > 0 && line.mover(head) != side { head - 1 } else { head };
        let answered = ply < head;
        // While the board shows another position, the press may end a move that is not recognised yet. For a move with a
        // reply it counts only if the turn was seen from its beginning.
        let watched = press.turn.is_some_and(|turn| turn.run.is_some());
        // A person has ended the game: a further press belongs to play that goes on.
        if self.recogniser.can_play_on() && self.times.has_press(ply) {
            return;
        }
        // What stands there while a position is set up is not known to be the head.
        if self.recogniser.awaits_position() {
            return;
        }
        let late = !answered || watched && !self.times.has_press(ply);
        if ply == 0 || !late || !self.recogniser.shows_head() {
            return;
        }
        let late = LatePress { press, ply, head };
        if self.recogniser.has_gap() {
            // It may end an unseen move; this is decided once the board shows the head.
            self.waiting_press = Some(late).filter(|_| watched);
        } else {
            self.give_late_press(now, late);
        }
    }

    /// Uses a late press that came after a gap, once the board shows the same position or one move more: no move went
    /// unseen.
    pub(super) fn use_waiting_press(&mut self, now: Timestamp) {
        if self.recogniser.has_gap() {
            return;
        }
        let Some(late) = self.waiting_press.take() else { return };
        let plies = self.recogniser.plies_shown();
        if self.times.last_press() == Some(late.press) && (late.head..=late.head + 1).contains(&plies) {
            self.give_late_press(now, late);
        }
    }

    fn give_late_press(&mut self, now: Timestamp, LatePress { press, ply, .. }: LatePress) {
        if ply > self.recogniser.confirmed() {
            return;
        }
        self.times.use_last_press();
        self.times.set_press(ply, press);
        self.amend(now, ply);
    }
}
