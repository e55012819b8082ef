//! The live feed and the accept loop over real sockets.

mod described;
mod event_stream;
mod topics;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use game_core::event::{Event, Side};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};
use tokio_util::sync::CancellationToken;

use super::{Limits, Served, Web, routes, serve};
use publish::hub::{self, HubHandle, Window};
use publish::test_hall::{Hall, section, tags};
use tournament::Fact;
use tournament::GameRef;

/// Longer than anything here takes; only a defect waits so long.
const PATIENCE: Duration = Duration::from_mins(1);

struct Server {
    hall: Arc<Hall>,
    hub: HubHandle,
    address: SocketAddr,
    shutdown: CancellationToken,
    serving: JoinHandle<()>,
}

/// A viewer's connection.
struct Socket {
    stream: WebSocketStream<TcpStream>,
    /// Events of a message that were not asked for yet.
    waiting: VecDeque<Value>,
}

impl Server {
    async fn open(hub_limits: hub::Limits, limits: Limits) -> Self {
        let hall = Arc::new(Hall::open(1.0));
        let (hub, _) = hub::start(hall.public.clone(), hall.clock, hub_limits).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let web = Arc::new(Web::new(
            hall.public.clone(),
            hub.clone(),
            hall.clock,
            |_| None,
            Box::new(|_, _| crate::HealthReport::well()),
        ));
        let served = Served::new(routes(&web).0).with_files(&web);
        let shutdown = CancellationToken::new();
        let closing = hub.clone();
        let closed = move || closing.close();
        let serving = tokio::spawn(serve(listener, served, limits, shutdown.clone(), closed));
        Self { hall, hub, address, shutdown, serving }
    }

    async fn usual() -> Self {
        Self::open(hub::Limits::default(), Limits::default()).await
    }

    async fn watch(&self, query: &str) -> Socket {
        let stream = TcpStream::connect(self.address).await.unwrap();
        self.shake_hands(stream, query).await.unwrap()
    }

    async fn shake_hands(&self, stream: TcpStream, query: &str) -> Result<Socket, Error> {
        let address = format!("ws://{}/api/v1/live{query}", self.address);
        client_async(address, stream).await.map(|(stream, _)| Socket { stream, waiting: VecDeque::new() })
    }

    /// Waits until the hub has this number of viewers.
    async fn viewers(&self, count: usize) {
        let settled = async {
            while self.hub.viewers() != count {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(PATIENCE, settled).await.expect("the number of viewers settles");
    }

    /// Plays on another thread, for the hall waits for the gate.
    fn play(&self, id: &'static str, plies: u32) -> JoinHandle<()> {
        let hall = Arc::clone(&self.hall);
        tokio::task::spawn_blocking(move || hall.play(id, plies))
    }
}

/// The next message that is not a ping.
async fn message(socket: &mut Socket) -> Message {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.stream.next()).await.expect("something comes");
        match message.expect("the connection lasts").expect("the frames are right") {
            Message::Ping(_) => (),
            message => return message,
        }
    }
}

/// The next message as JSON, heartbeats left out.
async fn whole(socket: &mut Socket) -> Value {
    loop {
        let json: Value = serde_json::from_str(message(socket).await.to_text().unwrap()).unwrap();
        if json.get("heartbeat").is_none() {
            return json;
        }
    }
}

/// The next event, or the next message that is none.
async fn json(socket: &mut Socket) -> Value {
    if socket.waiting.is_empty() {
        let mut message = whole(socket).await;
        match message["events"].take() {
            Value::Array(events) => socket.waiting.extend(events),
            _ => return message,
        }
    }
    socket.waiting.pop_front().expect("a message with events has one")
}

fn seq(event: &Value) -> u64 {
    event["seq"].as_u64().unwrap_or_else(|| panic!("an event: {event}"))
}

#[tokio::test]
async fn a_viewer_gets_a_snapshot_and_then_every_event() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 4, &[("White", "Polgár, Judit")]);
    server.hall.play("a", 3);
    let mut viewer = server.watch("").await;
    let snapshot = &json(&mut viewer).await["snapshot"];
    assert_eq!(snapshot["seq"], 4);
    assert_eq!(snapshot["delay_ms"], 0);
    assert_eq!(snapshot["speed"], 1.0);
    assert_eq!(snapshot["games"][0]["tags"]["White"], "Polgár, Judit");
    assert_eq!(snapshot["games"][0]["moves"].as_array().unwrap().len(), 3);

    server.hall.play("a", 1);
    server.hall.happen("a", Event::Retract { to_ply: 3 });
    server.hall.happen("a", Event::Unexplained { squares: vec!["e4".into()] });
    server.hall.happen("a", Event::Resolved);
    server.hall.start_game("b", 1, 5, &[("White", "Hou, Yifan")]);
    let played = json(&mut viewer).await;
    assert_eq!((&played["event"], &played["san"], seq(&played)), (&"move".into(), &"Ng8".into(), 5));
    assert_eq!(played["game"], "a");
    assert_eq!(played["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3");
    assert!(played["at"].as_u64() >= snapshot["at"].as_u64());
    assert_eq!(json(&mut viewer).await["to_ply"], 3);
    let waiting = json(&mut viewer).await;
    assert_eq!((&waiting["event"], &waiting["waiting"]), (&"waiting".into(), &true.into()));
    assert!(!waiting.to_string().contains("e4"), "squares are for arbiters");
    assert_eq!(json(&mut viewer).await["waiting"], false);
    let started = json(&mut viewer).await;
    assert_eq!((&started["event"], &started["board"]), (&"game_started".into(), &5.into()));
    assert_eq!(started["tags"]["White"], "Hou, Yifan");
}

#[tokio::test]
async fn a_viewer_that_resumes_at_any_number_gets_each_later_event_once() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 1, &[]);
    server.hall.play("a", 49);
    let mut first = server.watch("?round=1").await;
    let snapshot = json(&mut first).await;
    let stream = snapshot["snapshot"]["stream"].as_str().unwrap().to_owned();
    for since in 0..=50 {
        let mut viewer = server.watch(&format!("?stream={stream}&since={since}")).await;
        let resumed = json(&mut viewer).await;
        assert_eq!(resumed["resumed"]["stream"], stream, "{resumed}");
        assert_eq!(resumed["resumed"]["seq"], since);
        for expected in since + 1..=50 {
            assert_eq!(seq(&json(&mut viewer).await), expected);
        }
    }
    for useless in [format!("?stream={stream}&since=51"), "?stream=hall/1/older&since=7".into(), "?since=7".into()] {
        let mut viewer = server.watch(&useless).await;
        assert_eq!(json(&mut viewer).await["snapshot"]["seq"], 50, "{useless}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bad_line_does_not_lose_a_move_while_play_goes_on() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 1, &[]);
    let mut viewer = server.watch("").await;
    let stream = json(&mut viewer).await["snapshot"]["stream"].as_str().unwrap().to_owned();
    let play = server.play("a", 1_000);
    let mut seen = 1;
    // The connection breaks after 1, 2, 3, ... events.
    for stay in 1.. {
        for _ in 0..stay {
            if seen < 1_001 {
                seen += 1;
                assert_eq!(seq(&json(&mut viewer).await), seen);
            }
        }
        if seen == 1_001 {
            break;
        }
        viewer = server.watch(&format!("?stream={stream}&since={seen}")).await;
        assert_eq!(json(&mut viewer).await["resumed"]["seq"], seen);
    }
    play.await.unwrap();
}

#[tokio::test]
async fn a_new_round_takes_its_viewers_along() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 1, &[]);
    let mut follower = server.watch("").await;
    let mut stays = server.watch("?event=hall&round=1").await;
    let first = json(&mut follower).await["snapshot"]["stream"].clone();
    json(&mut stays).await;
    server.hall.start_game("b", 2, 1, &[]);
    server.hall.play("b", 1);
    server.hall.play("a", 1);
    let second = json(&mut follower).await["snapshot"].clone();
    assert_eq!(second["round"]["number"], 2);
    assert_ne!(second["stream"], first);
    let held = second["games"][0]["moves"].as_array().unwrap().len();
    if held == 0 {
        assert_eq!(json(&mut follower).await["game"], "b");
    }
    let stayed = json(&mut stays).await;
    assert_eq!((&stayed["game"], &stayed["event"]), (&"a".into(), &"move".into()));
    let refused = server.shake_hands(TcpStream::connect(server.address).await.unwrap(), "?round=3").await;
    assert!(matches!(refused, Err(Error::Http(answer)) if answer.status() == 404));
}

#[tokio::test]
async fn a_viewer_of_a_chosen_section_stays_and_the_others_follow_the_featured_one() {
    let server = Server::usual().await;
    server.hall.record(vec![section("women", "Women")], Vec::new());
    let mut follower = server.watch("").await;
    let mut stays = server.watch("?event=hall").await;
    assert_eq!(json(&mut follower).await["snapshot"]["event"]["slug"], "hall");
    let snapshot = json(&mut stays).await["snapshot"].clone();
    assert_eq!(snapshot["sections"].as_array().unwrap().len(), 2);
    let game = GameRef { game: "w".into(), event: "women".into(), round: 3, table: 11 };
    server.hall.start(&game, &[("White", "Young, Amy")]);
    loop {
        let snapshot = json(&mut follower).await["snapshot"].clone();
        if snapshot["event"]["slug"] == "women" && snapshot["round"]["number"] == 3 {
            break;
        }
    }
    server.hall.start_game("a", 1, 1, &[]);
    // The round of the game is renewed by its settings before the game begins in it.
    loop {
        let message = json(&mut stays).await;
        if message["event"] == "game_started" || message["snapshot"]["games"][0]["game"] == "a" {
            break;
        }
        assert_eq!(message["snapshot"]["event"]["slug"], "hall", "{message}");
    }
    let refused = server.shake_hands(TcpStream::connect(server.address).await.unwrap(), "?event=juniors").await;
    assert!(matches!(refused, Err(Error::Http(answer)) if answer.status() == 404));
}

#[tokio::test]
async fn a_withdrawn_game_leaves_every_screen_in_one_step() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    server.hall.start_game("b", 1, 2, &[]);
    let mut viewer = server.watch("").await;
    let first = json(&mut viewer).await["snapshot"].clone();
    assert_eq!(first["games"].as_array().unwrap().len(), 2);
    server.hall.record(vec![Fact::Withdrawn { game: "a".into(), withdrawn: true }], Vec::new());
    let without = json(&mut viewer).await["snapshot"].clone();
    assert_eq!(without["games"].as_array().unwrap().len(), 1);
    assert_ne!(without["stream"], first["stream"]);
    server.hall.play("a", 2);
    server.hall.play("b", 1);
    let told = json(&mut viewer).await;
    assert_eq!((&told["game"], seq(&told)), (&"b".into(), 3), "what is hidden has no number");
    // Who was away meanwhile cannot go on from what it has.
    let away = format!("?stream={}&since={}", first["stream"].as_str().unwrap(), first["seq"]);
    let mut back = server.watch(&away).await;
    assert!(!json(&mut back).await["snapshot"].to_string().contains("Adler"));
}

#[tokio::test]
async fn a_correction_says_that_more_belongs_to_it_and_a_changed_name_is_not_sent_again() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    server.hall.play("a", 1);
    let mut viewer = server.watch("").await;
    let stream = json(&mut viewer).await["snapshot"]["stream"].as_str().unwrap().to_owned();
    server.hall.next_instant();
    let right = Event::Move { ply: 1, san: "e4".into(), uci: "e2e4".into(), clk_ms: None, emt_ms: None };
    server.hall.record(Vec::new(), vec![("a", Event::Retract { to_ply: 0 }), ("a", right)]);
    assert_eq!(json(&mut viewer).await["more"], true);
    let last = json(&mut viewer).await;
    assert_eq!((&last["san"], &last["more"]), (&"e4".into(), &Value::Null));
    server.hall.next_instant();
    server.hall.happen("a", tags(&[("White", "A., I.")]));
    assert_eq!(json(&mut viewer).await["tags"]["White"], "A., I.");
    for since in 0..=3 {
        let mut back = server.watch(&format!("?stream={stream}&since={since}")).await;
        let told = json(&mut back).await;
        assert!(told["snapshot"].is_object() && !told.to_string().contains("Ida"), "since {since}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_viewer_gets_the_lost_numbers_and_delays_no_other() {
    let window = Window { frames: 64, bytes: 1024 * 1024 };
    let server = Server::open(
        hub::Limits { window, message_every: Duration::ZERO, ..hub::Limits::default() },
        Limits::default(),
    )
    .await;
    server.hall.start_game("a", 1, 1, &[]);
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut slow = server.shake_hands(socket.connect(server.address).await.unwrap(), "").await.unwrap();
    let mut quick = server.watch("").await;
    assert_eq!(json(&mut quick).await["snapshot"]["seq"], 1);

    // Far more than the system's buffers hold.
    let annotation = "x".repeat(10_000);
    for expected in 2..=1_000 {
        let tags = [("Annotator".to_owned(), format!("{expected} {annotation}"))].into();
        server.hall.happen("a", Event::Tags { tags });
        assert_eq!(seq(&json(&mut quick).await), expected, "the others get everything at once");
    }

    assert_eq!(json(&mut slow).await["snapshot"]["seq"], 1);
    let mut next = 2;
    let lost = loop {
        let message = json(&mut slow).await;
        if message["lost"].is_object() {
            break message["lost"].clone();
        }
        assert_eq!(seq(&message), next);
        next += 1;
    };
    assert_eq!(lost["from"], next);
    assert!(next < 100, "the system holds less than a megabyte for one viewer, not {next} events of 10 kB");
    described::looks_like_its_example("lost", &serde_json::json!({ "lost": lost }));
    let snapshot = json(&mut slow).await["snapshot"].clone();
    assert_eq!(snapshot["seq"], lost["to"]);
    let mut next = snapshot["seq"].as_u64().unwrap() + 1;
    while next <= 1_000 {
        assert_eq!(seq(&json(&mut slow).await), next);
        next += 1;
    }
    server.hall.play("a", 1);
    assert_eq!(json(&mut slow).await["san"], "Nf3");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_viewers_see_the_same_game() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 1, &[]);
    let mut watching = Vec::new();
    for _ in 0..1_000 {
        let mut viewer = server.watch("").await;
        watching.push(tokio::spawn(async move {
            let snapshot = json(&mut viewer).await;
            let mut last = snapshot["snapshot"]["seq"].as_u64().unwrap();
            while last < 21 {
                last += 1;
                assert_eq!(seq(&json(&mut viewer).await), last);
            }
        }));
    }
    server.play("a", 20).await.unwrap();
    for viewer in watching {
        viewer.await.unwrap();
    }
    server.viewers(0).await;
}

/// A handshake by hand, for what no library sends.
async fn raw(server: &Server) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = "GET /api/v1/live HTTP/1.1\r\nHost: hall\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\
                Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Everything until the other side ends the connection.
async fn until_end(stream: &mut TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut all)).await.expect("it ends");
    read.expect("it ends in order");
    all
}

#[tokio::test]
async fn rubbish_ends_the_connection_with_the_right_code() {
    let server = Server::usual().await;
    for (rubbish, code) in [(&[0x81, 0x02, b'h', b'i'][..], 1002_u16), (&[0x82, 0xfe, 0xff, 0xff, 0, 0, 0, 0], 1009)] {
        let mut stream = raw(&server).await;
        stream.write_all(rubbish).await.unwrap();
        let all = until_end(&mut stream).await;
        assert!(all.starts_with(b"HTTP/1.1 101"));
        let text = String::from_utf8_lossy(&all).into_owned();
        assert!(text.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "the accept key of RFC 6455, 1.3");
        assert!(all.ends_with(&[&[0x88, 2][..], &code.to_be_bytes()].concat()), "close {code}");
    }
    let mut stream = raw(&server).await;
    // A flood is no conversation.
    let flood = [0x81, 0xfe, 0x0f, 0xa0, 0, 0, 0, 0].into_iter().chain([0; 4000]).collect::<Vec<u8>>().repeat(100);
    let _ = stream.write_all(&flood).await;
    drop(stream);
    server.viewers(0).await;
}

#[tokio::test]
async fn pings_and_good_byes_are_answered() {
    let server = Server::usual().await;
    let mut viewer = server.watch("").await;
    json(&mut viewer).await;
    viewer.stream.send(Message::Ping(b"there?"[..].to_vec().into())).await.unwrap();
    assert_eq!(message(&mut viewer).await, Message::Pong(b"there?"[..].to_vec().into()));
    viewer.stream.send(Message::text("move e4")).await.unwrap();
    viewer.stream.close(None).await.unwrap();
    assert!(matches!(message(&mut viewer).await, Message::Close(_)));
    assert!(viewer.stream.next().await.is_none());
    server.viewers(0).await;
}

#[tokio::test]
async fn a_viewer_that_gives_no_sign_of_life_is_dropped() {
    let beat_every = Duration::from_millis(60);
    let server = Server::open(hub::Limits { beat_every, ..hub::Limits::default() }, Limits::default()).await;
    let silent = server.watch("").await;
    let mut lively = server.watch("").await;
    let reading = tokio::spawn(async move {
        // Reading answers the pings.
        json(&mut lively).await;
        json(&mut lively).await
    });
    server.viewers(1).await;
    drop(silent);
    server.hall.start_game("a", 1, 1, &[]);
    assert_eq!(reading.await.unwrap()["event"], "game_started");
}

#[tokio::test]
async fn a_viewer_beyond_the_limit_is_refused() {
    let server = Server::open(hub::Limits { viewers: 2, ..hub::Limits::default() }, Limits::default()).await;
    let first = server.watch("").await;
    let _second = server.watch("").await;
    let stream = TcpStream::connect(server.address).await.unwrap();
    let refused = server.shake_hands(stream, "").await;
    assert!(matches!(refused, Err(Error::Http(answer)) if answer.status() == 503));
    drop(first);
    server.viewers(1).await;
    let mut third = server.watch("").await;
    assert!(json(&mut third).await["snapshot"].is_object());
}

#[tokio::test]
async fn when_the_daemon_stops_every_viewer_gets_a_close_frame() {
    let server = Server::usual().await;
    let mut viewer = server.watch("").await;
    json(&mut viewer).await;
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    idle.write_all(b"GET /health HTTP/1.1\r\nHost: hall\r\n\r\n").await.unwrap();
    let mut answer = [0; 12];
    idle.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    server.shutdown.cancel();
    let Message::Close(Some(frame)) = message(&mut viewer).await else { panic!("a close frame") };
    assert_eq!(frame.code, CloseCode::Away);
    server.serving.await.unwrap();
    assert!(until_end(&mut idle).await.ends_with(b"ok\n"), "a connection between requests is ended in order");
    assert!(TcpStream::connect(server.address).await.is_err());
}

#[tokio::test]
async fn strangers_cannot_hold_connections_open() {
    let limits = Limits { connections: 1, head: Duration::from_millis(50), ..Limits::default() };
    let server = Server::open(hub::Limits::default(), limits).await;
    let mut loris = TcpStream::connect(server.address).await.unwrap();
    loris.write_all(b"GET /live.pgn HTTP/1.1\r\nHost:").await.unwrap();
    // There is one place, and the loris has it until its time is up.
    let mut next = TcpStream::connect(server.address).await.unwrap();
    next.write_all(b"GET /health HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n").await.unwrap();
    assert!(until_end(&mut next).await.ends_with(b"ok\n"));
    until_end(&mut loris).await;

    let mut endless = TcpStream::connect(server.address).await.unwrap();
    let head = format!("GET /live.pgn HTTP/1.1\r\nHost: hall\r\nCookie: {}\r\n\r\n", "x".repeat(100_000));
    let _ = endless.write_all(head.as_bytes()).await;
    let mut answer = [0; 12];
    endless.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 431");
}

#[tokio::test]
async fn answers_on_the_wire_have_no_length_where_there_is_no_body() {
    let server = Server::usual().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = "GET /live.pgn HTTP/1.1\r\nHost: hall\r\nIf-None-Match: *\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let answer = String::from_utf8(until_end(&mut stream).await).unwrap().to_ascii_lowercase();
    assert!(answer.starts_with("http/1.1 304 not modified\r\n"), "{answer}");
    assert!(!answer.contains("content-length"), "{answer}");
    assert!(answer.contains("\r\netag: \""), "{answer}");
}
