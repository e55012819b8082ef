//! An illegal move that stands: reports that play goes on from an unexplained position.
//!
//! With a clock two presses show it; without one, moves of both players that are legal from that position. Nothing is
//! reported while a fault may explain the board.

use shakmaty::Position;

use super::start::position_of;
use super::{Conclusion, Recogniser};
use crate::board_faults::BoardFaults;
use crate::event::Evidence;
use crate::line::Line;
use crate::placement::Placement;
use crate::play::{Play, Standing};
use crate::time::Timestamp;

/// Presses after the report of the unexplained position by which play goes on.
const PRESSES: usize = 2;
/// Plies by which play goes on without a clock: two moves of each player, because putting pieces right looks like moves too.
const PLIES: usize = 4;

impl Recogniser {
    /// Nothing explains the board: perhaps the game goes on from what stands there.
    pub(super) fn suppose_illegal_move(&mut self, now: Timestamp) {
        let Some(play) = self.play.as_ref().filter(|_| !self.speculative && !self.lever) else { return };
        if self.played_on.is_some() || play.line.faults() != BoardFaults::default() {
            return;
        }
        let Some(position) = position_of(&self.placement, !play.line.head().turn()) else { return };
        let line = Line::new(position, play.line.variant());
        self.played_on = Some(Box::new(self.view(now, line.faults(), line, false)));
    }

    /// Confirms the last move when its player has left all of his pieces where it puts them and the other one has moved one of
    /// his: an answer that is illegal is one too.
    pub(super) fn confirm_answered(&mut self, shown: Option<Placement>) {
        let (Some(play), Some(shown)) = (&self.play, shown) else { return };
        let head = play.line.head_placement();
        if !self.lever && shown.agrees_on(!play.line.head().turn(), &head) {
            self.confirm_to(self.plies_before_stop(play), Evidence::Reply);
        }
    }

    /// Says once that the game goes on from an illegal position, when it does.
    pub(super) fn report_play_after_illegal_move(&mut self) {
        let Some(play) = &self.play else { return };
        let stands = !play.is_over() && !play.gap && matches!(play.standing, Standing::Open { .. });
        let contradicts = |told: Conclusion| matches!(told, Conclusion::Unexplained(_) | Conclusion::Retracted { .. });
        let refuted = self.played_on.as_mut().is_some_and(|view| view.conclusions.drain(..).any(contradicts));
        if !stands || refuted {
            self.played_on = None;
        }
        let moved_on = self.played_on.as_ref().is_some_and(|view| view.confirmed() >= PLIES);
        let undecided = |play: &Play| !self.hypotheses.is_empty() || !play.candidates.is_empty();
        // No move of a game is made after a mate.
        let goes_on = stands && play.unexplained_told && !undecided(play) && !play.line.is_finished();
        if goes_on && !play.played_on_told && (moved_on || play.presses_unexplained >= PRESSES) {
            let from = self.played_on.as_ref().and_then(|view| view.line()).map(|line| line.position(0).board());
            self.confirm_answered(from.map(Placement::from_board));
            if let Some(play) = &mut self.play {
                play.played_on_told = true;
            }
            self.conclusions.push_back(Conclusion::PlayedOn);
        }
    }
}
