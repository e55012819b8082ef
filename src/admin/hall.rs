//! The tournament as those see it who run it: without delay, withdrawn games and hidden names included.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode};
use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use super::orders::version_tag;
use super::{API, Admin};
use hall_clock::UtcMs;
use public_web::problem::Problem;
use public_web::sent::At;
use tournament::{
    self, BoardState, Person, PlayerFacts, PlayerId, ReadyProblem, Round, RoundState, SectionSettings, Tournament,
};

/// Everything that is said of the hall, apart from who plays whom.
#[derive(Serialize, ToSchema)]
pub(super) struct HallView {
    /// What an order may be based on.
    version: u64,
    /// Tournaments by slug.
    tournaments: BTreeMap<String, Tournament>,
    /// Sections, by slug.
    sections: Vec<SectionLine>,
    /// Tables with the serial numbers of their boards.
    #[schema(value_type = BTreeMap<String, String>)]
    seats: BTreeMap<u32, String>,
    /// What was played on boards for which no game was armed.
    kept_apart: Vec<KeptApart>,
}

/// A section in the list.
#[derive(Serialize, ToSchema)]
pub(super) struct SectionLine {
    /// Its slug.
    section: String,
    /// What the organiser says of it.
    settings: SectionSettings,
    /// Whether its event is over: keys to its undelayed games are good for nothing.
    over: bool,
    /// The day at the venue from which on it is over by itself; none while no day of play is known.
    over_from: Option<NaiveDate>,
    /// Its rounds, by number.
    rounds: Vec<RoundLine>,
}

/// A round in the list.
#[derive(Serialize, ToSchema)]
pub(super) struct RoundLine {
    /// Its number.
    round: u32,
    /// What people call it.
    title: String,
    /// How far it is.
    state: RoundState,
    /// How many games it has.
    games: usize,
}

/// What was played on a board for which no game was armed.
#[derive(Serialize, ToSchema)]
pub(super) struct KeptApart {
    /// Its id, as `claim` wants it.
    parked: String,
    /// Serial number of the board.
    board: String,
    /// The game that it turned out to be.
    claimed: Option<String>,
}

/// A section with its players.
#[derive(Serialize, ToSchema)]
pub(super) struct SectionView {
    /// What an order may be based on.
    version: u64,
    /// Its slug.
    section: String,
    /// What the organiser says of it.
    settings: SectionSettings,
    /// Whether its event is over: keys to its undelayed games are good for nothing.
    over: bool,
    /// The day at the venue from which on it is over by itself; none while no day of play is known.
    over_from: Option<NaiveDate>,
    /// Its rounds, by number.
    rounds: Vec<RoundLine>,
    /// Who takes part.
    players: Vec<PlayerLine>,
}

/// A player.
#[derive(Serialize, ToSchema)]
pub(super) struct PlayerLine {
    /// Whom orders mean.
    player: PlayerId,
    /// What is recorded of him.
    facts: PlayerFacts,
    /// Who it is; none once he is forgotten.
    person: Option<Person>,
}

/// A round with its games.
#[derive(Serialize, ToSchema)]
pub(super) struct RoundView {
    /// What an order may be based on.
    version: u64,
    /// The round.
    round: Round,
    /// The table of the hall at which each game is played; games without a board are missing.
    tables: BTreeMap<String, u32>,
}

/// What stands in the way of a round.
#[derive(Serialize, ToSchema)]
pub(super) struct Ready {
    /// Whether the round can start like this.
    ready: bool,
    /// What should be looked at, by table.
    problems: Vec<ReadyLine>,
}

/// One thing to look at.
#[derive(Serialize, ToSchema)]
pub(super) struct ReadyLine {
    /// For programs.
    problem: ReadyProblem,
    /// For people: what it is and what to do.
    text: String,
    /// Whether the round cannot start like this.
    serious: bool,
}

type Versioned<T> = ([(HeaderName, String); 1], Json<T>);

/// See the hall: tournaments, sections, rounds, tables
#[utoipa::path(
    get, path = API.to_owned() + "/hall", tag = "tournament",
    responses((status = 200, description = "The hall as it is", body = HallView,
        headers(("ETag" = String, description = "The version, for `If-Match` of an order")))),
)]
pub(super) async fn see_hall(State(admin): State<Arc<Admin>>) -> Versioned<HallView> {
    // The version first: an order based on it then is refused rather than given in error.
    let version = admin.parts.director.version();
    let (hall, now) = (admin.parts.director.hall(), admin.parts.hall_clock.now());
    let kept_apart = hall.unassigned.iter().map(|(id, parked)| KeptApart {
        parked: id.to_string(),
        board: parked.board.to_string(),
        claimed: parked.adopted_as.as_deref().map(str::to_owned),
    });
    let view = HallView {
        version,
        tournaments: hall.tournaments.iter().map(|(slug, it)| (slug.to_string(), it.clone())).collect(),
        sections: hall.sections.values().map(|section| SectionLine::of(section, now)).collect(),
        seats: hall.seats.iter().map(|(table, board)| (*table, board.to_string())).collect(),
        kept_apart: kept_apart.collect(),
    };
    ([version_tag(version)], Json(view))
}

/// See a section and its players
#[utoipa::path(
    get, path = API.to_owned() + "/sections/{section}", tag = "tournament",
    params(("section" = String, Path, description = "The section's slug")),
    responses((status = 200, description = "The section as it is", body = SectionView,
        headers(("ETag" = String, description = "The version, for `If-Match` of an order")))),
)]
pub(super) async fn see_section(
    State(admin): State<Arc<Admin>>,
    At(slug): At<String>,
) -> Result<Versioned<SectionView>, Problem> {
    let version = admin.parts.director.version();
    let (hall, persons) = (admin.parts.director.hall(), admin.parts.director.persons());
    let section = hall.section(&slug).ok_or_else(no_section)?;
    let players = section.players.iter();
    let players =
        players.map(|(id, facts)| PlayerLine { player: *id, facts: *facts, person: persons.get(*id).cloned() });
    let SectionLine { section, settings, over, over_from, rounds } =
        SectionLine::of(section, admin.parts.hall_clock.now());
    let players = players.collect();
    Ok(([version_tag(version)], Json(SectionView { version, section, settings, over, over_from, rounds, players })))
}

/// See a round and its games
#[utoipa::path(
    get, path = API.to_owned() + "/sections/{section}/rounds/{round}", tag = "tournament",
    params(("section" = String, Path, description = "The section's slug"),
        ("round" = u32, Path, description = "The round's number")),
    responses((status = 200, description = "The round as it is", body = RoundView,
        headers(("ETag" = String, description = "The version, for `If-Match` of an order")))),
)]
pub(super) async fn see_round(
    State(admin): State<Arc<Admin>>,
    At((slug, number)): At<(String, u32)>,
) -> Result<Versioned<RoundView>, Problem> {
    let version = admin.parts.director.version();
    let hall = admin.parts.director.hall();
    let round = hall.round(&slug, number).ok_or_else(no_round)?.clone();
    let table = |id: &Arc<str>| Some((id.to_string(), hall.game(id)?.table()?));
    let tables = round.games.iter().filter_map(|game| table(&game.id)).collect();
    Ok(([version_tag(version)], Json(RoundView { version, round, tables })))
}

/// Check whether a round can start
#[utoipa::path(
    get, path = API.to_owned() + "/sections/{section}/rounds/{round}/ready", tag = "boards",
    params(("section" = String, Path, description = "The section's slug"),
        ("round" = u32, Path, description = "The round's number")),
    responses((status = 200, description = "What should be looked at", body = Ready)),
)]
pub(super) async fn check_ready(
    State(admin): State<Arc<Admin>>,
    At((slug, number)): At<(String, u32)>,
) -> Result<Json<Ready>, Problem> {
    let hall = admin.parts.director.hall();
    hall.round(&slug, number).ok_or_else(no_round)?;
    let problems = tournament::ready(&hall, &slug, number, &admin.parts.director.board_states());
    let ready = !problems.iter().any(ReadyProblem::is_serious);
    let line = |problem: ReadyProblem| ReadyLine { text: problem.to_string(), serious: problem.is_serious(), problem };
    Ok(Json(Ready { ready, problems: problems.into_iter().map(line).collect() }))
}

/// See what every board shows
#[utoipa::path(
    get, path = API.to_owned() + "/boards", tag = "boards",
    responses((status = 200, description = "Every board that was found", body = Vec<BoardState>)),
)]
pub(super) async fn see_boards(State(admin): State<Arc<Admin>>) -> Json<Vec<BoardState>> {
    Json(admin.parts.director.board_states())
}

impl SectionLine {
    fn of(section: &tournament::Section, now: UtcMs) -> Self {
        let rounds = section.rounds.values().map(|round| RoundLine {
            round: round.number,
            title: round.title(),
            state: round.state,
            games: round.games.len(),
        });
        Self {
            section: section.slug.to_string(),
            settings: section.settings.clone(),
            over: section.is_over(now),
            over_from: section.over_from(),
            rounds: rounds.collect(),
        }
    }
}

pub(super) fn no_section() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such section: /api/v1/admin/hall lists them.")
}

fn no_round() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such round: /api/v1/admin/hall lists them.")
}
