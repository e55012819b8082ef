//! A hall that pushes to a stand-in Lichess, which is down for a while, over a restart of the daemon.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, HeaderMap};
use axum::response::IntoResponse;
use axum::routing::post;
use board_sim::HallOptions;
use serde_json::json;

use crate::daemon::{Daemon, PATIENCE};
use crate::published::{Published, published};

/// Pushes that it refuses with faults of all kinds.
const FAULTS: usize = 4;

/// What it got: pushes, and the last text of each game by its id.
#[derive(Default)]
struct Lichess {
    pushes: AtomicUsize,
    games: Mutex<BTreeMap<String, Published>>,
}

async fn push(State(lichess): State<Arc<Lichess>>, headers: HeaderMap, body: String) -> impl IntoResponse {
    assert_eq!(headers[AUTHORIZATION], "Bearer lip_hall");
    let pushes = lichess.pushes.fetch_add(1, Ordering::SeqCst);
    let fault = match pushes {
        // The first push is taken, and then Lichess has trouble.
        1 => Some((StatusCode::BAD_GATEWAY, "<html>")),
        2 => Some((StatusCode::OK, "<html>maintenance</html>")),
        3 => Some((StatusCode::FOUND, "")),
        4 => Some((StatusCode::INTERNAL_SERVER_ERROR, "")),
        _ => None,
    };
    if let Some((status, text)) = fault {
        return (status, text.to_owned());
    }
    let games = published(&body);
    let lines: Vec<_> = games.iter().map(|game| json!({ "tags": {}, "moves": game.sans.len() })).collect();
    let ids: Vec<_> = games.iter().map(|game| game.tag("GameId").to_owned()).collect();
    assert!(ids.iter().all(|id| !id.is_empty()), "every game has its id: {body}");
    lichess.games.lock().unwrap().extend(ids.into_iter().zip(games));
    (StatusCode::OK, json!({ "games": lines }).to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn lichess_has_every_game_as_it_was_played_whatever_happened_to_it() {
    let lichess = Arc::<Lichess>::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let site = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/api/broadcast/round/aB3dE6gH/push", post(push)).with_state(Arc::clone(&lichess));
    tokio::spawn(async move { axum::serve(listener, router).await });

    let output = format!(
        "[[output]]\nname = \"lichess\"\n[output.target.lichess]\nrounds = [\"aB3dE6gH\"]\ntoken = \"lip_hall\"\nsite = \"{site}\""
    );
    let config = boardcast::config::Config::parse(&output, std::path::Path::new("hall.toml")).unwrap();
    let options = HallOptions { boards: 3, speed: 80.0, seed: 17, rounds_per_board: 1, ..HallOptions::default() };
    let mut daemon = Daemon::start_with(options, |settings| settings.outputs = config.outputs).await;
    daemon.hall.start();
    let began = Instant::now();
    while lichess.pushes.load(Ordering::SeqCst) <= FAULTS {
        assert!(began.elapsed() < PATIENCE, "it does not try again");
        tokio::time::sleep(Duration::from_millis(50)).await;
        // What a person can do about a redirect, or a token that was refused.
        if lichess.pushes.load(Ordering::SeqCst) == 4 {
            daemon.restart().await;
            break;
        }
    }
    assert!(daemon.hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    let told = daemon.all_told().await;
    for (_, _, game) in &told {
        let id = game.tag("GameId");
        let began = Instant::now();
        loop {
            let there = lichess.games.lock().unwrap().get(id).cloned();
            if there.as_ref().is_some_and(|there| there.sans == game.sans && there.result == game.result) {
                break;
            }
            assert!(began.elapsed() < PATIENCE, "{id}: {there:?} is not {game:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    assert_eq!(told.len(), 3);
    daemon.stop().await;
}
