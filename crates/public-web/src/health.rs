//! Whether the daemon works, for programs that watch it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::web::Web;

/// Whether the daemon works; the reasons are not public.
pub(super) async fn healthy(State(web): State<Arc<Web>>) -> Response {
    let well = (web.health)();
    let (status, text) = if well { (StatusCode::OK, "ok\n") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ok\n") };
    (status, [(header::CACHE_CONTROL, "no-store")], text).into_response()
}
