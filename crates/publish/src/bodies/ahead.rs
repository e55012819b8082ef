//! Work on files beside the requests: files that are being polled are made again as soon as something was released, the small
//! form of large files is made, and replaced versions are dropped.
//!
//! Must not know what is in a file.

use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use super::Shared;
use super::body::{Body, Form};
use crate::gate::View;

/// Files waiting to be compressed, and replaced ones waiting to be dropped. Further ones are asked for again by their next
/// request, or dropped at once.
const MOST_WAITING: usize = 64;

/// So many replaced files wake the thread; fewer wait until it has something else to do, as waking it takes the request that replaced
/// one a quarter of the time in which it made the new one.
const MOST_REPLACED: usize = 8;

/// The thread rests so many times as long as it worked: it takes at most a fifth of a processor, and what it does not get to is
/// made by the next request.
const REST: u32 = 4;

/// How the thread learns of work; copies share it.
#[derive(Clone, Default)]
pub(super) struct Ahead {
    signal: Arc<(Mutex<Work>, Condvar)>,
}

#[derive(Default)]
struct Work {
    released: bool,
    compress: Vec<Weak<Body>>,
    discard: Vec<Arc<Body>>,
    ended: bool,
}

impl Ahead {
    /// A watcher of a view: something was released. It ends with the files.
    pub(super) fn watcher(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let signal = Arc::downgrade(&self.signal);
        move || {
            let ahead = signal.upgrade().map(|signal| Self { signal });
            ahead.inspect(|ahead| ahead.change(|work| work.released = true)).is_some()
        }
    }

    /// The small form of a large file is wanted.
    pub(super) fn compress(&self, body: &Arc<Body>) {
        self.change(|work| {
            if work.compress.len() < MOST_WAITING
                && !work.compress.iter().any(|known| known.as_ptr() == Arc::as_ptr(body))
            {
                work.compress.push(Arc::downgrade(body));
            }
        });
    }

    /// A version of a file was replaced: closing its files in memory takes as long as writing them.
    pub(super) fn discard(&self, body: Arc<Body>) {
        let (work, changed) = &*self.signal;
        let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
        if work.discard.len() < MOST_WAITING {
            work.discard.push(body);
        }
        if work.discard.len() == MOST_REPLACED {
            changed.notify_one();
        }
    }

    /// Ends the thread.
    pub(super) fn end(&self) {
        self.change(|work| work.ended = true);
    }

    fn change(&self, change: impl FnOnce(&mut Work)) {
        let (work, changed) = &*self.signal;
        change(&mut work.lock().unwrap_or_else(PoisonError::into_inner));
        changed.notify_one();
    }

    /// Waits for work; none at the end.
    fn next(&self) -> Option<Work> {
        let (work, changed) = &*self.signal;
        let work = work.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = |work: &mut Work| {
            !work.released && work.compress.is_empty() && work.discard.len() < MOST_REPLACED && !work.ended
        };
        let mut work = changed.wait_while(work, idle).unwrap_or_else(PoisonError::into_inner);
        let next = std::mem::take(&mut *work);
        (!next.ended).then_some(next)
    }

    /// Starts the thread. Without it everything works, made by the requests themselves.
    pub(super) fn start<V: View>(&self, shared: &Arc<Shared<V>>) {
        let (ahead, shared) = (self.clone(), Arc::downgrade(shared));
        let started = thread::Builder::new().name("pgn files".into()).spawn(move || {
            while let Some(work) = ahead.next() {
                let began = Instant::now();
                let Some(shared) = shared.upgrade() else { return };
                drop(work.discard);
                if work.released {
                    shared.renew_polled();
                }
                for body in work.compress.iter().filter_map(Weak::upgrade) {
                    body.prepare(Form::SmallGzip);
                }
                drop(shared);
                thread::sleep((began.elapsed() * REST).min(Duration::from_secs(1)));
            }
        });
        if let Err(error) = started {
            tracing::warn!(%error, "PGN files are made at the requests only: no thread for them");
        }
    }
}
