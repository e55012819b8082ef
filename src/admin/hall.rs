//! Reads the tournament without delay, with withdrawn games and hidden names.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode};

use super::api::boards::{BoardState, Ready};
use super::api::rounds::RoundView;
use super::api::sections::{HallView, SectionView};
use super::orders::version_tag;
use super::state::{API, Admin};
use public_web::problem::Problem;
use public_web::sent::At;

type Versioned<T> = ([(HeaderName, String); 1], Json<T>);

/// Get the hall: tournaments, sections, rounds, tables
#[utoipa::path(
    get, path = API.to_owned() + "/hall", tag = "tournament",
    responses((status = 200, description = "The hall", body = HallView,
        headers(("ETag" = String, description = "The version, for `If-Match` of an order")))),
)]
pub(super) async fn see_hall(State(admin): State<Arc<Admin>>) -> Versioned<HallView> {
    // The version is read first: if the hall changes in between, an order based on this version is refused.
    let version = admin.parts.director.version();
    let (hall, now) = (admin.parts.director.hall(), admin.parts.hall_clock.now());
    ([version_tag(version)], Json(HallView::of(version, &hall, admin.parts.director.connected_boards(), now)))
}

/// Get a section and its players
#[utoipa::path(
    get, path = API.to_owned() + "/sections/{section}", tag = "tournament",
    params(("section" = String, Path, description = "The slug of the section")),
    responses((status = 200, description = "The section", body = SectionView,
        headers(("ETag" = String, description = "The version, for `If-Match` of an order")))),
)]
pub(super) async fn see_section(
    State(admin): State<Arc<Admin>>,
    At(slug): At<String>,
) -> Result<Versioned<SectionView>, Problem> {
    let version = admin.parts.director.version();
    let (hall, persons) = (admin.parts.director.hall(), admin.parts.director.persons());
    let section = hall.section(&slug).ok_or_else(no_section)?;
    let view = SectionView::of(version, (&hall, section), &persons, admin.parts.hall_clock.now());
    Ok(([version_tag(version)], Json(view)))
}

/// Get a round and its games
#[utoipa::path(
    get, path = API.to_owned() + "/sections/{section}/rounds/{round}", tag = "tournament",
    params(("section" = String, Path, description = "The slug of the section"),
        ("round" = u32, Path, description = "The number of the round")),
    responses((status = 200, description = "The round", body = RoundView,
        headers(("ETag" = String, description = "The version, for `If-Match` of an order")))),
)]
pub(super) async fn see_round(
    State(admin): State<Arc<Admin>>,
    At((slug, number)): At<(String, u32)>,
) -> Result<Versioned<RoundView>, Problem> {
    let version = admin.parts.director.version();
    let hall = admin.parts.director.hall();
    let round = hall.round(&slug, number).ok_or_else(no_round)?;
    Ok(([version_tag(version)], Json(RoundView::of(version, &hall, round))))
}

/// Check whether a round can start
#[utoipa::path(
    get, path = API.to_owned() + "/sections/{section}/rounds/{round}/ready", tag = "boards",
    params(("section" = String, Path, description = "The slug of the section"),
        ("round" = u32, Path, description = "The number of the round")),
    responses((status = 200, description = "The problems, by table", body = Ready)),
)]
pub(super) async fn check_ready(
    State(admin): State<Arc<Admin>>,
    At((slug, number)): At<(String, u32)>,
) -> Result<Json<Ready>, Problem> {
    let hall = admin.parts.director.hall();
    hall.round(&slug, number).ok_or_else(no_round)?;
    Ok(Json(tournament::ready(&hall, &slug, number, &admin.parts.director.board_states()).into()))
}

/// Get the state of every board
#[utoipa::path(
    get, path = API.to_owned() + "/boards", tag = "boards",
    responses((status = 200, description = "All boards that were found", body = Vec<BoardState>)),
)]
pub(super) async fn see_boards(State(admin): State<Arc<Admin>>) -> Json<Vec<BoardState>> {
    Json(admin.parts.director.board_states().into_iter().map(BoardState::from).collect())
}

pub(super) fn no_section() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such section: /api/v1/admin/hall lists all sections.")
}

fn no_round() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such round: /api/v1/admin/hall lists all rounds.")
}
