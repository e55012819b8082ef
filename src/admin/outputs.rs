//! Outputs: lists, adds, removes, pauses and tests what is sent to other programs and sites.

use std::sync::Arc;

use ::outputs::{Outputs, Refusal};
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};

use super::api::outputs::{NewOutput, OutputLine, SendAgain, Tested};
use super::state::{API, Admin, blocking};
use accounts::Who;
use public_web::problem::Problem;
use public_web::sent::{At, Sent};

/// List the outputs
#[utoipa::path(
    get, path = API.to_owned() + "/outputs", tag = "outputs",
    responses((status = 200, description = "All outputs with their states, by name", body = Vec<OutputLine>)),
)]
pub(super) async fn list_outputs(State(admin): State<Arc<Admin>>) -> Json<Vec<OutputLine>> {
    Json(admin.parts.outputs.list().into_iter().map(OutputLine::from).collect())
}

/// Add an output
///
/// Tokens and passwords are kept in a file that only the daemon's user can read, and are never given out again.
#[utoipa::path(
    post, path = API.to_owned() + "/outputs", tag = "outputs", request_body = NewOutput,
    responses((status = 201, description = "Added"),
        (status = 409, description = "There is an output of this name, or for this folder, or there are too many"),
        (status = 503, description = "The list of outputs cannot be written")),
)]
pub(super) async fn add_output(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Sent(new): Sent<NewOutput>,
) -> Result<StatusCode, Problem> {
    let settings = new.into_settings().map_err(|sentence| refused(Refusal::Invalid(sentence)))?;
    ordered(&admin, move |outputs| outputs.add(settings, &who.name)).await?;
    Ok(StatusCode::CREATED)
}

/// Remove an output
///
/// What was sent stays where it is. An output of the configuration file is removed there.
#[utoipa::path(
    delete, path = API.to_owned() + "/outputs/{name}", tag = "outputs",
    params(("name" = String, Path, description = "The output")),
    responses((status = 204, description = "Removed"),
        (status = 409, description = "It is in the configuration file"),
        (status = 503, description = "The list of outputs cannot be written")),
)]
pub(super) async fn remove_output(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(name): At<String>,
) -> Result<StatusCode, Problem> {
    ordered(&admin, move |outputs| outputs.remove(&name, &who.name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pause an output
///
/// It sends nothing until it is resumed, also after a restart.
#[utoipa::path(
    post, path = API.to_owned() + "/outputs/{name}/pause", tag = "outputs",
    params(("name" = String, Path, description = "The output")),
    responses((status = 204, description = "Paused")),
)]
pub(super) async fn pause_output(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(name): At<String>,
) -> Result<StatusCode, Problem> {
    ordered(&admin, move |outputs| outputs.pause(&name, &who.name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Resume an output
///
/// What changed meanwhile is sent first. For an output that waits for its next attempt it means: try now.
#[utoipa::path(
    post, path = API.to_owned() + "/outputs/{name}/resume", tag = "outputs",
    params(("name" = String, Path, description = "The output")),
    responses((status = 204, description = "Resumed")),
)]
pub(super) async fn resume_output(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(name): At<String>,
) -> Result<StatusCode, Problem> {
    ordered(&admin, move |outputs| outputs.resume(&name, &who.name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Send again
///
/// Sends a round, or everything, again. A round at Lichess is emptied before.
#[utoipa::path(
    post, path = API.to_owned() + "/outputs/{name}/send-again", tag = "outputs", request_body = SendAgain,
    params(("name" = String, Path, description = "The output")),
    responses((status = 204, description = "It will be sent again")),
)]
pub(super) async fn send_output_again(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(name): At<String>,
    Sent(SendAgain { round }): Sent<SendAgain>,
) -> Result<StatusCode, Problem> {
    ordered(&admin, move |outputs| outputs.send_again(&name, round, &who.name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Test an output
///
/// Asks the consumer whether it would take something, without changing what it shows. A web hook gets a test message.
#[utoipa::path(
    post, path = API.to_owned() + "/outputs/{name}/test", tag = "outputs",
    params(("name" = String, Path, description = "The output")),
    responses((status = 200, description = "What the consumer says", body = Tested)),
)]
pub(super) async fn test_output(
    State(admin): State<Arc<Admin>>,
    At(name): At<String>,
) -> Result<Json<Tested>, Problem> {
    let outputs = admin.parts.outputs.clone();
    match blocking(move || outputs.test(&name)).await? {
        Ok(text) => Ok(Json(Tested { ok: true, text })),
        Err(Refusal::Failed(text)) => Ok(Json(Tested { ok: false, text })),
        Err(refusal) => Err(refused(refusal)),
    }
}

/// Carries an order out on a thread that may wait for the disk.
async fn ordered(
    admin: &Admin,
    order: impl FnOnce(&Outputs) -> Result<(), Refusal> + Send + 'static,
) -> Result<(), Problem> {
    let outputs = admin.parts.outputs.clone();
    blocking(move || order(&outputs)).await?.map_err(refused)
}

fn refused(refusal: Refusal) -> Problem {
    match refusal {
        Refusal::Unknown(sentence) => Problem::new(StatusCode::NOT_FOUND, sentence),
        Refusal::Conflict(sentence) => Problem::new(StatusCode::CONFLICT, sentence),
        Refusal::Invalid(sentence) => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, sentence),
        Refusal::Failed(sentence) => Problem::new(StatusCode::SERVICE_UNAVAILABLE, sentence),
    }
}
