//! What organisers set: tournaments, sections, rounds, start positions, pairs.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use game_core::input::{DoubtRule, Doubting};
use game_core::time::UtcMs;
use serde::{Deserialize, Serialize};
use tournament::{Delay, Pair, PlayerId, RoundSettings, SectionSettings, StartPosition, Tournament};

use super::FormError;
use super::values::{StoredTimeControls, Word};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredTournament {
    name: String,
    #[serde(default)]
    site: String,
    /// IANA name of the time zone; missing for UTC.
    #[serde(default)]
    zone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delay: Option<String>,
}

impl From<&Tournament> for StoredTournament {
    fn from(settings: &Tournament) -> Self {
        let Tournament { name, site, zone, delay } = settings;
        Self {
            name: name.clone(),
            site: site.clone(),
            zone: Some(zone.name().to_owned()),
            delay: delay.map(write_delay),
        }
    }
}

impl TryFrom<StoredTournament> for Tournament {
    type Error = FormError;

    fn try_from(stored: StoredTournament) -> Result<Self, FormError> {
        let StoredTournament { name, site, zone, delay } = stored;
        let delay = delay.as_deref().map(read_delay).transpose()?;
        Ok(Self { name, site, zone: read_zone(zone.as_deref())?, delay })
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "settings that are switched on and off, each by itself")]
pub(super) struct StoredSection {
    #[serde(default)]
    tournament: String,
    name: String,
    #[serde(default = "unknown_site")]
    site: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    video: Option<String>,
    #[serde(default)]
    zone: Option<String>,
    #[serde(default = "first_table")]
    first_table: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_control: Option<StoredTimeControls>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_day: Option<NaiveDate>,
    #[serde(default)]
    auto_publish: bool,
    #[serde(default = "yes")]
    arm_by_publishing: bool,
    #[serde(default)]
    result_rule: Option<String>,
    /// Neither is there while it is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    doubt_rule: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    doubt_wait_s: Option<u32>,
    #[serde(default)]
    boardless_games: bool,
    #[serde(default)]
    forfeits: bool,
    #[serde(default)]
    simultaneous: bool,
    #[serde(default)]
    open_play: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delay: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    board_delays: Vec<(u32, String)>,
}

fn unknown_site() -> String {
    "?".into()
}

const fn first_table() -> u32 {
    1
}

const fn yes() -> bool {
    true
}

impl From<&SectionSettings> for StoredSection {
    fn from(settings: &SectionSettings) -> Self {
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
            doubting,
            boardless_games,
            forfeits,
            simultaneous,
            open_play,
            delay,
            board_delays,
        } = settings;
        Self {
            tournament: tournament.clone(),
            name: name.clone(),
            site: site.clone(),
            video: video.clone(),
            zone: Some(zone.name().to_owned()),
            first_table: *first_table,
            time_control: StoredTimeControls::of(time_control),
            last_day: *last_day,
            auto_publish: *auto_publish,
            arm_by_publishing: *arm_by_publishing,
            result_rule: Some(result_rule.word().to_owned()),
            doubt_rule: Some(doubting.rule)
                .filter(|rule| *rule != DoubtRule::default())
                .map(|rule| rule.word().to_owned()),
            doubt_wait_s: Some(doubting.wait_s).filter(|wait_s| *wait_s != Doubting::USUAL_WAIT_S),
            boardless_games: *boardless_games,
            forfeits: *forfeits,
            simultaneous: *simultaneous,
            open_play: *open_play,
            delay: delay.map(write_delay),
            board_delays: board_delays.iter().map(|(board, delay)| (*board, write_delay(*delay))).collect(),
        }
    }
}

impl TryFrom<StoredSection> for SectionSettings {
    type Error = FormError;

    fn try_from(stored: StoredSection) -> Result<Self, FormError> {
        let boards = stored.board_delays.iter().map(|(board, delay)| Ok((*board, read_delay(delay)?)));
        Ok(Self {
            tournament: stored.tournament,
            name: stored.name,
            site: stored.site,
            video: stored.video,
            zone: read_zone(stored.zone.as_deref())?,
            first_table: stored.first_table,
            time_control: stored.time_control.map(Into::into).unwrap_or_default(),
            last_day: stored.last_day,
            auto_publish: stored.auto_publish,
            arm_by_publishing: stored.arm_by_publishing,
            result_rule: stored.result_rule.as_deref().map(Word::read).transpose()?.unwrap_or_default(),
            doubting: Doubting {
                rule: stored.doubt_rule.as_deref().map(Word::read).transpose()?.unwrap_or_default(),
                wait_s: stored.doubt_wait_s.unwrap_or(Doubting::USUAL_WAIT_S),
            },
            boardless_games: stored.boardless_games,
            forfeits: stored.forfeits,
            simultaneous: stored.simultaneous,
            open_play: stored.open_play,
            delay: stored.delay.as_deref().map(read_delay).transpose()?,
            board_delays: boards.collect::<Result<_, FormError>>()?,
        })
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredRound {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<NaiveDate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    planned_start: Option<UtcMs>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_control: Option<StoredTimeControls>,
    /// The delay in journals up to schema 3, 0 for none.
    #[serde(default)]
    delay_s: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delay: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default_time_s: Option<u32>,
}

impl From<&RoundSettings> for StoredRound {
    fn from(settings: &RoundSettings) -> Self {
        let RoundSettings { name, date, planned_start, time_control, delay, default_time_s } = settings;
        Self {
            name: name.clone(),
            date: *date,
            planned_start: *planned_start,
            time_control: StoredTimeControls::of(time_control),
            delay: delay.map(write_delay),
            delay_s: 0,
            default_time_s: *default_time_s,
        }
    }
}

impl TryFrom<StoredRound> for RoundSettings {
    type Error = FormError;

    fn try_from(stored: StoredRound) -> Result<Self, FormError> {
        let StoredRound { name, date, planned_start, time_control, delay, delay_s, default_time_s } = stored;
        let time_control = time_control.map(Into::into).unwrap_or_default();
        let earlier = (delay_s > 0).then_some(Delay::Seconds(delay_s));
        let delay = delay.as_deref().map(read_delay).transpose()?.or(earlier);
        Ok(Self { name, date, planned_start, time_control, delay, default_time_s })
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredStart {
    fen: String,
    variant: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<u32>,
}

impl From<&StartPosition> for StoredStart {
    fn from(start: &StartPosition) -> Self {
        let StartPosition { fen, variant, number } = start;
        Self { fen: fen.clone(), variant: variant.word().to_owned(), number: *number }
    }
}

impl TryFrom<StoredStart> for StartPosition {
    type Error = FormError;

    fn try_from(stored: StoredStart) -> Result<Self, FormError> {
        let StoredStart { fen, variant, number } = stored;
        Ok(Self { fen, variant: Word::read(&variant)?, number })
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredPair {
    number: u32,
    #[serde(default)]
    boardless: bool,
    /// Number of the match and the board in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    team_match: Option<(u32, u32)>,
    #[serde(default)]
    white: Option<u32>,
    #[serde(default)]
    black: Option<u32>,
    /// Only in documents of other tables; in a fact, tags are in `hall_text`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<String, String>,
}

impl From<&Pair> for StoredPair {
    fn from(pair: &Pair) -> Self {
        let Pair { number, boardless, team_match, white, black, tags } = pair;
        let player = |player: &Option<PlayerId>| player.map(|id| id.0);
        Self {
            number: *number,
            boardless: *boardless,
            team_match: *team_match,
            white: player(white),
            black: player(black),
            tags: tags.clone(),
        }
    }
}

impl From<StoredPair> for Pair {
    fn from(stored: StoredPair) -> Self {
        let StoredPair { number, boardless, team_match, white, black, tags } = stored;
        Self { number, boardless, team_match, white: white.map(PlayerId), black: black.map(PlayerId), tags }
    }
}

/// A delay as [`Delay`] writes it.
fn write_delay(delay: Delay) -> String {
    delay.to_string()
}

fn read_delay(text: &str) -> Result<Delay, FormError> {
    text.parse().map_err(|_| FormError::Newer(format!("delay \"{text}\"")))
}

/// A time zone by its IANA name; UTC when none is stored.
fn read_zone<Z: std::str::FromStr + Default>(name: Option<&str>) -> Result<Z, FormError> {
    match name {
        Some(name) => name.parse().map_err(|_| FormError::Newer(format!("time zone \"{name}\""))),
        None => Ok(Z::default()),
    }
}
