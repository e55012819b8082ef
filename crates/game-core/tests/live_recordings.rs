//! Pieces of a hall whose daemon was killed and whose cables were pulled: the record goes on to the end of each, and no ply that
//! was public is rewritten. They are not part of the project; the test prints that it skips them where they are missing.

#[path = "support/recordings.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod recordings;

use std::collections::BTreeMap;

use game_core::capture::{Entry, read_capture};
use game_core::event::Event;
use game_core::input::{Input, Notice};
use game_core::replay::replay;
use recordings::shared;
use serde_json::Value;

const NAMES: [&str; 13] = [
    "game-ended-new-id",
    "king-dance-invented",
    "log-moves-rewritten",
    "order-guessed",
    "order-guessed-log-not-asked",
    "order-guessed-with-log",
    "result-kings-missed",
    "right-plies-rewritten",
    "stuck-8-unseen-plies",
    "stuck-after-log-1",
    "stuck-after-log-2",
    "stuck-after-log-3",
    "stuck-after-log-4",
];

/// Pieces whose plies are told rightly to the end, with the gaps that the record has.
const RIGHT: usize = 10;

#[test]
fn the_record_goes_on_to_the_end_and_public_plies_stay() {
    let (mut right, mut told) = (0, Vec::new());
    for name in NAMES {
        let of = |ending| shared(&format!("captures/told-wrongly/live/{name}.{ending}"));
        let (Some(capture), Some(expected)) = (of("capture"), of("expected.json")) else { return };
        let capture = read_capture(&capture);
        let resumed = capture.lines.iter().find_map(|line| match &line.entry {
            Entry::In(Input::Notice(Notice::Resume(resume))) if !resume.moves.is_empty() => Some(resume.clone()),
            _ => None,
        });
        let public = resumed.map_or(0, |resume| resume.moves.len());
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let played: Vec<String> =
            expected["moves_of_the_whole_game"].as_str().unwrap().split_whitespace().map(str::to_owned).collect();
        let replay = replay(&[capture]);
        let events: Vec<_> = replay.records.iter().map(|(_, record)| &record.event).collect();
        let mut sans: Vec<String> = played.iter().take(public).cloned().collect();
        let (mut gaps, mut rewritten) = (0, 0);
        for event in &events {
            match event {
                Event::Move { san, .. } => sans.push(san.clone()),
                Event::Retract { to_ply } => {
                    rewritten += usize::from((*to_ply as usize) < public);
                    sans.truncate(*to_ply as usize);
                }
                Event::Gap { .. } => gaps += 1,
                Event::GameStarted { .. } => sans.clear(),
                _ => {}
            }
        }
        assert_eq!(rewritten, 0, "{name}: plies that were public are taken back");
        let exact = gaps == 0 && played.starts_with(&sans) && sans.len() > public;
        right += usize::from(exact || gaps > 0 && sans.len() > public + 4);
        told.push(format!(
            "{name}: from ply {public} to {} of {}, {gaps} gaps, {rewritten} rewritten, exact {exact}",
            sans.len(),
            played.len()
        ));
    }
    println!("{}", told.join("\n"));
    assert!(right >= RIGHT, "{right} go on rightly\n{}", told.join("\n"));
}

/// A simulated game of blitz whose daemon was killed twelve times, recorded as it played on: a gap follows a gap, and at one of
/// them a pawn is taken by a pawn that goes on at once.
#[test]
fn a_board_with_a_log_loses_nothing_in_a_hall_that_is_killed_in_blitz() {
    const PLAYED: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 Qxb5 Rb8 Qa4 Bb6 \
        Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#";
    let capture = read_capture(include_bytes!("../../../tests/captures/killed-in-blitz.capture"));
    assert!(capture.errors.is_empty(), "{:?}", capture.errors);
    let replay = replay(&[capture]);
    let played: Vec<String> = PLAYED.split_whitespace().map(str::to_owned).collect();
    let (mut sans, mut later) = (Vec::new(), 0);
    for (_, record) in &replay.records {
        match &record.event {
            // Each piece of the recording begins with what the daemon of the recording had told before it was killed.
            Event::Move { ply, san, .. } => {
                let before = *ply as usize - 1;
                later += before.saturating_sub(sans.len());
                sans.extend(played.iter().take(before).skip(sans.len()).cloned());
                sans.truncate(before);
                sans.push(san.clone());
            }
            Event::Retract { to_ply } => sans.truncate(*to_ply as usize),
            Event::Gap { after_ply, .. } => panic!("a gap after ply {after_ply}"),
            _ => {}
        }
    }
    assert_eq!(sans, played);
    // 6. d4 stands and is pressed, and its reply has begun when the daemon is killed.
    assert!(later <= 1, "{later} plies are told later than in the recording");
}

/// A simulated game whose board sends its log twice, each time after the daemon was killed: the first log told the times of another
/// line than the one that was played.
#[test]
fn a_second_log_leaves_no_time_of_the_first_one() {
    const PRESSED: [u64; 36] = [
        181, 180, 180, 180, 181, 179, 181, 179, 181, 178, 181, 178, 180, 179, 181, 178, 181, 178, 180, 178, 181, 178,
        180, 177, 179, 176, 180, 176, 180, 175, 180, 175, 180, 175, 181, 175,
    ];
    let capture = read_capture(include_bytes!("../../../tests/captures/log-after-log.capture"));
    assert!(capture.errors.is_empty(), "{:?}", capture.errors);
    let mut told = 0;
    for (_, record) in &replay(&[capture]).records {
        let (Event::Move { ply, clk_ms, .. } | Event::Amend { ply, clk_ms, .. }) = &record.event else { continue };
        let pressed_ms = 1_000 * PRESSED[*ply as usize - 1];
        assert!(clk_ms.is_none_or(|ms| ms == pressed_ms), "ply {ply}: {clk_ms:?}, not {pressed_ms}");
        told = told.max(*ply);
    }
    assert_eq!(told, 36);
}

/// A simulated hall: of a player whose second was nearly over when he pressed, the message of the next press shows a second less.
#[test]
fn a_time_that_was_read_twice_before_its_move_was_told_is_that_of_the_move() {
    let capture = read_capture(include_bytes!("../../../tests/captures/time-read-twice.capture"));
    assert!(capture.errors.is_empty(), "{:?}", capture.errors);
    let mut times = BTreeMap::new();
    for (_, record) in &replay(&[capture]).records {
        if let Event::Move { ply, clk_ms, .. } | Event::Amend { ply, clk_ms, .. } = &record.event {
            times.insert(*ply, *clk_ms);
        }
    }
    assert_eq!((times.len(), times[&19]), (20, Some(305_000)), "{times:?}");
    assert!(times.values().all(Option::is_some), "{times:?}");
}

/// A simulated hall whose daemon was restarted while the pieces of the next game were set up: the log has all of the game that is over.
#[test]
fn the_log_of_a_game_that_is_over_begins_no_other_one() {
    let capture = read_capture(include_bytes!("../../../tests/captures/log-of-the-last-game.capture"));
    assert!(capture.errors.is_empty(), "{:?}", capture.errors);
    let replay = replay(&[capture]);
    let told = |wanted: fn(&Event) -> bool| replay.records.iter().filter(|(_, record)| wanted(&record.event)).count();
    assert_eq!(told(|event| matches!(event, Event::Move { .. })), 0, "{:?}", replay.records);
    assert_eq!(told(|event| matches!(event, Event::GameStarted { .. })), 1);
}
