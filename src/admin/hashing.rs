//! The threads that hash passwords: few, so that a flood of logins costs neither the processor nor memory.
//!
//! Each hash takes about 20 MiB while it is computed. Known devices have a thread and a queue of their own, so that their
//! logins do not wait behind those of strangers. Must not know passwords or accounts.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

/// Threads for strangers.
const THREADS: usize = 2;

/// Passwords that wait for a thread; further ones are refused. They take less than a second.
const WAITING: usize = 16;

type Work = Box<dyn FnOnce() + Send>;

/// Who a password comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Queue {
    /// Anyone.
    Strangers,
    /// A device from which someone logged in before.
    Known,
}

/// Why there is no hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unhashed {
    /// Too many wait.
    Busy,
    /// The work panicked.
    Failed,
}

/// The threads; they end when this is dropped.
#[derive(Debug)]
pub(super) struct Hashing {
    strangers: SyncSender<Work>,
    known: SyncSender<Work>,
}

impl Hashing {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start() -> io::Result<Self> {
        Ok(Self { strangers: queue(THREADS)?, known: queue(1)? })
    }

    /// Runs work on a thread of the queue.
    ///
    /// # Errors
    /// [`Unhashed`].
    pub(super) async fn run<T: Send + 'static>(
        &self,
        queue: Queue,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Unhashed> {
        let (reply, done) = oneshot::channel();
        let work: Work = Box::new(move || {
            // Who asked may have gone.
            let _ = reply.send(work());
        });
        let sender = if queue == Queue::Known { &self.known } else { &self.strangers };
        sender.try_send(work).map_err(|_| Unhashed::Busy)?;
        done.await.map_err(|_| Unhashed::Failed)
    }
}

fn queue(threads: usize) -> io::Result<SyncSender<Work>> {
    let (sender, waiting) = sync_channel(WAITING);
    let waiting = Arc::new(Mutex::new(waiting));
    for _ in 0..threads {
        let waiting = Arc::clone(&waiting);
        thread::Builder::new().name("passwords".into()).spawn(move || work_off(&waiting))?;
    }
    Ok(sender)
}

fn work_off(waiting: &Mutex<Receiver<Work>>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = next else { return };
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            tracing::error!("the check of a password failed");
        }
    }
}
