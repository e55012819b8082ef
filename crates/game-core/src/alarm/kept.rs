//! What a daemon that starts again has to know of the alarms before.

use serde::{Deserialize, Serialize};

use super::item::Alarm;
use super::kind::AlarmKind;
use crate::event::Side;

/// An alarm about a game that held when a daemon ended: when it was raised, and whether someone has acknowledged it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAlarm {
    pub(super) game: String,
    pub(super) kind: AlarmKind,
    pub(super) sides: Vec<Side>,
    /// The ply after which it held last.
    pub(super) ply: u32,
    /// What it said last.
    pub(super) text: String,
    pub(super) raised_at: u64,
    pub(super) acknowledged: Option<(String, u64)>,
}

impl KeptAlarm {
    /// An alarm about a game as it is now; none about anything else.
    pub(super) fn of(alarm: &Alarm, ply: u32) -> Option<Self> {
        let Alarm { kind, ref sides, ref text, raised_at, ref acknowledged, .. } = *alarm;
        let (game, sides, text) = (alarm.game.clone()?, sides.clone(), text.clone());
        Some(Self { game, kind, sides, ply, text, raised_at, acknowledged: acknowledged.clone() })
    }

    /// Whether an alarm of this game, kind and players that is new at a ply is this one.
    pub(super) fn is(&self, alarm: &Alarm, ply: u32) -> bool {
        self.ply == ply && self.text == alarm.text
    }
}
