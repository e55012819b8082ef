//! What was recorded live is what a replay of the captures gives, to the byte, and what the live feed told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use board_sim::{Faults, Games, HallOptions, Style};
use chrono::{Local, TimeZone};
use futures_util::StreamExt;
use game_core::capture::{Capture, read_capture};
use game_core::event::{Author, Event, Evidence, Record};
use game_core::replay::{Replay, replay};
use game_core::time::Timestamp;
use hall_clock::{HallClock, UtcMs};
use journal::Reader;
use journal::{Committed, RecordedEvent};
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
            let Message::Text(text) = message else { continue };
            let mut frame: Value = serde_json::from_str(&text).unwrap();
            match frame["events"].take() {
                Value::Array(events) => frames.extend(events),
                _ if frame.get("heartbeat").is_some() => {}
                _ => frames.push(frame),
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

/// Ten minutes before midnight at the venue.
fn late_in_the_evening() -> UtcMs {
    Local.with_ymd_and_hms(2026, 11, 20, 23, 50, 0).unwrap().timestamp_millis().try_into().unwrap()
}

/// An event as a line of text, with its time in UTC.
fn line(t: UtcMs, event: Event, author: Author, evidence: Evidence) -> String {
    serde_json::to_string(&Record { t: Timestamp::from_ms(t), event, author, evidence }).unwrap()
}

/// What the journal holds of each game, but for the tags, which the tournament gives.
fn recorded(data: &Path) -> BTreeMap<String, Vec<String>> {
    let mut games: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for entry in Reader::open_in(data).unwrap().past().unwrap().entries.iter().filter_map(Committed::game) {
        let RecordedEvent { at, game, author, evidence, event, .. } = (**entry).clone();
        if !matches!(event, Event::Tags { .. }) {
            games.entry(game.game.to_string()).or_default().push(line(at, event, author, evidence));
        }
    }
    games
}

/// What a replay gives, likewise.
fn lines(replay: &Replay) -> Vec<String> {
    let lines = replay.records.iter().cloned().map(|(started, Record { t, event, author, evidence })| {
        line(started + t.as_ms(), event.shifted(started), author, evidence)
    });
    lines.collect()
}

/// The captures of one board by the number of its table, in the order of their days.
fn by_table(files: &[PathBuf]) -> BTreeMap<usize, Vec<Capture>> {
    let mut boards: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for file in files {
        let capture = read_capture(&std::fs::read(file).unwrap());
        assert!(capture.errors.is_empty(), "{}: {:?}", file.display(), capture.errors);
        boards.entry(file.parent().unwrap()).or_default().push(capture);
    }
    (1..).zip(boards.into_values()).collect()
}

/// Games, faults on the lines, and midnight in the middle of them.
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
    let speed = options.speed;
    let daemon =
        Daemon::start_with(options, |settings| settings.clock = HallClock::start_at(late_in_the_evening(), speed))
            .await;
    daemon.hall.start();
    let watching = witness(format!("ws://{}/api/v1/live", daemon.address));
    assert!(daemon.hall.wait_until_done(PATIENCE));
    let plies: usize = daemon.hall.played().iter().map(|played| played.game.line().count()).sum();
    let folder = daemon.stop().await;

    let frames = watching.await.unwrap();
    assert!(frames[0]["snapshot"].is_object(), "{}", frames[0]);
    let numbers: Vec<_> = frames[1..].iter().map(|frame| frame["seq"].as_u64().unwrap()).collect();
    assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "sequence numbers with gaps");
    let seen = moves_by_game(frames[1..].iter());

    let recorded = recorded(&folder.path().join("data"));
    let boards = by_table(&captures(folder.path()));
    assert_eq!(boards.len(), 16);
    assert!(boards.values().any(|days| days.len() > 1), "midnight was not reached");
    let mut replayed = 0;
    for (table, days) in boards {
        let whole = replay(&days);
        assert!(!whole.commands_differ, "table {table}");
        let retracted = whole.records.iter().filter(|(_, r)| matches!(r.event, Event::Retract { .. })).count();
        assert!(retracted <= 1, "table {table}: {retracted} times a published move was taken back");
        let game = format!("rehearsal-1-{table}");
        assert_eq!(lines(&whole), recorded[&game], "table {table}");
        assert_eq!(lines(&replay(&days[..1])), recorded[&game], "table {table}: midnight cut its game in two");
        let [game_again] = &whole.games()[..] else { panic!("table {table}: not one game") };
        let sans: Vec<_> = game_again.moves().iter().map(|mv| mv.san.to_string()).collect();
        assert_eq!(seen[&game], sans, "table {table}");
        replayed += sans.len();
    }
    assert!(replayed * 10 > plies * 8, "only {replayed} of {plies} plies survived the faults");
    println!("{replayed} of {plies} plies");
}
