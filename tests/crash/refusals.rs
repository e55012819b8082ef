//! What the daemon and its commands say about a journal that is not for them, in one sentence and with the exit code.

use journal::{DataFolder, FILE};
use rusqlite::Connection;

use crate::process::{Recipe, said};

const RUN: [&str; 3] = ["run", "--listen", "127.0.0.1:0"];

#[test]
fn a_data_folder_has_one_daemon_and_can_be_checked_and_copied_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = Recipe::new(folder.path());
    std::fs::write(&recipe.pairings, "[White \"Adams\"]\n[Black \"Baker\"]\n\n*\n").unwrap();
    let data = &recipe.data;
    let (code, missing) = said(&["check"], data);
    assert!(code == Some(0) && missing.contains("does not exist: the daemon makes it"), "{missing}");

    let below_a_file = recipe.pairings.join("data");
    let (code, hidden) = said(&["check"], &below_a_file);
    assert!(code == Some(1) && hidden.contains("data folder: "), "{hidden}");
    assert!(!hidden.contains("does not exist") && !hidden.contains("record: none yet"), "{hidden}");

    let mut daemon = recipe.start();
    recipe.wait_until_ready();
    let (code, refused) = said(&RUN, data);
    assert!(code == Some(1) && refused.contains("is in use by another daemon: end that one"), "{refused}");
    assert_eq!(refused.trim_end().lines().count(), 1, "{refused}");
    let (code, sound) = said(&["check"], data);
    assert!(
        code == Some(0) && sound.contains("\n0 games with 0 events, ") && sound.ends_with(" and 0 captures: sound\n"),
        "{sound}"
    );

    let restored = folder.path().join("restored");
    std::fs::create_dir(&restored).unwrap();
    let copy = restored.join(FILE);
    let (code, copied) = said(&["backup", copy.to_str().unwrap()], data);
    assert!(code == Some(0), "{copied}");
    let (code, sound) = said(&["check"], &restored);
    assert!(code == Some(0) && sound.ends_with("sound\n"), "{sound}");
    let (code, refused) = said(&["backup", copy.to_str().unwrap()], data);
    assert!(code == Some(1) && refused.contains("exists already: give the backup another name"), "{refused}");
    daemon.kill();
    drop(DataFolder::take(data).expect("a daemon that was killed leaves the folder free"));
}

#[test]
fn a_journal_of_a_later_version_and_a_damaged_one_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    drop(DataFolder::take(data).unwrap().open_journal().unwrap());
    let hand = Connection::open(data.join(FILE)).unwrap();
    hand.pragma_update(None, "user_version", 7).unwrap();
    for (command, lines) in [(&RUN[..], 1), (&["check"], 7)] {
        let (code, refused) = said(command, data);
        assert!(
            code == Some(1) && refused.contains("has schema 7, and this version knows schemas up to 5"),
            "{refused}"
        );
        assert_eq!(refused.trim_end().lines().count(), lines, "{refused}");
    }
    hand.pragma_update(None, "user_version", 5).unwrap();
    hand.execute_batch("INSERT INTO game VALUES (1, 'a', 'cup', 1, 1, 1)").unwrap();
    let (code, damaged) = said(&["check"], data);
    assert!(code == Some(1) && damaged.contains("game a: its row does not follow from its events"), "{damaged}");

    let captures = data.join("captures/20077");
    std::fs::create_dir_all(&captures).unwrap();
    std::fs::write(captures.join("2026-11-20.capture"), "# boardcast-capture 1\n10 < zz\n20 < 00\n").unwrap();
    let (code, damaged) = said(&["check"], data);
    assert!(code == Some(1) && damaged.contains("2026-11-20.capture: line 2"), "{damaged}");
}

#[test]
fn a_damaged_file_of_accounts_does_not_stop_the_broadcast() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = Recipe::new(folder.path());
    std::fs::write(&recipe.pairings, "[White \"Adams\"]\n[Black \"Baker\"]\n\n*\n").unwrap();
    std::fs::create_dir(&recipe.data).unwrap();
    std::fs::write(recipe.data.join("accounts.sqlite"), "x".repeat(4096)).unwrap();
    let _daemon = recipe.start();
    crate::process::wait_for("the games are public", || recipe.get("/live.pgn").is_some());
    assert!(recipe.get("/health").is_none(), "that no one can log in is a trouble");
}

#[test]
fn a_journal_that_is_missing_beside_captures_is_not_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let captures = folder.path().join("captures/20077");
    std::fs::create_dir_all(&captures).unwrap();
    std::fs::write(captures.join("2026-11-20.capture"), "# boardcast-capture 1\n").unwrap();
    let (code, refused) = said(&RUN, folder.path());
    assert!(
        code == Some(1) && refused.contains("is missing, but captures/20077 is there: run `boardcast rebuild`"),
        "{refused}"
    );
    assert!(!folder.path().join(FILE).exists());
}

#[test]
fn an_older_journal_is_checked_exported_and_backed_up_before_the_daemon_has_started_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let (data, restored) = (folder.path().join("data"), folder.path().join("restored"));
    std::fs::create_dir_all(&data).unwrap();
    std::fs::create_dir_all(&restored).unwrap();
    let dump = include_str!("../../crates/journal/src/test_data/schema-2.sql");
    Connection::open(data.join(FILE)).unwrap().execute_batch(dump).unwrap();
    let before = std::fs::read(data.join(FILE)).unwrap();
    let (code, checked) = said(&["check"], &data);
    assert!(code == Some(0) && checked.contains("schema 2 of an older version"), "{checked}");
    let (code, exported) = said(&["export", "--format", "pgn"], &data);
    assert!(code == Some(0) && exported.contains("[White \"Adler, Ida\"]"), "{exported}");
    let copy = restored.join(FILE);
    let (code, copied) = said(&["backup", copy.to_str().unwrap()], &data);
    assert!(code == Some(0), "{copied}");
    let (code, sound) = said(&["check"], &restored);
    assert!(code == Some(0) && !sound.contains("older version"), "{sound}");
    assert_eq!(std::fs::read(data.join(FILE)).unwrap(), before, "the older journal was changed");
}
