//! Alarms.

use game_core::alarm::{Alarm, AlarmId, AlarmKind, Audience};
use game_core::event::Side;
use serde::Serialize;
use utoipa::ToSchema;

use hall_clock::UtcMs;
use public_web::problem::CodedLine;

/// An alarm.
#[derive(Serialize, ToSchema)]
pub(crate) struct AlarmLine {
    /// Its number.
    #[schema(value_type = u64)]
    pub(crate) id: AlarmId,
    /// Its kind, e.g. `flag_down` or `board_silent`.
    #[schema(value_type = String)]
    pub(crate) kind: AlarmKind,
    /// The role that it is for: `arbiter` or `operator`.
    #[schema(value_type = String)]
    pub(crate) audience: Audience,
    /// The article of the FIDE Laws of Chess (2023) that applies.
    pub(crate) rule: Option<&'static str>,
    /// The id of the game; none if it concerns no game or several.
    pub(crate) game: Option<String>,
    /// The tables that it concerns.
    pub(crate) tables: Vec<u32>,
    /// The ply after which it applies.
    pub(crate) ply: Option<u32>,
    /// The players that it concerns: `white`, `black`.
    #[schema(value_type = Vec<String>)]
    pub(crate) sides: Vec<Side>,
    /// What happened, and what to do, in English.
    pub(crate) text: String,
    /// `text` as sentences with codes, one after the other.
    pub(crate) sentences: Vec<CodedLine>,
    /// Whether it can wait until the game ends.
    pub(crate) can_wait: bool,
    /// When it was raised: UTC milliseconds, hall time.
    pub(crate) raised_at: UtcMs,
    /// The account that acknowledged it.
    pub(crate) acknowledged_by: Option<String>,
    /// When it was acknowledged: UTC milliseconds, hall time.
    pub(crate) acknowledged_at: Option<UtcMs>,
}

impl AlarmLine {
    /// An alarm as the API gives it.
    pub(crate) fn of(alarm: Alarm) -> Self {
        let (acknowledged_by, acknowledged_at) = alarm.acknowledged.unzip();
        Self {
            id: alarm.id,
            kind: alarm.kind,
            audience: alarm.audience,
            rule: alarm.rule,
            game: alarm.game,
            tables: alarm.tables,
            ply: alarm.ply,
            sides: alarm.sides,
            text: alarm.text,
            sentences: alarm.sentences.into_iter().map(CodedLine::from).collect(),
            can_wait: alarm.can_wait,
            raised_at: alarm.raised_at,
            acknowledged_by,
            acknowledged_at,
        }
    }
}
