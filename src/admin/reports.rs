//! What visitors report about games: kept in memory for the dashboard until a person dismisses it.
//!
//! Never part of the record, and of no public view.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::problem::AdminRefusal;
use super::state::{API, Admin};
use hall_clock::UtcMs;
use public_web::Report;
use public_web::problem::Problem;
use public_web::sent::At;

/// Most reports that are kept of one game; what they say is known by then.
const MOST_OF_A_GAME: usize = 5;

/// Most games of which reports are kept.
const MOST_GAMES: usize = 400;

/// One report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ReportLine {
    /// When it came: UTC milliseconds, hall time.
    at: UtcMs,
    /// The half-move that the visitor looked at.
    ply: u32,
    /// What the visitor wrote.
    text: String,
}

/// The reports by game.
#[derive(Debug, Default)]
pub(super) struct Reports(Mutex<BTreeMap<String, Vec<ReportLine>>>);

impl Reports {
    /// Keeps a report; false when there are too many. The same words are kept once.
    pub(super) fn take(&self, report: Report, at: UtcMs) -> bool {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if games.len() >= MOST_GAMES && !games.contains_key(&report.game) {
            return false;
        }
        let lines = games.entry(report.game).or_default();
        if lines.iter().any(|line| line.text == report.text) {
            return true;
        }
        if lines.len() >= MOST_OF_A_GAME {
            return false;
        }
        lines.push(ReportLine { at, ply: report.ply, text: report.text });
        true
    }

    /// All reports by game.
    pub(super) fn list(&self) -> BTreeMap<String, Vec<ReportLine>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn dismiss(&self, game: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(game).is_some()
    }
}

/// Dismiss what visitors reported about a game
#[utoipa::path(
    delete, path = API.to_owned() + "/games/{game}/reports", tag = "tournament",
    params(("game" = String, Path, description = "The game's id")),
    responses((status = 204, description = "Dismissed"), (status = 404, description = "There are none")),
)]
pub(super) async fn dismiss_reports(
    State(admin): State<Arc<Admin>>,
    At(game): At<String>,
) -> Result<StatusCode, Problem> {
    let none = || Problem::coded(StatusCode::NOT_FOUND, AdminRefusal::NoReports);
    if admin.reports.dismiss(&game) { Ok(StatusCode::NO_CONTENT) } else { Err(none()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(game: &str, text: &str) -> Report {
        Report { game: game.into(), ply: 3, text: text.into() }
    }

    #[test]
    fn few_reports_of_a_game_are_kept_and_the_same_words_once() {
        let reports = Reports::default();
        assert!(reports.take(report("g1", "The queen is on d3"), 1));
        assert!(reports.take(report("g1", "The queen is on d3"), 2));
        assert_eq!(reports.list()["g1"].len(), 1);
        let taken = (0..20).filter(|n| reports.take(report("g1", &n.to_string()), 3)).count();
        assert_eq!(taken, MOST_OF_A_GAME - 1);
        assert!(reports.dismiss("g1") && !reports.dismiss("g1"));
    }

    #[test]
    fn a_flood_over_many_games_ends() {
        let reports = Reports::default();
        let taken = (0..10_000).filter(|n| reports.take(report(&n.to_string(), "x"), 1)).count();
        assert_eq!(taken, MOST_GAMES);
    }
}
