//! The dashboard's socket: the hall as values by key, then what changes of them.
//!
//! One WebSocket carries everything that a page of the organiser shows. Each message is a JSON object: `set` has new values by
//! key, `gone` the keys without a value, `at` the hall time, `speed` its speed; the first one has `whole` and everything.
//! [`entries`] says which keys there are. Only sessions of persons may connect. Must not change the tournament.

pub(super) mod entries;
mod game;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use tokio::time::{Instant, MissedTickBehavior};

use self::entries::{Entry, Look};
use super::alarms::seen_by;
use super::guard::{Session, is_same_origin};
use super::problem::AdminRefusal;
use super::sending::sent;
use super::state::{Admin, blocking};
use accounts::Who;
use public_web::problem::Problem;

/// Time between two looks at the hall, which all pages have at the same moments.
const LOOK: Duration = Duration::from_millis(250);

/// A message is sent at least this often, so that a page notices a dead connection.
const BEAT: Duration = Duration::from_secs(5);

/// How often the session behind a socket is checked.
const CHECK: Duration = Duration::from_secs(10);

/// The most bytes of a message from a page.
const MOST_BYTES: usize = 1024;

/// The close code for a session that ended. Codes from 4000 on are free for applications (RFC 6455, 7.4.2).
const SESSION_ENDED: u16 = 4001;

/// What a page asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// The game whose moves it shows; none for no game.
    game: Option<String>,
}

/// Opens the socket.
pub(super) async fn follow(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Extension(session): Extension<Session>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    if !is_same_origin(&headers) {
        return Err(Problem::new(StatusCode::FORBIDDEN, "This address is for the pages of this daemon only."));
    }
    let upgrade = upgrade.map_err(|_| {
        Problem::new(StatusCode::UPGRADE_REQUIRED, "This address speaks WebSocket, version 13, over HTTP/1.1.")
    })?;
    let place = Arc::clone(&admin.watchers)
        .try_acquire_owned()
        .map_err(|_| Problem::coded(StatusCode::SERVICE_UNAVAILABLE, AdminRefusal::TooManyPages))?;
    Ok(upgrade.max_message_size(MOST_BYTES).on_upgrade(move |socket| async move {
        let stop = admin.parts.stop.clone();
        let page = Page { admin, shown: Seen { look: Look::default(), who: who.clone() }, who, session, game: None };
        let _ = stop.run_until_cancelled(page.serve(socket)).await;
        drop(place);
    }))
}

/// One page that is open.
struct Page {
    admin: Arc<Admin>,
    who: Who,
    session: Session,
    /// What it was sent.
    shown: Seen,
    /// The game whose moves it shows.
    game: Option<String>,
}

/// A look, and the person who sees what is for that role in it.
struct Seen {
    look: Look,
    who: Who,
}

impl Seen {
    /// What the person sees of the state for all pages.
    fn hall(&self) -> impl Iterator<Item = (&Arc<str>, &Entry)> {
        let sees = seen_by(&self.who);
        self.look.hall.iter().filter(move |(_, entry)| entry.audience.is_none_or(&sees))
    }

    fn get(&self, key: &str) -> Option<&Entry> {
        let sees = seen_by(&self.who);
        let of_hall = || self.look.hall.get(key).filter(|entry| entry.audience.is_none_or(sees));
        self.look.own.get(key).or_else(of_hall)
    }
}

impl Page {
    async fn serve(mut self, mut socket: WebSocket) {
        // The first tick is at once, the later ones are at the same moments for all pages.
        let mut looks = tokio::time::interval_at(self.admin.live.begin() + LOOK * self.tick(), LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut sent_at = None;
        let mut checked = Instant::now();
        loop {
            tokio::select! {
                message = socket.recv() => match message {
                    Some(Ok(message)) => self.hear(&message),
                    Some(Err(_)) | None => return,
                },
                _ = looks.tick() => {
                    if checked.elapsed() >= CHECK {
                        checked = Instant::now();
                        if !self.is_allowed().await {
                            let frame = CloseFrame { code: SESSION_ENDED, reason: "session ended".into() };
                            sent(&mut socket, Message::Close(Some(frame))).await;
                            return;
                        }
                    }
                    let beat = sent_at.is_none_or(|at: Instant| at.elapsed() >= BEAT);
                    let tick = sent_at.map(|_| self.tick());
                    let Some(text) = self.news(sent_at.is_none(), beat, tick).await else { continue };
                    sent_at = Some(Instant::now());
                    if !sent(&mut socket, Message::Text(text.into())).await {
                        return;
                    }
                }
            }
        }
    }

    fn hear(&mut self, message: &Message) {
        if let Message::Text(text) = message
            && let Ok(Wish { game }) = serde_json::from_str(text)
        {
            self.game = game;
        }
    }

    /// Whether the session goes on; the role may have changed.
    async fn is_allowed(&mut self) -> bool {
        let digest = self.session.0.digest();
        match self.admin.accounts(move |accounts, now| accounts.session(digest, now)).await {
            Ok(Some(who)) => {
                self.who = who;
                true
            }
            Ok(None) => false,
            // The accounts cannot be read at the moment: the page is needed now.
            Err(_) => true,
        }
    }

    /// The number of the present tick.
    fn tick(&self) -> u32 {
        let ticks = self.admin.live.begin().elapsed().as_millis() / LOOK.as_millis();
        u32::try_from(ticks).unwrap_or(u32::MAX)
    }

    /// The next message; none when there is nothing to say. Pages with the same tick share one state of the hall.
    async fn news(&mut self, whole: bool, beat: bool, tick: Option<u32>) -> Option<String> {
        let (admin, game) = (Arc::clone(&self.admin), self.game.clone());
        let mut look = blocking(move || admin.live.look(&admin, game.as_deref(), tick)).await.ok()?;
        let me = serde_json::json!({ "name": self.who.name, "role": self.who.role.as_str() });
        look.own.insert("me".into(), Entry::public(&me));
        let seen = Seen { look, who: self.who.clone() };
        let text = message(&self.admin, whole, beat, &self.shown, &seen);
        self.shown = seen;
        text
    }
}

/// What differs between two states, as a message.
fn message(admin: &Admin, whole: bool, beat: bool, before: &Seen, now: &Seen) -> Option<String> {
    let (own, mut fresh, mut gone) = (&now.look.own, Vec::new(), Vec::new());
    // Most looks find the hall as it was.
    if !Arc::ptr_eq(&before.look.hall, &now.look.hall) || before.who != now.who {
        fresh.extend(now.hall().filter(|(key, entry)| before.get(key) != Some(*entry)));
        gone.extend(before.hall().map(|(key, _)| key).filter(|key| now.get(key).is_none()));
    }
    fresh.extend(own.iter().filter(|(key, entry)| before.get(key) != Some(*entry)));
    gone.extend(before.look.own.keys().filter(|key| now.get(key).is_none()));
    if !beat && fresh.is_empty() && gone.is_empty() {
        return None;
    }
    let clock = admin.parts.hall_clock;
    let mut text = format!("{{\"at\":{},\"speed\":{},\"whole\":{whole},\"set\":{{", clock.now(), clock.speed());
    for (index, (key, entry)) in fresh.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}{}:{}", quoted(key), entry.json);
    }
    text.push_str("},\"gone\":[");
    for (index, key) in gone.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}{}", quoted(key));
    }
    text.push_str("]}");
    Some(text)
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
