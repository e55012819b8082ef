//! Whether the daemon works, for programs that watch it: the first line of the answer is `ok`, `degraded` or `not ok`, and a line
//! for each reason follows where the daemon allows that.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::serve::CameIn;
use super::web::{HealthReport, Web};

/// How the daemon is, as one asker may know it.
pub(super) async fn healthy(
    State(web): State<Arc<Web>>,
    came_in: Option<Extension<CameIn>>,
    headers: HeaderMap,
) -> Response {
    let came_in = came_in.map(|Extension(came_in)| came_in).unwrap_or_default();
    let HealthReport { ready, reasons } = (web.health)(came_in, &headers);
    let (status, word) = match (ready, reasons.is_empty()) {
        (true, true) => (StatusCode::OK, "ok"),
        (true, false) => (StatusCode::OK, "degraded"),
        (false, _) => (StatusCode::SERVICE_UNAVAILABLE, "not ok"),
    };
    let text = reasons.iter().fold(format!("{word}\n"), |text, reason| text + reason + "\n");
    (status, [(header::CACHE_CONTROL, "no-store")], text).into_response()
}
