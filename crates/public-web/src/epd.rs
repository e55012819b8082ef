//! One game as EPD, one record a position.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use super::pgn_files::no_games;
use super::polled::{Conditions, Payload, Polled, reply};
use super::sections::read;
use super::web::Web;
use publish::bodies::etag_of;
use publish::gate::View;

/// There is no registered type for EPD.
const EPD: &str = "text/plain; charset=utf-8";

/// The game of an address `/epd/game/{id}.epd`.
pub(super) async fn game(State(web): State<Arc<Web>>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    let Some(id) = file.strip_suffix(".epd").map(str::to_owned) else { return no_games() };
    let public = web.public.clone();
    let made = read(move || {
        let (section, game) = public.game(&id)?;
        let text = game.epd().unwrap_or_else(|error| {
            tracing::error!(game = %game.at.game, %error, "a game cannot be shown as EPD");
            String::new()
        });
        Some((Bytes::from(text), game.changed_at.max(section.opened_at()) / 1000))
    });
    let Ok(Some((bytes, changed_s))) = made.await else { return no_games() };
    let etag = etag_of(&bytes);
    let file = Polled { content_type: EPD, etags: &[&etag], changed_s, gzip: false, payload: Payload::Bytes(bytes) };
    reply(web.clock, &Conditions::of(&headers), file).into_response()
}
