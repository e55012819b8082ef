//! States of boards, and the check before a round.

use serde::Serialize;
use utoipa::ToSchema;

use super::same_variants;

/// The current state of a board.
#[derive(Serialize, ToSchema)]
pub(crate) struct BoardState {
    /// Serial number.
    pub(crate) board: String,
    /// Whether it is connected.
    pub(crate) connected: bool,
    /// Its placement as the first field of a FEN, in the orientation of the game; empty until it is known.
    pub(crate) fen: String,
    /// Whether the board is rotated: White sits at its far end.
    pub(crate) rotated: bool,
    /// Whether the left side of the clock is White's, if known.
    pub(crate) white_is_left: Option<bool>,
    /// The times on its clock; none without a clock.
    pub(crate) clock: Option<ClockShown>,
    /// Whether the clock shows that its battery is low.
    pub(crate) clock_battery_low: bool,
    /// What its battery has left; none for a board without one, and until it has said so.
    pub(crate) battery: Option<Battery>,
    /// Squares that no legal moves explain.
    pub(crate) unexplained: Vec<String>,
    /// Squares that differ from the start position, while no game has begun.
    pub(crate) wrong_start: Vec<String>,
    /// Squares with an unsteady piece, which appears and disappears.
    pub(crate) unsteady: Vec<String>,
    /// Squares with a fault: they report what is impossible, or misread a piece.
    pub(crate) faulty: Vec<String>,
    /// Lines in SAN that explain the board equally well, each from the last recorded move.
    pub(crate) candidates: Vec<Vec<String>>,
    /// A result signal on the board that is not recorded yet.
    pub(crate) claim: Option<ResultShown>,
    /// The id of its game.
    pub(crate) game: Option<String>,
    /// The id of another game that is played on it instead: boards or players were exchanged.
    pub(crate) shows_other: Option<String>,
}

/// A result signal on a board. It becomes the result of the game unless the players undo it in time, or when a person
/// confirms it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResultShown {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub(crate) result: String,
    /// The signal: `checkmate`, `stalemate`, `kings in the centre`.
    pub(crate) reason: String,
    /// When it becomes the result: milliseconds since 1970, UTC; none when a person has to confirm it.
    pub(crate) due: Option<u64>,
}

/// What the battery of a board has left.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Battery {
    /// 0 to 100.
    pub(crate) percent: u8,
    /// Whether it is being charged.
    pub(crate) charging: bool,
    /// Whether it has to be charged before the next round.
    pub(crate) low: bool,
}

impl From<game_core::session::BatteryView> for Battery {
    fn from(battery: game_core::session::BatteryView) -> Self {
        Self { percent: battery.percent, charging: battery.charging, low: battery.is_low() }
    }
}

/// The times on a clock.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ClockShown {
    /// White's time in milliseconds.
    pub(crate) white_ms: Option<u64>,
    /// Black's time in milliseconds.
    pub(crate) black_ms: Option<u64>,
    /// The side whose time runs.
    #[schema(value_type = Option<String>)]
    pub(crate) running: Option<Side>,
    /// When it was read: milliseconds since 1970, UTC.
    pub(crate) read_at: u64,
}

/// A problem to solve before a round starts.
#[derive(Serialize, ToSchema)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub(crate) enum ReadyProblem {
    /// A board is not connected.
    NotConnected(At),
    /// A board does not show the start position.
    NotAtStart {
        /// The board and its table.
        #[serde(flatten)]
        at: At,
        /// The squares that differ; none when the pieces are not set up.
        squares: Vec<String>,
    },
    /// A board is rotated: White sits at its far end.
    TurnedRound(At),
    /// A board has no clock.
    NoClock(At),
    /// A clock does not show the time control of the round.
    WrongTime(At),
    /// A clock is running already.
    ClockRuns(At),
    /// The last game on a board has no result.
    StillPlaying(At),
    /// A board still plays a game of open play, with moves.
    OpenPlay(At),
    /// A table with a board has no game in this round.
    NoPairing(At),
    /// Tables of the round have no board, and boards that are connected have no table.
    Unassigned {
        /// The number of tables.
        tables: usize,
        /// The number of boards.
        boards: usize,
    },
    /// Games without a board.
    Boardless {
        /// Their number.
        games: usize,
    },
}

/// A board and its table.
#[derive(Serialize, ToSchema)]
pub(crate) struct At {
    /// The table.
    pub(crate) table: u32,
    /// Serial number of the board.
    pub(crate) board: String,
}

/// The result of the check before a round.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ready {
    /// Whether the round can start.
    pub(crate) ready: bool,
    /// The problems, by table.
    pub(crate) problems: Vec<ReadyLine>,
}

/// One problem.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadyLine {
    /// The problem, for programs.
    pub(crate) problem: ReadyProblem,
    /// What it is and what to do, for people.
    pub(crate) text: String,
    /// Whether it prevents the start of the round.
    pub(crate) serious: bool,
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
}

same_variants!(from Side, game_core::event::Side, White, Black);

impl From<tournament::BoardState> for BoardState {
    fn from(state: tournament::BoardState) -> Self {
        let tournament::BoardState {
            board,
            connected,
            fen,
            rotated,
            white_is_left,
            clock,
            clock_battery_low,
            battery,
            unexplained,
            wrong_start,
            unsteady,
            faulty,
            candidates,
            claim,
            game,
            follows_game: _,
            shows_other,
        } = state;
        Self {
            board: board.to_string(),
            connected,
            fen,
            rotated,
            white_is_left,
            clock: clock.map(Into::into),
            clock_battery_low,
            battery: battery.map(Into::into),
            unexplained,
            wrong_start,
            unsteady,
            faulty,
            candidates,
            claim: claim.map(Into::into),
            game: game.as_deref().map(str::to_owned),
            shows_other: shows_other.as_deref().map(str::to_owned),
        }
    }
}

impl From<tournament::ResultShown> for ResultShown {
    fn from(shown: tournament::ResultShown) -> Self {
        let tournament::ResultShown { result, reason, due } = shown;
        Self { result, reason, due }
    }
}

impl From<tournament::ClockShown> for ClockShown {
    fn from(shown: tournament::ClockShown) -> Self {
        let tournament::ClockShown { white_ms, black_ms, running, read_at } = shown;
        Self { white_ms, black_ms, running: running.map(Into::into), read_at }
    }
}

impl ClockShown {
    /// Whether this reading is what an earlier one leads to, within `drift_ms`.
    pub(crate) fn continues(&self, earlier: &Self, drift_ms: u64) -> bool {
        let passed = self.read_at.saturating_sub(earlier.read_at);
        let expected = |ms: Option<u64>, side| {
            let runs = earlier.running == Some(side);
            ms.map(|ms| if runs { ms.saturating_sub(passed) } else { ms })
        };
        let near = |now: Option<u64>, expected: Option<u64>| match (now, expected) {
            (Some(now), Some(expected)) => now.abs_diff(expected) <= drift_ms,
            (now, expected) => now == expected,
        };
        self.running == earlier.running
            && self.running.is_some()
            && near(self.white_ms, expected(earlier.white_ms, Side::White))
            && near(self.black_ms, expected(earlier.black_ms, Side::Black))
            || (self.running, self.white_ms, self.black_ms) == (earlier.running, earlier.white_ms, earlier.black_ms)
    }
}

impl From<tournament::ReadyProblem> for ReadyProblem {
    fn from(problem: tournament::ReadyProblem) -> Self {
        use tournament::ReadyProblem as Domain;
        match problem {
            Domain::NotConnected(at) => Self::NotConnected(at.into()),
            Domain::NotAtStart { at, squares } => Self::NotAtStart { at: at.into(), squares },
            Domain::TurnedRound(at) => Self::TurnedRound(at.into()),
            Domain::NoClock(at) => Self::NoClock(at.into()),
            Domain::WrongTime(at) => Self::WrongTime(at.into()),
            Domain::ClockRuns(at) => Self::ClockRuns(at.into()),
            Domain::StillPlaying(at) => Self::StillPlaying(at.into()),
            Domain::OpenPlay(at) => Self::OpenPlay(at.into()),
            Domain::NoPairing(at) => Self::NoPairing(at.into()),
            Domain::Unassigned { tables, boards } => Self::Unassigned { tables, boards },
            Domain::Boardless { games } => Self::Boardless { games },
        }
    }
}

impl From<tournament::At> for At {
    fn from(tournament::At { table, board }: tournament::At) -> Self {
        Self { table, board: board.to_string() }
    }
}

impl From<Vec<tournament::ReadyProblem>> for Ready {
    fn from(problems: Vec<tournament::ReadyProblem>) -> Self {
        let ready = !problems.iter().any(tournament::ReadyProblem::is_serious);
        let line = |problem: tournament::ReadyProblem| ReadyLine {
            text: problem.to_string(),
            serious: problem.is_serious(),
            problem: problem.into(),
        };
        Self { ready, problems: problems.into_iter().map(line).collect() }
    }
}
