//! The pages of the dashboard, and the form for the first administrator in a build without pages.
//!
//! They hold no data, so they need no login: what they show comes from protected addresses. Where those are refused, the page
//! says why.

use axum::Router;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::assets;

/// Content security policy: only resources of this site, no inline code, no form that is sent without the script.
/// Pictures of pieces are part of the style sheet, as `data:`.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/// The pages and their parts.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let part = |kind: &'static str, text: &'static str| {
        get(async move || (guarded(), [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], text))
    };
    let first = async |headers: HeaderMap| {
        if assets::dashboard().is_some() {
            return shell(&headers);
        }
        let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
        (guarded(), kind, include_str!("first.html")).into_response()
    };
    Router::new()
        .route("/admin", get(page))
        .route("/admin/", get(page))
        .route("/admin/first", get(first))
        .route("/admin/first.css", part("text/css; charset=utf-8", include_str!("first.css")))
        .route("/admin/first.js", part("text/javascript; charset=utf-8", include_str!("first.js")))
        .route("/admin/{*rest}", get(page))
}

async fn page(uri: Uri, headers: HeaderMap) -> Response {
    if uri.path().rsplit('/').next().is_some_and(|name| name.contains('.')) {
        return (StatusCode::NOT_FOUND, guarded(), "There is no such file.").into_response();
    }
    shell(&headers)
}

/// The page that draws all others.
fn shell(headers: &HeaderMap) -> Response {
    let Some(page) = assets::dashboard().or_else(|| assets::asset("/")) else {
        return (StatusCode::NOT_FOUND, guarded(), "This build has no pages.").into_response();
    };
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag.as_bytes() == page.etag.as_bytes());
    let validators = [(header::ETAG, page.etag.as_str()), (header::CACHE_CONTROL, page.cache_control)];
    if known {
        return (StatusCode::NOT_MODIFIED, guarded(), validators).into_response();
    }
    (guarded(), validators, [(header::CONTENT_TYPE, page.content_type)], page.bytes).into_response()
}

/// Headers that keep other sites out.
fn guarded() -> [(HeaderName, HeaderValue); 4] {
    [
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    ]
}
