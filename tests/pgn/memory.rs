//! A file of any length takes the memory of a game, not that of the file.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Most memory that a command over a stream of games may hold, the program's own text aside.
const MOST_BYTES: u64 = 20 << 20;
/// What is fed: several times as much.
const FED_BYTES: usize = 48 << 20;

#[test]
fn a_long_file_of_games_takes_little_memory() {
    let remark = "a long remark on the opening ".repeat(2_000);
    let game = format!("[Event \"City Open\"]\n\n1. e4 {{{remark}}} e5 2. Nf3 {{{remark}}} Nc6 *\n\n");
    for command in ["check", "clean"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_boardcast"))
            .args(["pgn", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut input = program.stdin.take().expect("a pipe");
        for _ in 0..FED_BYTES / game.len() {
            input.write_all(game.as_bytes()).expect("the program reads");
        }
        // All but what a pipe holds has been read now, and the program is still there.
        match fs::read_to_string(format!("/proc/{}/status", program.id())) {
            Ok(status) => {
                let held = held_bytes(&status).expect("Linux tells the memory that is held");
                assert!(held < MOST_BYTES, "pgn {command} holds {held} bytes");
            }
            Err(error) => println!("skipped: memory is measured on Linux only ({error})"),
        }
        drop(input);
        assert!(program.wait().expect("the program ends").success());
    }
}

/// The memory that a process holds without what it shares with files: the text of an unoptimised program is large.
fn held_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
