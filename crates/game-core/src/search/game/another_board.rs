//! Goes back to before another board spoke on the line: its cable was exchanged.
//!
//! Must not know how that was found.

use super::Game;

impl Game {
    /// What was heard after this instant was said by another board, but for what led to a ply that was told since. Gives back up to
    /// when what was heard counts; nothing where the search cannot go back so far.
    pub(crate) fn forget_since(&mut self, at: u64) -> Option<u64> {
        let at = at.max(self.told_at);
        let from = self.history.after(at).filter(|&from| self.checkpoints.reach(from))?;
        self.history.forget(from, at);
        self.gap_at = self.history.last_gap_at();
        let by_then = |since: &u64| *since <= at;
        self.stopped_at = self.stopped_at.filter(by_then);
        self.stopped_before = self.stopped_before.filter(by_then);
        self.sign = self.sign.filter(|sign| by_then(&sign.since));
        self.untimed = self.untimed.filter(|sign| by_then(&sign.since));
        self.poor_since = self.poor_since.filter(by_then);
        self.doubt = self.doubt.filter(|(_, since)| by_then(since));
        (self.touched_at, self.matched) = (self.touched_at.min(at), self.matched.min(from));
        self.rewind(from);
        self.catch_up();
        Some(at)
    }
}
