//! The PGN files of one view as answers.
//!
//! Serves every type of view, so that keys open the same files; must not know which views there are.

use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::Response;
use hall_clock::HallClock;
use publish::bodies::{Bodies, Letters};
use publish::gate::View;
use publish::selection::Selection;

use super::answer;
use super::polled::{Polled, Representation, accepts_gzip, polled};

/// PGN, and that it is UTF-8: without a charset Lichess guesses one.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// The PGN files of a view.
pub struct PgnFiles<V> {
    view: V,
    bodies: Bodies<V>,
    clock: HallClock,
}

impl<V: View> PgnFiles<V> {
    /// The files of a view.
    pub fn new(view: V, clock: HallClock) -> Self {
        Self { bodies: Bodies::new(view.clone(), clock), view, clock }
    }

    /// The PGN of games of the section with this slug, or 304 when the poller has it.
    pub fn file(&self, headers: &HeaderMap, slug: &str, games: &Selection, letters: Letters) -> Response {
        let Some(body) = self.bodies.get(slug, games, letters) else {
            return no_games();
        };
        let (etag, bytes) = if accepts_gzip(headers) {
            (body.gzip_etag(), Representation::Gzip(&body))
        } else {
            (body.etag.clone(), Representation::Plain(&body.text))
        };
        polled(self.clock, headers, Polled { content_type: PGN, etag, changed_s: body.changed_s, bytes })
    }

    /// The slug of the section that a game is in.
    pub(super) fn section_of(&self, game: &str) -> Option<String> {
        self.view.game(game).map(|(section, _)| section.slug().to_string())
    }
}

/// The answer for an address without games.
pub fn no_games() -> Response {
    answer::sentence(
        StatusCode::NOT_FOUND,
        "There is no such event, round, board or game here: the live games are at /live.pgn.",
    )
}
