//! The live feed: the handshake after which a socket belongs to the hub, and the same round without a socket.

use std::sync::{Arc, PoisonError};

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::header::{self, HeaderMap};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::{Web, answer};
use publish::gate::View;
use publish::hub::{HubHandle, Seat, Wanted, Wish};

/// What a viewer may ask for.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Choice {
    event: Option<String>,
    round: Option<u32>,
    stream: Option<String>,
    since: Option<u64>,
}

/// A choice that is no choice, or of something that is not known.
enum BadChoice {
    Unreadable,
    Unknown,
}

impl IntoResponse for BadChoice {
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

type AnyChoice = Result<Query<Choice>, QueryRejection>;

/// What is wished for, if it exists.
fn wish(web: &Web, choice: AnyChoice) -> Result<Wish, BadChoice> {
    let Query(choice) = choice.map_err(|_| BadChoice::Unreadable)?;
    let wanted = Wanted { section: choice.event.map(Into::into), round: choice.round };
    place(web, &wanted)?;
    Ok(Wish { wanted, resume: choice.stream.zip(choice.since) })
}

/// The section and the round that are meant at this moment, if they exist.
fn place(web: &Web, wanted: &Wanted) -> Result<(View, u32), BadChoice> {
    let view = match &wanted.section {
        Some(slug) => web.public.section(slug),
        None => web.public.current(),
    };
    let view = view.ok_or(BadChoice::Unknown)?;
    let round = wanted.round.unwrap_or_else(|| view.current_round());
    view.news(round, u64::MAX).ok_or(BadChoice::Unknown)?;
    Ok((view, round))
}

/// The round as it is now: the snapshot of the feed.
pub(super) async fn round(State(web): State<Arc<Web>>, choice: AnyChoice) -> Response {
    let snapshot = wish(&web, choice).and_then(|wish| {
        let (view, round) = place(&web, &wish.wanted)?;
        web.snapshots.lock().unwrap_or_else(PoisonError::into_inner).take(&view, round).ok_or(BadChoice::Unknown)
    });
    match snapshot {
        Ok(snapshot) => {
            let (start, rest) = snapshot.pieces();
            let json = [start.as_bytes(), &rest].concat();
            ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], json).into_response()
        }
        Err(error) => error.into_response(),
    }
}

/// The WebSocket: shakes hands and hands the socket to the hub.
pub(super) async fn watch(State(web): State<Arc<Web>>, choice: AnyChoice, mut request: Request) -> Response {
    let Some(key) = websocket_key(request.method(), request.headers()) else {
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
    let wish = match wish(&web, choice) {
        Ok(wish) => wish,
        Err(error) => return error.into_response(),
    };
    let Some(seat) = web.hub.seat() else {
        return answer::api_error(
            StatusCode::SERVICE_UNAVAILABLE,
            "All places for live viewers are taken: try again in a minute.",
        );
    };
    let Some(upgrade) = request.extensions_mut().remove::<OnUpgrade>() else {
        return answer::api_error(StatusCode::BAD_REQUEST, "This connection cannot become a WebSocket: use HTTP/1.1.");
    };
    let hub = web.hub.clone();
    tokio::spawn(async move {
        match upgrade.await {
            Ok(upgraded) => hand_over(&hub, seat, upgraded, wish),
            Err(error) => tracing::debug!(%error, "a viewer left during the handshake"),
        }
    });
    let headers =
        [(header::CONNECTION, "Upgrade"), (header::UPGRADE, "websocket"), (header::SEC_WEBSOCKET_ACCEPT, &*accept)];
    (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
}

fn hand_over(hub: &HubHandle, seat: Seat, upgraded: Upgraded, wish: Wish) {
    let Ok(parts) = upgraded.downcast::<TokioIo<TcpStream>>() else {
        tracing::error!("a viewer came over something that is not a TCP socket");
        return;
    };
    match parts.io.into_inner().into_std() {
        Ok(socket) => hub.admit(seat, socket, parts.read_buf, wish),
        Err(error) => tracing::warn!(%error, "a viewer's socket could not be handed over"),
    }
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
