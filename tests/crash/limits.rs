//! A limit of open files: raised as far as the system allows, and then clients never take what boards and journal need.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::{Daemon, Recipe};

/// What the process may open at most, in this test.
const HARD: usize = 300;

#[test]
fn requests_that_trickle_in_stop_neither_readers_nor_the_look_for_boards() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = Recipe::new(folder.path());
    std::fs::write(&recipe.pairings, "[White \"Adams\"]\n[Black \"Baker\"]\n\n*\n").unwrap();
    let mut command = Command::new("prlimit");
    command.arg(format!("--nofile=64:{HARD}")).arg(env!("CARGO_BIN_EXE_boardcast"));
    command.arg("run").arg("--data").arg(&recipe.data).arg("--pairings").arg(&recipe.pairings);
    command.arg("--port").arg(recipe.ports.join("*")).arg("--listen").arg(recipe.address.to_string());
    let command = command.env("RUST_LOG", "info").stdout(Stdio::null()).stderr(Stdio::piped());
    let Ok(child) = command.spawn() else {
        eprintln!("not tested: this system has no prlimit");
        return;
    };
    let mut daemon = Daemon(child);
    recipe.wait_until_ready();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", daemon.0.id())).unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap().to_owned();

    let head = "POST /api/v1/admin/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 90\r\n\r\n{";
    let trickling: Vec<_> = (0..2 * HARD)
        .filter_map(|_| {
            let mut socket = TcpStream::connect_timeout(&recipe.address, Duration::from_secs(1)).ok()?;
            socket.write_all(head.as_bytes()).ok()?;
            Some(socket)
        })
        .collect();
    // Longer than from one look for boards to the next.
    std::thread::sleep(Duration::from_secs(5));
    let begun = Instant::now();
    let answer = games(&recipe);
    let took = begun.elapsed();
    drop(trickling);
    daemon.kill();
    let mut log = String::new();
    daemon.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(answer.as_deref().is_some_and(|answer| answer.starts_with("HTTP/1.1 200 ")), "{answer:?}\n{log}");
    assert!(took < Duration::from_secs(2), "it took {took:?}\n{log}");
    assert!(!log.contains("panicked") && !log.contains("discovery failed"), "{log}");
    assert!(!log.contains("could not be accepted"), "{log}");
    assert_eq!(files.split_whitespace().nth(3), Some(HARD.to_string().as_str()), "{files}");
}

/// What the page of the games answers within a few seconds.
fn games(recipe: &Recipe) -> Option<String> {
    let mut socket = TcpStream::connect_timeout(&recipe.address, Duration::from_secs(5)).ok()?;
    socket.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    socket.write_all(b"GET /live.pgn HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).ok()?;
    Some(answer)
}
