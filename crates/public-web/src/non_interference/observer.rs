//! Everything that the public can see of a hall: every address in every form, with and without the framework, and what live
//! viewers receive.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use evaluations::Evaluations;
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use tower::ServiceExt;

use super::PATIENCE;
use super::halls::Site;

/// Games that are there or might be.
const IDS: [&str; 6] = ["g1", "g2", "g3", "h1", "h2", "g9"];

const LONG_AGO: &str = "Sun, 01 Nov 2026 00:00:00 GMT";

/// A live viewer.
pub(super) struct Viewer {
    line: Line,
    /// What it received since that was captured, events one by one: how many come together depends on the machine.
    received: Vec<String>,
    /// The stream and number of the last message.
    pub(super) last: (String, u64),
    /// Whether a snapshot was among what it received since that was captured.
    began_anew: bool,
}

#[expect(clippy::large_enum_variant, reason = "a test has few of them")]
enum Line {
    Socket(WebSocketStream<tokio::net::TcpStream>),
    Events(TcpStream, Vec<u8>),
}

impl Viewer {
    fn new(line: Line) -> Self {
        Self { line, received: Vec::new(), last: (String::new(), 0), began_anew: false }
    }

    /// By a WebSocket; none when what it asks for is not there.
    pub(super) fn connect(runtime: &Runtime, address: SocketAddr, query: &str) -> Option<Self> {
        let url = format!("ws://{address}/api/v1/live{query}");
        let socket = runtime.block_on(async {
            let stream = tokio::net::TcpStream::connect(address).await.unwrap();
            client_async(url, stream).await.ok()
        });
        Some(Self::new(Line::Socket(socket?.0)))
    }

    /// By server-sent events; none when what it asks for is not there.
    pub(super) fn read_events(address: SocketAddr, query: &str) -> Option<Self> {
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!("GET /api/v1/live{query} HTTP/1.1\r\nHost: hall\r\nAccept: text/event-stream\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.extend(byte);
        }
        stream.set_nonblocking(true).unwrap();
        head.starts_with(b"HTTP/1.1 200 ").then(|| Self::new(Line::Events(stream, Vec::new())))
    }

    /// What it received since the last call. Which events come before a snapshot, in it, and after it depends on the machine, and
    /// what it holds is captured by requests: then only its stream and the last number count.
    fn captured(&mut self) -> String {
        let received = std::mem::take(&mut self.received).join("\n");
        if std::mem::take(&mut self.began_anew) { format!("snapshot, up to {:?}", self.last) } else { received }
    }

    /// Takes what arrived up to now; for server-sent events after the sockets, whose answers show that all was sent.
    fn receive(&mut self, runtime: &Runtime) {
        let texts = match &mut self.line {
            Line::Socket(socket) => runtime.block_on(frames(socket)),
            Line::Events(stream, begun) => events(stream, begun),
        };
        for text in texts {
            let mut json: Value = serde_json::from_str(&text).unwrap();
            if let Some(stream) = json["snapshot"]["stream"].as_str() {
                self.last = (stream.to_owned(), json["snapshot"]["seq"].as_u64().unwrap());
                self.began_anew = true;
            }
            match json["events"].take() {
                Value::Array(events) => {
                    self.last.1 = events.last().and_then(|event| event["seq"].as_u64()).unwrap();
                    self.received.extend(events.iter().map(Value::to_string));
                }
                _ => self.received.push(text),
            }
        }
    }
}

/// What a socket received up to now.
async fn frames(socket: &mut WebSocketStream<tokio::net::TcpStream>) -> Vec<String> {
    let mut texts = Vec::new();
    // Two answers: what was released before the first question is there before the second answer.
    for question in 0..2_u8 {
        if socket.send(Message::Ping(vec![question].into())).await.is_err() {
            return texts;
        }
        loop {
            let next = tokio::time::timeout(PATIENCE, socket.next()).await.expect("the hub answers");
            match next {
                Some(Ok(Message::Pong(answer))) if answer[..] == [question] => break,
                Some(Ok(Message::Text(text))) => texts.push(text.to_string()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return texts,
            }
        }
    }
    texts
}

/// The messages that arrived completely, without their ids.
fn events(stream: &mut TcpStream, begun: &mut Vec<u8>) -> Vec<String> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => begun.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => panic!("{error}"),
        }
    }
    let mut texts = Vec::new();
    while let Some(end) = begun.windows(2).position(|two| two == b"\n\n") {
        let message = String::from_utf8(begun.drain(..end + 2).collect()).unwrap();
        texts.extend(message.lines().filter_map(|line| line.strip_prefix("data: ")).map(str::to_owned));
    }
    assert!(begun.is_empty(), "half a message");
    texts
}

impl Site {
    /// Every public byte at this moment.
    pub(super) fn captured(&mut self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        // What was asked for is evaluated now: how long the engine takes depends on the machine.
        for id in IDS {
            self.by_framework(&evaluations_of(id), ("accept-encoding", "identity"));
        }
        let engine = self.web.as_ref().and_then(|web| web.evaluations.as_ref());
        engine.into_iter().for_each(Evaluations::settle);
        for path in paths() {
            for (name, value) in
                [("accept-encoding", "identity"), ("accept-encoding", "gzip"), ("if-modified-since", LONG_AGO)]
            {
                let answer = self.by_framework(&path, (name, value));
                all.push((format!("{path} {value}"), answer));
            }
        }
        let files: Vec<_> =
            paths().into_iter().filter(|path| Path::new(path).extension().is_some_and(|end| end == "pgn")).collect();
        all.push(("files on one connection".into(), self.by_socket(&files)));
        self.receive();
        for (index, viewer) in self.viewers.iter_mut().enumerate() {
            all.push((format!("viewer {index}"), viewer.captured()));
        }
        all
    }

    /// The answer of the framework, without a socket.
    fn by_framework(&self, path: &str, (name, value): (&str, &str)) -> String {
        let request = Request::builder().uri(path).header(name, value).body(Body::empty()).unwrap();
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.unwrap();
            let (parts, body) = response.into_parts();
            let bytes = to_bytes(body, usize::MAX).await.unwrap();
            let text =
                if value == "gzip" { format!("{bytes:?}") } else { String::from_utf8_lossy(&bytes).into_owned() };
            format!("{:?} {:?} {text}", parts.status, parts.headers)
        })
    }

    /// The bytes of the answers over a connection, without their dates.
    fn by_socket(&self, paths: &[String]) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let get = |path: &String| format!("GET {path} HTTP/1.1\r\nHost: hall\r\nAccept-Encoding: gzip\r\n\r\n");
        let mut requests: String = paths.iter().map(get).collect();
        requests.push_str("GET /live.pgn HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n");
        stream.write_all(requests.as_bytes()).unwrap();
        let mut answers = Vec::new();
        stream.read_to_end(&mut answers).unwrap();
        let lines = answers.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"date: "));
        lines.map(|line| line.escape_ascii().to_string()).collect()
    }

    pub(super) fn receive(&mut self) {
        // Sockets first: their answers come after everything that the hub sent before.
        self.viewers.iter_mut().for_each(|viewer| {
            if matches!(viewer.line, Line::Socket(_)) {
                viewer.receive(&self.runtime);
            }
        });
        for viewer in self.viewers.iter_mut().filter(|viewer| matches!(viewer.line, Line::Events(..))) {
            viewer.receive(&self.runtime);
        }
    }
}

fn evaluations_of(id: &str) -> String {
    format!("/api/v1/games/{id}/evaluations")
}

/// Addresses of everything that is there or might be.
fn paths() -> Vec<String> {
    let mut paths: Vec<String> =
        ["/live.pgn", "/ascii/live.pgn", "/pgn/hall/live.pgn", "/pgn/hall/all.pgn", "/ascii/pgn/hall/all.pgn"]
            .map(str::to_owned)
            .into();
    for round in 1..=3 {
        paths.push(format!("/pgn/hall/round-{round}/games.pgn"));
        paths.push(format!("/pgn/hall/round-{round}/boards-1-2.pgn"));
        paths.push(format!("/api/v1/round?event=hall&round={round}"));
        paths.push(format!("/api/v1/sections/hall/rounds/{round}"));
        paths.push(format!("/api/v1/live?event=hall&round={round}"));
        paths.extend((1..=4).map(|table| format!("/pgn/hall/round-{round}/game-{table}.pgn")));
    }
    for id in IDS {
        paths.push(format!("/pgn/game/{id}.pgn"));
        paths.push(format!("/ascii/pgn/game/{id}.pgn"));
        paths.push(format!("/epd/game/{id}.epd"));
        paths.push(format!("/api/v1/games/{id}"));
        paths.push(evaluations_of(id));
        paths.push(format!("/game/{id}"));
        paths.push(format!("/embed/game/{id}"));
        paths.push(format!("/board/{id}.svg"));
        paths.push(format!("/board/{id}.png?size=64"));
    }
    let cloud = format!("/get/{}", publish::livechess::id_of("hall"));
    paths.push(format!("{cloud}/tournament.json"));
    paths.push(cloud.replace("/get/", "/meta/"));
    for round in 1..=2 {
        paths.push(format!("/embed/round/hall/{round}"));
        paths.push(format!("{cloud}/round-{round}/index.json"));
        paths.extend((1..=3).map(|game| format!("{cloud}/round-{round}/game-{game}.json")));
    }
    let others = [
        "/api/v1/sections",
        "/api/v1/sections/hall",
        "/api/v1/sections/hall/players",
        "/api/v1/sections/hall/standings",
        "/api/v1/sections/hall/standings.csv",
        "/api/v1/round",
        "/health",
        "/",
    ];
    paths.extend(others.map(str::to_owned));
    paths
}
