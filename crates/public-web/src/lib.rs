//! The public addresses: pages, PGN, JSON and the upgrade to a WebSocket.
//!
//! **Where to start:** [`routes`] lists every address with its handler; [`serve()`] is the accept loop.
//!
//! **Must not know** boards, the journal, the tournament or who may log in. Of the other crates it can name `publish`, `drawn`,
//! `evaluations` and, for the time of answers, `hall-clock`; so it serves nothing that the gate has not released. `publish::keys` does not exist for this
//! crate: the daemon makes undelayed views and hands them to [`PgnFiles`], which takes every view.

mod answer;
mod asset;
mod cloud;
#[cfg(test)]
mod consumers;
mod encoding;
mod epd;
mod evaluated;
mod health;
mod live;
#[cfg(test)]
mod live_tests;
#[cfg(test)]
mod non_interference;
pub mod openapi;
mod pages;
#[cfg(test)]
mod pages_tests;
mod pgn;
mod pgn_files;
mod pictures;
mod polled;
pub mod problem;
mod reports;
mod sections;
pub mod sent;
mod serve;
mod standings;
#[cfg(test)]
mod tests;
mod web;

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::get;
use bytes::Bytes;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use publish::bodies::Letters;

pub use asset::{Asset, Pages};
pub use live::Rounds;
pub use pages::page_with_key;
pub use pgn_files::{PgnFiles, no_games};
pub use reports::{Report, TakeReport};
pub use serve::{Accept, Accepted, Addresses, CameIn, Client, Limits, Proxies, Proxy, Served, network, serve};
pub use web::{Health, HealthReport, Web};

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
    openapi::document(described_routes().into_openapi())
}

/// The addresses that the description has.
fn described_routes() -> OpenApiRouter<Arc<Web>> {
    sections::routes().merge(standings::routes()).merge(evaluated::routes()).merge(reports::routes())
}

/// What a listener without public addresses serves of them: the files of pages, which hold no data, and `/health`.
pub fn files_of_pages(web: &Arc<Web>) -> Router {
    let router = Router::new()
        .route("/health", get(health::healthy))
        .fallback_service(get(pages::file).with_state(Arc::clone(web)));
    router.with_state(Arc::clone(web))
}

/// Every public address, and the description of all of them.
pub fn routes(web: &Arc<Web>) -> (Router, OpenApi) {
    let (sections, described) = described_routes().split_for_parts();
    let router = Router::new()
        .merge(sections)
        .route("/live.pgn", get(async |web, headers| pgn::live(web, &headers, Letters::Unicode).await))
        .route(
            "/pgn/{*address}",
            get(async |web, path, headers| pgn::addressed(web, path, &headers, Letters::Unicode).await),
        )
        .route("/ascii/live.pgn", get(async |web, headers| pgn::live(web, &headers, Letters::Ascii).await))
        .route(
            "/ascii/pgn/{*address}",
            get(async |web, path, headers| pgn::addressed(web, path, &headers, Letters::Ascii).await),
        )
        .route("/epd/game/{file}", get(epd::game))
        .route("/meta/{id}", get(cloud::meta))
        .route("/get/{id}/{*path}", get(cloud::get))
        .route("/api/v1/live", get(live::watch))
        .route("/api/v1/asyncapi.yaml", get(live::description))
        .route("/api/v1/round", get(live::round))
        .route("/api/{*rest}", get(answer::unknown_api))
        .route("/health", get(health::healthy))
        .route("/", get(pages::hall))
        .route("/index.html", get(pages::hall))
        .route("/game/{id}", get(pages::game))
        .route("/embed/game/{id}", get(pages::embedded_game))
        .route("/embed/round/{*place}", get(pages::embedded_round))
        .route("/overlay/{*what}", get(pages::overlay))
        .route("/screen", get(pages::screen))
        .route("/board/{file}", get(pictures::board))
        .fallback_service(get(pages::file).with_state(Arc::clone(web)))
        .method_not_allowed_fallback(answer::method_not_allowed)
        .layer(middleware::from_fn(answer::open_to_all))
        .with_state(Arc::clone(web));
    (router, openapi::document(described))
}
