//! Viewers who remember everything that they were ever told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::StreamExt;
use serde_json::Value;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::process::Recipe;

/// What the live feed told: stream and number to event.
pub(crate) type Told = BTreeMap<(String, u64), Value>;

/// Reads the live feed until `end`, coming back after every loss with what it saw last; panics when a number goes back, is
/// left out or comes again with another content.
pub(crate) async fn watch(address: std::net::SocketAddr, end: Arc<AtomicBool>) -> Told {
    let mut told = Told::new();
    let mut last: Option<(String, u64)> = None;
    while !end.load(Ordering::Relaxed) {
        let place = last.as_ref().map(|(stream, seq)| format!("?stream={stream}&since={seq}")).unwrap_or_default();
        let Ok((mut socket, _)) = connect_async(format!("ws://{address}/api/v1/live{place}")).await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        while let Some(Ok(message)) = socket.next().await {
            let Message::Text(text) = message else { continue };
            let frame: Value = serde_json::from_str(&text).unwrap();
            if let Some(place) = frame.get("snapshot").or(frame.get("resumed")) {
                let now = (place["stream"].as_str().unwrap().to_owned(), place["seq"].as_u64().unwrap());
                if let Some((stream, seq)) = &last {
                    assert!(now.0 != *stream || now.1 >= *seq, "the feed went back from {seq} to {now:?}");
                }
                last = Some(now);
            }
            for event in frame["events"].as_array().into_iter().flatten() {
                let (stream, before) = last.as_mut().expect("an event before any snapshot");
                let seq = event["seq"].as_u64().unwrap();
                assert_eq!(seq, *before + 1, "{event}");
                *before = seq;
                let earlier = told.insert((stream.clone(), seq), event.clone());
                assert!(earlier.is_none_or(|earlier| earlier == *event), "number {seq} came again as {event}");
            }
        }
    }
    told
}

/// Polls the live file until `end`; gives the longest line of each game that was ever told, and panics when a move that
/// was there is gone.
pub(crate) fn poll(recipe: Arc<Recipe>, end: Arc<AtomicBool>) -> JoinHandle<BTreeMap<String, Vec<String>>> {
    thread::spawn(move || {
        let mut told = BTreeMap::<String, Vec<String>>::new();
        while !end.load(Ordering::Relaxed) {
            for game in recipe.games("/live.pgn").unwrap_or_default() {
                let id = game.tags.get("GameId").unwrap().to_owned();
                let line: Vec<_> = game.line().map(|ply| ply.san.to_string()).collect();
                let known = told.entry(id).or_default();
                assert!(line.starts_with(known), "{line:?} after {known:?}");
                *known = line;
            }
            thread::sleep(Duration::from_millis(20));
        }
        told
    })
}
