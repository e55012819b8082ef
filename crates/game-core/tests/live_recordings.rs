//! Pieces of a hall whose daemon was killed and whose cables were pulled: the record goes on to the end of each, and no ply that
//! was public is rewritten. They are not part of the project; the test prints that it skips them where they are missing.

#[path = "support/recogniser.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod recogniser;
#[path = "support/recordings.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod recordings;

use game_core::capture::{Entry, read_capture};
use game_core::event::Event;
use game_core::input::{Input, Notice};
use game_core::replay::replay_with;
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
        let replay = replay_with(recogniser::recognition(), &[capture]);
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
