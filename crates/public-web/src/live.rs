//! The live feed: a WebSocket or server-sent events, after whose handshake the hub owns the socket; and the same snapshot without
//! a socket.

mod query;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use hall_clock::HallClock;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use self::query::{AnyQuery, Asked};
use super::answer;
use super::encoding::compressed;
use super::problem::Problem;
use super::sections::read;
use super::serve::Client;
use super::serve::takeover::TakeOver;
use super::web::Web;
use publish::gate::View;
use publish::hub::{Form, Seat};
use publish::snapshot::{Snapshot, Snapshots};

/// The round as it is now: a snapshot of the feed.
pub(super) async fn round(
    State(web): State<Arc<Web>>,
    query: AnyQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    // Games of the archive are read from the disk.
    let answered = read(move || {
        let asked = query::asked(&web, query)?;
        asked.rounds(&web).answer(&headers, (asked.section.slug(), asked.round), asked.choice.games.as_deref())
    });
    answered.await?
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

    /// The current round of a section. May read games from the disk.
    pub fn current(&self, headers: &HeaderMap, slug: &str) -> Response {
        let round = self.view.section(slug).map(|section| section.current_round()).ok_or_else(query::unknown);
        round.and_then(|round| self.answer(headers, (slug, round), None)).unwrap_or_else(IntoResponse::into_response)
    }

    fn snapshot(&self, (slug, round): (&str, u32), games: Option<&BTreeSet<Arc<str>>>) -> Option<Snapshot> {
        self.snapshots.lock().unwrap_or_else(PoisonError::into_inner).take(slug, round, games)
    }

    fn answer(
        &self,
        headers: &HeaderMap,
        place: (&str, u32),
        games: Option<&BTreeSet<Arc<str>>>,
    ) -> Result<Response, Problem> {
        let (start, rest) = self.snapshot(place, games).ok_or_else(query::unknown)?.pieces();
        let kind = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
        Ok((kind, compressed(headers, [start.as_bytes(), &rest].concat())).into_response())
    }
}

/// The description of the feed for programs.
pub(super) async fn description() -> Response {
    let document = include_str!("../../../docs/asyncapi.yaml");
    ([(header::CONTENT_TYPE, "application/yaml"), (header::CACHE_CONTROL, "no-cache")], document).into_response()
}

/// The feed: chooses its form by the request, and hands the socket to the hub with the head of the answer.
pub(super) async fn watch(State(web): State<Arc<Web>>, query: AnyQuery, mut request: Request) -> Response {
    let Some((form, head)) = handshake(request.method(), request.headers()) else {
        let mut response = answer::api_error(
            StatusCode::UPGRADE_REQUIRED,
            "This address speaks WebSocket, version 13, and server-sent events (Accept: text/event-stream); for one answer, \
             read /api/v1/round.",
        );
        let wanted = [(header::CONNECTION, "Upgrade"), (header::UPGRADE, "websocket")];
        response.headers_mut().extend(wanted.map(|(name, value)| (name, header::HeaderValue::from_static(value))));
        response.headers_mut().insert(header::SEC_WEBSOCKET_VERSION, header::HeaderValue::from_static("13"));
        return response;
    };
    let asked = match query::asked(&web, query) {
        Ok(asked) => asked,
        Err(error) => return error.into_response(),
    };
    let seat = match seat(&web, request.extensions().get()) {
        Ok(seat) => seat,
        Err(refused) => return refused.into_response(),
    };
    let Some(take_over) = request.extensions_mut().remove::<TakeOver>() else {
        return answer::api_error(StatusCode::BAD_REQUEST, "This connection cannot be kept open: use HTTP/1.1.");
    };
    let snapshot = snapshot_of_past(&web, &asked).await;
    let (hub, request) = (web.hub.clone(), asked.request(form, request.headers()));
    take_over.take(move |socket, read| hub.admit(seat, socket, (head.into(), read), request, snapshot)).await
}

/// What a viewer of a round whose games are on the disk gets first.
async fn snapshot_of_past(web: &Arc<Web>, asked: &Asked) -> Option<Snapshot> {
    if !asked.section.is_archived(asked.round) {
        return None;
    }
    let (web, slug, round) = (Arc::clone(web), Arc::clone(asked.section.slug()), asked.round);
    let games = asked.choice.games.clone();
    read(move || web.past_rounds.snapshot((&slug, round), games.as_deref())).await.ok()?
}

/// The form that a request asks for, and the head of the answer.
fn handshake(method: &Method, headers: &HeaderMap) -> Option<(Form, String)> {
    if let Some(key) = websocket_key(method, headers) {
        let accept = derive_accept_key(key.as_bytes());
        let head = format!(
            "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-accept: {accept}\r\n\r\n"
        );
        return Some((Form::WebSocket, head));
    }
    if *method != Method::GET || !names(headers, header::ACCEPT, "text/event-stream") {
        return None;
    }
    let mut head =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-store\r\nconnection: close\r\n\
                    x-accel-buffering: no\r\n"
            .to_owned();
    for (name, value) in answer::OPEN_TO_ALL {
        head.extend([name, ": ", value, "\r\n"]);
    }
    head.push_str("\r\n");
    Some((Form::EventStream, head))
}

/// A seat at the hub for a client.
fn seat(web: &Web, client: Option<&Client>) -> Result<Seat, Problem> {
    let refused = |text| Problem::new(StatusCode::SERVICE_UNAVAILABLE, text);
    let of_address = web.seats.place(client.and_then(|Client(address)| *address)).ok_or_else(|| {
        refused("Too many live viewers at this address: close some pages and try again, or read /api/v1/round.")
    })?;
    web.hub.seat(of_address).ok_or_else(|| refused("All places for live viewers are taken: try again in a minute."))
}

/// The key of a correct handshake (RFC 6455, 4.2.1).
fn websocket_key<'a>(method: &Method, headers: &'a HeaderMap) -> Option<&'a str> {
    let asked = *method == Method::GET
        && names(headers, header::CONNECTION, "upgrade")
        && names(headers, header::UPGRADE, "websocket")
        && names(headers, header::SEC_WEBSOCKET_VERSION, "13");
    headers.get(header::SEC_WEBSOCKET_KEY)?.to_str().ok().filter(|key| asked && key.len() == 24)
}

/// Whether a header's list names a token; parameters do not count.
fn names(headers: &HeaderMap, name: header::HeaderName, token: &str) -> bool {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    let mut items =
        lines.flat_map(|line| line.split(',')).map(|item| item.split(';').next().unwrap_or_default().trim());
    items.any(|item| item.eq_ignore_ascii_case(token))
}
