//! What a request carries, with a [`Problem`] where it cannot be read.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap};
use axum::http::request::Parts;
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::Value;

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
                Err(Problem::coded(StatusCode::UNPROCESSABLE_ENTITY, unfit_in::<T>(&body, &error.body_text())))
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

/// The same for a body of JSON, with the field in which it is: where a name decides what an object is, such as that of an order, serde
/// does not say it.
fn unfit_in<T: DeserializeOwned>(body: &[u8], text: &str) -> Common {
    let Common::NotValid { reason } = unfit(text) else { return unfit(text) };
    let names_it = reason.starts_with("missing field") || reason.starts_with("unknown field");
    let placed = reason.split_once(": ").is_some_and(|(place, _)| !place.contains(' '));
    let field = if names_it || placed { None } else { wrong_field::<T>(body) };
    Common::NotValid { reason: field.map_or(reason.clone(), |field| format!("{field}: {reason}")) }
}

/// The field whose value cannot be read: what is wrong changes without it.
fn wrong_field<T: DeserializeOwned>(body: &[u8]) -> Option<String> {
    /// A longer body is not read again for each of its fields, as that takes too long.
    const MOST_BYTES: usize = 2000;
    let error_of = |value: &Value| T::deserialize(value).err().map(|error| error.to_string());
    let whole: Value = serde_json::from_slice(body).ok().filter(|_| body.len() <= MOST_BYTES)?;
    let error = error_of(&whole)?;
    let mut path: Vec<String> = Vec::new();
    loop {
        let at = |path: &[String]| format!("/{}", path.join("/"));
        let here = if path.is_empty() { &whole } else { whole.pointer(&at(&path))? };
        let mut fields = here.as_object().into_iter().flatten();
        let found = fields.find(|(name, value)| {
            let changed = |new: Option<Value>| {
                let mut changed = whole.clone();
                let object = if path.is_empty() { Some(&mut changed) } else { changed.pointer_mut(&at(&path)) };
                if let Some(object) = object.and_then(Value::as_object_mut) {
                    match new {
                        Some(new) => object.insert((*name).clone(), new),
                        None => object.remove(*name),
                    };
                }
                error_of(&changed)
            };
            // A name among those that there are is not what is wrong, though everything changes without it.
            let known = value.as_str().is_some_and(|value| {
                let other = changed(Some(Value::String(format!("{value} ")))).unwrap_or_default();
                other.contains("unknown variant") && other.contains(&format!("`{value}`"))
            });
            !known && changed(None).as_deref() != Some(&error)
        });
        match found {
            Some((name, _)) if !name.contains(['/', '~']) => path.push(name.clone()),
            _ => break,
        }
    }
    (!path.is_empty()).then(|| path.join("."))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    #[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    enum Order {
        Publish { section: String, round: u32 },
        SetRound { round: u32, settings: Settings },
    }

    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Settings {
        date: Option<chrono::NaiveDate>,
        kind: Option<Kind>,
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Rapid,
    }

    fn said(body: &str) -> String {
        let text = match Json::<Order>::from_bytes(body.as_bytes()) {
            Err(error) => error.body_text(),
            Ok(_) => return String::new(),
        };
        let Common::NotValid { reason } = unfit_in::<Order>(body.as_bytes(), &text) else { return text };
        reason
    }

    #[test]
    fn a_value_of_a_wrong_form_is_refused_with_its_field() {
        for (body, reason) in [
            (r#"{"order": "publish", "section": "a", "round": "1"}"#, "round: invalid type: string"),
            (r#"{"order": "publish", "section": 7, "round": 1}"#, "section: invalid type: integer"),
            (r#"{"order": "set_round", "round": 1, "settings": {"date": "1.12.2026"}}"#, "settings.date: "),
            (
                r#"{"order": "set_round", "round": 1, "settings": {"kind": "fast"}}"#,
                "settings.kind: unknown variant `fast`",
            ),
            (
                r#"{"order": "set_round", "round": -1, "settings": {"kind": "rapid"}}"#,
                "round: invalid value: integer `-1`",
            ),
            (r#"{"order": "publsh", "section": "a", "round": 1}"#, "order: unknown variant `publsh`"),
            (r#"{"order": "publish", "section": "a"}"#, "missing field `round`"),
            (r#"{"order": "publish", "section": "a", "round": 1, "x": 2}"#, "unknown field `x`"),
        ] {
            assert!(said(body).starts_with(reason), "{body}: {}", said(body));
        }
    }
}
