//! What the organiser calls his events: tournaments, and the sections in them that addresses call `{event}`.
//!
//! Knows names, places and policies. Must not know boards.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Days, NaiveDate};
use chrono_tz::Tz;
use game_core::input::ResultRule;
use serde::{Deserialize, Serialize};

use super::person::{Display, PlayerId};
use super::round::Round;
use game_core::time::UtcMs;
use pairings::time_controls::TimeControls;

/// Longest part of an address that is made of a name, in bytes.
pub const MAX_SLUG: usize = 60;

/// For how many days after its last one an event goes on when nobody says that it is over: a round a week does not end it.
pub const DAYS_AFTER_THE_LAST: u64 = 8;

/// Several sections with a common name; what people call the tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// For people.
    pub name: String,
    /// Place, as in the PGN tag `Site`.
    #[serde(default)]
    pub site: String,
    /// Time zone of the venue by its IANA name, e.g. `Europe/Amsterdam`.
    #[serde(default)]
    pub zone: Tz,
}

/// What an organiser says of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "settings that an organiser switches on and off, each by itself")]
pub struct SectionSettings {
    /// Slug of the tournament that it belongs to, if it belongs to one.
    #[serde(default)]
    pub tournament: String,
    /// As in the PGN tag `Event`.
    pub name: String,
    /// As in the PGN tag `Site`; `?` when unknown.
    #[serde(default = "unknown")]
    pub site: String,
    /// Time zone of the venue by its IANA name: `Date` is the venue's.
    #[serde(default)]
    pub zone: Tz,
    /// The table of the hall that is board 1 of this section.
    #[serde(default = "one")]
    pub first_table: u32,
    /// For rounds that have none of their own.
    #[serde(default)]
    pub time_control: TimeControls,
    /// The day at the venue on which the last round is to be played, when it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_day: Option<NaiveDate>,
    /// Whether rounds are published by themselves, each as soon as a game of the one before is over.
    #[serde(default)]
    pub auto_publish: bool,
    /// Whether a published round is armed at once.
    #[serde(default = "yes")]
    pub arm_by_publishing: bool,
    /// Which results that a board shows are the game's without anybody's word, in games that begin from now on: `shown` for
    /// mate, stalemate and kings in the centre, `by_rules` for mate and stalemate, `confirmed` for none.
    #[serde(default)]
    pub result_rule: ResultRule,
    /// Whether games without a board are public too.
    #[serde(default)]
    pub boardless_games: bool,
    /// Whether forfeits are public too.
    #[serde(default)]
    pub forfeits: bool,
    /// Whether one player may sit at many tables: a simultaneous display.
    #[serde(default)]
    pub simultaneous: bool,
    /// Whether there are no pairings: each day is a round, each start position a game.
    #[serde(default)]
    pub open_play: bool,
}

fn unknown() -> String {
    "?".into()
}

fn one() -> u32 {
    1
}

fn yes() -> bool {
    true
}

impl SectionSettings {
    /// A section of which only the name is known.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            tournament: String::new(),
            name: name.into(),
            site: unknown(),
            zone: Tz::UTC,
            first_table: 1,
            time_control: TimeControls::default(),
            last_day: None,
            auto_publish: false,
            arm_by_publishing: true,
            result_rule: ResultRule::default(),
            boardless_games: false,
            forfeits: false,
            simultaneous: false,
            open_play: false,
        }
    }
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its part of addresses: small letters, digits and `-`.
    pub slug: Arc<str>,
    /// What the organiser says of it.
    pub settings: SectionSettings,
    /// Its rounds by number.
    pub rounds: BTreeMap<u32, Arc<Round>>,
    /// Who takes part.
    pub players: BTreeMap<PlayerId, PlayerFacts>,
    /// Whether somebody said that the event is over.
    pub ended: bool,
}

/// What is recorded of a player; the rest lies with the persons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerFacts {
    /// Starting number.
    pub number: Option<u32>,
    /// What the public may see.
    pub display: Display,
    /// Whether the person was removed for good.
    pub forgotten: bool,
}

impl Section {
    /// The day at the venue.
    pub fn day(&self, at: UtcMs) -> Option<NaiveDate> {
        venue_day(self.settings.zone, at)
    }

    /// The day at the venue from which on the event is over by itself: [`DAYS_AFTER_THE_LAST`] after the last day on which
    /// it is or was to be played. None while no day is known.
    pub fn over_from(&self) -> Option<NaiveDate> {
        let of_round = |round: &Arc<Round>| {
            let planned = round.settings.planned_start.and_then(|at| self.day(at));
            let played = round.games.iter().filter_map(|game| game.day).max();
            round.settings.date.into_iter().chain(planned).chain(played).max()
        };
        let last = self.rounds.values().filter_map(of_round).chain(self.settings.last_day).max()?;
        last.checked_add_days(Days::new(DAYS_AFTER_THE_LAST + 1))
    }

    /// Whether the event is over: by order, or by itself.
    pub fn is_over(&self, now: UtcMs) -> bool {
        let by_itself = |from: NaiveDate| self.day(now).is_none_or(|today| today >= from);
        self.ended || self.over_from().is_some_and(by_itself)
    }

    /// The table of the hall that is a board of this section.
    pub fn table(&self, number: u32) -> Option<u32> {
        number.checked_sub(1)?.checked_add(self.settings.first_table)
    }

    /// The time controls of a round: its own, else the section's.
    pub fn time_controls<'a>(&'a self, round: &'a Round) -> &'a TimeControls {
        let own = &round.settings.time_control;
        if own.is_unknown() { &self.settings.time_control } else { own }
    }
}

/// The day at a venue; none beyond every calendar.
pub fn venue_day(zone: Tz, at: UtcMs) -> Option<NaiveDate> {
    let utc = DateTime::from_timestamp_millis(i64::try_from(at).ok()?)?;
    Some(utc.with_timezone(&zone).date_naive())
}

/// A name as part of an address.
pub fn slugify(name: &str) -> String {
    let plain = deunicode::deunicode(name);
    let words: Vec<_> = plain
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let mut slug = words.join("-");
    slug.truncate(MAX_SLUG);
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "event".into() } else { slug.to_owned() }
}

/// Whether a text can be the `{event}` of addresses: `/pgn/game/...` is taken.
pub fn is_slug(text: &str) -> bool {
    text != "game" && slugify(text) == text
}
