//! The record: events in, committed feed out.
//!
//! What is in the committed feed may be published; nothing else may (invariant 5). One thread writes the journal;
//! whatever waits goes into its next commit, so that load makes batches and idleness makes no delay. While the disk
//! fails, events wait in memory and nobody waits for them. Knows nothing of boards' bytes and nothing of viewers.

#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::entry::{Batch, Committed};
use crate::feed::{Feed, Log};
use crate::journal::Journal;
use hall_clock::HallClock;

/// How long a journal that could not be written is left alone before it is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// How long nothing must have been handed in before finished games are folded.
const IDLE: Duration = Duration::from_millis(50);

/// Drafts waiting for their commit at which the log says that the recorder does not keep up.
const ALARMING_BACKLOG: usize = 4096;

/// Starts the recorder over a journal. The feed begins with `past`, entries of that journal in their order. The thread
/// ends, and the feed with it, when every handle is gone and all is committed or cannot be.
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
    let mut recorder = Recorder { mailbox, state: Arc::clone(&state), log: feed.log(), clock, journal };
    let thread = thread::Builder::new().name("recorder".into()).spawn(move || recorder.run())?;
    Ok((RecorderHandle { sender, state }, feed, thread))
}

/// What was handed in, and who waits for its commit.
#[derive(Debug)]
struct Mail {
    batch: Batch,
    durable: Option<oneshot::Sender<()>>,
}

/// What is known about the recorder outside its thread.
#[derive(Debug, Default)]
struct State {
    backlog: AtomicUsize,
    failing: AtomicBool,
}

/// Where events are handed in.
#[derive(Clone, Debug)]
pub struct RecorderHandle {
    /// Without a bound on purpose: a full disk must neither stop a board's task nor cost a move. [`Self::backlog`]
    /// tells how much waits.
    sender: mpsc::Sender<Mail>,
    state: Arc<State>,
}

impl RecorderHandle {
    /// Hands in what one owner has to say; it is committed together. Never waits.
    pub fn record(&self, batch: Batch) {
        self.send(Mail { batch, durable: None });
    }

    /// The same; what is given back hears of the commit, of that of everything handed in before too.
    pub fn record_durably(&self, batch: Batch) -> oneshot::Receiver<()> {
        let (sender, durable) = oneshot::channel();
        self.send(Mail { batch, durable: Some(sender) });
        durable
    }

    fn send(&self, mail: Mail) {
        let count = mail.batch.weight();
        let before = self.state.backlog.fetch_add(count, Ordering::Relaxed);
        if before < ALARMING_BACKLOG && before + count >= ALARMING_BACKLOG {
            tracing::error!(
                waiting = before + count,
                "the record does not keep up: moves are kept in memory and not yet published; check the disk"
            );
        }
        if self.sender.send(mail).is_err() {
            tracing::error!(lost = count, "the recorder has stopped: events are lost; restart the daemon");
        }
    }

    /// Events that wait for their commit.
    pub fn backlog(&self) -> usize {
        self.state.backlog.load(Ordering::Relaxed)
    }

    /// Whether the journal cannot be written at this moment. An alarm for those with access, never public.
    pub fn is_failing(&self) -> bool {
        self.state.failing.load(Ordering::Relaxed)
    }
}

/// The one writer.
struct Recorder {
    mailbox: mpsc::Receiver<Mail>,
    state: Arc<State>,
    log: Arc<Log>,
    clock: HallClock,
    journal: Journal,
}

impl Recorder {
    fn run(&mut self) {
        let mut waiting = Vec::new();
        let mut to_tell = Vec::new();
        let mut retry_at: Option<Instant> = None;
        let mut idle = IDLE;
        let mut open = true;
        while open {
            let next = match retry_at {
                Some(at) => self.mailbox.recv_timeout(at.saturating_duration_since(Instant::now())),
                None if self.journal.has_unfolded() => self.mailbox.recv_timeout(idle),
                None => self.mailbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            open = !matches!(next, Err(RecvTimeoutError::Disconnected));
            if retry_at.is_none() && matches!(next, Err(RecvTimeoutError::Timeout)) {
                idle = self.fold();
            }
            // Whatever waits goes into one commit.
            for mail in next.into_iter().chain(self.mailbox.try_iter()) {
                waiting.push(mail.batch);
                to_tell.extend(mail.durable);
            }
            if open && retry_at.is_some_and(|at| Instant::now() < at) || waiting.is_empty() {
                continue;
            }
            if self.commit(&waiting) {
                waiting.clear();
                for waiter in to_tell.drain(..) {
                    // Whoever waits no longer learns it from the feed.
                    let _ = waiter.send(());
                }
                retry_at = None;
            } else {
                retry_at = Some(Instant::now() + RETRY);
            }
        }
        let lost = waiting.iter().map(Batch::weight).sum::<usize>();
        if lost > 0 {
            tracing::error!(lost, "the last events never reached the journal; the captures hold their evidence");
        }
    }

    /// Gives how long to wait for the next time. Nobody waits for it: what cannot be folded now is folded later, and told
    /// from its events until then.
    fn fold(&mut self) -> Duration {
        match self.journal.fold_finished() {
            Ok(_) => IDLE,
            Err(error) => {
                tracing::debug!(%error, "finished games are not folded yet");
                RETRY
            }
        }
    }

    /// Whether what was handed in is durable now.
    fn commit(&mut self, batches: &[Batch]) -> bool {
        let entries = match self.journal.commit(self.clock.now(), batches) {
            Ok(entries) => entries,
            Err(error) => {
                if !self.state.failing.swap(true, Ordering::Relaxed) {
                    let reason = std::error::Error::source(&error).map(ToString::to_string);
                    tracing::error!(
                        reason,
                        "the journal cannot be written: games go on in memory and nothing new is published; free space \
                         on the disk or replace it"
                    );
                }
                return false;
            }
        };
        if self.state.failing.swap(false, Ordering::Relaxed) {
            tracing::info!(events = entries.len(), "the journal is written again, and so is all that waited");
        }
        self.log.write(|written| {
            // While nobody can read yet: whoever reads an entry does not find it waiting.
            self.state.backlog.fetch_sub(entries.len(), Ordering::Relaxed);
            self.journal.without_forgotten(written);
            written.extend(entries);
        });
        true
    }
}

impl Drop for Recorder {
    /// Also after a panic: readers must learn that nothing more comes.
    fn drop(&mut self) {
        self.log.end();
    }
}
