//! The log tells of failed logins, and never a password that was typed as a name.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use crate::process::{Recipe, boardcast};

#[test]
fn a_failed_login_is_logged_without_what_was_typed() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = Recipe::new(folder.path());
    std::fs::write(&recipe.pairings, "[White \"Adams\"]\n[Black \"Baker\"]\n\n*\n").unwrap();
    let mut command = boardcast();
    command.stderr(Stdio::piped());
    let mut daemon = recipe.start_as_logging(command, "warn");
    recipe.wait_until_ready();
    let body = r#"{"name":"secret typed as a name","password":"wrong password"}"#;
    let mut socket = TcpStream::connect(recipe.address).unwrap();
    write!(
        socket,
        "POST /api/v1/admin/session HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        recipe.address.port(),
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    daemon.kill();
    let mut log = String::new();
    daemon.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("a login failed"), "{log}");
    assert!(!log.contains("secret typed") && !log.contains("wrong password"), "{log}");
}
