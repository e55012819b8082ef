//! The events of one round as frames, each encoded once for everybody.
//!
//! Knows nothing of sockets or viewers.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;

use super::frames;
use crate::publish::gate::{Since, View};
use crate::publish::snapshot::{Snapshot, Snapshots};
use crate::publish::wire;

/// A snapshot is used again until the events after it are longer than this many bytes, or than a quarter of it.
const REUSE_BYTES: usize = 64 * 1024;

/// The window of a round's frames.
pub(super) struct Stream {
    round: u32,
    pub(super) id: Arc<str>,
    /// Number of the first frame in the window, or of the next one when the window is empty.
    first: u64,
    frames: VecDeque<Bytes>,
    bytes: usize,
    snapshot: Option<Snapshot>,
    bytes_since_snapshot: usize,
}

/// How much of the past a stream keeps.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Frames.
    pub frames: usize,
    /// Bytes of frames.
    pub bytes: usize,
}

impl Stream {
    /// A round's stream, with as much of its past as the view keeps.
    pub(super) fn open(view: &View, round: u32, window: Window) -> Option<Self> {
        let now = view.round(round)?;
        let mut stream = Self {
            round,
            id: now.stream,
            first: now.oldest,
            frames: VecDeque::new(),
            bytes: 0,
            snapshot: None,
            bytes_since_snapshot: 0,
        };
        stream.catch_up(view, window);
        Some(stream)
    }

    /// Number of the next frame.
    pub(super) fn next(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    /// Number of the oldest frame that is kept.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The frames from number `from` on; none if that is not kept.
    pub(super) fn frames_from(&self, from: u64) -> impl Iterator<Item = &Bytes> {
        let skip = from.checked_sub(self.first).and_then(|skip| usize::try_from(skip).ok()).unwrap_or(usize::MAX);
        self.frames.range(skip.min(self.frames.len())..)
    }

    /// Takes over what the view released since the last call.
    pub(super) fn catch_up(&mut self, view: &View, window: Window) {
        let released = match view.since(self.round, self.next() - 1) {
            Since::Events(released) => released,
            Since::Gone => {
                // The view is further ahead than it remembers: everybody needs a snapshot.
                let next = view.round(self.round).map_or(self.next(), |round| round.seq + 1);
                self.frames.clear();
                self.bytes = 0;
                self.first = next;
                self.snapshot = None;
                return;
            }
        };
        for event in released {
            let frame = frames::whole_text(&wire::event(&event));
            self.bytes += frame.len();
            self.bytes_since_snapshot += frame.len();
            self.frames.push_back(frame);
        }
        while self.frames.len() > window.frames || self.bytes > window.bytes {
            let Some(oldest) = self.frames.pop_front() else {
                break;
            };
            self.bytes -= oldest.len();
            self.first += 1;
        }
    }

    /// A snapshot from which the window leads on; made anew when that is cheaper for viewers than an older one and the
    /// events after it.
    pub(super) fn snapshot(&mut self, snapshots: &mut Snapshots) -> Option<&Snapshot> {
        let good = self.snapshot.as_ref().is_some_and(|snapshot| {
            snapshot.seq + 1 >= self.first && self.bytes_since_snapshot <= REUSE_BYTES.max(snapshot.size() / 4)
        });
        if !good {
            self.snapshot = snapshots.take(self.round);
            self.bytes_since_snapshot = 0;
        }
        self.snapshot.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::test_hall::Hall;

    const WINDOW: Window = Window { frames: 10, bytes: 1_000_000 };

    #[test]
    fn the_window_moves_with_the_play_within_both_bounds() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let mut stream = Stream::open(&hall.view, 1, WINDOW).unwrap();
        hall.play("a", 29);
        stream.catch_up(&hall.view, WINDOW);
        assert_eq!((stream.first(), stream.next()), (21, 31));
        assert_eq!(stream.frames_from(21).count(), 10);
        assert_eq!(stream.frames_from(30).count(), 1);
        for nothing in [0, 20, 31, 32, u64::MAX] {
            assert_eq!(stream.frames_from(nothing).count(), 0, "{nothing}");
        }
        hall.play("a", 1);
        stream.catch_up(&hall.view, Window { bytes: 1000, ..WINDOW });
        assert!(stream.bytes <= 1000 && stream.first() > 22);
        assert_eq!(stream.next(), 32);
    }

    #[test]
    fn a_hub_that_slept_too_long_starts_again_from_now() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let mut stream = Stream::open(&hall.view, 1, WINDOW).unwrap();
        hall.play("a", 5_000);
        stream.catch_up(&hall.view, WINDOW);
        assert_eq!((stream.first(), stream.next()), (5_002, 5_002));
        let mut snapshots = Snapshots::new(hall.view.clone(), hall.clock);
        assert_eq!(stream.snapshot(&mut snapshots).unwrap().seq, 5_001);
    }

    #[test]
    fn a_snapshot_serves_many_until_the_events_after_it_weigh_more() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let window = Window { frames: 4096, ..WINDOW };
        let mut stream = Stream::open(&hall.view, 1, window).unwrap();
        let mut snapshots = Snapshots::new(hall.view.clone(), hall.clock);
        assert_eq!(stream.snapshot(&mut snapshots).unwrap().seq, 1);
        hall.play("a", 10);
        stream.catch_up(&hall.view, window);
        assert_eq!(stream.snapshot(&mut snapshots).unwrap().seq, 1, "ten events are less than a snapshot");
        hall.play("a", 1_000);
        stream.catch_up(&hall.view, window);
        assert_eq!(stream.snapshot(&mut snapshots).unwrap().seq, 1_011);
    }
}
