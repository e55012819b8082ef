//! Undelayed games for whoever has a key: the PGN addresses once more, below `/arbiter/{key}/`.
//!
//! A key opens one section and ends with it. It stands in the address, since programs that poll PGN know nothing else; so
//! nothing here writes an address into the log.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::get;

use super::{Admin, guard};
use crate::accounts::Secret;
use crate::hall_clock::UtcMs;
use crate::publish::bodies::Letters;
use crate::publish::selection::{Address, Selection};
use crate::tournament::{RoundState, Section};
use crate::web::problem::Problem;
use crate::web::{Web, pgn};

/// The addresses below a key.
pub(in crate::web) fn routes(web: &Arc<Web>, admin: &Arc<Admin>) -> Router {
    Router::new()
        .route("/arbiter/{key}/{*address}", get(undelayed))
        .layer(from_fn_with_state(Arc::clone(admin), guard::near))
        .with_state((Arc::clone(web), Arc::clone(admin)))
}

async fn undelayed(
    State((web, admin)): State<(Arc<Web>, Arc<Admin>)>,
    Path((key, address)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let slug = match Secret::shown(&key) {
        Some(key) => admin.accounts(move |accounts, now| accounts.undelayed_key(key.digest(), now)).await?,
        None => None,
    };
    let goes_on = |slug: &Arc<str>| {
        let hall = admin.parts.office.hall();
        hall.section(slug).is_some_and(|section| !is_over(section, admin.parts.hall_clock.now()))
    };
    let slug = slug.filter(goes_on).ok_or_else(|| {
        Problem::new(StatusCode::FORBIDDEN, "This key has ended or was revoked: ask the operator for another one.")
    })?;
    let (address, letters) = match address.strip_prefix("ascii/") {
        Some(address) => (address, Letters::Ascii),
        None => (&*address, Letters::Unicode),
    };
    let games = games_at(address, &slug);
    let view = web.public.section(&slug);
    Ok(view.zip(games).map_or_else(pgn::unknown, |(view, games)| pgn::file(&web, &headers, &view, &games, letters)))
}

/// The games of an address, as far as the key's section has them.
fn games_at(address: &str, section: &str) -> Option<Selection> {
    if address == "live.pgn" {
        return Some(Selection::Live);
    }
    let Address { event, games } = address.strip_prefix("pgn/")?.parse().ok()?;
    event.is_none_or(|event| event == section).then_some(games)
}

/// Whether the event is over: all rounds are finished, and the day after the last one has passed.
fn is_over(section: &Section, now: UtcMs) -> bool {
    let rounds = || section.rounds.values();
    let days =
        rounds().flat_map(|round| round.settings.date.into_iter().chain(round.games.iter().filter_map(|it| it.day)));
    let last = days.max().and_then(|day| day.succ_opt());
    rounds().next().is_some()
        && rounds().all(|round| round.state == RoundState::Finished)
        && last.zip(section.day(now)).is_none_or(|(last, today)| last < today)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::{Fact, Hall, RoundSettings, SectionSettings};

    fn hall(states: &[RoundState]) -> Hall {
        let section = || Arc::from("open-a");
        let mut facts = vec![Fact::SectionSet { section: section(), settings: SectionSettings::named("Open A") }];
        for (state, round) in states.iter().zip(1..) {
            let date = "2026-11-20".parse().ok();
            let settings = RoundSettings { date, ..RoundSettings::default() };
            facts.push(Fact::RoundSet { section: section(), round, settings });
            facts.push(Fact::RoundState { section: section(), round, state: *state });
        }
        Hall::of(&facts)
    }

    #[test]
    fn a_key_ends_the_day_after_the_last_round() {
        let day = |day: &str| {
            u64::try_from(day.parse::<chrono::DateTime<chrono::Utc>>().unwrap().timestamp_millis()).unwrap()
        };
        let over = |states: &[RoundState], at| is_over(hall(states).section("open-a").unwrap(), day(at));
        let (finished, running) = (RoundState::Finished, RoundState::Running);
        assert!(!over(&[finished, finished], "2026-11-21T23:59:00Z"));
        assert!(over(&[finished, finished], "2026-11-22T00:00:00Z"));
        assert!(!over(&[finished, running], "2026-12-24T00:00:00Z"), "a round goes on");
        assert!(!over(&[], "2026-12-24T00:00:00Z"), "it has not begun");
    }

    #[test]
    fn a_key_opens_its_section_alone() {
        assert_eq!(games_at("live.pgn", "open-a"), Some(Selection::Live));
        assert_eq!(games_at("pgn/open-a/round-2/games.pgn", "open-a"), Some(Selection::Round(2)));
        assert_eq!(games_at("pgn/open-b/round-2/games.pgn", "open-a"), None);
        assert_eq!(games_at("pgn/game/x.pgn", "open-a"), Some(Selection::Game("x".into())));
        assert_eq!(games_at("api/v1/admin/users", "open-a"), None);
    }
}
