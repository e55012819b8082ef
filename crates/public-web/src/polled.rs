//! Files that sites poll: entity tags, dates and encodings.
//!
//! Pollers ask in three ways: with entity tags (Lichess), with `If-Modified-Since` (pgn4web), or unconditionally (claim tools).

use std::time::{Duration, UNIX_EPOCH};

use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use hall_clock::HallClock;
use publish::bodies::Body;

/// A file at one instant.
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

/// The file, or 304 when the poller has it.
pub(super) fn polled(clock: HallClock, headers: &HeaderMap, file: Polled<'_>) -> Response {
    let same = if headers.contains_key(header::IF_NONE_MATCH) {
        has_tag(headers, &file.etag)
    } else {
        unchanged_since(headers, file.changed_s)
    };
    // A later change within this second must have a later date.
    let modified_s = file.changed_s.min((clock.now() / 1000).saturating_sub(1));
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

/// Whether `If-None-Match` names this tag. Compared leniently: Lichess sends weak tags without their quotes.
pub(super) fn has_tag(headers: &HeaderMap, etag: &str) -> bool {
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").trim_matches('"').to_owned();
    items(headers, &header::IF_NONE_MATCH, ',').any(|tag| tag == "*" || bare(tag) == bare(etag))
}

pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    accepts(headers, "gzip") || accepts(headers, "x-gzip")
}

/// Whether a client takes this content coding.
pub(super) fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    items(headers, &header::ACCEPT_ENCODING, ',').any(|item| {
        let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
        let refused = parameters
            .split_once('=')
            .is_some_and(|(name, weight)| name.trim() == "q" && weight.trim().parse() == Ok(0.0));
        (name.trim() == coding || name.trim() == "*") && !refused
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
