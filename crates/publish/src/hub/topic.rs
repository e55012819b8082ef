//! What a group of viewers watches, a round or some of its games: the messages of the latest events, each encoded once.
//!
//! The first event after a quiet time goes out at once; those of the next tenth of a second go out as one message. Must not know
//! sockets.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::batch::{Batch, Encoded};
use super::handle::Limits;
use super::place::{Form, Games};
use super::stream::Window;
use crate::gate::{PublicView, Released, SectionView};
use crate::snapshot::{Snapshot, Snapshots};

/// At most ten messages a second go to a viewer.
pub(super) const MESSAGE_EVERY: Duration = Duration::from_millis(100);

/// Messages after a snapshot up to which the snapshot is sent again: those of a second, so that a viewer that comes gets no more at
/// once than others in a second, and a snapshot is made once a second at most.
const MESSAGES_AFTER: usize = 10;

/// Events in one message at most, when a topic begins with events that were released before.
const EVENTS_A_BATCH: usize = 64;

/// The share of the window's bytes that a topic of some games gets.
const PART_OF_WINDOW: usize = 64;

/// A round, or some games of it.
pub(super) struct Topic {
    games: Option<Games>,
    /// The stream's name.
    pub(super) stream: Arc<str>,
    /// Number from which on all messages are kept.
    first: u64,
    /// Number up to which all events of the topic are in messages.
    last: u64,
    batches: VecDeque<Batch>,
    bytes: usize,
    /// Released events that wait for the next message.
    held: Vec<Arc<Encoded>>,
    /// The next message is not made earlier.
    not_before: Instant,
    /// Viewers have something to be sent, though no event.
    changed: bool,
    snapshot: Option<Snapshot>,
    /// Indexes of its viewers at the hub.
    pub(super) viewers: Vec<usize>,
}

impl Topic {
    /// A topic with the events that the view keeps, from number `oldest` on.
    pub(super) fn open(
        stream: Arc<str>,
        games: Option<Games>,
        (oldest, events): (u64, &[Arc<Released>]),
        last: u64,
        window: Window,
    ) -> Self {
        let mut topic = Self {
            games,
            stream,
            first: oldest,
            last,
            batches: VecDeque::new(),
            bytes: 0,
            held: Vec::new(),
            not_before: Instant::now(),
            changed: false,
            snapshot: None,
            viewers: Vec::new(),
        };
        let wanted: Vec<_> = events.iter().filter(|event| event.seq <= last && topic.wants(event)).collect();
        for events in wanted.chunks(EVENTS_A_BATCH) {
            let encoded: Vec<_> = events.iter().map(|event| Arc::new(Encoded::of(event))).collect();
            topic.keep(Batch::join(&encoded), window);
        }
        topic
    }

    /// Whether an event is of one of its games.
    pub(super) fn wants(&self, event: &Released) -> bool {
        self.games.as_ref().is_none_or(|games| games.contains(&event.game))
    }

    /// Takes an event for its next message.
    pub(super) fn hold(&mut self, event: &Arc<Encoded>) {
        self.held.push(Arc::clone(event));
    }

    /// The stream has come to number `last`; events before `oldest` are not to be sent any more.
    pub(super) fn advance(&mut self, last: u64, oldest: u64, window: Window) {
        if self.held.is_empty() {
            self.last = last;
        }
        while self.batches.front().is_some_and(|batch| batch.last < oldest) {
            self.drop_oldest();
        }
        self.first = self.first.max(oldest);
        self.shrink(window);
    }

    /// Begins anew behind number `last`: the events before it are not kept.
    pub(super) fn begin_anew(&mut self, stream: &Arc<str>, last: u64) {
        self.stream = Arc::clone(stream);
        self.batches.clear();
        self.held.clear();
        self.bytes = 0;
        (self.first, self.last) = (last + 1, last);
        self.snapshot = None;
        self.changed = true;
    }

    /// When its next message is due; none when it has none.
    pub(super) fn due(&self) -> Option<Instant> {
        (self.changed || !self.held.is_empty()).then_some(self.not_before)
    }

    /// Makes its next message.
    pub(super) fn make_message(&mut self, now: Instant, limits: Limits) {
        self.changed = false;
        self.not_before = now + limits.message_every;
        let batch = Batch::join(&self.held);
        self.held.clear();
        self.keep(batch, limits.window);
    }

    fn keep(&mut self, batch: Option<Batch>, window: Window) {
        let Some(batch) = batch else { return };
        self.bytes += batch.size();
        self.last = self.last.max(batch.last);
        self.batches.push_back(batch);
        self.shrink(window);
    }

    fn shrink(&mut self, window: Window) {
        let bytes = if self.games.is_some() { window.bytes / PART_OF_WINDOW } else { window.bytes };
        while self.batches.len() > window.frames || self.bytes > bytes {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        if let Some(batch) = self.batches.pop_front() {
            self.first = self.first.max(batch.last + 1);
            self.bytes -= batch.size();
        }
    }

    /// Number from which on all messages are kept.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The messages from number `from` on; none if that is not kept. The first may have events before it.
    pub(super) fn batches_from(&self, from: u64) -> impl Iterator<Item = &Batch> {
        let skip = if from < self.first {
            self.batches.len()
        } else {
            self.batches.partition_point(|batch| batch.last < from)
        };
        self.batches.range(skip..)
    }

    /// A message as a viewer gets it.
    pub(super) fn whole<'a>(&'a self, batch: &'a Batch, form: Form) -> &'a Bytes {
        batch.whole(form, &self.stream)
    }

    /// Takes over a snapshot for viewers, if it has none and the messages continue this one.
    pub(super) fn begin_with(&mut self, snapshot: Option<Snapshot>) {
        if let Some(snapshot) = snapshot
            && self.snapshot.is_none()
            && snapshot.stream == self.stream
            && snapshot.seq + 1 >= self.first
        {
            self.snapshot = Some(snapshot);
        }
    }

    /// A snapshot that the messages continue. An older one is sent again while few messages follow it.
    pub(super) fn snapshot(
        &mut self,
        section: &SectionView<PublicView>,
        round: u32,
        snapshots: &mut Snapshots<PublicView>,
    ) -> Option<&Snapshot> {
        let good = self.snapshot.as_ref().is_some_and(|snapshot| {
            snapshot.seq + 1 >= self.first && self.batches_from(snapshot.seq + 1).nth(MESSAGES_AFTER).is_none()
        });
        if !good {
            self.snapshot = snapshots.take(section.slug(), round, self.games.as_deref());
        }
        self.snapshot.as_ref()
    }
}
