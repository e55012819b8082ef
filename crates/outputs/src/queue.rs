//! When an output tries, and what its consumer has acknowledged. Time and randomness come in as arguments.
//!
//! Nothing is queued as such: what has to be sent is the difference between what is wanted and what was acknowledged, so the
//! memory of an output does not grow while its consumer is down. Must not know how anything is sent.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bytes::Bytes;
use coded_text::{CodedText, KeptText};
use hall_clock::UtcMs;
use serde::{Deserialize, Deserializer, Serialize};

/// Shortest wait after a failure, in milliseconds.
const WAIT_MS: u64 = 1_000;

/// Longest wait after consumers that could not be reached.
const MOST_WAIT_MS: u64 = 60_000;

/// Waits after a refusal, which a person has to mend.
const REFUSED_WAIT_MS: (u64, u64) = (15_000, 300_000);

/// Shortest wait when a consumer says that it is asked too much; Lichess wants a whole minute.
const BUSY_WAIT_MS: u64 = 60_000;

/// Longest wait that a consumer may ask for.
const MOST_BUSY_WAIT_MS: u64 = 15 * 60_000;

/// Something to send: a file or a game, as it should be at the consumer.
#[derive(Clone, Debug)]
pub(crate) struct Parcel {
    /// Names it in this output, e.g. a path or a game's id.
    pub(crate) key: String,
    /// For people; within sentences.
    pub(crate) label: Box<CodedText>,
    /// Our round; 0 for what belongs to none.
    pub(crate) round: u32,
    /// Differs when the bytes differ.
    pub(crate) digest: String,
    /// What is sent.
    pub(crate) bytes: Bytes,
    /// The games in it, for consumers that show games.
    pub(crate) game: Option<GameLine>,
}

/// What is known of the game in a parcel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct GameLine {
    /// Its id.
    pub(crate) game: String,
    /// Its table.
    pub(crate) board: u32,
    /// White, as public.
    pub(crate) white: String,
    /// Black, as public.
    pub(crate) black: String,
    /// As in PGN.
    pub(crate) result: String,
    /// Plies played.
    pub(crate) plies: usize,
}

/// Why sending failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    /// What happened, and what to do.
    pub(crate) sentence: Box<CodedText>,
}

/// What helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// Trying again soon.
    Unreachable,
    /// Waiting: so many milliseconds, if the consumer said so.
    Busy(Option<u64>),
    /// A person.
    Refused,
}

impl Failure {
    pub(crate) fn unreachable(sentence: impl Into<Box<CodedText>>) -> Self {
        Self { kind: FailureKind::Unreachable, sentence: sentence.into() }
    }

    pub(crate) fn refused(sentence: impl Into<Box<CodedText>>) -> Self {
        Self { kind: FailureKind::Refused, sentence: sentence.into() }
    }
}

/// What is remembered over restarts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// Digests of what was acknowledged, by key.
    pub(crate) sent: BTreeMap<String, String>,
    /// What the consumer refused for good: sent again only when changed.
    pub(crate) refused: BTreeMap<String, Refused>,
    /// Keys of each round in the order in which the consumer has them.
    pub(crate) order: BTreeMap<u32, Vec<String>>,
    /// Keys of what could not be removed at the consumer, which is tried again.
    #[serde(default)]
    pub(crate) left: BTreeSet<String>,
    /// When something was acknowledged last, UTC.
    pub(crate) sent_at: Option<UtcMs>,
}

/// What a consumer refused for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refused {
    pub(crate) digest: String,
    #[serde(deserialize_with = "kept_reason")]
    pub(crate) reason: KeptText,
}

/// A reason; a plain text in files of earlier builds.
fn kept_reason<'de, D: Deserializer<'de>>(from: D) -> Result<KeptText, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Coded(KeptText),
        Words(String),
    }
    Ok(match Kept::deserialize(from)? {
        Kept::Coded(text) => text,
        Kept::Words(text) => (&CodedText::in_words(text)).into(),
    })
}

/// What has to be sent now.
#[derive(Debug)]
pub(crate) struct Work<'a> {
    /// Changed or new, in order.
    pub(crate) changed: Vec<&'a Parcel>,
    /// Keys that were sent and are wanted no more.
    pub(crate) gone: Vec<String>,
    /// Rounds whose parcels have another order than at the consumer.
    pub(crate) reordered: BTreeSet<u32>,
}

impl Work<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty() && self.reordered.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.changed.len() + self.gone.len()
    }
}

/// When an output tries, and what was acknowledged.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    pub(crate) memory: Memory,
    /// Since when something waits to be sent.
    behind_since: Option<UtcMs>,
    /// Since when every attempt failed, and the last reason.
    failing: Option<(UtcMs, Failure)>,
    /// Attempts since the last success.
    attempts: u32,
    /// Failed attempts since the start.
    failures: u64,
    not_before: UtcMs,
}

impl Queue {
    pub(crate) fn with(memory: Memory) -> Self {
        Self { memory, ..Self::default() }
    }

    /// The difference between what is wanted and what was acknowledged.
    pub(crate) fn work<'a>(&self, wanted: &'a [Parcel]) -> Work<'a> {
        let Memory { sent, refused, order, .. } = &self.memory;
        let is_new = |parcel: &&Parcel| {
            sent.get(&parcel.key) != Some(&parcel.digest)
                && refused.get(&parcel.key).is_none_or(|refused| refused.digest != parcel.digest)
        };
        let keys: BTreeSet<_> = wanted.iter().map(|parcel| &parcel.key).collect();
        let gone = sent.keys().filter(|key| !keys.contains(key)).cloned().collect();
        let mut rounds: BTreeMap<u32, Vec<&String>> = BTreeMap::new();
        for parcel in wanted {
            rounds.entry(parcel.round).or_default().push(&parcel.key);
        }
        let reordered =
            rounds.into_iter().filter(|(round, now)| order.get(round).is_some_and(|known| !is_grown(known, now)));
        Work {
            changed: wanted.iter().filter(is_new).collect(),
            gone,
            reordered: reordered.map(|(round, _)| round).collect(),
        }
    }

    /// Notes whether something waits to be sent.
    pub(crate) fn note_behind(&mut self, now: UtcMs, behind: bool) {
        if !behind {
            self.behind_since = None;
        } else if self.behind_since.is_none() {
            self.behind_since = Some(now);
        }
    }

    /// Whether an attempt may be made.
    pub(crate) fn is_due(&self, now: UtcMs) -> bool {
        now >= self.not_before
    }

    /// When the next attempt may be made.
    pub(crate) fn not_before(&self) -> UtcMs {
        self.not_before
    }

    /// The consumer acknowledged a parcel.
    pub(crate) fn acknowledged(&mut self, parcel: &Parcel) {
        self.memory.refused.remove(&parcel.key);
        // It is shown again.
        self.memory.left.remove(&parcel.key);
        self.memory.sent.insert(parcel.key.clone(), parcel.digest.clone());
    }

    /// The consumer will not take a parcel as it is.
    pub(crate) fn refused(&mut self, parcel: &Parcel, reason: &CodedText) {
        let refused = Refused { digest: parcel.digest.clone(), reason: reason.into() };
        self.memory.refused.insert(parcel.key.clone(), refused);
    }

    /// What was removed at the consumer, or need not be there.
    pub(crate) fn removed(&mut self, key: &str) {
        self.memory.sent.remove(key);
        self.memory.refused.remove(key);
        self.memory.left.remove(key);
    }

    /// What could not be removed at the consumer.
    pub(crate) fn left(&mut self, key: &str) {
        self.removed(key);
        self.memory.left.insert(key.to_owned());
    }

    /// The consumer has the parcels of a round in this order.
    pub(crate) fn ordered(&mut self, round: u32, keys: Vec<String>) {
        self.memory.order.insert(round, keys);
    }

    /// An attempt went well; the next one may be made after `spacing_ms`.
    pub(crate) fn succeeded(&mut self, now: UtcMs, spacing_ms: u64) {
        self.failing = None;
        self.attempts = 0;
        self.not_before = now + spacing_ms;
        self.memory.sent_at = Some(now);
    }

    /// An attempt failed; `random` from 0 to 1 spreads the retries of many daemons.
    pub(crate) fn failed(&mut self, now: UtcMs, failure: Failure, random: f64) {
        let doubled = |first: u64, most: u64| first.saturating_mul(1 << self.attempts.min(20)).min(most);
        let full = match failure.kind {
            FailureKind::Unreachable => doubled(WAIT_MS, MOST_WAIT_MS),
            FailureKind::Refused => doubled(REFUSED_WAIT_MS.0, REFUSED_WAIT_MS.1),
            FailureKind::Busy(wanted) => wanted.unwrap_or(0).clamp(BUSY_WAIT_MS, MOST_BUSY_WAIT_MS),
        };
        // A consumer that names a time is not asked before it; else at least half of the wait is kept.
        let spread = Duration::from_millis(full / 2).mul_f64(random.clamp(0.0, 1.0));
        let spread = u64::try_from(spread.as_millis()).unwrap_or(u64::MAX);
        let wait = match failure.kind {
            FailureKind::Busy(_) => full + spread / 4,
            _ => full / 2 + spread,
        };
        self.not_before = now.saturating_add(wait);
        self.attempts = self.attempts.saturating_add(1);
        self.failures += 1;
        let since = self.failing.take().map_or(now, |(since, _)| since);
        self.failing = Some((since, failure));
    }

    /// A person wants an attempt now.
    pub(crate) fn try_now(&mut self) {
        self.not_before = 0;
        self.attempts = 0;
    }

    /// Everything that is wanted is sent again. What is wanted no more has still to be removed.
    pub(crate) fn forget(&mut self, wanted: &[Parcel]) {
        for parcel in wanted {
            self.memory.sent.remove(&parcel.key);
        }
        self.memory.refused.clear();
        self.memory.order.clear();
        self.try_now();
    }

    /// What the consumer has lost is sent again, at once.
    pub(crate) fn lost(&mut self, keys: &[String]) {
        for key in keys {
            self.memory.sent.remove(key);
        }
        self.try_now();
    }

    /// These parcels of a round are sent again.
    pub(crate) fn forget_round<'a>(&mut self, round: u32, keys: impl Iterator<Item = &'a str>) {
        self.memory.order.remove(&round);
        for key in keys {
            self.removed(key);
        }
        self.try_now();
    }

    /// Since when every attempt has failed, and why.
    pub(crate) fn failing(&self) -> Option<(UtcMs, &Failure)> {
        self.failing.as_ref().map(|(since, failure)| (*since, failure))
    }

    /// Failed attempts since the start.
    pub(crate) fn failures(&self) -> u64 {
        self.failures
    }

    /// Since when something waits to be sent.
    pub(crate) fn behind_since(&self) -> Option<UtcMs> {
        self.behind_since
    }
}

/// Whether an order is the known one, with parcels added or removed: what both have is in the same order, and new ones are last.
fn is_grown(known: &[String], now: &[&String]) -> bool {
    let still: Vec<_> = known.iter().filter(|key| now.contains(key)).collect();
    now.len() >= still.len() && still.iter().zip(now).all(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::NoAnswer;

    fn parcel(key: &str, digest: &str) -> Parcel {
        let (key, label, digest) = (key.to_owned(), CodedText::in_words(key).into(), digest.to_owned());
        Parcel { key, label, round: 1, digest, bytes: Bytes::new(), game: None }
    }

    fn keys<'a>(work: &Work<'a>) -> Vec<&'a str> {
        work.changed.iter().map(|parcel| parcel.key.as_str()).collect()
    }

    #[test]
    fn only_what_differs_from_the_acknowledged_is_sent() {
        let mut queue = Queue::default();
        let wanted = [parcel("a", "1"), parcel("b", "1")];
        assert_eq!(keys(&queue.work(&wanted)), ["a", "b"]);
        queue.acknowledged(&wanted[0]);
        assert_eq!(keys(&queue.work(&wanted)), ["b"]);
        queue.refused(&wanted[1], &CodedText::in_words("illegal move"));
        assert!(queue.work(&wanted).is_empty(), "a refused game waits for its next change");
        assert_eq!(keys(&queue.work(&[parcel("a", "1"), parcel("b", "2")])), ["b"]);
        assert_eq!(queue.work(&wanted[1..]).gone, ["a"]);
        queue.forget(&wanted[1..]);
        assert_eq!(queue.work(&wanted[1..]).gone, ["a"], "it is still to be removed");
        assert_eq!(keys(&queue.work(&wanted[1..])), ["b"]);
    }

    #[test]
    fn a_refusal_is_kept_with_its_code_and_read_from_earlier_builds() {
        let mut queue = Queue::default();
        queue.refused(&parcel("a", "1"), &NoAnswer::Unreachable { reason: "no route".into() }.coded());
        let kept = serde_json::to_string(&queue.memory).unwrap();
        assert!(kept.contains(r#""code":"http_unreachable","params":{"reason":"no route"}"#), "{kept}");
        assert_eq!(serde_json::from_str::<Memory>(&kept).unwrap(), queue.memory);
        let earlier = r#"{"sent":{},"refused":{"a":["1","illegal move"]},"order":{},"sent_at":null}"#;
        let read: Memory = serde_json::from_str(earlier).unwrap();
        assert_eq!(read.refused["a"].digest, "1");
        assert_eq!(CodedText::from(read.refused["a"].reason.clone()), CodedText::in_words("illegal move"));
    }

    #[test]
    fn another_order_is_noticed_and_growth_is_none() {
        let mut queue = Queue::default();
        queue.ordered(1, vec!["a".into(), "b".into()]);
        let reordered = |names: &[&str]| {
            let wanted: Vec<_> = names.iter().map(|name| parcel(name, "1")).collect();
            !queue.work(&wanted).reordered.is_empty()
        };
        assert!(!reordered(&["a", "b"]) && !reordered(&["a", "b", "c"]) && !reordered(&["b"]));
        assert!(reordered(&["b", "a"]) && reordered(&["a", "c", "b"]) && reordered(&["c", "a", "b"]));
    }

    #[test]
    fn waits_grow_to_their_cap_and_never_pass_it() {
        let mut queue = Queue::default();
        let mut waits = Vec::new();
        for attempt in 0..10_u32 {
            queue.failed(1000, Failure::unreachable(NoAnswer::Late), f64::from(attempt % 2));
            waits.push(queue.not_before() - 1000);
        }
        assert_eq!(waits, [500, 2000, 2000, 8000, 8000, 32_000, 30_000, 60_000, 30_000, 60_000]);
        assert_eq!(queue.failing().unwrap().0, 1000);
        queue.succeeded(2000, 0);
        assert!(queue.failing().is_none() && queue.is_due(2000));
        queue.failed(2000, Failure::unreachable(NoAnswer::Late), 0.0);
        assert_eq!(queue.not_before(), 2500, "it begins again");
        assert_eq!(queue.failures(), 11);
    }

    #[test]
    fn a_busy_consumer_gets_the_time_that_it_asks_for() {
        let busy = |wanted, random| {
            let mut queue = Queue::default();
            let sentence = NoAnswer::Late.into();
            queue.failed(0, Failure { kind: FailureKind::Busy(wanted), sentence }, random);
            queue.not_before()
        };
        assert_eq!(busy(None, 0.0), 60_000);
        assert_eq!(busy(Some(120_000), 0.0), 120_000);
        assert!(busy(Some(120_000), 1.0) > 120_000);
        assert_eq!(busy(Some(u64::MAX), 0.0), 900_000, "not for ever");
    }

    #[test]
    fn the_lag_counts_from_the_first_change_that_waits() {
        let mut queue = Queue::default();
        queue.note_behind(1000, true);
        queue.note_behind(5000, true);
        assert_eq!(queue.behind_since(), Some(1000));
        queue.note_behind(6000, false);
        assert_eq!(queue.behind_since(), None);
    }
}
