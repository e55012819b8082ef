//! An alarm as people see it, and the changes that are reported.

use coded_text::{CodedText, joined};
use serde::Serialize;

use super::kind::{AlarmKind, Audience};
use crate::event::Side;

/// The number of an alarm, from 1. Numbers are not reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct AlarmId(u64);

impl AlarmId {
    /// The id with this number, as a client sends it.
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }
}

/// An alarm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Alarm {
    /// Its number.
    pub id: AlarmId,
    /// Its kind.
    pub kind: AlarmKind,
    /// The person it is for.
    pub audience: Audience,
    /// The article of the FIDE Laws of Chess (2023).
    pub rule: Option<&'static str>,
    /// The game's id; none when it concerns no game or several.
    pub game: Option<String>,
    /// The tables concerned, in order.
    pub tables: Vec<u32>,
    /// The ply after which it holds, from 0; none when it concerns no game.
    pub ply: Option<u32>,
    /// The players concerned: whose flag is down, who can claim, whose time runs.
    pub sides: Vec<Side>,
    /// What has happened and what to do, in English: `sentences` one after the other.
    pub text: String,
    /// The same with codes and parameters.
    #[serde(skip)]
    pub sentences: Vec<CodedText>,
    /// Whether it can wait until the game ends.
    pub can_wait: bool,
    /// When it was raised, UTC ms.
    pub raised_at: u64,
    /// Name of the person who acknowledged it, and when (UTC ms).
    pub acknowledged: Option<(String, u64)>,
}

/// A change of the alarms that hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum AlarmChange {
    /// A new alarm.
    Raised {
        /// The alarm.
        alarm: Alarm,
    },
    /// Its tables, its text or its acknowledgement has changed.
    Changed {
        /// The alarm as it is now.
        alarm: Alarm,
    },
    /// The alarm holds no longer.
    Cleared {
        /// Its number.
        id: AlarmId,
    },
}

impl Alarm {
    /// A new alarm of a kind, which concerns no game until its fields are filled in.
    pub(super) fn new(id: u64, kind: AlarmKind, sentences: Vec<CodedText>, raised_at: u64) -> Self {
        Self {
            id: AlarmId(id),
            kind,
            audience: kind.audience(),
            rule: kind.rule(),
            game: None,
            tables: Vec::new(),
            ply: None,
            sides: Vec::new(),
            text: joined(&sentences),
            sentences,
            can_wait: kind.can_wait(),
            raised_at,
            acknowledged: None,
        }
    }

    /// Replaces its sentences.
    pub(super) fn say(&mut self, sentences: Vec<CodedText>) {
        self.text = joined(&sentences);
        self.sentences = sentences;
    }
}
