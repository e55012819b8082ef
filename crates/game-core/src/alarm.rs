//! Alarms for arbiters and operators: each is raised once, can be acknowledged, and clears itself when its reason is gone.
//!
//! Derived from games, boards, clocks and the time, all given as arguments, and from the FIDE Laws of Chess (2023). An alarm
//! is a reason to look, never a decision. It is never public: no screen of spectators or players may show one.
//! Must not know how alarms are delivered.

mod conditions;
mod item;
mod kept;
mod kind;
mod sentence;
mod silence;
mod watched;

use std::collections::BTreeMap;

use coded_text::CodedText;

use crate::event::Side;
use conditions::{Condition, Seen, conditions, results};
pub use item::{Alarm, AlarmChange, AlarmId};
pub use kept::KeptAlarm;
pub use kind::{AlarmKind, Audience};
pub use sentence::{AlarmSentence, SideShown, VenueTime};
pub use watched::Watched;

/// Identifies an alarm of a game: game id, kind, players. It is not raised twice while it holds.
type Key = (String, AlarmKind, Vec<Side>);

/// How long after the start of a daemon its alarms can be those before, in ms: longer than a reason has to last for an alarm.
const RECALL_MS: u64 = 300_000;

#[derive(Clone, Debug)]
struct Held {
    alarm: Alarm,
    /// The ply after which its reason was found last.
    ply: u32,
    /// Whether the last update still found its reason.
    holds: bool,
}

/// The alarms of a hall as a state machine: tables and instants in, changes out.
#[derive(Clone, Debug, Default)]
pub struct Alarms {
    last_id: u64,
    games: BTreeMap<Key, Held>,
    /// How long states of each game have lasted, for alarms that need a duration.
    seen: BTreeMap<String, Seen>,
    silent: silence::Silence,
    /// Alarms before the start whose reasons were not found yet, and until when they can be.
    before: BTreeMap<Key, KeptAlarm>,
    recalled_until: Option<u64>,
    /// Alarms about the daemon itself.
    daemon: BTreeMap<AlarmKind, Alarm>,
}

impl Alarms {
    /// No alarms.
    pub fn new() -> Self {
        Self::default()
    }

    /// Recalls the alarms of a daemon that has ended: one that still holds was raised then, and stays acknowledged.
    pub fn recall(&mut self, kept: Vec<KeptAlarm>) {
        let key = |kept: &KeptAlarm| (kept.game.clone(), kept.kind, kept.sides.clone());
        self.before = kept.into_iter().map(|kept| (key(&kept), kept)).collect();
        self.recalled_until = None;
    }

    /// What [`Alarms::recall`] of the next daemon needs.
    pub fn to_keep(&self) -> Vec<KeptAlarm> {
        let held = self.games.values().filter_map(|held| KeptAlarm::of(&held.alarm, held.ply));
        held.chain(self.before.values().cloned()).collect()
    }

    /// Compares all tables of the hall with the alarms that hold. `now` is UTC ms. Call it after every event, and every second
    /// because some alarms need a duration. The alarms of a table that is no longer given are cleared.
    pub fn update(&mut self, now: u64, tables: &[Watched<'_>]) -> Vec<AlarmChange> {
        let mut changes = Vec::new();
        if now >= *self.recalled_until.get_or_insert(now.saturating_add(RECALL_MS)) {
            self.before.clear();
        }
        for held in self.games.values_mut() {
            held.holds = false;
        }
        let mut seen_now = BTreeMap::new();
        for table in tables {
            for condition in results(table) {
                self.hold(now, table, condition, &mut changes);
            }
        }
        for table in tables.iter().filter(|table| table.armed) {
            let mut seen = self.seen.remove(table.game_id).unwrap_or_default();
            for condition in conditions(now, table, &mut seen) {
                self.hold(now, table, condition, &mut changes);
            }
            seen_now.insert(table.game_id.to_owned(), seen);
        }
        self.seen = seen_now;
        self.games.retain(|_, held| {
            if !held.holds {
                changes.push(AlarmChange::Cleared { id: held.alarm.id });
            }
            held.holds
        });
        self.silent.update(now, tables, &mut self.last_id, &mut changes);
        changes
    }

    /// An alarm about the daemon itself, independent of tables and of arming: raised with sentences, cleared without any.
    pub fn daemon(&mut self, now: u64, kind: AlarmKind, sentences: Vec<CodedText>) -> Option<AlarmChange> {
        if sentences.is_empty() {
            return self.daemon.remove(&kind).map(|alarm| AlarmChange::Cleared { id: alarm.id });
        }
        if let Some(alarm) = self.daemon.get_mut(&kind) {
            let changed = alarm.sentences != sentences;
            alarm.say(sentences);
            return changed.then(|| AlarmChange::Changed { alarm: alarm.clone() });
        }
        self.last_id += 1;
        let alarm = Alarm::new(self.last_id, kind, sentences, now);
        self.daemon.insert(kind, alarm.clone());
        Some(AlarmChange::Raised { alarm })
    }

    /// The alarms that hold, the oldest first.
    pub fn active(&self) -> Vec<&Alarm> {
        let games = self.games.values().map(|held| &held.alarm);
        let mut active: Vec<_> = games.chain(self.silent.alarms()).chain(self.daemon.values()).collect();
        active.sort_by_key(|alarm| alarm.id);
        active
    }

    /// Acknowledges an alarm in a person's name. None if it holds no longer or was acknowledged before.
    pub fn acknowledge(&mut self, id: AlarmId, by: &str, now: u64) -> Option<AlarmChange> {
        let games = self.games.values_mut().map(|held| &mut held.alarm);
        let mut alarms = games.chain(self.silent.alarms_mut()).chain(self.daemon.values_mut());
        let alarm = alarms.find(|alarm| alarm.id == id && alarm.acknowledged.is_none())?;
        alarm.acknowledged = Some((by.to_owned(), now));
        Some(AlarmChange::Changed { alarm: alarm.clone() })
    }

    fn hold(&mut self, now: u64, table: &Watched<'_>, mut condition: Condition, changes: &mut Vec<AlarmChange>) {
        if let Some(section) = table.section {
            condition.sentences.insert(0, AlarmSentence::OfSection { section: section.to_owned() }.coded());
        }
        let key = (table.game_id.to_owned(), condition.kind, condition.sides.clone());
        if let Some(held) = self.games.get_mut(&key) {
            (held.holds, held.ply) = (true, condition.ply);
            if held.alarm.tables != [table.table] || held.alarm.sentences != condition.sentences {
                held.alarm.tables = vec![table.table];
                held.alarm.say(condition.sentences);
                changes.push(AlarmChange::Changed { alarm: held.alarm.clone() });
            }
            return;
        }
        self.last_id += 1;
        let ply = condition.ply;
        let mut alarm = Alarm {
            game: Some(table.game_id.to_owned()),
            tables: vec![table.table],
            ply: Some(condition.ply),
            sides: condition.sides,
            ..Alarm::new(self.last_id, condition.kind, condition.sentences, now)
        };
        if self.before.get(&key).is_some_and(|before| before.is(&alarm, ply))
            && let Some(before) = self.before.remove(&key)
        {
            (alarm.raised_at, alarm.acknowledged) = (before.raised_at, before.acknowledged);
        }
        changes.push(AlarmChange::Raised { alarm: alarm.clone() });
        self.games.insert(key, Held { alarm, ply, holds: true });
    }
}
