//! The ready check of a round: positions on the boards, clocks, missing boards.
//!
//! It uses the present state of the boards, which is not recorded. Must not know how that state was read.

use std::fmt;
use std::sync::Arc;

use game_core::event::Side;
use game_core::session::BatteryView;
use notation::time_control::TimeControl;

use super::hall::{Found, Hall};
use super::round::{PairingState, Round};

/// The present state of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub struct BoardState {
    /// Serial number.
    pub board: Arc<str>,
    /// Whether it is connected.
    pub connected: bool,
    /// Its position: the first field of a FEN, from White's side; empty until known.
    pub fen: String,
    /// Whether White sits at its far end.
    pub rotated: bool,
    /// Whether the clock's left side is White's; none while unknown.
    pub white_is_left: Option<bool>,
    /// The reading of its clock; none without a clock.
    pub clock: Option<ClockShown>,
    /// Whether the clock shows that its battery is low.
    pub clock_battery_low: bool,
    /// What its battery has left; none for a board without one, and until it has said so.
    pub battery: Option<BatteryView>,
    /// Squares that no move explains.
    pub unexplained: Vec<String>,
    /// Squares that differ from the start position, until a game begins.
    pub wrong_start: Vec<String>,
    /// Squares whose reports flicker.
    pub unsteady: Vec<String>,
    /// Faulty squares: impossible reports, or a piece read as another.
    pub faulty: Vec<String>,
    /// Lines in SAN that explain the board equally well, each from the last published move.
    pub candidates: Vec<Vec<String>>,
    /// A result that it shows and that is not published yet.
    pub claim: Option<ResultShown>,
    /// The id of the game on it.
    pub game: Option<Arc<str>>,
    /// Whether it shows what play in its game leads to, told or not.
    pub follows_game: bool,
    /// The id of another game whose position was set up on it, until its own one stands there again.
    pub shows_other: Option<Arc<str>>,
}

/// A result that a board shows: it becomes the game's after a pause, or when a person confirms it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultShown {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// What shows it: `checkmate`, `stalemate`, `kings in the centre`.
    pub reason: String,
    /// When it is published: milliseconds since 1970, UTC; none when a person must confirm it.
    pub due: Option<u64>,
}

impl fmt::Display for ResultShown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.result, self.reason)
    }
}

/// A reading of a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockShown {
    /// White's time in milliseconds.
    pub white_ms: Option<u64>,
    /// Black's time in milliseconds.
    pub black_ms: Option<u64>,
    /// Whose time runs.
    pub running: Option<Side>,
    /// When it was read: milliseconds since 1970, UTC.
    pub read_at: u64,
}

/// A problem to solve before a round starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadyProblem {
    /// A board is not connected.
    NotConnected(At),
    /// The pieces do not stand as at the start.
    NotAtStart {
        /// Where.
        at: At,
        /// The squares on which something else stands; none when the pieces still have to be set up.
        squares: Vec<String>,
    },
    /// White sits at the board's far end.
    TurnedRound(At),
    /// No clock is attached.
    NoClock(At),
    /// The clock does not show the round's time.
    WrongTime(At),
    /// The clock runs already.
    ClockRuns(At),
    /// The last game on the board has no result.
    StillPlaying(At),
    /// The board still plays a game of open play, with moves.
    OpenPlay(At),
    /// A table with a board has no game.
    NoPairing(At),
    /// Tables have no board while boards that are connected have no table.
    Unassigned {
        /// How many tables of the round.
        tables: usize,
        /// How many boards.
        boards: usize,
    },
    /// These games are played without a board.
    Boardless {
        /// How many.
        games: usize,
    },
}

/// Where a problem is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The table of the hall.
    pub table: u32,
    /// Serial number of the board.
    pub board: Arc<str>,
}

impl ReadyProblem {
    /// Whether the round cannot start with it; otherwise it is only a hint.
    pub fn is_serious(&self) -> bool {
        !matches!(self, Self::Unassigned { .. } | Self::Boardless { .. } | Self::TurnedRound(_) | Self::NoPairing(_))
    }
}

impl fmt::Display for ReadyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, what) = match self {
            Self::Unassigned { tables, boards } => {
                return write!(
                    f,
                    "Tables without a board: {tables}. Connected boards without a table: {boards}. Assign them, or play without \
                     e-boards there."
                );
            }
            Self::Boardless { games } => {
                let noun = if *games == 1 { "game" } else { "games" };
                return write!(f, "Without a board: {games} {noun}. Enter the results by hand.");
            }
            Self::NotConnected(at) => (at, "is not connected: check its cable and its power."),
            Self::NotAtStart { at, squares } if squares.is_empty() => {
                (at, "does not show the start position: set up the pieces.")
            }
            Self::NotAtStart { at: At { table, board }, squares } => {
                let squares = squares.join(", ");
                return write!(f, "Table {table}: board {board} does not show the start position: check {squares}.");
            }
            Self::TurnedRound(at) => {
                (at, "has White at its far end: moves are read correctly; turn the board if this was not intended.")
            }
            Self::NoClock(at) => (at, "has no clock: connect one, or play without clock times."),
            Self::WrongTime(at) => (at, "has a clock that does not show the time control of the round: set the clock."),
            Self::ClockRuns(at) => (at, "has a running clock: stop it and set it."),
            Self::StillPlaying(at) => (at, "still has a game without a result: enter the result."),
            Self::OpenPlay(at) => {
                (at, "still plays a game of open play: adopt that game, or set up the pieces for the round.")
            }
            Self::NoPairing(at) => (at, "has no game in this round."),
        };
        write!(f, "Table {}: board {} {what}", at.table, at.board)
    }
}

/// The problems before a round starts, by table; empty for an unknown round.
pub fn ready(hall: &Hall, section: &str, number: u32, boards: &[BoardState]) -> Vec<ReadyProblem> {
    let Some(section) = hall.section(section) else { return Vec::new() };
    let Some(round) = section.rounds.get(&number) else { return Vec::new() };
    let controls = section.time_controls(round);
    let mut problems = Vec::new();
    let (mut boardless, mut open) = (0, 0);
    for found in round.games.iter().map(|game| Found { section, round, game }).filter(|found| found.game.is_expected())
    {
        let Some(board) = hall.board_of(&found) else {
            // Only a game at a table can get a board.
            *(if found.table().is_some() { &mut open } else { &mut boardless }) += 1;
            continue;
        };
        let at = At { table: found.table().unwrap_or(0), board: Arc::clone(board) };
        let state = boards.iter().find(|state| state.board == *board).filter(|state| state.connected);
        let Some(state) = state else {
            problems.push(ReadyProblem::NotConnected(at));
            continue;
        };
        if !stands(round, &state.fen) {
            problems.push(ReadyProblem::NotAtStart { at: at.clone(), squares: state.wrong_start.clone() });
        }
        if state.rotated {
            problems.push(ReadyProblem::TurnedRound(at.clone()));
        }
        let shown = |ms: Option<u64>, control: &Option<String>| control.as_deref().is_none_or(|text| shows(ms, text));
        match &state.clock {
            // A simultaneous display has no clocks.
            None if controls.are_none() => {}
            None => problems.push(ReadyProblem::NoClock(at.clone())),
            Some(clock) if clock.running.is_some() => problems.push(ReadyProblem::ClockRuns(at.clone())),
            Some(clock) if !(shown(clock.white_ms, &controls.white) && shown(clock.black_ms, &controls.black)) => {
                problems.push(ReadyProblem::WrongTime(at.clone()));
            }
            Some(_) => {}
        }
        let last = hall.playing(board).and_then(|game| hall.game(game));
        if let Some(last) = last
            && last.game.state == PairingState::Playing
            && last.game.id != found.game.id
        {
            if !last.section.settings.open_play {
                problems.push(ReadyProblem::StillPlaying(at));
            } else if !stands(round, &state.fen) {
                // In the start position it has no move: the game of the round takes its place.
                problems.push(ReadyProblem::OpenPlay(at));
            }
        }
    }
    // The tables of this round lie together; a board beyond them may be another section's, or a spare one.
    let tables = round.games.iter().filter_map(|game| Found { section, round, game }.table());
    let last = tables.max().unwrap_or(0);
    let own = hall.seats.range(section.settings.first_table..=last.max(section.settings.first_table));
    let used: Vec<_> = round.games.iter().filter_map(|game| hall.board_of(&Found { section, round, game })).collect();
    let idle = own.filter(|(_, board)| !used.contains(board));
    problems.extend(idle.map(|(table, board)| ReadyProblem::NoPairing(At { table: *table, board: Arc::clone(board) })));
    let seated: Vec<_> = hall.seats.values().chain(used).collect();
    let unseated = boards.iter().filter(|state| state.connected && !seated.contains(&&state.board)).count();
    if open > 0 && unseated > 0 {
        problems.push(ReadyProblem::Unassigned { tables: open, boards: unseated });
    } else {
        boardless += open;
    }
    if boardless > 0 {
        problems.push(ReadyProblem::Boardless { games: boardless });
    }
    problems
}

/// Whether a position is the start position of a round.
fn stands(round: &Round, placement: &str) -> bool {
    const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    if round.start.is_some() { round.starts_from(placement) } else { placement == USUAL }
}

/// Whether a clock shows the first time of a time control, with or without the first increment: clocks do both.
fn shows(ms: Option<u64>, control: &str) -> bool {
    let Ok(control) = control.parse::<TimeControl>() else { return true };
    let Some(base) = control.first_base_seconds() else { return true };
    let (base, increment) = (u64::from(base), u64::from(control.increment_s(1)));
    ms.is_some_and(|ms| [base, base + increment].contains(&(ms / 1000)))
}
