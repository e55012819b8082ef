//! The time of the hall, and the time that a person's device gives to a computer without a clock.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};

use super::api::clock::{Clock, DeviceTime};
use super::state::{API, Admin, blocking};
use crate::time_offer::NotTaken;
use accounts::Who;
use coded_text::CodedText;
use hall_clock::UtcMs;
use public_web::problem::Problem;
use public_web::sent::Sent;

/// Get the time of the hall
#[utoipa::path(
    get, path = API.to_owned() + "/clock", tag = "daemon",
    responses((status = 200, description = "Hall time, and whether it is known to be right", body = Clock)),
)]
pub(super) async fn see_clock(State(admin): State<Arc<Admin>>) -> Result<Json<Clock>, Problem> {
    let time = admin.parts.time.clone();
    let (is_known, given_by) = blocking(move || (time.is_known(), time.given_by())).await?;
    Ok(Json(Clock { at: admin.parts.hall_clock.now(), is_known, given_by }))
}

/// Give the time of a device
///
/// For a computer without a clock of its own: refused where the system's clock is right. The daemon starts again with this time,
/// within seconds; the system's clock is not set. The time holds until the computer starts again.
#[utoipa::path(
    post, path = API.to_owned() + "/clock", tag = "daemon", request_body = DeviceTime,
    responses((status = 200, description = "The time is taken", body = Clock),
        (status = 409, description = "The time is not taken; the sentence says why")),
)]
pub(super) async fn give_time(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Sent(DeviceTime { at }): Sent<DeviceTime>,
) -> Result<Json<Clock>, Problem> {
    take(&admin, at, who.name.to_string()).await.map_err(|refused| Problem::coded(StatusCode::CONFLICT, refused))?;
    see_clock(State(admin)).await
}

/// Takes the time of a person's device, and lets the daemon start again with it.
pub(super) async fn take(admin: &Admin, at: UtcMs, by: String) -> Result<(), CodedText> {
    let (time, now) = (admin.parts.time.clone(), admin.parts.hall_clock.now());
    let taken = blocking(move || time.take(at, &by, now)).await.map_err(|_| NotTaken::Silent.coded())?;
    if taken.map_err(|refused| refused.coded())? {
        admin.parts.stop.cancel();
    }
    Ok(())
}
