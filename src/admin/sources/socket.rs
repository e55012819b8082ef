//! The socket of a source: a program sends positions of boards, one JSON object a message, and each message gets one answer.
//!
//! It takes what `POST .../boards/{board}` takes, without a request for each position. Must not know what becomes of a position.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::header::HeaderMap;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use serde_json::Value;
use tokio::time::{Instant, MissedTickBehavior};

use super::{refused, sources, take_position};
use crate::admin::api::sources::NewPosition;
use crate::admin::guard::{Session, authenticated, is_same_origin};
use crate::admin::reach::Reached;
use crate::admin::sending::sent;
use crate::admin::state::Admin;
use accounts::{Right, Who};
use public_web::problem::Problem;
use public_web::sent::At;

/// Sockets at once; each may carry any number of boards.
const MOST_SOCKETS: usize = 64;

/// Sockets of one account or key at once.
const MOST_OF_ONE: usize = 16;

/// Maximum size of a position in bytes.
const MOST_BYTES: usize = 1024;

/// Maximum size of a message in bytes that is read to its end, so that it can be answered.
const MOST_READ_BYTES: usize = 16 * 1024;

/// Wrong messages in a row after which the socket is closed.
const MOST_WRONG: u32 = 20;

/// Least time between two messages of a socket; a program that sends faster waits.
const PACE: Duration = Duration::from_millis(5);

/// The program is asked whether it is there, and its key whether it is still valid, this often.
const CHECK: Duration = Duration::from_secs(10);

/// A program of which nothing came for this long is gone: programs answer a ping by themselves.
const SILENCE: Duration = Duration::from_mins(1);

/// The places for sockets.
#[derive(Debug, Default)]
pub(in crate::admin) struct Places {
    taken: Mutex<BTreeMap<String, usize>>,
}

/// A place, given back when it is dropped.
struct Place {
    admin: Arc<Admin>,
    name: String,
}

impl Place {
    fn take(admin: &Arc<Admin>, name: &str) -> Option<Self> {
        let mut taken = admin.positions.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.values().sum::<usize>() >= MOST_SOCKETS || taken.get(name).is_some_and(|own| *own >= MOST_OF_ONE) {
            return None;
        }
        *taken.entry(name.to_owned()).or_default() += 1;
        Some(Self { admin: Arc::clone(admin), name: name.to_owned() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.admin.positions.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.name) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.name);
            }
        }
    }
}

/// Opens the socket of a source.
pub(in crate::admin) async fn follow(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Extension(reached): Extension<Reached>,
    session: Option<Extension<Session>>,
    At(name): At<String>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    // A cookie is also sent for a page of another site.
    if session.is_some() && !is_same_origin(&headers) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "Pages of other sites need a key: «Authorization: Bearer KEY».",
        ));
    }
    sources(&admin).takes_positions(&name).map_err(refused)?;
    let upgrade = upgrade.map_err(|_| {
        Problem::new(StatusCode::UPGRADE_REQUIRED, "This address speaks WebSocket, version 13, over HTTP/1.1.")
    })?;
    let place = Place::take(&admin, &who.name).ok_or_else(|| {
        let sentence =
            format!("Too many sockets: {MOST_OF_ONE} for a key, {MOST_SOCKETS} for all. One carries all boards.");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    })?;
    tracing::info!(source = name, who = %who.name, "a program sends positions over a socket");
    let upgrade = upgrade.max_message_size(MOST_READ_BYTES).max_frame_size(MOST_READ_BYTES);
    Ok(upgrade.on_upgrade(async move |socket| {
        let stop = admin.parts.stop.clone();
        let program = Program { admin, source: name, headers, reached, wrong: 0 };
        let _ = stop.run_until_cancelled(program.serve(socket)).await;
        drop(place);
    }))
}

/// The answer to a message: the board's serial number here, or why nothing was taken.
#[derive(Serialize)]
struct Answer {
    /// As the program counts them; none when the message has none that can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    serial: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// One program that sends positions.
struct Program {
    admin: Arc<Admin>,
    source: String,
    /// Those that opened the socket, with the key.
    headers: HeaderMap,
    reached: Reached,
    /// Wrong messages in a row.
    wrong: u32,
}

impl Program {
    async fn serve(mut self, mut socket: WebSocket) {
        let mut checks = tokio::time::interval(CHECK);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut received_at = Instant::now();
        loop {
            let answer = tokio::select! {
                message = socket.recv() => {
                    received_at = Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => self.take(&text).await,
                        Some(Ok(Message::Binary(_))) => self.answer(None, Err("Send positions as text.".to_owned())),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    }
                }
                _ = checks.tick() => {
                    if received_at.elapsed() >= SILENCE {
                        return;
                    }
                    if !self.is_allowed().await {
                        return close(socket, "The key or the session has ended.".into()).await;
                    }
                    if !sent(&mut socket, Message::Ping(Vec::new().into())).await {
                        return;
                    }
                    continue;
                }
            };
            if !sent(&mut socket, Message::text(answer)).await {
                return;
            }
            if self.wrong >= MOST_WRONG {
                return close(socket, "Too many wrong messages in a row.".into()).await;
            }
            tokio::time::sleep(PACE).await;
        }
    }

    /// Carries out one message.
    async fn take(&mut self, text: &str) -> String {
        let (board, position) = match read(text) {
            Ok(read) => read,
            Err((board, sentence)) => return self.answer(board, Err(sentence)),
        };
        let taken = take_position(&self.admin, &self.source, board, &position).await;
        self.answer(Some(board), taken.map_err(|refusal| refusal.coded().to_string()))
    }

    fn answer(&mut self, board: Option<u32>, taken: Result<String, String>) -> String {
        let (serial, error) = match taken {
            Ok(serial) => (Some(serial), None),
            Err(sentence) => (None, Some(sentence)),
        };
        self.wrong = if error.is_some() { self.wrong + 1 } else { 0 };
        // A struct of texts and numbers always has a JSON form.
        serde_json::to_string(&Answer { board, serial, error }).unwrap_or_default()
    }

    /// Whether what opened the socket is still valid.
    async fn is_allowed(&self) -> bool {
        match authenticated(&self.admin, &Method::GET, &self.headers, self.reached).await {
            Ok(who) => who.may(Right::Feed),
            // The accounts cannot be read at the moment: the games go on.
            Err(problem) => problem.into_response().status() != StatusCode::UNAUTHORIZED,
        }
    }
}

/// The board and the position of a message; else the board, if it can be read, and a sentence.
fn read(text: &str) -> Result<(u32, NewPosition), (Option<u32>, String)> {
    if text.len() > MOST_BYTES {
        return Err((None, format!("A message has at most {MOST_BYTES} bytes.")));
    }
    let Ok(Value::Object(mut fields)) = serde_json::from_str(text) else {
        return Err((None, r#"Send a JSON object: {"board": 7, "fen": "..."}."#.to_owned()));
    };
    let board = fields.remove("board").and_then(|board| board.as_u64()).and_then(|board| u32::try_from(board).ok());
    let Some(board) = board else {
        return Err((None, "Give the number of the board at the source as «board».".to_owned()));
    };
    let position = serde_json::from_value(Value::Object(fields));
    let position = position.map_err(|error| (Some(board), format!("The position cannot be read: {error}.")))?;
    Ok((board, position))
}

async fn close(mut socket: WebSocket, reason: Utf8Bytes) {
    sent(&mut socket, Message::Close(Some(CloseFrame { code: close_code::POLICY, reason }))).await;
}
