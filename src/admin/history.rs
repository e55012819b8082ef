//! Reads the history of corrections.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game_core::event::Author;

use super::api::history::{Line, Page};
use super::state::{API, Admin, blocking};
use public_web::problem::{Problem, failing};
use public_web::sent::Asked;
use tournament::Fact;

/// Lines of one answer.
const MOST_LINES: usize = 100;

/// Get the history of corrections
///
/// The newest comes first; an answer has at most 100 lines.
#[utoipa::path(
    get, path = API.to_owned() + "/history", tag = "tournament", params(Page),
    responses((status = 200, description = "Corrections with author, time and reason", body = Vec<Line>)),
)]
pub(super) async fn see_history(
    State(admin): State<Arc<Admin>>,
    Asked(Page { before }): Asked<Page>,
) -> Result<Json<Vec<Line>>, Problem> {
    let reader = Arc::clone(&admin.parts.reader);
    let entries = blocking(move || reader.corrections(before, MOST_LINES)).await?.map_err(|error| {
        tracing::error!(error = &error as &dyn std::error::Error, "the history cannot be read");
        failing()
    })?;
    let lines = entries.into_iter().filter_map(|entry| match entry.fact {
        Fact::Corrected(correction) => {
            let by = match entry.by {
                Author::Operator(name) => name,
                other => other.to_string(),
            };
            Some(Line { at: entry.committed_at, by, reason: entry.reason, correction: correction.into() })
        }
        _ => None,
    });
    Ok(Json(lines.collect()))
}
