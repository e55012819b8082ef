//! `POST /api/v1/games/{game}/reports`: a visitor says what is wrong with a game.
//!
//! Where reports go is the daemon's matter. The answer says nothing of what became of it, nor of other reports.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use publish::gate::View;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::problem::Problem;
use super::sections::read;
use super::sent::{At, Sent};
use super::web::Web;

/// Most characters of a report.
const MOST_CHARACTERS: usize = 300;

/// Most bytes of a request: the characters may be written as `\u` sequences.
const MOST_BYTES: usize = 8 * 1024;

/// Reports that may come at once, and the time after which one more may.
const AT_ONCE: u32 = 20;
const ONE_MORE: Duration = Duration::from_secs(3);

/// A report for the organisers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The game's id; the public knows it.
    pub game: String,
    /// The half-move that the visitor looked at, 0 for the start.
    pub ply: u32,
    /// What is wrong, without control characters.
    pub text: String,
}

/// Takes a report; false when there are too many.
pub type TakeReport = Box<dyn Fn(Report) -> bool + Send + Sync>;

/// What a visitor sends.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewReport {
    /// What is wrong, at most 300 characters.
    text: String,
    /// The half-move that is looked at, 0 for the start.
    #[serde(default)]
    ply: u32,
}

/// How many reports may come; shared by all visitors, since addresses of a hall's network are one.
#[derive(Debug)]
pub(super) struct Allowance(Mutex<(u32, Instant)>);

impl Allowance {
    pub(super) fn new() -> Self {
        Self(Mutex::new((AT_ONCE, Instant::now())))
    }

    /// Takes one, if there is one at this instant.
    fn take(&self, now: Instant) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, since) = &mut *state;
        let passed = now.saturating_duration_since(*since).as_millis() / ONE_MORE.as_millis();
        let more = u32::try_from(passed).unwrap_or(u32::MAX).min(AT_ONCE);
        if more > 0 {
            *left = left.saturating_add(more).min(AT_ONCE);
            *since = now;
        }
        let allowed = *left > 0;
        *left = left.saturating_sub(1);
        allowed
    }
}

pub(super) fn routes() -> OpenApiRouter<Arc<Web>> {
    OpenApiRouter::default().routes(routes!(report_error)).layer(DefaultBodyLimit::max(MOST_BYTES))
}

/// Report an error in a game
///
/// Goes to the organisers, who see it at the game's table. Nothing of it becomes public.
#[utoipa::path(
    post, path = "/api/v1/games/{game}/reports", tag = "sections", request_body = NewReport,
    params(("game" = String, Path, description = "The game's id")),
    responses((status = 202, description = "Taken"),
        (status = 404, description = "There is no such game"),
        (status = 429, description = "Too many reports at this moment")),
)]
async fn report_error(
    State(web): State<Arc<Web>>,
    At(id): At<String>,
    Sent(NewReport { text, ply }): Sent<NewReport>,
) -> Result<StatusCode, Problem> {
    let text: String =
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().filter(|c| !c.is_control()).collect();
    if text.is_empty() || text.chars().count() > MOST_CHARACTERS {
        let detail = "Say in 1 to 300 characters what is wrong.";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
    }
    let busy = || Problem::wait(30_000);
    if !web.allowance.take(Instant::now()) {
        return Err(busy());
    }
    let public = web.public.clone();
    let asked = id.clone();
    let known = read(move || public.game(&asked).is_some()).await?;
    if !known {
        let detail = "There is no such game: the rounds at /api/v1/sections list them.";
        return Err(Problem::new(StatusCode::NOT_FOUND, detail));
    }
    if (web.take_report)(Report { game: id, ply, text }) { Ok(StatusCode::ACCEPTED) } else { Err(busy()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_reports_is_held_back_and_time_allows_more() {
        let allowance = Allowance::new();
        let begin = Instant::now();
        let taken = (0..100).filter(|_| allowance.take(begin)).count();
        assert_eq!(taken, AT_ONCE as usize);
        assert!(!allowance.take(begin + ONE_MORE / 2));
        assert!(allowance.take(begin + ONE_MORE));
        assert!(!allowance.take(begin + ONE_MORE));
        let later = begin + ONE_MORE * 10_000;
        assert_eq!((0..100).filter(|_| allowance.take(later)).count(), AT_ONCE as usize);
    }
}
