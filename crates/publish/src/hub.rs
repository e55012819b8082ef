//! The hub: the sockets of all who watch live.
//!
//! One thread owns every socket and waits for all of them at once; each event is encoded once and written directly.
//! Reads nothing but what is [`Public`]. Knows nothing of HTTP: sockets come here after their handshake.

mod frames;
mod stream;
mod viewer;

use std::collections::{HashMap, HashSet};
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
use crate::gate::{Featured, Public};
use crate::snapshot::Snapshots;
use crate::wire;
use hall_clock::HallClock;

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

/// A round of a section, by its slug.
type Place = (Arc<str>, u32);

/// What a viewer asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Slug of this section whatever happens; without one, the one that deserves most attention.
    pub section: Option<Arc<str>>,
    /// This round whatever happens; without one, always the round that is being played.
    pub round: Option<u32>,
}

impl Wanted {
    fn place(&self, attention: &Featured) -> Option<Place> {
        let section = self.section.as_ref().or(attention.section.as_ref())?;
        let round = self.round.or_else(|| attention.rounds.get(section).copied())?;
        Some((Arc::clone(section), round))
    }
}

/// What a viewer wants to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Where.
    pub wanted: Wanted,
    /// Stream and number of the last event it has.
    pub resume: Option<(String, u64)>,
}

/// Starts the hub's thread.
///
/// # Errors
/// When the system gives no poll or no thread.
pub fn start(public: Public, clock: HallClock, limits: Limits) -> io::Result<(HubHandle, JoinHandle<()>)> {
    let poll = Poll::new()?;
    let shared = Arc::new(Shared {
        newcomers: Mutex::default(),
        waker: Waker::new(poll.registry(), WAKE)?,
        seats_taken: AtomicUsize::new(0),
        closing: AtomicBool::new(false),
        limits,
    });
    let woken = Arc::clone(&shared);
    public.watch(move || woken.wake());
    let mut hub = Hub {
        poll,
        shared: Arc::clone(&shared),
        snapshots: Snapshots::new(public.clone(), clock),
        attention: public.attention(),
        public,
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
    public: Public,
    clock: HallClock,
    attention: Featured,
    snapshots: Snapshots,
    streams: HashMap<Place, Stream>,
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
        let Some(stream) = self.streams.get_mut(&viewer.place) else {
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

    /// Brings what was released to everybody.
    fn catch_up(&mut self) {
        let window = self.shared.limits.window;
        let attention = self.public.attention();
        if attention != self.attention {
            self.attention = attention;
            let mut reached = HashSet::new();
            for viewer in self.viewers.iter_mut().flatten() {
                if let Some(place) = viewer.wanted.place(&self.attention).filter(|place| *place != viewer.place) {
                    reached.insert(place.clone());
                    viewer.follow(place);
                }
            }
            for place in reached {
                self.open(&place);
            }
        }
        let mut renewed = HashSet::new();
        for (place, stream) in &mut self.streams {
            if !stream.catch_up(window) {
                renewed.insert(place.clone());
            }
        }
        for index in 0..self.viewers.len() {
            if let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut)
                && renewed.contains(&viewer.place)
            {
                viewer.begin_anew();
            }
            self.write(index);
        }
    }

    fn open(&mut self, place: &Place) -> Option<&Stream> {
        if !self.streams.contains_key(place) {
            let view = self.public.section(&place.0)?;
            self.streams.insert(place.clone(), Stream::open(&view, place.1, self.shared.limits.window)?);
        }
        self.streams.get(place)
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
        let place = wish.wanted.place(&self.attention).ok_or(ErrorKind::NotFound)?;
        let stream = self.open(&place).ok_or(ErrorKind::NotFound)?;
        let mut viewer = Viewer::new(mio::net::TcpStream::from_std(socket), seat, place, wish.wanted);
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
        let current = Wanted::default().place(&self.attention);
        let watched: HashSet<_> = self.viewers.iter().flatten().map(|viewer| &viewer.place).chain(&current).collect();
        self.streams.retain(|place, _| watched.contains(place));
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
