//! Sources: lists, adds, changes, removes and tests where games of other recorders come from, and takes what programs send.

pub(super) mod socket;

use std::sync::Arc;

use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use axum::{Extension, Json};
use bytes::Bytes;

use super::api::sources::{NewPosition, NewSource, PositionBoard, SourceGame, SourceLine};
use super::history_note::HistoryNote;
use super::orders::note;
use super::state::{API, Admin, blocking};
use crate::sources::{GameSources, Refusal};
use accounts::Who;
use public_web::problem::Problem;
use public_web::sent::{At, Sent, unreadable};

/// List the sources
#[utoipa::path(
    get, path = API.to_owned() + "/sources", tag = "sources",
    responses((status = 200, description = "All sources with their states, by name", body = Vec<SourceLine>)),
)]
pub(super) async fn list_sources(State(admin): State<Arc<Admin>>) -> Json<Vec<SourceLine>> {
    Json(sources(&admin).list().into_iter().map(SourceLine::from).collect())
}

/// Add a source
///
/// A token is kept in a file that only the daemon's user can read, and is never given out again.
#[utoipa::path(
    post, path = API.to_owned() + "/sources", tag = "sources", request_body = NewSource,
    responses((status = 201, description = "Added"),
        (status = 409, description = "There is a source of this name, or there are too many"),
        (status = 503, description = "The list of sources cannot be written")),
)]
pub(super) async fn add_source(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Sent(new): Sent<NewSource>,
) -> Result<StatusCode, Problem> {
    let settings = new.into_settings(None);
    let name = settings.name.clone();
    let by = who.name.clone();
    changed(&admin, move |sources| sources.add(settings, &by)).await?;
    note(&admin, &who, HistoryNote::SourceAdded { source: name }).await;
    Ok(StatusCode::CREATED)
}

/// Change a source
///
/// All settings are given; a token that is left out stays as it is.
#[utoipa::path(
    put, path = API.to_owned() + "/sources/{name}", tag = "sources", request_body = NewSource,
    params(("name" = String, Path, description = "The source")),
    responses((status = 204, description = "Changed"),
        (status = 503, description = "The list of sources cannot be written")),
)]
pub(super) async fn change_source(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(name): At<String>,
    Sent(new): Sent<NewSource>,
) -> Result<StatusCode, Problem> {
    let known = sources(&admin).list().into_iter().find(|known| known.settings.name == name);
    let settings = new.into_settings(known.as_ref().map(|known| &known.settings));
    let of = name.clone();
    changed(&admin, move |sources| sources.change(&of, settings)).await?;
    note(&admin, &who, HistoryNote::SourceChanged { source: name }).await;
    Ok(StatusCode::NO_CONTENT)
}

/// Remove a source
///
/// The moves that came from it stay.
#[utoipa::path(
    delete, path = API.to_owned() + "/sources/{name}", tag = "sources",
    params(("name" = String, Path, description = "The source")),
    responses((status = 204, description = "Removed"),
        (status = 503, description = "The list of sources cannot be written")),
)]
pub(super) async fn remove_source(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(name): At<String>,
) -> Result<StatusCode, Problem> {
    let of = name.clone();
    changed(&admin, move |sources| sources.remove(&of)).await?;
    note(&admin, &who, HistoryNote::SourceRemoved { source: name }).await;
    Ok(StatusCode::NO_CONTENT)
}

/// Preview a source
///
/// Reads it once and says which pairing each of its games is, and which would not be taken. Nothing is changed.
#[utoipa::path(
    post, path = API.to_owned() + "/sources/preview", tag = "sources", request_body = NewSource,
    responses((status = 200, description = "Its games", body = Vec<SourceGame>),
        (status = 503, description = "It cannot be read: the detail says why")),
)]
pub(super) async fn preview_source(
    State(admin): State<Arc<Admin>>,
    Sent(new): Sent<NewSource>,
) -> Result<Json<Vec<SourceGame>>, Problem> {
    let known = sources(&admin).list().into_iter().find(|known| known.settings.name == new.name);
    let settings = new.into_settings(known.as_ref().map(|known| &known.settings));
    let games = sources(&admin).test(settings).await.map_err(refused)?;
    Ok(Json(games.into_iter().map(Into::into).collect()))
}

/// Send games
///
/// PGN of any number of games, at most 4 MB: those that were sent before and those that changed. The answer says what became of
/// each.
#[utoipa::path(
    post, path = API.to_owned() + "/sources/{name}/games", tag = "sources",
    request_body(content = String, content_type = "application/x-chess-pgn"),
    params(("name" = String, Path, description = "A source of the kind `post`")),
    responses((status = 200, description = "What became of each game", body = Vec<SourceGame>),
        (status = 409, description = "The source is of another kind"),
        (status = 413, description = "More than 4 MB")),
)]
pub(super) async fn send_games(
    State(admin): State<Arc<Admin>>,
    At(name): At<String>,
    text: Result<Bytes, BytesRejection>,
) -> Result<Json<Vec<SourceGame>>, Problem> {
    let text = text.map_err(|error| unreadable(error.status()))?;
    let games = sources(&admin).post(&name, text).await.map_err(refused)?;
    Ok(Json(games.into_iter().map(Into::into).collect()))
}

/// Send the position of a board
///
/// Each change of the board, as it is: its moves are recognised like those of a board that is plugged in. The board gets a table
/// like any other, by the serial number of the answer. It is out of reach when no position comes for five minutes.
#[utoipa::path(
    post, path = API.to_owned() + "/sources/{name}/boards/{board}", tag = "sources", request_body = NewPosition,
    params(("name" = String, Path, description = "A source of the kind `post`"),
        ("board" = u32, Path, description = "The number of the board at the source")),
    responses((status = 200, description = "Taken", body = PositionBoard),
        (status = 409, description = "The source is of another kind")),
)]
pub(super) async fn send_position(
    State(admin): State<Arc<Admin>>,
    At((name, board)): At<(String, u32)>,
    Sent(new): Sent<NewPosition>,
) -> Result<Json<PositionBoard>, Problem> {
    let board = take_position(&admin, &name, board, &new).await.map_err(refused)?;
    Ok(Json(PositionBoard { board }))
}

/// Gives the position of a board to its source; the serial number that the board has here.
async fn take_position(admin: &Admin, name: &str, board: u32, new: &NewPosition) -> Result<String, Refusal> {
    let position = new.position().map_err(|refusal| Refusal::Invalid(refusal.into()))?;
    sources(admin).position(name, board, position).await
}

/// Changes the list of sources, which is written to the disk.
async fn changed(
    admin: &Admin,
    change: impl FnOnce(&GameSources) -> Result<(), Refusal> + Send + 'static,
) -> Result<(), Problem> {
    let sources = sources(admin).clone();
    blocking(move || change(&sources)).await?.map_err(refused)
}

fn sources(admin: &Admin) -> &GameSources {
    &admin.parts.sources
}

fn refused(refusal: Refusal) -> Problem {
    let status = match refusal {
        Refusal::Unknown => StatusCode::NOT_FOUND,
        Refusal::Conflict(_) => StatusCode::CONFLICT,
        Refusal::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Refusal::Failed(_) => StatusCode::SERVICE_UNAVAILABLE,
    };
    Problem::coded(status, refusal.coded())
}
