//! The live feed: the WebSocket handshake, after which the hub owns the socket; and the same snapshot without a socket.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::header::{self, HeaderMap};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use hall_clock::HallClock;
use serde::Deserialize;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::answer;
use super::encoding::compressed;
use super::problem::Problem;
use super::serve::From;
use super::serve::takeover::TakeOver;
use super::web::Web;
use publish::gate::{PublicView, SectionView, View};
use publish::hub::{self, Choice, Seat};
use publish::snapshot::Snapshots;

/// The query of a viewer.
#[derive(Debug, Default, Deserialize)]
pub(super) struct LiveQuery {
    event: Option<String>,
    round: Option<u32>,
    stream: Option<String>,
    since: Option<u64>,
}

/// Why a query is refused.
enum BadQuery {
    Unreadable,
    Unknown,
}

impl IntoResponse for BadQuery {
    fn into_response(self) -> Response {
        match self {
            Self::Unreadable => answer::api_error(
                StatusCode::BAD_REQUEST,
                "The query is not understood: round and since are numbers, event and stream are names.",
            ),
            Self::Unknown => answer::api_error(
                StatusCode::NOT_FOUND,
                "There is no such event or round: leave the choice out to see the one being played.",
            ),
        }
    }
}

type AnyQuery = Result<Query<LiveQuery>, QueryRejection>;

/// What a query asks the hub for, if it exists.
fn request(web: &Web, query: AnyQuery) -> Result<hub::Request, BadQuery> {
    let Query(query) = query.map_err(|_| BadQuery::Unreadable)?;
    let choice = Choice { section: query.event.map(Into::into), round: query.round };
    place(web, &choice)?;
    Ok(hub::Request { choice, resume: query.stream.zip(query.since) })
}

/// The section and the round of a choice at this moment, if they exist.
fn place(web: &Web, choice: &Choice) -> Result<(SectionView<PublicView>, u32), BadQuery> {
    let section = match &choice.section {
        Some(slug) => web.public.section(slug),
        None => web.public.featured_section(),
    };
    let section = section.ok_or(BadQuery::Unknown)?;
    let round = choice.round.unwrap_or_else(|| section.current_round());
    section.tail(round, u64::MAX).ok_or(BadQuery::Unknown)?;
    Ok((section, round))
}

/// The round as it is now: a snapshot of the feed.
pub(super) async fn round(State(web): State<Arc<Web>>, query: AnyQuery, headers: HeaderMap) -> Response {
    let asked = request(&web, query).and_then(|asked| place(&web, &asked.choice));
    match asked {
        Ok((section, round)) => web.rounds.snapshot(&headers, section.slug(), round),
        Err(error) => error.into_response(),
    }
}

/// The rounds of one view as snapshots without a socket.
///
/// Serves every type of view, so that keys open the same answers; must not know which views there are.
pub struct Rounds<V> {
    view: V,
    snapshots: Mutex<Snapshots<V>>,
}

impl<V: View> Rounds<V> {
    /// The rounds of a view.
    pub fn new(view: V, clock: HallClock) -> Self {
        Self { snapshots: Mutex::new(Snapshots::new(view.clone(), clock)), view }
    }

    /// The current round of a section.
    pub fn current(&self, headers: &HeaderMap, slug: &str) -> Response {
        match self.view.section(slug) {
            Some(section) => self.snapshot(headers, slug, section.current_round()),
            None => BadQuery::Unknown.into_response(),
        }
    }

    fn snapshot(&self, headers: &HeaderMap, slug: &str, round: u32) -> Response {
        let snapshot = self.snapshots.lock().unwrap_or_else(PoisonError::into_inner).take(slug, round);
        let Some(snapshot) = snapshot else { return BadQuery::Unknown.into_response() };
        let (start, rest) = snapshot.pieces();
        let kind = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
        (kind, compressed(headers, [start.as_bytes(), &rest].concat())).into_response()
    }
}

/// The WebSocket: answers the handshake and hands the socket to the hub.
pub(super) async fn watch(State(web): State<Arc<Web>>, query: AnyQuery, mut upgrading: Request) -> Response {
    let Some(key) = websocket_key(upgrading.method(), upgrading.headers()) else {
        let mut response = answer::api_error(
            StatusCode::UPGRADE_REQUIRED,
            "This address speaks WebSocket, version 13; without one, read /api/v1/round.",
        );
        let wanted = [(header::CONNECTION, "Upgrade"), (header::UPGRADE, "websocket")];
        response.headers_mut().extend(wanted.map(|(name, value)| (name, header::HeaderValue::from_static(value))));
        response.headers_mut().insert(header::SEC_WEBSOCKET_VERSION, header::HeaderValue::from_static("13"));
        return response;
    };
    let accept = derive_accept_key(key.as_bytes());
    let asked = match request(&web, query) {
        Ok(asked) => asked,
        Err(error) => return error.into_response(),
    };
    let seat = match seat(&web, upgrading.extensions().get()) {
        Ok(seat) => seat,
        Err(refused) => return refused.into_response(),
    };
    let Some(take_over) = upgrading.extensions_mut().remove::<TakeOver>() else {
        return answer::api_error(StatusCode::BAD_REQUEST, "This connection cannot become a WebSocket: use HTTP/1.1.");
    };
    let hub = web.hub.clone();
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: {accept}\r\n\r\n"
    );
    take_over.take(move |socket, read| hub.admit(seat, socket, (head.into(), read), asked)).await
}

/// A seat at the hub for a client.
fn seat(web: &Web, from: Option<&From>) -> Result<Seat, Problem> {
    let refused = |text| Problem::new(StatusCode::SERVICE_UNAVAILABLE, text);
    let of_address = web.seats.place(from.and_then(|From(address)| *address)).ok_or_else(|| {
        refused("Too many live viewers at this address: close some pages and try again, or read /api/v1/round.")
    })?;
    web.hub.seat(of_address).ok_or_else(|| refused("All places for live viewers are taken: try again in a minute."))
}

/// The key of a correct handshake (RFC 6455, 4.2.1).
fn websocket_key<'a>(method: &Method, headers: &'a HeaderMap) -> Option<&'a str> {
    let has = |name, token: &str| {
        let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
        lines.flat_map(|line| line.split(',')).any(|item| item.trim().eq_ignore_ascii_case(token))
    };
    let asked = *method == Method::GET
        && has(header::CONNECTION, "upgrade")
        && has(header::UPGRADE, "websocket")
        && has(header::SEC_WEBSOCKET_VERSION, "13");
    headers.get(header::SEC_WEBSOCKET_KEY)?.to_str().ok().filter(|key| asked && key.len() == 24)
}
