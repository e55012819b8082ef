//! What the public may know of the hall: its sections and rounds, and which games are kept from it.
//!
//! The only place of publication that reads the tournament model. Must not know events of games.

use std::sync::Arc;

use chrono::NaiveDate;

use hall_clock::UtcMs;
use tournament::is_shown;
use tournament::{Hall, RoundState, Section};

/// What is publicly known of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionInfo {
    /// Its part of addresses: small letters, digits and `-`.
    pub slug: Arc<str>,
    /// As in the PGN tag `Event`.
    pub name: String,
    /// As in the PGN tag `Site`; `?` when unknown.
    pub site: String,
    /// IANA name of the venue's time zone.
    pub zone: &'static str,
    /// What the tournament is called that it belongs to.
    pub tournament: Option<String>,
}

/// What is publicly known of a round, apart from its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundInfo {
    /// What people call it.
    pub name: String,
    /// The day at the venue.
    pub date: Option<NaiveDate>,
    /// When it is to start.
    pub planned_start: Option<UtcMs>,
}

impl SectionInfo {
    pub(super) fn of(hall: &Hall, section: &Section) -> Self {
        let settings = &section.settings;
        Self {
            slug: Arc::clone(&section.slug),
            name: settings.name.clone(),
            site: settings.site.clone(),
            zone: settings.zone.name(),
            tournament: hall.tournaments.get(settings.tournament.as_str()).map(|tournament| tournament.name.clone()),
        }
    }
}

impl RoundInfo {
    /// A round of which only the number is known.
    pub(super) fn unnamed(number: u32) -> Self {
        Self { name: format!("Round {number}"), date: None, planned_start: None }
    }

    /// A round whose pairings are public.
    pub(super) fn of(hall: &Hall, section: &str, number: u32) -> Option<Self> {
        let round = hall.round(section, number).filter(|round| round.published)?;
        let settings = &round.settings;
        Some(Self { name: round.title(), date: settings.date, planned_start: settings.planned_start })
    }
}

/// Whether a round is over, whatever its games say.
pub(super) fn is_finished(hall: &Hall, section: &str, number: u32) -> bool {
    hall.round(section, number).is_some_and(|round| round.state == RoundState::Finished)
}

/// The board number of a game within its round, if the public may see the game.
pub(super) fn public_number(hall: &Hall, game: &str) -> Option<u32> {
    hall.game(game).filter(|found| is_shown(hall, found)).map(|found| found.game.pair.number)
}

/// How much attention a section deserves: a running round first, then one that is about to begin. Games that somebody
/// plays between times come last.
pub(super) fn attention(section: &Section) -> u8 {
    let furthest = section.rounds.values().map(|round| match round.state {
        RoundState::Running => 5,
        RoundState::Armed => 4,
        RoundState::Published => 3,
        RoundState::Finished => 2,
        RoundState::Prepared => 0,
    });
    let furthest = furthest.max().unwrap_or(0);
    if section.settings.open_play { furthest.min(1) } else { furthest }
}
