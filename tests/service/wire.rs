//! Requests as anyone can send them: bytes on a socket.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use crate::daemon::PATIENCE;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// A header's value; empty without it.
    pub(crate) fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next().unwrap_or_default()
    }
}

/// Sends a request as it is and reads until the end; none when the connection just ends.
pub(crate) fn exchange(mut socket: impl Read + Write, request: &[u8]) -> Option<Answer> {
    // A server that refuses early does not read the rest.
    let _ = socket.write_all(request);
    let mut all = Vec::new();
    let _ = socket.read_to_end(&mut all);
    let all = String::from_utf8_lossy(&all).into_owned();
    let (head, body) = all.split_once("\r\n\r\n")?;
    Some(Answer { status: head.split(' ').nth(1)?.parse().ok()?, head: head.to_owned(), body: body.to_owned() })
}

/// The same over a new connection.
pub(crate) fn send(address: SocketAddr, request: &str) -> Option<Answer> {
    let socket = TcpStream::connect(address).ok()?;
    socket.set_read_timeout(Some(PATIENCE)).ok()?;
    exchange(socket, request.as_bytes())
}

/// A request with further header lines, as `Host: x`; the connection ends after it.
pub(crate) fn request(method: &str, path: &str, lines: &[&str], body: &str) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !lines.iter().any(|line| line.starts_with("Host:")) {
        text += "Host: localhost\r\n";
    }
    for line in lines {
        text += line;
        text += "\r\n";
    }
    if !body.is_empty() {
        text.extend(["Content-Type: application/json\r\nContent-Length: ", &body.len().to_string(), "\r\n"]);
    }
    text + "\r\n" + body
}
