//! One viewer: a socket, its place in a stream, and the little that is on its way.
//!
//! Events are not queued for a viewer. It has a number, the next event it gets, and the stream's window has the frames;
//! so a slow viewer costs no memory, and one that the window has left behind starts again from a snapshot.

use std::collections::VecDeque;
use std::io::{ErrorKind, IoSlice, Read, Write};
use std::net::Shutdown;
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes};
use mio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::frames::{self, FrameReader, Said};
use super::stream::Stream;
use super::{Place, Seat, Wanted};
use crate::snapshot::Snapshots;
use crate::wire;

/// Frames handed to the system in one call.
const FRAMES_A_WRITE: usize = 16;

/// Frames on their way to one viewer beyond which pings and pongs are left out.
const PENDING_FRAMES: usize = 8;

/// A viewer that says more than this many bytes in one go is no viewer and is dropped without a word.
const MOST_SAID_AT_ONCE: usize = 64 * 1024;

/// How long a viewer may take to end the connection after our close frame.
const CLOSING: Duration = Duration::from_secs(5);

/// The connection is over; the socket can be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gone;

/// Who has said good-bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closing {
    /// Nobody.
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
    /// What it asked for: where it asked for nothing, it goes along with the others.
    pub(super) wanted: Wanted,
    next: Next,
    /// Frames begun or due before any event.
    pending: VecDeque<Bytes>,
    /// The system took no more; wait until it can.
    blocked: bool,
    reader: FrameReader,
    /// Whether it gave a sign of life since the last ping.
    heard: bool,
    closing: Closing,
    _seat: Seat,
}

impl Viewer {
    /// A viewer that gets a snapshot first.
    pub(super) fn new(socket: TcpStream, seat: Seat, place: Place, wanted: Wanted) -> Self {
        Self {
            socket,
            place,
            wanted,
            next: Next::Snapshot,
            pending: VecDeque::new(),
            blocked: false,
            reader: FrameReader::default(),
            heard: true,
            closing: Closing::No,
            _seat: seat,
        }
    }

    /// Goes on behind event `since`, which the viewer has, if the stream still holds what follows.
    pub(super) fn resume(&mut self, stream: &Stream, since: u64, resumed: &str) {
        if (stream.first()..=stream.next()).contains(&since.saturating_add(1)) {
            self.next = Next::Event(since + 1);
            self.pending.push_back(frames::whole_text(resumed));
        }
    }

    /// Moves on to another round, from its snapshot.
    pub(super) fn follow(&mut self, place: Place) {
        self.place = place;
        self.begin_anew();
    }

    /// What it knows does not hold any more: a snapshot comes next.
    pub(super) fn begin_anew(&mut self) {
        self.next = Next::Snapshot;
    }

    /// The socket can be written to again, so the other side has read.
    pub(super) fn unblock(&mut self) {
        self.blocked = false;
        self.heard = true;
    }

    /// Writes what is due until all is written or the system takes no more.
    pub(super) fn write(&mut self, stream: &mut Stream, snapshots: &mut Snapshots) -> Result<(), Gone> {
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
                    Closing::Both => return Err(Gone),
                }
                return Ok(());
            }
            match self.socket.write_vectored(due.get(..count).unwrap_or_default()) {
                Ok(0) => return Err(Gone),
                Ok(written) => self.advance(written, stream),
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.blocked = true,
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(_) => return Err(Gone),
            }
        }
        Ok(())
    }

    /// Whoever needs a snapshot gets it now that all before it is written; if the window left it behind, with the
    /// numbers it lost.
    fn queue_snapshot(&mut self, stream: &mut Stream, snapshots: &mut Snapshots) {
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

    /// Takes note of what the system took.
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

    /// Reads and obeys what the viewer says; `buffer` is lent for the call.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<(), Gone> {
        let mut said = 0;
        loop {
            match self.socket.read(buffer) {
                Ok(0) => return Err(Gone),
                Ok(count) => {
                    self.hear(buffer.get(..count).unwrap_or_default());
                    said += count;
                    if said > MOST_SAID_AT_ONCE {
                        return Err(Gone);
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(_) => return Err(Gone),
            }
        }
    }

    /// Obeys what the viewer says.
    pub(super) fn hear(&mut self, bytes: &[u8]) {
        self.heard = true;
        if self.closing != Closing::No {
            return;
        }
        let pending = &mut self.pending;
        let mut end = None;
        let read = self.reader.read(bytes, |said| match said {
            Said::Ping(payload) if pending.len() < PENDING_FRAMES => {
                pending.push_back(frames::pong(&payload));
            }
            Said::Close(code) => end = Some(code),
            Said::Ping(_) | Said::Nothing => (),
        });
        if let Some(code) = read.err().or(end) {
            self.close(code);
        }
        if end.is_some() {
            self.closing = Closing::Both;
        }
    }

    /// Ends the connection after what has been begun.
    pub(super) fn close(&mut self, code: CloseCode) {
        if self.closing == Closing::No {
            self.pending.push_back(frames::close(code));
            self.closing = Closing::Ours(Instant::now());
        }
    }

    /// Asks for a sign of life; a viewer that gave none since the last time is gone.
    pub(super) fn ping(&mut self) -> Result<(), Gone> {
        if !std::mem::take(&mut self.heard) {
            return Err(Gone);
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
