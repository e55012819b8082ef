//! The hub: owns the sockets of all live viewers.
//!
//! One thread waits for all sockets at once; events are encoded once and written directly. Reads a [`PublicView`] and nothing
//! else. Must not know HTTP: a socket comes here with the head of its answer.

mod batch;
mod frames;
mod handle;
mod place;
mod stream;
mod topic;
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
pub use self::place::{Choice, Form, Games, Request};
pub use self::stream::Window;

/// The token of the waker; viewers have their index.
const WAKE: Token = Token(usize::MAX);

/// Ticks from one heartbeat of a viewer to the next; each tick serves a part of the viewers.
const TICKS_A_BEAT: u32 = 30;

/// Bytes of messages that the system may hold for one viewer, about: a snapshot, or a minute of a busy round. By itself it takes
/// up to four megabytes for each of those that do not read, from memory that all sockets share.
const SEND_BUFFER: usize = 128 * 1024;

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
        let limits = self.shared.limits;
        let tick = limits.beat_every / TICKS_A_BEAT;
        let mut next_tick = Instant::now() + tick;
        let mut ticks = 0;
        loop {
            let due = self.streams.values().filter_map(Stream::due).fold(next_tick, Instant::min);
            if let Err(error) = self.poll.poll(&mut events, Some(due.saturating_duration_since(Instant::now())))
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
            self.send_due(limits);
            if Instant::now() >= next_tick {
                next_tick = Instant::now() + tick;
                ticks = (ticks + 1) % TICKS_A_BEAT as usize;
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
        let watched = self.streams.get_mut(&viewer.place).and_then(|stream| stream.watched(&viewer.choice.games));
        let Some((topic, section, round)) = watched else { return };
        if viewer.write(topic, (section, round, &mut self.snapshots)) == Err(Disconnected) {
            self.drop_viewer(index);
        }
    }

    /// Drops a viewer; closing its socket also ends its registration. The index is used again only after the events of this poll.
    fn drop_viewer(&mut self, index: usize) {
        self.leave_topic(index);
        if self.viewers.get_mut(index).and_then(Option::take).is_some() {
            self.free.push(index);
        }
    }

    /// Takes a viewer out of the list of its topic.
    fn leave_topic(&mut self, index: usize) {
        let Some(viewer) = self.viewers.get(index).and_then(Option::as_ref) else { return };
        let (at, watched) = (viewer.in_topic, self.streams.get_mut(&viewer.place));
        let Some((topic, ..)) = watched.and_then(|stream| stream.watched(&viewer.choice.games)) else { return };
        if topic.viewers.get(at) != Some(&index) {
            return;
        }
        topic.viewers.swap_remove(at);
        let moved = topic.viewers.get(at).copied();
        if let Some(moved) = moved.and_then(|moved| self.viewers.get_mut(moved)).and_then(Option::as_mut) {
            moved.in_topic = at;
        }
    }

    /// Puts a viewer into the list of the topic that it watches; false when there is no place for another topic.
    fn join_topic(&mut self, index: usize) -> bool {
        let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut) else { return false };
        if !self.streams.contains_key(&viewer.place) {
            let opened = self.public.section(&viewer.place.0).and_then(|view| Stream::open(&view, viewer.place.1));
            let Some(stream) = opened else { return false };
            self.streams.insert(viewer.place.clone(), stream);
        }
        let stream = self.streams.get_mut(&viewer.place);
        let Some(topic) = stream.and_then(|stream| stream.topic(viewer.choice.games.as_ref(), self.shared.limits))
        else {
            return false;
        };
        viewer.in_topic = topic.viewers.len();
        topic.viewers.push(index);
        true
    }

    /// Takes what was released.
    fn catch_up(&mut self) {
        let limits = self.shared.limits;
        let featured = self.public.featured();
        if featured != self.featured {
            self.featured = featured;
            self.move_viewers();
        }
        for stream in self.streams.values_mut() {
            if stream.catch_up(limits) {
                continue;
            }
            let (topics, ..) = stream.topics();
            for index in topics.flat_map(|topic| &topic.viewers) {
                if let Some(viewer) = self.viewers.get_mut(*index).and_then(Option::as_mut) {
                    viewer.restart();
                }
            }
        }
        self.end_streams();
    }

    /// Ends the streams of rounds that are no longer public. Their viewers connect again and are answered as for an unknown round.
    fn end_streams(&mut self) {
        let gone = self.streams.iter_mut().filter(|(_, stream)| stream.is_gone());
        let viewers: Vec<_> =
            gone.flat_map(|(_, stream)| stream.topics().0.flat_map(|topic| topic.viewers.clone())).collect();
        for index in viewers {
            self.drop_viewer(index);
        }
        self.streams.retain(|_, stream| !stream.is_gone());
    }

    /// Viewers who left their section or round open follow the featured ones.
    fn move_viewers(&mut self) {
        for index in 0..self.viewers.len() {
            let Some(viewer) = self.viewers.get(index).and_then(Option::as_ref) else { continue };
            let Some(place) = viewer.choice.place(&self.featured).filter(|place| *place != viewer.place) else {
                continue;
            };
            self.leave_topic(index);
            if let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut) {
                viewer.move_to(place);
            }
            if self.join_topic(index) {
                self.write(index);
            } else {
                self.drop_viewer(index);
            }
        }
    }

    /// Sends the messages that are due.
    fn send_due(&mut self, limits: Limits) {
        let now = Instant::now();
        let mut gone = Vec::new();
        for stream in self.streams.values_mut() {
            let (topics, section, round) = stream.topics();
            for topic in topics.filter(|topic| topic.due().is_some_and(|due| due <= now)) {
                topic.make_message(now, limits);
                let viewers = std::mem::take(&mut topic.viewers);
                for &index in &viewers {
                    if let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut)
                        && viewer.write(topic, (section, round, &mut self.snapshots)) == Err(Disconnected)
                    {
                        gone.push(index);
                    }
                }
                topic.viewers = viewers;
            }
        }
        for index in gone {
            self.drop_viewer(index);
        }
    }

    fn admit_new_viewers(&mut self) {
        for viewer in self.shared.take_new_viewers() {
            if let Err(error) = self.admit(viewer) {
                tracing::warn!(%error, "a viewer could not be admitted");
            }
        }
    }

    fn admit(&mut self, viewer: NewViewer) -> io::Result<()> {
        let NewViewer { seat, socket, head, read, request: Request { choice, resume, form }, snapshot } = viewer;
        let place = choice.place(&self.featured).ok_or(ErrorKind::NotFound)?;
        socket2::SockRef::from(&socket).set_send_buffer_size(SEND_BUFFER)?;
        let socket = mio::net::TcpStream::from_std(socket);
        let viewer = Viewer::new(socket, seat, head, (place, choice), form);
        let index = self.free.pop().unwrap_or(self.viewers.len());
        if index == self.viewers.len() {
            self.viewers.push(None);
        }
        let Some(slot) = self.viewers.get_mut(index) else { return Ok(()) };
        let viewer = slot.insert(viewer);
        let interest = Interest::READABLE | Interest::WRITABLE;
        if let Err(error) = self.poll.registry().register(&mut viewer.socket, Token(index), interest) {
            self.drop_viewer(index);
            return Err(error);
        }
        if !self.join_topic(index) {
            self.drop_viewer(index);
            return Err(io::Error::other("too many different choices of games are followed"));
        }
        if let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut)
            && let Some(stream) = self.streams.get_mut(&viewer.place)
        {
            let (name, last) = (Arc::clone(&stream.id), stream.last());
            if let Some((topic, ..)) = stream.watched(&viewer.choice.games) {
                topic.begin_with(snapshot);
                if let Some((id, since)) = resume
                    && *id == *name
                {
                    viewer.resume(topic, last, since, &wire::resumed(&id, since, self.clock));
                }
            }
            viewer.receive(&read);
        }
        self.write(index);
        Ok(())
    }

    /// Sends heartbeats to a part of the viewers, drops dead ones, and drops streams without viewers.
    fn tick(&mut self, ticks: usize) {
        for index in 0..self.viewers.len() {
            let Some(viewer) = self.viewers.get_mut(index).and_then(Option::as_mut) else {
                continue;
            };
            let beat_due = index % TICKS_A_BEAT as usize == ticks;
            if viewer.overdue() || (beat_due && viewer.beat(self.clock) == Err(Disconnected)) {
                self.drop_viewer(index);
            } else if beat_due {
                self.write(index);
            }
        }
        let current = Choice::default().place(&self.featured);
        let public_round: HashSet<_> = current.into_iter().collect();
        self.streams.retain(|place, stream| !stream.tidy() || public_round.contains(place));
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
