//! The pages of this build, as files.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::{Web, answer, pgn};

/// One file of the pages, ready to be sent.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Value of `Content-Type`.
    pub content_type: &'static str,
    /// Strong `ETag`, with its quotes: a digest of the bytes.
    pub etag: String,
    /// Value of `Cache-Control`.
    pub cache_control: &'static str,
    /// The file.
    pub bytes: Cow<'static, [u8]>,
}

/// Finds the file for a path; pages that have their own routes give their entry.
pub type Pages = fn(&str) -> Option<Asset>;

/// A page, or a file it needs.
pub(super) async fn page(State(web): State<Arc<Web>>, uri: Uri, headers: HeaderMap) -> Response {
    let Some(page) = (web.pages)(uri.path()) else {
        return answer::sentence(
            StatusCode::NOT_FOUND,
            "There is no such page: the games are at /, their PGN is at /live.pgn.",
        );
    };
    let same = pgn::has_tag(&headers, &page.etag);
    let validators = [(header::ETAG, page.etag.as_str()), (header::CACHE_CONTROL, page.cache_control)];
    if same {
        return (StatusCode::NOT_MODIFIED, validators).into_response();
    }
    (validators, [(header::CONTENT_TYPE, page.content_type)], page.bytes).into_response()
}
