//! One view's fold of the record: what was released to it, and who is notified.
//!
//! Readers see whole commits only. Must not know what a commit changes.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use hall_clock::{HallClock, UtcMs};
use journal::{Feed, Release, WeakRecorder};

use super::audience::Audience;
use super::history::History;
use super::past_games::PastGames;
use super::releases::Releases;
use super::state::State;

/// What was released to one audience.
pub(crate) struct Projection {
    audience: Audience,
    pub(super) opened_at: UtcMs,
    pub(super) past: PastGames,
    state: RwLock<State>,
    releases: Mutex<Source>,
    watchers: Mutex<Vec<Box<dyn Fn() -> bool + Send + Sync>>>,
}

/// Where releases come from.
enum Source {
    /// Nothing is released: a person has to look at the record first.
    Closed { feed: Feed, clock: HallClock, recorder: WeakRecorder, moments: Vec<Release> },
    /// The record.
    Open(Releases),
}

impl Projection {
    /// Folds what is in the feed.
    pub(crate) fn open(
        audience: Audience,
        opened_at: UtcMs,
        history: &History,
        feed: &Feed,
        clock: HallClock,
        recorder: &WeakRecorder,
    ) -> Self {
        let past = PastGames::new(history.reader.clone());
        let mut state = State::new(audience, history);
        let (moments, recorder) = (history.moments(&audience.id()), recorder.clone());
        let source = if history.closed && audience.may_wait() {
            Source::Closed { feed: feed.clone(), clock, recorder, moments }
        } else {
            Source::Open(Releases::open(audience, feed, clock, recorder, &moments, (&mut state, &past)))
        };
        let (state, releases, watchers) = (RwLock::new(state), Mutex::new(source), Mutex::default());
        Self { audience, opened_at, past, state, releases, watchers }
    }

    /// Releases what waited for a person to look at the record.
    pub(super) fn open_up(&self) {
        let mut source = self.releases();
        let Source::Closed { feed, clock, recorder, moments } = &*source else { return };
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let into = (&mut *state, &self.past);
        let opened = Releases::open(self.audience, feed, *clock, recorder.clone(), moments, into);
        *source = Source::Open(opened);
        drop(state);
        self.notify();
    }

    fn notify(&self) {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner).retain(|notify| notify());
    }

    pub(super) fn audience(&self) -> Audience {
        self.audience
    }

    /// Entries of the record that the view knows, released or not.
    #[cfg(any(test, feature = "test-hall"))]
    pub(super) fn taken(&self) -> u64 {
        match &*self.releases() {
            Source::Closed { .. } => 0,
            Source::Open(releases) => releases.taken(),
        }
    }

    /// Whether nothing is due now.
    #[cfg(any(test, feature = "test-hall"))]
    pub(super) fn is_settled(&self) -> bool {
        match &*self.releases() {
            Source::Closed { .. } => true,
            Source::Open(releases) => releases.is_settled(&self.state()),
        }
    }

    pub(super) fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn releases(&self) -> MutexGuard<'_, Source> {
        self.releases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has `notify` called, briefly and from the gate's thread, after every release until it returns false.
    pub(super) fn watch(&self, notify: impl Fn() -> bool + Send + Sync + 'static) {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(notify));
    }

    /// Releases what is due, all at once; returns the hall time at which something is due next.
    pub(super) fn catch_up(&self) -> Option<UtcMs> {
        // Held to the end: entries are released in the order in which they are taken.
        let mut source = self.releases();
        let Source::Open(releases) = &mut *source else { return None };
        let (changed, next) = {
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            let before = state.version;
            releases.catch_up(&mut state, &self.past);
            (state.version != before, releases.next_due(&state))
        };
        if changed {
            self.notify();
        }
        next
    }
}
