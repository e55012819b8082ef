//! The events of one round of a section as frames, each encoded once for all viewers.
//!
//! Must not know sockets or viewers.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;

use super::frames;
use crate::gate::{PublicView, SectionView, Since};
use crate::snapshot::{Snapshot, Snapshots};
use crate::wire;

/// Bytes of events after a snapshot up to which the snapshot is sent again; a quarter of the snapshot's size if that is more.
const REUSE_BYTES: usize = 64 * 1024;

/// The window of a round's frames.
pub(super) struct Stream {
    section: SectionView<PublicView>,
    round: u32,
    pub(super) id: Arc<str>,
    /// Number from which on all frames are in the window.
    first: u64,
    /// Number of the last event in the window.
    last: u64,
    /// With their numbers, which may have gaps.
    frames: VecDeque<(u64, Bytes)>,
    bytes: usize,
    snapshot: Option<Snapshot>,
    bytes_since_snapshot: usize,
}

/// Bounds of the events that a stream keeps.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Frames.
    pub frames: usize,
    /// Bytes of frames.
    pub bytes: usize,
}

impl Stream {
    /// A round's stream, with the events that the view keeps.
    pub(super) fn open(section: &SectionView<PublicView>, round: u32, window: Window) -> Option<Self> {
        let now = section.tail(round, u64::MAX)?;
        let mut stream = Self {
            section: section.clone(),
            round,
            id: now.stream,
            first: now.oldest,
            last: now.oldest.saturating_sub(1),
            frames: VecDeque::new(),
            bytes: 0,
            snapshot: None,
            bytes_since_snapshot: 0,
        };
        let _ = stream.catch_up(window);
        Some(stream)
    }

    /// Number of the next event.
    pub(super) fn next(&self) -> u64 {
        self.last + 1
    }

    /// Number from which on all frames are kept.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The frames from number `from` on with their numbers; none if that is not kept.
    pub(super) fn frames_from(&self, from: u64) -> impl Iterator<Item = (u64, &Bytes)> {
        let skip = if from < self.first {
            self.frames.len()
        } else {
            self.frames.partition_point(|(number, _)| *number < from)
        };
        self.frames.range(skip..).map(|(number, frame)| (*number, frame))
    }

    /// Adds what the view released since the last call. False when the stream was renamed: viewers need a snapshot.
    #[must_use]
    pub(super) fn catch_up(&mut self, window: Window) -> bool {
        let Some(tail) = self.section.tail(self.round, self.last) else { return true };
        let same = tail.stream == self.id;
        let released = match tail.since {
            Since::Events(released) if same => released,
            // Renamed, or too far behind: all viewers need a snapshot.
            _ => {
                self.id = tail.stream;
                self.frames.clear();
                self.bytes = 0;
                (self.first, self.last) = (tail.seq + 1, tail.seq);
                self.snapshot = None;
                return same;
            }
        };
        for event in released {
            let frame = frames::whole_text(&wire::event(&event));
            self.bytes += frame.len();
            self.bytes_since_snapshot += frame.len();
            self.frames.push_back((event.seq, frame));
        }
        self.last = tail.seq;
        while let Some((number, frame)) = self.frames.front()
            && (*number < tail.oldest || self.frames.len() > window.frames || self.bytes > window.bytes)
        {
            self.first = number + 1;
            self.bytes -= frame.len();
            self.frames.pop_front();
        }
        self.first = self.first.max(tail.oldest);
        true
    }

    /// A snapshot that the window continues. An older one is sent again while it and the events after it cost viewers less than
    /// a new one.
    pub(super) fn snapshot(&mut self, snapshots: &mut Snapshots<PublicView>) -> Option<&Snapshot> {
        let good = self.snapshot.as_ref().is_some_and(|snapshot| {
            snapshot.seq + 1 >= self.first && self.bytes_since_snapshot <= REUSE_BYTES.max(snapshot.size() / 4)
        });
        if !good {
            self.snapshot = snapshots.take(self.section.slug(), self.round);
            self.bytes_since_snapshot = 0;
        }
        self.snapshot.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_hall::Hall;

    const WINDOW: Window = Window { frames: 10, bytes: 1_000_000 };

    #[test]
    fn the_window_moves_with_the_play_within_both_bounds() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let mut stream = Stream::open(&hall.view, 1, WINDOW).unwrap();
        hall.play("a", 29);
        assert!(stream.catch_up(WINDOW));
        assert_eq!((stream.first(), stream.next()), (21, 31));
        assert_eq!(stream.frames_from(21).count(), 10);
        assert_eq!(stream.frames_from(30).count(), 1);
        for nothing in [0, 20, 31, 32, u64::MAX] {
            assert_eq!(stream.frames_from(nothing).count(), 0, "{nothing}");
        }
        hall.play("a", 1);
        assert!(stream.catch_up(Window { bytes: 1000, ..WINDOW }));
        assert!(stream.bytes <= 1000 && stream.first() > 22);
        assert_eq!(stream.next(), 32);
    }

    #[test]
    fn a_stream_that_is_too_far_behind_restarts_at_the_latest_event() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let mut stream = Stream::open(&hall.view, 1, WINDOW).unwrap();
        hall.play("a", 5_000);
        assert!(stream.catch_up(WINDOW));
        assert_eq!((stream.first(), stream.next()), (5_002, 5_002));
        let mut snapshots = Snapshots::new(hall.public.clone(), hall.clock);
        assert_eq!(stream.snapshot(&mut snapshots).unwrap().seq, 5_001);
    }

    #[test]
    fn a_snapshot_is_sent_again_until_the_events_after_it_are_longer() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let window = Window { frames: 4096, ..WINDOW };
        let mut stream = Stream::open(&hall.view, 1, window).unwrap();
        let mut snapshots = Snapshots::new(hall.public.clone(), hall.clock);
        assert_eq!(stream.snapshot(&mut snapshots).unwrap().seq, 1);
        hall.play("a", 10);
        assert!(stream.catch_up(window));
        assert_eq!(stream.snapshot(&mut snapshots).unwrap().seq, 1, "ten events are less than a snapshot");
        hall.play("a", 1_000);
        assert!(stream.catch_up(window));
        assert_eq!(stream.snapshot(&mut snapshots).unwrap().seq, 1_011);
    }
}
