//! The web: all addresses on one page.
//!
//! Everything but [`admin`] is public and reads what is [`Public`] alone. Knows nothing of boards or of the record.

pub mod admin;
mod answer;
mod epd;
mod live;
#[cfg(test)]
mod live_tests;
mod openapi;
mod pages;
mod pgn;
mod problem;
mod sections;
#[cfg(test)]
mod sections_tests;
mod sent;
mod serve;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::middleware;
use axum::routing::get;
use bytes::Bytes;
use utoipa::openapi::OpenApi;

use crate::hall_clock::HallClock;
use crate::publish::bodies::{Bodies, Letters};
use crate::publish::gate::Public;
use crate::publish::hub::HubHandle;
use crate::publish::snapshot::Snapshots;

use admin::Admin;
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
    admin: Option<Arc<Admin>>,
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
            admin: None,
        }
    }

    /// With the protected part too.
    #[must_use]
    pub fn with_admin(self, admin: Admin) -> Self {
        Self { admin: Some(Arc::new(admin)), ..self }
    }
}

/// Every address (DESIGN 3.4).
pub fn router(web: Web) -> Router {
    let web = Arc::new(web);
    let (mut router, mut document) = public(&web);
    if let Some(admin) = &web.admin {
        let (routes, described) = admin::routes(admin);
        router = router.merge(routes).merge(admin::arbiter::routes(&web, admin));
        document.merge(described);
    }
    let document: Bytes = openapi::text(&document).into();
    let described = get(async move || answer::json(document.clone()));
    router.merge(Router::new().route("/api/v1/openapi.json", described).layer(middleware::from_fn(answer::open_to_all)))
}

fn public(web: &Arc<Web>) -> (Router, OpenApi) {
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
