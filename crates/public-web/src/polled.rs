//! Files that sites poll: entity tags, dates and encodings.
//!
//! Pollers ask in three ways: with entity tags (Lichess), with `If-Modified-Since` (pgn4web), or unconditionally (claim tools).
//! An answer is decided here once and written in two ways: for the framework, and as bytes for the connections that are served
//! without it.

mod conditions;
mod reply;

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use hall_clock::HallClock;
use httpdate::HttpDate;
use publish::bodies::{Body, Form};

pub(super) use self::conditions::Conditions;
pub(super) use self::reply::Reply;

/// A file at one instant, in the form that was asked for.
pub(super) struct Polled<'a> {
    pub(super) content_type: &'static str,
    /// The strong entity tags of all its forms, with their quotes; that of the form to send first.
    pub(super) etags: &'a [&'a str],
    /// The second in which it last changed, hall time since 1970.
    pub(super) changed_s: u64,
    pub(super) gzip: bool,
    pub(super) payload: Payload,
}

/// The body of an answer.
pub(super) enum Payload {
    /// These bytes.
    Bytes(Bytes),
    /// A form of a PGN file, which is joined when it is sent.
    Pgn(Arc<Body>, Form),
}

impl Payload {
    /// Number of its bytes.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Pgn(body, form) => body.length(*form),
        }
    }

    /// Its bytes in one piece.
    pub(super) fn bytes(&self) -> Bytes {
        match self {
            Self::Bytes(bytes) => bytes.clone(),
            Self::Pgn(body, form) => body.bytes(*form),
        }
    }

    /// The same as a file, where there is one.
    #[cfg(target_os = "linux")]
    pub(super) fn file(&self) -> Option<Arc<std::fs::File>> {
        match self {
            Self::Bytes(_) => None,
            Self::Pgn(body, form) => body.file(*form),
        }
    }
}

/// A second since 1970 as HTTP writes it.
pub(super) fn http_date(seconds: u64) -> HttpDate {
    HttpDate::from(UNIX_EPOCH + Duration::from_secs(seconds))
}

/// The file, or 304 when the poller has it.
///
/// A 304 repeats the tag that the poller sent: Lichess empties its games when the tag is another one.
pub(super) fn reply(clock: HallClock, conditions: &Conditions<'_>, file: Polled<'_>) -> Reply {
    let asked = conditions.asks_for_tags();
    let known = file.etags.iter().find(|etag| conditions.has_tag(etag));
    let not_modified = if asked { known.is_some() } else { conditions.has_since(file.changed_s) };
    let now_s = clock.now() / 1000;
    // A later change within this second must have a later date.
    let modified_s = file.changed_s.min(now_s.saturating_sub(1));
    Reply {
        now_s,
        not_modified,
        etag: known.or(file.etags.first()).map_or_else(String::new, |etag| (*etag).to_owned()),
        last_modified: http_date(modified_s),
        content_type: file.content_type,
        gzip: file.gzip,
        body: file.payload,
    }
}
