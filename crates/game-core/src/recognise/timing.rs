//! The deadlines of a recogniser. Nothing happens between them, so a replay agrees with the live session.

use super::{CORRECTION_MS, LOG_MS, Recogniser, SETTLE_MS};
use crate::confirmation_delay::confirmation_delay_ms;
use crate::event::Evidence;
use crate::play::{LogSearch, Play, Standing};
use crate::result_signal::SIGNAL_HELD_MS;
use crate::time::Timestamp;

impl Recogniser {
    /// When [`Self::handle_timeout`] is due next.
    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        let play = self.play.as_ref().and_then(|play| self.play_deadline(play));
        let others =
            [self.dump_again_at, self.settles_at, self.wrong_start.due, self.joined.due, self.hypotheses_deadline()];
        others.into_iter().chain([play]).flatten().min()
    }

    fn play_deadline(&self, play: &Play) -> Option<Timestamp> {
        if play.is_over() {
            return None;
        }
        let sign = play.signal_since.filter(|_| !self.lever).map(|since| since.plus(SIGNAL_HELD_MS));
        let standing = match play.standing {
            Standing::Head { since } => (self.plies_before_stop(play) > play.confirmed)
                .then(|| since.plus(confirmation_delay_ms(&play.line, self.lever))),
            Standing::Open { changed, examined: false, .. } => Some(changed.plus(SETTLE_MS)),
            Standing::Open { since, changed, examined: true, .. } => [
                (!play.unexplained_told).then(|| since.plus(self.patience_ms(play))),
                self.correction(play).map(|_| changed.plus(CORRECTION_MS)),
                match play.log {
                    LogSearch::Asked { until } => Some(until),
                    LogSearch::Untried | LogSearch::Done => None,
                },
            ]
            .into_iter()
            .flatten()
            .min(),
        };
        [sign, standing].into_iter().flatten().min()
    }

    /// Runs what is due at `now`.
    pub(crate) fn handle_timeout(&mut self, now: Timestamp) {
        self.each_view(|view| {
            if view.next_deadline().is_some_and(|due| due <= now) {
                view.handle_timeout(now);
            }
        });
        self.run_deadlines(now);
        self.judge(now);
    }

    fn run_deadlines(&mut self, now: Timestamp) {
        if self.settles_at.is_some_and(|at| at <= now) {
            self.settles_at = None;
            self.dump_wanted = true;
            self.suppose_unseen_start(now);
        }
        if self.wrong_start.due.is_some_and(|at| at <= now) {
            self.report_wrong_start();
        }
        if self.joined.due.is_some_and(|at| at <= now) {
            self.joined.due = None;
            self.joined.asked += 1;
            self.joined.search = LogSearch::Asked { until: now.plus(LOG_MS) };
            self.log_wanted = true;
        }
        if self.dump_again_at.is_some_and(|at| at <= now) {
            self.dump_again_at = None;
            self.dump_wanted = true;
        }
        let Some(play) = &self.play else { return };
        if self.play_deadline(play).is_none_or(|at| at > now) {
            return;
        }
        if !self.lever && play.signal_since.is_some_and(|since| now.since(since) >= SIGNAL_HELD_MS) {
            self.end_by_signal();
            return;
        }
        match play.standing {
            Standing::Head { .. } => self.confirm_to(self.plies_before_stop(play), Evidence::Quiet),
            Standing::Open { examined: false, .. } => self.examine(now),
            Standing::Open { since, changed, examined: true, .. } => {
                if matches!(play.log, LogSearch::Asked { until } if until <= now) {
                    self.give_up_log(now);
                } else if now.since(changed) >= CORRECTION_MS
                    && let Some(correction) = self.correction(play)
                {
                    self.correct(now, correction);
                } else if now.since(since) >= self.patience_ms(play) {
                    self.report_unexplained();
                }
            }
        }
    }
}
