//! Pairings in one form, whatever file they came from.
//!
//! Knows events, rounds, tables, players and byes. Must not know any file's form.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::player::{Player, folded};
use super::score::Score;
use super::time_controls::TimeControls;

/// Most players of a file, and most pairings: no tournament comes near.
pub const MAX_ENTRIES: usize = 20_000;
/// Highest number of a round.
pub const MAX_ROUND: u32 = 999;
/// Highest number of a table.
pub const MAX_TABLE: u32 = 9_999;

/// What a file, or several together, say about who plays whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairings {
    /// About the event.
    pub event: EventFacts,
    /// Everybody who takes part, as far as the file lists them.
    pub players: Vec<Player>,
    /// By number.
    pub rounds: Vec<Round>,
    /// What is odd and should be looked at.
    pub warnings: Vec<Problem>,
}

/// What a file says about the event.
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
    /// How much time the players have.
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
    /// Who does not play.
    pub byes: Vec<Bye>,
    /// Where the tables come from.
    pub order: TableOrder,
}

/// Where the numbers of the tables come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableOrder {
    /// The file says them, by numbers or by its order.
    Given,
    /// Derived from points and starting numbers: somebody has to confirm it before tables are tied to boards.
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
    /// The result when the file has one.
    pub score: Option<Score>,
    /// Whether the file's form has no word for forfeits: a win over the board may be one, too.
    pub plain: bool,
    /// PGN tags that say nothing of the above.
    pub tags: BTreeMap<String, String>,
}

/// A player without an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bye {
    /// Who.
    pub player: Player,
    /// What it is worth.
    pub kind: ByeKind,
}

/// What a bye is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ByeKind {
    /// From the pairing, nobody being left (TRF `U`).
    Pairing,
    /// A full point asked for (TRF `F`).
    Full,
    /// Half a point asked for (TRF `H`).
    Half,
    /// Absent (TRF `Z`).
    Zero,
}

impl ByeKind {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairing => "bye",
            Self::Full => "full-point bye",
            Self::Half => "half-point bye",
            Self::Zero => "absent",
        }
    }

    /// Whether both give the same points: files do not always say how a full one came about.
    pub fn gives_as(self, other: Self) -> bool {
        let full = |kind| matches!(kind, Self::Pairing | Self::Full);
        self == other || full(self) && full(other)
    }
}

/// Something odd or wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problem {
    /// The file's name, once it is known.
    pub file: Option<String>,
    /// Line and column from 1, in characters; in a table the column is the cell's.
    pub place: Option<(usize, usize)>,
    /// One sentence.
    pub reason: String,
}

impl Problem {
    /// At a line and a column.
    pub fn at(line: usize, column: usize, reason: impl Into<String>) -> Self {
        Self { file: None, place: Some((line, column)), reason: reason.into() }
    }

    /// About the whole.
    pub fn of(reason: impl Into<String>) -> Self {
        Self { file: None, place: None, reason: reason.into() }
    }

    /// In a file.
    #[must_use]
    pub fn in_file(mut self, name: &str) -> Self {
        self.file.get_or_insert_with(|| name.to_owned());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}{}", if self.place.is_some() { ", " } else { ": " })?;
        }
        if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl Pairings {
    /// The round of a number, made when it is missing.
    pub fn round_mut(&mut self, number: u32) -> &mut Round {
        let place = self.rounds.partition_point(|round| round.number < number);
        if self.rounds.get(place).is_none_or(|round| round.number != number) {
            self.rounds.insert(place, Round::new(number));
        }
        &mut self.rounds[place]
    }

    /// Notes players who sit twice in a round, tables with two games and players against themselves. They are loaded:
    /// the organiser may know better.
    pub fn note_doubles(&mut self) {
        let mut found = Vec::new();
        for Round { number, games, .. } in &self.rounds {
            let mut tables = BTreeSet::new();
            let mut seats = BTreeMap::new();
            for game in games {
                let table = game.table;
                if !tables.insert(table) {
                    found.push(format!("round {number} has two games at table {table}: give one of them another"));
                }
                for player in [&game.white, &game.black] {
                    let who = (folded(&player.name), player.number, player.fide_id);
                    if let Some(other) = seats.insert(who, table) {
                        let name = &player.name;
                        found.push(format!(
                            "{name} sits at tables {other} and {table} in round {number}: is that right?"
                        ));
                    }
                }
            }
        }
        self.warnings.extend(found.into_iter().map(Problem::of));
    }
}

impl Round {
    /// A round without games, its tables given.
    pub fn new(number: u32) -> Self {
        Self { number, date: None, games: Vec::new(), byes: Vec::new(), order: TableOrder::Given }
    }

    /// Whether a game of the round has no result yet.
    pub fn is_open(&self) -> bool {
        self.games.iter().any(|game| game.score.is_none())
    }

    /// Sorts the games by table.
    pub fn sort(&mut self) {
        self.games.sort_by_key(|game| game.table);
    }
}

/// A day as PGN writes it, from `YYYY/MM/DD`, `YYYY-MM-DD`, `YYYY.MM.DD` or the day first; none when it is no day.
pub fn day(text: &str) -> Option<String> {
    let parts: Vec<_> = text.trim().split(['/', '-', '.']).map(str::trim).collect();
    let &[first, second, third] = parts.as_slice() else { return None };
    let (year, month, date) = if first.len() == 4 { (first, second, third) } else { (third, second, first) };
    let year = super::player::digits(year).filter(|_| year.len() == 4)?;
    let (month, date) = (super::player::digits(month)?, super::player::digits(date)?);
    chrono::NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, date)?;
    Some(format!("{year:04}.{month:02}.{date:02}"))
}
