//! The history: who corrected what, when and why.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game_core::event::Author;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{API, Admin};
use hall_clock::UtcMs;
use public_web::problem::{Problem, failing};
use public_web::sent::Asked;
use tournament::{Correction, Fact};

/// Lines of a page of history.
const MOST_LINES: usize = 100;

/// Which part of the history.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Page {
    /// Only what was corrected before this number of a correction; the latest ones when missing.
    #[param(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64)]
    before: Option<u32>,
}

/// A line of the history.
#[derive(Serialize, ToSchema)]
pub(super) struct Line {
    /// When, UTC milliseconds of the hall's clock.
    at: UtcMs,
    /// Who: an account, or the rule that brought it about.
    by: String,
    /// Why, if somebody said so.
    reason: Option<String>,
    /// What, and what takes it back.
    correction: Correction,
}

/// See who corrected what
///
/// The newest first, a hundred at once.
#[utoipa::path(
    get, path = API.to_owned() + "/history", tag = "tournament", params(Page),
    responses((status = 200, description = "Corrections", body = Vec<Line>)),
)]
pub(super) async fn see_history(
    State(admin): State<Arc<Admin>>,
    Asked(Page { before }): Asked<Page>,
) -> Result<Json<Vec<Line>>, Problem> {
    let reader = Arc::clone(&admin.parts.reader);
    let entries = super::waiting(move || reader.corrections(before, MOST_LINES)).await?.map_err(|error| {
        tracing::error!(error = &error as &dyn std::error::Error, "the history cannot be read");
        failing()
    })?;
    let lines = entries.into_iter().filter_map(|entry| match entry.fact {
        Fact::Corrected(correction) => {
            let by = match entry.by {
                Author::Operator(name) => name,
                other => other.to_string(),
            };
            Some(Line { at: entry.committed_at, by, reason: entry.reason, correction })
        }
        _ => None,
    });
    Ok(Json(lines.collect()))
}
