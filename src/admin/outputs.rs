//! Outputs: lists, adds, removes, pauses and tests what is sent to other programs and sites.

use std::sync::Arc;

use ::outputs::{Known, Outputs, Refusal};
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use coded_text::CodedText;

use super::api::outputs::{ChangedOutput, NewOutput, OutputLine, Seen, SendAgain, Tested};
use super::history_note::HistoryNote;
use super::orders::note;
use super::state::{API, Admin, blocking};
use crate::director::{Change, changed};
use crate::planned_starts::plan;
use accounts::Who;
use public_web::problem::Problem;
use public_web::sent::{Asked, At, Sent};

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
    let settings = new.into_settings().map_err(|refusal| Problem::coded(StatusCode::UNPROCESSABLE_ENTITY, refusal))?;
    let what = HistoryNote::OutputAdded { output: settings.name.clone() };
    ordered(&admin, &who, what, move |outputs, by| outputs.add(settings, by)).await?;
    Ok(StatusCode::CREATED)
}

/// Get the settings of an output
///
/// As a change takes them, without secrets. Addresses of web servers are empty, as they may hold one.
#[utoipa::path(
    get, path = API.to_owned() + "/outputs/{name}", tag = "outputs",
    params(("name" = String, Path, description = "The output")),
    responses((status = 200, description = "Its settings", body = ChangedOutput)),
)]
pub(super) async fn see_output(
    State(admin): State<Arc<Admin>>,
    At(name): At<String>,
) -> Result<Json<ChangedOutput>, Problem> {
    Ok(Json(known(&admin, &name)?.settings.into()))
}

/// Change an output
///
/// Section and delay are those that are given; a target that is left out stays as it is. A secret that is left out or empty stays as
/// well, unless the output sends to another server; a web address that is empty stays. What the consumer has counts on, unless the output sends to another place.
#[utoipa::path(
    put, path = API.to_owned() + "/outputs/{name}", tag = "outputs", request_body = ChangedOutput,
    params(("name" = String, Path, description = "The output"), Seen),
    responses((status = 204, description = "Changed"),
        (status = 409, description = "It is in the configuration file, or another output has the folder"),
        (status = 412, description = "Another person changed the output"),
        (status = 503, description = "The list of outputs cannot be written")),
)]
pub(super) async fn change_output(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(name): At<String>,
    Asked(Seen { seen }): Asked<Seen>,
    Sent(new): Sent<ChangedOutput>,
) -> Result<StatusCode, Problem> {
    let before = known(&admin, &name)?.settings;
    let settings =
        new.into_settings(before).map_err(|refusal| Problem::coded(StatusCode::UNPROCESSABLE_ENTITY, refusal))?;
    let what = HistoryNote::OutputChanged { output: name.clone() }.coded();
    // Held until the change is known, so that of two changes at once one is refused.
    let mut changes = admin.output_changes.lock().await;
    if let Some(change) = changes.get(&name).filter(|change| seen.is_some_and(|seen| change.version > seen)) {
        return Err(Problem::coded(StatusCode::PRECONDITION_FAILED, changed(change)));
    }
    let of = name.clone();
    ordered(&admin, &who, what.clone(), move |outputs, by| outputs.change(&of, settings, by)).await?;
    changes.insert(name, change_by(&admin, &who, what));
    Ok(StatusCode::NO_CONTENT)
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
    let what = HistoryNote::OutputRemoved { output: name.clone() };
    ordered(&admin, &who, what, move |outputs, by| outputs.remove(&name, by)).await?;
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
    let what = HistoryNote::OutputPaused { output: name.clone() };
    ordered(&admin, &who, what, move |outputs, by| outputs.pause(&name, by)).await?;
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
    let what = HistoryNote::OutputResumed { output: name.clone() };
    ordered(&admin, &who, what, move |outputs, by| outputs.resume(&name, by)).await?;
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
    let what = match round {
        Some(round) => HistoryNote::OutputSendsRound { output: name.clone(), round },
        None => HistoryNote::OutputSendsAll { output: name.clone() },
    };
    ordered(&admin, &who, what, move |outputs, by| outputs.send_again(&name, round, by)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make the rounds at Lichess
///
/// Makes the broadcast of an output for Lichess, and a round there for each round of its section that has none yet. A round begins
/// there by the delay later than here. What is there by the same name is used: a repeated call makes nothing twice.
#[utoipa::path(
    post, path = API.to_owned() + "/outputs/{name}/lichess-rounds", tag = "outputs",
    params(("name" = String, Path, description = "The output")),
    responses((status = 200, description = "What was made, or what Lichess says", body = Tested),
        (status = 409, description = "The output is not for Lichess, or in the configuration file, or was changed meanwhile")),
)]
pub(super) async fn make_lichess_rounds(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(name): At<String>,
) -> Result<Json<Tested>, Problem> {
    let outputs = admin.parts.outputs.clone();
    let known = known(&admin, &name)?;
    let (event, rounds) = plan(&admin.parts.director.hall(), &known.settings)
        .map_err(|refusal| Problem::coded(StatusCode::CONFLICT, refusal))?;
    let (by, of) = (Arc::clone(&who.name), name.clone());
    let made = blocking(move || outputs.make_rounds(&of, &event, &rounds, &by)).await?;
    if made.is_ok() {
        let what = HistoryNote::OutputLichessRounds { output: name.clone() }.coded();
        note(&admin, &who, what.clone()).await;
        // A form that was opened before does not have the rounds.
        let change = change_by(&admin, &who, what);
        admin.output_changes.lock().await.insert(name, change);
    }
    Tested::of(made.map(|sentence| vec![sentence])).map(Json).map_err(|refusal| refused(&refusal))
}

/// A change of an output by this person, now.
fn change_by(admin: &Admin, who: &Who, what: CodedText) -> Change {
    let (version, at) = (admin.parts.director.version(), admin.parts.hall_clock.now());
    Change { version, by: who.name.to_string(), at, what: Box::new(what) }
}

/// An output by its name.
fn known(admin: &Admin, name: &str) -> Result<Known, Problem> {
    let known = admin.parts.outputs.list().into_iter().find(|known| known.settings.name == name);
    known.ok_or_else(|| refused(&Refusal::Unknown))
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
    let answer = blocking(move || outputs.test(&name)).await?;
    Tested::of(answer).map(Json).map_err(|refusal| refused(&refusal))
}

/// Carries an order out on a thread that may wait for the disk, and writes it into the history.
async fn ordered(
    admin: &Admin,
    who: &Who,
    what: impl Into<CodedText>,
    order: impl FnOnce(&Outputs, &str) -> Result<(), Refusal> + Send + 'static,
) -> Result<(), Problem> {
    let (outputs, by) = (admin.parts.outputs.clone(), Arc::clone(&who.name));
    blocking(move || order(&outputs, &by)).await?.map_err(|refusal| refused(&refusal))?;
    note(admin, who, what).await;
    Ok(())
}

fn refused(refusal: &Refusal) -> Problem {
    let status = match refusal {
        Refusal::Unknown => StatusCode::NOT_FOUND,
        Refusal::Conflict(_) => StatusCode::CONFLICT,
        Refusal::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Refusal::Failed(_) | Refusal::Consumer(_) => StatusCode::SERVICE_UNAVAILABLE,
    };
    Problem::coded(status, refusal.coded())
}
