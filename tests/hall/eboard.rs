//! Programs and pages that know LiveChess use the boards of the hall.

use board_sim::{Games, HallOptions};
use boardcast::app::EboardSettings;
use boardcast::eboard::Access;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::daemon::{Daemon, PATIENCE};

/// Plies that are followed.
const PLIES: usize = 12;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A client as the page of lichess.org for boards is one: one socket, calls numbered from 1.
#[derive(Debug)]
struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// What stands on the board after these moves.
fn placement_after(sans: &[String]) -> String {
    let play = |position: Chess, san: &String| {
        let mv = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
        position.play(mv).unwrap()
    };
    sans.iter().fold(Chess::default(), play).board().board_fen().to_string()
}

async fn connect(address: SocketAddr, origin: Option<&str>) -> Result<Client, u16> {
    let mut request = format!("ws://{address}/api/v1.0").into_client_request().unwrap();
    if let Some(origin) = origin {
        request.headers_mut().insert("Origin", origin.parse().unwrap());
    }
    match connect_async(request).await {
        Ok((socket, _)) => Ok(Client { socket }),
        Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => Err(answer.status().as_u16()),
        Err(other) => panic!("{other}"),
    }
}

impl Client {
    async fn send(&mut self, text: impl Into<String>) {
        self.socket.send(Message::text(text.into())).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("a message").unwrap().unwrap();
        let value: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
        assert!(value["time"].is_u64(), "{value}");
        value
    }

    async fn call(&mut self, call: Value) -> Value {
        self.send(call.to_string()).await;
        self.receive().await
    }
}

fn free_address() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

async fn hall(options: HallOptions) -> (Daemon, SocketAddr) {
    let listen = free_address();
    let open = EboardSettings { listen, access: Access::default() };
    (Daemon::start_with(options, |settings| settings.eboard = Some(open)).await, listen)
}

/// The list once it has so many boards with a position.
async fn boards(client: &mut Client, count: usize) -> Vec<Value> {
    loop {
        let list = client.call(json!({"call": "eboards", "id": 1, "param": null})).await;
        assert_eq!((&list["response"], &list["id"]), (&json!("call"), &json!(1)));
        let boards = list["param"].as_array().unwrap().clone();
        if boards.iter().filter(|board| board["board"].is_string()).count() == count {
            return boards;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_sets_up_the_start_gets_the_moves_that_are_played() {
    let options = HallOptions { boards: 2, speed: 4.0, seed: 11, games: Games::Random, ..HallOptions::default() };
    let (daemon, address) = hall(options).await;
    let mut client = connect(address, Some("https://lichess.org")).await.expect("lichess.org is known");
    let list = boards(&mut client, 2).await;
    let board = &list[0];
    assert_eq!((&board["state"], &board["flipped"]), (&json!("ACTIVE"), &json!(false)));
    let serial = board["serialnr"].as_str().unwrap().to_owned();

    let subscribe = json!({"call": "subscribe", "id": 2, "param":
        {"feed": "eboardevent", "id": 1, "param": {"serialnr": serial}}});
    let confirmed = client.call(subscribe).await;
    assert_eq!((&confirmed["response"], &confirmed["param"]), (&json!("call"), &Value::Null));
    let first = client.receive().await;
    assert_eq!((&first["response"], &first["id"]), (&json!("feed"), &json!(1)));
    assert_eq!(first["param"]["board"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    assert!(first["param"].get("clock").is_some() && first["param"].get("san").is_none(), "{first}");

    let set_up = json!({"call": "call", "id": 3, "param": {"id": 1, "method": "setup", "param": {"fen": START}}});
    client.send(set_up.to_string()).await;
    daemon.hall.start();
    let (mut sans, mut clocks) = (Vec::<String>::new(), 0);
    while sans.len() < PLIES {
        let message = client.receive().await;
        if message["response"] == "call" {
            continue;
        }
        let change = &message["param"];
        assert_eq!(change["serialnr"], serial.as_str());
        if let Some(clock) = change.get("clock") {
            assert!(clock["white"].is_u64() && clock["black"].is_u64() && clock.get("run").is_some(), "{clock}");
            clocks += 1;
        }
        if let Some(list) = change["san"].as_array() {
            sans = list.iter().map(|san| san.as_str().unwrap().to_owned()).collect();
        }
        if let Some(board) = change["board"].as_str().filter(|_| change.get("match").is_some()) {
            assert_eq!(change["match"], json!(placement_after(&sans) == board), "{change}");
        }
    }
    let published = loop {
        if let Some((_, game)) = daemon.pgn(1, 1).filter(|(_, game)| game.sans.len() >= sans.len()) {
            break game.sans;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(sans, published[..sans.len()]);
    assert!(clocks >= PLIES / 2, "only {clocks} readings of the clock");
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_and_rubbish_are_refused_and_disturb_nobody() {
    let (daemon, address) = hall(HallOptions { boards: 1, ..HallOptions::default() }).await;
    assert_eq!(connect(address, Some("https://evil.example")).await.err(), Some(403));
    assert_eq!(connect(address, Some("null")).await.err(), Some(403));
    let mut client = connect(address, None).await.expect("a program on this machine");
    let board = boards(&mut client, 1).await.remove(0);

    for rubbish in ["", "not JSON", "[]", "{}", r#"{"call":7,"id":1}"#, &"[".repeat(5000)] {
        client.send(rubbish).await;
    }
    let unknown = client.call(json!({"call": "format", "id": "seven"})).await;
    assert_eq!((&unknown["response"], &unknown["id"]), (&json!("error"), &json!("seven")), "{unknown}");
    for (param, says) in [
        (json!({"feed": "eboardevent", "id": 1, "param": {"serialnr": "none"}}), "no such board"),
        (json!({"feed": "liveviewer", "id": 1, "param": {"serialnr": board["serialnr"]}}), "no such feed"),
        (json!(null), "needs feed"),
    ] {
        let refused = client.call(json!({"call": "subscribe", "id": 4, "param": param})).await;
        assert!(refused["param"]["message"].as_str().unwrap().contains(says), "{refused}");
    }
    let feed = json!({"feed": "eboardevent", "id": 9, "param": {"serialnr": board["serialnr"]}});
    client.call(json!({"call": "subscribe", "id": 5, "param": feed})).await;
    assert_eq!(client.receive().await["id"], 9);
    let wrong = json!({"id": 9, "method": "setup", "param": {"fen": "8/8"}});
    let refused = client.call(json!({"call": "call", "id": 6, "param": wrong})).await;
    assert!(refused["param"]["message"].as_str().unwrap().starts_with("This is not a position"), "{refused}");
    let ended = client.call(json!({"call": "unsubscribe", "id": 7, "param": {"id": 9}})).await;
    assert_eq!(ended["response"], "call");

    // Too long a message ends this client; another one is served as before.
    let _ = client.socket.send(Message::text("x".repeat(100_000))).await;
    let mut other = connect(address, None).await.expect("the socket still serves");
    assert_eq!(boards(&mut other, 1).await.len(), 1);
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_reads_nothing_does_not_hold_up_the_stop() {
    let (daemon, address) = hall(HallOptions { boards: 1, ..HallOptions::default() }).await;
    let mut client = connect(address, None).await.expect("a program on this machine");
    let call = json!({ "call": "eboards", "id": "x".repeat(10_000), "param": null }).to_string();
    // Until the daemon takes no further call, as none of its answers is read.
    while timeout(Duration::from_millis(500), client.socket.send(Message::text(call.clone()))).await.is_ok() {}
    // Otherwise an error: the daemon waits for all that can ask its director.
    daemon.stop().await;
    drop(client);
}
