//! The PGN files of one view as answers.
//!
//! Serves every type of view, so that keys open the same files; must not know which views there are.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::{IntoResponse, Response};
use hall_clock::HallClock;
use publish::bodies::{Bodies, Form, Letters};
use publish::gate::View;
use publish::selection::Selection;

use super::answer;
use super::polled::{Conditions, Payload, Polled, Reply, reply};

/// PGN, and that it is UTF-8: without a charset Lichess guesses one.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// The PGN files of a view.
pub struct PgnFiles<V: View> {
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
        self.reply(&Conditions::of(headers), slug, games, letters).map_or_else(no_games, IntoResponse::into_response)
    }

    /// The same; none when the section, round or game is not known.
    pub(super) fn reply(
        &self,
        conditions: &Conditions<'_>,
        slug: &str,
        games: &Selection,
        letters: Letters,
    ) -> Option<Reply> {
        let body = self.bodies.get(slug, games, letters)?;
        let form = if conditions.gzip { self.bodies.gzip(&body) } else { Form::Plain };
        let mut etags = Form::ALL.map(|form| body.etag(form));
        if let Some(sent) = etags.iter().position(|etag| *etag == body.etag(form)) {
            etags.swap(0, sent);
        }
        let (changed_s, gzip) = (body.changed_at / 1000, form != Form::Plain);
        let payload = Payload::Pgn(Arc::clone(&body), form);
        Some(reply(self.clock, conditions, Polled { content_type: PGN, etags: &etags, changed_s, gzip, payload }))
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
