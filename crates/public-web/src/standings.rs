//! The standings of a section, from the results that are public: for pages, and as a file for spreadsheets.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use publish::standings::{self, RoundResults};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::problem::Problem;
use super::sections::{PublicPlayer, fresh, nothing, read};
use super::sent::At;
use super::web::Web;
use publish::gate::View;

/// The players by points.
#[derive(Serialize, ToSchema)]
struct Standings {
    /// The section's part of addresses.
    event: String,
    /// Names of the tie-breaks of the pairing program, the most important first; empty without its standings, and while a later
    /// round has results.
    tie_breaks: Vec<String>,
    /// The round after which the pairing program made these standings; none when they are the points of the games alone.
    after_round: Option<u32>,
    /// By rank; without standings of the pairing program the highest points first, of equal points by rating and name.
    players: Vec<Standing>,
}

/// One player.
#[derive(Serialize, ToSchema)]
struct Standing {
    /// From 1: the pairing program's, or the same for all with equal points.
    rank: u32,
    /// Who it is.
    player: PublicPlayer,
    /// Points twice, so that a draw counts 1; those of the pairing program include byes.
    half_points: u32,
    /// Values of the tie-breaks, as the pairing program wrote them; empty for a player whom its standings do not have.
    tie_breaks: Vec<String>,
    /// Games with a result.
    games: u32,
    /// By round: the result of the player's game.
    rounds: Vec<RoundResult>,
}

/// What a player had in a round.
#[derive(Clone, Serialize, ToSchema)]
struct RoundResult {
    /// The round.
    round: u32,
    /// The game's id.
    game: String,
    /// `white` or `black`.
    side: &'static str,
    /// `1`, `½`, `0`, or empty while the game has no result.
    points: &'static str,
    /// Name of the opponent.
    opponent: String,
}

/// The address with its description.
pub(super) fn routes() -> OpenApiRouter<Arc<Web>> {
    OpenApiRouter::default().routes(routes!(show_standings)).routes(routes!(download_standings))
}

/// See the standings of a section
///
/// The pairing program's ranks, points and tie-breaks where its standings were loaded and are public; otherwise, and while a later
/// round has results, points of the games that are public, without byes.
#[utoipa::path(
    get, path = "/api/v1/sections/{event}/standings", tag = "sections",
    params(("event" = String, Path, description = "The section's part of addresses")),
    responses((status = 200, description = "The players by points", body = Standings)),
)]
async fn show_standings(State(web): State<Arc<Web>>, At(event): At<String>) -> Result<Response, Problem> {
    let standings = of_section(&web, &event).await?;
    let standings::Standings { tie_breaks, after_round, players } = standings;
    let players = players.into_iter().map(Standing::from).collect();
    Ok(fresh(Standings { event, tie_breaks, after_round, players }))
}

/// See the standings of a section as a file for spreadsheets
///
/// The same as a table in CSV (RFC 4180, UTF-8 with its mark): rank, title, name, rating, federation, FIDE ID, team, points, each
/// tie-break, games.
#[utoipa::path(
    get, path = "/api/v1/sections/{event}/standings.csv", tag = "sections",
    params(("event" = String, Path, description = "The section's part of addresses")),
    responses((status = 200, description = "The players by points", body = String, content_type = "text/csv")),
)]
async fn download_standings(State(web): State<Arc<Web>>, At(event): At<String>) -> Result<Response, Problem> {
    let table = of_section(&web, &event).await?.to_csv();
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{event}-standings.csv\"")),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    Ok((headers, table).into_response())
}

async fn of_section(web: &Web, event: &str) -> Result<standings::Standings, Problem> {
    let section = web.public.section(event);
    let section = section.ok_or_else(|| nothing("There is no such section: /api/v1/sections lists them."))?;
    read(move || {
        let rounds = section.rounds().into_iter().filter(publish::gate::RoundView::is_known);
        let rounds: Vec<_> = rounds.map(|round| RoundResults::of(&section, &round)).collect();
        standings::Standings::new(&rounds, section.standings().as_ref())
    })
    .await
}

impl From<standings::Standing> for Standing {
    fn from(standing: standings::Standing) -> Self {
        let rounds = standing.rounds.into_iter().map(RoundResult::from).collect();
        Self {
            rank: standing.rank,
            player: standing.player.into(),
            half_points: standing.half_points,
            tie_breaks: standing.tie_breaks,
            games: standing.games,
            rounds,
        }
    }
}

impl From<standings::RoundResult> for RoundResult {
    fn from(had: standings::RoundResult) -> Self {
        let standings::RoundResult { round, game, side, points, opponent } = had;
        Self { round, game: game.to_string(), side, points, opponent }
    }
}
