//! A journal that lost something says so, whatever was done to its files while no daemon ran.

use std::fs;
use std::path::Path;

use super::{batch, game, open, played, start};
use crate::check::Findings;
use crate::{Condition, FILE, Journal, Missing, Notice, Reader};

const MOVES: [(&str, &str); 4] = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];

/// Writes so many moves into a journal and leaves its files as a killed process does.
fn killed_after(folder: &Path, moves: u32) {
    let running = folder.join("running");
    fs::create_dir(&running).unwrap();
    let (mut journal, reader) = open(&running);
    let at = game(1, 1);
    journal.commit(1000, &[start(&at)]).unwrap();
    for ply in 1..=moves {
        let (san, uci) = MOVES[(ply as usize - 1) % MOVES.len()];
        journal.commit(1000 * u64::from(ply + 1), &[batch(&at, vec![played(ply, san, uci)])]).unwrap();
    }
    for file in ["", "-wal", "-mark"] {
        let name = format!("{FILE}{file}");
        fs::copy(running.join(&name), folder.join(&name)).unwrap();
    }
    drop((journal, reader));
    fs::remove_dir_all(running).unwrap();
}

/// The files were copied by the test; the mark shall not see that.
fn same_file(folder: &Path) {
    let path = folder.join(FILE);
    let mark = match crate::mark::read(&path).unwrap() {
        crate::mark::Found::Mark(mark) => mark,
        other => panic!("{other:?}"),
    };
    let moved = crate::mark::Mark { file: crate::mark::file_id(&path), ..mark.clone() };
    let found = crate::mark::Found::Mark(mark);
    drop(crate::mark::Marker::begin(&path, &found, moved));
}

fn faults(folder: &Path) -> String {
    let mut findings = Findings::default();
    Reader::open(&folder.join(FILE)).unwrap().check(&mut findings).unwrap();
    findings.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn identity(folder: &Path) -> String {
    let connection = rusqlite::Connection::open(folder.join(FILE)).unwrap();
    connection.query_row("SELECT identity FROM journal", [], |row| row.get(0)).unwrap()
}

/// What is said of a journal that lost the end of its log, and what follows.
fn loses(folder: &Path, entries: u64, after: Option<u64>) {
    let said = faults(folder);
    assert!(said.contains("missing") && said.contains("run `boardcast rebuild`"), "{said}");
    let before = identity(folder);
    let journal = Journal::open(&folder.join(FILE)).unwrap();
    let Condition::Missing(missing) = journal.condition().clone() else { panic!("{:?}", journal.condition()) };
    assert_eq!(missing, Missing { entries: Some(entries), board_facts: missing.board_facts, after, until: 9000 });
    assert_ne!(*journal.identity().unwrap(), *before, "numbers given out before would name other events");
    drop(journal);
    let journal = Journal::open(&folder.join(FILE)).unwrap();
    assert_eq!(*journal.condition(), Condition::Whole, "it is said once; what is missing is in the notice");
    assert!(faults(folder).contains("missing"), "and until a person has looked, the check says it");
    let notice = Notice::read(folder).unwrap();
    assert_eq!(notice.missing, [missing.loss().coded()], "in a sentence that pages translate");
    drop(journal);
    Notice::remove(folder).unwrap();
    assert_eq!(faults(folder), "");
}

#[test]
fn a_killed_journal_with_all_its_files_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    killed_after(folder.path(), 8);
    same_file(folder.path());
    assert_eq!(faults(folder.path()), "");
    let before = identity(folder.path());
    let journal = Journal::open(&folder.path().join(FILE)).unwrap();
    assert_eq!((journal.condition(), &*journal.identity().unwrap()), (&Condition::Whole, &*before));
}

#[test]
fn a_log_that_was_removed_after_a_kill_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    // Longer than any entry is in the log alone.
    killed_after(folder.path(), 8);
    fs::remove_file(folder.path().join(format!("{FILE}-wal"))).unwrap();
    // The main file has not even the schema yet: no checkpoint came.
    let journal = Journal::open(&folder.path().join(FILE)).unwrap();
    assert!(!matches!(journal.condition(), Condition::Whole), "{:?}", journal.condition());
    drop(journal);
    assert!(faults(folder.path()).contains("missing"), "{}", faults(folder.path()));
}

#[test]
fn commits_do_not_make_the_log_longer() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join(format!("{FILE}-wal"));
    let length = || fs::metadata(&log).unwrap().len();
    let (mut journal, reader) = open(folder.path());
    let (opened, at) = (length(), game(1, 1));
    assert!(opened >= crate::journal::LOG_LENGTH);
    journal.commit(1000, &[start(&at)]).unwrap();
    for ply in 1..=100 {
        let (san, uci) = MOVES[(ply as usize - 1) % MOVES.len()];
        journal.commit(1000 * u64::from(ply + 1), &[batch(&at, vec![played(ply, san, uci)])]).unwrap();
    }
    assert_eq!(length(), opened);
    drop((journal, reader));
    assert_eq!(faults(folder.path()), "");
}

#[test]
fn a_log_that_was_cut_or_damaged_is_missed() {
    for damage in ["cut", "flipped"] {
        let folder = tempfile::tempdir().unwrap();
        killed_after(folder.path(), 8);
        same_file(folder.path());
        let log = folder.path().join(format!("{FILE}-wal"));
        let mut bytes = fs::read(&log).unwrap();
        // The commits of the last moves are the last frames of the log, before the zeros that give it its length.
        let at = bytes.iter().rposition(|byte| *byte != 0).unwrap() - 100;
        match damage {
            "cut" => bytes.truncate(at),
            _ => bytes[at] ^= 1,
        }
        fs::write(&log, bytes).unwrap();
        loses(folder.path(), 1, Some(8000));
    }
}

#[test]
fn an_older_copy_of_the_journal_is_noticed_also_when_it_went_on() {
    let (folder, older) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    killed_after(folder.path(), 8);
    // A copy of the same journal from before its last moves.
    let copy = older.path().join(FILE);
    Reader::open(&folder.path().join(FILE))
        .unwrap()
        .connection()
        .execute("VACUUM INTO ?1", [copy.to_str()])
        .unwrap_err();
    let reader = Reader::open(&folder.path().join(FILE)).unwrap();
    reader.connection().pragma_update(None, "query_only", false).unwrap();
    reader.connection().execute("VACUUM INTO ?1", [copy.to_str()]).unwrap();
    drop(reader);
    let (mut journal, reader) = open(folder.path());
    assert_eq!(*journal.condition(), Condition::Copied, "the test copied the files");
    let at = game(1, 1);
    let mut went_on = batch(&at, vec![played(9, "Nf3", "g1f3")]);
    let identity_now = journal.identity().unwrap();
    journal.commit(20_000, &[went_on.clone()]).unwrap();
    drop((journal, reader));
    fs::remove_file(folder.path().join(FILE)).unwrap();
    fs::copy(&copy, folder.path().join(FILE)).unwrap();
    let hand = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    hand.execute("UPDATE journal SET identity = ?1", [&*identity_now]).unwrap();
    drop(hand);
    let journal = Journal::open(&folder.path().join(FILE)).unwrap();
    assert!(
        matches!(journal.condition(), Condition::Missing(Missing { entries: Some(1), .. })),
        "{:?}",
        journal.condition()
    );
    let identity_now = journal.identity().unwrap();
    drop(journal);

    // The older copy is used elsewhere, comes back, and is as long as the one that was here.
    let (mut journal, reader) = open(folder.path());
    went_on.games[0].at = 77;
    journal.commit(21_000, &[went_on.clone(), batch(&at, vec![played(10, "Nf6", "g8f6")])]).unwrap();
    drop((journal, reader));
    fs::remove_file(folder.path().join(FILE)).unwrap();
    fs::copy(&copy, folder.path().join(FILE)).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::copy(&copy, elsewhere.path().join(FILE)).unwrap();
    let (mut journal, reader) = open(elsewhere.path());
    went_on.games[0].at = 99;
    journal.commit(22_000, &[went_on, batch(&at, vec![played(10, "Nf6", "g8f6")])]).unwrap();
    drop((journal, reader));
    let hand = rusqlite::Connection::open(elsewhere.path().join(FILE)).unwrap();
    hand.execute("UPDATE journal SET identity = ?1", [&*identity_now]).unwrap();
    drop(hand);
    fs::copy(elsewhere.path().join(FILE), folder.path().join(FILE)).unwrap();
    let journal = Journal::open(&folder.path().join(FILE)).unwrap();
    assert!(
        matches!(journal.condition(), Condition::Missing(Missing { entries: None, .. })),
        "{:?}",
        journal.condition()
    );
}

#[test]
fn a_mark_that_is_damaged_or_gone_is_never_taken_for_a_sound_one() {
    for damaged in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        killed_after(folder.path(), 3);
        let mark = folder.path().join(format!("{FILE}-mark"));
        if damaged {
            fs::write(&mark, [0; 1024]).unwrap();
            assert!(faults(folder.path()).contains("its mark cannot be read"), "{}", faults(folder.path()));
        } else {
            fs::remove_file(&mark).unwrap();
        }
        let before = identity(folder.path());
        let journal = Journal::open(&folder.path().join(FILE)).unwrap();
        let expected = if damaged { Condition::MarkDamaged } else { Condition::Unmarked };
        assert_eq!(*journal.condition(), expected);
        assert_ne!(*journal.identity().unwrap(), *before);
    }
}

#[test]
fn a_bit_that_flips_in_the_main_file_is_found_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = open(folder.path());
    let at = game(1, 1);
    journal.commit(1000, &[start(&at)]).unwrap();
    for ply in 1..=40 {
        let (san, uci) = MOVES[(ply as usize - 1) % MOVES.len()];
        journal.commit(2000, &[batch(&at, vec![played(ply, san, uci)])]).unwrap();
    }
    let told = |path: &Path| {
        let reader = Reader::open(path).ok()?;
        let past = reader.past().ok()?;
        Some(format!("{:?} {:?}", past.entries, reader.board("20077").ok()?))
    };
    drop((journal, reader));
    let path = folder.path().join(FILE);
    let before = told(&path).unwrap();
    let whole = fs::read(&path).unwrap();
    let mut rng = fastrand::Rng::with_seed(15);
    let (mut found, mut harmless) = (0, 0);
    for _ in 0..400 {
        let mut bytes = whole.clone();
        bytes[rng.usize(0..whole.len())] ^= 1 << rng.u8(0..8);
        fs::write(&path, bytes).unwrap();
        let mut findings = Findings::default();
        let checked = Reader::open(&path).and_then(|reader| reader.check(&mut findings));
        if checked.is_err() || !findings.faults.is_empty() {
            found += 1;
        } else {
            assert_eq!(told(&path).as_ref(), Some(&before), "a changed record passes for a sound one");
            harmless += 1;
        }
    }
    assert!(found > 20 && harmless > 20, "{found} found, {harmless} in unused places");
}
