//! What a view may say of the hall: its sections, its rounds, and the place of each game that is shown.
//!
//! Must not know events of games.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::NaiveDate;

use hall_clock::UtcMs;
use tournament::{Hall, PairingState, RoundState, Section};

use super::audience::{Audience, Wait, shows};

/// What is publicly known of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionInfo {
    /// Its part of addresses: small letters, digits and `-`.
    pub slug: Arc<str>,
    /// As in the PGN tag `Event`.
    pub name: String,
    /// As in the PGN tag `Site`; `?` when unknown.
    pub site: String,
    /// Address of a video of the event, https.
    pub video: Option<String>,
    /// IANA name of the venue's time zone.
    pub zone: &'static str,
    /// Name of the tournament that it belongs to.
    pub tournament: Option<String>,
}

/// What is publicly known of a round, apart from its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundInfo {
    /// Its name for people.
    pub name: String,
    /// The day at the venue.
    pub date: Option<NaiveDate>,
    /// When it is planned to start.
    pub planned_start: Option<UtcMs>,
    /// How much later its games are public; single boards may have another delay, which is not public.
    pub delay: Wait,
}

impl SectionInfo {
    pub(super) fn of(hall: &Hall, section: &Section) -> Self {
        let settings = &section.settings;
        Self {
            slug: Arc::clone(&section.slug),
            name: settings.name.clone(),
            site: settings.site.clone(),
            video: settings.video.clone(),
            zone: settings.zone.name(),
            tournament: hall.tournaments.get(settings.tournament.as_str()).map(|tournament| tournament.name.clone()),
        }
    }
}

impl RoundInfo {
    /// A round of which only the number is known.
    pub(super) fn unnamed(number: u32) -> Self {
        Self { name: format!("Round {number}"), date: None, planned_start: None, delay: Wait::default() }
    }

    /// A round whose pairings are public, in a view for this audience.
    pub(super) fn of(hall: &Hall, audience: Audience, section: &str, number: u32) -> Option<Self> {
        let round = hall.round(section, number).filter(|round| round.published)?;
        let settings = &round.settings;
        let delay = audience.round_wait(hall, section, number);
        Some(Self { name: round.title(), date: settings.date, planned_start: settings.planned_start, delay })
    }
}

/// Slugs of the sections that a view lists: those with rounds, and before there is a round those that can get one. Where there
/// are sections with pairings, that is none with open play.
pub(super) fn listed(hall: &Hall) -> BTreeSet<Arc<str>> {
    let slugs = |listed: &dyn Fn(&Section) -> bool| {
        let sections = hall.sections.values().filter(|section| listed(section));
        sections.map(|section| Arc::clone(&section.slug)).collect::<BTreeSet<_>>()
    };
    let with_rounds = slugs(&|section| !section.rounds.is_empty());
    if !with_rounds.is_empty() {
        return with_rounds;
    }
    let is_paired = hall.is_paired();
    slugs(&|section| !(is_paired && section.settings.open_play))
}

/// Whether an organiser, or the last result, ended the round.
pub(super) fn is_finished(hall: &Hall, section: &str, number: u32) -> bool {
    hall.round(section, number).is_some_and(|round| round.state == RoundState::Finished)
}

/// Whether a game is adjourned.
pub(super) fn is_adjourned(hall: &Hall, game: &str) -> bool {
    hall.game(game).is_some_and(|found| found.game.state == PairingState::Adjourned)
}

/// The board number of a game within its round, if a view shows the game.
pub(super) fn shown_number(hall: &Hall, game: &str) -> Option<u32> {
    hall.game(game).filter(|found| shows(hall, found)).map(|found| found.game.pair.number)
}
