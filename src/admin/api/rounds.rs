//! Rounds and the games in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::delays::Delay;
use super::players::PlayerId;
use super::results::{ByeKind, Score};
use super::same_variants;
use hall_clock::UtcMs;

/// The state of a round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RoundState {
    /// Its pairings are not public.
    Prepared,
    /// Its pairings are public.
    Published,
    /// A start position on a board begins its game.
    Armed,
    /// A game has begun.
    Running,
    /// The round is over.
    Finished,
}

/// The settings of a round.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RoundSettings {
    /// A name instead of its number, e.g. `Tie-break 2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The day at the venue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<NaiveDate>,
    /// The planned start: milliseconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) planned_start: Option<UtcMs>,
    /// The time control, if it is not that of the section.
    #[serde(skip_serializing_if = "TimeControls::is_unknown")]
    pub(crate) time_control: TimeControls,
    /// By how much the public sees its games later; none for the delay of the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) delay_s: Option<Delay>,
    /// The default time in seconds after the start (Laws, 6.7.1); none when the regulations have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) default_time_s: Option<u32>,
}

/// The rules of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Variant {
    /// Orthodox chess.
    #[default]
    Standard,
    /// Chess960.
    Chess960,
}

/// The start position of all games of a round.
#[derive(Serialize, ToSchema)]
pub(crate) struct StartPosition {
    /// The position.
    pub(crate) fen: String,
    /// The rules.
    #[schema(value_type = String)]
    pub(crate) variant: Variant,
    /// Its number in Chess960.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<u32>,
}

/// A round.
#[derive(Serialize, ToSchema)]
pub(crate) struct Round {
    /// From 1.
    pub(crate) number: u32,
    /// Its settings.
    pub(crate) settings: RoundSettings,
    /// Its state.
    pub(crate) state: RoundState,
    /// When it was first armed, as a number in the sequence of changes of rounds.
    pub(crate) armed: Option<u64>,
    /// When its first game began, in the same sequence.
    pub(crate) began: Option<u64>,
    /// Whether its pairings are public, also when it is over.
    pub(crate) published: bool,
    /// Whether it was published and is not any more: it does not publish itself.
    pub(crate) unpublished: bool,
    /// Its start position; none for the standard one.
    pub(crate) start: Option<StartPosition>,
    /// Its games, by number.
    pub(crate) games: Vec<Pairing>,
    /// Byes by player.
    #[schema(value_type = BTreeMap<String, ByeKind>)]
    pub(crate) byes: BTreeMap<PlayerId, ByeKind>,
    /// Byes by player in the files of pairings.
    #[schema(value_type = BTreeMap<String, ByeKind>)]
    pub(crate) imported_byes: BTreeMap<PlayerId, ByeKind>,
}

/// The pairing of a game: its players and its place.
#[derive(Serialize, ToSchema)]
pub(crate) struct Pair {
    /// Number of the board in the section, from 1: `Board` and the second number of `Round` in PGN. The first table of the
    /// section determines the table of the hall.
    pub(crate) number: u32,
    /// Whether it is played without an e-board.
    #[serde(default)]
    pub(crate) boardless: bool,
    /// The match between two teams that it belongs to, and its board there: `Round "r.m.b"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) team_match: Option<(u32, u32)>,
    /// White; none in open play until the player is known.
    pub(crate) white: Option<PlayerId>,
    /// Black.
    pub(crate) black: Option<PlayerId>,
    /// Further PGN tags, which do not name players.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) tags: BTreeMap<String, String>,
}

/// The state of a game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PairingState {
    /// The game has not begun.
    Paired,
    /// The game is being played.
    Playing,
    /// The game is adjourned and continues later, perhaps on another board.
    Adjourned,
    /// The game is over without a result.
    ResultMissing,
    /// The game has a result.
    Finished,
    /// The game was forfeited without play.
    Forfeit,
}

/// A game of a round.
#[derive(Serialize, ToSchema)]
pub(crate) struct Pairing {
    /// The game's id, which belongs to this pairing for ever.
    pub(crate) id: String,
    /// The players and their place.
    pub(crate) pair: Pair,
    /// Its state.
    pub(crate) state: PairingState,
    /// Whether it is withdrawn from the public.
    pub(crate) withdrawn: bool,
    /// Its result.
    pub(crate) result: Option<Score>,
    /// Its result in a file of pairings.
    pub(crate) imported: Option<Score>,
    /// Serial number of its board, if it is not the board of its table.
    pub(crate) board: Option<String>,
    /// The source that its moves come from; none for a board of this hall, or a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    /// The day on which it began, at the venue.
    pub(crate) day: Option<NaiveDate>,
    /// Tags set by operators; an empty value hides a tag.
    pub(crate) tags: BTreeMap<String, String>,
}

/// A round in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct RoundLine {
    /// Its number.
    pub(crate) round: u32,
    /// Its title for people: its name, else «Round» and its number.
    pub(crate) title: String,
    /// Its own name; none for its number alone.
    pub(crate) name: Option<String>,
    /// Its state.
    pub(crate) state: RoundState,
    /// Whether its pairings are public; a round that was loaded with all its results is over and not public.
    pub(crate) published: bool,
    /// The number of its games.
    pub(crate) games: usize,
    /// The number of its games without a result; withdrawn ones do not count.
    pub(crate) without_result: usize,
    /// The delay that holds for it: its own, else that of its section, else that of the tournament. Single boards may have another.
    pub(crate) delay_s: Delay,
}

/// A round with its games.
#[derive(Serialize, ToSchema)]
pub(crate) struct RoundView {
    /// The version of the hall, for `If-Match`.
    pub(crate) version: u64,
    /// The round.
    pub(crate) round: Round,
    /// Game id to table; games without an e-board are missing.
    pub(crate) tables: BTreeMap<String, u32>,
}

/// Time controls in the form of PGN; both sides have the same one except in Armageddon.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "the time control of each side, {\"white\": \"5400+30\", \"black\": \"5400+30\"}"
)]
pub(crate) struct TimeControls {
    /// White's; none when unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) white: Option<String>,
    /// Black's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) black: Option<String>,
}

impl TimeControls {
    fn is_unknown(&self) -> bool {
        self.white.is_none() && self.black.is_none()
    }
}

impl From<TimeControls> for tournament::TimeControls {
    fn from(TimeControls { white, black }: TimeControls) -> Self {
        Self { white, black }
    }
}

impl From<tournament::TimeControls> for TimeControls {
    fn from(tournament::TimeControls { white, black }: tournament::TimeControls) -> Self {
        Self { white, black }
    }
}

impl From<RoundSettings> for tournament::RoundSettings {
    fn from(settings: RoundSettings) -> Self {
        let RoundSettings { name, date, planned_start, time_control, delay_s, default_time_s } = settings;
        let delay = delay_s.map(Into::into);
        Self { name, date, planned_start, time_control: time_control.into(), delay, default_time_s }
    }
}

impl From<tournament::RoundSettings> for RoundSettings {
    fn from(settings: tournament::RoundSettings) -> Self {
        let tournament::RoundSettings { name, date, planned_start, time_control, delay, default_time_s } = settings;
        let delay_s = delay.map(Into::into);
        Self { name, date, planned_start, time_control: time_control.into(), delay_s, default_time_s }
    }
}

same_variants!(Variant, game_core::event::Variant, Standard, Chess960);
same_variants!(from RoundState, tournament::RoundState, Prepared, Published, Armed, Running, Finished);
same_variants!(
    from PairingState, tournament::PairingState, Paired, Playing, Adjourned, ResultMissing, Finished, Forfeit
);

impl From<tournament::StartPosition> for StartPosition {
    fn from(tournament::StartPosition { fen, variant, number }: tournament::StartPosition) -> Self {
        Self { fen, variant: variant.into(), number }
    }
}

impl From<&tournament::Round> for Round {
    fn from(round: &tournament::Round) -> Self {
        let tournament::Round { number, settings, state, armed, began, published, unpublished, start, .. } = round;
        let tournament::Round { games, byes, imported_byes, .. } = round;
        Self {
            number: *number,
            settings: settings.clone().into(),
            state: (*state).into(),
            armed: *armed,
            began: *began,
            published: *published,
            unpublished: *unpublished,
            start: start.clone().map(Into::into),
            games: games.iter().map(Into::into).collect(),
            byes: kinds(byes),
            imported_byes: kinds(imported_byes),
        }
    }
}

fn kinds(byes: &BTreeMap<tournament::PlayerId, pairings::model::ByeKind>) -> BTreeMap<PlayerId, ByeKind> {
    byes.iter().map(|(player, kind)| ((*player).into(), (*kind).into())).collect()
}

impl From<&tournament::Pairing> for Pairing {
    fn from(pairing: &tournament::Pairing) -> Self {
        let tournament::Pairing { id, pair, state, withdrawn, result, imported, board, source, day, tags } = pairing;
        Self {
            id: id.to_string(),
            pair: pair.clone().into(),
            state: (*state).into(),
            withdrawn: *withdrawn,
            result: result.map(Into::into),
            imported: imported.map(Into::into),
            board: board.as_deref().map(str::to_owned),
            source: source.as_deref().map(str::to_owned),
            day: *day,
            tags: tags.clone(),
        }
    }
}

impl From<tournament::Pair> for Pair {
    fn from(pair: tournament::Pair) -> Self {
        let tournament::Pair { number, boardless, team_match, white, black, tags } = pair;
        Self { number, boardless, team_match, white: white.map(Into::into), black: black.map(Into::into), tags }
    }
}

impl RoundLine {
    /// A round of a section.
    pub(crate) fn of(hall: &tournament::Hall, section: &tournament::Section, round: &tournament::Round) -> Self {
        Self {
            round: round.number,
            title: round.title(),
            name: round.settings.name.clone(),
            state: round.state.into(),
            published: round.published,
            games: round.games.len(),
            without_result: round.games.iter().filter(|game| !game.is_settled()).count(),
            delay_s: hall.round_delay(section, round.number).into(),
        }
    }
}

impl RoundView {
    /// A round of a hall.
    pub(crate) fn of(version: u64, hall: &tournament::Hall, round: &tournament::Round) -> Self {
        let table = |id: &Arc<str>| Some((id.to_string(), hall.game(id)?.table()?));
        let tables = round.games.iter().filter_map(|game| table(&game.id)).collect();
        Self { version, round: round.into(), tables }
    }
}
