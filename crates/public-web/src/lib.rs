//! The public addresses: pages, PGN, JSON and the upgrade to a WebSocket.
//!
//! **Where to start:** [`routes`] lists every address with its handler; [`serve()`] is the accept loop.
//!
//! **Must not know** boards, the journal, the tournament or who may log in. Of the other crates it can name `publish` and, for the
//! time of answers, `hall-clock`; so it serves nothing that the gate has not released. `publish::keys` does not exist for this
//! crate: the daemon makes undelayed views and hands them to [`PgnFiles`], which takes every view.

mod answer;
mod asset;
#[cfg(test)]
mod consumers;
mod epd;
mod health;
mod live;
#[cfg(test)]
mod live_tests;
#[cfg(test)]
mod non_interference;
pub mod openapi;
mod pages;
mod pgn;
mod pgn_files;
mod polled;
pub mod problem;
mod sections;
pub mod sent;
mod serve;
#[cfg(test)]
mod tests;
mod web;

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::get;
use bytes::Bytes;
use utoipa::openapi::OpenApi;

use publish::bodies::Letters;

pub use asset::{Asset, Pages};
pub use pgn_files::{PgnFiles, no_games};
pub use serve::{Accept, Accepted, CameIn, Limits, Served, serve};
pub use web::{Health, Web};

// `publish::keys` does not exist for this crate: `tests/wall` compiles this line and expects that it fails.
#[cfg(wall_proof)]
const _: Option<publish::keys::KeyView> = None;

/// Adds the address of the API's description to the routes that it describes.
pub fn with_description(router: Router, document: &OpenApi) -> Router {
    let document: Bytes = openapi::text(document).into();
    let described = get(async move || answer::json(document.clone()));
    router.merge(Router::new().route("/api/v1/openapi.json", described).layer(middleware::from_fn(answer::open_to_all)))
}

/// The description of the public addresses.
pub fn description() -> OpenApi {
    openapi::document(sections::routes().into_openapi())
}

/// Every public address, and the description of all of them.
pub fn routes(web: &Arc<Web>) -> (Router, OpenApi) {
    let (sections, described) = sections::routes().split_for_parts();
    let router = Router::new()
        .merge(sections)
        .route("/live.pgn", get(async |web, headers| pgn::live(web, &headers, Letters::Unicode)))
        .route("/pgn/{*address}", get(async |web, path, headers| pgn::addressed(web, path, &headers, Letters::Unicode)))
        .route("/ascii/live.pgn", get(async |web, headers| pgn::live(web, &headers, Letters::Ascii)))
        .route(
            "/ascii/pgn/{*address}",
            get(async |web, path, headers| pgn::addressed(web, path, &headers, Letters::Ascii)),
        )
        .route("/epd/game/{file}", get(epd::game))
        .route("/api/v1/live", get(live::watch))
        .route("/api/v1/round", get(live::round))
        .route("/api/{*rest}", get(answer::unknown_api))
        .route("/health", get(health::healthy))
        .fallback_service(get(pages::page).with_state(Arc::clone(web)))
        .method_not_allowed_fallback(answer::method_not_allowed)
        .layer(middleware::from_fn(answer::open_to_all))
        .with_state(Arc::clone(web));
    (router, openapi::document(described))
}
