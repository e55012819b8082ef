//! What a request carries, with a [`Problem`] where it cannot be read.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap};
use axum::http::request::Parts;
use bytes::Bytes;
use serde::de::DeserializeOwned;

use super::problem::{Common, Problem};

/// A body of JSON.
pub struct Sent<T>(pub T);

/// The changing part of an address; what cannot be one is an address that does not exist.
pub struct At<T>(pub T);

/// What stands behind the question mark.
pub struct Asked<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Sent<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            let detail = "Send JSON, with the content type application/json.";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        let body = Bytes::from_request(request, state).await.map_err(|error| unreadable(error.status()))?;
        // Everything that is sent is an object; serde would take a list for one, too.
        if body.trim_ascii_start().first() == Some(&b'[') {
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "This JSON is a list: send an object."));
        }
        match Json::from_bytes(&body) {
            Ok(Json(sent)) => Ok(Self(sent)),
            Err(JsonRejection::JsonDataError(error)) => {
                Err(Problem::coded(StatusCode::UNPROCESSABLE_ENTITY, unfit(&error.body_text())))
            }
            Err(error) => Err(Problem::coded(StatusCode::BAD_REQUEST, unfit(&error.body_text()))),
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let name = kind.split_once(';').map_or(kind, |(name, _)| name);
    name.trim().eq_ignore_ascii_case("application/json")
}

/// The body could not be read: it is too large, or it broke off.
pub fn unreadable(status: StatusCode) -> Problem {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::coded(status, Common::TooLarge),
        _ => Problem::coded(StatusCode::BAD_REQUEST, Common::Incomplete),
    }
}

/// What is wrong with it, and where.
fn unfit(text: &str) -> Common {
    let reason = text.split_once(": ").map_or(text, |(_, reason)| reason);
    let end = if reason.ends_with('.') { "" } else { "." };
    Common::NotValid { reason: format!("{reason}{end}") }
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for At<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(at)) => Ok(Self(at)),
            Err(_) => Err(Problem::new(StatusCode::NOT_FOUND, "There is nothing at this address.")),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(error) => Err(Problem::coded(StatusCode::BAD_REQUEST, unfit(&error.body_text()))),
        }
    }
}
