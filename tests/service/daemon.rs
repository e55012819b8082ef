//! `boardcast run` as a child process.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest that any fact is waited for, in real time.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// A child process; killed when dropped.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An address that is free now.
pub(crate) fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// The daemon without boards of this machine's own: a test must not read them.
pub(crate) fn command(data: &Path, address: SocketAddr) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardcast"));
    command.arg("run").arg("--data").arg(data).arg("--listen").arg(address.to_string());
    command.stdout(Stdio::null()).env("RUST_LOG", "error");
    command
}

/// What an address answers, as status and body; none while nothing answers.
pub(crate) fn get(address: SocketAddr, path: &str) -> Option<(u16, String)> {
    let mut socket = TcpStream::connect(address).ok()?;
    socket.set_read_timeout(Some(PATIENCE)).ok()?;
    write!(socket, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}

/// Waits until a fact holds, and gives what it found.
pub(crate) fn wait_for<T>(fact: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(Instant::now() < deadline, "this never came true: {fact}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
