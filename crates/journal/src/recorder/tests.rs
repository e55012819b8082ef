//! What readers of the feed get, whatever becomes of the disk.

use game_core::event::{Author, Event, Evidence};
use tournament::GameRef;

use super::*;
use crate::entry::NewEvent;

fn draft(game: &str, event: Event) -> NewEvent {
    let game = GameRef { game: game.into(), event: "hall".into(), round: 1, table: 1 };
    NewEvent { at: 0, game, author: Author::Board, evidence: Evidence::Lever, event }
}

fn move_at(ply: u32) -> Event {
    Event::Move { ply, san: "Nf3".into(), uci: "g1f3".into(), clk_ms: None, emt_ms: None }
}

fn events(games: impl Into<Vec<NewEvent>>) -> Batch {
    Batch { games: games.into(), ..Batch::default() }
}

#[test]
fn a_late_reader_gets_everything_in_order_and_learns_the_end() {
    let (handle, feed, thread) = start(HallClock::start(1.0), Journal::in_memory().unwrap(), Vec::new()).unwrap();
    let other = handle.clone();
    for ply in 1..=50 {
        handle.record(events([draft("a", move_at(ply))]));
        other.record(events([draft("b", move_at(ply)), draft("b", Event::Resolved)]));
    }
    drop((handle, other));
    thread.join().unwrap();

    let mut reader = feed.read_from(0);
    let all = reader.next_entries().unwrap();
    assert!(all.iter().map(Committed::number).eq(0..150));
    let plies: Vec<_> = all
        .iter()
        .filter_map(Committed::game)
        .filter(|entry| &*entry.game.game == "b")
        .filter_map(|entry| match entry.event {
            Event::Move { ply, .. } => Some(ply),
            _ => None,
        })
        .collect();
    assert!(plies.into_iter().eq(1..=50), "one owner's events keep their order");
    assert!(reader.next_entries().is_none());

    let tail = feed.read_from(140).next_entries().unwrap();
    assert_eq!(tail.first().map(Committed::number), Some(140));
    assert!(feed.read_from(9_999).next_entries().is_none());
}

#[test]
fn a_reader_that_waits_is_woken_by_a_commit() {
    let (handle, feed, _) = start(HallClock::start(1.0), Journal::in_memory().unwrap(), Vec::new()).unwrap();
    let mut reader = feed.read_from(0);
    let waiting = thread::spawn(move || reader.next_entries());
    handle.record(events([draft("a", move_at(1))]));
    assert_eq!(waiting.join().unwrap().unwrap().len(), 1);
    assert_eq!(handle.backlog(), 0);
}

#[test]
fn while_the_disk_fails_nobody_waits_and_nothing_is_told_and_then_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.sqlite");
    let journal = Journal::open(&path).unwrap();
    let (handle, feed, thread) = start(HallClock::start(1.0), journal, Vec::new()).unwrap();
    let mut reader = feed.read_from(0);
    handle.record(events([draft("a", move_at(1))]));
    assert_eq!(reader.next_entries().unwrap().len(), 1);

    // To the recorder, a disk that lets nobody write: another process that holds the database.
    let holder = rusqlite::Connection::open(&path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    for ply in 2..=40 {
        handle.record(events([draft("a", move_at(ply))]));
    }
    while !handle.is_failing() {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(handle.backlog() > 0);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert!(runtime.block_on(handle.is_alive()), "a disk that fails is no reason to restart: what waits would be lost");
    assert!(reader.ready_entries().is_empty(), "an event without its commit was told");

    holder.execute_batch("ROLLBACK").unwrap();
    let mut told = Vec::new();
    while told.len() < 39 {
        told.extend(reader.next_entries().unwrap());
    }
    let plies = told.iter().filter_map(Committed::game).map(|entry| match entry.event {
        Event::Move { ply, .. } => ply,
        _ => 0,
    });
    assert!(plies.eq(2..=40), "{told:?}");
    assert!(told.iter().map(Committed::number).eq(1..40));
    assert_eq!((handle.backlog(), handle.is_failing()), (0, false));
    drop(handle);
    thread.join().unwrap();
}

#[test]
fn nothing_is_told_while_the_folder_is_gone_and_all_of_it_once_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let (data, aside) = (folder.path().join("data"), folder.path().join("aside"));
    std::fs::create_dir(&data).unwrap();
    let journal = Journal::open(&data.join("journal.sqlite")).unwrap();
    let (handle, feed, thread) = start(HallClock::start(1.0), journal, Vec::new()).unwrap();
    let mut reader = feed.read_from(0);
    handle.record(events([draft("a", move_at(1))]));
    assert_eq!(reader.next_entries().unwrap().len(), 1);

    // SQLite goes on writing into the file that it has open, and reports no error.
    std::fs::rename(&data, &aside).unwrap();
    let mut durable = handle.record_durably(events([draft("a", move_at(2))]));
    while !handle.is_gone() {
        thread::sleep(Duration::from_millis(5));
    }
    handle.record(events([draft("a", move_at(3))]));
    assert_eq!((reader.ready_entries().len(), handle.backlog()), (0, 2));
    assert!(durable.try_recv().is_err(), "what is not durable was promised");

    std::fs::rename(&aside, &data).unwrap();
    assert!(reader.next_entries().unwrap().iter().map(Committed::number).eq(1..3));
    durable.blocking_recv().unwrap();
    assert!(!handle.is_gone());
    drop(handle);
    thread.join().unwrap();
    assert_eq!(crate::Reader::open_in(&data).unwrap().game("a").unwrap().unwrap().entries.len(), 3);
}

#[test]
fn earlier_entries_leave_memory_and_are_read_from_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(crate::FILE);
    let clock = HallClock::start(1.0);
    let long_ago: Vec<_> = (0..600).map(|ply| draft(["a", "b"][ply as usize % 2], move_at(ply))).collect();
    let mut journal = Journal::open(&path).unwrap();
    let mut past = journal.commit(1, &[events(long_ago)]).unwrap();
    // Games of archived rounds are not in the feed of a daemon that starts.
    past.retain(|entry| entry.game().is_some_and(|entry| &*entry.game.game == "a"));
    let (recorder, feed, thread) = start(clock, journal, past.clone()).unwrap();
    feed.read_earlier_with(Arc::new(crate::Reader::open(&path).unwrap()));
    let mut steady = feed.read_from(0);
    let mut all = Vec::new();
    for hundred in 0..300 {
        let of_game = |ply: u32| draft(["c", "d", "e"][ply as usize % 3], move_at(ply));
        recorder.record(events((hundred * 100..hundred * 100 + 100).map(of_game).collect::<Vec<_>>()));
        all.extend(steady.next_entries().unwrap());
    }
    while all.len() < past.len() + 30_000 {
        all.extend(steady.next_entries().unwrap());
    }
    drop(recorder);
    thread.join().unwrap();
    assert!(feed.stored_runs() > 40, "{}", feed.stored_runs());
    for number in (0..31_000).step_by(1_733) {
        let from: Vec<_> = all.iter().filter(|entry| entry.number() >= number).cloned().collect();
        assert!(feed.read_from(number).ready_entries() == from, "from {number}");
    }
    // To change entries, those in memory are unpacked; the others have changed in the journal.
    feed.log().write(|written| assert!(written.all().len() < 31_000));
    assert!(feed.read_from(0).ready_entries() == all);
}
