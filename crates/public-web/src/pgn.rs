//! The PGN addresses of the public.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::HeaderMap;
use axum::response::Response;
use publish::bodies::Letters;
use publish::gate::View;
use publish::selection::{Address, Selection};

use super::pgn_files::no_games;
use super::web::Web;

/// The live games of the featured section.
pub(super) fn live(State(web): State<Arc<Web>>, headers: &HeaderMap, letters: Letters) -> Response {
    match web.public.featured_section() {
        Some(section) => web.files.file(headers, section.slug(), &Selection::Live, letters),
        None => no_games(),
    }
}

/// The games of an address below `/pgn/`.
pub(super) fn addressed(
    State(web): State<Arc<Web>>,
    Path(address): Path<String>,
    headers: &HeaderMap,
    letters: Letters,
) -> Response {
    let Ok(Address { event, games }) = address.parse::<Address>() else {
        return no_games();
    };
    let slug = match (event, &games) {
        (Some(slug), _) => Some(slug),
        (None, Selection::Game(id)) => web.files.section_of(id),
        (None, _) => None,
    };
    slug.map_or_else(no_games, |slug| web.files.file(headers, &slug, &games, letters))
}
