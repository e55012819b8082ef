//! The program as a person meets it: what it prints, what it says when something is wrong, and how it exits.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

fn boardcast(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_boardcast")).args(args).env("RUST_LOG", "error").output().unwrap()
}

/// Exit code and the last line on standard error.
fn said(output: &Output) -> (i32, String) {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap(), errors.trim_end().lines().last().unwrap_or("").to_owned())
}

fn shared(path: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    let found = path.exists().then(|| path.to_string_lossy().into_owned());
    if found.is_none() {
        println!("skipped: {} is not there", path.display());
    }
    found
}

#[test]
fn a_real_capture_is_replayed_into_its_game() {
    let (Some(capture), Some(moves)) = (shared("captures/blitz-real-1.capture"), shared("captures/blitz-real-1.moves"))
    else {
        return;
    };
    let output = boardcast(&["replay", &capture, "--pgn"]);
    assert!(output.status.success());
    let pgn = String::from_utf8(output.stdout).unwrap();
    let game = notation::pgn::read_games(&pgn).next().unwrap().unwrap();
    let expected = std::fs::read_to_string(moves).unwrap();
    let expected: Vec<_> = expected.split_whitespace().filter(|t| !t.ends_with('.') && *t != "*").collect();
    assert_eq!(game.line().map(|ply| ply.san.to_string()).collect::<Vec<_>>(), expected);
    assert!(game.line().all(|ply| ply.times().clk_ms.is_some()));

    let events = String::from_utf8(boardcast(&["replay", &capture, "--events"]).stdout).unwrap();
    let events: Vec<serde_json::Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.iter().filter(|event| event["event"] == "move").count(), 57);
    assert!(!events.iter().any(|event| event["event"] == "retract"));
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
