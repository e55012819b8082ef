//! A hall with a delay, watched from outside: nothing is public before its time.

use std::time::Duration;

use board_sim::HallOptions;
use game_core::event::Event;
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
