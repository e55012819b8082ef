//! What a request carries, with a [`Problem`] where it cannot be read.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::{Problem, sentence};

/// A body of JSON.
pub(super) struct Sent<T>(pub(super) T);

/// The changing part of an address; what cannot be one is an address that does not exist.
pub(super) struct At<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Sent<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Json::from_request(request, state).await {
            Ok(Json(sent)) => Ok(Self(sent)),
            Err(JsonRejection::JsonDataError(error)) => {
                Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, unfit(&error.body_text())))
            }
            Err(JsonRejection::JsonSyntaxError(error)) => {
                Err(Problem::new(StatusCode::BAD_REQUEST, unfit(&error.body_text())))
            }
            Err(JsonRejection::MissingJsonContentType(_)) => Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Send JSON, with the content type application/json.",
            )),
            Err(other) if other.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(too_large()),
            Err(_) => {
                Err(Problem::new(StatusCode::BAD_REQUEST, "The body could not be read to its end: send it again."))
            }
        }
    }
}

/// What is wrong with the JSON, and where.
fn unfit(text: &str) -> String {
    let reason = text.split_once(": ").map_or(text, |(_, reason)| reason);
    sentence(&format!("this JSON is not what is read here: {reason}"))
}

/// The body is over the limit of its route.
pub(super) fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "This is more than is read here: send less at once.")
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
