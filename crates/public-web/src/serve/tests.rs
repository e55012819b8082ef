//! Clients that send slowly, oddly, or too much.

mod files;

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

use axum::routing::post;
use publish::hub;
use publish::test_hall::Hall;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinHandle;

use super::*;
use crate::{Web, routes};

/// Longer than anything here takes; only a defect waits so long.
const PATIENCE: Duration = Duration::from_secs(20);

struct Server {
    address: SocketAddr,
    shutdown: CancellationToken,
    serving: JoinHandle<()>,
    hall: Arc<Hall>,
}

async fn serving(limits: Limits) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    serving_at(listener, address, limits)
}

fn serving_at(listener: impl Accept + 'static, address: SocketAddr, limits: Limits) -> Server {
    serving_hall(Hall::open(1.0), listener, address, limits)
}

fn serving_hall(hall: Hall, listener: impl Accept + 'static, address: SocketAddr, limits: Limits) -> Server {
    let hall = Arc::new(hall);
    let (hub, _) = hub::start(hall.public.clone(), hall.clock, hub::Limits::default()).unwrap();
    let web = Arc::new(Web::new(
        hall.public.clone(),
        hub.clone(),
        hall.clock,
        |_| None,
        Box::new(|_, _| crate::HealthReport::well()),
    ));
    let router = routes(&web).0.route("/length", post(|body: String| async move { body.len().to_string() }));
    let shutdown = CancellationToken::new();
    let serving =
        tokio::spawn(serve(listener, Served::new(router).with_files(&web), limits, shutdown.clone(), move || {
            hub.close();
        }));
    Server { address, shutdown, serving, hall }
}

impl Server {
    async fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }

    /// The answer to a request on a connection of its own, which the server ends.
    async fn answer(&self, text: &str) -> String {
        rest(&mut self.send(text).await).await
    }
}

async fn rest(stream: &mut TcpStream) -> String {
    let mut all = Vec::new();
    // A connection that is reset has ended, too.
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut all)).await.expect("the connection ends");
    String::from_utf8_lossy(&all).into_owned()
}

const TRICKLED: &str = "POST /length HTTP/1.1\r\nHost: hall\r\nContent-Length: 1000\r\n\r\nx";
const WHOLE: &str = "POST /length HTTP/1.1\r\nHost: hall\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc";
const GAMES: &str = "GET /live.pgn HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n";

#[tokio::test]
async fn a_body_that_does_not_arrive_in_time_is_refused() {
    let server = serving(Limits { body: Duration::from_millis(200), ..Limits::default() }).await;
    let began = Instant::now();
    let refused = server.answer(TRICKLED).await;
    assert!(refused.starts_with("HTTP/1.1 408 "), "{refused}");
    assert!(refused.to_ascii_lowercase().contains("connection: close"), "{refused}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert!(server.answer(WHOLE).await.ends_with("\r\n\r\n3"));
}

#[tokio::test]
async fn a_request_that_does_not_name_its_host_once_is_refused() {
    let server = serving(Limits::default()).await;
    for path in ["/live.pgn", "/nothing"] {
        for hosts in ["", "Host: hall\r\nHost: elsewhere\r\n"] {
            let refused = server.answer(&format!("GET {path} HTTP/1.1\r\n{hosts}\r\n")).await;
            assert!(refused.starts_with("HTTP/1.1 400 ") && refused.contains("one Host header"), "{hosts}{refused}");
        }
    }
    // Before HTTP/1.1 there was none.
    let answer = server.answer("GET /live.pgn HTTP/1.0\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.0 200 "), "{answer}");
}

#[tokio::test]
async fn a_client_that_asks_again_and_again_is_told_before_its_connection_ends() {
    let server = serving(Limits { connection: Duration::from_millis(200), ..Limits::default() }).await;
    let mut stream = server.send("").await;
    let mut buffer = [0; 16 * 1024];
    loop {
        // A poller waits between its requests.
        tokio::time::sleep(Duration::from_millis(20)).await;
        stream.write_all(b"GET /nothing HTTP/1.1\r\nHost: hall\r\n\r\n").await.unwrap();
        let length = tokio::time::timeout(PATIENCE, stream.read(&mut buffer)).await.unwrap().unwrap();
        let answer = String::from_utf8_lossy(&buffer[..length]).to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 404 "), "a request had no answer: {answer}");
        if answer.contains("connection: close") {
            break;
        }
    }
    assert!(rest(&mut stream).await.is_empty());
}

#[tokio::test]
async fn bodies_that_never_end_take_no_place_from_readers() {
    let server = serving(Limits { connections: 40, bodies: 10, ..Limits::default() }).await;
    let mut trickling = Vec::new();
    for _ in 0..200 {
        trickling.push(server.send(TRICKLED).await);
    }
    let began = Instant::now();
    assert!(server.answer(GAMES).await.starts_with("HTTP/1.1 200 "));
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let refused = server.answer(WHOLE).await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    drop(trickling);
    let deadline = Instant::now() + PATIENCE;
    while !server.answer(WHOLE).await.ends_with("\r\n\r\n3") {
        assert!(Instant::now() < deadline, "a place is never free again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_stop_does_not_wait_for_those_who_send_or_read_slowly() {
    let server = serving(Limits::default()).await;
    server.hall.start_game("a", 1, 1, &[("Annotator", &"x".repeat(200_000))]);
    let mut held = vec![server.send("GET /live.pgn HTT").await, server.send(TRICKLED).await, server.send("").await];
    // More than the system takes for those who read nothing.
    for request in
        ["GET /live.pgn HTTP/1.1\r\nHost: hall\r\n\r\n", "GET /live.pgn HTTP/1.1\r\nHost: hall\r\nCookie: a=b\r\n\r\n"]
    {
        held.push(server.send(&request.repeat(100)).await);
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let began = Instant::now();
    server.shutdown.cancel();
    server.serving.await.unwrap();
    assert!(began.elapsed() < Duration::from_millis(900), "{:?}", began.elapsed());
    drop(held);
}

/// Says that its clients come from elsewhere: from 192.0.2.N.
struct Elsewhere(TcpListener, Arc<AtomicU8>);

impl Accept for Elsewhere {
    async fn accept(&self) -> io::Result<Accepted> {
        let accepted = Accept::accept(&self.0).await?;
        Ok(Accepted { from: Some([192, 0, 2, self.1.load(Ordering::SeqCst)].into()), ..accepted })
    }
}

#[tokio::test]
async fn one_address_cannot_hold_every_place_for_bodies() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, number) = (listener.local_addr().unwrap(), Arc::new(AtomicU8::new(7)));
    let limits = Limits { bodies: 8, ..Limits::default() };
    let server = serving_at(Elsewhere(listener, Arc::clone(&number)), address, limits);
    let mut trickling = Vec::new();
    for _ in 0..20 {
        trickling.push(server.send(TRICKLED).await);
    }
    let deadline = Instant::now() + PATIENCE;
    while !server.answer(WHOLE).await.starts_with("HTTP/1.1 503 ") {
        assert!(Instant::now() < deadline, "an address holds any number of places");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    number.store(8, Ordering::SeqCst);
    let taken = server.answer(WHOLE).await;
    assert!(taken.ends_with("\r\n\r\n3"), "{taken}");
    drop(trickling);
}

#[tokio::test]
async fn one_address_cannot_hold_every_connection_or_seat() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = serving_at(
        Elsewhere(listener, Arc::new(AtomicU8::new(7))),
        address,
        Limits { connections: 8, connections_per_address: 4, ..Limits::default() },
    );
    let mut held = Vec::new();
    for _ in 0..4 {
        let mut stream = server.send("GET /live.pgn HTTP/1.1\r\nHost: hall\r\n\r\n").await;
        assert!(stream.read_u8().await.is_ok());
        held.push(stream);
    }
    let refused = server.answer(GAMES).await;
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("from this address"), "{refused}");
    drop(held);
    let deadline = Instant::now() + PATIENCE;
    while !server.answer(GAMES).await.starts_with("HTTP/1.1 200 ") {
        assert!(Instant::now() < deadline, "a place is never free again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
