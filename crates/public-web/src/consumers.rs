//! Programs that read the files, each by its own conduct (docs/consumers.md, parts L and P).

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use flate2::read::GzDecoder;
use game_core::event::Event;
use notation::pgn::{Outcome, read_games};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::{Limits, Served, Web, routes, serve};
use publish::hub;
use publish::test_hall::{Hall, tags};

struct Server {
    hall: Hall,
    address: SocketAddr,
    _runtime: Runtime,
}

impl Server {
    /// A hall with games of two tables.
    fn open() -> Self {
        let (runtime, hall) = (Runtime::new().unwrap(), Hall::open(1.0));
        let _inside = runtime.enter();
        let (hub, _) = hub::start(hall.public.clone(), hall.clock, hub::Limits::default()).unwrap();
        let web = Arc::new(Web::new(
            hall.public.clone(),
            hub.clone(),
            hall.clock,
            |_| None,
            Box::new(|_, _| crate::HealthReport::well()),
        ));
        let served = Served::new(routes(&web).0).with_files(&web);
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(serve(listener, served, Limits::default(), CancellationToken::new(), move || hub.close()));
        for (id, table, white) in [("g1", 1, "Müller, Jürgen"), ("g2", 2, "Łoś, A")] {
            let round = format!("1.{table}");
            hall.start_game(id, 1, table, &[("White", white), ("Black", "B, C"), ("GameId", id), ("Round", &round)]);
        }
        Self { hall, address, _runtime: runtime }
    }

    /// One answer: status, headers with lower-case names, body.
    fn get(&self, target: &str, headers: &str) -> (u16, BTreeMap<String, String>, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nHost: hall\r\n{headers}Connection: close\r\n\r\n").unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let end = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = str::from_utf8(&all[..end]).unwrap();
        let status = head[9..12].parse().unwrap();
        let lines = head.lines().skip(1).filter_map(|line| line.split_once(": "));
        let headers = lines.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        (status, headers, all.split_off(end + 4))
    }
}

/// Lichess: a fetch every few seconds with the tag of the last answer; games split at an empty line before a bracket.
#[derive(Default)]
struct Lichess {
    etag: Option<String>,
    text: String,
    /// Boards by `GameId`: the longest line that was ever seen, and the result.
    boards: BTreeMap<String, (Vec<String>, Outcome)>,
}

impl Lichess {
    /// A poll of the address; whether anything new came. Its URL is fixed for the whole event.
    fn poll(&mut self, server: &Server) -> bool {
        let tag = self.etag.as_ref().map(|tag| format!("If-None-Match: {tag}\r\n")).unwrap_or_default();
        let (status, headers, body) =
            server.get("/pgn/hall/live.pgn", &format!("User-Agent: lichess.org\r\nAccept-Encoding: gzip\r\n{tag}"));
        assert_eq!(headers["vary"], "Accept-Encoding");
        if status == 304 {
            assert_eq!(self.etag.as_ref(), headers.get("etag"), "another tag would empty the games");
            return false;
        }
        assert_eq!(status, 200, "redirects and errors count as failures");
        assert!(headers["content-type"].ends_with("charset=utf-8"), "else the charset is guessed");
        assert!(headers["etag"].starts_with('"'), "a weak tag would be sent without its quotes");
        self.etag = Some(headers["etag"].clone());
        self.text.clear();
        match headers.get("content-encoding").map(String::as_str) {
            Some("gzip") => drop(GzDecoder::new(&body[..]).read_to_string(&mut self.text).unwrap()),
            _ => self.text = String::from_utf8(body).unwrap(),
        }
        for game in self.text.replace('\r', "").split("\n\n[").take(256) {
            let game = if game.starts_with('[') { game.to_owned() } else { format!("[{game}") };
            let games: Vec<_> =
                read_games(&game).collect::<Result<_, _>>().expect("one broken game fails the whole poll");
            let [game] = &games[..] else { panic!("one game") };
            notation::pgn::game_positions(game).expect("legal to the end: the rest would be cut");
            let id = game.tags.get("GameId").unwrap().to_owned();
            let line = game.line().map(|ply| ply.san.to_string()).collect();
            self.boards.insert(id, (line, game.outcome));
        }
        true
    }

    fn plies(&self, id: &str) -> usize {
        self.boards[id].0.len()
    }
}

#[test]
fn lichess_follows_a_round_with_conditional_requests() {
    let server = Server::open();
    let mut lichess = Lichess::default();
    assert!(lichess.poll(&server));
    assert_eq!(lichess.boards.len(), 2, "games that have not begun are there");
    assert!(!lichess.poll(&server));
    server.hall.play("g1", 3);
    assert!(lichess.poll(&server) && !lichess.poll(&server));
    assert_eq!((lichess.plies("g1"), lichess.plies("g2")), (3, 0));
    // A takeback and the right move come in one step.
    let right = Event::Move { ply: 3, san: "e4".into(), uci: "e2e4".into(), clk_ms: None, emt_ms: None };
    server.hall.record(Vec::new(), vec![("g1", Event::Retract { to_ply: 2 }), ("g1", right)]);
    assert!(lichess.poll(&server));
    assert_eq!(lichess.boards["g1"].0, ["Nf3", "Nf6", "e4"]);
    // A result, and its correction: `*` takes it back.
    for outcome in [Outcome::Draw, Outcome::Unknown, Outcome::WhiteWins] {
        server.hall.happen("g2", Event::Result { result: outcome, reason: "operator".into() });
        assert!(lichess.poll(&server));
        assert_eq!(lichess.boards["g2"].1, outcome);
    }
    // Names are corrected: the board stays the same by its id.
    server.hall.happen("g2", tags(&[("White", "Łoś, Anna")]));
    assert!(lichess.poll(&server) && lichess.text.contains("Łoś, Anna"));
    assert_eq!(lichess.boards.len(), 2);
}

#[test]
fn an_illegal_move_that_stands_leaves_the_moves_before_it_and_the_result() {
    let server = Server::open();
    let mut lichess = Lichess::default();
    server.hall.play("g1", 4);
    server.hall.happen("g1", Event::Unexplained { squares: vec!["e5".into()] });
    server.hall.happen("g1", Event::PlayedOn);
    server.hall.happen("g1", Event::Result { result: Outcome::BlackWins, reason: "operator".into() });
    assert!(lichess.poll(&server));
    assert_eq!((lichess.plies("g1"), lichess.boards["g1"].1), (4, Outcome::BlackWins));
    server.hall.play("g2", 1);
    assert!(lichess.poll(&server) && lichess.plies("g2") == 1, "the other boards go on");
}

#[test]
fn a_round_of_256_games_is_one_file_in_the_order_of_its_tables() {
    let server = Server::open();
    for table in 3..=256 {
        server.hall.start_game(&format!("g{table}"), 1, table, &[("GameId", &format!("g{table}"))]);
    }
    let mut lichess = Lichess::default();
    assert!(lichess.poll(&server));
    assert_eq!(lichess.boards.len(), 256);
    let ids: Vec<_> =
        read_games(&lichess.text).map(|game| game.unwrap().tags.get("GameId").unwrap().to_owned()).collect();
    assert_eq!(ids, (1..=256).map(|table| format!("g{table}")).collect::<Vec<_>>());
    // A site that shows 100 games takes ranges; together they are the whole.
    let range = |first: u32, last: u32| server.get(&format!("/pgn/hall/live/boards-{first}-{last}.pgn"), "").2;
    assert_eq!([range(1, 100), range(101, 200), range(201, 300)].concat(), lichess.text.as_bytes());
}

#[test]
fn pgn4web_asks_by_date_with_a_query_that_changes() {
    let server = Server::open();
    let (_, headers, _) = server.get("/live.pgn?noCache=1", "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n");
    assert_eq!(headers["access-control-allow-origin"], "*", "the page is on another site");
    let mut date = headers["last-modified"].clone();
    let mut not_modified = 0;
    for poll in 2..200 {
        if poll == 100 {
            server.hall.play("g1", 1);
        }
        let asked = format!("If-Modified-Since: {date}\r\n");
        let (status, headers, body) = server.get(&format!("/live.pgn?noCache={poll}&x=%20"), &asked);
        match status {
            200 => {
                assert!(body.starts_with(b"[Event "), "a body without games is an error");
                date.clone_from(&headers["last-modified"]);
                if poll >= 100 && String::from_utf8(body).unwrap().contains("1. Nf3") {
                    return assert!(not_modified < 100);
                }
            }
            304 => not_modified += 1,
            other => panic!("{other}"),
        }
    }
    panic!("the move was never seen");
}

#[test]
fn a_claim_tool_compares_sizes_and_reads_ascii() {
    let server = Server::open();
    let size = |target: &str| {
        let (status, headers, body) = server.get(target, "");
        assert_eq!((status, body.len()), (200, headers["content-length"].parse().unwrap()));
        assert!(!headers.contains_key("content-encoding") && !headers.contains_key("transfer-encoding"));
        body
    };
    let mut before = size("/ascii/live.pgn").len();
    for _ in 0..10 {
        server.hall.play("g1", 1);
        let body = size("/ascii/live.pgn");
        assert!(body.is_ascii() && body.len() != before, "a move changes the size");
        before = body.len();
    }
    assert!(String::from_utf8(size("/ascii/pgn/game/g1.pgn")).unwrap().contains("Muller, Jurgen"));
}

/// A program of the machine with arguments; none when it is not here.
fn output(program: &str, arguments: &[&str]) -> Option<Vec<u8>> {
    let output = std::process::Command::new(program).args(arguments).output().ok()?;
    output.status.success().then_some(output.stdout)
}

#[test]
fn curl_and_python_read_what_is_compressed() {
    let server = Server::open();
    server.hall.play("g1", 40);
    let url = format!("http://{}/live.pgn", server.address);
    let (_, _, plain) = server.get("/live.pgn", "");
    let script = "import sys,urllib.request,gzip,zlib\n\
                  b=urllib.request.urlopen(urllib.request.Request(sys.argv[1],headers={'Accept-Encoding':'gzip'})).read()\n\
                  d=zlib.decompressobj(31); t=d.decompress(b)\n\
                  assert t==gzip.decompress(b) and d.eof and not d.unused_data\n\
                  sys.stdout.buffer.write(t)";
    for (program, arguments) in [("curl", &["-sS", "--compressed", &url][..]), ("python3", &["-c", script, &url])] {
        match output(program, arguments) {
            Some(text) => assert!(text == plain, "{program}"),
            None => println!("skipped: {program} is not here, or has no gzip"),
        }
    }
}

/// pgn-mule: an unconditional fetch as a browser with a cookie, the charset by the bytes, a version kept whenever the text differs,
/// and games without moves until a version is old enough.
#[derive(Default)]
struct Mule {
    /// Versions with the instants of their polls, in seconds.
    versions: Vec<(u64, String)>,
}

impl Mule {
    fn poll(&mut self, server: &Server, now_s: u64) {
        let headers = "User-Agent: Mozilla/5.0\r\nCookie: session=1\r\nAccept: */*\r\n";
        let (status, answered, body) = server.get(&format!("/pgn/hall/round-1/games.pgn?t={now_s}"), headers);
        assert_eq!((status, answered.get("content-encoding")), (200, None), "no compression was asked for");
        let text = String::from_utf8(body).expect("detected as UTF-8 by its bytes");
        assert!(!text.trim().is_empty(), "an empty body is skipped");
        if self.versions.last().is_none_or(|(_, last)| *last != text) {
            self.versions.push((now_s, text));
        }
    }

    /// What it serves with a delay: the newest version that is old enough, else the games without moves.
    fn serves(&self, now_s: u64, delay_s: u64) -> Vec<(String, usize)> {
        let old = self.versions.iter().rev().find(|(at, _)| at + delay_s <= now_s);
        let (text, strip) = old.map_or((&self.versions[0].1, true), |(_, text)| (text, false));
        let games = text.replace('\r', "");
        let games =
            games.split("\n\n[").map(|game| if game.starts_with('[') { game.to_owned() } else { format!("[{game}") });
        let games = games.map(|game| read_games(&game).next().unwrap().unwrap());
        let shown = games.filter(|game| !["White", "Black"].iter().any(|side| game.tags.get(side) == Some("bye")));
        shown
            .map(|game| (game.tags.get("Round").unwrap().to_owned(), if strip { 0 } else { game.line().count() }))
            .collect()
    }
}

#[test]
fn pgn_mule_sees_a_new_version_for_each_change_and_no_other() {
    let server = Server::open();
    let mut mule = Mule::default();
    mule.poll(&server, 0);
    // Nothing happens: the text is the same byte for byte, whatever its query.
    for now_s in [2, 4, 6] {
        mule.poll(&server, now_s);
    }
    assert_eq!(mule.versions.len(), 1);
    server.hall.play("g1", 1);
    mule.poll(&server, 10);
    server.hall.play("g2", 2);
    mule.poll(&server, 20);
    // A correction is one step: no version lacks the move.
    let corrected = Event::Move { ply: 1, san: "e4".into(), uci: "e2e4".into(), clk_ms: None, emt_ms: None };
    server.hall.record(Vec::new(), vec![("g1", Event::Retract { to_ply: 0 }), ("g1", corrected)]);
    mule.poll(&server, 30);
    server.hall.happen("g2", Event::Result { result: Outcome::Draw, reason: String::new() });
    mule.poll(&server, 40);
    let plies = |now_s| mule.serves(now_s, 15).into_iter().map(|(_, plies)| plies).collect::<Vec<_>>();
    assert_eq!([plies(5), plies(25), plies(35), plies(60)], [vec![0, 0], vec![1, 0], vec![1, 2], vec![1, 2]]);
    let changed = mule.versions.iter().map(|(at, _)| *at).collect::<Vec<_>>();
    assert_eq!(changed, [0, 10, 20, 30, 40]);
    assert_eq!(mule.serves(60, 0)[1].0, "1.2");
}

/// A reader of LiveChess Cloud: the look-up, the tournament, the index of a round, then its games while they are live.
#[test]
fn a_scraper_of_livechess_cloud_follows_a_round_from_its_look_up() {
    let server = Server::open();
    let json = |target: &str| {
        let headers = "User-Agent: Mozilla/5.0\r\nOrigin: https://view.livechesscloud.com\r\n";
        let (status, answered, body) = server.get(target, headers);
        assert_eq!(status, 200, "{target}");
        assert_eq!(answered["access-control-allow-origin"], "*", "{target}");
        assert_eq!(answered["content-type"], "application/json; charset=utf-8");
        serde_json::from_slice::<serde_json::Value>(&body).unwrap()
    };
    let id = publish::livechess::id_of("hall");
    let meta = json(&format!("/meta/{id}"));
    assert_eq!((&meta["format"], &meta["host"]), (&"1".into(), &"hall".into()), "one reader stops at another format");
    let base = format!("/get/{id}");
    let rounds = json(&format!("{base}/tournament.json"))["rounds"].as_array().unwrap().len();
    assert_eq!(rounds, 1);
    let mut games = BTreeMap::new();
    let mut follow = || {
        let index = json(&format!("{base}/round-{rounds}/index.json"));
        for (number, pairing) in (1..).zip(index["pairings"].as_array().unwrap()) {
            let game = json(&format!("{base}/round-{rounds}/game-{number}.json?poll"));
            assert_eq!(pairing["live"], game["live"]);
            // Standard chess has number 518, and each move at most a clock and a time after it.
            assert_eq!((&game["chess960"], &game["fen"]), (&518.into(), &serde_json::Value::Null));
            let moves: Vec<_> =
                game["moves"].as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned()).collect();
            let known: Vec<String> = games.insert(number, moves.clone()).unwrap_or_default();
            assert!(moves.starts_with(&known), "moves are only added: {known:?}, {moves:?}");
        }
        games.values().map(Vec::len).collect::<Vec<_>>()
    };
    assert_eq!(follow(), [0, 0]);
    server.hall.play("g1", 3);
    assert_eq!(follow(), [3, 0]);
    server.hall.play("g2", 1);
    server.hall.happen("g1", Event::Result { result: Outcome::WhiteWins, reason: String::new() });
    assert_eq!(follow(), [3, 1]);
    let (status, _, _) = server.get(&format!("{base}/round-1/game-3.json"), "");
    assert_eq!(status, 404, "a game that does not exist");
}
