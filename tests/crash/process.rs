//! `boardcast run` as a child process, and what a visitor can fetch from it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use notation::pgn::{Game, read_games};

/// The longest that any fact is waited for, in real time.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// A program of the package.
pub(crate) fn boardcast() -> Command {
    Command::new(env!("CARGO_BIN_EXE_boardcast"))
}

/// Runs a command over a data folder; exit code and what was said.
pub(crate) fn said(command: &[&str], data: &Path) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } =
        boardcast().args(command).arg("--data").arg(data).env("RUST_LOG", "error").output().unwrap();
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

/// How the daemon is started each time.
pub(crate) struct Recipe {
    pub(crate) address: SocketAddr,
    pub(crate) data: PathBuf,
    pub(crate) ports: PathBuf,
    pub(crate) pairings: PathBuf,
}

impl Recipe {
    /// A recipe for a hall whose ports and pairings are in a folder, and an address that is free now.
    pub(crate) fn new(folder: &Path) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        Self {
            address: free.local_addr().unwrap(),
            data: folder.join("data"),
            ports: folder.join("ports"),
            pairings: folder.join("pairings.pgn"),
        }
    }

    pub(crate) fn start(&self) -> Daemon {
        self.start_as(boardcast())
    }

    /// Starts this program, which takes the arguments of `boardcast`.
    pub(crate) fn start_as(&self, command: Command) -> Daemon {
        self.start_as_logging(command, "error")
    }

    /// The same with a log from this level on, unless the environment names one.
    pub(crate) fn start_as_logging(&self, mut command: Command, level: &str) -> Daemon {
        command
            .arg("run")
            .arg("--assign-by-serial")
            .arg("--data")
            .arg(&self.data)
            .arg("--pairings")
            .arg(&self.pairings);
        command.arg("--port").arg(self.ports.join("*")).arg("--listen").arg(self.address.to_string());
        let log = std::env::var("RUST_LOG").unwrap_or_else(|_| level.into());
        Daemon(command.env("RUST_LOG", log).stdout(Stdio::null()).spawn().unwrap())
    }

    /// What an address answers with 200; nothing while the daemon does not answer.
    pub(crate) fn get(&self, path: &str) -> Option<String> {
        let mut socket = TcpStream::connect(self.address).ok()?;
        socket.set_read_timeout(Some(PATIENCE)).ok()?;
        write!(socket, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
        let mut answer = String::new();
        socket.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let told: usize =
            head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok())?;
        (head.split(' ').nth(1)? == "200" && told == body.len()).then(|| body.to_owned())
    }

    /// The games of an address.
    pub(crate) fn games(&self, path: &str) -> Option<Vec<Game>> {
        Some(read_games(&self.get(path)?).map(Result::unwrap).collect())
    }

    /// Waits until the daemon answers.
    pub(crate) fn wait_until_ready(&self) {
        wait_for("the daemon answers", || self.get("/health").is_some());
    }
}

/// A running daemon; killed when dropped.
pub(crate) struct Daemon(pub(crate) Child);

impl Daemon {
    /// As a power switch would: no signal that could be handled.
    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until a fact holds; whether it came true.
pub(crate) fn in_time(holds: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if holds() {
            return true;
        }
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until a fact holds.
pub(crate) fn wait_for(fact: &str, holds: impl Fn() -> bool) {
    assert!(in_time(holds), "this never came true: {fact}");
}
