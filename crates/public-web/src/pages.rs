//! The addresses of the pages.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::answer;
use super::polled::Conditions;
use super::web::Web;

/// A page, or a file it needs.
pub(super) async fn page(State(web): State<Arc<Web>>, uri: Uri, headers: HeaderMap) -> Response {
    let Some(page) = (web.pages)(uri.path()) else {
        return answer::sentence(
            StatusCode::NOT_FOUND,
            "There is no such page: the games are at /, their PGN is at /live.pgn.",
        );
    };
    let same = Conditions::of(&headers).has_tag(&page.etag);
    let validators = [(header::ETAG, page.etag.as_str()), (header::CACHE_CONTROL, page.cache_control)];
    if same {
        return (StatusCode::NOT_MODIFIED, validators).into_response();
    }
    (validators, [(header::CONTENT_TYPE, page.content_type)], page.bytes).into_response()
}
