//! The PGN addresses of the public.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::HeaderMap;
use axum::response::{IntoResponse, Response};
use publish::bodies::Letters;
use publish::gate::View;
use publish::selection::{Address, Selection};

use super::pgn_files::no_games;
use super::polled::{Conditions, Reply};
use super::web::Web;

/// The answer for a path as it stands in a request, without its query; none when it names no games. Paths with escapes name
/// none here: the framework resolves them.
pub(super) async fn at(web: &Web, path: &str, conditions: &Conditions<'_>) -> Option<Reply> {
    let (path, letters) = match path.strip_prefix("/ascii/") {
        Some(path) => (path, Letters::Ascii),
        None => (path.strip_prefix('/')?, Letters::Unicode),
    };
    match path {
        "live.pgn" => live_games(web, conditions, letters).await,
        _ => games_at(web, path.strip_prefix("pgn/")?, conditions, letters).await,
    }
}

async fn live_games(web: &Web, conditions: &Conditions<'_>, letters: Letters) -> Option<Reply> {
    let section = web.public.featured_section()?;
    web.files.reply(conditions, section.slug(), &Selection::Live, letters).await
}

/// The games of an address below `/pgn/`.
async fn games_at(web: &Web, address: &str, conditions: &Conditions<'_>, letters: Letters) -> Option<Reply> {
    let Address { event, games } = address.parse::<Address>().ok()?;
    let slug = match (event, &games) {
        (Some(slug), _) => slug,
        (None, Selection::Game(id)) => web.files.section_of(id)?,
        (None, _) => return None,
    };
    web.files.reply(conditions, &slug, &games, letters).await
}

/// The live games of the featured section.
pub(super) async fn live(State(web): State<Arc<Web>>, headers: &HeaderMap, letters: Letters) -> Response {
    live_games(&web, &Conditions::of(headers), letters).await.map_or_else(no_games, IntoResponse::into_response)
}

/// The games of an address below `/pgn/`.
pub(super) async fn addressed(
    State(web): State<Arc<Web>>,
    Path(address): Path<String>,
    headers: &HeaderMap,
    letters: Letters,
) -> Response {
    let reply = games_at(&web, &address, &Conditions::of(headers), letters).await;
    reply.map_or_else(no_games, IntoResponse::into_response)
}
