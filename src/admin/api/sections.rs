//! The hall, its tournaments and its sections.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use chrono_tz::Tz;
use game_core::input::Doubting;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::delays::{BoardDelay, Delay};
use super::orders::Seat;
use super::players::PlayerLine;
use super::rounds::{RoundLine, TimeControls};
use super::same_variants;
use hall_clock::UtcMs;
use tournament::{Hall, Persons, Proposal, Section};

/// A tournament: sections with a common name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tournament {
    /// Its name.
    pub(crate) name: String,
    /// Place, as in the PGN tag `Site`.
    #[serde(default)]
    pub(crate) site: String,
    /// Time zone of the venue by its IANA name, e.g. `Europe/Amsterdam`.
    #[serde(default)]
    #[schema(value_type = String)]
    pub(crate) zone: Tz,
    /// By how much the public sees the games of its sections later; none for no delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) delay_s: Option<Delay>,
}

/// The settings of a section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "settings that an organiser switches on and off, each by itself")]
pub(crate) struct SectionSettings {
    /// Slug of its tournament; empty for none.
    #[serde(default)]
    pub(crate) tournament: String,
    /// Its name, as in the PGN tag `Event`.
    pub(crate) name: String,
    /// Its place, as in the PGN tag `Site`; `?` when unknown.
    #[serde(default = "unknown")]
    pub(crate) site: String,
    /// Address of a video of the event, shown to visitors as a link; it begins with `https://`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) video: Option<String>,
    /// Time zone of the venue by its IANA name; dates are those of the venue.
    #[serde(default)]
    #[schema(value_type = String)]
    pub(crate) zone: Tz,
    /// The table of the hall that is board 1 of this section.
    #[serde(default = "one")]
    pub(crate) first_table: u32,
    /// The time control of rounds without their own.
    #[serde(default)]
    pub(crate) time_control: TimeControls,
    /// The planned day of the last round, at the venue, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_day: Option<NaiveDate>,
    /// Whether rounds are published automatically, each after the first game of the previous round ended.
    #[serde(default)]
    pub(crate) auto_publish: bool,
    /// Whether publishing a round also arms it.
    #[serde(default = "yes")]
    pub(crate) arm_by_publishing: bool,
    /// The results on a board that are recorded without confirmation by a person, in games that begin from now on: `shown`
    /// for mate, stalemate and kings in the centre, `by_rules` for mate and stalemate, `confirmed` for none.
    #[serde(default)]
    #[schema(value_type = String)]
    pub(crate) result_rule: ResultRule,
    /// What becomes of two lines of play that explain a board equally well, in games that begin from now on: `likely`
    /// publishes the likelier one when no person has decided for `doubt_wait_s`, `confirmed` none before a person has decided.
    #[serde(default)]
    #[schema(value_type = String)]
    pub(crate) doubt_rule: DoubtRule,
    /// How long a decision about such lines is waited for, in seconds.
    #[serde(default = "usual_wait")]
    pub(crate) doubt_wait_s: u32,
    /// Whether games without an e-board are public too.
    #[serde(default)]
    pub(crate) boardless_games: bool,
    /// Whether forfeits are public too.
    #[serde(default)]
    pub(crate) forfeits: bool,
    /// Whether one player may play at several tables: a simultaneous display.
    #[serde(default)]
    pub(crate) simultaneous: bool,
    /// Open play: there are no pairings, each day is a round, each start position begins a game.
    #[serde(default)]
    pub(crate) open_play: bool,
    /// By how much the public sees its games later; none for the delay of the tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) delay_s: Option<Delay>,
    /// Delays of single boards, in every round; the public pages name the delay of the round only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) board_delays: Vec<BoardDelay>,
}

/// Settings of a section that an order names: an object with some of the fields of [`SectionSettings`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SectionChanges(serde_json::Map<String, serde_json::Value>);

impl SectionChanges {
    /// The present settings, if there are some, with these changes.
    ///
    /// # Errors
    /// What is wrong with the changes.
    pub(crate) fn over(self, present: Option<SectionSettings>) -> Result<SectionSettings, String> {
        let mut settings = present.map(|present| Self::from(present).0).unwrap_or_default();
        settings.extend(self.0);
        serde_json::from_value(settings.into()).map_err(|error| format!("{error}."))
    }
}

impl From<SectionSettings> for SectionChanges {
    fn from(settings: SectionSettings) -> Self {
        match serde_json::to_value(settings) {
            Ok(serde_json::Value::Object(fields)) => Self(fields),
            // Settings are an object of plain values.
            _ => Self(serde_json::Map::new()),
        }
    }
}

/// The hall without its games.
#[derive(Serialize, ToSchema)]
pub(crate) struct HallView {
    /// The version of the hall, for `If-Match`.
    pub(crate) version: u64,
    /// Tournaments by slug.
    pub(crate) tournaments: BTreeMap<String, Tournament>,
    /// Sections, by slug.
    pub(crate) sections: Vec<SectionLine>,
    /// Table to serial number of its board.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) seats: BTreeMap<u32, String>,
    /// Every board that was ever found, with its number in open play.
    #[schema(value_type = BTreeMap<String, u32>)]
    pub(crate) numbers: BTreeMap<String, u32>,
    /// Serial numbers of the connected boards without a table.
    pub(crate) boards_without_table: Vec<String>,
    /// Tables of the pairings without a board.
    pub(crate) tables_without_board: Vec<u32>,
    /// What the order `assign_by_serial` would assign now.
    pub(crate) proposed_seats: Vec<Seat>,
    /// The table that waits for the board with a king on e4 (order `identify_table`).
    pub(crate) identifying: Option<u32>,
    /// Unassigned games: they began on boards for which no game was armed.
    pub(crate) kept_apart: Vec<KeptApart>,
}

/// A section in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct SectionLine {
    /// Its slug.
    pub(crate) section: String,
    /// Its settings.
    pub(crate) settings: SectionSettings,
    /// Whether its event is over; keys for its undelayed games are then invalid.
    pub(crate) over: bool,
    /// The day at the venue from which the event is over by itself; none while no day of play is known.
    pub(crate) over_from: Option<NaiveDate>,
    /// Its rounds, by number.
    pub(crate) rounds: Vec<RoundLine>,
}

/// An unassigned game.
#[derive(Serialize, ToSchema)]
pub(crate) struct KeptApart {
    /// Its id, for the order `claim`.
    pub(crate) parked: String,
    /// Serial number of the board.
    pub(crate) board: String,
    /// The game as which it was adopted.
    pub(crate) claimed: Option<String>,
}

/// A section with its players.
#[derive(Serialize, ToSchema)]
pub(crate) struct SectionView {
    /// The version of the hall, for `If-Match`.
    pub(crate) version: u64,
    /// Its slug.
    pub(crate) section: String,
    /// Its settings.
    pub(crate) settings: SectionSettings,
    /// Whether its event is over; keys for its undelayed games are then invalid.
    pub(crate) over: bool,
    /// The day at the venue from which the event is over by itself; none while no day of play is known.
    pub(crate) over_from: Option<NaiveDate>,
    /// Its rounds, by number.
    pub(crate) rounds: Vec<RoundLine>,
    /// Its players.
    pub(crate) players: Vec<PlayerLine>,
}

/// The results on a board that are recorded without confirmation by a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResultRule {
    /// Mate, stalemate, and what the players show.
    #[default]
    Shown,
    /// Mate and stalemate.
    ByRules,
    /// None.
    Confirmed,
}

/// What becomes of two lines of play that explain a board equally well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DoubtRule {
    /// The likelier one is published after a while.
    #[default]
    Likely,
    /// A person has to decide.
    Confirmed,
}

const fn usual_wait() -> u32 {
    Doubting::USUAL_WAIT_S
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

same_variants!(ResultRule, game_core::input::ResultRule, Shown, ByRules, Confirmed);
same_variants!(DoubtRule, game_core::input::DoubtRule, Likely, Confirmed);

impl From<Tournament> for tournament::Tournament {
    fn from(Tournament { name, site, zone, delay_s }: Tournament) -> Self {
        Self { name, site, zone, delay: delay_s.map(Into::into) }
    }
}

impl From<tournament::Tournament> for Tournament {
    fn from(tournament::Tournament { name, site, zone, delay }: tournament::Tournament) -> Self {
        Self { name, site, zone, delay_s: delay.map(Into::into) }
    }
}

impl From<SectionSettings> for tournament::SectionSettings {
    fn from(settings: SectionSettings) -> Self {
        let SectionSettings {
            tournament,
            name,
            site,
            video,
            zone,
            first_table,
            time_control,
            last_day,
            auto_publish,
            arm_by_publishing,
            result_rule,
            doubt_rule,
            doubt_wait_s,
            boardless_games,
            forfeits,
            simultaneous,
            open_play,
            delay_s,
            board_delays,
        } = settings;
        Self {
            tournament,
            name,
            site,
            video,
            zone,
            first_table,
            time_control: time_control.into(),
            last_day,
            auto_publish,
            arm_by_publishing,
            result_rule: result_rule.into(),
            doubting: Doubting { rule: doubt_rule.into(), wait_s: doubt_wait_s },
            boardless_games,
            forfeits,
            simultaneous,
            open_play,
            delay: delay_s.map(Into::into),
            board_delays: board_delays.into_iter().map(|of| (of.board, of.delay_s.into())).collect(),
        }
    }
}

impl From<tournament::SectionSettings> for SectionSettings {
    fn from(settings: tournament::SectionSettings) -> Self {
        let tournament::SectionSettings {
            tournament,
            name,
            site,
            video,
            zone,
            first_table,
            time_control,
            last_day,
            auto_publish,
            arm_by_publishing,
            result_rule,
            doubting,
            boardless_games,
            forfeits,
            simultaneous,
            open_play,
            delay,
            board_delays,
        } = settings;
        let board_delays = board_delays.into_iter().map(|(board, delay)| BoardDelay { board, delay_s: delay.into() });
        Self {
            tournament,
            name,
            site,
            video,
            zone,
            first_table,
            time_control: time_control.into(),
            last_day,
            auto_publish,
            arm_by_publishing,
            result_rule: result_rule.into(),
            doubt_rule: doubting.rule.into(),
            doubt_wait_s: doubting.wait_s,
            boardless_games,
            forfeits,
            simultaneous,
            open_play,
            delay_s: delay.map(Into::into),
            board_delays: board_delays.collect(),
        }
    }
}

impl HallView {
    /// A hall at an instant, with these boards connected.
    pub(crate) fn of(version: u64, hall: &Hall, connected: Vec<Arc<str>>, now: UtcMs) -> Self {
        let without_table = connected.into_iter().filter(|board| hall.table_of(board).is_none());
        let mut without_table: Vec<_> = without_table.collect();
        without_table.sort_by(|a, b| tournament::serial_order(a).cmp(&tournament::serial_order(b)));
        let proposal = Proposal::of(hall, without_table.iter().cloned());
        let kept_apart = hall.unassigned.iter().map(|(id, parked)| KeptApart {
            parked: id.to_string(),
            board: parked.board.to_string(),
            claimed: parked.adopted_as.as_deref().map(str::to_owned),
        });
        Self {
            version,
            tournaments: hall.tournaments.iter().map(|(slug, it)| (slug.to_string(), it.clone().into())).collect(),
            sections: hall.sections.values().map(|section| SectionLine::of(hall, section, now)).collect(),
            seats: hall.seats.iter().map(|(table, board)| (*table, board.to_string())).collect(),
            numbers: hall.numbers.iter().map(|(board, number)| (board.to_string(), *number)).collect(),
            boards_without_table: without_table.iter().map(ToString::to_string).collect(),
            tables_without_board: tournament::tables_without_board(hall),
            proposed_seats: proposal.seats.into_iter().map(Into::into).collect(),
            identifying: hall.identifying,
            kept_apart: kept_apart.collect(),
        }
    }
}

impl SectionLine {
    fn of(hall: &Hall, section: &Section, now: UtcMs) -> Self {
        Self {
            section: section.slug.to_string(),
            settings: section.settings.clone().into(),
            over: section.is_over(now),
            over_from: section.over_from(),
            rounds: section.rounds.values().map(|round| RoundLine::of(hall, section, round)).collect(),
        }
    }
}

impl SectionView {
    /// A section at an instant, with the persons behind its players.
    pub(crate) fn of(version: u64, (hall, section): (&Hall, &Section), persons: &Persons, now: UtcMs) -> Self {
        let players = section.players.iter().map(|(id, facts)| PlayerLine {
            player: (*id).into(),
            facts: (*facts).into(),
            person: persons.get(*id).cloned().map(Into::into),
        });
        let players = players.collect();
        let SectionLine { section, settings, over, over_from, rounds } = SectionLine::of(hall, section, now);
        Self { version, section, settings, over, over_from, rounds, players }
    }
}
