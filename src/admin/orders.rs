//! Orders: everything that changes the tournament.
//!
//! One address for all of them, since each is one JSON object (`tournament::order`) that is recorded wholly or not at all.
//! Knows which right an order asks for. What it does is the director's matter.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{self, HeaderMap};
use axum::http::{HeaderName, StatusCode};
use axum::{Extension, Json};
use game_core::event::Author;

use super::api::orders::Order;
use super::api::receipts::{Done, Preview, Why};
use super::guard::denied;
use super::state::{API, Admin};
use crate::director::OrderError;
use accounts::{Right, Who};
use public_web::problem::{Problem, sentence};
use public_web::sent::{Asked, Sent};
use tournament::{Hall, RefusalKind};

/// The most characters of a reason.
const MOST_REASON: usize = 500;

/// Give an order
///
/// It is on the disk when the answer comes. Results and corrections are for arbiters, removing a person for good for
/// administrators, all else for operators.
#[utoipa::path(
    post, path = API.to_owned() + "/orders", tag = "tournament", request_body = Order,
    params(Why, ("If-Match" = Option<String>, Header,
        description = "The version that the order is based on, as in `ETag`: refused when somebody was quicker")),
    responses((status = 200, description = "Done", body = Done, headers(("ETag" = String, description = "The version"))),
        (status = 404, description = "What it names is not there"),
        (status = 409, description = "It does not go with what stands, or has to be confirmed"),
        (status = 412, description = "Somebody else changed something")),
)]
pub(super) async fn give_order(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Asked(why): Asked<Why>,
    headers: HeaderMap,
    Sent(order): Sent<Order>,
) -> Result<([(HeaderName, String); 1], Json<Done>), Problem> {
    carry_out(&admin, &who, why, &headers, order.into()).await
}

/// See what an order would lead to
#[utoipa::path(
    post, path = API.to_owned() + "/orders/preview", tag = "tournament", request_body = Order,
    responses((status = 200, description = "What it would lead to; nothing was changed", body = Preview),
        (status = 404, description = "What it names is not there"),
        (status = 409, description = "It does not go with what stands")),
)]
pub(super) async fn preview_order(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Sent(order): Sent<Order>,
) -> Result<Json<Preview>, Problem> {
    preview(&admin, &who, order.into()).await
}

/// Carries an order out for somebody.
pub(super) async fn carry_out(
    admin: &Admin,
    who: &Who,
    why: Why,
    headers: &HeaderMap,
    order: tournament::Order,
) -> Result<([(HeaderName, String); 1], Json<Done>), Problem> {
    check(admin, who, &order)?;
    let reason = why.reason.map(|reason| reason.trim().to_owned()).filter(|reason| !reason.is_empty());
    if reason.as_ref().is_some_and(|reason| reason.chars().count() > MOST_REASON) {
        return Err(Problem::new(StatusCode::BAD_REQUEST, "A reason has at most 500 characters."));
    }
    let by = Author::Operator(who.name.to_string());
    let receipt = admin.parts.director.order(by, reason, based_on(headers)?, order).await?;
    Ok(([version_tag(receipt.version)], Json(receipt.into())))
}

/// What an order of somebody would lead to.
pub(super) async fn preview(admin: &Admin, who: &Who, order: tournament::Order) -> Result<Json<Preview>, Problem> {
    check(admin, who, &order)?;
    Ok(Json(admin.parts.director.preview(order).await?.into()))
}

/// The version of the hall as a header, for the next order's `If-Match`.
pub(super) fn version_tag(version: u64) -> (HeaderName, String) {
    (header::ETAG, format!("\"{version}\""))
}

fn check(admin: &Admin, who: &Who, order: &tournament::Order) -> Result<(), Problem> {
    let right = right(&admin.parts.director.hall(), order);
    if who.may(right) { Ok(()) } else { Err(denied(who, right)) }
}

/// What an order asks for. Taking a correction back asks for what doing that by hand would.
fn right(hall: &Hall, order: &tournament::Order) -> Right {
    use tournament::Order;
    match order {
        Order::SetResult { .. }
        | Order::EditMoves { .. }
        | Order::SetClock { .. }
        | Order::Claim { .. }
        | Order::Adjourn { .. }
        | Order::Resume { .. } => Right::Arbitrate,
        Order::Undo { number } => {
            let correction = hall.corrections.iter().find(|correction| correction.number == *number);
            correction.and_then(|correction| correction.undo.as_ref()).map_or(Right::Operate, |undo| match undo {
                // The history is no ladder.
                Order::Undo { .. } => Right::Operate,
                undo => right(hall, undo),
            })
        }
        Order::Forget { .. } => Right::Administer,
        Order::SetTournament { .. }
        | Order::SetSection { .. }
        | Order::EndEvent { .. }
        | Order::ResumeEvent { .. }
        | Order::SetRound { .. }
        | Order::SetStart { .. }
        | Order::LoadPairings { .. }
        | Order::Pair { .. }
        | Order::Unpair { .. }
        | Order::SetBye { .. }
        | Order::AddPlayer { .. }
        | Order::SetPlayer { .. }
        | Order::RestorePlayer { .. }
        | Order::SetDisplay { .. }
        | Order::Publish { .. }
        | Order::Arm { .. }
        | Order::Finish { .. }
        | Order::Reopen { .. }
        | Order::WelcomeBoard { .. }
        | Order::SeatBoards { .. }
        | Order::SetPlayers { .. }
        | Order::SetTags { .. }
        | Order::SwapBoard { .. }
        | Order::BlindSquares { .. }
        | Order::StartFrom { .. }
        | Order::Withdraw { .. }
        | Order::Restore { .. } => Right::Operate,
    }
}

/// The version that an order is based on, if it says so.
fn based_on(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(tag) = headers.get(header::IF_MATCH) else {
        return Ok(None);
    };
    match tag.to_str().map(|tag| tag.trim().trim_matches('"')) {
        Ok("*") => Ok(None),
        Ok(version) if version.parse::<u64>().is_ok() => Ok(version.parse().ok()),
        _ => Err(Problem::new(StatusCode::BAD_REQUEST, "If-Match is a version of the hall, as ETag tells it: \"12\".")),
    }
}

impl From<OrderError> for Problem {
    fn from(error: OrderError) -> Self {
        let status = match &error {
            OrderError::Refused(refusal) => match refusal.kind() {
                RefusalKind::NotFound => StatusCode::NOT_FOUND,
                RefusalKind::Conflict => StatusCode::CONFLICT,
                RefusalKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
                RefusalKind::Stale => StatusCode::PRECONDITION_FAILED,
            },
            OrderError::Stale => StatusCode::PRECONDITION_FAILED,
            OrderError::NotRecorded | OrderError::NotDurable | OrderError::Unreadable(_) => {
                tracing::error!(error = &error as &dyn std::error::Error, "an order failed");
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        Self::new(status, sentence(&error.to_string()))
    }
}
