//! A hall with a delay, watched from outside: nothing is public before its time.

use std::time::Duration;

use board_sim::HallOptions;
use game_core::event::Event;
use hall_clock::HallClock;
use journal::Reader;
use tournament::Delay;

use crate::daemon::{Daemon, PATIENCE};

/// Ten minutes.
const DELAY_MS: u64 = 600_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_delayed_round_is_never_public_early() {
    let options = HallOptions { boards: 2, speed: 120.0, seed: 5, rounds_per_board: 1, ..HallOptions::default() };
    let mut clock = None;
    let daemon = Daemon::start_with(options, |settings| {
        settings.initial.settings.delay = Some(Delay::Seconds(600));
        clock = Some(settings.clock);
    })
    .await;
    let clock = clock.unwrap();
    daemon.hall.start();
    let (began, mut seen) = (std::time::Instant::now(), Vec::new());
    let mut most = 0;
    while most < 20 {
        for table in 1..=2 {
            let path = format!("/api/v1/games/rehearsal-1-{table}");
            let (status, text) = daemon.get(&path);
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            if status == 200 {
                let plies = json["moves"].as_array().unwrap().len();
                most = most.max(plies);
                seen.push((table, clock.now(), plies, json["state"].as_str().unwrap().to_owned()));
            }
        }
        assert!(began.elapsed() < PATIENCE, "no game comes out: {seen:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let folder = daemon.stop().await;
    let reader = Reader::open_in(&folder.path().join("data")).unwrap();
    let mut held_back = 0;
    for (table, at, plies, state) in seen {
        let game = reader.game(&format!("rehearsal-1-{table}")).unwrap().unwrap();
        let recorded = |by: u64, wanted: fn(&Event) -> bool| {
            game.entries.iter().filter(|entry| entry.committed_at <= by && wanted(&entry.event)).count()
        };
        let by = at.saturating_sub(DELAY_MS);
        assert!(
            plies <= recorded(by, |event| matches!(event, Event::Move { .. })),
            "table {table} shows {plies} plies early"
        );
        let started = recorded(by, |event| matches!(event, Event::GameStarted { .. })) > 0;
        assert!(started || state == "paired", "table {table} is {state} before its start may be known");
        held_back += usize::from(recorded(at, |event| matches!(event, Event::Move { .. })) > plies);
    }
    assert!(held_back > 0, "something was held back while it was watched");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_that_is_given_to_the_hall_releases_nothing_early() {
    const SPEED: f64 = 120.0;
    const HOUR: Duration = Duration::from_hours(1);
    let options = HallOptions { boards: 2, speed: SPEED, seed: 5, rounds_per_board: 1, ..HallOptions::default() };
    let mut daemon = Daemon::start_with(options, |settings| {
        settings.initial.settings.delay = Some(Delay::Seconds(3600));
        // A computer without a clock begins in 1970.
        settings.clock = HallClock::start_at(1_000_000, SPEED);
    })
    .await;
    let began = std::time::Instant::now();
    daemon.hall.start();
    let recorded = |daemon: &Daemon| {
        let reader = Reader::open_in(&daemon.folder.path().join("data")).unwrap();
        let game = reader.game("rehearsal-1-1").ok().flatten();
        game.is_some_and(|game| game.entries.iter().any(|entry| matches!(entry.event, Event::Move { .. })))
    };
    while !recorded(&daemon) {
        assert!(began.elapsed() < PATIENCE, "no move is recorded");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    daemon.restart_with(|settings| settings.clock = HallClock::start_at(1_795_000_000_000, SPEED)).await;
    let mut looked = 0;
    loop {
        let moves = (1..=2)
            .map(|table| daemon.get(&format!("/api/v1/games/rehearsal-1-{table}")))
            .filter(|(_, text)| text.contains("\"san\""))
            .count();
        let elapsed = began.elapsed().mul_f64(SPEED);
        if elapsed > HOUR {
            break;
        }
        assert_eq!(moves, 0, "moves are public after {elapsed:?} of play");
        looked += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(looked > 0, "the machine was too slow to look");
    // Elapsed time goes on to count over the restart.
    while !daemon.get("/api/v1/games/rehearsal-1-1").1.contains("\"san\"") {
        assert!(began.elapsed() < PATIENCE, "the game never comes out");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    daemon.stop().await;
}
