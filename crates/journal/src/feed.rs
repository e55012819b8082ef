//! The committed feed: a log in memory that any number of readers follow, each at its own pace.
//!
//! Earlier entries are packed, and those before them are read from the journal: only views that are opened later read them again.

mod packed;
mod stored;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::Reader;
use crate::entry::Committed;
use packed::Packed;
use stored::Stored;

/// The latest entries, which are not packed: readers that follow the feed find theirs among them.
const LATEST: usize = 512;

/// Entries that are packed together.
const RUN: usize = 256;

/// Packed runs that stay in memory: less than a megabyte.
const KEPT_RUNS: usize = 64;

/// Consecutive entries that every reader which follows the feed has read.
#[derive(Debug)]
enum Run {
    Packed(Packed),
    Stored(Stored),
}

impl Run {
    fn length(&self) -> usize {
        match self {
            Self::Packed(packed) => packed.length,
            Self::Stored(stored) => stored.length,
        }
    }

    /// The entries; those in the journal may wait for the disk.
    fn entries(&self) -> Vec<Committed> {
        match self {
            Self::Packed(packed) => packed.unpack(),
            Self::Stored(stored) => stored.entries(),
        }
    }

    /// How many entries are before the one with this number; none when that is a later one than all of them.
    fn place(&self, number: u64) -> Option<usize> {
        let last = match self {
            Self::Packed(packed) => packed.last,
            Self::Stored(stored) if number <= stored.first => return Some(0),
            Self::Stored(stored) => stored.last,
        };
        (last >= number).then(|| self.entries().partition_point(|entry| entry.number() < number))
    }
}

/// The committed events in commit order, for any number of readers.
#[derive(Clone, Debug)]
pub struct Feed {
    log: Arc<Log>,
}

impl Feed {
    /// A feed that begins with these entries.
    pub(crate) fn new(past: Vec<Committed>) -> Self {
        let written = Written { packed: Vec::new(), packed_length: 0, latest: past, writes: 0, ended: false };
        let written = Mutex::new(written);
        Self {
            log: Arc::new(Log {
                written,
                grown: Condvar::new(),
                journal: OnceLock::new(),
                differs: AtomicBool::new(false),
            }),
        }
    }

    /// Earlier entries leave memory, and are read from their journal by this.
    pub fn read_earlier_with(&self, reader: Arc<Reader>) {
        let _ = self.log.journal.set(reader);
    }

    /// A feed of these entries alone: nothing more comes.
    pub fn complete(entries: Vec<Committed>) -> Self {
        let feed = Self::new(entries);
        feed.log.end();
        feed
    }

    /// How many runs are in the journal alone.
    #[cfg(test)]
    pub(crate) fn stored_runs(&self) -> usize {
        self.log.lock().packed.iter().filter(|run| matches!(***run, Run::Stored(_))).count()
    }

    /// Where it grows.
    pub(crate) fn log(&self) -> Arc<Log> {
        Arc::clone(&self.log)
    }

    /// A reader whose first entry is the one with this number, or the next one in the feed.
    pub fn read_from(&self, number: u64) -> FeedReader {
        let next = self.log.lock().place(number);
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
        let unread = self.log.lock().unread(self.next);
        self.take(unread)
    }

    /// Unpacks what was not read yet; the feed goes on meanwhile.
    fn take(&mut self, (packed, plain): Unread) -> Vec<Committed> {
        let mut fresh = Vec::new();
        for (first, packed) in &packed {
            fresh.extend(packed.entries().into_iter().skip(self.next.saturating_sub(*first)));
        }
        let packed_to = packed.last().map_or(self.next, |(first, packed)| first + packed.length());
        self.next = packed_to + plain.len();
        fresh.extend(plain);
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
        if written.ended && written.length() == self.next {
            return Grown::Ended;
        }
        self.writes = written.writes;
        Grown::Perhaps
    }

    /// Waits for entries not read yet and returns them all, whole commits only; `None` when the feed has ended.
    pub fn next_entries(&mut self) -> Option<Vec<Committed>> {
        let written = self.log.lock();
        let still = |written: &mut Written| written.length() == self.next && !written.ended;
        let written = self.log.grown.wait_while(written, still).unwrap_or_else(PoisonError::into_inner);
        let unread = written.unread(self.next);
        drop(written);
        let fresh = self.take(unread);
        (!fresh.is_empty()).then_some(fresh)
    }
}

/// What was committed, for readers that wait for more.
#[derive(Debug)]
pub(crate) struct Log {
    written: Mutex<Written>,
    grown: Condvar,
    /// Reads earlier entries.
    journal: OnceLock<Arc<Reader>>,
    /// The journal had other entries than the feed: all of them stay in memory.
    differs: AtomicBool,
}

/// What a reader has not read: runs of packed entries, each with the place of its first entry, and the entries that follow.
type Unread = (Vec<(usize, Arc<Run>)>, Vec<Committed>);

/// The entries: the earlier ones packed, the latest as they are.
#[derive(Debug)]
pub(crate) struct Written {
    /// Those in the journal come first.
    packed: Vec<Arc<Run>>,
    /// How many entries are packed.
    packed_length: usize,
    latest: Vec<Committed>,
    /// Counts the commits.
    writes: u64,
    ended: bool,
}

impl Written {
    /// Number of all entries.
    fn length(&self) -> usize {
        self.packed_length + self.latest.len()
    }

    /// The entries from this place on.
    fn unread(&self, next: usize) -> Unread {
        let mut unread = Vec::new();
        let mut first = 0;
        let packed = if next < self.packed_length { &self.packed[..] } else { &[] };
        for packed in packed {
            if next < first + packed.length() {
                unread.push((first, Arc::clone(packed)));
            }
            first += packed.length();
        }
        (unread, self.latest.get(next.saturating_sub(self.packed_length)..).unwrap_or_default().to_vec())
    }

    /// The place of the first entry with this number or a later one.
    fn place(&self, number: u64) -> usize {
        let mut first = 0;
        for packed in &self.packed {
            if let Some(place) = packed.place(number) {
                return first + place;
            }
            first += packed.length();
        }
        first + self.latest.partition_point(|entry| entry.number() < number)
    }

    /// Appends entries.
    pub(crate) fn extend(&mut self, entries: Vec<Committed>) {
        self.latest.extend(entries);
    }

    /// All entries in memory, to be changed.
    pub(crate) fn all(&mut self) -> &mut Vec<Committed> {
        let stored = self.packed.partition_point(|run| matches!(**run, Run::Stored(_)));
        let mut all: Vec<_> = self.packed.drain(stored..).flat_map(|packed| packed.entries()).collect();
        all.append(&mut self.latest);
        self.packed_length = self.packed.iter().map(|run| run.length()).sum();
        self.latest = all;
        &mut self.latest
    }
}

impl Log {
    /// Changes what is read, all at once, and wakes the readers.
    pub(crate) fn write(&self, change: impl FnOnce(&mut Written)) {
        let mut written = self.lock();
        change(&mut written);
        written.writes += 1;
        drop(written);
        self.grown.notify_all();
    }

    /// Packs a run of entries if there are more than the latest ones; for the one who writes, as the feed is not held meanwhile.
    /// Returns whether there was a run.
    pub(crate) fn pack(&self) -> bool {
        let earlier = self.lock().latest.get(..RUN + LATEST).map(|entries| entries[..RUN].to_vec());
        let Some(packed) = earlier.and_then(|earlier| Packed::of(&earlier)) else { return false };
        let mut written = self.lock();
        written.latest.drain(..RUN);
        // Room for the entries that come before the next run is packed.
        written.latest.shrink_to(RUN + LATEST);
        written.packed_length += packed.length;
        written.packed.push(Arc::new(Run::Packed(packed)));
        true
    }

    /// Leaves the oldest packed run to the journal if there are more than are kept; for the one who writes. Returns whether it did.
    pub(crate) fn store(&self) -> bool {
        let oldest = || {
            let written = self.lock();
            let stored = written.packed.partition_point(|run| matches!(**run, Run::Stored(_)));
            let run = written.packed.get(stored).filter(|_| written.packed.len() - stored > KEPT_RUNS)?;
            Some((stored, Arc::clone(run)))
        };
        let Some(reader) = self.journal.get().filter(|_| !self.differs.load(Ordering::Relaxed)) else { return false };
        let Some((place, run)) = oldest() else { return false };
        let Run::Packed(packed) = &*run else { return false };
        let Some(stored) = Stored::of(packed, reader) else {
            self.differs.store(true, Ordering::Relaxed);
            tracing::warn!(
                "earlier entries are not in the journal as they were committed: they stay in memory; run `boardcast check`"
            );
            return false;
        };
        if let Some(run) = self.lock().packed.get_mut(place) {
            *run = Arc::new(Run::Stored(stored));
        }
        true
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
