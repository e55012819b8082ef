//! What answers have in common: cross-origin headers and refusals.

use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use super::problem::Problem;

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
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag, Last-Modified"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
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
