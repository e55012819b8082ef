//! Rounds and the games in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::players::PlayerId;
use super::results::{ByeKind, Score};
use super::same_variants;
use hall_clock::UtcMs;

/// How far a round is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RoundState {
    /// Its pairings may be there; nobody sees them.
    Prepared,
    /// Its pairings are public.
    Published,
    /// A start position on a board opens its game.
    Armed,
    /// A game has begun.
    Running,
    /// It is over.
    Finished,
}

/// What an organiser says of a round.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RoundSettings {
    /// For people, when its number does not say enough: `Tie-break 2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The day at the venue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<NaiveDate>,
    /// When it is to start: milliseconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) planned_start: Option<UtcMs>,
    /// When different from the section's.
    #[serde(skip_serializing_if = "TimeControls::is_unknown")]
    pub(crate) time_control: TimeControls,
    /// By how many seconds the public view is behind.
    pub(crate) delay_s: u32,
    /// How many seconds after the start a player may come (Laws, 6.7.1); none when the regulations say nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) default_time_s: Option<u32>,
}

/// The rules of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Variant {
    /// Orthodox chess.
    #[default]
    Standard,
    /// Chess960.
    Chess960,
}

/// From where all games of a round start.
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
    /// What the organiser says of it.
    pub(crate) settings: RoundSettings,
    /// How far it is.
    pub(crate) state: RoundState,
    /// When it was armed first, as a count of what happened to rounds.
    pub(crate) armed: Option<u64>,
    /// When its first game began, by the same count.
    pub(crate) began: Option<u64>,
    /// Whether its pairings were ever published.
    pub(crate) published: bool,
    /// From where all its games start; none for the usual position.
    pub(crate) start: Option<StartPosition>,
    /// Who plays whom, by number.
    pub(crate) games: Vec<Pairing>,
    /// Who does not play.
    #[schema(value_type = BTreeMap<String, ByeKind>)]
    pub(crate) byes: BTreeMap<PlayerId, ByeKind>,
    /// Who does not play as the files of pairings have it.
    #[schema(value_type = BTreeMap<String, ByeKind>)]
    pub(crate) imported_byes: BTreeMap<PlayerId, ByeKind>,
}

/// Who plays whom at which board: what a pairing list says of one game.
#[derive(Serialize, ToSchema)]
pub(crate) struct Pair {
    /// Board number in the section's round, from 1: `Board` and the second number of `Round`. The section's first table
    /// says which table of the hall it is.
    pub(crate) number: u32,
    /// Whether it is played without an electronic board, whatever stands on its table.
    #[serde(default)]
    pub(crate) boardless: bool,
    /// The match between two teams that it belongs to, and its board there: `Round "r.m.b"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) team_match: Option<(u32, u32)>,
    /// White; none in open play, until somebody says who it is.
    pub(crate) white: Option<PlayerId>,
    /// Black.
    pub(crate) black: Option<PlayerId>,
    /// Further PGN tags; none of them tells who plays.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) tags: BTreeMap<String, String>,
}

/// How far a game is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PairingState {
    /// It has not begun.
    Paired,
    /// It is played.
    Playing,
    /// It goes on later, perhaps on another board.
    Adjourned,
    /// It is over on the board, and nobody said how it ended.
    ResultMissing,
    /// It has a result.
    Finished,
    /// Somebody did not come.
    Forfeit,
}

/// A game of a round.
#[derive(Serialize, ToSchema)]
pub(crate) struct Pairing {
    /// The game's id: for ever that of this pair in this round.
    pub(crate) id: String,
    /// Who plays where.
    pub(crate) pair: Pair,
    /// How far it is.
    pub(crate) state: PairingState,
    /// Whether it is kept from the public.
    pub(crate) withdrawn: bool,
    /// Its result.
    pub(crate) result: Option<Score>,
    /// Its result as a file of pairings had it.
    pub(crate) imported: Option<Score>,
    /// The serial number of its board, when it is not the table's.
    pub(crate) board: Option<String>,
    /// The day at the venue on which it began.
    pub(crate) day: Option<NaiveDate>,
    /// Tags that an operator set; an empty value hides one.
    pub(crate) tags: BTreeMap<String, String>,
}

/// A round in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct RoundLine {
    /// Its number.
    pub(crate) round: u32,
    /// What people call it.
    pub(crate) title: String,
    /// How far it is.
    pub(crate) state: RoundState,
    /// How many games it has.
    pub(crate) games: usize,
}

/// A round with its games.
#[derive(Serialize, ToSchema)]
pub(crate) struct RoundView {
    /// What an order may be based on.
    pub(crate) version: u64,
    /// The round.
    pub(crate) round: Round,
    /// The table of the hall at which each game is played; games without a board are missing.
    pub(crate) tables: BTreeMap<String, u32>,
}

/// Time controls in PGN form; both sides have the same except in Armageddon.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TimeControls {
    /// White's; none when it is not known.
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
        Self { name, date, planned_start, time_control: time_control.into(), delay_s, default_time_s }
    }
}

impl From<tournament::RoundSettings> for RoundSettings {
    fn from(settings: tournament::RoundSettings) -> Self {
        let tournament::RoundSettings { name, date, planned_start, time_control, delay_s, default_time_s } = settings;
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
        let tournament::Round { number, settings, state, armed, began, published, start, games, byes, imported_byes } =
            round;
        Self {
            number: *number,
            settings: settings.clone().into(),
            state: (*state).into(),
            armed: *armed,
            began: *began,
            published: *published,
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
        let tournament::Pairing { id, pair, state, withdrawn, result, imported, board, day, tags } = pairing;
        Self {
            id: id.to_string(),
            pair: pair.clone().into(),
            state: (*state).into(),
            withdrawn: *withdrawn,
            result: result.map(Into::into),
            imported: imported.map(Into::into),
            board: board.as_deref().map(str::to_owned),
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

impl From<&tournament::Round> for RoundLine {
    fn from(round: &tournament::Round) -> Self {
        Self { round: round.number, title: round.title(), state: round.state.into(), games: round.games.len() }
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
