//! Sockets that the service manager opened, by the program that systemd has for trying them.

use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::daemon::{Process, free_address, get, wait_for};
use crate::skipped;

#[test]
fn the_daemon_serves_on_a_socket_that_was_opened_before() {
    if Command::new("systemd-socket-activate").arg("--version").output().is_err() {
        return skipped("socket activation: systemd-socket-activate is not here (Debian package systemd)");
    }
    let folder = tempfile::tempdir().unwrap();
    let (address, other) = (free_address(), free_address());
    let mut activate = Command::new("systemd-socket-activate");
    activate.args(["--listen", &address.to_string(), "--fdname", "pages", env!("CARGO_BIN_EXE_boardcast"), "run"]);
    activate.arg("--data").arg(folder.path().join("data")).args(["--listen", &other.to_string()]);
    let _daemon = Process(activate.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    // The first request starts the daemon.
    wait_for("the daemon answers", || get(address, "/health").filter(|(status, _)| *status == 200));
    assert!(get(other, "/health").is_none(), "the address of the setting is not used beside it");
}

#[test]
fn a_socket_of_another_name_is_refused_with_the_remedy() {
    if Command::new("systemd-socket-activate").arg("--version").output().is_err() {
        return skipped("socket activation: systemd-socket-activate is not here (Debian package systemd)");
    }
    let folder = tempfile::tempdir().unwrap();
    let address = free_address();
    let mut activate = Command::new("systemd-socket-activate");
    activate.args(["--listen", &address.to_string(), "--fdname", "web", env!("CARGO_BIN_EXE_boardcast"), "run"]);
    activate.arg("--data").arg(folder.path().join("data"));
    let mut daemon = Process(activate.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap());
    // Asked again until the end: the first connection may have met the copy of a free address' listener that a child
    // process of another test had until it ran its program, and then nothing would ever start this daemon.
    let status = wait_for("the daemon refuses the socket", || {
        let _ = TcpStream::connect(address);
        daemon.0.try_wait().unwrap()
    });
    let said = std::io::read_to_string(daemon.0.stderr.take().unwrap()).unwrap();
    assert!(said.contains("FileDescriptorName=pages or https"), "{said}");
    assert_eq!(status.code(), Some(1));
}
