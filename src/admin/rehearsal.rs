//! Begins, enters, leaves and ends the rehearsal.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use cookie::{Cookie, SameSite};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::guard::denied;
use super::problem::AdminRefusal;
use super::reach::Reached;
use super::state::{Admin, draw};
use crate::rehearsal::{ADDRESS, COOKIE, Shared};
use accounts::{Right, Who};
use public_web::problem::{Problem, failing};
use public_web::sent::{Asked, Sent};

/// Most boards of a rehearsal: it shares the machine with the event.
const MOST_BOARDS: usize = 32;

/// The rehearsal to begin.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRehearsal {
    /// Simulated boards, 1 to 32.
    #[serde(default = "usual_boards")]
    boards: usize,
    /// Whether things go wrong at the tables, so that there is something to mend.
    #[serde(default)]
    troubles: bool,
}

const fn usual_boards() -> usize {
    8
}

/// The rehearsal.
#[derive(Serialize, ToSchema)]
pub(crate) struct RehearsalState {
    /// Whether one can be held here.
    possible: bool,
    /// Whether one is under way.
    running: bool,
    /// Whether this daemon is one itself: all its boards are simulated.
    itself: bool,
}

/// How to leave.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Leave {
    /// Ends it for everyone; without it this browser leaves it.
    #[serde(default)]
    end: bool,
}

/// See whether a rehearsal is under way
#[utoipa::path(
    get, path = ADDRESS, tag = "daemon",
    responses((status = 200, description = "The rehearsal", body = RehearsalState)),
)]
pub(super) async fn see_rehearsal(State(admin): State<Arc<Admin>>) -> Json<RehearsalState> {
    let rehearsals = &admin.parts.rehearsals;
    let possible = rehearsals.can_begin();
    // A daemon that could hold one, and may not, is the daemon of a rehearsal.
    let itself = !possible && cfg!(all(feature = "demo", unix));
    Json(RehearsalState { possible, running: rehearsals.name().is_some(), itself })
}

/// Enter the rehearsal
///
/// Begins one if none is under way: simulated boards that play on a data folder of their own, removed at the end. The answer
/// sets a cookie, and every address then shows the rehearsal to this browser, until it leaves. The event goes on meanwhile.
#[utoipa::path(
    post, path = ADDRESS, tag = "daemon", request_body = NewRehearsal,
    responses((status = 200, description = "Entered", body = RehearsalState,
        headers(("Set-Cookie" = String, description = "The rehearsal"))),
        (status = 409, description = "This daemon is a rehearsal itself, or was built without them")),
)]
pub(super) async fn enter_rehearsal(
    State(admin): State<Arc<Admin>>,
    Extension(reached): Extension<Reached>,
    Sent(wanted): Sent<NewRehearsal>,
) -> Result<Response, Problem> {
    if !(1..=MOST_BOARDS).contains(&wanted.boards) {
        let refusal = AdminRefusal::RehearsalBoards { most: MOST_BOARDS };
        return Err(Problem::coded(StatusCode::UNPROCESSABLE_ENTITY, refusal));
    }
    let parts = &admin.parts;
    if !parts.rehearsals.can_begin() {
        return Err(Problem::coded(StatusCode::CONFLICT, AdminRefusal::NoRehearsals));
    }
    let shared = Shared {
        accounts: parts.accounts.clone().ok_or_else(failing)?,
        public_url: parts.public_url.clone(),
        stop: parts.stop.clone(),
        boards: wanted.boards,
        troubles: wanted.troubles,
    };
    let name = parts.rehearsals.enter(draw()?.reveal().to_owned(), shared).await.map_err(|error| {
        tracing::error!("the rehearsal does not begin: {error:#}");
        failing()
    })?;
    let state = see_rehearsal(State(Arc::clone(&admin))).await;
    Ok(([(header::SET_COOKIE, cookie(&name, reached, false))], state).into_response())
}

/// Leave the rehearsal, or end it
#[utoipa::path(
    delete, path = ADDRESS, tag = "daemon", params(Leave),
    responses((status = 200, description = "Left", body = RehearsalState,
        headers(("Set-Cookie" = String, description = "No rehearsal")))),
)]
pub(super) async fn leave_rehearsal(
    State(admin): State<Arc<Admin>>,
    Extension(reached): Extension<Reached>,
    Extension(who): Extension<Who>,
    Asked(leave): Asked<Leave>,
) -> Result<Response, Problem> {
    if leave.end {
        if !who.may(Right::Operate) {
            return Err(denied(&who, Right::Operate));
        }
        admin.parts.rehearsals.end();
    }
    let state = see_rehearsal(State(Arc::clone(&admin))).await;
    Ok(([(header::SET_COOKIE, cookie("", reached, true))], state).into_response())
}

/// The cookie that lets a browser in, or out.
fn cookie(name: &str, reached: Reached, gone: bool) -> HeaderValue {
    let built = Cookie::build((COOKIE, name))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(reached == Reached::OverTls);
    let built = if gone { built.max_age(cookie::time::Duration::ZERO) } else { built };
    // Name, value and attributes are ASCII.
    HeaderValue::from_str(&built.build().to_string()).unwrap_or_else(|_| HeaderValue::from_static(""))
}
