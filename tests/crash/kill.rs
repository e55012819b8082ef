//! Killed at random instants, the daemon loses nothing that anybody was told, and every game ends as it was played.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use board_sim::Hall;
use game_core::capture::{CaptureLine, Entry, read_capture};
use game_core::event::Event;
use game_core::input::{Input, Notice};
use game_core::replay::replay;
use journal::{Reader, RecordedEvent};

use crate::hall::{furnish, lines, told_lines};
use crate::process::{PATIENCE, Recipe, boardcast, in_time};
use crate::witness::{Told, poll, watch};

const BOARDS: usize = 16;

/// How long the players look at the board before they go on. The daemon looks closely at what it did not see arise once
/// the board has been still for 0.7 s; moves made sooner add to what it has to guess.
const PONDERING: Duration = Duration::from_millis(1500);

/// Kills in one hall.
const KILLS: u32 = 3;

/// All tables at once are told something, while this happens.
fn all_tables(hall: &Hall, order: impl Fn(&Hall, usize) + Sync, meanwhile: impl FnOnce()) {
    thread::scope(|tables| {
        for board in 0..BOARDS {
            let order = &order;
            tables.spawn(move || order(hall, board));
        }
        meanwhile();
    });
}

/// How often each board was asked for a dump of its position.
fn dumps(hall: &Hall) -> Vec<u64> {
    hall.boards().iter().map(|board| board.host_commands.count(0x42)).collect()
}

/// Waits until every board was asked for its position since then.
fn wait_until_followed(hall: &Hall, since: &[u64]) {
    let followed = |hall: &Hall| dumps(hall).iter().zip(since).all(|(now, before)| now > before);
    assert!(hall.wait_until(PATIENCE, followed), "some boards are not followed again");
}

/// Every event of the feed is the one of the record with that number.
fn compare_with_journal(told: &Told, data: &Path, games: &BTreeMap<String, Vec<String>>) {
    let reader = Reader::open_in(data).unwrap();
    let mut record = BTreeMap::new();
    for id in games.keys() {
        record.extend(reader.game(id).unwrap().unwrap().entries.into_iter().map(|entry| (entry.number, entry)));
    }
    // The public numbers are the positions in the record; the tags that came with a start have none.
    let is_start = |number: u64, step: u64| {
        record.get(&number).is_some_and(|start| start.step == step && matches!(start.event, Event::GameStarted { .. }))
    };
    let with_start = |entry: &RecordedEvent| {
        matches!(entry.event, Event::Tags { .. }) && entry.number > 0 && is_start(entry.number - 1, entry.step)
    };
    let journal: BTreeMap<_, _> = (1..).zip(record.values().filter(|entry| !with_start(entry))).collect();
    let mut moves = 0;
    for ((stream, seq), frame) in told {
        assert!(stream.starts_with("crash/1/"), "{stream}");
        let entry = &journal[seq];
        assert_eq!(frame["game"], *entry.game.game, "{frame}");
        assert_eq!(frame["at"], entry.at, "{frame}");
        if let Event::Move { ply, san, .. } = &entry.event {
            assert_eq!((&frame["event"], &frame["san"]), (&"move".into(), &san.as_str().into()), "{frame}");
            assert_eq!(frame["ply"], *ply);
            moves += 1;
        } else {
            assert_ne!(frame["event"], "move", "{frame}");
        }
    }
    assert!(moves > BOARDS, "the witness saw only {moves} moves");
}

/// The captures give the same games again, and the daemon has gone on from them.
fn compare_with_captures(data: &Path, games: &BTreeMap<String, Vec<String>>) {
    let mut continued = 0;
    let mut again = BTreeMap::new();
    for board in std::fs::read_dir(data.join("captures")).unwrap() {
        let files = std::fs::read_dir(board.unwrap().path()).unwrap();
        let captures: Vec<_> = files.map(|file| read_capture(&std::fs::read(file.unwrap().path()).unwrap())).collect();
        let goes_on = |line: &&CaptureLine| matches!(&line.entry, Entry::In(Input::Notice(Notice::Resume(resume))) if resume.continued);
        continued += captures.iter().flat_map(|capture| &capture.lines).filter(goes_on).count();
        let replay = replay(&captures);
        let id = replay.games.iter().flatten().next_back().unwrap().to_string();
        let [game] = &replay.games()[..] else { panic!("{id} is not one game") };
        again.insert(id, game.moves().iter().map(|mv| mv.san.to_string()).collect::<Vec<_>>());
    }
    assert_eq!(&again, games, "the captures do not give the games that were told");
    assert!(continued > BOARDS, "only {continued} sessions went on");
}

fn one_hall(seed: u64, kills: u32) {
    println!("seed {seed}");
    let mut folder = tempfile::tempdir().unwrap();
    folder.disable_cleanup(std::env::var_os("BOARDCAST_KEEP").is_some());
    println!("in {}", folder.path().display());
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut hall = furnish(folder.path(), BOARDS, seed);
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
        thread::sleep(Duration::from_millis(rng.u64(0..2000)));
        // Play stops while nobody watches: of many moves that nobody saw, no dump could tell the order.
        let pause = |hall: &Hall, board| hall.pause(board).unwrap();
        all_tables(&hall, pause, || {
            thread::sleep(Duration::from_millis(rng.u64(0..30)));
            daemon.kill();
        });
        let plies: u64 = hall.boards().iter().map(|board| board.plies).sum();
        println!("kill {kill} after {plies} plies");
        let before = dumps(&hall);
        daemon = recipe.start();
        wait_until_followed(&hall, &before);
        thread::sleep(PONDERING);
        all_tables(&hall, |hall, board| hall.resume(board).unwrap(), || ());
    }
    assert!(hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    let played = lines(&hall.played());
    in_time(|| told_lines(&recipe) == played);
    assert_eq!(told_lines(&recipe), played, "games are not told as they were played");
    end.store(true, Ordering::Relaxed);
    daemon.kill();

    for (id, polled) in polling.join().unwrap() {
        assert!(played[&id].starts_with(&polled), "{id}: {polled:?}");
    }
    let told = runtime.block_on(watching).unwrap();
    compare_with_journal(&told, &recipe.data, &played);
    compare_with_captures(&recipe.data, &played);
    let check = boardcast().args(["check", "--listen", "127.0.0.1:0", "--data"]).arg(&recipe.data).output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));

    let _daemon = recipe.start();
    recipe.wait_until_ready();
    assert_eq!(told_lines(&recipe), played, "another start tells other games");
    assert!(hall.boards().iter().all(|board| board.host_commands.forbidden.is_empty()), "a forbidden command was sent");
    hall.stop();
}

#[test]
fn killed_at_random_instants_the_daemon_loses_nothing_that_was_told() {
    let full = std::env::var("BOARDCAST_CAMPAIGN").is_ok_and(|campaign| campaign == "full");
    let seed = std::env::var("BOARDCAST_SEED").ok().and_then(|seed| seed.parse().ok());
    // The usual run is the same each time; the campaign draws other halls.
    let seed = seed.unwrap_or_else(|| if full { fastrand::u64(..1_000_000) } else { 1 });
    for hall in 0..if full { 200_u32.div_ceil(KILLS) } else { 1 } {
        one_hall(seed + u64::from(hall), KILLS);
    }
}
