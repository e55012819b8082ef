//! Files in and out: pairings as they come from a pairing program, results as it takes them back.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::multipart::{Multipart, MultipartError, MultipartRejection};
use axum::http::header::{self, HeaderMap};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};

use super::api::files::{Confirm, Form, Upload, Wanted};
use super::api::receipts::{Done, Preview, Why};
use super::hall::no_section;
use super::orders;
use super::state::{API, Admin};
use accounts::Who;
use pairings::results;
use public_web::problem::{Problem, sentence};
use public_web::sent::{Asked, At, unreadable};
use tournament::{self, Order, PairingFile, Refusal};

/// The most files of one upload.
const MOST_FILES: usize = 8;

/// The most bytes of one upload: a large file of pairings, and what belongs to it.
pub(super) const MOST_UPLOAD_BYTES: usize = 12 * 1024 * 1024;

/// Load pairings from files
///
/// Encoding and form are found out. Loading the same twice changes nothing; a re-pairing changes only what changed.
#[utoipa::path(
    post, path = API.to_owned() + "/sections/{section}/pairings", tag = "tournament",
    request_body(content = Upload, content_type = "multipart/form-data"),
    params(("section" = String, Path, description = "The section's slug"), Confirm),
    responses((status = 200, description = "Loaded", body = Done, headers(("ETag" = String, description = "The version"))),
        (status = 409, description = "It does not go with what stands, or has to be confirmed")),
)]
pub(super) async fn load_pairings(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(section): At<String>,
    Asked(Confirm { confirm }): Asked<Confirm>,
    upload: Result<Multipart, MultipartRejection>,
) -> Result<([(HeaderName, String); 1], Json<Done>), Problem> {
    let order = Order::LoadPairings { section, files: uploaded(upload).await?, confirm };
    orders::carry_out(&admin, &who, Why::default(), &HeaderMap::new(), order).await
}

/// See what loading pairings would change
#[utoipa::path(
    post, path = API.to_owned() + "/sections/{section}/pairings/preview", tag = "tournament",
    request_body(content = Upload, content_type = "multipart/form-data"),
    params(("section" = String, Path, description = "The section's slug")),
    responses((status = 200, description = "What it would change; nothing was changed", body = Preview),
        (status = 409, description = "It does not go with what stands")),
)]
pub(super) async fn preview_pairings(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(section): At<String>,
    upload: Result<Multipart, MultipartRejection>,
) -> Result<Json<Preview>, Problem> {
    let order = Order::LoadPairings { section, files: uploaded(upload).await?, confirm: false };
    orders::preview(&admin, &who, order).await
}

/// Take results out, as pairing programs take them back
#[utoipa::path(
    get, path = API.to_owned() + "/sections/{section}/results/{form}", tag = "tournament", params(Wanted),
    responses((status = 200, description = "All rounds of the section", body = String, content_type = "text/plain")),
)]
pub(super) async fn take_results(
    State(admin): State<Arc<Admin>>,
    At(Wanted { section, form }): At<Wanted>,
) -> Result<Response, Problem> {
    let pairings = tournament::results(&admin.parts.director.hall(), &admin.parts.director.persons(), &section)
        .ok_or_else(no_section)?;
    let (ending, text) = match form {
        Form::Trf => ("trf", results::as_trf(&pairings, None)),
        Form::Csv => ("csv", results::as_csv(&pairings)),
        Form::Pgn => ("pgn", results::as_pgn(&pairings)),
    };
    Ok((attachment("text/plain; charset=utf-8", &format!("{section}.{ending}")), text).into_response())
}

pub(super) fn attachment(kind: &str, name: &str) -> [(HeaderName, String); 2] {
    // Slugs are small letters, digits and «-».
    [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))]
}

/// The files of a form, whatever its fields are called.
async fn uploaded(upload: Result<Multipart, MultipartRejection>) -> Result<Vec<PairingFile>, Problem> {
    let mut upload = upload.map_err(|_| {
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send files as multipart/form-data, as a form in a page does.")
    })?;
    let broken = |error: MultipartError| unreadable(error.status());
    let mut files = Vec::new();
    while let Some(field) = upload.next_field().await.map_err(broken)? {
        if files.len() == MOST_FILES {
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "At most 8 files belong together."));
        }
        let name = field.file_name().or(field.name()).unwrap_or("file").to_owned();
        let bytes = field.bytes().await.map_err(broken)?;
        let read = PairingFile::read(&name, &bytes).map_err(|problem| {
            let refusal = Refusal::from(problem);
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, sentence(&refusal.to_string()))
        });
        files.push(read?);
    }
    if files.is_empty() {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "There is no file in this form."));
    }
    Ok(files)
}
