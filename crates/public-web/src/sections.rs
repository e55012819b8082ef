//! Sections, rounds, pairings, games and players as the public may see them, as JSON.
//!
//! Reads a public view, which leaves out withdrawn games, hidden names and what is delayed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer;
use super::problem::Problem;
use super::sent::At;
use super::web::Web;
use hall_clock::UtcMs;
use publish::gate::{GameView, PublicView, RoundView, SectionView, View};
use publish::standings::Player;
use publish::{livechess, wire};

/// All sections.
#[derive(Serialize, ToSchema)]
struct PublicSections {
    /// The featured section: a running round first.
    current: Option<String>,
    /// By their part of addresses.
    sections: Vec<PublicSection>,
}

/// A section.
#[derive(Serialize, ToSchema)]
struct PublicSection {
    /// Its part of addresses.
    event: String,
    /// Its identifier for programs that read LiveChess Cloud, at `/get/{livechess_id}/tournament.json`.
    livechess_id: String,
    /// What it is called.
    name: String,
    /// Where it is played.
    site: String,
    /// IANA name of the venue's time zone.
    time_zone: &'static str,
    /// What the tournament is called that it belongs to.
    tournament: Option<String>,
    /// Address of a video of the event, https.
    video: Option<String>,
    /// The round that most boards play.
    current_round: u32,
    /// Rounds whose pairings are public, by number.
    rounds: Vec<PublicRound>,
}

/// A round.
#[derive(Serialize, ToSchema)]
struct PublicRound {
    /// Its number.
    round: u32,
    /// What it is called.
    name: String,
    /// The day at the venue.
    date: Option<NaiveDate>,
    /// When it is to start, UTC milliseconds.
    planned_start: Option<UtcMs>,
    /// How many games it has.
    games: usize,
    /// Whether all of them are over.
    ended: bool,
}

/// The pairings of a round.
#[derive(Serialize, ToSchema)]
struct PublicPairings {
    /// The section's part of addresses.
    event: String,
    /// The round.
    round: PublicRound,
    /// Who plays whom, by board.
    pairings: Vec<PublicPairing>,
}

/// Who plays whom.
#[derive(Serialize, ToSchema)]
struct PublicPairing {
    /// The game's id, for `/api/v1/games/{game}` and `/pgn/game/{game}.pgn`.
    game: String,
    /// Number of the board in the round.
    board: u32,
    /// White.
    white: PublicPlayer,
    /// Black.
    black: PublicPlayer,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: &'static str,
    /// `paired`, `ready`, `playing`, `adjourned` or `ended`.
    state: &'static str,
    /// Moves of both sides that were played.
    plies: usize,
}

/// A player, as far as the public may know.
#[derive(Serialize, ToSchema, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PublicPlayer {
    /// As the public may see it.
    pub(super) name: String,
    /// Title.
    pub(super) title: Option<String>,
    /// Rating.
    pub(super) rating: Option<u32>,
    /// FIDE's code of the federation.
    pub(super) federation: Option<String>,
    /// FIDE id.
    pub(super) fide_id: Option<u32>,
    /// The team.
    pub(super) team: Option<String>,
}

/// The addresses with their descriptions.
pub(super) fn routes() -> OpenApiRouter<Arc<Web>> {
    OpenApiRouter::default()
        .routes(routes!(list_sections))
        .routes(routes!(show_section))
        .routes(routes!(show_pairings))
        .routes(routes!(list_players))
        .routes(routes!(show_game))
}

/// List the sections
#[utoipa::path(
    get, path = "/api/v1/sections", tag = "sections",
    responses((status = 200, description = "All sections", body = PublicSections)),
)]
async fn list_sections(State(web): State<Arc<Web>>) -> Response {
    let current = web.public.featured_section().map(|section| section.slug().to_string());
    let sections = web.public.sections().iter().filter_map(PublicSection::of).collect();
    fresh(PublicSections { current, sections })
}

/// See a section and its rounds
#[utoipa::path(
    get, path = "/api/v1/sections/{event}", tag = "sections",
    params(("event" = String, Path, description = "The section's part of addresses")),
    responses((status = 200, description = "The section", body = PublicSection)),
)]
async fn show_section(State(web): State<Arc<Web>>, At(event): At<String>) -> Result<Response, Problem> {
    let section = web.public.section(&event).as_ref().and_then(PublicSection::of);
    section.map(fresh).ok_or_else(|| nothing("There is no such section: /api/v1/sections lists them."))
}

/// See the pairings of a round
#[utoipa::path(
    get, path = "/api/v1/sections/{event}/rounds/{round}", tag = "sections",
    params(("event" = String, Path, description = "The section's part of addresses"),
        ("round" = u32, Path, description = "The round's number")),
    responses((status = 200, description = "Who plays whom", body = PublicPairings)),
)]
async fn show_pairings(
    State(web): State<Arc<Web>>,
    At((event, number)): At<(String, u32)>,
) -> Result<Response, Problem> {
    let found = web
        .public
        .section(&event)
        .and_then(|section| Some((section.round(number).filter(RoundView::is_known)?, section)));
    let (round, section) = found.ok_or_else(|| nothing("There is no such round: /api/v1/sections lists them."))?;
    // Games of the archive are read from the disk.
    let pairings = read(move || PublicPairings {
        event: section.slug().to_string(),
        pairings: section.games(&round).iter().map(|game| PublicPairing::of(game)).collect(),
        round: PublicRound::of(&round),
    });
    Ok(fresh(pairings.await?))
}

/// List the players of a section
#[utoipa::path(
    get, path = "/api/v1/sections/{event}/players", tag = "sections",
    params(("event" = String, Path, description = "The section's part of addresses")),
    responses((status = 200, description = "The players who are paired in a public round, by name",
        body = Vec<PublicPlayer>)),
)]
async fn list_players(State(web): State<Arc<Web>>, At(event): At<String>) -> Result<Response, Problem> {
    let section = web.public.section(&event);
    let section = section.ok_or_else(|| nothing("There is no such section: /api/v1/sections lists them."))?;
    let players = read(move || {
        let games = section.rounds().into_iter().flat_map(|round| section.games(&round));
        let sides = games.flat_map(|game| ["White", "Black"].map(|side| PublicPlayer::of(game.game.tags(), side)));
        // Hidden names are not listed: the list would show how many there are.
        sides.filter(|player| player.name != "?").collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    });
    Ok(fresh(players.await?))
}

/// See a game
#[utoipa::path(
    get, path = "/api/v1/games/{game}", tag = "sections",
    params(("game" = String, Path, description = "The game's id")),
    responses((status = 200, description = "The game as snapshots of the live feed have it: docs/live.md",
        body = Object)),
)]
async fn show_game(State(web): State<Arc<Web>>, At(id): At<String>) -> Result<Response, Problem> {
    let found = read(move || web.public.game(&id)).await?;
    let (_, game) = found.ok_or_else(|| nothing("There is no such game: the rounds at /api/v1/sections list them."))?;
    Ok(answer::json(Bytes::from(wire::game(&game))))
}

impl PublicSection {
    fn of(section: &SectionView<PublicView>) -> Option<Self> {
        let info = section.info()?;
        Some(Self {
            event: info.slug.to_string(),
            livechess_id: livechess::id_of(&info.slug),
            name: info.name.clone(),
            site: info.site.clone(),
            time_zone: info.zone,
            tournament: info.tournament.clone(),
            video: info.video.clone(),
            current_round: section.current_round(),
            rounds: section.rounds().iter().filter(|round| round.is_known()).map(PublicRound::of).collect(),
        })
    }
}

impl PublicRound {
    fn of(round: &RoundView) -> Self {
        Self {
            round: round.number,
            name: round.info.name.clone(),
            date: round.info.date,
            planned_start: round.info.planned_start,
            games: round.games.len(),
            ended: round.ended(),
        }
    }
}

impl PublicPairing {
    fn of(view: &GameView) -> Self {
        let (game, tags) = (&view.game, view.game.tags());
        Self {
            game: view.at.game.to_string(),
            board: view.at.table,
            white: PublicPlayer::of(tags, "White"),
            black: PublicPlayer::of(tags, "Black"),
            result: game.shown_result(),
            state: wire::state(view),
            plies: game.moves().len(),
        }
    }
}

impl PublicPlayer {
    /// One side of a game, by its tags.
    pub(super) fn of(tags: &BTreeMap<String, String>, side: &str) -> Self {
        Player::of(tags, side).into()
    }
}

impl From<Player> for PublicPlayer {
    fn from(player: Player) -> Self {
        let Player { name, title, rating, federation, fide_id, team } = player;
        Self { name, title, rating, federation, fide_id, team }
    }
}

/// Runs work that may wait for the disk, off the async threads.
pub(super) async fn read<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a request failed");
        super::problem::failing()
    })
}

pub(super) fn fresh<T: Serialize>(answer: T) -> Response {
    ([(axum::http::header::CACHE_CONTROL, "no-cache")], Json(answer)).into_response()
}

pub(super) fn nothing(sentence: &'static str) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, sentence)
}
