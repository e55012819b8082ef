//! Refusals for programs: `application/problem+json` (RFC 9457).
//!
//! Must not reveal whether an account exists, nor why the machine fails.

use std::borrow::Cow;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// The content type of every refusal of the API.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// `about:blank`: the status says what kind of problem it is.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The name of the status.
    title: &'static str,
    /// The status of the answer.
    status: u16,
    /// One sentence that says what to do.
    detail: Cow<'static, str>,
    /// Seconds until the next attempt is allowed, sent as `Retry-After`.
    #[serde(skip)]
    wait_s: Option<u64>,
}

impl Problem {
    /// A refusal with its sentence.
    pub fn new(status: StatusCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Problem"),
            status: status.as_u16(),
            detail: detail.into(),
            wait_s: None,
        }
    }

    /// Too many attempts.
    pub fn wait(wait_ms: u64) -> Self {
        let seconds = wait_ms.div_ceil(1000);
        let detail = format!("Too many attempts: wait {seconds} seconds and try again.");
        Self { wait_s: Some(seconds), ..Self::new(StatusCode::TOO_MANY_REQUESTS, detail) }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = [(header::CONTENT_TYPE, PROBLEM_JSON), (header::CACHE_CONTROL, "no-store")];
        // Strings and numbers always have a JSON form.
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, headers, body).into_response();
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait_s) = self.wait_s {
            response.headers_mut().insert(header::RETRY_AFTER, wait_s.into());
        }
        response
    }
}

/// Something inside fails; the log says what.
pub fn failing() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "This does not work at the moment: the daemon's log says why.")
}

/// An error's text as a sentence; a file's name at its beginning stays as it is.
pub fn sentence(text: &str) -> String {
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    let mut sentence = format!("{text}{end}");
    let word = text.split(' ').next().unwrap_or_default();
    if word.bytes().all(|byte| byte.is_ascii_lowercase())
        && let Some(first) = sentence.get_mut(..1)
    {
        first.make_ascii_uppercase();
    }
    sentence
}
