//! Which alarms belong into the next message, and when it is due.
//!
//! Pure: time comes in as an argument.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use game_core::alarm::{Alarm, AlarmId};

/// An alarm that is over sooner disturbs no one.
const HOLDS: Duration = Duration::from_secs(5);

/// Most alarms that a message lists.
const LISTED: usize = 30;

/// A message about alarms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// One line.
    pub title: String,
    /// The sentences, one a line.
    pub text: String,
    /// Whether a person should come at once.
    pub urgent: bool,
    raised: BTreeMap<AlarmId, String>,
    over: Vec<AlarmId>,
}

impl Message {
    /// A message that tries the channel.
    pub fn trial() -> Self {
        Self {
            title: "boardcast: a test".into(),
            text: "This is a test of alarms: boardcast can reach you.\n".into(),
            urgent: false,
            raised: BTreeMap::new(),
            over: Vec::new(),
        }
    }
}

/// What was sent, and what was seen since.
#[derive(Debug)]
pub(super) struct Digest {
    pause: Duration,
    seen: BTreeMap<AlarmId, Instant>,
    sent: BTreeMap<AlarmId, String>,
    quiet_until: Option<Instant>,
}

impl Digest {
    /// With this pause between two messages.
    pub(super) fn new(pause: Duration) -> Self {
        Self { pause, seen: BTreeMap::new(), sent: BTreeMap::new(), quiet_until: None }
    }

    /// The message that is due now, given the alarms that hold.
    pub(super) fn due(&mut self, now: Instant, alarms: &[Alarm]) -> Option<Message> {
        self.seen.retain(|id, _| alarms.iter().any(|alarm| alarm.id == *id));
        for alarm in alarms {
            self.seen.entry(alarm.id).or_insert(now);
        }
        if self.quiet_until.is_some_and(|until| now < until) {
            return None;
        }
        let is_new = |alarm: &&Alarm| {
            let holds = self.seen.get(&alarm.id).is_some_and(|since| now.duration_since(*since) >= HOLDS);
            holds && alarm.acknowledged.is_none() && !self.sent.contains_key(&alarm.id)
        };
        let raised: Vec<_> = alarms.iter().filter(is_new).collect();
        let over: Vec<_> = self.sent.iter().filter(|(id, _)| !self.seen.contains_key(id)).collect();
        if raised.is_empty() && over.is_empty() {
            return None;
        }
        let title = match (&raised[..], over.len()) {
            ([alarm], _) => format!("boardcast: {}", first_sentence(&alarm.text)),
            ([], 1) => "boardcast: an alarm is over".to_owned(),
            ([], over) => format!("boardcast: {over} alarms are over"),
            (raised, _) => format!("boardcast: {} alarms", raised.len()),
        };
        let lines = raised.iter().map(|alarm| alarm.text.clone());
        let lines = lines.chain(over.iter().map(|(_, text)| format!("Over: {text}")));
        let (all, listed) = (raised.len() + over.len(), lines.take(LISTED));
        let mut text = listed.fold(String::new(), |text, line| text + &line + "\n");
        if all > LISTED {
            let _ = writeln!(text, "{} more: see the dashboard.", all - LISTED);
        }
        Some(Message {
            title,
            text,
            urgent: raised.iter().any(|alarm| !alarm.can_wait),
            over: over.into_iter().map(|(id, _)| *id).collect(),
            raised: raised.into_iter().map(|alarm| (alarm.id, alarm.text.clone())).collect(),
        })
    }

    /// It was delivered.
    pub(super) fn delivered(&mut self, now: Instant, message: &Message) {
        for id in &message.over {
            self.sent.remove(id);
        }
        self.sent.extend(message.raised.clone());
        self.quiet_until = Some(now + self.pause);
    }

    /// It was not; the next attempt is at this instant.
    pub(super) fn failed(&mut self, next: Instant) {
        self.quiet_until = Some(next);
    }
}

/// What stands before the remedy.
fn first_sentence(text: &str) -> &str {
    text.split([':', ';']).next().unwrap_or(text).trim_end_matches('.')
}
