//! Sections, pairings, players and games as JSON; undelayed games below a key.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use game_core::event::Author;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::parts;
use crate::admin::{Admin, routers};
use crate::director::DirectorHandle;
use accounts::{Accounts, Hashed, KeyKind, NewKey, Role, Secret};
use hall_clock::HallClock;
use public_web::{CameIn, Web};
use publish::hub;
use publish::test_hall::{Hall, round, round_state, section};
use tournament::{Order, RoundSettings, RoundState, SectionSettings};

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
        let router = routers(&Arc::new(web), hall.gate.keys(), &Arc::new(Admin::new(parts))).all;
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
    for (path, same) in [
        ("live.pgn", "/live.pgn"),
        ("pgn/hall/round-1/game-1.pgn", "/pgn/hall/round-1/game-1.pgn"),
        ("ascii/pgn/hall/all.pgn", "/ascii/pgn/hall/all.pgn"),
    ] {
        // Without a delay there is nothing that only the key shows.
        assert_eq!(site.get(&format!("/arbiter/{key}/{path}"), true).await, site.get(same, false).await, "{path}");
    }
    assert_eq!(public.0, 200);
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
    for key in [site.key("gone"), "0".repeat(32), "rubbish".into()] {
        assert_eq!(site.get(&format!("/arbiter/{key}/live.pgn"), true).await.0, 403, "{key}");
    }
}
