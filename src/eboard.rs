//! The e-board socket: lets programs and web pages that speak the protocol of LiveChess use the boards of the hall.
//!
//! It has a listener of its own, off by default, because it is not delayed: any page in the operator's browser could read it.
//! So a page is served only when its origin is allowed, a program without an origin only on this machine, and a board whose
//! game is delayed only when the organiser says so. A client can set up a position for itself; nothing that it sends reaches a
//! board or the record.

mod client;
mod feed;
mod reconstruction;
mod wire;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use public_web::{CameIn, problem::Problem};
use publish::gate::{PublicView, View as _};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tournament::{Delay, Hall, Round, RoundState, Section};

use crate::admin::reach::is_here;
use crate::boards::registry::BoardRegistry;
use crate::director::DirectorHandle;
use hall_clock::HallClock;
use wire::Board;

/// Where clients of LiveChess look for it.
pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 1982);

/// Web pages that use boards in this way.
const KNOWN_ORIGINS: [&str; 2] = ["https://lichess.org", "https://www.chess.com"];

/// Clients at once; each may have several feeds.
const MOST_CLIENTS: usize = 64;

/// Maximum size of a message from a client in bytes.
const MOST_MESSAGE_BYTES: usize = 16 * 1024;

/// Who may use the socket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Origins of web pages that may use it, besides lichess.org and www.chess.com; e.g. `https://club.example.org`.
    pub origins: Vec<String>,
    /// Whether boards are shown whose game is delayed for the public.
    pub shows_delayed: bool,
}

impl Access {
    /// Whether a request may be served: a page by its origin, a program without one on this machine. A page of a stranger whose name
    /// leads to this machine asks without an origin, too, but for another host.
    fn lets_in(&self, headers: &HeaderMap, came_in: CameIn) -> bool {
        match headers.get(header::ORIGIN).map(HeaderValue::to_str) {
            None => is_here(came_in, headers),
            Some(Ok(origin)) => {
                let allowed = KNOWN_ORIGINS.iter().copied().chain(self.origins.iter().map(String::as_str));
                allowed.into_iter().any(|known| known.eq_ignore_ascii_case(origin))
            }
            Some(Err(_)) => false,
        }
    }
}

/// What the socket reads.
pub(crate) struct Boards {
    director: DirectorHandle,
    /// Says how far the rounds are for everyone else.
    public: PublicView,
    clock: HallClock,
    access: Access,
    places: Arc<Semaphore>,
    stop: CancellationToken,
}

impl Boards {
    /// The boards of a daemon, until the stop.
    pub(crate) fn new(
        (director, public): (DirectorHandle, PublicView),
        clock: HallClock,
        access: Access,
        stop: CancellationToken,
    ) -> Self {
        Self { director, public, clock, access, places: Arc::new(Semaphore::new(MOST_CLIENTS)), stop }
    }

    /// The boards that may be shown, connected ones first: many clients take the first of the list.
    fn list(&self) -> Vec<Board> {
        let hall = self.director.hall();
        let states = self.director.board_states();
        let shown = states.iter().filter(|state| self.may_show(&hall, &state.board));
        let mut list: Vec<_> = shown.map(|state| Board::of(state, hall.table_of(&state.board))).collect();
        list.sort_by_key(|board| !board.is_active());
        list
    }

    fn registry(&self) -> &BoardRegistry {
        self.director.boards()
    }

    /// Whether clients may see a board: neither its game nor, before one has begun, any open round is delayed.
    fn may_show(&self, hall: &Hall, board: &str) -> bool {
        if self.access.shows_delayed {
            return true;
        }
        if let Some(found) = hall.playing(board).and_then(|game| hall.game(game)) {
            return hall.delay(found.section, found.round.number, found.game.pair.number) == Delay::NONE;
        }
        !is_any_delayed(hall, |section, round| {
            let public = self.public.section(&section.slug).and_then(|section| section.round(round.number));
            public.map_or(!round.published, |public| public.is_finished())
        })
    }

    fn shows(&self, board: &str) -> bool {
        self.may_show(&self.director.hall(), board)
    }
}

/// Whether an open round, or the next one, is delayed. A round that has ended is open until `is_over` for the public, too: a board
/// that comes back earlier would say that its game has ended.
fn is_any_delayed(hall: &Hall, is_over: impl Fn(&Section, &Round) -> bool) -> bool {
    hall.sections.values().any(|section| {
        let mut boards = section.settings.board_delays.values();
        // The next round has no settings of its own yet.
        let next = hall.round_delay(section, 0);
        let waits = |round: &Round| {
            let delayed = hall.round_delay(section, round.number) != Delay::NONE;
            delayed && (round.state != RoundState::Finished || !is_over(section, round))
        };
        next != Delay::NONE
            || boards.any(|delay| *delay != Delay::NONE)
            || section.rounds.values().any(|round| waits(round))
    })
}

/// The addresses of the socket.
pub(crate) fn router(boards: Arc<Boards>) -> Router {
    Router::new()
        .route("/api/v1.0", get(open))
        .route("/api/v1.0/eboards", get(list))
        .fallback(async || {
            Problem::new(StatusCode::NOT_FOUND, "This is the e-board socket: ws://.../api/v1.0 and /api/v1.0/eboards.")
        })
        .layer(from_fn_with_state(Arc::clone(&boards), guard))
        .with_state(boards)
}

/// Refuses pages that may not read the boards; tells browsers of the others that they may.
async fn guard(State(boards): State<Arc<Boards>>, request: Request, next: Next) -> Response {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let came_in = request.extensions().get::<CameIn>().copied().unwrap_or_default();
    if !boards.access.lets_in(request.headers(), came_in) {
        tracing::warn!(?origin, "a client of the e-board socket was refused: allow its origin in eboard_origins");
        let reason = "This page may not read the boards: the organiser allows pages by the setting eboard_origins.";
        return Problem::new(StatusCode::FORBIDDEN, reason).into_response();
    }
    let mut response = next.run(request).await;
    if let Some(origin) = origin {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("Origin"));
    }
    response
}

async fn list(State(boards): State<Arc<Boards>>) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(boards.list())).into_response()
}

async fn open(
    State(boards): State<Arc<Boards>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        return Problem::new(StatusCode::UPGRADE_REQUIRED, "This address speaks WebSocket.").into_response();
    };
    let Ok(place) = Arc::clone(&boards.places).try_acquire_owned() else {
        let full = "All places for programs that use boards are taken: close one of them.";
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, full).into_response();
    };
    tracing::info!(origin = ?headers.get(header::ORIGIN), "a program reads the boards over the e-board socket");
    upgrade.max_message_size(MOST_MESSAGE_BYTES).max_frame_size(MOST_MESSAGE_BYTES).on_upgrade(async move |socket| {
        client::serve(socket, &boards).await;
        drop(place);
    })
}

#[cfg(test)]
mod tests {
    use tournament::{Fact, RoundSettings, SectionSettings};

    use super::*;

    #[test]
    fn a_page_whose_name_leads_to_this_machine_does_not_get_in() {
        let local = CameIn { loopback: true, tls: false };
        let lets_in = |lines: &[(&'static str, &str)], came_in| {
            let header =
                |(name, value): &(&'static str, &str)| (header::HeaderName::from_static(name), value.parse().unwrap());
            Access::default().lets_in(&lines.iter().map(header).collect(), came_in)
        };
        assert!(lets_in(&[("host", "127.0.0.1:1982")], local) && lets_in(&[("host", "localhost:1982")], local));
        assert!(!lets_in(&[("host", "evil.example:1982")], local), "it sends no origin to its own host");
        assert!(!lets_in(&[("host", "localhost:1982"), ("via", "1.1 proxy")], local));
        assert!(!lets_in(&[("host", "127.0.0.1:1982")], CameIn::default()));
        let page = |origin| lets_in(&[("host", "192.0.2.1:1982"), ("origin", origin)], CameIn::default());
        assert!(page("https://lichess.org") && !page("https://evil.example") && !page("null"));
    }

    #[test]
    fn a_round_that_has_ended_hides_boards_until_that_is_public() {
        let mut hall = Hall::default();
        let section: Arc<str> = "open".into();
        let mut apply = |fact| hall.apply(&fact);
        apply(Fact::SectionSet { section: Arc::clone(&section), settings: SectionSettings::named("Open") });
        let settings = RoundSettings { delay: Some(Delay::Seconds(900)), ..RoundSettings::default() };
        apply(Fact::RoundSet { section: Arc::clone(&section), round: 1, settings });
        apply(Fact::RoundState { section: Arc::clone(&section), round: 1, state: RoundState::Running });
        assert!(is_any_delayed(&hall, |_, _| true), "it is open");
        hall.apply(&Fact::RoundState { section, round: 1, state: RoundState::Finished });
        assert!(is_any_delayed(&hall, |_, _| false), "the public does not know that it has ended");
        assert!(!is_any_delayed(&hall, |_, _| true));
    }
}
