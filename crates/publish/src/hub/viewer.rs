//! One viewer: a socket, the number of its next event, and the few frames that are being written.
//!
//! Events are not queued for a viewer: the stream's window holds the frames. So a slow viewer costs no memory, and a viewer whose
//! next event has left the window restarts from a snapshot.

use std::collections::VecDeque;
use std::io::{ErrorKind, IoSlice, Read, Write};
use std::net::Shutdown;
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes};
use mio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::frames::{self, FrameReader, ViewerMessage};
use super::handle::Seat;
use super::place::{Choice, Place};
use super::stream::Stream;
use crate::gate::PublicView;
use crate::snapshot::Snapshots;
use crate::wire;

/// Frames handed to the system in one call.
const FRAMES_A_WRITE: usize = 16;

/// Frames waiting for one viewer at which pings and pongs are left out.
const PENDING_FRAMES: usize = 8;

/// Bytes received in one turn beyond which a viewer is dropped: viewers send pongs and close frames only.
const MAX_RECEIVED: usize = 64 * 1024;

/// How long a viewer may take to end the connection after our close frame.
const CLOSING: Duration = Duration::from_secs(5);

/// The connection is over; the socket can be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Disconnected;

/// Which sides have sent a close frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closing {
    /// Neither.
    No,
    /// We have, at this instant.
    Ours(Instant),
    /// Both: once our frame is written nothing more will come from either side.
    Both,
}

/// Where a viewer's next frame comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A snapshot.
    Snapshot,
    /// The event with this number.
    Event(u64),
}

/// A viewer.
pub(super) struct Viewer {
    pub(super) socket: TcpStream,
    /// What it watches.
    pub(super) place: Place,
    /// What it asked for; what it left open follows the featured section and round.
    pub(super) choice: Choice,
    next: Next,
    /// Frames partly written, or due before any event.
    pending: VecDeque<Bytes>,
    /// The system took no more; wait until it can.
    blocked: bool,
    reader: FrameReader,
    /// Whether it read or wrote since the last ping.
    alive: bool,
    closing: Closing,
    _seat: Seat,
}

impl Viewer {
    /// A viewer that gets a snapshot first.
    pub(super) fn new(socket: TcpStream, seat: Seat, head: Bytes, place: Place, choice: Choice) -> Self {
        Self {
            socket,
            place,
            choice,
            next: Next::Snapshot,
            pending: [head].into(),
            blocked: false,
            reader: FrameReader::default(),
            alive: true,
            closing: Closing::No,
            _seat: seat,
        }
    }

    /// Continues after event `since`, which the viewer has, if the stream keeps all later ones.
    pub(super) fn resume(&mut self, stream: &Stream, since: u64, resumed: &str) {
        if (stream.first()..=stream.next()).contains(&since.saturating_add(1)) {
            self.next = Next::Event(since + 1);
            self.pending.push_back(frames::whole_text(resumed));
        }
    }

    /// Moves on to another round, from its snapshot.
    pub(super) fn move_to(&mut self, place: Place) {
        self.place = place;
        self.restart();
    }

    /// Sends a snapshot next.
    pub(super) fn restart(&mut self) {
        self.next = Next::Snapshot;
    }

    /// The socket can be written to again, so the other side has read.
    pub(super) fn unblock(&mut self) {
        self.blocked = false;
        self.alive = true;
    }

    /// Writes what is due until all is written or the system takes no more.
    pub(super) fn write(
        &mut self,
        stream: &mut Stream,
        snapshots: &mut Snapshots<PublicView>,
    ) -> Result<(), Disconnected> {
        while !self.blocked {
            if self.pending.is_empty() && self.closing == Closing::No {
                self.queue_snapshot(stream, snapshots);
            }
            let events = match self.next {
                Next::Event(next) if self.closing == Closing::No => next,
                _ => u64::MAX,
            };
            let mut due = [IoSlice::new(&[]); FRAMES_A_WRITE];
            let mut count = 0;
            for (slot, frame) in
                due.iter_mut().zip(self.pending.iter().chain(stream.frames_from(events).map(|(_, frame)| frame)))
            {
                *slot = IoSlice::new(frame);
                count += 1;
            }
            if count == 0 {
                match self.closing {
                    Closing::No => (),
                    // The other side reads our last frame and then the end; its own end is awaited.
                    Closing::Ours(_) => drop(self.socket.shutdown(Shutdown::Write)),
                    Closing::Both => return Err(Disconnected),
                }
                return Ok(());
            }
            match self.socket.write_vectored(due.get(..count).unwrap_or_default()) {
                Ok(0) => return Err(Disconnected),
                Ok(written) => self.advance(written, stream),
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.blocked = true,
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(_) => return Err(Disconnected),
            }
        }
        Ok(())
    }

    /// Queues a snapshot if one is due; before it, when the next event has left the window, the numbers that are lost.
    fn queue_snapshot(&mut self, stream: &mut Stream, snapshots: &mut Snapshots<PublicView>) {
        let lost_from = match self.next {
            Next::Snapshot => None,
            Next::Event(next) if next < stream.first() => Some(next),
            Next::Event(_) => return,
        };
        let Some(snapshot) = stream.snapshot(snapshots) else {
            return;
        };
        if let Some(from) = lost_from {
            self.pending.push_back(frames::whole_text(&wire::lost(from, snapshot.seq)));
        }
        let (start, rest) = snapshot.pieces();
        self.pending.extend(frames::text(&start, rest));
        self.next = Next::Event(snapshot.seq + 1);
    }

    /// Moves on by the number of bytes that the system accepted.
    fn advance(&mut self, mut written: usize, stream: &Stream) {
        while let Some(frame) = self.pending.front_mut() {
            if written < frame.len() {
                frame.advance(written);
                return;
            }
            written -= frame.len();
            self.pending.pop_front();
        }
        let Next::Event(next) = &mut self.next else {
            return;
        };
        for (number, frame) in stream.frames_from(*next) {
            if written == 0 {
                return;
            }
            *next = number + 1;
            if written < frame.len() {
                self.pending.push_back(frame.slice(written..));
                return;
            }
            written -= frame.len();
        }
    }

    /// Reads what the viewer sends; `buffer` is borrowed for the call.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<(), Disconnected> {
        let mut received = 0;
        loop {
            match self.socket.read(buffer) {
                Ok(0) => return Err(Disconnected),
                Ok(count) => {
                    self.receive(buffer.get(..count).unwrap_or_default());
                    received += count;
                    if received > MAX_RECEIVED {
                        return Err(Disconnected);
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(_) => return Err(Disconnected),
            }
        }
    }

    /// Handles received bytes: answers pings and a close frame.
    pub(super) fn receive(&mut self, bytes: &[u8]) {
        self.alive = true;
        if self.closing != Closing::No {
            return;
        }
        let pending = &mut self.pending;
        let mut end = None;
        let read = self.reader.read(bytes, |message| match message {
            ViewerMessage::Ping(payload) if pending.len() < PENDING_FRAMES => {
                pending.push_back(frames::pong(&payload));
            }
            ViewerMessage::Close(code) => end = Some(code),
            ViewerMessage::Ping(_) | ViewerMessage::Other => (),
        });
        if let Some(code) = read.err().or(end) {
            self.close(code);
        }
        if end.is_some() {
            self.closing = Closing::Both;
        }
    }

    /// Ends the connection after the frames that are partly written.
    pub(super) fn close(&mut self, code: CloseCode) {
        if self.closing == Closing::No {
            self.pending.push_back(frames::close(code));
            self.closing = Closing::Ours(Instant::now());
        }
    }

    /// Sends a ping; a viewer that neither read nor wrote since the last one is disconnected.
    pub(super) fn ping(&mut self) -> Result<(), Disconnected> {
        if !std::mem::take(&mut self.alive) {
            return Err(Disconnected);
        }
        if self.pending.len() < PENDING_FRAMES && self.closing == Closing::No {
            self.pending.push_back(frames::ping());
        }
        Ok(())
    }

    /// Whether a close frame has waited too long for its answer.
    pub(super) fn overdue(&self) -> bool {
        matches!(self.closing, Closing::Ours(since) if since.elapsed() > CLOSING)
    }
}
