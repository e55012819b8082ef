//! Orders: all requests that change the tournament.
//!
//! There is one address for all orders, because each is one JSON object that is carried out completely or not at all. This
//! file decides the right that an order needs; the director carries it out.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{self, HeaderMap};
use axum::http::{HeaderName, StatusCode};
use axum::{Extension, Json};
use coded_text::CodedText;
use game_core::event::Author;

use super::api::orders::Order;
use super::api::receipts::{Done, Preview, Why};
use super::guard::denied;
use super::problem::AdminRefusal;
use super::state::{API, Admin};
use crate::director::{Basis, OrderError};
use accounts::{Right, Who};
use public_web::problem::Problem;
use public_web::sent::{Asked, Sent};
use tournament::{Hall, RefusalKind};

/// Maximum length of a reason, in characters.
const MOST_REASON: usize = 500;

/// Send an order
///
/// The order is saved on the disk before the answer is sent. Arbiters may send results and corrections, administrators may
/// remove persons, operators may send all other orders.
#[utoipa::path(
    post, path = API.to_owned() + "/orders", tag = "tournament", request_body = Order,
    params(Why, ("If-Match" = Option<String>, Header,
        description = "The version that the order is based on, as in `ETag`; if the hall has changed, the order is refused")),
    responses((status = 200, description = "The order is carried out", body = Done, headers(("ETag" = String, description = "The version"))),
        (status = 404, description = "The order names something that does not exist"),
        (status = 409, description = "It contradicts the current state, or needs a confirmation"),
        (status = 412, description = "Another person changed the hall, or what the order would change")),
)]
pub(super) async fn give_order(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Asked(why): Asked<Why>,
    headers: HeaderMap,
    Sent(order): Sent<Order>,
) -> Result<([(HeaderName, String); 1], Json<Done>), Problem> {
    let order = in_hall(&admin, order)?;
    carry_out(&admin, &who, why, &headers, order).await
}

/// Preview an order
#[utoipa::path(
    post, path = API.to_owned() + "/orders/preview", tag = "tournament", request_body = Order,
    responses((status = 200, description = "Its effects; nothing was changed", body = Preview),
        (status = 404, description = "The order names something that does not exist"),
        (status = 409, description = "It contradicts the current state")),
)]
pub(super) async fn preview_order(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Sent(order): Sent<Order>,
) -> Result<Json<Preview>, Problem> {
    let order = in_hall(&admin, order)?;
    preview(&admin, &who, order).await
}

/// The order in the hall as it is now.
fn in_hall(admin: &Admin, order: Order) -> Result<tournament::Order, Problem> {
    let order = order.in_hall(&admin.parts.director.hall());
    order.map_err(|reason| Problem::coded(StatusCode::UNPROCESSABLE_ENTITY, AdminRefusal::SettingsNotValid { reason }))
}

/// Carries an order out.
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
        return Err(Problem::coded(StatusCode::BAD_REQUEST, AdminRefusal::WhyLong { most: MOST_REASON }));
    }
    let by = Author::Operator(who.name.to_string());
    let basis = match (based_on(headers)?, why.seen) {
        (Some(version), _) => Basis::Hall(version),
        (None, Some(version)) => Basis::Seen(version),
        (None, None) => Basis::Any,
    };
    let receipt = admin.parts.director.order_on(by, reason, basis, order).await?;
    Ok(([version_tag(receipt.version)], Json(receipt.into())))
}

/// Writes a line into the history about an order that is none of the tournament, which was carried out.
pub(super) async fn note(admin: &Admin, who: &Who, what: impl Into<CodedText>) {
    let by = Author::Operator(who.name.to_string());
    let order = tournament::Order::Note { what: what.into() };
    if let Err(error) = admin.parts.director.order(by, None, None, order).await {
        tracing::error!(by = %who.name, error = &error as &dyn std::error::Error, "an order is missing in the history");
    }
}

/// Previews an order.
pub(super) async fn preview(admin: &Admin, who: &Who, order: tournament::Order) -> Result<Json<Preview>, Problem> {
    check(admin, who, &order)?;
    Ok(Json(admin.parts.director.preview(order).await?.into()))
}

/// The version of the hall as `ETag`, for `If-Match` of the next order.
pub(super) fn version_tag(version: u64) -> (HeaderName, String) {
    (header::ETAG, format!("\"{version}\""))
}

fn check(admin: &Admin, who: &Who, order: &tournament::Order) -> Result<(), Problem> {
    let right = right(&admin.parts.director.hall(), order);
    if who.may(right) { Ok(()) } else { Err(denied(who, right)) }
}

/// The right that an order needs. Undoing a correction needs the right of the order that undoes it.
fn right(hall: &Hall, order: &tournament::Order) -> Right {
    use tournament::Order;
    match order {
        Order::SetResult { .. }
        | Order::EditMoves { .. }
        | Order::SetClock { .. }
        | Order::TakeMoves { .. }
        | Order::Note { .. }
        | Order::Adopt { .. }
        | Order::Adjourn { .. }
        | Order::Resume { .. } => Right::Arbitrate,
        Order::Undo { number } => {
            let correction = hall.corrections.iter().find(|correction| correction.number == *number);
            let undo = correction.and_then(|correction| correction.undo.as_ref());
            undo.map_or(Right::Operate, |undo| right(hall, &undo.to_order()))
        }
        Order::Forget { .. } => Right::Administer,
        Order::SetTournament { .. }
        | Order::SetSection { .. }
        | Order::EndEvent { .. }
        | Order::ResumeEvent { .. }
        | Order::RemoveSection { .. }
        | Order::RestoreSection { .. }
        | Order::SetRound { .. }
        | Order::SetBoardDelay { .. }
        | Order::SetStart { .. }
        | Order::LoadPairings { .. }
        | Order::ConfirmPairings { .. }
        | Order::Pair { .. }
        | Order::Unpair { .. }
        | Order::SetBye { .. }
        | Order::AddPlayer { .. }
        | Order::RemovePlayer { .. }
        | Order::SetPlayer { .. }
        | Order::RestorePlayer { .. }
        | Order::SetDisplay { .. }
        | Order::Publish { .. }
        | Order::Unpublish { .. }
        | Order::Arm { .. }
        | Order::Finish { .. }
        | Order::Reopen { .. }
        | Order::RegisterBoard { .. }
        | Order::SeatBoards { .. }
        | Order::AssignBySerial { .. }
        | Order::IdentifyTable { .. }
        | Order::SetPlayers { .. }
        | Order::ExchangePlayers { .. }
        | Order::SetTags { .. }
        | Order::SwapBoard { .. }
        | Order::IgnoreSquares { .. }
        | Order::GoOn { .. }
        | Order::StartFrom { .. }
        | Order::Withdraw { .. }
        | Order::Restore { .. } => Right::Operate,
    }
}

/// The version that an order is based on, if given.
fn based_on(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(tag) = headers.get(header::IF_MATCH) else {
        return Ok(None);
    };
    match tag.to_str().map(|tag| tag.trim().trim_matches('"')) {
        Ok("*") => Ok(None),
        Ok(version) if version.parse::<u64>().is_ok() => Ok(version.parse().ok()),
        _ => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "If-Match is not a version of the hall: send the value of an ETag, e.g. \"12\".",
        )),
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
            OrderError::Stale | OrderError::Changed(_) => StatusCode::PRECONDITION_FAILED,
            OrderError::NotRecorded
            | OrderError::NotDurable
            | OrderError::Unreadable(_)
            | OrderError::Failed(_)
            | OrderError::Stopped => {
                tracing::error!(error = &error as &dyn std::error::Error, "an order failed");
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        let questions = match &error {
            OrderError::Refused(refusal) => refusal.questions(),
            _ => &[],
        };
        Self::coded(status, error.coded()).asking(questions)
    }
}
