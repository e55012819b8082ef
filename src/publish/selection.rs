//! Which games an address means.
//!
//! Knows the addresses of DESIGN 3.4 and the rounds of a view. Must not know how games are written or sent.

use std::str::FromStr;
use std::sync::Arc;

use crate::hall_clock::UtcMs;
use crate::publish::gate::{GameView, RoundView, View};

/// How long an ended round stays in the live file after the next round's first public move, in milliseconds.
const LINGERS_MS: u64 = 10 * 60 * 1000;

/// The games of one PGN address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Every round that has not ended, and the last ended one for a while.
    Live,
    /// Every game of the event, earlier games of a board included.
    All,
    /// The latest game of each table of a round.
    Round(u32),
    /// The latest games of the tables from one number to another.
    Tables(u32, u32, u32),
    /// One game by its id.
    Game(String),
}

/// An address below `/pgn`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The event's slug where the address names one.
    pub event: Option<String>,
    /// The games.
    pub games: Selection,
}

/// The address names nothing that exists anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownAddress;

impl FromStr for Address {
    type Err = UnknownAddress;

    /// Reads the part behind `/pgn/`, percent-decoded.
    fn from_str(path: &str) -> Result<Self, UnknownAddress> {
        let parts: Vec<_> = path.split('/').collect();
        let (event, games) = match parts[..] {
            ["game", file] => (None, Selection::Game(pgn(file)?.to_owned())),
            [event, "live.pgn"] => (Some(event), Selection::Live),
            [event, "all.pgn"] => (Some(event), Selection::All),
            [event, round, file] => (
                Some(event),
                in_round(number(round.strip_prefix("round-"))?, pgn(file)?)?,
            ),
            _ => return Err(UnknownAddress),
        };
        Ok(Self {
            event: event.map(str::to_owned),
            games,
        })
    }
}

fn in_round(round: u32, name: &str) -> Result<Selection, UnknownAddress> {
    if name == "games" {
        return Ok(Selection::Round(round));
    }
    if let Some(table) = name.strip_prefix("game-") {
        let table = number(Some(table))?;
        return Ok(Selection::Tables(round, table, table));
    }
    let (first, last) = name
        .strip_prefix("boards-")
        .and_then(|range| range.split_once('-'))
        .ok_or(UnknownAddress)?;
    Ok(Selection::Tables(
        round,
        number(Some(first))?,
        number(Some(last))?,
    ))
}

fn pgn(file: &str) -> Result<&str, UnknownAddress> {
    file.strip_suffix(".pgn").ok_or(UnknownAddress)
}

/// Digits only, so that each address has one spelling.
fn number(digits: Option<&str>) -> Result<u32, UnknownAddress> {
    digits
        .filter(|digits| {
            digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0')
        })
        .and_then(|digits| digits.parse().ok())
        .ok_or(UnknownAddress)
}

/// What an address selects at one instant.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The games in the order of the file.
    pub games: Vec<Arc<GameView>>,
    /// When the choice of games last changed by the mere passing of time, hall time; the view's opening if never.
    pub chosen_at: UtcMs,
    /// When it next changes so.
    pub until: Option<UtcMs>,
}

impl Selection {
    /// The games at hall time `now`; `None` when the round or game is not known.
    pub fn select(&self, view: &View, now: UtcMs) -> Option<Selected> {
        let games = match self {
            Self::Live => return Some(live(&view.rounds(), view.opened_at(), now)),
            Self::All => view
                .rounds()
                .into_iter()
                .flat_map(|round| round.games)
                .collect(),
            Self::Round(number) => view.round(*number)?.latest(),
            Self::Tables(number, first, last) => {
                let mut games = view.round(*number)?.latest();
                games.retain(|game| (*first..=*last).contains(&game.at.table));
                if games.is_empty() {
                    return None;
                }
                games
            }
            Self::Game(id) => vec![view.game(id)?],
        };
        Some(Selected {
            games,
            chosen_at: view.opened_at(),
            until: None,
        })
    }
}

fn live(rounds: &[RoundView], opened_at: UtcMs, now: UtcMs) -> Selected {
    let last_ended = rounds.iter().rposition(RoundView::ended);
    let leaves_at = last_ended
        .and_then(|index| rounds.get(index + 1..))
        .and_then(|later| later.iter().filter_map(|round| round.first_move_at).min())
        .map(|began| began + LINGERS_MS);
    let gone = leaves_at.is_some_and(|at| at <= now);
    let shown = |(index, round): &(usize, &RoundView)| {
        !round.ended() || (Some(*index) == last_ended && !gone)
    };
    Selected {
        games: rounds
            .iter()
            .enumerate()
            .filter(shown)
            .flat_map(|(_, round)| round.latest())
            .collect(),
        chosen_at: leaves_at.filter(|_| gone).unwrap_or(opened_at),
        until: leaves_at.filter(|_| !gone),
    }
}
