//! The page behind the link for the first administrator: one form.

use axum::Router;
use axum::http::header;
use axum::routing::get;

/// Content security policy: only resources of this site, no inline code, no form that is sent without the script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; \
                      frame-ancestors 'none'; base-uri 'none'";

/// The page and its parts.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let part = |kind: &'static str, text: &'static str| {
        get(async move || ([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)], text))
    };
    Router::new()
        .route("/admin/first", part("text/html; charset=utf-8", include_str!("first.html")))
        .route("/admin/first.css", part("text/css; charset=utf-8", include_str!("first.css")))
        .route("/admin/first.js", part("text/javascript; charset=utf-8", include_str!("first.js")))
}
