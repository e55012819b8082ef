//! The web: all addresses on one page.
//!
//! Everything here is public and reads what is [`Public`] alone. Knows nothing of boards or of the record.

mod answer;
mod epd;
mod live;
#[cfg(test)]
mod live_tests;
mod pages;
mod pgn;
mod serve;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::middleware;
use axum::routing::get;

use crate::hall_clock::HallClock;
use crate::publish::bodies::{Bodies, Letters};
use crate::publish::gate::Public;
use crate::publish::hub::HubHandle;
use crate::publish::snapshot::Snapshots;

pub use pages::Pages;
pub use serve::{Limits, serve};

/// What the addresses need.
pub struct Web {
    public: Public,
    bodies: Bodies,
    snapshots: Mutex<Snapshots>,
    hub: HubHandle,
    clock: HallClock,
    pages: Pages,
}

impl Web {
    /// The web of what is public, its hub and the pages of this build.
    pub fn new(public: Public, hub: HubHandle, clock: HallClock, pages: Pages) -> Self {
        Self {
            bodies: Bodies::new(clock),
            snapshots: Mutex::new(Snapshots::new(public.clone(), clock)),
            public,
            hub,
            clock,
            pages,
        }
    }
}

/// Every public address (DESIGN 3.4).
pub fn router(web: Web) -> Router {
    let web = Arc::new(web);
    Router::new()
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
        .fallback_service(get(pages::page).with_state(Arc::clone(&web)))
        .method_not_allowed_fallback(answer::method_not_allowed)
        .layer(middleware::from_fn(answer::open_to_all))
        .with_state(web)
}
