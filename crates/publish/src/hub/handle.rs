//! Where sockets are handed over to the hub, with a bound on their number.

use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use mio::Waker;

use super::place::Request;
use super::stream::Window;
use super::topic::MESSAGE_EVERY;
use crate::snapshot::Snapshot;

/// What a hub may hold.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Viewers at the same time.
    pub viewers: usize,
    /// The events that each stream keeps, for viewers that come back or fall behind.
    pub window: Window,
    /// From one heartbeat to the next, in real time; a viewer that neither reads nor writes in between is dropped.
    pub beat_every: Duration,
    /// From one message with events to the next, at least, in real time.
    pub message_every: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let window = Window { frames: 4096, bytes: 8 * 1024 * 1024 };
        Self { viewers: 20_000, window, beat_every: Duration::from_secs(30), message_every: MESSAGE_EVERY }
    }
}

/// Hands sockets over to the hub; copies share it.
#[derive(Clone)]
pub struct HubHandle {
    pub(super) shared: Arc<Shared>,
}

pub(super) struct Shared {
    new_viewers: Mutex<Vec<NewViewer>>,
    waker: Waker,
    seats_taken: AtomicUsize,
    closing: AtomicBool,
    pub(super) limits: Limits,
}

/// A viewer that the hub has not admitted yet.
pub(super) struct NewViewer {
    pub(super) seat: Seat,
    pub(super) socket: TcpStream,
    /// The head of the answer, to be written first.
    pub(super) head: Bytes,
    pub(super) read: Bytes,
    pub(super) request: Request,
    pub(super) snapshot: Option<Snapshot>,
}

/// The right to be one of the hub's viewers; given back when dropped.
pub struct Seat {
    shared: Arc<Shared>,
    /// What the viewer holds elsewhere as long as it is here.
    _held: Box<dyn Send>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.shared.seats_taken.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Shared {
    pub(super) fn new(waker: Waker, limits: Limits) -> Self {
        let (seats_taken, closing) = (AtomicUsize::new(0), AtomicBool::new(false));
        Self { new_viewers: Mutex::default(), waker, seats_taken, closing, limits }
    }

    pub(super) fn wake(&self) {
        if let Err(error) = self.waker.wake() {
            tracing::error!(%error, "viewers cannot be served: the hub does not wake");
        }
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Acquire)
    }

    pub(super) fn take_new_viewers(&self) -> Vec<NewViewer> {
        std::mem::take(&mut *self.new_viewers.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl HubHandle {
    /// A seat, unless all are taken. `held` is dropped with it.
    pub fn seat(&self, held: impl Send + 'static) -> Option<Seat> {
        let limit = self.shared.limits.viewers;
        let taken = &self.shared.seats_taken;
        taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| (taken < limit).then_some(taken + 1)).ok()?;
        Some(Seat { shared: Arc::clone(&self.shared), _held: Box::new(held) })
    }

    /// The limits of this hub.
    pub fn limits(&self) -> Limits {
        self.shared.limits
    }

    /// Seats that are taken.
    pub fn viewers(&self) -> usize {
        self.shared.seats_taken.load(Ordering::Relaxed)
    }

    /// Hands over a non-blocking socket with the head of the answer to its request, which the hub writes, and the bytes that were
    /// read after the request. A `snapshot` of a round whose games are on the disk is taken beforehand: while the hub reads, no
    /// viewer gets a move.
    pub fn admit(
        &self,
        seat: Seat,
        socket: TcpStream,
        (head, read): (Bytes, Bytes),
        request: Request,
        snapshot: Option<Snapshot>,
    ) {
        let viewer = NewViewer { seat, socket, head, read, request, snapshot };
        self.shared.new_viewers.lock().unwrap_or_else(PoisonError::into_inner).push(viewer);
        self.shared.wake();
    }

    /// Closes all viewers' connections and ends the hub's thread.
    pub fn close(&self) {
        self.shared.closing.store(true, Ordering::Release);
        self.shared.wake();
    }
}
