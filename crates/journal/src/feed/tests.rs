use game_core::event::{Author, Event, Evidence, Side};
use tournament::{Fact, GameRef, RoundState};

use super::*;
use crate::{RecordedEvent, RecordedFact};

/// An entry of any kind; every third number is missing, as after a start of the daemon.
fn entry(index: u64) -> Committed {
    let number = index + index / 2;
    let at = 1_795_176_000_000 + index * 733;
    if index % 50 == 7 {
        let fact = Fact::RoundState { section: "open".into(), round: 1, state: RoundState::Running };
        let by = Author::Operator("Ada".into());
        let fact = RecordedFact { number, committed_at: at, effective_at: at, by, reason: Some("late".into()), fact };
        return Committed::Hall(Arc::new(fact));
    }
    let event = match index % 6 {
        0 => Event::Move { ply: 7, san: "Qa1xb2+".into(), uci: "a1b2".into(), clk_ms: Some(index), emt_ms: None },
        1 => Event::Clock {
            white_ms: None,
            black_ms: Some(u64::MAX),
            running: None,
            flag: Some(Side::White),
            read_at: at,
        },
        2 => Event::Tags { tags: [("White".to_owned(), "Åkesson, \"Ida\"\n".to_owned())].into() },
        3 => Event::Unexplained { squares: vec!["e4".into(), "d5".into()] },
        4 => Event::Gap { after_ply: 3, fen: None },
        _ => Event::Retract { to_ply: 2 },
    };
    let table = index as u32 % 40;
    Committed::Game(Arc::new(RecordedEvent {
        number,
        committed_at: if index == 900 { at - 5_000 } else { at + 4 },
        // A correction has the instant of what it corrects.
        effective_at: if index.is_multiple_of(9) { at - 60_000 } else { at + 4 },
        step: number.saturating_sub(index % 3),
        at,
        game: GameRef { game: format!("open-1-{table}").into(), event: "open".into(), round: 1, table },
        author: if index.is_multiple_of(4) { Author::Rule("import".into()) } else { Author::Board },
        evidence: Evidence::Lever,
        event,
    }))
}

fn append(feed: &Feed, entries: std::ops::Range<u64>) {
    feed.log().write(|written| written.extend(entries.map(entry).collect()));
}

#[test]
fn packed_entries_are_read_as_they_were_from_every_place() {
    let feed = Feed::new((0..1_000).map(entry).collect());
    let mut steady = feed.read_from(0);
    assert_eq!(steady.ready_entries().len(), 1_000);
    append(&feed, 1_000..1_500);
    let log = feed.log();
    let mut behind = feed.read_from(0);
    while log.pack() {}
    let written = log.lock();
    let (packed, latest) = (written.packed_length, written.latest.len());
    drop(written);
    assert_eq!((packed, latest), (768, 732));
    assert_eq!(steady.ready_entries(), (1_000..1_500).map(entry).collect::<Vec<_>>());
    append(&feed, 1_500..1_501);
    assert_eq!(steady.next_entries().unwrap(), [entry(1_500)]);

    let all: Vec<_> = (0..1_501).map(entry).collect();
    assert_eq!(behind.ready_entries(), all);
    assert!(behind.ready_entries().is_empty());
    for number in (0..2_255).step_by(17) {
        let from: Vec<_> = all.iter().filter(|entry| entry.number() >= number).cloned().collect();
        assert_eq!(feed.read_from(number).ready_entries(), from, "{number}");
    }
    assert!(feed.read_from(u64::MAX).ready_entries().is_empty());
}

#[test]
fn packed_entries_can_be_changed() {
    let feed = Feed::new((0..1_000).map(entry).collect());
    let log = feed.log();
    while log.pack() {}
    assert!(log.lock().packed_length > 0);
    let mut steady = feed.read_from(entry(900).number());
    log.write(|written| written.all()[3] = entry(0));
    assert_eq!(log.lock().packed_length, 0);
    assert!(log.pack());
    assert_eq!(steady.ready_entries().len(), 100);
    let all = feed.read_from(0).ready_entries();
    assert_eq!((all.len(), &all[3], &all[4]), (1_000, &entry(0), &entry(4)));
}

#[test]
fn an_event_takes_few_bytes() {
    let moves = |index: u64| match entry(index) {
        Committed::Game(mut entry) => {
            let (index, clk_ms) = (index as usize, Some(5_400_000 - index * 1_357));
            let (san, uci) = [("Nf3", "g1f3"), ("exd5", "e4d5"), ("O-O", "e8g8"), ("Qh4+", "d8h4")][index % 4];
            let event = Event::Move { ply: index as u32, san: san.into(), uci: uci.into(), clk_ms, emt_ms: None };
            Arc::make_mut(&mut entry).event = event;
            Committed::Game(entry)
        }
        hall @ Committed::Hall(_) => hall,
    };
    let entries: Vec<_> = (0..RUN as u64).map(moves).collect();
    let bytes = Packed::of(&entries).unwrap().events.len();
    assert!(bytes < 40 * RUN, "{bytes}");
}
