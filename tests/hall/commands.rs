//! The program as a person meets it: what it prints, what it says when something is wrong, and how it exits.

use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use board_sim::{Games, Hall, HallOptions, Link};

use crate::published::published;

fn boardcast(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_boardcast")).args(args).env("RUST_LOG", "error").output().unwrap()
}

/// Exit code and the last line on standard error.
fn said(output: &Output) -> (i32, String) {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap(), errors.trim_end().lines().last().unwrap_or("").to_owned())
}

/// A file of the folder `shared` beside the project or beside a folder around it. When it is absent, a line on standard error
/// says so past the capture of the test harness: a check that did not run must not look like one that passed.
fn shared(test: &str, path: &str) -> Option<PathBuf> {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = folders.find_map(|at| Some(at.join("shared").join(path)).filter(|file| file.exists()));
    if found.is_none() {
        let _ = writeln!(std::io::stderr(), "skipped: {test}: shared/{path} is not beside the project");
    }
    found
}

/// Replays a capture and compares the game with the moves that were played.
fn replays_as(capture: &Path, moves: &[&str], clocks: Option<&[u64]>) {
    let name = capture.display();
    let capture = capture.to_str().unwrap();
    let output = boardcast(&["replay", capture, "--pgn"]);
    assert!(output.status.success(), "{name}");
    let games = published(&String::from_utf8(output.stdout).unwrap());
    let [game] = &games[..] else { panic!("{name}: {} games", games.len()) };
    assert_eq!(game.sans, moves, "{name}");
    assert!(game.clocks.iter().all(Option::is_some), "{name}");
    if let Some(clocks) = clocks {
        assert_eq!(game.clocks, clocks.iter().copied().map(Some).collect::<Vec<_>>(), "{name}");
    }

    let events = String::from_utf8(boardcast(&["replay", capture, "--events"]).stdout).unwrap();
    let events: Vec<serde_json::Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.iter().filter(|event| event["event"] == "move").count(), moves.len(), "{name}");
    assert!(!events.iter().any(|event| event["event"] == "retract"), "{name}");
}

#[test]
fn captures_of_simulated_boards_are_replayed_into_their_games() {
    for name in ["simulated-blitz", "simulated-rotated"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures").join(name);
        let moves = std::fs::read_to_string(file.with_extension("moves")).unwrap();
        let (moves, clocks): (Vec<_>, Vec<_>) = moves
            .lines()
            .map(|line| line.split_once(' ').unwrap())
            .map(|(san, seconds)| (san, seconds.parse::<u64>().unwrap() * 1_000))
            .unzip();
        replays_as(&file.with_extension("capture"), &moves, Some(&clocks));
    }
}

#[test]
fn boards_on_one_line_are_listed_with_their_versions_clocks_and_positions() {
    let folder = tempfile::tempdir().unwrap();
    let ports = folder.path().join("ports");
    let link = Link::Pty { folder: ports.clone() };
    let options =
        HallOptions { boards: 5, bus: 5, speed: 1.0, seed: 44, games: Games::Random, link, ..HallOptions::default() };
    let mut hall = Hall::new(options).unwrap();
    hall.start();
    let output = boardcast(&["boards", "--port", ports.join("*").to_str().unwrap()]);
    let listed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && listed.contains("  a bus with 5 boards\n"), "{listed}");
    for board in hall.boards() {
        let text = listed.split_once(&format!("  board {}, firmware ", board.serial)).expect(&listed).1;
        let text = text.split("  board ").next().unwrap();
        assert!(text.contains("  clock     ") && text.contains("  position  ") && text.contains('/'), "{listed}");
    }
    hall.stop();
}

#[test]
fn a_real_capture_is_replayed_into_its_game() {
    let file = |ending| shared("a_real_capture_is_replayed_into_its_game", &format!("captures/blitz-real-1.{ending}"));
    let (Some(capture), Some(moves)) = (file("capture"), file("moves")) else { return };
    let moves = std::fs::read_to_string(moves).unwrap();
    let moves: Vec<_> = moves.split_whitespace().filter(|word| !word.ends_with('.') && *word != "*").collect();
    replays_as(&capture, &moves, None);
}

#[test]
fn what_is_wrong_is_said_in_one_sentence_with_the_place_and_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_string_lossy().into_owned()
    };

    let (code, says) = said(&boardcast(&["replay", "/nowhere/at-all.capture"]));
    assert!(code == 1 && says.contains("/nowhere/at-all.capture"), "{code}: {says}");

    let damaged = file("damaged.capture", "# boardcast-capture 1\n10 < 8e0005340g\n20 ! {\"end\":{}}\n");
    let output = boardcast(&["replay", "--events", &damaged]);
    let (code, says) = said(&output);
    let all = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(code == 1 && all.contains("line 2"), "{code}: {says}");

    let torn = file("torn.capture", "# boardcast-capture 1\n10 < 8e00053400\n20 < 8e000");
    assert_eq!(boardcast(&["replay", &torn]).status.code(), Some(0));

    let other = file("other.pgn", "[Event \"x\"]\n\n*\n");
    let (code, says) = said(&boardcast(&["replay", &other]));
    assert!(code == 1 && says.contains("not a capture file"), "{code}: {says}");

    let (code, says) = said(&boardcast(&["capture", "/dev/nothing-here"]));
    assert!(code == 1 && says.contains("/dev/nothing-here"), "{code}: {says}");

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, says) = said(&boardcast(&["demo", "--boards", "1", "--listen", &address]));
    assert!(code == 1 && says.contains(&address) && says.contains("--listen"), "{code}: {says}");

    let config = file("config.toml", "lisen = \"127.0.0.1:0\"\n");
    let (code, says) = said(&boardcast(&["run", "--config", &config]));
    let all = says.clone();
    assert!(code == 1 && all.contains("config.toml"), "{code}: {says}");

    assert_eq!(boardcast(&["demo", "--speed", "fast"]).status.code(), Some(2));
    assert_eq!(boardcast(&["no-such-command"]).status.code(), Some(2));
    assert_eq!(boardcast(&["--help"]).status.code(), Some(0));
}
