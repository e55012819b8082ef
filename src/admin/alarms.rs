//! Lists and acknowledges alarms. Alarms about games are for arbiters only.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use game_core::alarm::Audience;

use super::api::alarms::AlarmLine;
use super::problem::AdminRefusal;
use super::state::{API, Admin};
use accounts::{Role, Who};
use public_web::problem::Problem;
use public_web::sent::At;

/// List current alarms
///
/// The oldest comes first. Arbiters and administrators see all alarms, operators only those about equipment and recording.
#[utoipa::path(
    get, path = API.to_owned() + "/alarms", tag = "alarms",
    responses((status = 200, description = "All current alarms for this role", body = Vec<AlarmLine>)),
)]
pub(super) async fn list_alarms(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
) -> Json<Vec<AlarmLine>> {
    Json(admin.parts.alarms.list(seen_by(&who)).into_iter().map(AlarmLine::of).collect())
}

/// Acknowledge an alarm
#[utoipa::path(
    post, path = API.to_owned() + "/alarms/{id}/acknowledge", tag = "alarms",
    params(("id" = u64, Path, description = "The alarm's number")),
    responses((status = 200, description = "The acknowledged alarm", body = AlarmLine)),
)]
pub(super) async fn acknowledge_alarm(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(id): At<u64>,
) -> Result<Json<AlarmLine>, Problem> {
    let alarm = admin.parts.alarms.acknowledge(id, &who.name, admin.parts.hall_clock.now(), seen_by(&who));
    let over = || Problem::coded(StatusCode::NOT_FOUND, AdminRefusal::AlarmOver);
    alarm.map(|alarm| Json(AlarmLine::of(alarm))).ok_or_else(over)
}

/// Which alarms a person sees. Operators must not see alarms about games; an administrator may be the arbiter too.
pub(super) fn seen_by(who: &Who) -> impl Fn(Audience) -> bool + use<> {
    let role = who.role;
    move |audience| match audience {
        Audience::Arbiter => matches!(role, Role::Arbiter | Role::Administrator),
        Audience::Operator => role >= Role::Arbiter,
    }
}
