//! A program that sends positions of boards over a socket, and what else may come over it.

use std::time::Duration;

use axum::Extension;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

struct Served {
    site: Site,
    address: std::net::SocketAddr,
    /// The operator, and programs with a key for sources and with one for something else.
    operator: Visitor,
    program: Visitor,
    other: Visitor,
}

/// A site with a source of each kind, on a port of this machine.
async fn served() -> Served {
    let (site, operator) = Site::with_round().await;
    let administrator = site.log_in(Role::Administrator).await;
    let folder = json!({ "name": "folder", "from": { "folder": { "path": site.folder.path() } } });
    for source in [json!({ "name": "hall-b", "from": "post" }), folder] {
        assert_eq!(site.post(&administrator, "/sources", source).await.status, 201);
    }
    let mut keys = Vec::new();
    for scope in ["feed", "watch"] {
        let key = json!({ "holder": scope, "opens": { "scopes": [scope] }, "hours": 5 });
        let answer = site.post(&operator, "/keys", key).await;
        keys.push(Visitor::key(answer.json()["key"].as_str().unwrap_or_else(|| panic!("{}", answer.body))));
    }
    let router = site.router.clone().layer(Extension(site.came_in));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    let other = keys.pop().unwrap();
    Served { site, address, operator, program: keys.pop().unwrap(), other }
}

impl Served {
    async fn open(&self, visitor: &Visitor, source: &str) -> Result<Socket, u16> {
        let url = format!("ws://{}{}/sources/{source}/socket", self.address, crate::admin::API);
        let mut request = url.into_client_request().unwrap();
        for (name, value) in &visitor.headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        match connect_async(request).await {
            Ok((socket, _)) => Ok(socket),
            Err(tungstenite::Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }
}

async fn answer(socket: &mut Socket, message: impl Into<Message>) -> Value {
    socket.send(message.into()).await.unwrap();
    loop {
        let answer = tokio::time::timeout(Duration::from_mins(1), socket.next()).await.expect("an answer");
        match answer.unwrap().unwrap() {
            Message::Ping(_) => {}
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn positions_over_the_socket_reach_the_boards_that_posted_ones_reach() {
    let hall = served().await;
    let mut socket = hall.open(&hall.program, "hall-b").await.unwrap();
    let position = json!({ "fen": START, "white_s": 5400, "black_s": 5400, "running": "white" });
    let posted = hall.site.post(&hall.program, "/sources/hall-b/boards/7", position.clone()).await;
    let serial = posted.json()["board"].clone();
    let mut message = position;
    let mut serials = Vec::new();
    for board in [7, 8, 7] {
        message["board"] = json!(board);
        let told = answer(&mut socket, message.to_string()).await;
        assert_eq!((&told["board"], &told["error"]), (&json!(board), &Value::Null), "{told}");
        serials.push(told["serial"].clone());
    }
    assert_eq!((&serials[0], &serials[2]), (&serial, &serial));
    assert_ne!(serials[1], serial);
    // The source is removed while the program goes on.
    let administrator = hall.site.log_in(Role::Administrator).await;
    assert_eq!(hall.site.ask(&administrator, Method::DELETE, "/sources/hall-b", None).await.status, 204);
    let told = answer(&mut socket, message.to_string()).await;
    assert_eq!(told, json!({ "board": 7, "error": "There is no such source." }));
}

#[tokio::test]
async fn only_a_key_for_sources_opens_it() {
    let hall = served().await;
    for (visitor, source, status) in [
        (&Visitor::default(), "hall-b", 401),
        (&Visitor::key("rubbish"), "hall-b", 401),
        (&hall.other, "hall-b", 403),
        (&hall.program, "none", 404),
        (&hall.program, "folder", 409),
        (&hall.operator.clone().with("origin", "https://other.example"), "hall-b", 403),
    ] {
        assert_eq!(hall.open(visitor, source).await.err(), Some(status), "{source}");
    }
    let plain = hall.site.get(&hall.program, "/sources/hall-b/socket").await.problem(426);
    assert!(plain.contains("WebSocket"), "{plain}");
    let mut open = Vec::new();
    while let Ok(socket) = hall.open(&hall.program, "hall-b").await {
        open.push(socket);
        assert!(open.len() <= 16);
    }
    assert_eq!(open.len(), 16, "one key has this many");
    // A place is free again when a program leaves.
    open.pop().unwrap().close(None).await.unwrap();
    let began = std::time::Instant::now();
    while hall.open(&hall.program, "hall-b").await.is_err() {
        assert!(began.elapsed() < Duration::from_mins(1), "the place is taken");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn rubbish_is_answered_with_a_sentence_and_ends_the_socket_when_it_goes_on() {
    let hall = served().await;
    let mut socket = hall.open(&hall.program, "hall-b").await.unwrap();
    let long = format!(r#"{{"board":7,"fen":"{}"}}"#, "8/".repeat(1000));
    for (message, board, words) in [
        (Message::text(""), None, "JSON object"),
        (Message::text("[1,2]"), None, "JSON object"),
        (Message::text(START), None, "JSON object"),
        (Message::text(r#"{"fen":"8/8/8/8/8/8/8/8"}"#), None, "number of the board"),
        (Message::text(r#"{"board":-1,"fen":"8/8/8/8/8/8/8/8"}"#), None, "number of the board"),
        (Message::text(r#"{"board":7}"#), Some(7), "missing field `fen`"),
        (Message::text(r#"{"board":7,"fen":"x","colour":"red"}"#), Some(7), "unknown field `colour`"),
        (Message::text(r#"{"board":7,"fen":"8/8"}"#), Some(7), "eight ranks"),
        (Message::text(r#"{"board":7,"fen":"8/8/8/8/8/8/8/8","white_s":1}"#), Some(7), "times of both sides"),
        (Message::text(long), None, "1024 bytes"),
        (Message::binary(vec![0, 255, 3]), None, "as text"),
    ] {
        let told = answer(&mut socket, message).await;
        let sentence = told["error"].as_str().unwrap();
        assert!(sentence.contains(words), "{told}");
        assert_eq!(told["board"].as_u64(), board, "{told}");
    }
    for _ in 0..9 {
        answer(&mut socket, "rubbish").await;
    }
    loop {
        match socket.next().await {
            Some(Ok(Message::Close(Some(frame)))) => break assert!(frame.reason.contains("wrong messages"), "{frame}"),
            Some(Ok(Message::Ping(_))) => {}
            other => panic!("{other:?}"),
        }
    }
    // A message that is too large to be read ends its socket and nothing else.
    let mut socket = hall.open(&hall.program, "hall-b").await.unwrap();
    socket.send(Message::text("8/".repeat(50_000))).await.unwrap();
    while let Some(Ok(message)) = socket.next().await {
        assert!(!message.is_text(), "{message}");
    }
    hall.open(&hall.program, "hall-b").await.unwrap();
}
