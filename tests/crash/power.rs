//! What a power cut leaves: a journal and captures cut at any byte.

use std::path::Path;
use std::sync::Arc;

use boardcast::transport::capture_check::check_captures;
use chrono::NaiveDate;
use game_core::event::{Author, Event, Evidence, Variant};
use journal::Findings;
use journal::{Batch, Committed, NewEvent, NewFact};
use journal::{DataFolder, FILE, Reader};
use tournament::Fact;
use tournament::GameRef;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MOVES: [(&str, &str); 4] = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];

/// The k-th thing that two boards hand in: the games' starts, then one move at a time.
fn batch(k: u64) -> Batch {
    let table = (k % 2 + 1) as u32;
    let game = GameRef { game: format!("cup-1-{table}").into(), event: "cup".into(), round: 1, table };
    let draft = |event| NewEvent { at: k, game: game.clone(), author: Author::Board, evidence: Evidence::Lever, event };
    let ply = (k / 2) as u32;
    let events = if let Some(before) = ply.checked_sub(1) {
        let (san, uci) = MOVES[before as usize % MOVES.len()];
        vec![Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms: Some(60_000), emt_ms: None }]
    } else {
        let tags = [("White".to_owned(), format!("Player {table}"))].into();
        vec![Event::GameStarted { fen: START.into(), variant: Variant::Standard }, Event::Tags { tags }]
    };
    let began =
        Fact::Began { board: Some(format!("2000{table}").into()), game: Arc::clone(&game.game), day: NaiveDate::MIN };
    let hall = (ply == 0).then_some(NewFact { by: Author::Board, reason: None, fact: began });
    Batch { games: events.into_iter().map(draft).collect(), hall: hall.into_iter().collect(), ..Batch::default() }
}

fn entries(data: &Path) -> Vec<Committed> {
    Reader::open_in(data).unwrap().past().unwrap().entries
}

#[test]
fn a_journal_cut_at_any_byte_is_a_sound_beginning_of_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let owner = DataFolder::take(&data).unwrap();
    let (mut journal, _reader) = owner.open_journal().unwrap();
    for k in 0..40 {
        journal.commit(1000 + k, &[batch(k)]).unwrap();
    }
    let written = entries(&data);
    assert_eq!(written.len(), 44);
    // The main file as it is while the log has everything, and the log as far as it got.
    let main = std::fs::read(data.join(FILE)).unwrap();
    let log = std::fs::read(data.join(format!("{FILE}-wal"))).unwrap();
    // Zeros after its last frame give it its length.
    let end = log.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    let mut lengths = std::collections::BTreeSet::new();
    let mut rng = fastrand::Rng::with_seed(5);
    for trial in 0..60 {
        let cut = if trial == 0 { end } else { rng.usize(0..end) };
        let left = folder.path().join(format!("cut-{trial}"));
        std::fs::create_dir(&left).unwrap();
        std::fs::write(left.join(FILE), &main).unwrap();
        let mut torn = log[..cut].to_vec();
        // A page that was on its way holds anything.
        torn.extend((0..rng.usize(0..5000)).map(|_| rng.u8(..)));
        if trial % 2 == 0 {
            torn.resize(log.len().max(torn.len()), 0);
        }
        std::fs::write(left.join(format!("{FILE}-wal")), torn).unwrap();

        let owner = DataFolder::take(&left).unwrap();
        let (mut journal, reader) = owner.open_journal().unwrap();
        let found = entries(&left);
        assert!(written.starts_with(&found), "cut at {cut} of {end}");
        let mut findings = Findings::default();
        reader.check(&mut findings).unwrap();
        assert_eq!(findings.faults, [], "cut at {cut}");
        // The rest is handed in again, whole: a commit is never torn.
        let k = (0..=40).find(|k| {
            (0..*k).map(batch).map(|batch| batch.games.len() + batch.hall.len()).sum::<usize>() == found.len()
        });
        for k in k.expect("a commit was torn")..40 {
            journal.commit(1000 + k, &[batch(k)]).unwrap();
        }
        assert_eq!(entries(&left), written);
        lengths.insert(found.len());
    }
    assert!(lengths.len() > 10 && lengths.contains(&written.len()), "the cuts were all alike: {lengths:?}");
}

#[test]
fn a_capture_cut_at_any_byte_is_readable_to_its_last_whole_line() {
    let capture = "# boardcast-capture 1\n# started: 2026-11-20T12:00:00.000Z\n# board: 20077\n\
                   0 ! {\"resume\":{}}\n5 > 42\n90 < 8e0005340c\n120 < 8e00051c00\n";
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("20077");
    std::fs::create_dir(&board).unwrap();
    for cut in capture.find('\n').unwrap() + 1..=capture.len() {
        std::fs::write(board.join("2026-11-20.capture"), &capture[..cut]).unwrap();
        let mut findings = Findings::default();
        check_captures(folder.path(), &mut findings);
        assert_eq!((findings.captures, findings.faults), (1, Vec::new()), "cut at {cut}");
    }
}
