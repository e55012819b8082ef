//! The hub: the sockets of all who watch live.
//!
//! One thread owns every socket and waits for all of them at once; each event is encoded once and written directly.
//! Reads nothing but a [`View`]. Knows nothing of HTTP: sockets come here after their handshake.

mod frames;
mod stream;
mod viewer;

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bytes::Bytes;
use mio::{Events, Interest, Poll, Token, Waker};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use self::stream::Stream;
use self::viewer::{Gone, Viewer};
use crate::hall_clock::HallClock;
use crate::publish::gate::View;
use crate::publish::snapshot::Snapshots;
use crate::publish::wire;

pub use self::stream::Window;

/// The token of the waker; viewers have their index.
const WAKE: Token = Token(usize::MAX);

/// The hub looks after its viewers so many times between two pings, each time pinging a part of them.
const TICKS_A_PING: u32 = 30;

/// What a hub may hold.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Viewers at the same time.
    pub viewers: usize,
    /// The past of each stream, for viewers who come back or fall behind.
    pub window: Window,
    /// From one ping to the next, in real time; a viewer that gives no sign of life in between is dropped.
    pub ping_every: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let window = Window { frames: 4096, bytes: 8 * 1024 * 1024 };
        Self { viewers: 20_000, window, ping_every: Duration::from_secs(30) }
    }
}

/// What a viewer wants to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// This round whatever happens; without one, always the round that is being played.
    pub round: Option<u32>,
    /// Stream and number of the last event it has.
    pub resume: Option<(String, u64)>,
}

/// Starts the hub's thread.
///
/// # Errors
/// When the system gives no poll or no thread.
pub fn start(view: View, clock: HallClock, limits: Limits) -> io::Result<(HubHandle, JoinHandle<()>)> {
    let poll = Poll::new()?;
    let shared = Arc::new(Shared {
        newcomers: Mutex::default(),
        waker: Waker::new(poll.registry(), WAKE)?,
        seats_taken: AtomicUsize::new(0),
        closing: AtomicBool::new(false),
        limits,
    });
    let woken = Arc::clone(&shared);
    view.watch(move || woken.wake());
    let mut hub = Hub {
        poll,
        shared: Arc::clone(&shared),
        snapshots: Snapshots::new(view.clone(), clock),
        current: view.current_round(),
        view,
        clock,
        streams: HashMap::new(),
        viewers: Vec::new(),
        free: Vec::new(),
        buffer: vec![0; 16 * 1024],
    };
    let thread = thread::Builder::new().name("hub".into()).spawn(move || hub.run())?;
    Ok((HubHandle { shared }, thread))
}

/// Where sockets are handed over.
#[derive(Clone)]
pub struct HubHandle {
    shared: Arc<Shared>,
}

struct Shared {
    newcomers: Mutex<Vec<Newcomer>>,
    waker: Waker,
    seats_taken: AtomicUsize,
    closing: AtomicBool,
    limits: Limits,
}

impl Shared {
    fn wake(&self) {
        if let Err(error) = self.waker.wake() {
            tracing::error!(%error, "viewers cannot be served: the hub does not wake");
        }
    }
}

struct Newcomer {
    seat: Seat,
    socket: TcpStream,
    read: Bytes,
    wish: Wish,
}

/// The right to be one of the hub's viewers; given back when dropped.
pub struct Seat {
    shared: Arc<Shared>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.shared.seats_taken.fetch_sub(1, Ordering::Relaxed);
    }
}

impl HubHandle {
    /// A seat, unless all are taken.
    pub fn seat(&self) -> Option<Seat> {
        let limit = self.shared.limits.viewers;
        let taken = &self.shared.seats_taken;
        taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| (taken < limit).then_some(taken + 1)).ok()?;
        Some(Seat { shared: Arc::clone(&self.shared) })
    }

    /// Seats that are taken.
    pub fn viewers(&self) -> usize {
        self.shared.seats_taken.load(Ordering::Relaxed)
    }

    /// Hands over a non-blocking socket after its handshake, with what was read behind that.
    pub fn admit(&self, seat: Seat, socket: TcpStream, read: Bytes, wish: Wish) {
        let newcomer = Newcomer { seat, socket, read, wish };
        self.shared.newcomers.lock().unwrap_or_else(PoisonError::into_inner).push(newcomer);
        self.shared.wake();
    }

    /// Tells all viewers good-bye and ends the hub's thread.
    pub fn close(&self) {
        self.shared.closing.store(true, Ordering::Release);
        self.shared.wake();
    }
}

/// The owner of the sockets.
struct Hub {
    poll: Poll,
    shared: Arc<Shared>,
    view: View,
    clock: HallClock,
    current: u32,
    snapshots: Snapshots,
    streams: HashMap<u32, Stream>,
    viewers: Vec<Option<Viewer>>,
    free: Vec<usize>,
    buffer: Vec<u8>,
}

impl Hub {
    fn run(&mut self) {
        let mut events = Events::with_capacity(1024);
        let tick = self.shared.limits.ping_every / TICKS_A_PING;
        let mut next_tick = Instant::now() + tick;
        let mut ticks = 0;
        loop {
            if let Err(error) = self.poll.poll(&mut events, Some(next_tick.saturating_duration_since(Instant::now())))
                && error.kind() != ErrorKind::Interrupted
            {
                tracing::error!(%error, "viewers cannot be served: waiting for their sockets fails");
                return;
            }
            let mut woken = false;
            for event in &events {
                match event.token() {
                    WAKE => woken = true,
                    Token(index) => self.serve(index, event.is_readable(), event.is_writable()),
                }
            }
            if woken {
                if self.shared.closing.load(Ordering::Acquire) {
                    self.say_goodbye();
                    return;
                }
                self.catch_up();
                self.admit_newcomers();
            }
            if Instant::now() >= next_tick {
                next_tick = Instant::now() + tick;
                ticks = (ticks + 1) % TICKS_A_PING as usize;
                self.tick(ticks);
            }
        }
    }

    /// Something happened on a viewer's socket.
    fn serve(&mut self, index: usize, readable: bool, writable: bool) {
        let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut) else {
            return;
        };
        if writable {
            viewer.unblock();
        }
        let alive = if readable { viewer.read(&mut self.buffer) } else { Ok(()) };
        if alive.is_err() {
            self.drop_viewer(index);
        } else {
            self.write(index);
        }
    }

    fn write(&mut self, index: usize) {
        let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut) else {
            return;
        };
        let Some(stream) = self.streams.get_mut(&viewer.round) else {
            return;
        };
        if viewer.write(stream, &mut self.snapshots) == Err(Gone) {
            self.drop_viewer(index);
        }
    }

    /// Closing the socket also ends its registration. The index is used again only after the events at hand.
    fn drop_viewer(&mut self, index: usize) {
        if self.viewers.get_mut(index).and_then(Option::take).is_some() {
            self.free.push(index);
        }
    }

    /// Brings what the view released to everybody.
    fn catch_up(&mut self) {
        let current = self.view.current_round();
        if current != self.current {
            self.current = current;
            self.open(current);
            for viewer in self.viewers.iter_mut().flatten().filter(|viewer| !viewer.pinned) {
                viewer.follow(current);
            }
        }
        for stream in self.streams.values_mut() {
            stream.catch_up(&self.view, self.shared.limits.window);
        }
        for index in 0..self.viewers.len() {
            self.write(index);
        }
    }

    fn open(&mut self, round: u32) -> Option<&Stream> {
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.streams.entry(round) {
            vacant.insert(Stream::open(&self.view, round, self.shared.limits.window)?);
        }
        self.streams.get(&round)
    }

    fn admit_newcomers(&mut self) {
        let newcomers = std::mem::take(&mut *self.shared.newcomers.lock().unwrap_or_else(PoisonError::into_inner));
        for newcomer in newcomers {
            if let Err(error) = self.admit(newcomer) {
                tracing::warn!(%error, "a viewer could not be admitted");
            }
        }
    }

    fn admit(&mut self, newcomer: Newcomer) -> io::Result<()> {
        let Newcomer { seat, socket, read, wish } = newcomer;
        let clock = self.clock;
        let round = wish.round.unwrap_or(self.current);
        let stream = self.open(round).ok_or(ErrorKind::NotFound)?;
        let mut viewer = Viewer::new(mio::net::TcpStream::from_std(socket), seat, round, wish.round.is_some());
        if let Some((id, since)) = wish.resume
            && *id == *stream.id
        {
            viewer.resume(stream, since, &wire::resumed(&id, since, clock));
        }
        viewer.hear(&read);
        let index = self.free.pop().unwrap_or(self.viewers.len());
        if index == self.viewers.len() {
            self.viewers.push(None);
        }
        let registry = self.poll.registry();
        let registered = registry.register(&mut viewer.socket, Token(index), Interest::READABLE | Interest::WRITABLE);
        if let Some(slot) = self.viewers.get_mut(index) {
            *slot = Some(viewer);
        }
        match registered {
            Ok(()) => self.write(index),
            Err(_) => self.drop_viewer(index),
        }
        registered
    }

    /// Pings a part of the viewers, drops the dead, and forgets streams that nobody watches.
    fn tick(&mut self, ticks: usize) {
        for index in 0..self.viewers.len() {
            let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut) else {
                continue;
            };
            let ping_due = index % TICKS_A_PING as usize == ticks;
            if viewer.overdue() || (ping_due && viewer.ping() == Err(Gone)) {
                self.drop_viewer(index);
            } else if ping_due {
                self.write(index);
            }
        }
        let viewers = &self.viewers;
        let current = self.current;
        self.streams
            .retain(|round, _| *round == current || viewers.iter().flatten().any(|viewer| viewer.round == *round));
    }

    fn say_goodbye(&mut self) {
        for index in 0..self.viewers.len() {
            if let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut) {
                viewer.close(CloseCode::Away);
                self.write(index);
            }
        }
        self.viewers.clear();
    }
}
