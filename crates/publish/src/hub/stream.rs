//! The events of one round of a section as frames, each encoded once for everybody.
//!
//! Knows nothing of sockets or viewers.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;

use super::frames;
use crate::gate::{Since, View};
use crate::snapshot::{Snapshot, Snapshots};
use crate::wire;

/// A snapshot is used again until the events after it are longer than this many bytes, or than a quarter of it.
const REUSE_BYTES: usize = 64 * 1024;

/// The window of a round's frames.
pub(super) struct Stream {
    view: View,
    round: u32,
    pub(super) id: Arc<str>,
    /// From this number on all frames are in the window.
    first: u64,
    /// Number of the last event taken over.
    last: u64,
    /// With their numbers, which may have gaps.
    frames: VecDeque<(u64, Bytes)>,
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
        let now = view.news(round, u64::MAX)?;
        let mut stream = Self {
            view: view.clone(),
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

    /// Takes over what the view released since the last call. False when viewers have to begin anew, because something
    /// changed that no event tells.
    #[must_use]
    pub(super) fn catch_up(&mut self, window: Window) -> bool {
        let Some(news) = self.view.news(self.round, self.last) else { return true };
        let same = news.stream == self.id;
        let released = match news.since {
            Since::Events(released) if same => released,
            // What nobody may be told any more, or what is not remembered: everybody needs a snapshot.
            _ => {
                self.id = news.stream;
                self.frames.clear();
                self.bytes = 0;
                (self.first, self.last) = (news.seq + 1, news.seq);
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
        self.last = news.seq;
        while let Some((number, frame)) = self.frames.front()
            && (*number < news.oldest || self.frames.len() > window.frames || self.bytes > window.bytes)
        {
            self.first = number + 1;
            self.bytes -= frame.len();
            self.frames.pop_front();
        }
        self.first = self.first.max(news.oldest);
        true
    }

    /// A snapshot from which the window leads on; made anew when that is cheaper for viewers than an older one and the
    /// events after it.
    pub(super) fn snapshot(&mut self, snapshots: &mut Snapshots) -> Option<&Snapshot> {
        let good = self.snapshot.as_ref().is_some_and(|snapshot| {
            snapshot.seq + 1 >= self.first && self.bytes_since_snapshot <= REUSE_BYTES.max(snapshot.size() / 4)
        });
        if !good {
            self.snapshot = snapshots.take(&self.view, self.round);
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
    fn a_hub_that_slept_too_long_starts_again_from_now() {
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
    fn a_snapshot_serves_many_until_the_events_after_it_weigh_more() {
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
