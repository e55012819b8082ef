//! Undelayed games for holders of keys, below `/arbiter/{key}/`: the PGN addresses once more, `overlay/...` and `screen` as
//! without a key, `live`, the feed of the current round which those pages follow, and `round`, its state as one answer.
//!
//! A key opens one section and ends with it. It stands in the address, since programs that poll PGN know nothing else; so
//! nothing here writes an address into the log.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::get;
use tokio::sync::{OnceCell, Semaphore, watch};
use tokio::time::{Instant, MissedTickBehavior};

use super::sending::sent;
use super::state::blocking;
use super::{Admin, guard};
use crate::assets;
use accounts::Secret;
use hall_clock::HallClock;
use public_web::problem::Problem;
use public_web::{PgnFiles, Rounds, no_games, page_with_key};
use publish::bodies::Letters;
use publish::following::Following;
use publish::gate::{Gate, View as _};
use publish::keys::KeyView;
use publish::selection::{Address, Selection};

/// Feeds that are followed at once.
const MOST_FEEDS: usize = 64;

/// Time between two messages of a feed at least.
const PACE: Duration = Duration::from_millis(100);

/// Time after which a feed without news says that it goes on.
const BEAT: Duration = Duration::from_secs(30);

/// How often the key behind a feed is checked.
const CHECK: Duration = Duration::from_secs(10);

/// The most bytes of a message from a page; pages say nothing.
const MOST_BYTES: usize = 1024;

/// The addresses below a key.
pub(super) fn routes(gate: Gate, admin: &Arc<Admin>) -> Router {
    let first_use = FirstUse { gate, clock: admin.parts.hall_clock, opened: OnceCell::new() };
    Router::new()
        .route("/arbiter/{key}/live", get(follow))
        .route("/arbiter/{key}/{*address}", get(undelayed))
        .layer(from_fn_with_state(Arc::clone(admin), guard::near))
        .with_state((Arc::new(first_use), Arc::clone(admin)))
}

/// The undelayed games, opened by the first use of a key: in an event without keys, memory has no second copy of its games.
struct FirstUse {
    gate: Gate,
    clock: HallClock,
    opened: OnceCell<Undelayed>,
}

impl FirstUse {
    /// The undelayed games.
    async fn opened(&self) -> Result<&Undelayed, Problem> {
        let (gate, clock) = (self.gate.clone(), self.clock);
        self.opened.get_or_try_init(|| blocking(move || Undelayed::of(gate.keys(), clock))).await
    }
}

/// What a key opens.
struct Undelayed {
    files: Arc<PgnFiles<KeyView>>,
    rounds: Arc<Rounds<KeyView>>,
    feeds: Feeds,
}

impl Undelayed {
    fn of(keys: KeyView, clock: HallClock) -> Self {
        let (released, changes) = watch::channel(());
        keys.watch(move || released.send_modify(|()| ()));
        Self {
            files: PgnFiles::new(keys.clone(), clock),
            rounds: Arc::new(Rounds::new(keys.clone(), clock)),
            feeds: Feeds { keys, clock, changes, places: Arc::new(Semaphore::new(MOST_FEEDS)) },
        }
    }
}

/// The feeds of rounds.
struct Feeds {
    keys: KeyView,
    clock: HallClock,
    /// Changes with every release.
    changes: watch::Receiver<()>,
    places: Arc<Semaphore>,
}

type Opened = State<(Arc<FirstUse>, Arc<Admin>)>;

/// The section that a key opens, as long as it does.
async fn section_of(admin: &Admin, key: &str) -> Result<Arc<str>, Problem> {
    let slug = match Secret::shown(key) {
        Some(key) => admin.accounts(move |accounts, now| accounts.undelayed_key(key.digest(), now)).await?,
        None => None,
    };
    let goes_on = |slug: &Arc<str>| admin.goes_on(slug).is_some_and(|goes_on| goes_on);
    slug.filter(goes_on).ok_or_else(|| {
        Problem::new(StatusCode::FORBIDDEN, "This key has ended or was revoked: ask the operator for another one.")
    })
}

/// The feed of the current round, as the public feed has it, without delay.
async fn follow(
    State((first_use, admin)): Opened,
    Path(key): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let slug = section_of(&admin, &key).await?;
    let upgrade = upgrade.map_err(|_| {
        Problem::new(
            StatusCode::UPGRADE_REQUIRED,
            "This address speaks WebSocket, version 13; for one answer, read round.",
        )
    })?;
    let feeds = &first_use.opened().await?.feeds;
    let place = Arc::clone(&feeds.places).try_acquire_owned().map_err(|_| {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "Too many pages with keys are open: close some and try again.")
    })?;
    let following = Following::new(feeds.keys.clone(), feeds.clock, slug);
    let changes = feeds.changes.clone();
    Ok(upgrade.max_message_size(MOST_BYTES).on_upgrade(async move |socket| {
        let stop = admin.parts.stop.clone();
        let _ = stop.run_until_cancelled(serve(socket, following, changes, (&admin, &key))).await;
        drop(place);
    }))
}

/// Sends what is released until the page leaves or its key ends.
async fn serve(
    mut socket: WebSocket,
    mut following: Following<KeyView>,
    mut changes: watch::Receiver<()>,
    (admin, key): (&Admin, &str),
) {
    let mut checks = tokio::time::interval(CHECK);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut sent_at = Instant::now();
    loop {
        changes.borrow_and_update();
        let message = following.next_message();
        let has_news = message.is_some();
        if let Some(message) = message {
            if !sent(&mut socket, Message::text(message)).await {
                return;
            }
            sent_at = Instant::now();
        }
        tokio::select! {
            () = tokio::time::sleep(PACE), if has_news => {}
            release = changes.changed(), if !has_news => if release.is_err() { return },
            message = socket.recv() => if !matches!(message, Some(Ok(_))) { return },
            _ = checks.tick() => {
                if section_of(admin, key).await.is_err() {
                    let reason = "This key has ended.".into();
                    sent(&mut socket, Message::Close(Some(CloseFrame { code: close_code::POLICY, reason }))).await;
                    return;
                }
            }
            () = tokio::time::sleep_until(sent_at + BEAT) => {
                if !sent(&mut socket, Message::text(following.heartbeat())).await {
                    return;
                }
                sent_at = Instant::now();
            }
        }
    }
}

async fn undelayed(
    State((first_use, admin)): Opened,
    Path((key, address)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let slug = section_of(&admin, &key).await?;
    let opened = first_use.opened().await?;
    if address == "round" {
        let rounds = Arc::clone(&opened.rounds);
        return blocking(move || rounds.current(&headers, &slug)).await;
    }
    if let Some(page) = page_with_key(assets::asset, &address, &headers) {
        return Ok(page);
    }
    let (address, letters) = match address.strip_prefix("ascii/") {
        Some(address) => (address, Letters::Ascii),
        None => (&*address, Letters::Unicode),
    };
    let games = games_at(address, &slug);
    let Some(games) = games else { return Ok(no_games()) };
    Ok(opened.files.file(&headers, &slug, &games, letters).await)
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
