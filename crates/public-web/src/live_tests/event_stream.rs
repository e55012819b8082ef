//! The live feed as server-sent events, read as a browser reads them.

use tokio::io::{AsyncBufReadExt, BufReader};

use super::*;

/// A browser's `EventSource`.
struct Source {
    lines: BufReader<TcpStream>,
    /// The id that it would send when it reconnects.
    last_id: String,
}

impl Source {
    async fn open(server: &Server, query: &str, last_id: Option<&str>) -> Self {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let again = last_id.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        let request = format!(
            "GET /api/v1/live{query} HTTP/1.1\r\nHost: hall\r\nAccept: text/event-stream\r\nCache-Control: no-cache\r\n{again}\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut source = Self { lines: BufReader::new(stream), last_id: String::new() };
        let mut head = Vec::new();
        loop {
            match source.line().await {
                line if line.is_empty() => break,
                line => head.push(line.to_ascii_lowercase()),
            }
        }
        assert_eq!(head[0], "http/1.1 200 ok");
        assert!(head.contains(&"content-type: text/event-stream".to_owned()), "{head:?}");
        assert!(head.contains(&"access-control-allow-origin: *".to_owned()), "{head:?}");
        source
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        let read = tokio::time::timeout(PATIENCE, self.lines.read_line(&mut line)).await.expect("something comes");
        assert!(read.unwrap() > 0, "the connection lasts");
        line.trim_end().to_owned()
    }

    /// The next message: lines up to an empty one.
    async fn message(&mut self) -> Value {
        let mut data = String::new();
        loop {
            let line = self.line().await;
            match line.split_once(": ") {
                Some(("id", id)) => id.clone_into(&mut self.last_id),
                Some(("data", text)) => data.push_str(text),
                None if line.is_empty() => return serde_json::from_str(&data).unwrap(),
                _ => panic!("{line}"),
            }
        }
    }
}

#[tokio::test]
async fn a_browser_gets_the_same_messages_without_a_socket_of_its_own_kind() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 1, &[("White", "Polgár, Judit")]);
    let mut socket = server.watch("").await;
    let mut source = Source::open(&server, "", None).await;
    let (one, other) = (json(&mut socket).await, source.message().await);
    assert_eq!(one["snapshot"]["games"], other["snapshot"]["games"]);
    let stream = one["snapshot"]["stream"].as_str().unwrap().to_owned();
    assert_eq!(source.last_id, format!("{stream}:1"));
    server.hall.play("a", 1);
    assert_eq!(source.message().await, whole(&mut socket).await);
    assert_eq!(source.last_id, format!("{stream}:2"));
    let id = source.last_id.clone();
    drop(source);
    server.hall.play("a", 2);
    let mut back = Source::open(&server, "", Some(&id)).await;
    assert_eq!(back.message().await["resumed"]["seq"], 2);
    let mut numbers = Vec::new();
    while numbers.len() < 2 {
        numbers.extend(back.message().await["events"].as_array().unwrap().iter().map(seq));
    }
    assert_eq!(numbers, [3, 4]);
    for useless in ["", "nothing", ":", "hall:x"] {
        let mut fresh = Source::open(&server, "?games=a", Some(useless)).await;
        assert_eq!(fresh.message().await["snapshot"]["seq"], 4, "{useless}");
    }
}

#[tokio::test]
async fn a_connection_that_was_used_before_becomes_a_feed_and_ends_with_its_reader() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 1, &[]);
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let requests = "GET /live.pgn HTTP/1.1\r\nHost: hall\r\n\r\nGET /health HTTP/1.1\r\nHost: hall\r\n\r\n\
                    GET /api/v1/live HTTP/1.1\r\nHost: hall\r\nAccept: text/html, text/event-stream;q=0.9\r\n\r\n";
    stream.write_all(requests.as_bytes()).await.unwrap();
    let mut read = String::new();
    while !read.contains("data: {\"snapshot\"") {
        let mut piece = [0; 1024];
        let count = tokio::time::timeout(PATIENCE, stream.read(&mut piece)).await.unwrap().unwrap();
        assert!(count > 0, "{read}");
        read.push_str(&String::from_utf8_lossy(&piece[..count]));
    }
    assert_eq!(read.matches("HTTP/1.1 200 OK").count(), 3, "{read}");
    // Whatever a reader says is not listened to.
    let _ = stream.write_all(b"GET / HTTP/1.1\r\n\r\n\x00\xff").await;
    server.viewers(1).await;
    drop(stream);
    server.viewers(0).await;
}

#[tokio::test]
async fn readers_hear_heartbeats_and_the_end_of_the_daemon() {
    let beat_every = Duration::from_millis(60);
    let server = Server::open(hub::Limits { beat_every, ..hub::Limits::default() }, Limits::default()).await;
    server.hall.start_game("a", 1, 1, &[]);
    let mut source = Source::open(&server, "", None).await;
    assert!(source.message().await["snapshot"].is_object());
    for _ in 0..5 {
        // It answers nothing, and is not taken for dead.
        assert_eq!(source.message().await["heartbeat"]["seq"], 1);
    }
    server.shutdown.cancel();
    let mut rest = String::new();
    let read = tokio::time::timeout(PATIENCE, source.lines.read_to_string(&mut rest)).await.expect("it ends");
    read.unwrap();
}
