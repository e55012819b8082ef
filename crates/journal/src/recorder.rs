//! The recorder: a thread that commits batches to the journal and appends their entries to the committed feed.
//!
//! Only the committed feed may be published (docs/contracts.md, 1.5). All waiting batches go into the next commit, so a
//! busy hall needs few commits and a quiet one has no delay. While the disk fails, batches wait in memory and their
//! senders go on. Must not know boards or viewers.

#[cfg(test)]
mod tests;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::entry::{Batch, Committed};
use crate::feed::{Feed, Log};
use crate::journal::Journal;
use hall_clock::HallClock;

/// Pause after a failed commit before the next try.
const RETRY: Duration = Duration::from_secs(1);

/// Time without a new batch before snapshots are written and the journal is looked after.
const IDLE: Duration = Duration::from_millis(50);

/// Entries waiting for their commit from which on the log warns.
const ALARMING_BACKLOG: usize = 4096;

/// Starts the recorder of a journal. The feed begins with `past`, entries of that journal in order. The thread and the
/// feed end when all handles are dropped and all batches are committed or cannot be.
///
/// # Errors
/// When the system gives no thread.
pub fn start(
    clock: HallClock,
    journal: Journal,
    past: Vec<Committed>,
) -> io::Result<(RecorderHandle, Feed, JoinHandle<()>)> {
    let (sender, mailbox) = mpsc::channel();
    let state = Arc::new(State::default());
    let feed = Feed::new(past);
    let (log, waiting) = (feed.log(), Waiting::default());
    let sender = Arc::new(sender);
    let mut recorder = Recorder { mailbox, state: Arc::clone(&state), log, clock, journal, waiting };
    let thread = thread::Builder::new().name("recorder".into()).spawn(move || recorder.run())?;
    Ok((RecorderHandle { sender, state }, feed, thread))
}

/// A message to the recorder's thread.
#[derive(Debug)]
enum Mail {
    /// A batch, and who waits for its commit.
    Batch { batch: Batch, durable: Option<oneshot::Sender<()>> },
    /// Whether the thread is at work: answered before the next commit, also while the disk fails.
    Alive(oneshot::Sender<()>),
}

/// State of the recorder that other threads read.
#[derive(Debug, Default)]
struct State {
    backlog: AtomicUsize,
    failing: AtomicBool,
    gone: AtomicBool,
}

impl State {
    fn note_presence(&self, is_there: bool) {
        match (self.gone.swap(!is_there, Ordering::Relaxed), !is_there) {
            (false, true) => tracing::error!(
                "the data folder was removed or unmounted: nothing new is published, and what happens now is lost when the \
                 daemon ends; put the folder back"
            ),
            (true, false) => tracing::info!("the data folder is back, and publication goes on"),
            _ => {}
        }
    }
}

/// Sends batches to the recorder.
#[derive(Clone, Debug)]
pub struct RecorderHandle {
    /// Unbounded on purpose: a full disk must neither stop a board's task nor lose a move. [`Self::backlog`] is its length.
    sender: Arc<mpsc::Sender<Mail>>,
    state: Arc<State>,
}

/// Sends batches as long as a [`RecorderHandle`] is there, and does not keep the recorder from ending.
#[derive(Clone, Debug)]
pub struct WeakRecorder {
    sender: Weak<mpsc::Sender<Mail>>,
    state: Arc<State>,
}

impl WeakRecorder {
    /// No recorder: nothing is recorded.
    pub fn none() -> Self {
        Self { sender: Weak::new(), state: Arc::default() }
    }

    /// As [`RecorderHandle::record_durably`]; none when all handles are dropped.
    pub fn record_durably(&self, batch: Batch) -> Option<oneshot::Receiver<()>> {
        let sender = self.sender.upgrade()?;
        Some(RecorderHandle { sender, state: Arc::clone(&self.state) }.record_durably(batch))
    }
}

impl RecorderHandle {
    /// A handle that does not keep the recorder from ending.
    pub fn downgrade(&self) -> WeakRecorder {
        WeakRecorder { sender: Arc::downgrade(&self.sender), state: Arc::clone(&self.state) }
    }

    /// Sends a batch. Never waits.
    pub fn record(&self, batch: Batch) {
        self.send(batch, None);
    }

    /// Sends a batch; the receiver gets a message when it and all earlier batches are committed.
    pub fn record_durably(&self, batch: Batch) -> oneshot::Receiver<()> {
        let (sender, durable) = oneshot::channel();
        self.send(batch, Some(sender));
        durable
    }

    /// Whether the recorder's thread takes messages; waits for its answer, for ever when it hangs. True while a full disk fails:
    /// the thread is at work then, and a restart would lose what waits in memory.
    pub async fn is_alive(&self) -> bool {
        let (sender, answer) = oneshot::channel();
        self.sender.send(Mail::Alive(sender)).is_ok() && answer.await.is_ok()
    }

    fn send(&self, batch: Batch, durable: Option<oneshot::Sender<()>>) {
        let count = batch.weight();
        let before = self.state.backlog.fetch_add(count, Ordering::Relaxed);
        if before < ALARMING_BACKLOG && before + count >= ALARMING_BACKLOG {
            tracing::error!(
                waiting = before + count,
                "saving is slow: moves wait in memory and are not published yet; check the disk"
            );
        }
        if self.sender.send(Mail::Batch { batch, durable }).is_err() {
            tracing::error!(lost = count, "the recorder has stopped: events are lost; restart the daemon");
        }
    }

    /// Number of entries that wait for their commit.
    pub fn backlog(&self) -> usize {
        self.state.backlog.load(Ordering::Relaxed)
    }

    /// Whether the journal cannot be written at this moment. An alarm for those with access, never public.
    pub fn is_failing(&self) -> bool {
        self.state.failing.load(Ordering::Relaxed)
    }
}

impl RecorderHandle {
    /// Notes whether the journal's file is in its folder, and logs a change.
    pub fn note_presence(&self, is_there: bool) {
        self.state.note_presence(is_there);
    }

    /// Whether the journal's file is no longer in its folder. An alarm for those with access, never public.
    pub fn is_gone(&self) -> bool {
        self.state.gone.load(Ordering::Relaxed)
    }
}

/// The state of the recorder's thread.
struct Recorder {
    mailbox: mpsc::Receiver<Mail>,
    state: Arc<State>,
    log: Arc<Log>,
    clock: HallClock,
    journal: Journal,
    waiting: Waiting,
}

/// What is not durable yet.
#[derive(Default)]
struct Waiting {
    batches: Vec<Batch>,
    /// What was committed into a file that is not in its folder: durable once the file is back.
    committed: Vec<Committed>,
    /// Who waits for all of it.
    senders: Vec<oneshot::Sender<()>>,
    /// Whether a view released something: the gate is told when it is durable.
    releases: bool,
}

impl Recorder {
    fn run(&mut self) {
        let mut retry_at: Option<Instant> = None;
        let mut idle = IDLE;
        let mut open = true;
        while open {
            let until = |at: Instant| at.saturating_duration_since(Instant::now());
            let next = match (retry_at, self.journal.keep_up_due()) {
                (Some(at), _) => self.mailbox.recv_timeout(until(at)),
                (None, _) if self.journal.lacks_snapshots() => self.mailbox.recv_timeout(idle),
                (None, Some(due)) => self.mailbox.recv_timeout(until(due).max(IDLE)),
                (None, None) => self.mailbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            open = !matches!(next, Err(RecvTimeoutError::Disconnected));
            if retry_at.is_none() && matches!(next, Err(RecvTimeoutError::Timeout)) {
                self.journal.keep_up(true);
                if self.journal.lacks_snapshots() {
                    idle = self.write_snapshots();
                }
            }
            // All waiting batches go into one commit.
            for mail in next.into_iter().chain(self.mailbox.try_iter()) {
                match mail {
                    Mail::Batch { batch, durable } => {
                        self.waiting.batches.push(batch);
                        self.waiting.senders.extend(durable);
                    }
                    // Who asked may be gone.
                    Mail::Alive(sender) => drop(sender.send(())),
                }
            }
            if open && retry_at.is_some_and(|at| Instant::now() < at) || self.waiting.is_empty() {
                continue;
            }
            if self.commit() && self.publish() {
                retry_at = None;
                self.journal.keep_up(false);
            } else {
                retry_at = Some(Instant::now() + RETRY);
            }
        }
        let lost = self.waiting.batches.iter().map(Batch::weight).sum::<usize>();
        if lost > 0 {
            tracing::error!(lost, "the last events never reached the journal; the captures hold their evidence");
        }
    }

    /// Writes some snapshots; returns the pause until the next. A failure is tried again: until then readers build the games
    /// from their events.
    fn write_snapshots(&mut self) -> Duration {
        match self.journal.write_snapshots() {
            Ok(_) => IDLE,
            Err(error) => {
                tracing::debug!(%error, "snapshots of finished games are not written yet");
                RETRY
            }
        }
    }

    /// Commits what waits; returns whether nothing waits for that any more.
    fn commit(&mut self) -> bool {
        if self.waiting.batches.is_empty() {
            return true;
        }
        if !self.is_there() {
            return false;
        }
        match self.journal.commit(self.clock.now(), &self.waiting.batches) {
            Ok(entries) => {
                if self.state.failing.swap(false, Ordering::Relaxed) {
                    tracing::info!(events = entries.len(), "the journal is written again, and so is all that waited");
                }
                self.waiting.releases |= self.waiting.batches.iter().any(|batch| !batch.releases.is_empty());
                self.waiting.batches.clear();
                self.waiting.committed.extend(entries);
                true
            }
            Err(error) => {
                if !self.state.failing.swap(true, Ordering::Relaxed) {
                    let reason = std::error::Error::source(&error).map(ToString::to_string);
                    tracing::error!(
                        reason,
                        "the journal cannot be written: games go on in memory and nothing new is published; free space \
                         on the disk or replace it"
                    );
                }
                false
            }
        }
    }

    /// Appends what was committed to the feed; returns whether it was. What is in a file that was removed is not durable.
    fn publish(&mut self) -> bool {
        if !self.is_there() {
            return false;
        }
        let entries = std::mem::take(&mut self.waiting.committed);
        self.log.write(|written| {
            // Before the feed has them, so that an entry that was read is not counted as waiting.
            self.state.backlog.fetch_sub(entries.len(), Ordering::Relaxed);
            if self.journal.has_forgotten() {
                self.journal.without_forgotten(written.all());
            }
            written.extend(entries);
        });
        for sender in self.waiting.senders.drain(..) {
            // A sender that is gone needs no answer.
            let _ = sender.send(());
        }
        if std::mem::take(&mut self.waiting.releases) {
            // The gate waits for the feed alone, and looks now whether its release is durable.
            self.log.write(|_| ());
        }
        // More than one run, so that what came before the daemon started is packed in time.
        let _ = self.log.pack() && self.log.pack();
        let _ = self.log.store() && self.log.store();
        true
    }

    /// Whether the journal is in its folder.
    fn is_there(&self) -> bool {
        let is_there = self.journal.is_there();
        self.state.note_presence(is_there);
        is_there
    }
}

impl Waiting {
    fn is_empty(&self) -> bool {
        self.batches.is_empty() && self.committed.is_empty() && self.senders.is_empty()
    }
}

impl Drop for Recorder {
    /// Also after a panic: readers must see the end of the feed.
    fn drop(&mut self) {
        self.log.end();
    }
}
