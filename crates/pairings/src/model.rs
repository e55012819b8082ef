//! Pairings as values: event, rounds, games, players and byes. The forms of files are not known here.

use std::collections::{BTreeMap, BTreeSet};

use super::player::{Player, folded};
use super::problem::{FileProblem, Problem};
use super::score::Score;
use super::time_controls::TimeControls;

/// Maximum number of players and of pairings of a file; the largest tournaments have about 2,000 players.
pub(crate) const MAX_ENTRIES: usize = 20_000;
/// Highest number of a round.
pub const MAX_ROUND: u32 = 999;
/// Longest serial number of a board, in bytes.
pub const MAX_SERIAL: usize = 32;
/// Highest number of a table.
pub const MAX_TABLE: u32 = 9_999;

/// The content of a file, or of several files together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairings {
    /// The event.
    pub event: EventFacts,
    /// All players that the files name.
    pub players: Vec<Player>,
    /// By number.
    pub rounds: Vec<Round>,
    /// The numbers of the teams in a report, 1 and on where it has none.
    pub teams: BTreeSet<u32>,
    /// The tables of electronic boards that the files name, each with the board's serial number.
    pub boards: BTreeSet<(u32, String)>,
    /// The standings that a file has.
    pub standings: Option<Standings>,
    /// Whether the only round is that of a table that names none.
    pub round_not_named: bool,
    /// What a person should check.
    pub warnings: Vec<Problem>,
}

/// Maximum number of tie-breaks of standings; pairing programs write up to six.
pub const MAX_TIE_BREAKS: usize = 8;
/// Maximum length of the name and of a value of a tie-break, in characters.
pub const MAX_TIE_BREAK: usize = 24;

/// Standings as a pairing program made them: boardcast computes no tie-breaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// The last round that they include, if the file says so.
    pub after_round: Option<u32>,
    /// Names of the tie-breaks as in the file, the most important first.
    pub tie_breaks: Vec<String>,
    /// The players in the order of the file.
    pub places: Vec<Place>,
}

/// The place of a player in standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The player; the points are among the player's facts.
    pub player: Player,
    /// From 1; players may share a rank.
    pub rank: u32,
    /// Values of the tie-breaks as in the file.
    pub tie_breaks: Vec<String>,
}

/// The facts of an event that files have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFacts {
    /// As in the PGN tag `Event`.
    pub name: Option<String>,
    /// As in the PGN tag `Site`.
    pub site: Option<String>,
    /// First day, `YYYY.MM.DD`.
    pub first_day: Option<String>,
    /// Last day, `YYYY.MM.DD`.
    pub last_day: Option<String>,
    /// The time control.
    pub time_control: TimeControls,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// From 1 to [`MAX_ROUND`].
    pub number: u32,
    /// `YYYY.MM.DD`.
    pub date: Option<String>,
    /// By table.
    pub games: Vec<Pairing>,
    /// Players without a game.
    pub byes: Vec<Bye>,
    /// How the tables were numbered.
    pub order: TableOrder,
}

/// How the tables of a round were numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableOrder {
    /// By the file: by its numbers or its order.
    Given,
    /// By points and starting numbers: a person has to confirm it.
    Derived,
}

/// One game to be played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    /// From 1 to [`MAX_TABLE`].
    pub table: u32,
    /// The match between two teams that the game belongs to, and its board there: `Round "r.m.b"`.
    pub team_match: Option<(u32, u32)>,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
    /// The result, if the file has one.
    pub score: Option<Score>,
    /// Whether the form of the file cannot express forfeits: its win may be a forfeit.
    pub plain: bool,
    /// All other PGN tags.
    pub tags: BTreeMap<String, String>,
}

/// A player without an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bye {
    /// The player.
    pub player: Player,
    /// Its kind.
    pub kind: ByeKind,
}

/// The kind of a bye: the points that it gives, and their reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByeKind {
    /// A full point, because no opponent was left (TRF `U`).
    Pairing,
    /// A full point on request (TRF `F`).
    Full,
    /// Half a point on request (TRF `H`).
    Half,
    /// No point: absent (TRF `Z`).
    Zero,
}

impl ByeKind {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairing => "bye",
            Self::Full => "full-point bye",
            Self::Half => "half-point bye",
            Self::Zero => "absent",
        }
    }

    /// Whether both give the same points: files do not always tell the reason of a full point.
    pub fn gives_as(self, other: Self) -> bool {
        let full = |kind| matches!(kind, Self::Pairing | Self::Full);
        self == other || full(self) && full(other)
    }
}

impl Pairings {
    /// The round of this number; it is added when it is missing.
    pub fn round_mut(&mut self, number: u32) -> &mut Round {
        let place = self.rounds.partition_point(|round| round.number < number);
        if self.rounds.get(place).is_none_or(|round| round.number != number) {
            self.rounds.insert(place, Round::new(number));
        }
        &mut self.rounds[place]
    }

    /// Adds warnings about players who are paired twice in a round, also with themselves, and about tables with two games.
    /// They are warnings only: a simultaneous display pairs one player many times.
    pub(crate) fn note_doubles(&mut self) {
        let mut found = Vec::new();
        for Round { number, games, .. } in &self.rounds {
            let round = *number;
            let mut tables = BTreeSet::new();
            let mut seats = BTreeMap::new();
            for game in games {
                let table = game.table;
                if !tables.insert(table) {
                    found.push(FileProblem::TwoGamesAtTable { round, table });
                }
                for player in [&game.white, &game.black] {
                    let who = (folded(&player.name), player.number, player.fide_id);
                    if let Some(other) = seats.insert(who, table) {
                        let player = player.name.clone();
                        found.push(FileProblem::PairedTwice { player, round, one: other, other: table });
                    }
                }
            }
        }
        self.warnings.extend(found.into_iter().map(Problem::of));
    }
}

impl Round {
    /// A round without games, with given tables.
    pub fn new(number: u32) -> Self {
        Self { number, date: None, games: Vec::new(), byes: Vec::new(), order: TableOrder::Given }
    }

    /// Whether a game of the round has no result yet.
    pub fn is_open(&self) -> bool {
        self.games.iter().any(|game| game.score.is_none())
    }

    /// Sorts the games by table.
    pub(crate) fn sort(&mut self) {
        self.games.sort_by_key(|game| game.table);
    }
}
