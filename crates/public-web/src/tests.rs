//! The addresses, called without sockets.

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use game_core::event::Event;
use notation::pgn;
use tower::ServiceExt;

use super::{Asset, Web, routes};
use publish::gate::View;
use publish::hub;
use publish::test_hall::{Hall, paired, round, round_state, section, tags};
use tournament::GameRef;
use tournament::{Fact, RoundSettings, RoundState};

pub(crate) fn page(path: &str) -> Option<Asset> {
    (path != "/missing.js").then(|| Asset {
        content_type: if path.starts_with("/assets/") { "text/javascript" } else { "text/html; charset=utf-8" },
        etag: "\"page\"".into(),
        cache_control: if path.starts_with("/assets/") { "public, immutable" } else { "no-cache" },
        bytes: Cow::Borrowed(b"<!doctype html><!--boardcast:head--><!--boardcast:body-->"),
        brotli: path.starts_with("/assets/").then_some(Cow::Borrowed(b"brotli")),
        gzip: path.starts_with("/assets/").then_some(Cow::Borrowed(b"gzip")),
    })
}

pub(crate) struct Site {
    pub(crate) hall: Hall,
    router: Router,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    headers: HeaderMap,
    pub(crate) bytes: Bytes,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap()
    }
}

impl Site {
    pub(crate) fn open(speed: f64) -> Self {
        let hall = Hall::open(speed);
        let (handle, _) = hub::start(hall.public.clone(), hall.clock, hub::Limits::default()).unwrap();
        let web = Web::new(hall.public.clone(), handle, hall.clock, page, Box::new(|_, _| crate::HealthReport::well()));
        let web = web.with_reports(Box::new(|_| true));
        let router = routes(&Arc::new(web)).0;
        Self { hall, router }
    }

    /// Three tables in the first round, some moves played.
    pub(crate) fn with_games(speed: f64) -> Self {
        let site = Self::open(speed);
        for (id, table, white, black) in [
            ("g1", 1, "Carlsen, Magnus", "Müller, Jürgen"),
            ("g2", 2, "Đukić, Nikola", "“Big” Łoś"),
            ("g3", 3, "A, B", "C, D"),
        ] {
            site.hall.start_game(id, 1, table, &[("White", white), ("Black", black), ("GameId", id)]);
            site.hall.play(id, table * 3);
        }
        site
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Answer {
        let json = [("content-type", "application/json")];
        self.send(Method::POST, path, &json, Body::from(body.to_owned())).await
    }

    async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(method, path, headers, Body::empty()).await
    }

    async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Body) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        Answer { status: parts.status, headers: parts.headers, bytes: to_bytes(body, usize::MAX).await.unwrap() }
    }

    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask(Method::GET, path, headers).await
    }

    fn pgn(&self, ids: &[&str]) -> String {
        ids.iter().map(|id| pgn::write_game(&self.hall.public.game(id).unwrap().1.game.to_pgn())).collect()
    }
}

#[tokio::test]
async fn a_browser_finds_the_way_to_the_games_where_there_is_no_page() {
    let site = Site::with_games(1.0);
    let browser = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8"), ("accept-language", "de")];
    for path in ["/missing.js", "/game/none", "/embed/game/none", "/embed/round/none"] {
        let page = site.get(path, &browser).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert!(page.text().contains("Diese Seite gibt es nicht."), "{path}: {}", page.text());
        assert!(page.text().contains("<a href=\"/\" target=\"_top\">"), "{path}: {}", page.text());
        let sentence = site.get(path, &[]).await;
        assert_eq!(sentence.header("content-type"), "text/plain; charset=utf-8", "{path}");
        assert!(sentence.text().starts_with("There is no such "), "{path}: {}", sentence.text());
    }
}

#[tokio::test]
async fn every_pgn_address_has_its_games() {
    let site = Site::with_games(1.0);
    for (path, games) in [
        ("/live.pgn", &["g1", "g2", "g3"][..]),
        ("/live.pgn?noCache=1f", &["g1", "g2", "g3"]),
        ("/pgn/hall/live.pgn", &["g1", "g2", "g3"]),
        ("/pgn/hall/all.pgn", &["g1", "g2", "g3"]),
        ("/pgn/hall/round-1/games.pgn", &["g1", "g2", "g3"]),
        ("/pgn/hall/round-1/game-2.pgn", &["g2"]),
        ("/pgn/hall/round-1/boards-2-3.pgn", &["g2", "g3"]),
        ("/pgn/game/g3.pgn", &["g3"]),
    ] {
        let answer = site.get(path, &[]).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.text(), site.pgn(games), "{path}");
        assert_eq!(answer.header("content-type"), "application/x-chess-pgn; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert_eq!(answer.header("vary"), "Accept-Encoding");
        assert_eq!(answer.header("access-control-allow-origin"), "*");

        let head = site.ask(Method::HEAD, path, &[]).await;
        assert_eq!(head.status, StatusCode::OK);
        assert!(head.bytes.is_empty());
        assert_eq!(head.header("etag"), answer.header("etag"));
        assert_eq!(head.header("content-length"), answer.bytes.len().to_string());

        let folded = site.get(&format!("/ascii{path}"), &[]).await;
        assert_eq!(folded.status, StatusCode::OK, "/ascii{path}");
        assert!(folded.bytes.is_ascii());
    }
}

#[tokio::test]
async fn folded_names_stay_readable_and_well_formed() {
    let site = Site::with_games(1.0);
    let answer = site.get("/ascii/live.pgn", &[]).await;
    let games: Vec<_> = pgn::read_games(answer.text()).map(Result::unwrap).collect();
    assert_eq!(games[0].tags.get("Black"), Some("Muller, Jurgen"));
    assert_eq!(games[1].tags.get("White"), Some("Dukic, Nikola"));
    assert_eq!(games[1].tags.get("Black"), Some("\"Big\" Los"), "the quotes are escaped in the file");
}

#[tokio::test]
async fn a_file_that_did_not_change_is_not_sent_again() {
    let site = Site::with_games(1.0);
    let first = site.get("/live.pgn", &[]).await;
    let etag = first.header("etag").to_owned();
    assert!(etag.starts_with('"') && etag.len() > 20, "a strong tag: {etag}");
    let bare = etag.trim_matches('"');
    for sent in [etag.clone(), bare.to_owned(), format!("W/{etag}"), format!("\"other\", {etag}"), "*".to_owned()] {
        let again = site.get("/live.pgn", &[("if-none-match", &sent)]).await;
        assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{sent}");
        assert!(again.bytes.is_empty());
        assert_eq!(again.header("etag"), etag, "Lichess empties the body if the tag differs");
        assert_eq!(again.header("access-control-expose-headers"), "ETag, Last-Modified");
    }
    // An event that the file does not show does not change it.
    site.hall.happen("g1", Event::Unexplained { squares: vec!["e4".into()] });
    site.hall.happen("g1", Event::Resolved);
    let same = site.get("/live.pgn", &[]).await;
    assert_eq!((same.header("etag"), &same.bytes), (&*etag, &first.bytes));

    let two = site.get("/pgn/hall/round-1/game-2.pgn", &[]).await;
    site.hall.play("g1", 1);
    let grown = site.get("/live.pgn", &[("if-none-match", &etag)]).await;
    assert_eq!(grown.status, StatusCode::OK);
    assert_ne!(grown.header("etag"), etag);
    assert_eq!(grown.text(), site.pgn(&["g1", "g2", "g3"]));
    let two_again = site.get("/pgn/hall/round-1/game-2.pgn", &[("if-none-match", two.header("etag"))]).await;
    assert_eq!(two_again.status, StatusCode::NOT_MODIFIED, "another board's move is no change");
}

#[tokio::test]
async fn compressed_files_are_the_same_files() {
    let site = Site::with_games(1.0);
    let plain = site.get("/live.pgn", &[]).await;
    for coding in ["gzip", "deflate, gzip;q=0.5", "br;q=1, *;q=0.1", "x-gzip"] {
        let packed = site.get("/live.pgn", &[("accept-encoding", coding)]).await;
        assert_eq!(packed.header("content-encoding"), "gzip", "{coding}");
        assert_ne!(packed.header("etag"), plain.header("etag"), "two representations, two strong tags");
        let mut text = String::new();
        // One member: browsers read no further than the first.
        flate2::read::GzDecoder::new(&packed.bytes[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, plain.text());
        text.clear();
        MultiGzDecoder::new(&packed.bytes[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, plain.text(), "and nothing behind it");
        let again =
            site.get("/live.pgn", &[("accept-encoding", coding), ("if-none-match", packed.header("etag"))]).await;
        assert_eq!(again.status, StatusCode::NOT_MODIFIED);
        assert_eq!(again.header("etag"), packed.header("etag"));
    }
    for coding in ["identity", "gzip;q=0", "gzip; q=0.0", "br"] {
        let answer = site.get("/live.pgn", &[("accept-encoding", coding)]).await;
        assert_eq!(answer.header("content-encoding"), "", "{coding}");
    }
}

#[tokio::test]
async fn a_move_in_the_second_of_the_last_fetch_is_not_missed() {
    // Time stands still: everything happens within one second.
    let site = Site::with_games(0.0);
    let first = site.get("/live.pgn", &[]).await;
    let date = first.header("last-modified").to_owned();
    site.hall.play("g1", 1);
    let answer = site.get("/live.pgn", &[("if-modified-since", &date)]).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.text(), site.pgn(&["g1", "g2", "g3"]));
}

#[tokio::test]
async fn pollers_that_know_only_times_get_304_too() {
    // Seconds pass like microseconds.
    let site = Site::with_games(1e6);
    let changed_s = site.hall.view.game("g3").unwrap().changed_at / 1000;
    while site.hall.clock.now() / 1000 <= changed_s {
        tokio::task::yield_now().await;
    }
    let first = site.get("/live.pgn", &[]).await;
    let date = first.header("last-modified").to_owned();
    let again = site.get("/live.pgn", &[("if-modified-since", &date)]).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    assert_eq!(again.header("last-modified"), date);
    let epoch = "Thu, 01 Jan 1970 00:00:00 GMT";
    assert_eq!(site.get("/live.pgn", &[("if-modified-since", epoch)]).await.status, StatusCode::OK);
    assert_eq!(site.get("/live.pgn", &[("if-modified-since", "yesterday")]).await.status, StatusCode::OK);
    let both = [("if-modified-since", &*date), ("if-none-match", "\"older\"")];
    assert_eq!(site.get("/live.pgn", &both).await.status, StatusCode::OK, "the tag decides");
    site.hall.play("g1", 1);
    assert_eq!(site.get("/live.pgn", &[("if-modified-since", &date)]).await.status, StatusCode::OK);
}

#[tokio::test]
async fn before_the_first_game_there_is_an_empty_file() {
    let site = Site::open(1.0);
    for path in ["/live.pgn", "/pgn/hall/live.pgn", "/pgn/hall/all.pgn", "/pgn/hall/round-1/games.pgn"] {
        let answer = site.get(path, &[]).await;
        assert_eq!((answer.status, answer.bytes.len()), (StatusCode::OK, 0), "{path}");
        let packed = site.get(path, &[("accept-encoding", "gzip")]).await;
        let mut text = String::new();
        flate2::read::GzDecoder::new(&packed.bytes[..]).read_to_string(&mut text).unwrap();
        assert!(text.is_empty());
    }
}

#[tokio::test]
async fn what_is_not_there_is_said_in_one_sentence() {
    let site = Site::with_games(1.0);
    for path in [
        "/pgn/other/live.pgn",
        "/pgn/hall/round-2/games.pgn",
        "/pgn/hall/round-1/game-9.pgn",
        "/pgn/hall/round-1/boards-7-9.pgn",
        "/pgn/game/g9.pgn",
        "/pgn/hall/nothing.txt",
        "/ascii/pgn/game/g9.pgn",
        "/missing.js",
    ] {
        let answer = site.get(path, &[]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(
            answer.text().starts_with("There is no such") && answer.text().ends_with(".\n"),
            "{path}: {}",
            answer.text()
        );
        assert_eq!(answer.header("access-control-allow-origin"), "*");
    }
    for path in ["/api/v1/nothing", "/api/v1/round?round=9", "/api/v1/round?event=other"] {
        let answer = site.get(path, &[]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        let json: serde_json::Value = serde_json::from_slice(&answer.bytes).unwrap();
        assert!(json["detail"].as_str().unwrap().starts_with("There is no such"), "{path}");
    }
    assert_eq!(site.get("/api/v1/round?round=x", &[]).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn nothing_here_can_be_written() {
    let site = Site::with_games(1.0);
    for path in ["/live.pgn", "/pgn/game/g1.pgn", "/api/v1/round", "/health", "/"] {
        let answer = site.ask(Method::POST, path, &[]).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert!(answer.header("allow").contains("GET"), "{path}: {:?}", answer.headers);
        let preflight = site.ask(Method::OPTIONS, path, &[("origin", "https://club.example")]).await;
        assert_eq!(preflight.status, StatusCode::NO_CONTENT, "{path}");
        assert_eq!(preflight.header("access-control-allow-origin"), "*");
        assert!(preflight.header("access-control-allow-methods").contains("GET"));
    }
}

#[tokio::test]
async fn health_and_pages_are_served() {
    let site = Site::with_games(1.0);
    let health = site.get("/health", &[]).await;
    assert_eq!((health.status, health.text()), (StatusCode::OK, "ok\n"));
    let index = site.get("/", &[]).await;
    assert_eq!((index.status, index.header("cache-control")), (StatusCode::OK, "no-cache"));
    assert_eq!(index.header("content-type"), "text/html; charset=utf-8");
    let tag = index.header("etag").to_owned();
    assert_eq!(site.get("/", &[("if-none-match", &tag)]).await.status, StatusCode::NOT_MODIFIED);
    site.hall.play("g1", 1);
    assert_eq!(site.get("/", &[("if-none-match", &tag)]).await.status, StatusCode::OK, "the board has changed");
    let asset = site.get("/assets/index-1f2e.js", &[]).await;
    assert!(asset.header("cache-control").contains("immutable"));
}

#[tokio::test]
async fn the_round_can_be_read_without_a_socket() {
    let site = Site::with_games(1.0);
    let answer = site.get("/api/v1/round", &[]).await;
    assert_eq!(answer.header("content-type"), "application/json");
    let json: serde_json::Value = serde_json::from_slice(&answer.bytes).unwrap();
    let snapshot = &json["snapshot"];
    assert_eq!(snapshot["seq"], 21);
    assert_eq!(snapshot["event"]["name"], "Spring Open");
    assert_eq!((&snapshot["round"]["number"], &snapshot["round"]["name"]), (&1.into(), &"Round 1".into()));
    assert_eq!(snapshot["event"]["time_zone"], "UTC");
    assert_eq!(snapshot["sections"], serde_json::json!([{ "slug": "hall", "name": "Spring Open" }]));
    let game = &snapshot["games"][1];
    assert_eq!(game["game"], "g2");
    assert_eq!(game["board"], 2);
    assert_eq!(game["state"], "playing");
    assert_eq!(game["tags"]["White"], "Đukić, Nikola");
    assert_eq!(game["moves"].as_array().unwrap().len(), 6);
    assert_eq!(game["moves"][0]["clk_ms"], 5_399_000);
    let upgrade = site.get("/api/v1/live", &[]).await;
    assert_eq!(upgrade.status, StatusCode::UPGRADE_REQUIRED);
    assert_eq!(upgrade.header("sec-websocket-version"), "13");
}

/// Two tables of round 2 of the section `women`, published; the ids are w1 and w2.
fn with_women(site: &Site) {
    let tables = [("w2", 12, "Zwick, Eva"), ("w1", 11, "Young, Amy")];
    let at = |id: &str, table| GameRef { game: id.into(), event: "women".into(), round: 2, table };
    let mut facts = vec![section("women", "Women"), round("women", 2, RoundSettings::default())];
    facts.extend(tables.map(|(id, table, _)| paired(&at(id, table))));
    facts.push(round_state("women", 2, RoundState::Published));
    for (id, table, _) in tables {
        site.hall.know(&at(id, table));
    }
    let told = tables.map(|(id, _, white)| (id, tags(&[("White", white), ("GameId", id)])));
    site.hall.record(facts, told.into());
}

#[tokio::test]
async fn every_section_has_its_addresses_and_the_running_one_is_live() {
    let site = Site::with_games(1.0);
    with_women(&site);
    for (path, games) in [
        ("/live.pgn", &["g1", "g2", "g3"][..]),
        ("/pgn/hall/live.pgn", &["g1", "g2", "g3"]),
        ("/pgn/women/live.pgn", &["w1", "w2"]),
        ("/pgn/women/all.pgn", &["w1", "w2"]),
        ("/pgn/women/round-2/games.pgn", &["w1", "w2"]),
        ("/pgn/women/round-2/game-12.pgn", &["w2"]),
        ("/pgn/game/w1.pgn", &["w1"]),
    ] {
        let answer = site.get(path, &[]).await;
        assert_eq!((answer.status, answer.text()), (StatusCode::OK, &*site.pgn(games)), "{path}");
        assert_eq!(site.get(&format!("/ascii{path}"), &[]).await.status, StatusCode::OK);
    }
    // A pairing is a header.
    let paired = site.get("/pgn/game/w1.pgn", &[]).await;
    assert!(paired.text().ends_with("[GameId \"w1\"]\n[Mode \"OTB\"]\n\n*\n\n"), "{}", paired.text());
    assert_eq!(site.get("/pgn/women/round-1/game-11.pgn", &[]).await.status, StatusCode::NOT_FOUND);
    let json: serde_json::Value =
        serde_json::from_slice(&site.get("/api/v1/round?event=women", &[]).await.bytes).unwrap();
    let snapshot = &json["snapshot"];
    assert_eq!((&snapshot["round"]["number"], &snapshot["games"][0]["state"]), (&2.into(), &"paired".into()));
    assert_eq!(snapshot["sections"][1], serde_json::json!({ "slug": "women", "name": "Women" }));
}

#[tokio::test]
async fn a_withdrawn_game_leaves_every_file_at_once_and_comes_back() {
    // Time stands still: only the tags can tell.
    let site = Site::with_games(0.0);
    let before = site.get("/live.pgn", &[]).await;
    let withdrawn = |withdrawn| Fact::Withdrawn { game: "g2".into(), withdrawn };
    site.hall.record(vec![withdrawn(true)], Vec::new());
    let without = site.get("/live.pgn", &[("if-none-match", before.header("etag"))]).await;
    assert_eq!((without.status, without.text()), (StatusCode::OK, &*site.pgn(&["g1", "g3"])));
    for path in ["/pgn/hall/all.pgn", "/pgn/hall/round-1/games.pgn", "/pgn/hall/round-1/boards-1-3.pgn"] {
        assert_eq!(site.get(path, &[]).await.text(), site.pgn(&["g1", "g3"]), "{path}");
    }
    for path in ["/pgn/game/g2.pgn", "/epd/game/g2.epd", "/pgn/hall/round-1/game-2.pgn"] {
        assert_eq!(site.get(path, &[]).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert!(!String::from_utf8_lossy(&site.get("/api/v1/round", &[]).await.bytes).contains("Đukić"));
    site.hall.record(vec![withdrawn(false)], Vec::new());
    let again = site.get("/live.pgn", &[("if-none-match", without.header("etag"))]).await;
    assert_eq!((again.header("etag"), &again.bytes), (before.header("etag"), &before.bytes));
}

#[tokio::test]
async fn a_game_is_there_as_epd() {
    let site = Site::with_games(0.0);
    let answer = site.get("/epd/game/g1.epd", &[]).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "text/plain; charset=utf-8"));
    let lines: Vec<_> = answer.text().lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].contains(" sm Nf3; ts ") && lines[0].contains("ptp "), "{}", lines[0]);
    assert!(lines[1].contains("cc 000:00:00:01 000:00:00:00;") && lines[1].contains("id \"g1.1\";"), "{}", lines[1]);
    assert!(!lines[3].contains("sm "), "nothing was played from it");
    let same = site.get("/epd/game/g1.epd", &[("if-none-match", answer.header("etag"))]).await;
    assert_eq!(same.status, StatusCode::NOT_MODIFIED);
    site.hall.play("g1", 1);
    let grown = site.get("/epd/game/g1.epd", &[("if-none-match", answer.header("etag"))]).await;
    assert_eq!(grown.text().lines().count(), 5);
    for path in ["/epd/game/g9.epd", "/epd/game/g1.pgn", "/epd/game/g1"] {
        assert_eq!(site.get(path, &[]).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn readers_of_livechess_cloud_find_every_file() {
    let site = Site::with_games(0.0);
    let sections: serde_json::Value =
        serde_json::from_str(site.ask(Method::GET, "/api/v1/sections", &[]).await.text()).unwrap();
    let id = sections["sections"][0]["livechess_id"].as_str().unwrap().to_owned();
    let meta = site.ask(Method::GET, &format!("/meta/{id}"), &[("host", "games.example.org")]).await;
    assert_eq!(meta.text(), r#"{"format":"1","host":"games.example.org"}"#);
    assert_eq!(meta.header("access-control-allow-origin"), "*");
    let read = async |path: &str| {
        let answer = site.ask(Method::GET, &format!("/get/{id}/{path}"), &[]).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.header("content-type"), "application/json; charset=utf-8");
        serde_json::from_slice::<serde_json::Value>(&answer.bytes).unwrap()
    };
    assert_eq!(read("tournament.json").await["rounds"][0]["count"], 3);
    let index = read("round-1/index.json").await;
    assert_eq!(index["pairings"].as_array().unwrap().len(), 3);
    assert_eq!(index["pairings"][1]["white"]["lname"], "Đukić");
    let game = read("round-1/game-2.json?poll=").await;
    assert_eq!(game["moves"].as_array().unwrap().len(), 6);

    // Pollers that have it get no second copy; what is not there is no JSON with status 200.
    let path = format!("/get/{id}/round-1/game-2.json");
    let first = site.ask(Method::GET, &path, &[]).await;
    let etag = first.header("etag").to_owned();
    let again = site.ask(Method::GET, &path, &[("if-none-match", &etag)]).await;
    assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    site.hall.play("g2", 1);
    let changed = site.ask(Method::GET, &path, &[("if-none-match", &etag)]).await;
    assert_eq!(changed.status, StatusCode::OK);
    for wrong in [
        "round-1/game-0.json",
        "round-1/game-4.json",
        "round-01/index.json",
        "round-2/index.json",
        "round-99999999999/index.json",
        "round-1/game-1.pgn",
        "../tournament.json",
        "index.json",
    ] {
        let answer = site.ask(Method::GET, &format!("/get/{id}/{wrong}"), &[]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{wrong}");
    }
    for unknown in ["/get/no-such-id/tournament.json", "/meta/00000000-0000-0000-0000-000000000000"] {
        assert_eq!(site.ask(Method::GET, unknown, &[]).await.status, StatusCode::NOT_FOUND, "{unknown}");
    }
}
