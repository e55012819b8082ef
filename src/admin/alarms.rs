//! Alarms: listed, and taken note of. Arbiters see those of the games; operators only those of the equipment.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use game_core::alarm::{Alarm, AlarmId, AlarmKind, Audience};
use game_core::event::Side;
use serde::Serialize;
use utoipa::ToSchema;

use super::{API, Admin};
use accounts::{Role, Who};
use hall_clock::UtcMs;
use public_web::problem::Problem;
use public_web::sent::At;

/// Something to look at.
#[derive(Serialize, ToSchema)]
pub(super) struct AlarmLine {
    /// Its number.
    #[schema(value_type = u64)]
    id: AlarmId,
    /// What it is about, e.g. `flag_down` or `board_silent`.
    #[schema(value_type = String)]
    kind: AlarmKind,
    /// Whom it is for: `arbiter` or `operator`.
    #[schema(value_type = String)]
    audience: Audience,
    /// The article of the FIDE Laws of Chess (2023).
    rule: Option<&'static str>,
    /// The game's id; none for what concerns no game or several.
    game: Option<String>,
    /// The tables concerned.
    tables: Vec<u32>,
    /// The ply after which it holds.
    ply: Option<u32>,
    /// The players concerned: `white`, `black`.
    #[schema(value_type = Vec<String>)]
    sides: Vec<Side>,
    /// What is the case, and what to do.
    text: String,
    /// Whether it can wait until the game ends.
    can_wait: bool,
    /// When it was raised, UTC milliseconds of the hall's clock.
    raised_at: UtcMs,
    /// Who has taken note of it.
    acknowledged_by: Option<String>,
    /// When, UTC milliseconds of the hall's clock.
    acknowledged_at: Option<UtcMs>,
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

/// List the alarms that hold
///
/// The oldest first. Operators see none about a game: arbiters and administrators do.
#[utoipa::path(
    get, path = API.to_owned() + "/alarms", tag = "alarms",
    responses((status = 200, description = "What should be looked at", body = Vec<AlarmLine>)),
)]
pub(super) async fn list_alarms(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
) -> Json<Vec<AlarmLine>> {
    Json(admin.parts.alarms.list(seen_by(&who)).into_iter().map(AlarmLine::from).collect())
}

/// Take note of an alarm
#[utoipa::path(
    post, path = API.to_owned() + "/alarms/{id}/acknowledge", tag = "alarms",
    params(("id" = u64, Path, description = "The alarm's number")),
    responses((status = 200, description = "Somebody has taken note of it", body = AlarmLine)),
)]
pub(super) async fn acknowledge_alarm(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(id): At<u64>,
) -> Result<Json<AlarmLine>, Problem> {
    let alarm = admin.parts.alarms.acknowledge(id, &who.name, admin.parts.hall_clock.now(), seen_by(&who));
    let over = || Problem::new(StatusCode::NOT_FOUND, "There is no such alarm: it may be over already.");
    alarm.map(|alarm| Json(AlarmLine::from(alarm))).ok_or_else(over)
}

/// Alarms of games are nobody's business but the arbiter's; an administrator may be the arbiter too.
fn seen_by(who: &Who) -> impl Fn(Audience) -> bool {
    let role = who.role;
    move |audience| match audience {
        Audience::Arbiter => matches!(role, Role::Arbiter | Role::Administrator),
        Audience::Operator => role >= Role::Arbiter,
    }
}
