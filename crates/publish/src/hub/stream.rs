//! The events of one round of a section, on their way from the view to the topics that viewers watch.
//!
//! Must not know sockets or viewers.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use super::batch::Encoded;
use super::handle::Limits;
use super::place::Games;
use super::topic::Topic;
use crate::gate::{PublicView, SectionView, Since};

/// Different choices of several games that are followed at once in one round; viewers share a choice. The whole round, and one game of
/// it, can always be followed: there are few of them.
const MOST_TOPICS: usize = 1024;

/// A round's stream.
pub(super) struct Stream {
    pub(super) section: SectionView<PublicView>,
    pub(super) round: u32,
    pub(super) id: Arc<str>,
    /// Number of the last event that was taken.
    last: u64,
    topics: HashMap<Option<Games>, Topic>,
    /// See [`Stream::is_gone`].
    is_gone: bool,
}

/// Bounds of the events that a topic keeps.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Messages.
    pub frames: usize,
    /// Bytes of messages; a 64th of it for a choice of games.
    pub bytes: usize,
}

impl Stream {
    /// A round's stream, from now on.
    pub(super) fn open(section: &SectionView<PublicView>, round: u32) -> Option<Self> {
        let now = section.tail(round, u64::MAX)?;
        Some(Self {
            section: section.clone(),
            round,
            id: now.stream,
            last: now.seq,
            topics: HashMap::new(),
            is_gone: false,
        })
    }

    /// Number of the last event that was taken.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// The topic of these games, or of all; none when too many different choices are followed.
    pub(super) fn topic(&mut self, games: Option<&Games>, limits: Limits) -> Option<&mut Topic> {
        let key = games.cloned();
        if !self.topics.contains_key(&key) {
            let is_one_of_many = |games: &Games| games.len() > 1;
            if key.as_ref().is_some_and(is_one_of_many)
                && self.topics.keys().flatten().filter(|games| is_one_of_many(games)).count() >= MOST_TOPICS
            {
                return None;
            }
            let (mut oldest, mut events) = (self.last + 1, Vec::new());
            if let Some(now) = self.section.tail(self.round, u64::MAX).filter(|now| now.stream == self.id)
                && let Some(kept) = self.section.tail(self.round, now.oldest.saturating_sub(1))
                && kept.stream == self.id
                && let Since::Events(kept_events) = kept.since
            {
                (oldest, events) = (now.oldest.min(oldest), kept_events);
            }
            let topic = Topic::open(Arc::clone(&self.id), key.clone(), (oldest, &events), self.last, limits.window);
            self.topics.insert(key.clone(), topic);
        }
        self.topics.get_mut(&key)
    }

    /// The topic of a viewer, with the section and round that it is of.
    #[expect(clippy::ref_option, reason = "the key of the topics")]
    pub(super) fn watched(&mut self, games: &Option<Games>) -> Option<(&mut Topic, &SectionView<PublicView>, u32)> {
        Some((self.topics.get_mut(games)?, &self.section, self.round))
    }

    /// Whether its round is no longer public.
    pub(super) fn is_gone(&self) -> bool {
        self.is_gone
    }

    /// Its topics.
    pub(super) fn topics(&mut self) -> (impl Iterator<Item = &mut Topic>, &SectionView<PublicView>, u32) {
        (self.topics.values_mut(), &self.section, self.round)
    }

    /// Drops topics without viewers; true when none is left.
    pub(super) fn tidy(&mut self) -> bool {
        self.topics.retain(|_, topic| !topic.viewers.is_empty());
        self.topics.is_empty()
    }

    /// Takes what the view released since the last call. False when the stream was renamed: viewers need a snapshot.
    #[must_use]
    pub(super) fn catch_up(&mut self, limits: Limits) -> bool {
        let Some(tail) = self.section.tail(self.round, self.last) else {
            self.is_gone = true;
            return true;
        };
        let same = tail.stream == self.id;
        let released = match tail.since {
            Since::Events(released) if same => released,
            // Renamed, or too far behind: all viewers need a snapshot.
            _ => {
                self.id = tail.stream;
                self.last = tail.seq;
                for topic in self.topics.values_mut() {
                    topic.begin_anew(&self.id, tail.seq);
                }
                return same;
            }
        };
        for event in &released {
            let mut encoded = None;
            for topic in self.topics.values_mut().filter(|topic| topic.wants(event)) {
                topic.hold(encoded.get_or_insert_with(|| Arc::new(Encoded::of(event))));
            }
        }
        self.last = tail.seq;
        for topic in self.topics.values_mut() {
            topic.advance(tail.seq, tail.oldest, limits.window);
        }
        true
    }

    /// When the next message of a topic is due.
    pub(super) fn due(&self) -> Option<Instant> {
        self.topics.values().filter_map(Topic::due).min()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::hub::place::Form;
    use crate::snapshot::Snapshots;
    use crate::test_hall::{Hall, round, round_state};
    use tournament::{RoundSettings, RoundState};

    const WINDOW: Window = Window { frames: 10, bytes: 1_000_000 };

    fn limits() -> Limits {
        Limits { window: WINDOW, message_every: Duration::ZERO, ..Limits::default() }
    }

    fn opened(hall: &Hall) -> Stream {
        let mut stream = Stream::open(&hall.view, 1).unwrap();
        stream.topic(None, limits()).unwrap();
        stream
    }

    /// Sends what is due.
    fn catch_up(stream: &mut Stream, limits: Limits) {
        assert!(stream.catch_up(limits));
        for topic in stream.topics.values_mut() {
            topic.make_message(Instant::now(), limits);
        }
    }

    /// First kept number, number of messages kept from a number on.
    fn kept(stream: &mut Stream, from: u64) -> (u64, usize) {
        let topic = stream.topic(None, limits()).unwrap();
        (topic.first(), topic.batches_from(from).count())
    }

    #[test]
    fn the_stream_of_a_round_that_is_no_longer_public_ends() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let state = |state| hall.record(vec![round_state("hall", 2, state)], Vec::new());
        hall.record(vec![round("hall", 2, RoundSettings::default())], Vec::new());
        state(RoundState::Published);
        let mut stream = Stream::open(&hall.view, 2).unwrap();
        assert!(stream.catch_up(limits()) && !stream.is_gone());
        state(RoundState::Prepared);
        assert!(stream.catch_up(limits()) && stream.is_gone());
        assert!(Stream::open(&hall.view, 2).is_none());
    }

    #[test]
    fn the_window_moves_with_the_play_within_both_bounds() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let mut stream = opened(&hall);
        for _ in 0..29 {
            hall.play("a", 1);
            catch_up(&mut stream, limits());
        }
        assert_eq!(kept(&mut stream, 21), (21, 10));
        assert_eq!(kept(&mut stream, 30), (21, 1));
        for nothing in [0, 20, 31, 32, u64::MAX] {
            assert_eq!(kept(&mut stream, nothing).1, 0, "{nothing}");
        }
        hall.play("a", 1);
        catch_up(&mut stream, Limits { window: Window { bytes: 1000, ..WINDOW }, ..limits() });
        assert!(kept(&mut stream, 0).0 > 22);
        assert_eq!(stream.last(), 31);
    }

    #[test]
    fn a_stream_that_is_too_far_behind_restarts_at_the_latest_event() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let mut stream = opened(&hall);
        hall.play("a", 5_000);
        assert!(stream.catch_up(limits()));
        assert_eq!(kept(&mut stream, 0).0, 5_002);
        let mut snapshots = Snapshots::new(hall.public.clone(), hall.clock);
        let (topic, section, round) = stream.watched(&None).unwrap();
        assert_eq!(topic.snapshot(section, round, &mut snapshots).unwrap().seq, 5_001);
    }

    #[test]
    fn a_snapshot_is_sent_again_while_ten_messages_follow_it() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let limits = Limits { window: Window { frames: 4096, ..WINDOW }, ..limits() };
        let mut stream = opened(&hall);
        let mut snapshots = Snapshots::new(hall.public.clone(), hall.clock);
        let mut seq = |stream: &mut Stream| {
            let (topic, section, round) = stream.watched(&None).unwrap();
            topic.snapshot(section, round, &mut snapshots).unwrap().seq
        };
        assert_eq!(seq(&mut stream), 1);
        for message in 1..=22 {
            hall.play("a", 1);
            catch_up(&mut stream, limits);
            let wanted = match message {
                0..=10 => 1,
                11..=21 => 12,
                _ => 23,
            };
            assert_eq!(seq(&mut stream), wanted, "after message {message}");
        }
    }

    #[test]
    fn a_snapshot_that_was_taken_beforehand_is_sent_unless_it_is_of_another_stream() {
        let (hall, other) = (Hall::open(1.0), Hall::open(1.0));
        for (hall, plies) in [(&hall, 2), (&other, 5)] {
            hall.start_game("a", 1, 1, &[]);
            hall.play("a", plies);
        }
        let beforehand = |hall: &Hall| Snapshots::new(hall.public.clone(), hall.clock).take("hall", 1, None);
        for (given, seq) in [(&hall, 3), (&other, 6)] {
            let mut stream = opened(&hall);
            let (topic, section, round) = stream.watched(&None).unwrap();
            topic.begin_with(beforehand(given));
            // What the hub itself would take is that of the other hall.
            let mut own = Snapshots::new(other.public.clone(), other.clock);
            assert_eq!(topic.snapshot(section, round, &mut own).unwrap().seq, seq);
        }
    }

    #[test]
    fn the_first_event_goes_at_once_and_those_of_the_next_moment_together() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        let limits = Limits { message_every: Duration::from_hours(1), ..limits() };
        let mut stream = opened(&hall);
        assert_eq!(stream.due(), None);
        hall.play("a", 1);
        assert!(stream.catch_up(limits));
        assert!(stream.due().is_some_and(|due| due <= Instant::now()));
        catch_up(&mut stream, limits);
        hall.play("a", 3);
        assert!(stream.catch_up(limits));
        assert!(stream.due().is_some_and(|due| due > Instant::now() + Duration::from_mins(50)));
        assert_eq!(kept(&mut stream, 3).1, 0, "they wait");
        catch_up(&mut stream, limits);
        assert_eq!(kept(&mut stream, 3).1, 1, "one message");
    }

    #[test]
    fn a_choice_of_games_has_the_numbers_of_its_round_with_gaps() {
        let hall = Hall::open(1.0);
        for (id, table) in [("a", 1), ("b", 2)] {
            hall.start_game(id, 1, table, &[]);
        }
        let mut stream = opened(&hall);
        let games: Games = Arc::new(["b".into()].into());
        stream.topic(Some(&games), limits()).unwrap();
        for id in ["a", "b", "a"] {
            hall.play(id, 1);
            catch_up(&mut stream, limits());
        }
        let (topic, ..) = stream.watched(&Some(games)).unwrap();
        let numbers: Vec<_> = topic.batches_from(topic.first()).map(|batch| batch.last).collect();
        assert_eq!(numbers, [2, 4]);
        let batch = topic.batches_from(3).next().unwrap();
        assert!(String::from_utf8_lossy(topic.whole(batch, Form::EventStream)).contains(r#""game":"b""#));
        for number in 0..2 * MOST_TOPICS {
            let games: Games = Arc::new(["a".into(), number.to_string().into()].into());
            if stream.topic(Some(&games), limits()).is_none() {
                assert_eq!(number, MOST_TOPICS);
                // A stranger who takes all of them takes nothing from those who follow the round or a game.
                assert!(stream.topics.remove(&None).is_some());
                assert!(stream.topic(None, limits()).is_some());
                assert!(stream.topic(Some(&Arc::new(["a".into()].into())), limits()).is_some());
                return;
            }
        }
        panic!("the number of choices has a limit");
    }
}
