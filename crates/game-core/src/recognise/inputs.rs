//! The inputs of a recogniser: updates, dumps, presses, the state of the clock, loss of contact. Every hypothesis receives
//! them too.

use dgt_protocol::{Field, Fields, PieceCode};

use super::start::stands_turned;
use super::{DUMP_AGAIN_MS, Recogniser, SETTLE_MS, STOP_MS};
use crate::event::Side;
use crate::message_log::BoardMessage;
use crate::placement::{Placement, square_of};
use crate::play::{Claim, DumpAgreement, LogSearch, Observed, Play, Standing};
use crate::time::Timestamp;

impl Recogniser {
    /// What the clock does. Whose time is `running`, if it is at work: its lever confirms moves instead of quiet; stopped after it was at work, nothing that
    /// is done on the board counts until it runs again or is pressed.
    pub(crate) fn set_clock(&mut self, now: Timestamp, running: Option<Side>, stopped: bool) {
        let at_work = running.is_some();
        self.each_view(|view| view.set_clock(now, running, stopped));
        self.running = running;
        self.lever = at_work;
        let restarted = self.stopped.is_some() && !stopped;
        let went_back = self.play.as_ref().filter(|_| restarted).and_then(|play| self.contradiction(play));
        self.stopped = stopped.then(|| self.stopped.unwrap_or(now));
        if let (true, Some(play)) = (restarted, &mut self.play) {
            // What was wrong on the board has been dealt with.
            play.observed.clear();
        }
        let claim = self.play.as_ref().and_then(|play| play.claim);
        // The clock may run for the next game, whose pieces stand there, if not quite right.
        if at_work && claim == Some(Claim::Signal) && self.wrong_start.squares.is_empty() {
            self.undo_end(now);
        }
        if let (Some(play), Some(since)) = (&mut self.play, self.stopped) {
            // The sign counts while the clock stands.
            play.signal_since = play.signal_since.map(|shown| shown.max(since));
        }
        // What the players went back to while the clock stood is where they go on from.
        if let Some(went_back) = went_back
            && let Some(play) = self.play.as_ref().filter(|play| !play.over)
            && let Standing::Open { changed, .. } = play.standing
            && now.since(changed) >= SETTLE_MS
        {
            self.correct(now, went_back);
        }
    }

    /// How many plies of the line were made while the clock did not stand.
    pub(super) fn plies_before_stop(&self, play: &Play) -> usize {
        let head = play.line.plies();
        let Some(stopped) = self.stopped else { return head };
        let before = |&&seen: &&Timestamp| seen <= stopped.plus(STOP_MS);
        play.seen.iter().take_while(before).count().clamp(play.confirmed, head)
    }

    /// A field update. The placement follows it whatever it says.
    pub(crate) fn handle_update(&mut self, now: Timestamp, field: Field, piece: PieceCode) {
        self.each_view(|view| view.handle_update(now, field, piece));
        let square = square_of(field, self.rotated);
        self.changed_at[square.to_usize()] = now;
        if piece != PieceCode::Empty {
            self.working.add(square);
        }
        if self.dead.contains(square) {
            self.handle_dead_report(now, square, piece);
        } else {
            self.touched.add(square, piece);
            self.log_message(now, BoardMessage::Change(square, piece));
            if self.placement.set(square, piece) == piece {
                // What came before it was lost.
                self.dump_wanted = self.known;
                if piece == PieceCode::Empty {
                    // Any piece may have stood there.
                    self.touched.add_all(square);
                }
            } else if self.play.as_ref().is_some_and(|play| play.unseen) {
                // What else has changed is not known yet.
                self.dump_wanted = true;
            } else if self.speculative || !self.prefers_revision(now) {
                self.look(now);
                let sure = |play: &Play| {
                    play.dump_agreement == DumpAgreement::DiffersTwice && matches!(play.standing, Standing::Open { .. })
                };
                if self.play.as_ref().is_some_and(sure) && !self.speculative {
                    self.explain_dump_difference(now);
                }
            }
        }
        self.judge(now);
    }

    /// Bytes arrived that make no message: one may have told of a change.
    pub(crate) fn lost_message(&mut self, now: Timestamp) {
        self.each_view(|view| view.lost_message(now));
        self.log_message(now, BoardMessage::Garbled);
    }

    fn log_message(&mut self, now: Timestamp, message: BoardMessage) {
        if let Some(play) = &mut self.play {
            play.messages.add(now, message);
        }
    }

    /// A full dump, asked for at `asked`: the truth, except for squares that changed after it was asked for.
    pub(crate) fn handle_dump(&mut self, now: Timestamp, fields: &Fields, asked: Option<Timestamp>) {
        self.each_view(|view| view.handle_dump(now, fields, asked));
        let mut shown = Placement::from_fields(fields, self.rotated);
        if !self.known && self.play.is_none() && !self.dead.is_empty() && stands_turned(&shown) {
            // Somebody named squares of a board that nobody had looked at.
            self.rotated = !self.rotated;
            shown = shown.turned();
        }
        for square in shown.occupied() {
            self.working.add(square);
        }
        for square in self.found_dead {
            self.handle_dead_report(now, square, shown.get(square));
        }
        let dump = shown.without(self.dead);
        let before = self.placement.hash();
        let (mut changed, mut doubtful) = (false, false);
        for square in self.placement.difference(&dump) {
            let late = asked.is_some_and(|asked| self.changed_at[square.to_usize()] >= asked);
            if late && self.known {
                self.dump_again_at = Some(now.plus(DUMP_AGAIN_MS));
                doubtful = true;
            } else {
                self.placement.set(square, dump.get(square));
                self.touched.add(square, dump.get(square));
                changed = true;
            }
        }
        let again = !changed && !doubtful;
        let open = |play: &Play| matches!(play.standing, Standing::Open { examined: true, .. });
        let mended = self.play.as_ref().filter(|_| again).and_then(|play| match play.dump_agreement {
            DumpAgreement::DiffersOnce => Some(DumpAgreement::DiffersTwice),
            DumpAgreement::Unknown if open(play) && play.presses > 0 => Some(DumpAgreement::Agrees),
            _ => None,
        });
        if let (Some(mended), Some(play)) = (mended, &mut self.play) {
            play.dump_agreement = mended;
        }
        let sure = mended.is_some();
        if let Some(play) = &mut self.play {
            play.unseen = false;
            if changed && self.known {
                play.dump_agreement = DumpAgreement::DiffersOnce;
            } else if again && matches!(play.standing, Standing::Head { .. }) {
                play.shown = play.line.plies();
            }
        }
        if !doubtful {
            self.note_dump(now, before);
        }
        let unlooked = |play: &Play| play.gap && matches!(play.standing, Standing::Head { .. });
        let unsure = !self.known || self.play.as_ref().is_some_and(unlooked);
        let mut suspected = false;
        if !self.speculative && (changed || sure) {
            suspected = self.prefers_revision(now);
            if sure && !suspected {
                self.explain_dump_difference(now);
                if self.play.as_ref().is_some_and(|play| play.presses > 0) {
                    self.suspect_if_open(now);
                }
            }
        }
        if (changed || unsure) && !suspected {
            let first = !std::mem::replace(&mut self.known, true);
            if changed && !first {
                // The dump itself may be damaged.
                self.dump_again_at = Some(now.plus(DUMP_AGAIN_MS));
            }
            self.look(now);
            let mended = |play: &Play| {
                play.dump_agreement != DumpAgreement::Unknown && matches!(play.standing, Standing::Open { .. })
            };
            if self.play.as_ref().is_some_and(mended) && !self.is_idle() && !self.speculative && !self.lever {
                // What was lost is known now, and no press will tell more: the next hand is not waited for.
                self.examine(now);
            }
            if first && self.play.is_none() {
                // A move may be made from here before it has settled. The dump itself may be damaged.
                self.dump_wanted = true;
                self.suppose_unseen_start(now);
            } else if changed {
                self.suppose_positions_as_shown(now);
            }
        }
        self.judge(now);
    }

    /// A player pressed the clock.
    pub(crate) fn handle_press(&mut self, now: Timestamp, side: Side) {
        self.each_view(|view| view.handle_press(now, side));
        self.log_message(now, BoardMessage::Press(side));
        if let Some(play) = &mut self.play {
            play.press = Some((side, now));
            if matches!(play.standing, Standing::Open { .. }) {
                play.presses += 1;
                play.presses_unexplained += usize::from(play.unexplained_told);
                let dumps = usize::from(play.stable.last() == Some(&self.placement));
                play.note(Observed { placement: self.placement, pressed: Some(side), dumps });
            }
            self.use_press(now);
        }
        self.judge(now);
    }

    /// The board was unplugged: nothing that it tells is taken for a move before it has shown what stands there.
    pub(crate) fn unplugged(&mut self) {
        self.lost_contact();
        if let Some(play) = &mut self.play {
            play.unseen = true;
        }
    }

    /// Changes may go unseen from now on: the board is out of reach.
    pub(crate) fn lost_contact(&mut self) {
        self.hypotheses.clear();
        self.joined.search = LogSearch::Untried;
        self.joined.asked = 0;
        self.joined.due = None;
        if let Some(play) = &mut self.play {
            play.gap = true;
            play.log = LogSearch::Untried;
            play.logs_asked = 0;
            play.press = None;
        }
    }
}
