//! Follows the board along the line of play, and confirms moves.

use shakmaty::{Move, Square};

use super::edit_distance::Explanation;
use super::{Conclusion, DONE_MS, PRESS_BEFORE_MOVE_MS, Recogniser, SETTLE_MS, SQUARES_OF_A_GAME, TAKEBACK_PLIES};
use crate::event::{Evidence, Side};
use crate::line_search::SearchResult;
use crate::placement::color_of;
use crate::play::{DumpAgreement, Play, Standing};
use crate::result_signal::result_signal;
use crate::time::Timestamp;
use crate::touched::Touched;

impl Recogniser {
    /// Compares the board with the line after a change.
    pub(super) fn look(&mut self, now: Timestamp) {
        let hash = self.placement.hash();
        if self.follow_line(now, hash) {
            return;
        }
        if self.look_for_start(now) || self.look_for_chess960(now) {
            return;
        }
        self.stand_open(now);
        if let Some(play) = &mut self.play {
            play.alternative = play.alternative_to_delayed(hash).or(play.alternative);
            play.signal_since = match (result_signal(&self.placement, self.dead), play.signal_since) {
                (None, _) => None,
                (Some(_), None) => Some(now),
                (Some(_), since) => since,
            };
        }
        if self.is_idle() {
            self.settles_at = Some(now.plus(SETTLE_MS));
        } else {
            self.confirm_before_reset();
        }
    }

    /// The board shows something else than the head.
    pub(super) fn stand_open(&mut self, now: Timestamp) {
        let Some(play) = &mut self.play else { return };
        let (since, held) = match play.standing {
            Standing::Head { since } => (now, now.since(since)),
            Standing::Open { since, held, .. } => (since, held),
        };
        play.standing = Standing::Open { since, changed: now, examined: false, held };
    }

    /// When all the pieces are moved about, the hand was done with the last move if it had stood for a while.
    fn confirm_before_reset(&mut self) {
        let Some(play) = self.play.as_ref().filter(|play| play.line.plies() > play.confirmed) else { return };
        if let Standing::Open { held: DONE_MS.., .. } = play.standing
            && self.placement.difference(&play.line.head_placement()).len() > SQUARES_OF_A_GAME
        {
            self.confirm_to(self.plies_before_stop(play), Evidence::Quiet);
        }
    }

    /// Follows the board to the head, one move on, or to another move or fewer moves where they are provisional.
    fn follow_line(&mut self, now: Timestamp, hash: u64) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| !play.is_over()) else { return false };
        let (head, firm) = (play.line.plies(), self.plies_before_stop(play));
        // A piece that goes to a blind square is no more than lifted: that answers no move.
        let unseen = |mv: Move| self.dead.contains(mv.to());
        let mut to_ply = head;
        let mut mv = None;
        if hash != play.line.hash(head) {
            // With the clock stopped, a position of the game is that position and not the same one reached by new moves.
            let earlier = self.stopped.and_then(|_| play.line.last_ply_with(hash, TAKEBACK_PLIES));
            if let Some(ply) = play.line.last_ply_with(hash, head - play.confirmed).or(earlier) {
                if ply < play.confirmed {
                    return false;
                }
                to_ply = ply;
            } else if let Some(next) =
                play.line.next_move_to(hash).filter(|&next| head == play.confirmed || !unseen(next))
            {
                mv = Some(next);
            } else if head > play.confirmed
                && let Some(other) = play.line.other_move_to(hash)
            {
                (to_ply, mv) = (head - 1, Some(other));
            } else if let Some(moves) = play.reply_to_alternative(hash) {
                self.replace(now, head - 1, &moves, false, Evidence::Reply);
                return true;
            } else {
                return false;
            }
        }
        if to_ply == head && mv.is_some() {
            if self.suspects_another_move() {
                return false;
            }
            self.confirm_to(firm, Evidence::Reply);
        } else if let Some(play) = &mut self.play {
            play.truncate(to_ply);
        }
        if let Some(mv) = mv {
            self.push(now, mv);
        } else if to_ply == head && !self.lever && self.stopped.is_none() {
            self.restart_sighting(now);
        }
        self.stand_on_head(now);
        true
    }

    /// How the game goes on if the board is followed as it stands.
    pub(super) fn continuation(&self, play: &Play) -> Option<Explanation> {
        let (hash, head) = (self.placement.hash(), play.line.plies());
        let back = || play.line.last_ply_with(hash, head - play.confirmed).map(|ply| (ply, Vec::new()));
        let on = || play.line.next_move_to(hash).map(|mv| (head, vec![mv]));
        let other = || {
            let instead = play.line.other_move_to(hash).filter(|_| head > play.confirmed)?;
            Some((head - 1, vec![instead]))
        };
        back().or_else(on).or_else(other)
    }

    /// The head is back on the board before it is confirmed: unless it was the opponent who touched a piece, the hand was not
    /// done with the move when it was seen first.
    fn restart_sighting(&mut self, now: Timestamp) {
        let Some(play) = self.play.as_mut().filter(|play| play.line.plies() > play.confirmed) else { return };
        let (Standing::Open { since, .. }, opponent) = (play.standing, play.line.to_move()) else { return };
        let touched = |&square: &Square| self.changed_at[square.to_usize()] >= since;
        let by_opponent =
            |square: Square| color_of(self.placement.get(square)).is_some_and(|color| Side::from(color) == opponent);
        if let Some(seen) = play.seen.last_mut()
            && !Square::ALL.into_iter().filter(touched).any(by_opponent)
        {
            *seen = now;
        }
    }

    pub(super) fn stand_on_head(&mut self, now: Timestamp) {
        self.touched = Touched::NOTHING;
        let Some(play) = &mut self.play else { return };
        play.standing = Standing::Head { since: now };
        play.gap = false;
        play.signal_since = None;
        play.clear_observations();
        if std::mem::take(&mut play.unexplained_told) {
            self.conclusions.push_back(Conclusion::Resolved);
        }
        self.use_press(now);
    }

    /// Lets the last press confirm the move it belongs to.
    pub(super) fn use_press(&mut self, now: Timestamp) {
        let Some(play) = &self.play else { return };
        let Some((side, pressed)) = play.press else { return };
        if play.over || now.since(pressed) > PRESS_BEFORE_MOVE_MS {
            return;
        }
        let head = play.line.plies();
        // A lever that is moved while the clock stands, as when it is set for the next game, ends no move that comes after.
        if self.running.is_none() && play.seen.last().is_some_and(|&seen| seen > pressed) {
            return;
        }
        let provisional = head > play.confirmed && play.line.mover(head) == side;
        if provisional && self.placement.agrees_on(side.into(), &play.line.head_placement()) {
            self.confirm_to(head, Evidence::Lever);
            if let Some(play) = self.play.as_mut().filter(|play| matches!(play.standing, Standing::Open { .. })) {
                // The press has ended a move that is known, whatever else is on the board.
                play.presses = play.presses.saturating_sub(1);
                play.observed.pop();
            }
        } else if play.line.mover(head) == side
            && let Some(instead) = play.alternative_to_delayed(self.placement.hash())
        {
            self.replace(now, head - 1, &[instead], false, Evidence::Lever);
        } else if play.line.to_move() == side
            && matches!(play.standing, Standing::Open { .. })
            && self.stopped.is_none()
            && self.contradiction(play).is_none()
            && !self.suspects_another_move()
        {
            match play.dump_agreement {
                // What a dump has shown is believed when a second one shows it too.
                DumpAgreement::DiffersOnce => self.dump_wanted = true,
                DumpAgreement::DiffersTwice => {
                    self.explain_dump_difference(now);
                    self.suspect_if_open(now);
                }
                // The press says that the move is complete: two plies may have come as one burst.
                DumpAgreement::Unknown | DumpAgreement::Agrees => {
                    match self.search_from(play, head, self.limits(2, play)) {
                        SearchResult::Found(moves) if self.disorder(&moves) == 0 => {
                            self.follow(now, &moves, Evidence::Lever);
                        }
                        // The move is on the board; if it does not show, its message was lost, or the board has a fault.
                        SearchResult::Found(_) => self.dump_wanted = true,
                        SearchResult::Ambiguous(_) | SearchResult::None => {
                            self.dump_wanted = true;
                            self.suspect_if_open(now);
                        }
                    }
                }
            }
        }
    }

    /// The board may have a fault when a press has ended a move that does not show.
    pub(super) fn suspect_if_open(&mut self, now: Timestamp) {
        if !self.shows_head() && !self.fault_has_passed(now) {
            self.suspect_faults(now);
        }
    }

    /// What was taken for the press that ended a ply was none: the hand may go on.
    pub(crate) fn remove_press(&mut self, ply: usize) {
        if let Some(play) = self.play.as_mut().filter(|play| play.confirmed == ply) {
            play.by_delay = true;
        }
    }

    pub(super) fn push(&mut self, now: Timestamp, mv: Move) {
        if let Some(play) = &mut self.play {
            play.push(now, mv);
        }
    }

    /// Confirms the line up to a ply.
    pub(super) fn confirm_to(&mut self, last: usize, evidence: Evidence) {
        let Some(play) = &mut self.play else { return };
        let before = play.confirmed;
        while play.confirmed < last.min(play.line.plies()) {
            let seen = play.seen.get(play.confirmed).copied().unwrap_or_default();
            play.confirmed += 1;
            play.by_delay = evidence == Evidence::Quiet;
            self.conclusions.push_back(Conclusion::Confirmed { ply: play.confirmed, seen, evidence });
        }
        if play.confirmed == before {
            return;
        }
        play.press = None;
        if play.confirmed == play.line.plies() && play.line.is_finished() {
            self.end_by_rules(evidence);
        }
    }
}
