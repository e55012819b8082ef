//! The hub: owns the sockets of all live viewers.
//!
//! One thread waits for all sockets at once; each event is encoded once and written directly. Reads a [`PublicView`] and
//! nothing else. Must not know HTTP: sockets come here after their handshake.

mod frames;
mod handle;
mod place;
mod stream;
mod viewer;

use std::collections::{HashMap, HashSet};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use mio::{Events, Interest, Poll, Token, Waker};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use self::handle::{NewViewer, Shared};
use self::place::Place;
use self::stream::Stream;
use self::viewer::{Disconnected, Viewer};
use crate::gate::{Featured, PublicView, View};
use crate::snapshot::Snapshots;
use crate::wire;
use hall_clock::HallClock;

pub use self::handle::{HubHandle, Limits, Seat};
pub use self::place::{Choice, Request};
pub use self::stream::Window;

/// The token of the waker; viewers have their index.
const WAKE: Token = Token(usize::MAX);

/// Ticks from one ping of a viewer to the next; each tick pings a part of the viewers.
const TICKS_A_PING: u32 = 30;

/// Starts the hub's thread.
///
/// # Errors
/// When the system gives no poll or no thread.
pub fn start(public: PublicView, clock: HallClock, limits: Limits) -> io::Result<(HubHandle, JoinHandle<()>)> {
    let poll = Poll::new()?;
    let shared = Arc::new(Shared::new(Waker::new(poll.registry(), WAKE)?, limits));
    let woken = Arc::clone(&shared);
    public.watch(move || woken.wake());
    let mut hub = Hub {
        poll,
        shared: Arc::clone(&shared),
        snapshots: Snapshots::new(public.clone(), clock),
        featured: public.featured(),
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

/// The owner of the sockets.
struct Hub {
    poll: Poll,
    shared: Arc<Shared>,
    public: PublicView,
    clock: HallClock,
    featured: Featured,
    snapshots: Snapshots<PublicView>,
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
                if self.shared.is_closing() {
                    self.close_all();
                    return;
                }
                self.catch_up();
                self.admit_new_viewers();
            }
            if Instant::now() >= next_tick {
                next_tick = Instant::now() + tick;
                ticks = (ticks + 1) % TICKS_A_PING as usize;
                self.tick(ticks);
            }
        }
    }

    /// Serves a viewer whose socket is ready.
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
        if viewer.write(stream, &mut self.snapshots) == Err(Disconnected) {
            self.drop_viewer(index);
        }
    }

    /// Drops a viewer; closing its socket also ends its registration. The index is used again only after the events of this poll.
    fn drop_viewer(&mut self, index: usize) {
        if self.viewers.get_mut(index).and_then(Option::take).is_some() {
            self.free.push(index);
        }
    }

    /// Sends what was released to the viewers.
    fn catch_up(&mut self) {
        let window = self.shared.limits.window;
        let featured = self.public.featured();
        if featured != self.featured {
            self.featured = featured;
            let mut reached = HashSet::new();
            for viewer in self.viewers.iter_mut().flatten() {
                if let Some(place) = viewer.choice.place(&self.featured).filter(|place| *place != viewer.place) {
                    reached.insert(place.clone());
                    viewer.move_to(place);
                }
            }
            for place in reached {
                self.open(&place);
            }
        }
        let mut renamed = HashSet::new();
        for (place, stream) in &mut self.streams {
            if !stream.catch_up(window) {
                renamed.insert(place.clone());
            }
        }
        for index in 0..self.viewers.len() {
            if let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut)
                && renamed.contains(&viewer.place)
            {
                viewer.restart();
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

    fn admit_new_viewers(&mut self) {
        for viewer in self.shared.take_new_viewers() {
            if let Err(error) = self.admit(viewer) {
                tracing::warn!(%error, "a viewer could not be admitted");
            }
        }
    }

    fn admit(&mut self, viewer: NewViewer) -> io::Result<()> {
        let NewViewer { seat, socket, head, read, request: Request { choice, resume } } = viewer;
        let clock = self.clock;
        let place = choice.place(&self.featured).ok_or(ErrorKind::NotFound)?;
        let stream = self.open(&place).ok_or(ErrorKind::NotFound)?;
        let mut viewer = Viewer::new(mio::net::TcpStream::from_std(socket), seat, head, place, choice);
        if let Some((id, since)) = resume
            && *id == *stream.id
        {
            viewer.resume(stream, since, &wire::resumed(&id, since, clock));
        }
        viewer.receive(&read);
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

    /// Pings a part of the viewers, drops dead ones, and drops streams without viewers.
    fn tick(&mut self, ticks: usize) {
        for index in 0..self.viewers.len() {
            let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut) else {
                continue;
            };
            let ping_due = index % TICKS_A_PING as usize == ticks;
            if viewer.overdue() || (ping_due && viewer.ping() == Err(Disconnected)) {
                self.drop_viewer(index);
            } else if ping_due {
                self.write(index);
            }
        }
        let current = Choice::default().place(&self.featured);
        let watched: HashSet<_> = self.viewers.iter().flatten().map(|viewer| &viewer.place).chain(&current).collect();
        self.streams.retain(|place, _| watched.contains(place));
    }

    fn close_all(&mut self) {
        for index in 0..self.viewers.len() {
            if let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut) {
                viewer.close(CloseCode::Away);
                self.write(index);
            }
        }
        self.viewers.clear();
    }
}
