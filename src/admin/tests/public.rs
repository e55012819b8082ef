//! Sections, pairings, players and games as JSON; undelayed games below a key.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use futures_util::{SinkExt as _, StreamExt as _};
use game_core::event::Author;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tower::ServiceExt;

use super::parts;
use crate::admin::{Admin, routers};
use crate::director::DirectorHandle;
use accounts::{Accounts, Hashed, KeyKind, NewKey, Role, Secret};
use hall_clock::HallClock;
use public_web::{CameIn, Web};
use publish::hub;
use publish::test_hall::{Hall, paired, round, round_state, section, tags};
use tournament::{Delay, GameRef, Order, RoundSettings, RoundState, SectionSettings};

type Feed = WebSocketStream<MaybeTlsStream<TcpStream>>;

struct Site {
    hall: Hall,
    router: Router,
    accounts: Accounts,
    director: DirectorHandle,
    _folder: tempfile::TempDir,
}

impl Site {
    /// Two games of a round, one of them with a player who shows his initials; the director knows the section.
    async fn open() -> Self {
        let hall = Hall::open(1.0);
        let white =
            [("White", "Carlsen, Magnus"), ("WhiteTitle", "GM"), ("WhiteElo", "2830"), ("WhiteFideId", "1503014")];
        hall.start_game("g1", 1, 1, &[&white[..], &[("Black", "M., J."), ("BlackFed", "GER")]].concat());
        hall.start_game("g2", 1, 2, &[("White", "?"), ("Black", "Łoś, A")]);
        hall.play("g1", 3);

        let folder = tempfile::tempdir().unwrap();
        let parts = parts(folder.path(), None);
        let settings = SectionSettings::named("Spring Open");
        let (accounts, director) = (parts.accounts.clone().unwrap(), parts.director.clone());
        let (handle, _) = hub::start(hall.public.clone(), hall.clock, hub::Limits::default()).unwrap();
        let web = Web::new(
            hall.public.clone(),
            handle,
            hall.clock,
            |_| None,
            Box::new(|_, _| public_web::HealthReport::well()),
        );
        let router = routers(&Arc::new(web), &hall.gate, &Arc::new(Admin::new(parts))).all;
        let site = Self { router, hall, accounts, director, _folder: folder };
        site.order(Order::SetSection { section: "hall".into(), settings, confirm: false }).await;
        site
    }

    async fn order(&self, order: Order) {
        self.director.order(Author::Rule("test".into()), None, None, order).await.unwrap();
    }

    async fn get(&self, path: &str, loopback: bool) -> (StatusCode, String) {
        let mut request = Request::get(path).header("host", "localhost").body(Body::empty()).unwrap();
        request.extensions_mut().insert(CameIn { loopback, tls: false });
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    async fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path, false).await;
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// A key to the undelayed games of a section.
    fn key(&self, section: &str) -> String {
        let now = HallClock::start(1.0).now();
        let anna = "Anna".parse().unwrap();
        let _ = self.accounts.add_user(&anna, Role::Operator, &Hashed::of_no_password());
        let (secret, kind) = (Secret::draw().unwrap(), KeyKind::Undelayed { section: section.into() });
        let key = NewKey { holder: "Ben's tablet".into(), kind, ends_at: now + 3_600_000 };
        self.accounts.add_key(&anna, &key, secret.digest(), now).unwrap();
        secret.reveal().to_owned()
    }
}

/// The feed below a key, on a port of this machine.
async fn followed(site: &Site, key: &str) -> Result<Feed, u16> {
    let came_in = CameIn { loopback: true, tls: false };
    let router = site.router.clone().layer(axum::Extension(came_in));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/arbiter/{key}/live", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    match tokio_tungstenite::connect_async(url).await {
        Ok((feed, _)) => Ok(feed),
        Err(tungstenite::Error::Http(answer)) => Err(answer.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

async fn message(feed: &mut Feed) -> Value {
    let message = tokio::time::timeout(Duration::from_mins(1), feed.next()).await.expect("a message");
    serde_json::from_str(message.unwrap().unwrap().to_text().unwrap()).unwrap()
}

#[tokio::test]
async fn a_key_opens_the_feed_of_its_section_without_delay() {
    let site = Site::open().await;
    let settings = RoundSettings { delay: Some(Delay::Seconds(900)), ..RoundSettings::default() };
    site.hall.record(vec![round("hall", 1, settings)], Vec::new());
    site.hall.settle();
    let key = site.key("hall");
    let mut feed = followed(&site, &key).await.unwrap();
    let first = message(&mut feed).await;
    assert_eq!(first["snapshot"]["games"][0]["moves"].as_array().unwrap().len(), 3, "{first}");
    site.hall.happen("g1", tags(&[("Annotator", "Bos")]));
    let told = message(&mut feed).await;
    assert_eq!(told["events"][0]["game"], "g1", "{told}");
    // What a page says is not read, however large, and a wrong key opens nothing.
    feed.send(Message::text("x".repeat(100_000))).await.unwrap();
    for wrong in ["wrong", &site.key("none")] {
        assert_eq!(followed(&site, wrong).await.err(), Some(403));
    }
    let plain = site.get(&format!("/arbiter/{key}/live"), true).await;
    assert_eq!(plain.0, 426, "{}", plain.1);
    followed(&site, &key).await.unwrap();
}

#[tokio::test]
async fn pairings_are_in_the_round_of_a_key_as_soon_as_they_are_published() {
    let site = Site::open().await;
    site.hall.record(vec![round_state("hall", 1, RoundState::Finished)], Vec::new());
    let at = GameRef { game: "p1".into(), event: "hall".into(), round: 2, table: 1 };
    site.hall.know(&at);
    site.hall.record(vec![round("hall", 2, RoundSettings::default()), paired(&at)], Vec::new());
    site.hall
        .record(vec![round_state("hall", 2, RoundState::Published)], vec![("p1", tags(&[("White", "Clark, Ann")]))]);
    site.hall.settle();
    let games = |round: &Value| {
        let games = round["snapshot"]["games"].as_array().unwrap().clone();
        games.iter().map(|game| (game["game"].clone(), game["state"].clone())).collect::<Vec<_>>()
    };
    let public = games(&site.json("/api/v1/round").await);
    let (_, keyed) = site.get(&format!("/arbiter/{}/round", site.key("hall")), true).await;
    assert_eq!(public, [(json!("p1"), json!("paired"))]);
    assert_eq!(games(&serde_json::from_str(&keyed).unwrap()), public);
}

#[tokio::test]
async fn sections_rounds_and_pairings_are_listed() {
    let site = Site::open().await;
    let sections = site.json("/api/v1/sections").await;
    assert_eq!(sections["current"], "hall");
    let section = &sections["sections"][0];
    assert_eq!((&section["name"], &section["site"]), (&json!("Spring Open"), &json!("Örebro")));
    assert_eq!(
        section["rounds"][0],
        json!({ "round": 1, "name": "Round 1", "date": null, "planned_start": null,
        "games": 2, "ended": false })
    );
    assert_eq!(site.json("/api/v1/sections/hall").await, *section);

    let pairings = site.json("/api/v1/sections/hall/rounds/1").await;
    let first = &pairings["pairings"][0];
    assert_eq!((&first["game"], &first["board"], &first["plies"]), (&json!("g1"), &json!(1), &json!(3)));
    assert_eq!((&first["state"], &first["result"]), (&json!("playing"), &json!("*")));
    assert_eq!(
        first["white"],
        json!({ "name": "Carlsen, Magnus", "title": "GM", "rating": 2830, "federation": null,
        "fide_id": 1_503_014, "team": null })
    );
    assert_eq!(first["black"]["name"], "M., J.");
    assert_eq!(pairings["pairings"][1]["state"], "ready");

    let game = site.json("/api/v1/games/g1").await;
    assert_eq!(game["moves"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_section_without_public_rounds_lists_none() {
    let site = Site::open().await;
    site.hall.record(vec![section("later", "Autumn Open")], Vec::new());
    assert_eq!(site.json("/api/v1/sections/later").await["rounds"], json!([]));
    assert_eq!(site.get("/api/v1/sections/later/rounds/1", false).await.0, 404);
    let prepared = round("later", 1, RoundSettings::default());
    site.hall.record(vec![prepared, round_state("later", 1, RoundState::Published)], Vec::new());
    assert_eq!(site.json("/api/v1/sections/later").await["rounds"][0]["name"], "Round 1");
}

#[tokio::test]
async fn players_are_those_of_public_games() {
    let site = Site::open().await;
    let players = site.json("/api/v1/sections/hall/players").await;
    let names: Vec<_> = players.as_array().unwrap().iter().map(|player| player["name"].clone()).collect();
    assert_eq!(names, ["Carlsen, Magnus", "M., J.", "Łoś, A"], "who is not shown at all is not counted either");
}

#[tokio::test]
async fn what_is_not_there_is_a_problem() {
    let site = Site::open().await;
    for path in
        ["/sections/open-b", "/sections/hall/rounds/9", "/sections/hall/rounds/x", "/sections/x/players", "/games/x"]
    {
        let (status, body) = site.get(&format!("/api/v1{path}"), false).await;
        assert_eq!(status, 404, "{path}");
        let problem: Value = serde_json::from_str(&body).unwrap();
        assert!(problem["detail"].as_str().unwrap().starts_with("There is no"), "{path}: {body}");
    }
}

#[tokio::test]
async fn a_key_shows_the_games_of_its_section_until_it_is_revoked() {
    let site = Site::open().await;
    let key = site.key("hall");
    let public = site.get("/live.pgn", false).await;
    let views = site.hall.gate.views();
    for (path, same) in [
        ("live.pgn", "/live.pgn"),
        ("pgn/hall/round-1/game-1.pgn", "/pgn/hall/round-1/game-1.pgn"),
        ("ascii/pgn/hall/all.pgn", "/ascii/pgn/hall/all.pgn"),
    ] {
        // Without a delay there is nothing that only the key shows.
        assert_eq!(site.get(&format!("/arbiter/{key}/{path}"), true).await, site.get(same, false).await, "{path}");
    }
    assert_eq!(public.0, 200);
    assert_eq!(site.hall.gate.views(), views + 1, "the first use of a key opens the undelayed games, and no other one");
    for path in ["pgn/other/live.pgn", "pgn/game/nobody.pgn", "api/v1/admin/users", "hall"] {
        assert_eq!(site.get(&format!("/arbiter/{key}/{path}"), true).await.0, 404, "{path}");
    }
    assert_eq!(site.get(&format!("/arbiter/{key}/live.pgn"), false).await.0, 403, "over a network without TLS");
    site.order(Order::EndEvent { section: "hall".into(), confirm: false }).await;
    assert_eq!(site.get(&format!("/arbiter/{key}/live.pgn"), true).await.0, 403, "the event is over");
    site.order(Order::ResumeEvent { section: "hall".into() }).await;
    assert_eq!(site.get(&format!("/arbiter/{key}/live.pgn"), true).await, public);
    let used = site.accounts.keys(0).unwrap()[0].clone();
    assert!(used.used_at.is_some());
    site.accounts.revoke_key(used.id, Role::Administrator).unwrap();
    let (status, told) = site.get(&format!("/arbiter/{key}/live.pgn"), true).await;
    assert!(status == 403 && told.contains("has ended or was revoked"), "{told}");
    assert!(!told.contains(&key));
}

#[tokio::test]
async fn a_key_of_another_section_or_of_none_shows_nothing() {
    let site = Site::open().await;
    site.hall.play("g1", 1);
    let views = site.hall.gate.views();
    for key in [site.key("gone"), "0".repeat(32), "rubbish".into()] {
        assert_eq!(site.get(&format!("/arbiter/{key}/live.pgn"), true).await.0, 403, "{key}");
    }
    assert_eq!(site.hall.gate.views(), views, "memory has no copy of the games that no key opens");
}
