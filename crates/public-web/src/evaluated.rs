//! What an engine thinks of the positions of a game, where the delay allows it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use evaluations::{Evaluation, OfGame, Score};
use publish::bodies::etag_of;
use publish::gate::View;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::encoding::compressed;
use super::polled::Conditions;
use super::problem::Problem;
use super::sections::{nothing, read};
use super::sent::At;
use super::web::Web;

/// The evaluations of a game.
#[derive(Serialize, ToSchema)]
struct PublicEvaluations {
    /// The game's id.
    game: String,
    /// What the engine calls itself; empty before it has answered.
    engine: String,
    /// By ply; positions that were not evaluated yet are left out.
    positions: Vec<PublicEvaluation>,
}

/// The evaluation of a position; it has either `centipawns` or `mate`.
#[derive(Serialize, ToSchema)]
struct PublicEvaluation {
    /// The half-move after which the position stands on the board, 0 for the start.
    ply: usize,
    /// Hundredths of a pawn, -32000 to 32000; above 0 White is better.
    #[serde(skip_serializing_if = "Option::is_none")]
    centipawns: Option<i32>,
    /// Moves to mate, up to 1000: White mates when it is above 0, Black when it is below; 0 is a checkmate on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// The depth of the search in half-moves; 0 where none was needed.
    depth: u32,
}

/// The address with its description.
pub(super) fn routes() -> OpenApiRouter<Arc<Web>> {
    OpenApiRouter::default().routes(routes!(show_evaluations))
}

/// See what an engine thinks of the positions of a game
///
/// Only while the delay of the round and of the board is at least 15 minutes, and for positions that are at least 15 minutes old.
/// What is missing is evaluated while it is asked for, the newest position first: ask again after a few seconds, with the `ETag`.
#[utoipa::path(
    get, path = "/api/v1/games/{game}/evaluations", tag = "sections",
    params(("game" = String, Path, description = "The game's id")),
    responses((status = 200, description = "The evaluations that are known", body = PublicEvaluations),
        (status = 304, description = "They did not change"),
        (status = 404, description = "There are none: no engine, no such game, or a shorter delay")),
)]
async fn show_evaluations(
    State(web): State<Arc<Web>>,
    At(id): At<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let found = read(move || {
        let evaluations = web.evaluations.as_ref()?;
        evaluations.of(&web.public.game(&id)?.1).map(|known| PublicEvaluations::of(id, known))
    });
    let none = || {
        nothing(
            "This game has no evaluations: they need an engine, and a delay of at least 15 minutes of the round and the board.",
        )
    };
    let body = serde_json::to_vec(&found.await?.ok_or_else(none)?).unwrap_or_default();
    let etag = etag_of(&body);
    let mut response = if Conditions::of(&headers).has_tag(&etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut response = compressed(&headers, body);
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    };
    let answer = response.headers_mut();
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer.extend(HeaderValue::from_str(&format!("W/{etag}")).map(|etag| (header::ETAG, etag)));
    Ok(response)
}

impl PublicEvaluations {
    fn of(game: String, known: OfGame) -> Self {
        let positions = known.positions.into_iter().map(|(ply, Evaluation { score, depth })| {
            let (centipawns, mate) = match score {
                Score::Centipawns(value) => (Some(value), None),
                Score::Mate(moves) => (None, Some(moves)),
            };
            PublicEvaluation { ply, centipawns, mate, depth }
        });
        Self { game, engine: known.engine.to_string(), positions: positions.collect() }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::Ordering;

    use axum::Router;
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use evaluations::{Evaluations, LEAST_DELAY, Settings};
    use hall_clock::HandSet;
    use publish::gate::Delay;
    use publish::hub;
    use publish::test_hall::{Hall, round};
    use tournament::RoundSettings;
    use tower::ServiceExt;

    use super::*;

    const ADDRESS: &str = "/api/v1/games/g/evaluations";

    /// A game of three plies that was played long ago, with an engine or without.
    fn hall(engine: bool) -> (Hall, Arc<Web>, Router, tempfile::TempDir) {
        let set: &HandSet = Box::leak(Box::default());
        set.time.store(1_800_000_000_000, Ordering::SeqCst);
        let folder = tempfile::tempdir().unwrap();
        let hall = Hall::by_hand(set, folder.path());
        let program = folder.path().join("sound");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../uci/tests/fake_engine.sh");
        std::os::unix::fs::symlink(script, &program).unwrap();
        let evaluations = engine.then(|| Evaluations::start(&hall.gate, Settings::of(program)).unwrap());
        let (hub, _) = hub::start(hall.public.clone(), hall.clock, hub::Limits::default()).unwrap();
        let health: crate::Health = Box::new(|_, _| crate::HealthReport::well());
        let web = Web::new(hall.public.clone(), hub, hall.clock, crate::tests::page, health);
        let web = Arc::new(web.with_evaluations(evaluations));
        hall.start_game("g", 1, 1, &[]);
        hall.play("g", 3);
        set.time.fetch_add(3_600_000, Ordering::SeqCst);
        set.monotonic_ms.fetch_add(3_600_000, Ordering::SeqCst);
        hall.settle();
        let router = crate::routes(&web).0;
        (hall, web, router, folder)
    }

    fn delay(hall: &Hall, delay: Delay) {
        let settings = RoundSettings { delay: Some(delay), ..RoundSettings::default() };
        hall.record(vec![round("hall", 1, settings)], Vec::new());
    }

    async fn ask(router: &Router, path: &str, tag: &str) -> (StatusCode, String, String) {
        let request = Request::get(path).header("if-none-match", tag).body(Body::empty()).unwrap();
        let answer = router.clone().oneshot(request).await.unwrap();
        let tag = answer.headers().get("etag").map(|tag| tag.to_str().unwrap().to_owned()).unwrap_or_default();
        let status = answer.status();
        let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        (status, tag, String::from_utf8_lossy(&body).into_owned())
    }

    #[tokio::test]
    async fn evaluations_come_one_after_the_other_and_are_not_sent_twice() {
        let (hall, web, router, _folder) = hall(true);
        delay(&hall, LEAST_DELAY);
        assert_eq!(ask(&router, ADDRESS, "").await.0, StatusCode::OK);
        web.evaluations.as_ref().unwrap().settle();
        let (_, tag, body) = ask(&router, ADDRESS, "").await;
        assert_eq!(
            body,
            "{\"game\":\"g\",\"engine\":\"Fake 1\",\"positions\":[{\"ply\":0,\"centipawns\":20,\"depth\":1},\
             {\"ply\":1,\"centipawns\":-20,\"depth\":1},{\"ply\":2,\"centipawns\":20,\"depth\":1},\
             {\"ply\":3,\"centipawns\":-20,\"depth\":1}]}"
        );
        assert_eq!(ask(&router, ADDRESS, &tag).await, (StatusCode::NOT_MODIFIED, tag, String::new()));
        hall.play("g", 1);
        assert!(!ask(&router, ADDRESS, "").await.2.contains("\"ply\":4"), "a move that is not public");
    }

    #[tokio::test]
    async fn without_an_engine_or_with_a_shorter_delay_there_are_none() {
        for engine in [false, true] {
            let (hall, _, router, _folder) = hall(engine);
            assert_eq!(ask(&router, "/api/v1/games/g", "").await.0, StatusCode::OK);
            assert_eq!(ask(&router, ADDRESS, "").await.0, StatusCode::NOT_FOUND, "no delay");
            delay(&hall, LEAST_DELAY);
            let expected = if engine { StatusCode::OK } else { StatusCode::NOT_FOUND };
            assert_eq!(ask(&router, ADDRESS, "").await.0, expected);
            assert_eq!(ask(&router, &ADDRESS.replace("/g/", "/other/"), "").await.0, StatusCode::NOT_FOUND);
            delay(&hall, Delay::Seconds(899));
            assert_eq!(ask(&router, ADDRESS, "").await.0, StatusCode::NOT_FOUND, "a shorter delay");
        }
    }

    #[tokio::test]
    async fn screens_overlays_and_frames_of_other_sites_are_drawn_without_them() {
        let (hall, web, router, _folder) = hall(true);
        let pages =
            ["/screen", "/overlay/board/1", "/embed/game/g", "/embed/round/current", "/game/g", "/", "/api/v1/round"];
        delay(&hall, LEAST_DELAY);
        let mut before = Vec::new();
        for page in pages {
            before.push(ask(&router, page, "").await);
        }
        assert_eq!(ask(&router, ADDRESS, "").await.0, StatusCode::OK);
        web.evaluations.as_ref().unwrap().settle();
        for (page, before) in pages.into_iter().zip(before) {
            assert_eq!(ask(&router, page, "").await, before, "{page} knows nothing of an engine");
        }
    }
}
