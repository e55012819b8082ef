//! Alarms.

use game_core::alarm::{Alarm, AlarmId, AlarmKind, Audience};
use game_core::event::Side;
use serde::Serialize;
use utoipa::ToSchema;

use hall_clock::UtcMs;

/// Something to look at.
#[derive(Serialize, ToSchema)]
pub(crate) struct AlarmLine {
    /// Its number.
    #[schema(value_type = u64)]
    pub(crate) id: AlarmId,
    /// What it is about, e.g. `flag_down` or `board_silent`.
    #[schema(value_type = String)]
    pub(crate) kind: AlarmKind,
    /// Whom it is for: `arbiter` or `operator`.
    #[schema(value_type = String)]
    pub(crate) audience: Audience,
    /// The article of the FIDE Laws of Chess (2023).
    pub(crate) rule: Option<&'static str>,
    /// The game's id; none for what concerns no game or several.
    pub(crate) game: Option<String>,
    /// The tables concerned.
    pub(crate) tables: Vec<u32>,
    /// The ply after which it holds.
    pub(crate) ply: Option<u32>,
    /// The players concerned: `white`, `black`.
    #[schema(value_type = Vec<String>)]
    pub(crate) sides: Vec<Side>,
    /// What is the case, and what to do.
    pub(crate) text: String,
    /// Whether it can wait until the game ends.
    pub(crate) can_wait: bool,
    /// When it was raised, UTC milliseconds of the hall's clock.
    pub(crate) raised_at: UtcMs,
    /// Who has taken note of it.
    pub(crate) acknowledged_by: Option<String>,
    /// When, UTC milliseconds of the hall's clock.
    pub(crate) acknowledged_at: Option<UtcMs>,
}

impl From<Alarm> for AlarmLine {
    fn from(alarm: Alarm) -> Self {
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
            can_wait: alarm.can_wait,
            raised_at: alarm.raised_at,
            acknowledged_by,
            acknowledged_at,
        }
    }
}
