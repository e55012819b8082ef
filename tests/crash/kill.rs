//! Killed at random instants, the daemon loses nothing that anybody was told, and every game ends as it was played.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use board_sim::hall::PlayedGame;
use board_sim::{Games, Hall, HallOptions, Link};
use boardcast::store::Reader;
use boardcast::tournament::serial_order;
use game_core::event::Event;

use crate::process::{PATIENCE, Recipe, boardcast, wait_for};
use crate::witness::{Told, poll, watch};

const BOARDS: usize = 16;

/// Hall seconds a second.
const SPEED: f64 = 50.0;

/// Kills in one hall.
const KILLS: u32 = 4;

/// A hall with its pairings, not started yet.
fn furnish(folder: &Path, seed: u64) -> Hall {
    let hall = Hall::new(HallOptions {
        boards: BOARDS,
        speed: SPEED,
        seed,
        link: Link::Pty { folder: folder.join("ports") },
        games: Games::Random,
        rounds_per_board: 1,
        rotated: true,
        ..HallOptions::default()
    })
    .unwrap();
    let mut boards: Vec<_> = hall.schedule().iter().collect();
    boards.sort_by_key(|board| serial_order(&board.serial));
    let pairing = |tags: &notation::pgn::Tags| {
        let tag = |name| tags.get(name).unwrap_or("?");
        format!("[Event \"Crash\"]\n[Round \"1\"]\n[White \"{}\"]\n[Black \"{}\"]\n\n*\n\n", tag("White"), tag("Black"))
    };
    let pairings: String = boards.iter().map(|board| pairing(&board.games[0])).collect();
    std::fs::write(folder.join("pairings.pgn"), pairings).unwrap();
    hall
}

/// All tables at once: play stops, or goes on.
fn all_tables(hall: &Hall, order: impl Fn(&Hall, usize) + Sync) {
    thread::scope(|tables| {
        for board in 0..BOARDS {
            let order = &order;
            tables.spawn(move || order(hall, board));
        }
    });
}

/// How often each board was asked for a dump of its position.
fn dumps(hall: &Hall) -> Vec<u64> {
    hall.boards().iter().map(|board| board.heard.count(0x42)).collect()
}

/// Waits until every board was asked for its position since then.
fn wait_until_followed(hall: &Hall, since: &[u64]) {
    let followed = |hall: &Hall| dumps(hall).iter().zip(since).all(|(now, before)| now > before);
    assert!(hall.wait_until(PATIENCE, followed), "some boards are not followed again");
}

fn lines(played: &[PlayedGame]) -> BTreeMap<String, Vec<String>> {
    let mut played: Vec<_> = played.iter().collect();
    played.sort_by_key(|game| serial_order(&game.serial));
    let lines = played.into_iter().zip(1..).map(|(played, table)| {
        (format!("crash-1-{table}"), played.game.line().map(|ply| ply.san.to_string()).collect())
    });
    lines.collect()
}

fn told_lines(recipe: &Recipe) -> BTreeMap<String, Vec<String>> {
    let games = recipe.games("/pgn/crash/all.pgn").unwrap_or_default().into_iter();
    let line = |game: notation::pgn::Game| {
        let id = game.tags.get("GameId").unwrap().to_owned();
        (id, game.line().map(|ply| ply.san.to_string()).collect())
    };
    games.map(line).collect()
}

/// What the feed told is what the journal holds under those numbers.
fn compare_with_journal(told: &Told, data: &Path, games: &BTreeMap<String, Vec<String>>) {
    let reader = Reader::open_in(data).unwrap();
    let mut journal = BTreeMap::new();
    for id in games.keys() {
        for entry in reader.game(id).unwrap().unwrap().entries {
            journal.extend(entry.seq.map(|seq| (seq, entry)));
        }
    }
    assert!(journal.keys().copied().eq(1..=journal.len() as u64), "numbers with gaps in the journal");
    let mut moves = 0;
    for ((stream, seq), frame) in told {
        assert!(stream.starts_with("crash/1/"), "{stream}");
        let entry = &journal[seq];
        assert_eq!(frame["game"], *entry.draft.game.game, "{frame}");
        assert_eq!(frame["at"], entry.draft.at, "{frame}");
        if let Event::Move { ply, san, .. } = &entry.draft.event {
            assert_eq!((&frame["event"], &frame["san"]), (&"move".into(), &san.as_str().into()), "{frame}");
            assert_eq!(frame["ply"], *ply);
            moves += 1;
        } else {
            assert_ne!(frame["event"], "move", "{frame}");
        }
    }
    assert!(moves > BOARDS, "the witness saw only {moves} moves");
}

fn one_hall(seed: u64, kills: u32) {
    println!("seed {seed}");
    let folder = tempfile::tempdir().unwrap();
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut hall = furnish(folder.path(), seed);
    let recipe = Arc::new(Recipe::new(folder.path()));
    let mut daemon = recipe.start();
    recipe.wait_until_ready();

    let end = Arc::new(AtomicBool::new(false));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let watching = runtime.spawn(watch(recipe.address, Arc::clone(&end)));
    let polling = poll(Arc::clone(&recipe), Arc::clone(&end));

    hall.start();
    assert!(hall.wait_until(PATIENCE, |hall| hall.boards().iter().all(|board| board.plies > 0)), "play does not begin");
    for kill in 1..=kills {
        thread::sleep(Duration::from_millis(rng.u64(0..1200)));
        daemon.kill();
        all_tables(&hall, |hall, board| hall.pause(board).unwrap());
        let plies: u64 = hall.boards().iter().map(|board| board.plies).sum();
        println!("kill {kill} after {plies} plies");
        let before = dumps(&hall);
        daemon = recipe.start();
        wait_until_followed(&hall, &before);
        all_tables(&hall, |hall, board| hall.resume(board).unwrap());
    }
    assert!(hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    let played = lines(&hall.played());
    wait_for("every game is told as it was played", || told_lines(&recipe) == played);
    end.store(true, Ordering::Relaxed);
    daemon.kill();

    for (id, polled) in polling.join().unwrap() {
        assert!(played[&id].starts_with(&polled), "{id}: {polled:?}");
    }
    let told = runtime.block_on(watching).unwrap();
    compare_with_journal(&told, &recipe.data, &played);
    let check = boardcast().arg("check").arg("--data").arg(&recipe.data).output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));

    let _daemon = recipe.start();
    recipe.wait_until_ready();
    assert_eq!(told_lines(&recipe), played, "another start tells other games");
    assert!(hall.boards().iter().all(|board| board.heard.forbidden.is_empty()), "a forbidden command was sent");
    hall.stop();
}

#[test]
fn killed_at_random_instants_the_daemon_loses_nothing_that_was_told() {
    let full = std::env::var("BOARDCAST_CAMPAIGN").is_ok_and(|campaign| campaign == "full");
    let seed = fastrand::u64(..1_000_000);
    for hall in 0..if full { 200 / KILLS } else { 1 } {
        one_hall(seed + u64::from(hall), KILLS);
    }
}
