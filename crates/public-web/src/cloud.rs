//! The addresses of LiveChess Cloud: `/meta/{uuid}` and `/get/{uuid}/...`, for programs that read that layout.
//!
//! Reads the public view, so it is delayed like everything else.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::{self, HeaderMap};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use publish::bodies::etag_of;
use publish::gate::{PublicView, RoundView};
use publish::livechess;
use serde_json::json;

use super::answer;
use super::polled::Conditions;
use super::web::Web;

/// JSON, and that it is UTF-8.
const JSON: &str = "application/json; charset=utf-8";

/// Where the files of a section are: at the host that was asked.
pub(super) async fn meta(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if livechess::section_of(&web.public, &id).is_none() {
        return nothing();
    }
    let asked = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = uri.authority().map(ToString::to_string).or_else(|| asked.map(str::to_owned));
    let Some(host) = host else { return nothing() };
    file(&headers, json!({ "host": host, "format": "1" }).to_string())
}

/// A file of a section.
pub(super) async fn get(
    State(web): State<Arc<Web>>,
    Path((id, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    // Games of the archive are read from the disk.
    match tokio::task::spawn_blocking(move || read(&web.public, &id, &path)).await {
        Ok(Some(text)) => file(&headers, text),
        Ok(None) => nothing(),
        Err(error) => {
            tracing::error!(%error, "a request failed");
            super::problem::failing().into_response()
        }
    }
}

fn read(view: &PublicView, id: &str, path: &str) -> Option<String> {
    let section = livechess::section_of(view, id)?;
    if path == "tournament.json" {
        return livechess::tournament(&section);
    }
    let (round, name) = path.split_once('/')?;
    let round = section.round(number(round.strip_prefix("round-")?)?).filter(RoundView::is_known)?;
    let name = name.strip_suffix(".json")?;
    if name == "index" {
        return Some(livechess::index(&round, &livechess::games(&section, &round)));
    }
    let place = number(name.strip_prefix("game-")?)?.checked_sub(1)?;
    let game = section.listed(round.latest().get(usize::try_from(place).ok()?)?)?;
    Some(livechess::game(&game))
}

/// Digits only, so that each address has one spelling.
fn number(digits: &str) -> Option<u32> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    plain.then(|| digits.parse().ok()).flatten()
}

fn file(headers: &HeaderMap, text: String) -> Response {
    let bytes = Bytes::from(text);
    let etag = etag_of(&bytes);
    let conditions = Conditions::of(headers);
    let same = conditions.has_tag(&etag);
    let about = [(header::ETAG, etag), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if same {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, [(header::CONTENT_TYPE, JSON)], bytes).into_response()
}

fn nothing() -> Response {
    answer::api_error(
        StatusCode::NOT_FOUND,
        "There is no such tournament, round or game: /api/v1/sections has the livechess_id of each section.",
    )
}
