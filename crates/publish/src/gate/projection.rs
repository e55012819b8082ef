//! One view's fold of the record: what was released to it, and who is notified.
//!
//! Readers see whole commits only. Must not know what a commit changes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use hall_clock::UtcMs;
use journal::{Committed, Feed};

use super::audience::Audience;
use super::history::History;
use super::past_games::PastGames;
use super::releases::Releases;
use super::state::State;

/// What was released to one audience.
pub(crate) struct Projection {
    audience: Audience,
    /// Whether nothing is released: a person has to look at the record first.
    closed: AtomicBool,
    pub(super) opened_at: UtcMs,
    /// Entries of the record that were released.
    version: AtomicU64,
    pub(super) past: PastGames,
    state: RwLock<State>,
    releases: Mutex<Releases>,
    watchers: Mutex<Vec<Box<dyn Fn() + Send + Sync>>>,
}

impl Projection {
    /// Folds what is in the feed.
    pub(super) fn open(audience: Audience, opened_at: UtcMs, history: &History, feed: &Feed) -> Self {
        let closed = history.closed && matches!(audience, Audience::Public(_));
        let projection = Self {
            audience,
            closed: AtomicBool::new(closed),
            opened_at,
            version: AtomicU64::new(0),
            past: PastGames::new(audience, history.reader.clone()),
            state: RwLock::new(State::new(audience, history)),
            releases: Mutex::new(Releases::of(feed)),
            watchers: Mutex::default(),
        };
        projection.catch_up();
        projection
    }

    pub(super) fn audience(&self) -> Audience {
        self.audience
    }

    /// Milliseconds by which it is behind the record.
    pub(super) fn delay_ms(&self) -> u64 {
        self.audience.delay_ms()
    }

    /// Entries of the record that were released.
    #[cfg(any(test, feature = "test-hall"))]
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(super) fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has `notify` called, briefly and from the gate's thread, after every release.
    pub(super) fn watch(&self, notify: impl Fn() + Send + Sync + 'static) {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(notify));
    }

    /// Releases everything that waited for a person.
    pub(super) fn open_up(&self) {
        self.closed.store(false, Ordering::Release);
        self.catch_up();
    }

    /// Releases what is due, all at once.
    pub(super) fn catch_up(&self) {
        if self.closed.load(Ordering::Acquire) {
            return;
        }
        // Held to the end: entries are released in the order in which they are taken.
        let mut releases = self.releases.lock().unwrap_or_else(PoisonError::into_inner);
        let due = releases.due();
        if due.is_empty() {
            return;
        }
        {
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            for committed in &due {
                let version = self.version.fetch_add(1, Ordering::Release) + 1;
                match committed {
                    Committed::Game(entry) => state.game(entry, version, &self.past),
                    Committed::Hall(entry) => state.fact(entry, version),
                }
            }
        }
        for notify in &*self.watchers.lock().unwrap_or_else(PoisonError::into_inner) {
            notify();
        }
    }

    /// Rounds that the audience does not see because of their delay: section, round, seconds.
    pub(super) fn unkept_delays(&self) -> Vec<(Arc<str>, u32, u32)> {
        self.state().unkept_delays()
    }
}
