//! What boards show, and what stands in the way of a round.

use serde::Serialize;
use utoipa::ToSchema;

use super::same_variants;

/// What a board tells about itself at this moment.
#[derive(Serialize, ToSchema)]
pub(crate) struct BoardState {
    /// Serial number.
    pub(crate) board: String,
    /// Whether it is within reach.
    pub(crate) connected: bool,
    /// What stands on it: the first field of a FEN, as its session understands how it lies; empty until it told.
    pub(crate) fen: String,
    /// Whether White sits at its far end.
    pub(crate) rotated: bool,
    /// Whether the clock's left side is White's, once the clock told.
    pub(crate) white_is_left: Option<bool>,
    /// What its clock shows; none without a clock.
    pub(crate) clock: Option<ClockShown>,
    /// Squares that no move explains.
    pub(crate) unexplained: Vec<String>,
    /// Squares on which a start position is wrong, until a game begins or it is mended.
    pub(crate) wrong_start: Vec<String>,
    /// Squares on which a piece comes and goes.
    pub(crate) unsteady: Vec<String>,
    /// Squares that were found to report what cannot be, and those of pieces that read as others.
    pub(crate) faulty: Vec<String>,
    /// Lines in SAN that explain the board equally well, each from the last move that was told.
    pub(crate) candidates: Vec<Vec<String>>,
    /// A result that it shows and that is not told yet.
    pub(crate) claim: Option<ResultShown>,
    /// The id of what is played on it.
    pub(crate) game: Option<String>,
}

/// A result that a board shows: the game's when it is not undone in time, or when somebody says so.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResultShown {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub(crate) result: String,
    /// What tells it: `checkmate`, `stalemate`, `kings in the centre`.
    pub(crate) reason: String,
    /// When it is told: milliseconds since 1970, UTC; none when it needs a person's word.
    pub(crate) due: Option<u64>,
}

/// What a clock shows.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClockShown {
    /// White's time in milliseconds.
    pub(crate) white_ms: Option<u64>,
    /// Black's time in milliseconds.
    pub(crate) black_ms: Option<u64>,
    /// Whose time runs.
    #[schema(value_type = Option<String>)]
    pub(crate) running: Option<Side>,
    /// When it was read: milliseconds since 1970, UTC.
    pub(crate) read_at: u64,
}

/// Something to be seen to before a round starts.
#[derive(Serialize, ToSchema)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub(crate) enum ReadyProblem {
    /// A board is not within reach.
    NotConnected(At),
    /// The pieces do not stand as at the start.
    NotAtStart {
        /// Where.
        #[serde(flatten)]
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
    /// Nobody is paired at a table with a board.
    NoPairing(At),
    /// These games are played without a board.
    Boardless {
        /// How many.
        games: usize,
    },
}

/// Where a problem is.
#[derive(Serialize, ToSchema)]
pub(crate) struct At {
    /// The table of the hall.
    pub(crate) table: u32,
    /// Serial number of the board.
    pub(crate) board: String,
}

/// What stands in the way of a round.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ready {
    /// Whether the round can start like this.
    pub(crate) ready: bool,
    /// What should be looked at, by table.
    pub(crate) problems: Vec<ReadyLine>,
}

/// One thing to look at.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadyLine {
    /// For programs.
    pub(crate) problem: ReadyProblem,
    /// For people: what it is and what to do.
    pub(crate) text: String,
    /// Whether the round cannot start like this.
    pub(crate) serious: bool,
}

/// One of the two players.
#[derive(Serialize)]
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
            unexplained,
            wrong_start,
            unsteady,
            faulty,
            candidates,
            claim,
            game,
        } = state;
        Self {
            board: board.to_string(),
            connected,
            fen,
            rotated,
            white_is_left,
            clock: clock.map(Into::into),
            unexplained,
            wrong_start,
            unsteady,
            faulty,
            candidates,
            claim: claim.map(Into::into),
            game: game.as_deref().map(str::to_owned),
        }
    }
}

impl From<tournament::ready::ResultShown> for ResultShown {
    fn from(shown: tournament::ready::ResultShown) -> Self {
        let tournament::ready::ResultShown { result, reason, due } = shown;
        Self { result, reason, due }
    }
}

impl From<tournament::ready::ClockShown> for ClockShown {
    fn from(shown: tournament::ready::ClockShown) -> Self {
        let tournament::ready::ClockShown { white_ms, black_ms, running, read_at } = shown;
        Self { white_ms, black_ms, running: running.map(Into::into), read_at }
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
            Domain::NoPairing(at) => Self::NoPairing(at.into()),
            Domain::Boardless { games } => Self::Boardless { games },
        }
    }
}

impl From<tournament::ready::At> for At {
    fn from(tournament::ready::At { table, board }: tournament::ready::At) -> Self {
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
