//! The folder in the layout of LiveChess.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use publish::gate::Delay;
use publish::test_hall::Hall;

use super::Driven;
use super::stand_in::StandIn;
use crate::settings::{FolderTarget, Target};
use crate::status::State;

/// Settings of an output to this folder.
fn to(path: &Path) -> Target {
    Target::Folder(FolderTarget { path: path.to_owned() })
}

fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|inner| format!("{name}/{inner}")));
        } else {
            found.insert(name);
        }
    }
    found
}

#[test]
fn the_layout_of_livechess_is_kept_over_a_folder_that_vanishes() {
    let (hall, data, place) = (Hall::open(0.0), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hall.start_game("a", 1, 1, &[("White", "Müller, Jürgen")]);
    hall.start_game("b", 1, 2, &[("White", "Adler, Ida")]);
    let path = place.path().join("out");
    let http: Arc<dyn crate::Http> = StandIn::default().http();
    let mut output = Driven::new(&hall, data.path(), &http, Delay::NONE, to(&path));
    output.pass(70_000);
    let status = output.status();
    assert_eq!(status.state, State::Failing);
    assert_eq!(status.trouble.unwrap().code, "output_folder_missing");
    assert!(!path.exists(), "the folder itself is never created");

    fs::create_dir(&path).unwrap();
    output.pass(120_000);
    let complete: BTreeSet<_> = [
        "round-1/game-1.json",
        "round-1/game-1.pgn",
        "round-1/game-2.json",
        "round-1/game-2.pgn",
        "round-1/games.pgn",
        "round-1/index.json",
        "tournament.json",
    ]
    .map(str::to_owned)
    .into();
    assert_eq!(files(&path), complete);
    let game = fs::read_to_string(path.join("round-1/game-1.pgn")).unwrap();
    assert!(game.contains("[White \"Müller, Jürgen\"]") && !game.contains("Adler"), "{game}");
    let all = fs::read_to_string(path.join("round-1/games.pgn")).unwrap();
    assert!(all.contains("Müller") && all.contains("Adler"));
    let index: serde_json::Value = serde_json::from_slice(&fs::read(path.join("round-1/index.json")).unwrap()).unwrap();
    assert_eq!(index["pairings"].as_array().unwrap().len(), 2);

    // A move changes the files of its game and the common ones, and no other.
    let before = fs::metadata(path.join("round-1/game-2.pgn")).unwrap().modified().unwrap();
    hall.play("a", 3);
    output.pass(10_000);
    assert!(fs::read_to_string(path.join("round-1/game-1.pgn")).unwrap().contains("2. Ng1"));
    assert_eq!(fs::metadata(path.join("round-1/game-2.pgn")).unwrap().modified().unwrap(), before);

    // The disk is unplugged, and another one comes back empty.
    fs::remove_dir_all(&path).unwrap();
    hall.play("b", 1);
    output.pass(10_000);
    assert_eq!(output.status().state, State::Retrying);
    assert!(output.status().warnings.is_empty(), "it is the trouble, and said once: {:?}", output.status());
    fs::create_dir(&path).unwrap();
    output.pass(120_000);
    assert_eq!(files(&path), complete);
    // The folder is emptied while nothing changes.
    fs::remove_dir_all(&path).unwrap();
    output.pass(10_000);
    assert_eq!(output.status().warnings[0].code, "output_folder_missing");
    fs::create_dir(&path).unwrap();
    output.pass(10_000);
    assert_eq!((files(&path), output.status().state), (complete, State::UpToDate));
    assert!(output.status().warnings.is_empty());
}

#[test]
fn files_and_folders_that_are_removed_or_damaged_are_written_again() {
    let (hall, data, place) = (Hall::open(0.0), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    hall.start_game("b", 2, 1, &[("White", "Adler, Ida")]);
    let path = place.path();
    let http: Arc<dyn crate::Http> = StandIn::default().http();
    let mut output = Driven::new(&hall, data.path(), &http, Delay::NONE, to(path));
    output.pass(10_000);
    let complete = files(path);
    let other = path.join("round-2/game-1.pgn");
    let written = || fs::metadata(&other).unwrap().modified().unwrap();
    let before = written();
    // A folder of one round, a file of it, and the file of all rounds.
    let damages: [fn(&Path); 3] = [
        |path| fs::remove_dir_all(path.join("round-1")).unwrap(),
        |path| fs::remove_file(path.join("round-1/games.pgn")).unwrap(),
        |path| fs::remove_file(path.join("tournament.json")).unwrap(),
    ];
    for damage in damages {
        damage(path);
        output.pass(10_000);
        assert_eq!((files(path), output.status().state), (complete.clone(), State::UpToDate));
    }
    assert_eq!(written(), before, "what is there is left alone");
    // The power was cut before the bytes of a file were on its disk.
    fs::write(path.join("round-1/game-1.pgn"), "").unwrap();
    let mut output = Driven::new(&hall, data.path(), &http, Delay::NONE, to(path));
    output.pass(10_000);
    assert!(fs::read_to_string(path.join("round-1/game-1.pgn")).unwrap().contains("Adler, Ida"));
    assert_eq!(written(), before);
}

#[test]
fn a_file_in_place_of_a_folder_is_named_and_so_is_a_folder_in_place_of_a_file() {
    let (hall, data, place) = (Hall::open(0.0), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    let path = place.path().join("out");
    fs::write(&path, "").unwrap();
    let http: Arc<dyn crate::Http> = StandIn::default().http();
    let mut output = Driven::new(&hall, data.path(), &http, Delay::NONE, to(&path));
    let mut said = |seconds: u64| {
        output.pass(seconds * 1000);
        let status = output.status();
        status.trouble.map(|trouble| (trouble.code.to_string(), trouble.english.clone()))
    };
    let (code, text) = said(10).unwrap();
    assert_eq!(code, "output_file_for_folder");
    assert!(text.starts_with(&format!("{} is a file", path.display())), "{text}");

    // The folder of a round.
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("round-1"), "").unwrap();
    let (code, text) = said(120).unwrap();
    assert_eq!(code, "output_file_for_folder");
    assert!(text.starts_with(&format!("{} is a file", path.join("round-1").display())), "{text}");

    fs::remove_file(path.join("round-1")).unwrap();
    fs::create_dir_all(path.join("round-1/games.pgn")).unwrap();
    let (code, text) = said(120).unwrap();
    assert_eq!(code, "output_folder_for_file");
    assert!(text.starts_with(&format!("{} is a folder", path.join("round-1/games.pgn").display())), "{text}");

    fs::remove_dir(path.join("round-1/games.pgn")).unwrap();
    assert_eq!(said(120), None);
    assert!(fs::read_to_string(path.join("round-1/games.pgn")).unwrap().contains("Adler, Ida"));
}
