//! Undelayed games for holders of keys, below `/arbiter/{key}/`: the PGN addresses once more, `overlay/...` and `screen` as
//! without a key, and `round`, the current round as a snapshot, which those pages ask for.
//!
//! A key opens one section and ends with it. It stands in the address, since programs that poll PGN know nothing else; so
//! nothing here writes an address into the log.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::get;

use super::{Admin, guard};
use crate::assets;
use accounts::Secret;
use public_web::problem::Problem;
use public_web::{PgnFiles, Rounds, no_games, page_with_key};
use publish::bodies::Letters;
use publish::keys::KeyView;
use publish::selection::{Address, Selection};

/// The addresses below a key.
pub(super) fn routes(keys: KeyView, admin: &Arc<Admin>) -> Router {
    let clock = admin.parts.hall_clock;
    let undelayed_games = Undelayed { files: PgnFiles::new(keys.clone(), clock), rounds: Rounds::new(keys, clock) };
    Router::new()
        .route("/arbiter/{key}/{*address}", get(undelayed))
        .layer(from_fn_with_state(Arc::clone(admin), guard::near))
        .with_state((Arc::new(undelayed_games), Arc::clone(admin)))
}

/// What a key opens.
struct Undelayed {
    files: PgnFiles<KeyView>,
    rounds: Rounds<KeyView>,
}

async fn undelayed(
    State((opened, admin)): State<(Arc<Undelayed>, Arc<Admin>)>,
    Path((key, address)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let slug = match Secret::shown(&key) {
        Some(key) => admin.accounts(move |accounts, now| accounts.undelayed_key(key.digest(), now)).await?,
        None => None,
    };
    let goes_on = |slug: &Arc<str>| admin.goes_on(slug).is_some_and(|goes_on| goes_on);
    let slug = slug.filter(goes_on).ok_or_else(|| {
        Problem::new(StatusCode::FORBIDDEN, "This key has ended or was revoked: ask the operator for another one.")
    })?;
    if address == "round" {
        return Ok(opened.rounds.current(&headers, &slug));
    }
    if let Some(page) = page_with_key(assets::asset, &address, &headers) {
        return Ok(page);
    }
    let (address, letters) = match address.strip_prefix("ascii/") {
        Some(address) => (address, Letters::Ascii),
        None => (&*address, Letters::Unicode),
    };
    let games = games_at(address, &slug);
    Ok(games.map_or_else(no_games, |games| opened.files.file(&headers, &slug, &games, letters)))
}

/// The games of an address, as far as the key's section has them.
fn games_at(address: &str, section: &str) -> Option<Selection> {
    if address == "live.pgn" {
        return Some(Selection::Live);
    }
    let Address { event, games } = address.strip_prefix("pgn/")?.parse().ok()?;
    event.is_none_or(|event| event == section).then_some(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_its_section_alone() {
        assert_eq!(games_at("live.pgn", "open-a"), Some(Selection::Live));
        assert_eq!(games_at("pgn/open-a/round-2/games.pgn", "open-a"), Some(Selection::Round(2)));
        assert_eq!(games_at("pgn/open-b/round-2/games.pgn", "open-a"), None);
        assert_eq!(games_at("pgn/game/x.pgn", "open-a"), Some(Selection::Game("x".into())));
        assert_eq!(games_at("api/v1/admin/users", "open-a"), None);
    }
}
