//! A round: who plays whom at which board, and how far it is.
//!
//! Knows pairings and their states. Must not know names, nor what happens in a game.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use game_core::event::Variant;
use serde::{Deserialize, Serialize};

use super::person::PlayerId;
use game_core::time::UtcMs;
use pairings::model::ByeKind;
use pairings::score::{Kind, Score};
use pairings::time_controls::TimeControls;

/// How far a round is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundState {
    /// Its pairings may be there; nobody sees them.
    #[default]
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

impl RoundState {
    /// Whether a start position on a board opens a game.
    pub fn opens_games(self) -> bool {
        matches!(self, Self::Armed | Self::Running)
    }
}

/// What an organiser says of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RoundSettings {
    /// For people, when its number does not say enough: `Tie-break 2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The day at the venue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<NaiveDate>,
    /// When it is to start: milliseconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_start: Option<UtcMs>,
    /// When different from the section's.
    #[serde(skip_serializing_if = "TimeControls::is_unknown")]
    pub time_control: TimeControls,
    /// By how many seconds the public view is behind.
    pub delay_s: u32,
    /// How many seconds after the start a player may come (Laws, 6.7.1); none when the regulations say nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_time_s: Option<u32>,
}

/// From where all games of a round start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartPosition {
    /// The position.
    pub fen: String,
    /// The rules.
    pub variant: Variant,
    /// Its number in Chess960.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
}

/// A round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// From 1.
    pub number: u32,
    /// What the organiser says of it.
    pub settings: RoundSettings,
    /// How far it is.
    pub state: RoundState,
    /// When it was armed first, as a count of what happened to rounds.
    pub armed: Option<u64>,
    /// When its first game began, by the same count.
    pub began: Option<u64>,
    /// Whether its pairings were ever published.
    pub published: bool,
    /// From where all its games start; none for the usual position.
    pub start: Option<StartPosition>,
    /// Who plays whom, by number.
    pub games: Vec<Pairing>,
    /// Who does not play.
    pub byes: BTreeMap<PlayerId, ByeKind>,
    /// Who does not play as the files of pairings have it.
    pub imported_byes: BTreeMap<PlayerId, ByeKind>,
}

impl Round {
    /// A game by its id.
    pub fn game(&self, id: &str) -> Option<&Pairing> {
        self.games.iter().find(|game| &*game.id == id)
    }

    /// Byes of which the files say something else: the player, ours, and theirs.
    pub fn differing_byes(&self) -> impl Iterator<Item = (PlayerId, Option<ByeKind>, ByeKind)> {
        let own = |player| self.byes.get(player).copied();
        let all = self.imported_byes.iter().map(move |(player, said)| (*player, own(player), *said));
        all.filter(|(_, own, said)| !own.is_some_and(|own| own.gives_as(*said)))
    }

    /// Whether its games start from a position. While none was drawn any start will do: Chess960 may be drawn late.
    pub fn starts_from(&self, fen: &str) -> bool {
        let pieces = |fen: &str| fen.split_whitespace().next().map(str::to_owned);
        self.start.as_ref().is_none_or(|start| pieces(fen) == pieces(&start.fen))
    }

    /// What people call it: its name, else `Round 3`.
    pub fn title(&self) -> String {
        self.settings.name.clone().unwrap_or_else(|| format!("Round {}", self.number))
    }
}

/// Who plays whom at which board: what a pairing list says of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Board number in the section's round, from 1: `Board` and the second number of `Round`. The section's first table
    /// says which table of the hall it is.
    pub number: u32,
    /// Whether it is played without an electronic board, whatever stands on its table.
    #[serde(default)]
    pub boardless: bool,
    /// The match between two teams that it belongs to, and its board there: `Round "r.m.b"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_match: Option<(u32, u32)>,
    /// White; none in open play, until somebody says who it is.
    pub white: Option<PlayerId>,
    /// Black.
    pub black: Option<PlayerId>,
    /// Further PGN tags; none of them tells who plays.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
}

/// How far a game is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairingState {
    /// It has not begun.
    #[default]
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    /// The game's id: for ever that of this pair in this round.
    pub id: Arc<str>,
    /// Who plays where.
    pub pair: Pair,
    /// How far it is.
    pub state: PairingState,
    /// Whether it is kept from the public.
    pub withdrawn: bool,
    /// Its result.
    pub result: Option<Score>,
    /// Its result as a file of pairings had it.
    pub imported: Option<Score>,
    /// The serial number of its board, when it is not the table's.
    pub board: Option<Arc<str>>,
    /// The day at the venue on which it began.
    pub day: Option<NaiveDate>,
    /// Tags that an operator set; an empty value hides one.
    pub tags: BTreeMap<String, String>,
}

impl Pairing {
    /// Whether it begins when a start position comes onto its board.
    pub fn is_expected(&self) -> bool {
        self.state == PairingState::Paired && !self.withdrawn && self.result.is_none()
    }

    /// Whether moves of it may have been recorded.
    pub fn has_begun(&self) -> bool {
        self.day.is_some()
    }

    /// Whether nothing more is expected of it.
    pub fn is_settled(&self) -> bool {
        self.withdrawn || matches!(self.state, PairingState::Finished | PairingState::Forfeit)
    }

    /// Whether a file of pairings says another result: an alarm for the arbiter.
    pub fn result_differs(&self) -> bool {
        let said = |score: Score| (score.white, score.black, score.kind == Kind::Forfeit);
        self.result.zip(self.imported).is_some_and(|(own, imported)| said(own) != said(imported))
    }

    /// Whether a player sits in it.
    pub fn has(&self, player: PlayerId) -> bool {
        self.pair.white == Some(player) || self.pair.black == Some(player)
    }
}
