//! PGN files without the framework: the same answers, whatever the form of the request.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use flate2::read::GzDecoder;
use proptest::prelude::*;
use tokio::runtime::Runtime;

use super::*;

/// What makes a request one for the framework and changes nothing else.
const BY_FRAMEWORK: &str = "Content-Length: 0\r\n";

async fn with_games() -> Server {
    let server = serving(Limits::default()).await;
    for (id, table) in [("a", 1), ("b", 2)] {
        server.hall.start_game(id, 1, table, &[("White", "Müller, Jürgen"), ("GameId", id)]);
        server.hall.play(id, 6);
    }
    server
}

/// One answer: status line, headers without the date, body.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Answer {
    /// Splits off the first answer of a connection.
    fn split(bytes: &[u8], head_only: bool) -> (Self, &[u8]) {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().to_owned();
        let mut headers: BTreeMap<_, _> = lines
            .map(|line| {
                line.split_once(": ").map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).unwrap()
            })
            .collect();
        if status.contains(" 304 ") {
            // hyper says 0 of an answer without a body to HEAD; neither is wrong.
            headers.remove("content-length");
        }
        let date = headers.remove("date").expect("a date");
        assert!(httpdate::parse_http_date(&date).is_ok(), "{date}");
        let length = match headers.get("content-length") {
            Some(length) if !head_only => length.parse().unwrap(),
            _ => 0,
        };
        let rest = &bytes[end + 4..];
        (Self { status, headers, body: rest[..length].to_vec() }, &rest[length..])
    }
}

async fn asked(server: &Server, method: &str, path: &str, headers: &str) -> Answer {
    let request = format!("{method} {path} HTTP/1.1\r\nHost: hall\r\n{headers}Connection: close\r\n\r\n");
    let mut stream = server.send(&request).await;
    let mut all = Vec::new();
    tokio::time::timeout(PATIENCE, stream.read_to_end(&mut all)).await.expect("it ends").unwrap();
    let (answer, rest) = Answer::split(&all, method == "HEAD");
    assert!(rest.is_empty(), "{path}");
    answer
}

#[tokio::test]
async fn an_answer_is_the_same_with_and_without_the_framework() {
    let server = with_games().await;
    // From then on time alone changes nothing.
    let quiet_at = server.hall.clock.now() + 2100;
    while server.hall.clock.now() < quiet_at {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let etag = asked(&server, "GET", "/live.pgn", "").await.headers["etag"].clone();
    let packed = asked(&server, "GET", "/live.pgn", "Accept-Encoding: gzip\r\n").await.headers["etag"].clone();
    assert_ne!(etag, packed);
    let conditions = [
        String::new(),
        "Accept-Encoding: gzip, deflate\r\n".into(),
        format!("If-None-Match: {etag}\r\n"),
        format!("If-None-Match: {packed}\r\nAccept-Encoding: gzip\r\n"),
        format!("If-None-Match: {packed}\r\n"),
        format!("If-None-Match: {etag}\r\nAccept-Encoding: gzip\r\n"),
        "If-None-Match: *\r\n".into(),
        "If-None-Match: \"other\"\r\nIf-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT\r\n".into(),
        "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT\r\n".into(),
        "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\nRange: bytes=0-10\r\n".into(),
    ];
    for path in [
        "/live.pgn",
        "/live.pgn?noCache=1",
        "/ascii/live.pgn",
        "/pgn/hall/live.pgn",
        "/pgn/hall/live/boards-1-100.pgn",
        "/pgn/hall/round-1/games.pgn",
        "/pgn/hall/round-1/game-2.pgn",
        "/pgn/hall/round-1/boards-1-9.pgn",
        "/pgn/hall/all.pgn?a=b?c",
        "/pgn/game/a.pgn",
        "/ascii/pgn/game/b.pgn",
        "/pgn/hall/round-9/games.pgn",
        "/pgn/hall",
        "/pgn/",
        "/ascii/",
    ] {
        for (method, headers) in
            ["GET", "HEAD"].iter().flat_map(|method| conditions.iter().map(move |line| (method, line)))
        {
            let direct = asked(&server, method, path, headers).await;
            let by_framework = asked(&server, method, path, &format!("{headers}{BY_FRAMEWORK}")).await;
            assert_eq!(direct, by_framework, "{method} {path} {headers}");
        }
    }
}

#[tokio::test]
async fn a_hall_whose_time_is_ahead_of_the_system_never_says_that_a_file_changed_after_its_answer() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    // An hour in each second.
    let server = serving_hall(Hall::open(3600.0), listener, address, Limits::default());
    server.hall.start_game("a", 1, 1, &[("White", "Müller, Jürgen")]);
    let begun = server.hall.clock.now();
    while server.hall.clock.now() < begun + 600_000 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    server.hall.play("a", 1);
    for headers in ["", BY_FRAMEWORK, "If-None-Match: *\r\n"] {
        let answer =
            server.answer(&format!("GET /live.pgn HTTP/1.1\r\nHost: hall\r\n{headers}Connection: close\r\n\r\n")).await;
        let date = |name: &str| {
            let line = answer.lines().find_map(|line| line.strip_prefix(name)).expect(name);
            httpdate::parse_http_date(line.trim()).unwrap()
        };
        assert!(date("last-modified:") <= date("date:"), "{answer}");
    }
}

#[tokio::test]
async fn a_large_file_is_the_same_also_for_who_reads_slowly() {
    let server = with_games().await;
    let long = "x".repeat(3_000_000);
    server.hall.happen("a", publish::test_hall::tags(&[("Annotator", &long)]));
    let path = "/pgn/hall/round-1/games.pgn";
    let wanted = asked(&server, "GET", path, BY_FRAMEWORK).await;
    assert!(wanted.body.len() > long.len());
    let both = [asked(&server, "GET", path, "").await, asked(&server, "GET", path, "Accept-Encoding: gzip\r\n").await];
    assert_eq!(both[0], wanted);
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut GzDecoder::new(&both[1].body[..]), &mut text).unwrap();
    assert_eq!(text, wanted.body);

    let twice = format!("GET {path} HTTP/1.1\r\nHost: hall\r\n\r\n").repeat(2);
    let mut slow = server.send(&twice).await;
    let (mut all, mut buffer) = (Vec::new(), vec![0; 100_000]);
    while all.len() < 2 * wanted.body.len() {
        tokio::time::sleep(Duration::from_millis(2)).await;
        let count = slow.read(&mut buffer).await.unwrap();
        assert!(count > 0, "the connection ends early");
        all.extend_from_slice(&buffer[..count]);
    }
    let (first, rest) = Answer::split(&all, false);
    assert_eq!(first.body, wanted.body);
    assert!(rest.starts_with(b"HTTP/1.1 200 OK"));
}

#[tokio::test]
async fn a_large_file_that_is_made_holds_up_no_other_work_of_its_thread() {
    let server = with_games().await;
    let noise = (0..3_000_000_u32).map(|n| char::from(b'#' + (n.wrapping_mul(2_654_435_761) >> 13) as u8 % 50));
    server.hall.happen("a", publish::test_hall::tags(&[("Annotator", &noise.collect::<String>())]));
    let longest = Arc::new(AtomicU64::new(0));
    let noted = Arc::clone(&longest);
    let others = tokio::spawn(async move {
        loop {
            let began = Instant::now();
            tokio::time::sleep(Duration::from_millis(1)).await;
            noted.fetch_max(began.elapsed().as_micros() as u64, Ordering::SeqCst);
        }
    });
    tokio::task::yield_now().await;
    let began = Instant::now();
    asked(&server, "GET", "/pgn/hall/round-1/games.pgn", "Accept-Encoding: gzip\r\n").await;
    let whole = began.elapsed();
    // What waited all the time notes it now.
    tokio::time::sleep(Duration::from_millis(10)).await;
    others.abort();
    let longest = Duration::from_micros(longest.load(Ordering::SeqCst));
    assert!(longest < whole / 2, "others waited {longest:?} of {whole:?}");
}

#[tokio::test]
async fn a_304_repeats_the_tag_that_was_sent_of_whatever_form() {
    let server = with_games().await;
    let plain = asked(&server, "GET", "/live.pgn", "").await.headers["etag"].clone();
    let packed = asked(&server, "GET", "/live.pgn", "Accept-Encoding: gzip\r\n").await;
    assert_eq!(packed.headers["vary"], "Accept-Encoding");
    let mut text = String::new();
    std::io::Read::read_to_string(&mut GzDecoder::new(&packed.body[..]), &mut text).unwrap();
    assert_eq!(text.as_bytes(), asked(&server, "GET", "/live.pgn", "").await.body);
    for etag in [&plain, &packed.headers["etag"]] {
        for coding in ["gzip", "identity"] {
            let headers = format!("If-None-Match: {etag}\r\nAccept-Encoding: {coding}\r\n");
            let same = asked(&server, "GET", "/live.pgn", &headers).await;
            assert_eq!((&*same.status, &same.headers["etag"]), ("HTTP/1.1 304 Not Modified", etag), "{coding}");
            assert!(!same.headers.contains_key("content-length") && !same.headers.contains_key("content-encoding"));
        }
    }
}

/// A conversation of several requests on one connection; the last one closes it.
fn conversation() -> String {
    let get = |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\nHost: hall\r\n{more}\r\n");
    [
        get("/live.pgn", ""),
        get("/pgn/game/a.pgn?x", "Accept-Encoding: gzip\r\n"),
        get("/live.pgn", "If-None-Match: *\r\n"),
        get("/health", ""),
        get("/pgn/hall/all.pgn", ""),
        get("/api/v1/round", "Connection: close\r\n"),
    ]
    .concat()
}

fn check_conversation(bytes: &[u8]) {
    let mut rest = bytes;
    for (status, content_type) in [
        ("200 OK", "application/x-chess-pgn; charset=utf-8"),
        ("200 OK", "application/x-chess-pgn; charset=utf-8"),
        ("304 Not Modified", ""),
        ("200 OK", "text/plain; charset=utf-8"),
        ("200 OK", "application/x-chess-pgn; charset=utf-8"),
        ("200 OK", "application/json"),
    ] {
        let answer;
        (answer, rest) = Answer::split(rest, false);
        assert_eq!(answer.status, format!("HTTP/1.1 {status}"));
        assert_eq!(answer.headers.get("content-type").map_or("", String::as_str), content_type);
    }
    assert!(rest.is_empty());
}

#[tokio::test]
async fn requests_sent_together_or_in_any_pieces_are_answered_in_order() {
    let server = with_games().await;
    let all = conversation();
    for piece in [1, 7, 64, all.len()] {
        let mut stream = server.send("").await;
        stream.set_nodelay(true).unwrap();
        let (mut reader, mut writer) = stream.split();
        let mut answers = Vec::new();
        let write = async {
            for piece in all.as_bytes().chunks(piece) {
                writer.write_all(piece).await.unwrap();
                tokio::task::yield_now().await;
            }
        };
        let (read, ()) = tokio::join!(reader.read_to_end(&mut answers), write);
        read.unwrap();
        check_conversation(&answers);
    }
}

#[tokio::test]
async fn unusual_requests_get_the_answer_that_http_asks_for() {
    let server = with_games().await;
    for (request, status) in [
        ("GET /live.pgn HTTP/1.0\r\n\r\n", "HTTP/1.0 200 "),
        ("GET /board/a.png HTTP/1.0\r\n\r\n", "HTTP/1.0 200 "),
        ("GET http://hall/live.pgn HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 "),
        ("GET /pgn/h%61ll/live.pgn HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 "),
        ("GET /live.pgn HTTP/1.1\nHost: hall\nConnection: close\n\n", "HTTP/1.1 200 "),
        ("\r\n\r\nGET /live.pgn HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 "),
        ("GET /live.pgn HTTP/1.1\r\nHost: hall\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n", "HTTP/1.1 200 "),
        (
            "GET /live.pgn HTTP/1.1\r\nHost: hall\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "HTTP/1.1 200 ",
        ),
        (
            "POST /length HTTP/1.1\r\nHost: hall\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab",
            "HTTP/1.1 100 ",
        ),
        ("POST /live.pgn HTTP/1.1\r\nHost: hall\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab", "HTTP/1.1 405 "),
        ("OPTIONS /live.pgn HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n", "HTTP/1.1 204 "),
        ("GET /pgn/nobody/live.pgn HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n", "HTTP/1.1 404 "),
        ("GET /live.pgn HTTP/1.1\r\nHost hall\r\n\r\n", "HTTP/1.1 400 "),
        ("GET /live.pgn HTTP/9.9\r\nHost: hall\r\n\r\n", "HTTP/1.1 400 "),
        ("\x16\x03\x01\x02\x03", ""),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ""),
    ] {
        let answer = server.answer_to_half(request).await;
        assert!(answer.starts_with(status), "{request:?}: {answer}");
    }
    let many = format!("GET /live.pgn HTTP/1.1\r\nHost: hall\r\n{}\r\n", "a: b\r\n".repeat(100));
    assert!(server.answer_to_half(&many).await.starts_with("HTTP/1.1 431 "));
    let long = format!("GET /live.pgn?{} HTTP/1.1\r\nHost: hall\r\n\r\n", "x".repeat(40_000));
    let refused = server.answer_to_half(&long).await;
    assert!(refused.starts_with("HTTP/1.1 431 ") || refused.starts_with("HTTP/1.1 414 "), "{refused}");
}

impl Server {
    /// The answer to a request whose sender then says that nothing more comes.
    async fn answer_to_half(&self, text: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let _ = stream.write_all(text.as_bytes()).await;
        let _ = stream.shutdown().await;
        rest(&mut stream).await
    }
}

#[tokio::test]
async fn who_reads_nothing_is_cut_off_and_who_asks_for_nothing_as_well() {
    let limits =
        Limits { head: Duration::from_millis(100), connection: Duration::from_millis(200), ..Limits::default() };
    let server = serving(limits).await;
    server.hall.start_game("a", 1, 1, &[("Annotator", &"x".repeat(200_000))]);
    let asked = "GET /live.pgn HTTP/1.1\r\nHost: hall\r\n\r\n".repeat(100);
    let mut reads_nothing = server.send(&asked).await;
    let mut says_nothing = server.send("").await;
    let mut says_half = server.send(&format!("{}GET /live", &asked[..asked.len() / 100])).await;
    assert!(rest(&mut says_nothing).await.is_empty());
    assert!(rest(&mut says_half).await.starts_with("HTTP/1.1 200 "));
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert!(rest(&mut reads_nothing).await.len() < 100 * 200_000, "not everything was sent");
    assert!(server.answer(GAMES).await.starts_with("HTTP/1.1 200 "));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rubbish_in_any_pieces_ends_its_own_connection_at_most(
        cut in 0..300_usize,
        rubbish in prop::collection::vec(any::<u8>(), 0..300),
        piece in 1..50_usize,
    ) {
        let runtime = Runtime::new().unwrap();
        runtime.block_on(async {
            let server = with_games().await;
            let all = conversation();
            let bytes = [&all.as_bytes()[..cut.min(all.len())], &rubbish].concat();
            let mut stream = server.send("").await;
            for piece in bytes.chunks(piece) {
                if stream.write_all(piece).await.is_err() {
                    break;
                }
            }
            let _ = stream.shutdown().await;
            rest(&mut stream).await;
            assert!(server.answer(GAMES).await.starts_with("HTTP/1.1 200 "));
        });
    }
}
