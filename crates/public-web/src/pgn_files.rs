//! The PGN files of one view as answers.
//!
//! Serves every type of view, so that keys open the same files; must not know which views there are.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::{IntoResponse, Response};
use hall_clock::HallClock;
use publish::bodies::{Bodies, Body, Form, Letters};
use publish::gate::View;
use publish::selection::Selection;
use tokio::sync::Semaphore;

use super::answer;
use super::polled::{Conditions, Payload, Polled, Reply, reply};
use super::sections::read;

/// PGN, and that it is UTF-8: without a charset Lichess guesses one.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// Files that are made at the same time. Each takes a thread, of which other work that waits for the disk needs some, too.
const MADE_AT_ONCE: usize = 16;

/// The PGN files of a view.
pub struct PgnFiles<V: View> {
    view: V,
    bodies: Bodies<V>,
    clock: HallClock,
    places: Arc<Semaphore>,
}

impl<V: View> PgnFiles<V> {
    /// The files of a view.
    pub fn new(view: V, clock: HallClock) -> Arc<Self> {
        let (bodies, places) = (Bodies::new(view.clone(), clock), Arc::new(Semaphore::new(MADE_AT_ONCE)));
        Arc::new(Self { view, bodies, clock, places })
    }

    /// The PGN of games of the section with this slug, or 304 when the poller has it.
    pub async fn file(
        self: &Arc<Self>,
        headers: &HeaderMap,
        slug: &str,
        games: &Selection,
        letters: Letters,
    ) -> Response {
        let reply = self.reply(&Conditions::of(headers), slug, games, letters).await;
        reply.map_or_else(no_games, IntoResponse::into_response)
    }

    /// The same; none when the section, round or game is not known.
    pub(super) async fn reply(
        self: &Arc<Self>,
        conditions: &Conditions<'_>,
        slug: &str,
        games: &Selection,
        letters: Letters,
    ) -> Option<Reply> {
        let (body, form) = match self.bodies.ready(slug, games, letters, conditions.gzip) {
            Some(ready) => ready,
            None => self.made(slug, games, letters, conditions.gzip).await?,
        };
        let mut etags = Form::ALL.map(|form| body.etag(form));
        if let Some(sent) = etags.iter().position(|etag| *etag == body.etag(form)) {
            etags.swap(0, sent);
        }
        let (changed_s, gzip) = (body.changed_at / 1000, form != Form::Plain);
        let payload = Payload::Pgn(Arc::clone(&body), form);
        Some(reply(self.clock, conditions, Polled { content_type: PGN, etags: &etags, changed_s, gzip, payload }))
    }

    /// A file that is made for this request, off the async threads: thousands of games of earlier rounds may be read from the disk
    /// and compressed, and boards are served by the same threads.
    async fn made(
        self: &Arc<Self>,
        slug: &str,
        games: &Selection,
        letters: Letters,
        gzip: bool,
    ) -> Option<(Arc<Body>, Form)> {
        let place = Arc::clone(&self.places).acquire_owned().await.ok()?;
        let (files, slug, games) = (Arc::clone(self), slug.to_owned(), games.clone());
        let made = read(move || {
            // Kept to the end, also when the client has gone.
            let _place = place;
            files.bodies.prepared(&slug, &games, letters, gzip)
        });
        made.await.ok()?
    }

    /// The slug of the section that a game is in.
    pub(super) fn section_of(&self, game: &str) -> Option<String> {
        self.view.round_of_game(game).map(|(section, _)| section.slug().to_string())
    }
}

/// The answer for an address without games.
pub fn no_games() -> Response {
    answer::sentence(
        StatusCode::NOT_FOUND,
        "There is no such event, round, board or game here: the live games are at /live.pgn.",
    )
}
