//! The pages of this build, as files.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use super::{Web, answer, pgn};

/// A file of the pages.
#[derive(Clone, Debug)]
pub struct Page {
    /// Value of `Content-Type`.
    pub content_type: String,
    /// Strong entity tag, with its quotes.
    pub etag: String,
    /// The file.
    pub bytes: Bytes,
    /// Whether its name changes with its content, so that it may be kept for ever.
    pub immutable: bool,
}

/// Finds the file for a path without its leading `/`; pages that have their own routes give their entry.
pub type Pages = fn(&str) -> Option<Page>;

/// A page, or a file it needs.
pub(super) async fn page(State(web): State<Arc<Web>>, uri: Uri, headers: HeaderMap) -> Response {
    let Some(page) = (web.pages)(uri.path().trim_start_matches('/')) else {
        return answer::sentence(
            StatusCode::NOT_FOUND,
            "There is no such page: the games are at /, their PGN is at /live.pgn.",
        );
    };
    let kept = if page.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    let validators = [(header::ETAG, page.etag.clone()), (header::CACHE_CONTROL, kept.to_owned())];
    if headers.contains_key(header::IF_NONE_MATCH) && pgn::has_tag(&headers, &page.etag) {
        return (StatusCode::NOT_MODIFIED, validators).into_response();
    }
    (validators, [(header::CONTENT_TYPE, page.content_type)], page.bytes).into_response()
}
