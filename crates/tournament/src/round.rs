//! Rounds and their pairings, with states. Must not know names or moves.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use game_core::event::Variant;

use super::delay::Delay;
use super::person::PlayerId;
use game_core::time::UtcMs;
use pairings::model::ByeKind;
use pairings::score::{Kind, Score};
use pairings::time_controls::TimeControls;

/// The state of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RoundState {
    /// Not public; it may have pairings.
    #[default]
    Prepared,
    /// Its pairings are public.
    Published,
    /// A start position on a board begins its game.
    Armed,
    /// A game has begun.
    Running,
    /// It is over.
    Finished,
}

impl RoundState {
    /// Whether a start position on a board begins a game.
    pub fn opens_games(self) -> bool {
        matches!(self, Self::Armed | Self::Running)
    }
}

/// The settings of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundSettings {
    /// For people, when its number does not say enough: `Tie-break 2`.
    pub name: Option<String>,
    /// The day at the venue.
    pub date: Option<NaiveDate>,
    /// When it is to start: milliseconds since 1970, UTC.
    pub planned_start: Option<UtcMs>,
    /// When different from the section's.
    pub time_control: TimeControls,
    /// By how much the public sees its games later; none for the delay of the section.
    pub delay: Option<Delay>,
    /// How many seconds after the start a player may come (Laws, 6.7.1); none when the regulations say nothing.
    pub default_time_s: Option<u32>,
}

/// The start position of all games of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartPosition {
    /// The position.
    pub fen: String,
    /// The rules.
    pub variant: Variant,
    /// Its number in Chess960.
    pub number: Option<u32>,
}

/// A round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// From 1.
    pub number: u32,
    /// Its settings.
    pub settings: RoundSettings,
    /// Its state.
    pub state: RoundState,
    /// When it was first armed, by the hall's counter for rounds.
    pub armed: Option<u64>,
    /// When its first game began, by the same counter.
    pub began: Option<u64>,
    /// Whether its pairings are public, also when it is over.
    pub published: bool,
    /// Whether it was published and is not any more: it does not publish itself.
    pub unpublished: bool,
    /// The start position of its games; none for the usual one.
    pub start: Option<StartPosition>,
    /// Its games, by board number.
    pub games: Vec<Pairing>,
    /// Pairs that were taken out of it, with all that was known of their games: a pair that comes back has its game again.
    pub taken_out: Vec<Pairing>,
    /// Byes by player.
    pub byes: BTreeMap<PlayerId, ByeKind>,
    /// Byes of the pairing files.
    pub imported_byes: BTreeMap<PlayerId, ByeKind>,
}

impl Round {
    /// A game by its id.
    pub fn game(&self, id: &str) -> Option<&Pairing> {
        self.games.iter().find(|game| &*game.id == id)
    }

    /// Gives it a state. Where it was public and is prepared again, it is as if it had never been published: the ids of its games
    /// that had begun, which begin anew.
    pub(crate) fn enter(&mut self, state: RoundState) -> Vec<Arc<str>> {
        let mut taken_back = Vec::new();
        match state {
            RoundState::Prepared if self.published => {
                (self.published, self.unpublished, self.armed, self.began) = (false, true, None, None);
                for game in self.games.iter_mut().filter(|game| game.has_begun() && game.result.is_none()) {
                    game.take_back();
                    taken_back.push(Arc::clone(&game.id));
                }
            }
            RoundState::Prepared | RoundState::Finished => {}
            RoundState::Published | RoundState::Armed | RoundState::Running => {
                (self.published, self.unpublished) = (true, false);
            }
        }
        self.state = state;
        taken_back
    }

    /// Byes that differ from those of the files: the player, our bye, and theirs.
    pub fn differing_byes(&self) -> impl Iterator<Item = (PlayerId, Option<ByeKind>, ByeKind)> {
        let own = |player| self.byes.get(player).copied();
        let all = self.imported_byes.iter().map(move |(player, said)| (*player, own(player), *said));
        all.filter(|(_, own, said)| !own.is_some_and(|own| own.gives_as(*said)))
    }

    /// Whether its games start from a position. Without a start position that is set any will do: Chess960 may be drawn late.
    pub(crate) fn starts_from(&self, fen: &str) -> bool {
        let pieces = |fen: &str| fen.split_whitespace().next().map(str::to_owned);
        self.start.as_ref().is_none_or(|start| pieces(fen) == pieces(&start.fen))
    }

    /// The title for people: its name, else `Round 3`.
    pub fn title(&self) -> String {
        self.settings.name.clone().unwrap_or_else(|| format!("Round {}", self.number))
    }
}

/// A line of a pairing list: the players of a game and its board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// Board number in the section's round, from 1: `Board` and the second number of `Round`. The section's first table
    /// says which table of the hall it is.
    pub number: u32,
    /// Whether it is played without an electronic board, whatever stands on its table.
    pub boardless: bool,
    /// The match between two teams that it belongs to, and its board there: `Round "r.m.b"`.
    pub team_match: Option<(u32, u32)>,
    /// White; none in open play, until a person names the player.
    pub white: Option<PlayerId>,
    /// Black.
    pub black: Option<PlayerId>,
    /// Further PGN tags; none about the players.
    pub tags: BTreeMap<String, String>,
}

/// The state of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairingState {
    /// It has not begun.
    #[default]
    Paired,
    /// It is being played.
    Playing,
    /// It is adjourned.
    Adjourned,
    /// It ended on its board without a result.
    ResultMissing,
    /// It has a result.
    Finished,
    /// It was decided by forfeit.
    Forfeit,
}

/// A game of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    /// The game's id: permanent for this pair in this round.
    pub id: Arc<str>,
    /// Players and board.
    pub pair: Pair,
    /// Its state.
    pub state: PairingState,
    /// Whether it is withdrawn from the public.
    pub withdrawn: bool,
    /// Its result.
    pub result: Option<Score>,
    /// Its result in the pairing files.
    pub imported: Option<Score>,
    /// The serial number of its board, when it is not the table's.
    pub board: Option<Arc<str>>,
    /// The recorder that its moves come from; none for a board of this hall, or a person.
    pub source: Option<Arc<str>>,
    /// The day at the venue on which it began.
    pub day: Option<NaiveDate>,
    /// Tags that an operator set; an empty value hides one.
    pub tags: BTreeMap<String, String>,
}

impl Pairing {
    /// It is a pairing again that has not begun.
    pub(crate) fn take_back(&mut self) {
        (self.state, self.day, self.board) = (PairingState::Paired, None, None);
    }

    /// Whether it begins when a start position comes onto its board.
    pub(crate) fn is_expected(&self) -> bool {
        self.state == PairingState::Paired && !self.withdrawn && self.result.is_none()
    }

    /// Whether moves of it may have been recorded.
    pub fn has_begun(&self) -> bool {
        self.day.is_some()
    }

    /// Whether it is withdrawn or has a result.
    pub fn is_settled(&self) -> bool {
        self.withdrawn || matches!(self.state, PairingState::Finished | PairingState::Forfeit)
    }

    /// Whether a pairing file has another result: an alarm for the arbiter.
    pub fn result_differs(&self) -> bool {
        let said = |score: Score| (score.white, score.black, score.kind == Kind::Forfeit);
        self.result.zip(self.imported).is_some_and(|(own, imported)| said(own) != said(imported))
    }

    /// Whether a player sits in it.
    pub fn has(&self, player: PlayerId) -> bool {
        self.pair.white == Some(player) || self.pair.black == Some(player)
    }
}
