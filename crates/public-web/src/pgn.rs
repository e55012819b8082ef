//! PGN files over HTTP, for sites that poll them.
//!
//! Answers what each kind of poller asks: entity tags (Lichess), times (pgn4web), or nothing but the file (claim tools).
//! The rules are those of the consumers' own code (Lichess paper, 3; pairings paper, 6).

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use super::{Web, answer};
use publish::bodies::{Body, Letters};
use publish::gate::View;
use publish::selection::{Address, Selection};

/// PGN, and that it is UTF-8: without a charset Lichess guesses one.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// The live games of the section that is marked current.
pub(super) fn live(State(web): State<Arc<Web>>, headers: &HeaderMap, letters: Letters) -> Response {
    match web.public.current() {
        Some(view) => file(&web, headers, &view, &Selection::Live, letters),
        None => unknown(),
    }
}

/// The games of an address below `/pgn/`.
pub(super) fn addressed(
    State(web): State<Arc<Web>>,
    Path(address): Path<String>,
    headers: &HeaderMap,
    letters: Letters,
) -> Response {
    let Ok(Address { event, games }) = address.parse::<Address>() else {
        return unknown();
    };
    let view = match (&event, &games) {
        (Some(slug), _) => web.public.section(slug),
        (None, Selection::Game(id)) => web.public.game(id).map(|(view, _)| view),
        (None, _) => None,
    };
    view.map_or_else(unknown, |view| file(&web, headers, &view, &games, letters))
}

/// There are no such games.
pub fn unknown() -> Response {
    answer::sentence(
        StatusCode::NOT_FOUND,
        "There is no such event, round, board or game here: the live games are at /live.pgn.",
    )
}

/// The PGN of some games of a view, or that it is what the poller has.
pub fn file(web: &Web, headers: &HeaderMap, view: &View, games: &Selection, letters: Letters) -> Response {
    let Some(body) = web.bodies.get(view, games, letters) else {
        return unknown();
    };
    let (etag, bytes) = if accepts_gzip(headers) {
        (body.gzip_etag(), Representation::Gzip(&body))
    } else {
        (body.etag.clone(), Representation::Plain(&body.text))
    };
    polled(web, headers, Polled { content_type: PGN, etag, changed_s: body.changed_s, bytes })
}

/// A file of this moment, for whoever polls it.
pub(super) struct Polled<'a> {
    pub(super) content_type: &'static str,
    /// Strong entity tag with its quotes.
    pub(super) etag: String,
    /// The second in which it last changed, hall time since 1970.
    pub(super) changed_s: u64,
    pub(super) bytes: Representation<'a>,
}

/// The bytes of a file.
pub(super) enum Representation<'a> {
    Plain(&'a Bytes),
    Gzip(&'a Body),
}

/// The file, or that it is the one that the poller has.
pub(super) fn polled(web: &Web, headers: &HeaderMap, file: Polled<'_>) -> Response {
    let same = if headers.contains_key(header::IF_NONE_MATCH) {
        has_tag(headers, &file.etag)
    } else {
        unchanged_since(headers, file.changed_s)
    };
    // A change in the second that is not over yet must not look like one already fetched.
    let modified_s = file.changed_s.min((web.clock.now() / 1000).saturating_sub(1));
    let validators = [
        (header::ETAG, file.etag),
        (header::LAST_MODIFIED, httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(modified_s))),
    ];
    let caching = [(header::CACHE_CONTROL, "no-cache"), (header::VARY, "Accept-Encoding")];
    if same {
        return (StatusCode::NOT_MODIFIED, validators, caching).into_response();
    }
    let content_type = [(header::CONTENT_TYPE, file.content_type)];
    match file.bytes {
        Representation::Gzip(body) => {
            (validators, caching, content_type, [(header::CONTENT_ENCODING, "gzip")], body.gzip()).into_response()
        }
        Representation::Plain(bytes) => (validators, caching, content_type, bytes.clone()).into_response(),
    }
}

fn unchanged_since(headers: &HeaderMap, changed_s: u64) -> bool {
    items(headers, &header::IF_MODIFIED_SINCE, '\n')
        .find_map(|date| httpdate::parse_http_date(date).ok()?.duration_since(UNIX_EPOCH).ok())
        .is_some_and(|since| since.as_secs() >= changed_s)
}

/// Whether `If-None-Match` names this tag. Leniently: Lichess sends a tag it took for weak without its quotes.
pub(super) fn has_tag(headers: &HeaderMap, etag: &str) -> bool {
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").trim_matches('"').to_owned();
    items(headers, &header::IF_NONE_MATCH, ',').any(|tag| tag == "*" || bare(tag) == bare(etag))
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    items(headers, &header::ACCEPT_ENCODING, ',').any(|coding| {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = parameters
            .split_once('=')
            .is_some_and(|(name, weight)| name.trim() == "q" && weight.trim().parse() == Ok(0.0));
        matches!(name.trim(), "gzip" | "x-gzip" | "*") && !refused
    })
}

/// The items of a header, over all its lines; lines that are not text are left out.
fn items<'a>(headers: &'a HeaderMap, name: &HeaderName, separator: char) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(name)
        .into_iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(move |line| line.split(separator))
        .map(str::trim)
}
