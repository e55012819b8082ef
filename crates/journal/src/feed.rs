//! The committed feed: a log in memory that any number of readers follow, each at its own pace.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::entry::Committed;

/// The committed events in commit order, for any number of readers.
#[derive(Clone, Debug)]
pub struct Feed {
    log: Arc<Log>,
}

impl Feed {
    /// A feed that begins with these entries.
    pub(crate) fn new(past: Vec<Committed>) -> Self {
        let written = Mutex::new(Written { entries: past, writes: 0, ended: false });
        Self { log: Arc::new(Log { written, grown: Condvar::new() }) }
    }

    /// A feed of these entries alone: nothing more comes.
    pub fn complete(entries: Vec<Committed>) -> Self {
        let feed = Self::new(entries);
        feed.log.end();
        feed
    }

    /// Where it grows.
    pub(crate) fn log(&self) -> Arc<Log> {
        Arc::clone(&self.log)
    }

    /// A reader whose first entry is the one with this number, or the next one in the feed.
    pub fn read_from(&self, number: u64) -> FeedReader {
        let next = self.log.lock().entries.partition_point(|entry| entry.number() < number);
        FeedReader { log: Arc::clone(&self.log), next, writes: 0 }
    }
}

/// Reads the feed at its own pace and misses nothing.
#[derive(Debug)]
pub struct FeedReader {
    log: Arc<Log>,
    next: usize,
    /// Writes of the log that [`FeedReader::wait`] returned for.
    writes: u64,
}

/// What a wait for the feed ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grown {
    /// It was written, or the time was over.
    Perhaps,
    /// Nothing more comes, and all was read.
    Ended,
}

impl FeedReader {
    /// The entries not read yet, without waiting.
    pub fn ready_entries(&mut self) -> Vec<Committed> {
        let fresh = self.log.lock().entries.get(self.next..).unwrap_or_default().to_vec();
        self.next += fresh.len();
        fresh
    }

    /// Waits until the feed is written, for this long at most. What was written before the last call of
    /// [`FeedReader::ready_entries`] is not waited for; what came since is not missed.
    pub fn wait(&mut self, at_most: Option<Duration>) -> Grown {
        let written = self.log.lock();
        let seen = self.writes;
        let still = |written: &mut Written| written.writes == seen && !written.ended;
        let grown = &self.log.grown;
        let written = match at_most {
            Some(limit) => grown.wait_timeout_while(written, limit, still).unwrap_or_else(PoisonError::into_inner).0,
            None => grown.wait_while(written, still).unwrap_or_else(PoisonError::into_inner),
        };
        if written.ended && written.entries.len() == self.next {
            return Grown::Ended;
        }
        self.writes = written.writes;
        Grown::Perhaps
    }

    /// Waits for entries not read yet and returns them all, whole commits only; `None` when the feed has ended.
    pub fn next_entries(&mut self) -> Option<Vec<Committed>> {
        let mut written = self.log.lock();
        loop {
            match written.entries.get(self.next..) {
                Some(fresh) if !fresh.is_empty() => {
                    let fresh = fresh.to_vec();
                    self.next += fresh.len();
                    return Some(fresh);
                }
                _ if written.ended => return None,
                _ => {
                    written = self.log.grown.wait(written).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

/// What was committed, for readers that wait for more.
#[derive(Debug)]
pub(crate) struct Log {
    written: Mutex<Written>,
    grown: Condvar,
}

#[derive(Debug)]
struct Written {
    entries: Vec<Committed>,
    /// Counts the commits.
    writes: u64,
    ended: bool,
}

impl Log {
    /// Changes what is read, all at once, and wakes the readers.
    pub(crate) fn write(&self, change: impl FnOnce(&mut Vec<Committed>)) {
        let mut written = self.lock();
        change(&mut written.entries);
        written.writes += 1;
        drop(written);
        self.grown.notify_all();
    }

    /// Nothing more comes.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.grown.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
