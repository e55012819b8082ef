//! What answers have in common: cross-origin headers and refusals.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use super::problem::Problem;

/// What every public answer says: scripts of every site may read it and its validators.
pub(super) const OPEN_TO_ALL: [(&str, &str); 3] = [
    ("access-control-allow-origin", "*"),
    ("access-control-expose-headers", "ETag, Last-Modified"),
    ("x-content-type-options", "nosniff"),
];

/// Lets scripts of every site read public answers and their validators; answers preflight requests.
pub(super) async fn open_to_all(request: Request, next: Next) -> Response {
    let mut response = if request.method() == Method::OPTIONS {
        let preflight = [
            (header::ALLOW, "GET, HEAD, OPTIONS"),
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS"),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "*"),
            (header::ACCESS_CONTROL_MAX_AGE, "86400"),
        ];
        (StatusCode::NO_CONTENT, preflight).into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers.extend(OPEN_TO_ALL.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))));
    response
}

/// The API has no such address.
pub(super) async fn unknown_api() -> Response {
    api_error(StatusCode::NOT_FOUND, "There is no such address in the API: /api/v1/openapi.json lists all.")
}

/// The address exists, but not for writing.
pub(super) async fn method_not_allowed() -> Response {
    sentence(StatusCode::METHOD_NOT_ALLOWED, "This address can only be read: use GET or HEAD.")
}

/// A sentence for a person.
pub(super) fn sentence(status: StatusCode, text: &'static str) -> Response {
    (status, [(header::CACHE_CONTROL, "no-cache")], format!("{text}\n")).into_response()
}

/// A sentence for a program, as a [`Problem`].
pub(super) fn api_error(status: StatusCode, text: &'static str) -> Response {
    Problem::new(status, text).into_response()
}

/// An answer of finished JSON.
pub(super) fn json(body: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], body).into_response()
}
