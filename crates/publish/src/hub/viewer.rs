//! One viewer: a socket, the number of its next event, and the few messages that are being written.
//!
//! Events are not queued for a viewer: the topic's window holds the messages. So a slow viewer costs no memory, and a viewer whose
//! next event has left the window restarts from a snapshot.

use std::collections::VecDeque;
use std::io::{ErrorKind, IoSlice, Read, Write};
use std::net::Shutdown;
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes};
use hall_clock::HallClock;
use mio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::batch::{message, notice};
use super::frames::{self, FrameReader, ViewerMessage};
use super::handle::Seat;
use super::place::{Choice, Form, Place};
use super::topic::Topic;
use crate::gate::{PublicView, SectionView};
use crate::snapshot::Snapshots;
use crate::wire;

/// Messages handed to the system in one call.
const MESSAGES_A_WRITE: usize = 16;

/// Messages waiting for one viewer at which heartbeats and pongs are left out.
const PENDING_MESSAGES: usize = 8;

/// Bytes received in one turn beyond which a viewer is dropped: viewers send pongs and close frames only.
const MAX_RECEIVED: usize = 64 * 1024;

/// How long a viewer may take to end the connection after our close frame.
const CLOSING: Duration = Duration::from_secs(5);

/// The connection is over; the socket can be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Disconnected;

/// Which sides have ended the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closing {
    /// Neither.
    No,
    /// We have, at this instant.
    Ours(Instant),
    /// Both: once our last message is written nothing more will come from either side.
    Both,
}

/// Where a viewer's next message comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A snapshot.
    Snapshot,
    /// The event with this number.
    Event(u64),
}

/// The round of a topic, where its snapshots come from.
pub(super) type Source<'a> = (&'a SectionView<PublicView>, u32, &'a mut Snapshots<PublicView>);

/// A viewer.
pub(super) struct Viewer {
    pub(super) socket: TcpStream,
    /// The round it watches.
    pub(super) place: Place,
    /// What it asked for; what it left open follows the featured section and round.
    pub(super) choice: Choice,
    /// Its index in the list of its topic.
    pub(super) in_topic: usize,
    form: Form,
    next: Next,
    /// Messages partly written, or due before any event.
    pending: VecDeque<Bytes>,
    /// The system took no more; wait until it can.
    blocked: bool,
    reader: FrameReader,
    /// Whether it read or wrote since the last heartbeat.
    alive: bool,
    closing: Closing,
    _seat: Seat,
}

impl Viewer {
    /// A viewer that gets the head of the answer to its request, then a snapshot.
    pub(super) fn new(
        socket: TcpStream,
        seat: Seat,
        head: Bytes,
        (place, choice): (Place, Choice),
        form: Form,
    ) -> Self {
        Self {
            socket,
            place,
            choice,
            in_topic: usize::MAX,
            form,
            next: Next::Snapshot,
            pending: [head].into(),
            blocked: false,
            reader: FrameReader::default(),
            alive: true,
            closing: Closing::No,
            _seat: seat,
        }
    }

    /// Continues after event `since`, which the viewer has, if the topic keeps all later ones up to number `last`.
    pub(super) fn resume(&mut self, topic: &Topic, last: u64, since: u64, resumed: &str) {
        if (topic.first()..=last.saturating_add(1)).contains(&since.saturating_add(1)) {
            self.next = Next::Event(since + 1);
            self.pending.push_back(notice(self.form, resumed));
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
    pub(super) fn write(&mut self, topic: &mut Topic, mut source: Source<'_>) -> Result<(), Disconnected> {
        while !self.blocked {
            if self.closing == Closing::No {
                self.queue_snapshot(topic, &mut source);
                self.queue_part(topic);
            }
            let events = match self.next {
                Next::Event(next) if self.closing == Closing::No => next,
                _ => u64::MAX,
            };
            let mut due = [IoSlice::new(&[]); MESSAGES_A_WRITE];
            let (mut count, mut bytes) = (0, 0);
            let messages = topic.batches_from(events).map(|batch| topic.whole(batch, self.form));
            for (slot, message) in due.iter_mut().zip(self.pending.iter().chain(messages)) {
                *slot = IoSlice::new(message);
                count += 1;
                bytes += message.len();
            }
            if count == 0 {
                match self.closing {
                    Closing::No => (),
                    // The other side reads our last message and then the end; its own end is awaited.
                    Closing::Ours(_) => drop(self.socket.shutdown(Shutdown::Write)),
                    Closing::Both => return Err(Disconnected),
                }
                return Ok(());
            }
            // One message for thousands of viewers is what the hub nearly always writes: the plainest call costs least.
            let sent = match due.get(..count).unwrap_or_default() {
                [message] => self.socket.write(message),
                messages => self.socket.write_vectored(messages),
            };
            match sent {
                Ok(0) => return Err(Disconnected),
                Ok(written) => {
                    self.advance(written, topic);
                    // Behind several messages a snapshot may be due that had no room before them.
                    if count == 1 && written == bytes && self.closing == Closing::No {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.blocked = true,
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(_) => return Err(Disconnected),
            }
        }
        Ok(())
    }

    /// Queues a snapshot if one is due; before it, when the next event has left the window, the numbers that are lost.
    fn queue_snapshot(&mut self, topic: &mut Topic, (section, round, snapshots): &mut Source<'_>) {
        // A viewer that does not read has one snapshot waiting at most.
        if self.pending.len() >= PENDING_MESSAGES {
            return;
        }
        let lost_from = match self.next {
            Next::Snapshot => None,
            Next::Event(next) if next < topic.first() => Some(next),
            Next::Event(_) => return,
        };
        let Some((seq, start, rest)) = topic.snapshot(section, *round, snapshots).map(|snapshot| {
            let (start, rest) = snapshot.pieces();
            (snapshot.seq, start, rest)
        }) else {
            return;
        };
        if let Some(from) = lost_from {
            self.pending.push_back(notice(self.form, &wire::lost(from, seq)));
        }
        self.pending.extend(message(self.form, Some((&topic.stream, seq)), &start, rest));
        self.next = Next::Event(seq + 1);
    }

    /// Queues the rest of a message of which the viewer has the first events.
    fn queue_part(&mut self, topic: &Topic) {
        let Next::Event(next) = self.next else { return };
        if let Some(batch) = topic.batches_from(next).next().filter(|batch| batch.begins_before(next)) {
            self.pending.extend(batch.part(next, self.form, &topic.stream));
            self.next = Next::Event(batch.last + 1);
        }
    }

    /// Moves on by the number of bytes that the system accepted.
    fn advance(&mut self, mut written: usize, topic: &Topic) {
        while let Some(message) = self.pending.front_mut() {
            if written < message.len() {
                message.advance(written);
                return;
            }
            written -= message.len();
            self.pending.pop_front();
        }
        // Nothing waits for nearly all viewers nearly always: without its room thousands of them need less memory.
        self.pending = VecDeque::new();
        let Next::Event(next) = &mut self.next else {
            return;
        };
        for batch in topic.batches_from(*next) {
            if written == 0 {
                return;
            }
            *next = batch.last + 1;
            let message = topic.whole(batch, self.form);
            if written < message.len() {
                self.pending.push_back(message.slice(written..));
                return;
            }
            written -= message.len();
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

    /// Handles received bytes: answers pings and a close frame. A reader of server-sent events has nothing to say.
    pub(super) fn receive(&mut self, bytes: &[u8]) {
        self.alive = true;
        if self.closing != Closing::No || self.form == Form::EventStream {
            return;
        }
        let pending = &mut self.pending;
        let mut end = None;
        let read = self.reader.read(bytes, |message| match message {
            ViewerMessage::Ping(payload) if pending.len() < PENDING_MESSAGES => {
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

    /// Ends the connection after the messages that are partly written.
    pub(super) fn close(&mut self, code: CloseCode) {
        if self.closing != Closing::No {
            return;
        }
        self.closing = Closing::Ours(Instant::now());
        if self.form == Form::WebSocket {
            self.pending.push_back(frames::close(code));
        }
    }

    /// Sends a heartbeat; a viewer that neither read nor wrote since the last one is disconnected.
    pub(super) fn beat(&mut self, clock: HallClock) -> Result<(), Disconnected> {
        // A reader of server-sent events answers nothing: the system notices when it is gone.
        let answers = self.form == Form::WebSocket || self.blocked;
        if !std::mem::take(&mut self.alive) && answers {
            return Err(Disconnected);
        }
        if self.pending.len() < PENDING_MESSAGES && self.closing == Closing::No {
            if self.form == Form::WebSocket {
                self.pending.push_back(frames::ping());
            }
            if let Next::Event(next) = self.next {
                self.pending.push_back(notice(self.form, &wire::heartbeat(next - 1, clock)));
            }
        }
        Ok(())
    }

    /// Whether the end has waited too long for its answer.
    pub(super) fn overdue(&self) -> bool {
        matches!(self.closing, Closing::Ours(since) if since.elapsed() > CLOSING)
    }
}
