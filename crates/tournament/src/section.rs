//! Tournaments, and their sections, which are the `{event}` of addresses. Must not know boards.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Days, NaiveDate};
use chrono_tz::Tz;
use game_core::input::{Doubting, ResultRule};

use super::delay::Delay;
use super::person::{Display, PlayerId};
use super::round::Round;
use game_core::time::UtcMs;
use pairings::time_controls::TimeControls;

/// Longest slug that is made of a name, in bytes.
const MAX_SLUG: usize = 60;

/// Days after its last day until an event ends by itself. More than a week, for events with one round a week.
const DAYS_AFTER_THE_LAST: u64 = 8;

/// A tournament of one or more sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// For people.
    pub name: String,
    /// Place, as in the PGN tag `Site`.
    pub site: String,
    /// Time zone of the venue by its IANA name, e.g. `Europe/Amsterdam`.
    pub zone: Tz,
    /// By how much the public sees the games of its sections later; none for no delay.
    pub delay: Option<Delay>,
}

/// The settings of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "settings that an organiser switches on and off, each by itself")]
pub struct SectionSettings {
    /// Slug of the tournament that it belongs to, if it belongs to one.
    pub tournament: String,
    /// As in the PGN tag `Event`.
    pub name: String,
    /// As in the PGN tag `Site`; `?` when unknown.
    pub site: String,
    /// Address of a video of the event for visitors, https; none for no video.
    pub video: Option<String>,
    /// Time zone of the venue by its IANA name: `Date` is the venue's.
    pub zone: Tz,
    /// The table of the hall that is board 1 of this section.
    pub first_table: u32,
    /// For rounds that have none of their own.
    pub time_control: TimeControls,
    /// The day at the venue on which the last round is to be played, when it is known.
    pub last_day: Option<NaiveDate>,
    /// Whether rounds are published by themselves, each as soon as a game of the one before is over.
    pub auto_publish: bool,
    /// Whether a published round is armed at once.
    pub arm_by_publishing: bool,
    /// Which results shown on a board count without a person's confirmation, in games that begin from now on: `shown` for
    /// mate, stalemate and kings in the centre, `by_rules` for mate and stalemate, `confirmed` for none.
    pub result_rule: ResultRule,
    /// What becomes of two lines of play that explain a board equally well, in games that begin from now on: `likely` publishes
    /// the likelier one when no person has decided for some time, `confirmed` none before a person has decided.
    pub doubting: Doubting,
    /// Whether games without a board are public too.
    pub boardless_games: bool,
    /// Whether forfeits are public too.
    pub forfeits: bool,
    /// Whether one player may sit at many tables: a simultaneous display.
    pub simultaneous: bool,
    /// Whether there are no pairings: each day is a round, each start position a game.
    pub open_play: bool,
    /// By how much the public sees its games later; none for the delay of the tournament.
    pub delay: Option<Delay>,
    /// Delays of single boards, by their number in the section, in every round.
    pub board_delays: BTreeMap<u32, Delay>,
}

fn unknown() -> String {
    "?".into()
}

impl SectionSettings {
    /// A section of which only the name is known.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            tournament: String::new(),
            name: name.into(),
            site: unknown(),
            video: None,
            zone: Tz::UTC,
            first_table: 1,
            time_control: TimeControls::default(),
            last_day: None,
            auto_publish: false,
            arm_by_publishing: true,
            result_rule: ResultRule::default(),
            doubting: Doubting::default(),
            boardless_games: false,
            forfeits: false,
            simultaneous: false,
            open_play: false,
            delay: None,
            board_delays: BTreeMap::new(),
        }
    }
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The `{event}` of addresses: small letters, digits and `-`.
    pub slug: Arc<str>,
    /// Its settings.
    pub settings: SectionSettings,
    /// Its rounds by number.
    pub rounds: BTreeMap<u32, Arc<Round>>,
    /// Who takes part.
    pub players: BTreeMap<PlayerId, PlayerFacts>,
    /// Whether the event was ended by order.
    pub ended: bool,
    /// The report that was loaded last; results are written into it.
    pub report: Option<LoadedReport>,
    /// The standings that were loaded last.
    pub standings: Option<Arc<LoadedStandings>>,
}

/// Standings of a pairing program, without persons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadedStandings {
    /// The last round that they include.
    pub after_round: u32,
    /// Names of the tie-breaks, the most important first.
    pub tie_breaks: Vec<String>,
    /// The place of each player.
    pub places: BTreeMap<PlayerId, LoadedPlace>,
}

/// The place of a player in loaded standings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadedPlace {
    /// From 1; players may share a rank.
    pub rank: u32,
    /// In tenths of a point, byes included.
    pub points: Option<u32>,
    /// Values of the tie-breaks as in the file.
    pub tie_breaks: Vec<String>,
}

/// A tournament report without persons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedReport {
    /// Its lines, as [`pairings::Report::frame`] gives them.
    pub text: Arc<str>,
    /// Its encoding, if that is not UTF-8.
    pub encoding: Option<String>,
}

/// The facts about a player, without the person.
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

    /// The day at the venue on which the event ends by itself: more than [`DAYS_AFTER_THE_LAST`] days after the last day that
    /// was played or planned. None while no day is known.
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

/// The day at a venue; none when the instant is out of range.
fn venue_day(zone: Tz, at: UtcMs) -> Option<NaiveDate> {
    let utc = DateTime::from_timestamp_millis(i64::try_from(at).ok()?)?;
    Some(utc.with_timezone(&zone).date_naive())
}

/// The slug made of a name.
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

/// Whether a text can be the `{event}` of addresses; `game` cannot, because of `/pgn/game/...`.
pub fn is_slug(text: &str) -> bool {
    text != "game" && slugify(text) == text
}
