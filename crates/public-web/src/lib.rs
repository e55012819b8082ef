//! The public addresses: pages, PGN, JSON and the upgrade to a WebSocket, all on one page in [`routes`].
//!
//! Reads public views and nothing else. Must not know boards, the journal, the tournament or who may log in.

mod answer;
mod epd;
mod live;
#[cfg(test)]
mod live_tests;
pub mod openapi;
mod pages;
pub mod pgn;
pub mod problem;
mod sections;
pub mod sent;
mod serve;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::middleware;
use axum::routing::get;
use bytes::Bytes;
use utoipa::openapi::OpenApi;

use hall_clock::HallClock;
use publish::bodies::{Bodies, Letters};
use publish::gate::Public;
use publish::hub::HubHandle;
use publish::snapshot::Snapshots;

pub use pages::{Asset, Pages};
pub use serve::{CameIn, Limits, serve};

/// Whether the daemon is well at this moment; the reasons are not public.
pub type Health = Box<dyn Fn() -> bool + Send + Sync>;

/// What the addresses need.
pub struct Web {
    public: Public,
    bodies: Bodies,
    snapshots: Mutex<Snapshots>,
    hub: HubHandle,
    clock: HallClock,
    pages: Pages,
    health: Health,
}

impl Web {
    /// The addresses over what is public, its hub and the pages of this build; `health` says whether the daemon is well.
    pub fn new(public: Public, hub: HubHandle, clock: HallClock, pages: Pages, health: Health) -> Self {
        Self {
            bodies: Bodies::new(clock),
            snapshots: Mutex::new(Snapshots::new(public.clone(), clock)),
            public,
            hub,
            clock,
            pages,
            health,
        }
    }

    /// The views that it serves.
    pub fn public(&self) -> &Public {
        &self.public
    }
}

/// Serves the description of the API beside the routes that it describes.
pub fn with_description(router: Router, document: &OpenApi) -> Router {
    let document: Bytes = openapi::text(document).into();
    let described = get(async move || answer::json(document.clone()));
    router.merge(Router::new().route("/api/v1/openapi.json", described).layer(middleware::from_fn(answer::open_to_all)))
}

/// The description of the public addresses.
pub fn description() -> OpenApi {
    openapi::document(sections::routes().into_openapi())
}

/// Every public address (DESIGN 3.4), and its description.
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
        .route("/health", get(answer::healthy))
        .fallback_service(get(pages::page).with_state(Arc::clone(web)))
        .method_not_allowed_fallback(answer::method_not_allowed)
        .layer(middleware::from_fn(answer::open_to_all))
        .with_state(Arc::clone(web));
    (router, openapi::document(described))
}
