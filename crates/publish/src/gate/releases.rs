//! Which entries of the record a view gets, and when: the moments of a view, live and again after a restart.
//!
//! An entry that waits for nothing is public as soon as it is in the committed feed, and its number follows from the record
//! alone. What was held back comes out at a moment that is in the journal before anything of it is public: which entries the
//! view knew, and the time. After a restart the moments are repeated over the record, so the view has the same events under the
//! same numbers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hall_clock::{HallClock, UtcMs};
use journal::{Batch, Committed, Feed, FeedReader, Release, ReleaseKind, WeakRecorder};
use tokio::sync::oneshot;

use super::audience::Audience;
use super::hold::Hold;
use super::past_games::PastGames;
use super::state::State;

/// The entries that one view has still to release, in the order of the record.
#[derive(Debug)]
pub(super) struct Releases {
    view: Arc<str>,
    feed: FeedReader,
    clock: HallClock,
    recorder: WeakRecorder,
    hold: Hold,
    /// Number of the next entry that the view does not know.
    known: u64,
    /// A moment on its way into the journal; until it is there, the view takes nothing.
    committing: Option<(UtcMs, oneshot::Receiver<()>)>,
    /// The recorder has ended: nothing is released any more.
    ended: bool,
    /// Entries that the view knows, for tests.
    taken: AtomicU64,
}

impl Releases {
    /// All entries of a feed, the first one first; `moments` are those of the journal.
    pub(super) fn open(
        audience: Audience,
        feed: &Feed,
        clock: HallClock,
        recorder: WeakRecorder,
        moments: &[Release],
        (state, past): (&mut State, &PastGames),
    ) -> Self {
        let (known, taken) = (0, AtomicU64::new(0));
        let (view, feed, hold) = (audience.id().into(), feed.read_from(0), Hold::new(audience));
        let mut releases = Self { view, feed, clock, recorder, hold, known, committing: None, ended: false, taken };
        let entries = releases.feed.ready_entries();
        let mut rest = &entries[..];
        for moment in moments {
            let (before, after) = rest.split_at(rest.partition_point(|entry| entry.number() < moment.known));
            releases.take(before, state, past);
            rest = after;
            match moment.kind {
                ReleaseKind::Due => releases.hold.release(moment.at, state, past),
                ReleaseKind::Start { shift_ms, .. } => releases.hold.restart(moment.at, shift_ms),
            }
        }
        releases.take(rest, state, past);
        if audience.may_wait() {
            releases.begin(moments, state);
        }
        releases
    }

    /// The daemon starts: says how hall time was moved while it did not run.
    fn begin(&mut self, moments: &[Release], state: &State) {
        let (at, boot) = (self.clock.now(), self.clock.boot_time());
        let last = moments.iter().rev().find_map(|moment| match &moment.kind {
            ReleaseKind::Start { boot, .. } => Some((moment.at, boot.as_ref())),
            ReleaseKind::Due => None,
        });
        let elapsed = last.and_then(|(last_at, last)| Some((last_at, boot.as_ref()?.since(last?)?)));
        let shift_ms = elapsed.map(|(last_at, elapsed_ms)| {
            let elapsed_ms = (elapsed_ms as f64 * self.clock.speed()) as i64;
            at.cast_signed() - last_at.cast_signed() - elapsed_ms
        });
        self.hold.restart(at, shift_ms);
        let kind = ReleaseKind::Start { shift_ms, boot };
        let releases = vec![Release { view: Arc::clone(&self.view), known: self.known, at, kind }];
        let released_rounds = self.hold.rounds_out(&self.view, &state.hall);
        // Whatever the view releases next is committed after this.
        let _ = self.recorder.record_durably(Batch { releases, released_rounds, ..Batch::default() });
    }

    fn take(&mut self, entries: &[Committed], state: &mut State, past: &PastGames) {
        self.hold.take(entries, state, past);
        self.known = entries.last().map_or(self.known, |entry| entry.number() + 1);
        self.taken.fetch_add(entries.len() as u64, Ordering::Release);
    }

    /// Releases what may be public now.
    pub(super) fn catch_up(&mut self, state: &mut State, past: &PastGames) {
        if let Some((at, committed)) = &mut self.committing {
            match committed.try_recv() {
                Ok(()) => {
                    self.hold.release(*at, state, past);
                    self.committing = None;
                }
                // The recorder tries again while the disk fails.
                Err(oneshot::error::TryRecvError::Empty) => return,
                Err(oneshot::error::TryRecvError::Closed) => {
                    (self.committing, self.ended) = (None, true);
                    return;
                }
            }
        }
        let entries = self.feed.ready_entries();
        self.take(&entries, state, past);
        let now = self.clock.now();
        state.drop_what_is_over(now, self.known, |game| past.can_be_read() && !self.hold.holds(game));
        if self.next_due(state).is_some_and(|due_at| due_at <= now) {
            self.commit(now, state);
        }
    }

    /// Sends a moment to the journal.
    fn commit(&mut self, at: UtcMs, state: &State) {
        let release = Release { view: Arc::clone(&self.view), known: self.known, at, kind: ReleaseKind::Due };
        let released_rounds = self.hold.rounds_out(&self.view, &state.hall);
        let batch = Batch { releases: vec![release], released_rounds, ..Batch::default() };
        self.committing = self.recorder.record_durably(batch).map(|committed| (at, committed));
        self.ended = self.committing.is_none();
    }

    /// Hall time at which something is due next; none while nothing is, or while a moment is being committed.
    pub(super) fn next_due(&self, state: &State) -> Option<UtcMs> {
        if self.committing.is_some() || self.ended { None } else { self.hold.next_due(&state.hall) }
    }

    /// Whether nothing is due now.
    #[cfg(any(test, feature = "test-hall"))]
    pub(super) fn is_settled(&self, state: &State) -> bool {
        let now = self.clock.now();
        self.committing.is_none() && self.hold.next_due(&state.hall).is_none_or(|due_at| due_at > now)
    }

    /// Entries that the view knows.
    #[cfg(any(test, feature = "test-hall"))]
    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Acquire)
    }
}
