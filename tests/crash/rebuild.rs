//! A journal that lost something: it is said, and a rebuild brings the games back from the captures, behind closed doors until
//! a person has looked.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use board_sim::Hall;

use crate::hall::{furnish, lines, told_lines};
use crate::process::{PATIENCE, Recipe, in_time, said, wait_for};

const BOARDS: usize = 2;

/// A hall that stopped in the middle of its games, the daemon killed at once.
fn killed_in_the_middle(folder: &Path, seed: u64) -> (Hall, Recipe, BTreeMap<String, Vec<String>>) {
    let hall = furnish(folder, BOARDS, seed);
    let recipe = Recipe::new(folder);
    let mut daemon = recipe.start();
    recipe.wait_until_ready();
    hall.start();
    wait_for("both games are told", || told_lines(&recipe).values().filter(|line| line.len() >= 4).count() == BOARDS);
    for board in 0..BOARDS {
        hall.pause(board).unwrap();
    }
    // What stands on the boards is told, and nothing more comes.
    let mut before = told_lines(&recipe);
    loop {
        std::thread::sleep(Duration::from_secs(3));
        let now = told_lines(&recipe);
        if now == before {
            break;
        }
        before = now;
    }
    daemon.kill();
    (hall, recipe, before)
}

/// Nothing is public until a person has looked; then everything is, and the games go on to their end.
fn opens_and_goes_on(mut hall: Hall, recipe: &Recipe, before: &BTreeMap<String, Vec<String>>) {
    let mut daemon = recipe.start();
    wait_for("the daemon answers", || recipe.get("/api/v1/openapi.json").is_some());
    assert!(recipe.get("/health").is_none(), "a record that nobody has looked at is a trouble");
    assert!(told_lines(recipe).is_empty(), "a rebuilt record is public before anyone has looked");
    let (code, checked) = said(&["check", "--listen", "127.0.0.1:0"], &recipe.data);
    assert!(code == Some(1) && checked.contains("no one has looked at it yet"), "{checked}");
    let (code, opened) = said(&["rebuild", "--open"], &recipe.data);
    assert!(code == Some(0) && opened.contains("it is public again"), "{opened}");
    assert!(in_time(|| recipe.get("/health").is_some()), "it stays closed");
    for (id, line) in before {
        let told = told_lines(recipe);
        assert!(told[id].starts_with(line), "{id}: {:?} after {line:?}", told[id]);
    }
    for board in 0..BOARDS {
        hall.resume(board).unwrap();
    }
    assert!(hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    let played = lines(&hall.played());
    in_time(|| told_lines(recipe) == played);
    assert_eq!(told_lines(recipe), played);
    daemon.kill();
    let (code, checked) = said(&["check", "--listen", "127.0.0.1:0"], &recipe.data);
    assert_eq!(code, Some(0), "{checked}");
    hall.stop();
}

#[test]
fn a_log_that_was_removed_after_a_kill_is_missed_and_rebuilt_from_the_captures() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, recipe, before) = killed_in_the_middle(folder.path(), 11);
    let log = recipe.data.join("journal.sqlite-wal");
    assert!(fs::metadata(&log).unwrap().len() > 0);
    fs::remove_file(&log).unwrap();
    let (code, checked) = said(&["check", "--listen", "127.0.0.1:0"], &recipe.data);
    assert!(code == Some(1) && checked.contains("missing") && checked.contains("`boardcast rebuild`"), "{checked}");

    let pairings = recipe.pairings.to_str().unwrap();
    let (code, rebuilt) = said(&["rebuild", "--pairings", pairings], &recipe.data);
    assert!(code == Some(0) && rebuilt.contains("brought back from the captures"), "{rebuilt}");
    assert!(rebuilt.contains("Not brought back: orders of people"), "{rebuilt}");
    let aside = fs::read_dir(&recipe.data).unwrap().filter_map(Result::ok);
    assert!(
        aside.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("damaged-")),
        "nothing is kept"
    );
    opens_and_goes_on(hall, &recipe, &before);
}

#[test]
fn a_damaged_main_file_is_rebuilt_with_what_is_sound_and_an_interrupted_rebuild_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, recipe, before) = killed_in_the_middle(folder.path(), 12);
    // Everything is in the main file, as after a checkpoint.
    let main = recipe.data.join("journal.sqlite");
    let hand = rusqlite::Connection::open(&main).unwrap();
    hand.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(hand);
    let mut bytes = fs::read(&main).unwrap();
    // The header, and a page in the middle.
    bytes[3] ^= 0xff;
    let page = bytes.len() / 4096 / 2 * 4096;
    bytes[page..page + 200].fill(0x5a);
    fs::write(&main, &bytes).unwrap();
    let (code, refused) = said(&["run", "--listen", "127.0.0.1:0"], &recipe.data);
    assert!(code == Some(1) && refused.contains("`boardcast rebuild`") && refused.contains("backup"), "{refused}");

    // A rebuild that got as far as its copies.
    let unfinished = recipe.data.join("rebuild-unfinished");
    fs::create_dir(&unfinished).unwrap();
    for name in ["journal.sqlite", "journal.sqlite-mark"] {
        fs::copy(recipe.data.join(name), unfinished.join(name)).unwrap();
    }
    fs::write(&main, "half a file").unwrap();
    let (code, refused) = said(&["run", "--listen", "127.0.0.1:0"], &recipe.data);
    assert!(code == Some(1) && refused.contains("was interrupted: run `boardcast rebuild` again"), "{refused}");

    let pairings = recipe.pairings.to_str().unwrap();
    let (code, rebuilt) = said(&["rebuild", "--pairings", pairings], &recipe.data);
    assert!(code == Some(0) && rebuilt.contains("was made anew"), "{rebuilt}");
    println!("{rebuilt}");
    assert!(!unfinished.exists());
    let (_, checked) = said(&["check", "--listen", "127.0.0.1:0"], &recipe.data);
    println!("{checked}");
    opens_and_goes_on(hall, &recipe, &before);
}

#[test]
fn a_sound_journal_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    drop(journal::DataFolder::take(&data).unwrap().open_journal().unwrap());
    let before = fs::read(data.join("journal.sqlite")).unwrap();
    let (code, rebuilt) = said(&["rebuild"], &data);
    assert!(code == Some(0) && rebuilt.contains("nothing was changed"), "{rebuilt}");
    let pairings = folder.path().join("pairings.csv");
    fs::write(&pairings, "Round;Board;White;Black\n1;1;Adler;Bos\n").unwrap();
    let (code, refused) = said(&["rebuild", "--pairings", pairings.to_str().unwrap()], &data);
    assert!(code == Some(1) && refused.contains("the pairings are not loaded"), "{refused}");
    assert_eq!(fs::read(data.join("journal.sqlite")).unwrap(), before);
}
