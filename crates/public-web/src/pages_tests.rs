//! What visitors get before any script runs: pages, pictures, headers.

use axum::http::StatusCode;
use game_core::event::Event;
use notation::pgn::Outcome;
use publish::gate::Delay;
use publish::test_hall::{round, tags};
use tournament::RoundSettings;

use crate::tests::Site;

const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";

#[tokio::test]
async fn the_first_page_has_names_positions_and_results() {
    let site = Site::with_games(1.0);
    site.hall.happen("g3", Event::Result { result: Outcome::WhiteWins, reason: "resignation".into() });
    let page = site.get("/", &[]).await;
    let html = page.text();
    for part in ["Carlsen, Magnus", "Đukić, Nikola", "2. Ng1", "1–0", "href=\"/game/g2\"", "og:image", "/board/g1.png"]
    {
        assert!(html.contains(part), "{part}");
    }
    assert_eq!(html.matches("class=\"drawn-board\"").count(), 3);
    let german = site.get("/", &[("accept-language", "de-AT,en;q=0.3")]).await;
    assert!(german.text().contains("Brett 1"), "{}", german.text());
    assert!(page.header("vary").contains("Accept-Language"));
}

#[tokio::test]
async fn pages_without_a_script_say_by_how_much_the_round_is_shown_later_too() {
    let site = Site::with_games(1.0);
    let none = site.get("/", &[]).await;
    assert!(!none.text().contains("later"), "{}", none.text());
    let settings = RoundSettings { delay: Some(Delay::Seconds(900)), ..RoundSettings::default() };
    site.hall.record(vec![round("hall", 1, settings)], Vec::new());
    site.hall.settle();
    for path in ["/", "/game/g2", "/embed/round/current"] {
        let page = site.get(path, &[("accept-language", "en")]).await;
        assert!(page.text().contains("Moves are shown 15 minutes later."), "{path}: {}", page.text());
    }
}

#[tokio::test]
async fn a_game_has_a_page_with_its_moves() {
    let site = Site::with_games(1.0);
    let page = site.get("/game/g2", &[]).await;
    assert_eq!(page.status, StatusCode::OK);
    for part in ["1. Nf3 Nf6", "content=\"hall\"", "boardcast:game", "“Big” Łoś"] {
        assert!(page.text().contains(part), "{part}");
    }
    for path in ["/game/none", "/embed/game/none", "/embed/round/none", "/embed/round/hall/x", "/embed/round/hall/9/9"]
    {
        let gone = site.get(path, &[]).await;
        assert_eq!(gone.status, StatusCode::NOT_FOUND, "{path}");
        assert!(gone.text().starts_with("There is no such"), "{path}: {}", gone.text());
    }
}

#[tokio::test]
async fn hostile_names_stay_text_everywhere() {
    let site = Site::with_games(1.0);
    let long = "ж".repeat(200);
    site.hall
        .happen("g1", tags(&[("White", HOSTILE), ("WhiteTitle", HOSTILE), ("Black", &long), ("BlackElo", HOSTILE)]));
    for path in ["/", "/game/g1", "/embed/game/g1", "/embed/round/current", "/board/g1.svg"] {
        let page = site.get(path, &[]).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert!(!page.text().contains("<script>alert") && !page.text().contains("<img"), "{path}: {}", page.text());
        assert!(page.text().contains("&lt;script&gt;"), "{path}");
        assert!(!page.text().contains(&long), "{path}: a name is cut");
    }
}

#[tokio::test]
async fn only_embeds_may_be_framed_by_other_sites() {
    let site = Site::with_games(1.0);
    let ancestors = async |path: &str| {
        let page = site.get(path, &[]).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        let policy = page.header("content-security-policy").to_owned();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self' "), "{path}: {policy}");
        assert!(page.header("set-cookie").is_empty(), "{path}");
        policy.rsplit_once(' ').unwrap().1.to_owned()
    };
    for path in ["/", "/game/g1", "/overlay/board/auto", "/overlay/wall?n=x", "/screen", "/?event=%00&round=-1"] {
        assert_eq!(ancestors(path).await, "'none'", "{path}");
    }
    for path in ["/embed/game/g1", "/embed/round/current", "/embed/round/hall", "/embed/round/hall/1?light=%3Cx"] {
        assert_eq!(ancestors(path).await, "*", "{path}");
    }
}

#[tokio::test]
async fn files_and_snapshots_go_out_compressed() {
    let site = Site::with_games(1.0);
    let coding = async |path: &str, wish: &str| {
        let answer = site.get(path, &[("accept-encoding", wish)]).await;
        assert!(answer.header("vary").contains("Accept-Encoding"), "{path}");
        let kept = (answer.header("content-encoding").to_owned(), answer.header("etag").to_owned());
        (kept.0, kept.1, answer.bytes.len())
    };
    let asset = "/assets/index-1f2e.js";
    assert_eq!(coding(asset, "gzip, deflate, br, zstd").await.0, "br");
    assert_eq!(coding(asset, "gzip").await.0, "gzip");
    assert_eq!(coding(asset, "br;q=0, identity").await.0, "");
    assert_ne!(coding(asset, "br").await.1, coding(asset, "gzip").await.1);
    for path in ["/", "/game/g1", "/api/v1/round"] {
        let (plain, packed) = (coding(path, "").await, coding(path, "gzip").await);
        assert_eq!((&*plain.0, &*packed.0), ("", "gzip"), "{path}");
        assert!(packed.2 * 2 < plain.2, "{path}: {} of {}", packed.2, plain.2);
    }
}

#[tokio::test]
async fn a_game_has_pictures_as_far_as_it_is_public() {
    let site = Site::with_games(1.0);
    let svg = site.get("/board/g1.svg", &[]).await;
    assert_eq!((svg.header("content-type"), svg.header("cache-control")), ("image/svg+xml", "no-cache"));
    assert_eq!(svg.text().matches("class=\"moved\"").count(), 2);
    let tag = svg.header("etag").to_owned();
    assert_eq!(site.get("/board/g1.svg", &[("if-none-match", &tag)]).await.status, StatusCode::NOT_MODIFIED);
    site.hall.play("g1", 1);
    assert_eq!(site.get("/board/g1.svg", &[("if-none-match", &tag)]).await.status, StatusCode::OK);
    let start = site.get("/board/g1.svg?ply=0&flip=1", &[]).await;
    assert_eq!(start.text().matches("class=\"moved\"").count(), 0);

    let png = site.get("/board/g1.png?size=80", &[]).await;
    assert_eq!(png.header("content-type"), "image/png");
    assert!(png.bytes.starts_with(b"\x89PNG"));
    assert_eq!(site.get("/board/g1.png?size=80", &[]).await.bytes, png.bytes);
    for path in ["/board/none.png", "/board/g1", "/board/g1.gif", "/board/.svg", "/board/%FF.png"] {
        assert!(site.get(path, &[]).await.status.is_client_error(), "{path}");
    }
}

#[tokio::test]
async fn a_report_is_taken_for_known_games_alone_and_says_nothing() {
    let site = Site::with_games(1.0);
    let report = async |game: &str, body: &str| site.post(&format!("/api/v1/games/{game}/reports"), body).await;
    let taken = report("g1", r#"{"text":"The queen\u0000 is on d3","ply":4}"#).await;
    assert_eq!((taken.status, taken.bytes.len()), (StatusCode::ACCEPTED, 0));
    for (game, body, status) in [
        ("none", r#"{"text":"x"}"#, 404),
        ("g1", r#"{"text":"  \u0007 "}"#, 422),
        ("g1", r#"{"text":7}"#, 422),
        ("g1", r#"{"text":"x","more":1}"#, 422),
        ("g1", "", 400),
        ("g1", "{", 400),
    ] {
        assert_eq!(report(game, body).await.status.as_u16(), status, "{body}");
    }
    assert_eq!(report("g1", &format!(r#"{{"text":"{}"}}"#, "x".repeat(301))).await.status.as_u16(), 422);
    assert_eq!(report("g1", &format!(r#"{{"text":"{}"}}"#, "x".repeat(20_000))).await.status.as_u16(), 413);
    let mut refused = 0;
    for _ in 0..40 {
        refused += usize::from(report("g1", r#"{"text":"again"}"#).await.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 15, "{refused}");
}
