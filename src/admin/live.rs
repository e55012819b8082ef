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

use self::entries::{Entries, Entry};
use super::alarms::seen_by;
use super::guard::{Session, is_same_origin};
use super::problem::AdminRefusal;
use super::sending::sent;
use super::state::{Admin, blocking};
use accounts::Who;
use public_web::problem::Problem;

/// Time between two looks at the hall for one page.
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
        let page = Page { admin, who, session, shown: Entries::new(), game: None };
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
    shown: Entries,
    /// The game whose moves it shows.
    game: Option<String>,
}

impl Page {
    async fn serve(mut self, mut socket: WebSocket) {
        let mut looks = tokio::time::interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
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
                    let Some(text) = self.news(sent_at.is_none(), beat).await else { continue };
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

    /// The next message; none when there is nothing to say.
    async fn news(&mut self, whole: bool, beat: bool) -> Option<String> {
        let (admin, game) = (Arc::clone(&self.admin), self.game.clone());
        let mut entries = blocking(move || admin.live.look(&admin, game.as_deref())).await.ok()?;
        let sees = seen_by(&self.who);
        entries.retain(|_, entry| entry.audience.is_none_or(&sees));
        let me = serde_json::json!({ "name": self.who.name, "role": self.who.role.as_str() });
        entries.insert("me".into(), Entry::public(&me));
        let text = message(&self.admin, whole, beat, &self.shown, &entries);
        self.shown = entries;
        text
    }
}

/// What differs between two states, as a message.
fn message(admin: &Admin, whole: bool, beat: bool, before: &Entries, now: &Entries) -> Option<String> {
    let fresh: Vec<_> = now.iter().filter(|(key, entry)| before.get(*key) != Some(*entry)).collect();
    let gone: Vec<_> = before.keys().filter(|key| !now.contains_key(*key)).collect();
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
