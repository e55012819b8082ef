//! Uploads of pairings from a pairing program, and downloads of results for it.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::multipart::{Multipart, MultipartError, MultipartRejection};
use axum::http::header::{self, HeaderMap};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};

use super::api::files::{Form, Loading, OfRound, Upload, Wanted};
use super::api::receipts::{Done, Preview, Why};
use super::hall::no_section;
use super::history_note::HistoryNote;
use super::orders;
use super::problem::AdminRefusal;
use super::state::{API, Admin};
use accounts::Who;
use pairings::results;
use public_web::problem::Problem;
use public_web::sent::{Asked, At, unreadable};
use tournament::{self, Conflict, Order, PairingFile};

/// Maximum number of files in one upload.
const MOST_FILES: usize = 8;

/// Maximum size of one upload in bytes.
pub(super) const MOST_UPLOAD_BYTES: usize = 12 * 1024 * 1024;

/// Load pairings from files
///
/// Encoding and form are recognised. Loading the same files again changes nothing; a re-pairing changes only the differences.
#[utoipa::path(
    post, path = API.to_owned() + "/sections/{section}/pairings", tag = "tournament",
    request_body(content = Upload, content_type = "multipart/form-data"),
    params(("section" = String, Path, description = "The slug of the section"), Loading),
    responses((status = 200, description = "The pairings are loaded", body = Done, headers(("ETag" = String, description = "The version"))),
        (status = 409, description = "It contradicts the current state, or needs a confirmation"),
        (status = 412, description = "Another person changed the pairings of the section")),
)]
pub(super) async fn load_pairings(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(section): At<String>,
    Asked(Loading { confirm, round, seen }): Asked<Loading>,
    upload: Result<Multipart, MultipartRejection>,
) -> Result<([(HeaderName, String); 1], Json<Done>), Problem> {
    let order = Order::LoadPairings { section, files: uploaded(upload).await?, round, confirm };
    orders::carry_out(&admin, &who, Why { reason: None, seen }, &HeaderMap::new(), order).await
}

/// Preview what loading pairings would change
#[utoipa::path(
    post, path = API.to_owned() + "/sections/{section}/pairings/preview", tag = "tournament",
    request_body(content = Upload, content_type = "multipart/form-data"),
    params(("section" = String, Path, description = "The slug of the section"), OfRound),
    responses((status = 200, description = "The changes; nothing was changed", body = Preview),
        (status = 409, description = "It contradicts the current state")),
)]
pub(super) async fn preview_pairings(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(section): At<String>,
    Asked(OfRound { round }): Asked<OfRound>,
    upload: Result<Multipart, MultipartRejection>,
) -> Result<Json<Preview>, Problem> {
    let order = Order::LoadPairings { section, files: uploaded(upload).await?, round, confirm: false };
    orders::preview(&admin, &who, order).await
}

/// Leave the pairings of the watched folder unloaded
///
/// They stop waiting for an answer. The files stay in the folder; one that is saved again is read again.
#[utoipa::path(
    delete, path = API.to_owned() + "/sections/{section}/pairings/waiting", tag = "tournament",
    params(("section" = String, Path, description = "The slug of the section")),
    responses((status = 204, description = "They do not wait any more"),
        (status = 409, description = "No pairings of the section wait for an answer")),
)]
pub(super) async fn leave_pairings(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(section): At<String>,
) -> Result<StatusCode, Problem> {
    if !admin.parts.director.leave_waiting_pairings(&section).await {
        let section = section.chars().filter(|letter| !letter.is_control()).take(80).collect();
        return Err(Problem::coded(StatusCode::CONFLICT, Conflict::PairingsNotWaiting { section }));
    }
    orders::note(&admin, &who, HistoryNote::PairingsNotLoaded { section }).await;
    Ok(StatusCode::NO_CONTENT)
}

/// Download results for a pairing program
#[utoipa::path(
    get, path = API.to_owned() + "/sections/{section}/results/{form}", tag = "tournament", params(Wanted),
    responses((status = 200, description = "The results of all rounds", body = String, content_type = "text/plain")),
)]
pub(super) async fn take_results(
    State(admin): State<Arc<Admin>>,
    At(Wanted { section, form }): At<Wanted>,
) -> Result<Response, Problem> {
    let now = admin.parts.director.snapshot();
    let pairings = tournament::results(&now.hall, &now.persons, &section).ok_or_else(no_section)?;
    let report = tournament::report(&now.hall, &section).filter(|_| matches!(form, Form::Trf));
    let (ending, text) = match form {
        Form::Trf => ("trf", results::as_trf(&pairings, report.as_ref())),
        Form::Csv => ("csv", results::as_csv(&pairings)),
        Form::Pgn => ("pgn", results::as_pgn(&pairings)),
    };
    let encoding = results::encoding(report.as_ref());
    let kind = format!("text/plain; charset={}", encoding.name().to_ascii_lowercase());
    Ok((attachment(&kind, &format!("{section}.{ending}")), encoding.encode(&text)).into_response())
}

pub(super) fn attachment(kind: &str, name: &str) -> [(HeaderName, String); 2] {
    // Slugs have lower-case letters, digits and hyphens only.
    [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))]
}

/// The files of a form; the names of its fields do not matter.
async fn uploaded(upload: Result<Multipart, MultipartRejection>) -> Result<Vec<PairingFile>, Problem> {
    let mut upload = upload.map_err(|_| {
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send files as multipart/form-data, as a web form does.")
    })?;
    let broken = |error: MultipartError| unreadable(error.status());
    let mut files = Vec::new();
    while let Some(field) = upload.next_field().await.map_err(broken)? {
        if files.len() == MOST_FILES {
            return Err(Problem::coded(
                StatusCode::UNPROCESSABLE_ENTITY,
                AdminRefusal::UploadCount { most: MOST_FILES },
            ));
        }
        let name = field.file_name().or(field.name()).unwrap_or("file").to_owned();
        let bytes = field.bytes().await.map_err(broken)?;
        let read = PairingFile::read(&name, &bytes)
            .map_err(|problem| Problem::coded(StatusCode::UNPROCESSABLE_ENTITY, problem.coded()));
        files.push(read?);
    }
    if files.is_empty() {
        return Err(Problem::coded(StatusCode::UNPROCESSABLE_ENTITY, AdminRefusal::NoFile));
    }
    Ok(files)
}
