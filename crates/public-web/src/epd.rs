//! One game as EPD, one record a position.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use super::pgn_files::no_games;
use super::polled::{Conditions, Payload, Polled, reply};
use super::web::Web;
use publish::bodies::etag_of;
use publish::gate::View;

/// There is no registered type for EPD.
const EPD: &str = "text/plain; charset=utf-8";

/// The game of an address `/epd/game/{id}.epd`.
pub(super) async fn game(State(web): State<Arc<Web>>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    let found = file.strip_suffix(".epd").and_then(|id| web.public.game(id));
    let Some((section, game)) = found else { return no_games() };
    let text = game.epd().unwrap_or_else(|error| {
        tracing::error!(game = %game.at.game, %error, "a game cannot be shown as EPD");
        String::new()
    });
    let bytes = Bytes::from(text);
    let changed_s = game.changed_at.max(section.opened_at()) / 1000;
    let etag = etag_of(&bytes);
    let file = Polled { content_type: EPD, etags: &[&etag], changed_s, gzip: false, payload: Payload::Bytes(bytes) };
    reply(web.clock, &Conditions::of(&headers), file).into_response()
}
