//! What was recorded live is what a replay of the captures gives, and what the live feed told.

use std::collections::BTreeMap;

use board_sim::{Faults, Games, HallOptions, Style};
use futures_util::StreamExt;
use game_core::capture::read_capture;
use game_core::event::Event;
use game_core::replay::replay;
use serde_json::Value;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::daemon::{Daemon, PATIENCE, captures};

/// Reads a feed until it is dropped; gives every frame.
fn witness(address: String) -> tokio::task::JoinHandle<Vec<Value>> {
    tokio::spawn(async move {
        let (mut socket, _) = connect_async(address).await.unwrap();
        let mut frames = Vec::new();
        while let Some(Ok(message)) = socket.next().await {
            if let Message::Text(text) = message {
                frames.push(serde_json::from_str(&text).unwrap());
            }
        }
        frames
    })
}

fn moves_by_game<'a>(events: impl Iterator<Item = &'a Value>) -> BTreeMap<String, Vec<String>> {
    let mut games: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for event in events {
        let game = games.entry(event["game"].as_str().unwrap().to_owned()).or_default();
        match event["event"].as_str().unwrap() {
            "move" => {
                assert_eq!(event["ply"].as_u64().unwrap() as usize, game.len() + 1, "{event}");
                game.push(event["san"].as_str().unwrap().to_owned());
            }
            "retract" => game.truncate(event["to_ply"].as_u64().unwrap() as usize),
            _ => {}
        }
    }
    games
}

#[tokio::test(flavor = "multi_thread")]
async fn with_faults_on_the_lines_the_captures_and_the_feed_tell_what_was_recorded() {
    let options = HallOptions {
        boards: 16,
        speed: 25.0,
        seed: 99,
        style: Style::Human,
        faults: Faults::Some,
        games: Games::Random,
        rounds_per_board: 1,
        rotated: true,
        ..HallOptions::default()
    };
    let daemon = Daemon::start(options).await;
    let watching = witness(format!("ws://{}/api/v1/live", daemon.address));
    assert!(daemon.hall.wait_until_done(PATIENCE));
    let plies: usize = daemon.hall.played().iter().map(|played| played.game.line.len()).sum();
    let folder = daemon.stop().await;

    let frames = watching.await.unwrap();
    assert!(frames[0]["snapshot"].is_object(), "{}", frames[0]);
    let numbers: Vec<_> = frames[1..].iter().map(|frame| frame["seq"].as_u64().unwrap()).collect();
    assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "sequence numbers with gaps");
    let seen = moves_by_game(frames[1..].iter());

    let files = captures(folder.path());
    assert_eq!(files.len(), 16);
    let mut replayed = 0;
    for (table, file) in (1..).zip(&files) {
        let capture = read_capture(&std::fs::read(file).unwrap());
        assert!(capture.errors.is_empty(), "{}: {:?}", file.display(), capture.errors);
        let replay = replay(&[capture]);
        assert!(!replay.commands_differ, "{}", file.display());
        let retracted = replay.records.iter().filter(|(_, r)| matches!(r.event, Event::Retract { .. })).count();
        assert!(retracted <= 1, "{}: {retracted} times a published move was taken back", file.display());
        let games = replay.games();
        let sans: Vec<_> = games.iter().flat_map(game_core::game::Game::moves).map(|mv| mv.san.clone()).collect();
        assert_eq!(games.len(), 1, "{}", file.display());
        assert_eq!(seen[&format!("rehearsal-1-{table}")], sans, "{}", file.display());
        replayed += sans.len();
    }
    assert!(replayed * 10 > plies * 8, "only {replayed} of {plies} plies survived the faults");
    println!("{replayed} of {plies} plies");
}
