//! An archive is extended, and no interruption leaves a file that is not whole.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{boardcast, files, folder, text};

/// A game of a day in November with its id.
fn game(day: u32, white: &str, black: &str, id: &str, moves: &str) -> String {
    format!(
        "[Event \"City Open\"]\n[Site \"Linz\"]\n[Date \"2026.11.{day}\"]\n[Round \"{day}\"]\n[White \"{white}\"]\n\
         [Black \"{black}\"]\n[Result \"*\"]\n[GameId \"{id}\"]\n\n{moves} *\n\n"
    )
}

fn export(folder: &Path, games: &str) -> (Option<i32>, String) {
    fs::write(folder.join("games.pgn"), games).expect("a file");
    let exported = boardcast(&["export", "--format", "archive", "archive", "games.pgn"], folder, b"");
    (exported.status.code(), text(&exported.stderr))
}

fn archive(folder: &Path) -> Vec<(String, String)> {
    files(&folder.join("archive"))
}

#[test]
fn an_archive_that_is_there_is_extended() {
    let folder = folder();
    let folder = folder.path();
    let first = game(21, "Adler, Ida", "Bos, Jan", "a", "1. e4 e5");
    let annotated = first.replace("1. e4 e5", "1. e4 {the best} 1... e5").replace("[GameId \"a\"]\n", "");
    assert_eq!(export(folder, &(annotated.clone() + &first)), (Some(0), String::new()));
    fs::write(folder.join("archive/ReadMe"), "Our own words.\n").expect("a file");
    let second = game(22, "ADLER, Ida", "Clark, Ann", "b", "1. d4 d5");
    let longer = game(21, "Adler, Ida", "Bos, Jan", "a", "1. e4 e5 2. Nf3");
    assert_eq!(export(folder, &(second.clone() + &longer)), (Some(0), String::new()));
    let files = archive(folder);
    let of = |name: &str| files.iter().find(|(file, _)| file == name).map(|(_, text)| text.as_str());
    let both = [longer.as_str(), &annotated].concat();
    assert_eq!(
        of("Players/Bos.pgn"),
        Some(both.as_str()),
        "the game with the same id is replaced, the other one stays"
    );
    assert_eq!(of("Players/Adler.pgn"), Some([both.as_str(), &second].concat().as_str()), "in whatever case a name is");
    assert_eq!(of("Players/ADLER.pgn"), None);
    assert_eq!(of("MGR/2026/202611/20261121.pgn"), Some(both.as_str()));
    assert_eq!(of("MGR/2026/202611/20261122.pgn"), Some(second.as_str()));
    assert_eq!(of("ReadMe"), Some("Our own words.\n"));
    assert!(files.iter().all(|(name, _)| !name.contains(".boardcast")), "nothing unfinished is left");
    // Once more changes nothing.
    assert_eq!(export(folder, &(second + &longer)), (Some(0), String::new()));
    assert_eq!(archive(folder), files);
}

#[test]
fn a_file_that_cannot_be_read_leaves_the_archive_as_it_was() {
    let folder = folder();
    let folder = folder.path();
    export(folder, &game(21, "Adler, Ida", "Bos, Jan", "a", "1. e4 e5"));
    fs::write(folder.join("archive/Players/Bos.pgn"), "[White \"Bos, Jan\"]\n\n1. e4 Ke7 *\n").expect("a file");
    let before = archive(folder);
    let (code, told) = export(folder, &game(22, "Bos, Jan", "Clark, Ann", "b", "1. d4 d5"));
    assert_eq!(code, Some(1));
    assert!(told.ends_with("archive/Players/Bos.pgn cannot be extended, because not all of it can be read: correct it, or export to a new folder\n"), "{told}");
    assert_eq!(archive(folder), before);
}

/// Starts an export and kills it when it has begun to write.
fn interrupted(folder: &Path, arguments: &[&str], begun: impl Fn() -> bool) {
    let mut child: Child = Command::new(env!("CARGO_BIN_EXE_boardcast"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !begun() && child.try_wait().expect("a child").is_none() {
        std::thread::yield_now();
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
}

fn has_unfinished(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).expect("a folder");
    entries.any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(".boardcast-")))
}

#[test]
fn an_interrupted_export_leaves_every_file_whole() {
    let folder = folder();
    let folder = folder.path();
    export(folder, &game(21, "Adler, Ida", "Bos, Jan", "a", "1. e4 e5"));
    let many: String =
        (0..2000).map(|n| game(22, "Adler, Ida", &format!("Player {}", n % 50), &n.to_string(), "1. d4 d5")).collect();
    fs::write(folder.join("many.pgn"), many).expect("a file");
    let arguments = ["export", "--format", "archive", "archive", "many.pgn"];
    for files_moved in [0, 1, 20] {
        let players = folder.join("archive/Players");
        let moved = || fs::read_dir(&players).map_or(0, Iterator::count) >= 3 + files_moved;
        let begun = || has_unfinished(&folder.join("archive")) && (files_moved == 0 || moved());
        interrupted(folder, &arguments, begun);
        for (name, text) in
            archive(folder).into_iter().filter(|(name, _)| name.contains(".pgn") && !name.starts_with('.'))
        {
            assert!(text.ends_with(" *\n\n"), "{name} is not whole");
        }
        let day = fs::read_to_string(folder.join("archive/MGR/2026/202611/20261121.pgn")).expect("a file");
        assert!(day.contains("[GameId \"a\"]"));
    }
    let done = boardcast(&arguments, folder, b"");
    assert_eq!((done.status.code(), text(&done.stderr)), (Some(0), String::new()));
    let adler = fs::read_to_string(folder.join("archive/Players/Adler.pgn")).expect("a file");
    assert_eq!(adler.matches("[GameId ").count(), 2001);
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let folder = folder();
    let folder = folder.path();
    for arguments in [&["export", "--format", "pgn", "out.pgn", "-"][..], &["pgn", "clean", "-o", "out.pgn"]] {
        // Standard input stays open, so that the program is at work when it is killed.
        interrupted(folder, arguments, || has_unfinished(folder));
        assert!(!folder.join("out.pgn").exists(), "{arguments:?}");
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            if entry.file_name().to_string_lossy().starts_with(".boardcast-") {
                fs::remove_file(entry.path()).expect("removed");
            }
        }
    }
    let done = boardcast(&["export", "--format", "pgn", "out.pgn", "-"], folder, b"1. e4 *");
    assert_eq!(done.status.code(), Some(0));
    assert!(fs::read_to_string(folder.join("out.pgn")).expect("a file").ends_with("1. e4 *\n\n"));
    assert!(!has_unfinished(folder));
}
