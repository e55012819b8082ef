//! One client of the e-board socket: its calls and their answers.
//!
//! Answers and feed messages leave in the order in which they were made, through one bounded queue. Must not know how moves
//! are reconstructed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Boards;
use super::feed::{self, Feed, Wish};
use super::wire::{self, Call};

/// Feeds of one client.
const MOST_FEEDS: usize = 64;

/// Messages that wait for a client that does not read; beyond that its feeds wait.
const QUEUE: usize = 16;

/// Calls that wait for a feed.
const WISHES: usize = 16;

/// Time in which a client has to take a message: one that reads nothing does not keep its place.
const SENDING: Duration = Duration::from_secs(20);

/// Serves one client until it leaves or the daemon stops.
pub(super) async fn serve(socket: WebSocket, boards: &Arc<Boards>) {
    // Also while the client takes nothing: the daemon waits for all that can ask its director.
    let _ = boards.stop.run_until_cancelled(follow(socket, boards)).await;
}

async fn follow(mut socket: WebSocket, boards: &Arc<Boards>) {
    let (out, mut queue) = mpsc::channel(QUEUE);
    let mut client = Client { boards: Arc::clone(boards), out, feeds: BTreeMap::new(), tasks: JoinSet::new() };
    loop {
        let sent = tokio::select! {
            Some(text) = queue.recv() => timeout(SENDING, socket.send(Message::text(text))).await,
            received = socket.recv() => match received {
                Some(Ok(Message::Text(text))) => timeout(SENDING, client.take(&mut socket, &text)).await,
                // Clients of this protocol send text only; pings are answered by the library.
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => break,
            },
        };
        if !matches!(sent, Ok(Ok(()))) {
            break;
        }
    }
}

struct Client {
    boards: Arc<Boards>,
    out: mpsc::Sender<String>,
    /// By the JSON text of the id that the client chose.
    feeds: BTreeMap<String, mpsc::Sender<Wish>>,
    /// Ends the feeds when the client leaves.
    tasks: JoinSet<()>,
}

/// `{"feed":"eboardevent","id":1,"param":{"serialnr":"23946"}}`
#[derive(Deserialize)]
struct Subscription {
    feed: String,
    id: Value,
    param: WhichBoard,
}

#[derive(Deserialize)]
struct WhichBoard {
    serialnr: Value,
}

/// `{"id":1,"method":"setup","param":{"fen":"..."}}`
#[derive(Deserialize)]
struct FeedCall {
    id: Value,
    #[serde(default)]
    method: String,
    #[serde(default)]
    param: FeedParam,
}

#[derive(Default, Deserialize)]
struct FeedParam {
    fen: Option<String>,
    flip: Option<bool>,
}

impl Client {
    /// Carries out one call. The answer leaves before anything that the call leads to.
    async fn take(&mut self, socket: &mut WebSocket, text: &str) -> Result<(), axum::Error> {
        let now = self.boards.clock.now();
        // Text that is no call has no id to answer to, and clients take any error as the end.
        let Ok(Call { name, id, param }) = serde_json::from_str::<Call>(text) else { return Ok(()) };
        let refuse = |message: &str| Message::text(wire::refusal(&id, message, now));
        let done = || Message::text(wire::answer(&id, &Value::Null, now));
        while self.tasks.try_join_next().is_some() {}
        match name.as_str() {
            "eboards" => socket.send(Message::text(wire::answer(&id, &self.boards.list(), now))).await,
            "subscribe" => match self.subscription(param) {
                Ok((key, feed)) => {
                    socket.send(done()).await?;
                    let (wishes, taken) = mpsc::channel(WISHES);
                    self.feeds.insert(key, wishes);
                    self.tasks.spawn(feed::run(feed, Arc::clone(&self.boards), taken));
                    Ok(())
                }
                Err(reason) => socket.send(refuse(&reason)).await,
            },
            "call" | "unsubscribe" => {
                let wish = match serde_json::from_value::<FeedCall>(param) {
                    Ok(wanted) => self.wish(&name, wanted),
                    Err(_) => Err("The call needs the id of a feed.".into()),
                };
                // The feed may itself wait for this client, so its answer is not waited for.
                match wish.map(|wish| wish.map(|(feed, wish)| feed.try_reserve_owned().map(|place| (place, wish)))) {
                    Ok(None) => socket.send(done()).await,
                    Ok(Some(Ok((place, wish)))) => {
                        socket.send(done()).await?;
                        place.send(wish);
                        Ok(())
                    }
                    Ok(Some(Err(_))) => socket.send(refuse("Too many calls at once: read the answers first.")).await,
                    Err(reason) => socket.send(refuse(&reason)).await,
                }
            }
            _ => socket.send(refuse("There is no such call: eboards, subscribe, call, unsubscribe.")).await,
        }
    }

    fn subscription(&self, param: Value) -> Result<(String, Feed), String> {
        let Subscription { feed, id, param } = serde_json::from_value(param)
            .map_err(|_| "A subscription needs feed, id and param.serialnr.".to_owned())?;
        if feed != "eboardevent" {
            return Err("There is no such feed; there is one: eboardevent.".into());
        }
        let serial = match &param.serialnr {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let Some(serial) = self.boards.registry().serial(&serial).filter(|serial| self.boards.shows(serial)) else {
            return Err("There is no such board, or its game is delayed.".into());
        };
        let key = id.to_string();
        if self.feeds.len() >= MOST_FEEDS && !self.feeds.contains_key(&key) {
            return Err(format!("A client may have {MOST_FEEDS} feeds."));
        }
        Ok((key, Feed { serial, id, out: self.out.clone() }))
    }

    /// The feed of a call and what it asks for; none when a feed has been ended.
    fn wish(&mut self, call: &str, wanted: FeedCall) -> Result<Option<(mpsc::Sender<Wish>, Wish)>, String> {
        let FeedCall { id, method, param } = wanted;
        let key = id.to_string();
        let feed = self.feeds.get(&key).cloned().ok_or("There is no feed with this id.")?;
        if call == "unsubscribe" || method == "unsubscribe" {
            self.feeds.remove(&key);
            return Ok(None);
        }
        let wish = match (method.as_str(), param.fen, param.flip) {
            ("setup", Some(fen), _) => Wish::set_up(&fen).map_err(|error| error.to_string())?,
            // A widespread client sends the wish to turn the board under the name of the other method.
            ("flip" | "setup", None, Some(flip)) => Wish::Flip(flip),
            _ => return Err("There is no such method, or its parameter is missing: setup (fen), flip (flip).".into()),
        };
        Ok(Some((feed, wish)))
    }
}
