//! A game in the dashboard: one line for the hall, and its moves, events and corrections for its own page.
//!
//! The JSON of these values is decided here. Knows nothing of sockets.

use std::sync::Arc;

use game_core::event::{Author, Event, Side};
use game_core::game::{ClockRecord, Game};
use serde::Serialize;

use super::entries::Recorded;
use crate::admin::api::boards;
use crate::admin::api::players::PlayerId;
use crate::admin::api::results::Score;
use crate::admin::api::rounds::PairingState;
use hall_clock::UtcMs;
use journal::RecordedEvent;
use public_web::problem::CodedLine;
use tournament::{Found, Hall};

/// A game in the hall.
#[derive(Serialize)]
pub(super) struct GameLine<'a> {
    id: &'a str,
    /// The slug of its section; none for an unassigned game.
    section: Option<&'a str>,
    round: Option<u32>,
    /// Number of the board in the section.
    number: Option<u32>,
    /// The table of the hall; none without an e-board.
    table: Option<u32>,
    /// Serial number of the board that plays it, or would.
    board: Option<&'a str>,
    white: Option<PlayerId>,
    black: Option<PlayerId>,
    /// None for an unassigned game.
    state: Option<PairingState>,
    withdrawn: bool,
    result: Option<Score>,
    /// The result in a file of pairings, where it differs.
    differs: Option<Score>,
    /// Whether a start position was set up.
    started: bool,
    plies: usize,
    last_san: Option<&'a str>,
    last_uci: Option<&'a str>,
    last_at: Option<UtcMs>,
    fen: &'a str,
    clock: Option<Clock>,
    reason: &'a str,
    unexplained: bool,
}

/// The clocks as recorded.
#[derive(Serialize)]
struct Clock {
    white_ms: Option<u64>,
    black_ms: Option<u64>,
    running: Option<boards::Side>,
    flag: Option<boards::Side>,
    read_at: UtcMs,
}

/// Moves that went unseen.
#[derive(Serialize)]
struct Unseen<'a> {
    /// The last ply before them.
    after_ply: usize,
    /// The position from which the game went on.
    fen: &'a str,
}

/// The record of a game.
#[derive(Serialize)]
pub(super) struct GameMoves<'a> {
    id: &'a str,
    start: &'a str,
    chess960: bool,
    moves: Vec<Played<'a>>,
    gaps: Vec<Unseen<'a>>,
    events: &'a [Happened],
    corrections: Vec<Corrected<'a>>,
}

#[derive(Serialize)]
struct Played<'a> {
    san: &'a str,
    uci: &'a str,
    fen: String,
    clk_ms: Option<u64>,
    emt_ms: Option<u64>,
}

/// Something that happened in a game, besides moves and clocks.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Happened {
    at: UtcMs,
    /// The kind of the event, as in `boardcast replay --events`.
    event: &'static str,
    /// The account; none for the board and for rules.
    by: Option<String>,
    /// Squares, the last ply that stays, or a result with its reason.
    about: String,
}

/// A correction of the game.
#[derive(Serialize)]
struct Corrected<'a> {
    number: u32,
    what: &'a str,
    /// `what` as a sentence with its code.
    sentence: CodedLine,
    /// Whether it can be undone, and was not yet.
    can_undo: bool,
    undoes: Option<u32>,
}

impl<'a> GameLine<'a> {
    /// The game of a pairing.
    pub(super) fn paired(hall: &'a Hall, found: &Found<'a>, recorded: Option<&'a Recorded>) -> Self {
        let game = found.game;
        let line = Self {
            id: &game.id,
            section: Some(&found.section.slug),
            round: Some(found.round.number),
            number: Some(game.pair.number),
            table: found.table(),
            board: hall.board_of(found).map(|board| &**board),
            white: game.pair.white.map(Into::into),
            black: game.pair.black.map(Into::into),
            state: Some(game.state.into()),
            withdrawn: game.withdrawn,
            result: game.result.map(Into::into),
            differs: game.imported.filter(|_| game.result_differs()).map(Into::into),
            ..Self::nothing(&game.id)
        };
        match recorded {
            Some(recorded) => line.with(recorded),
            None => line,
        }
    }

    /// A game that belongs to no pairing.
    pub(super) fn unassigned(id: &'a str, board: &'a str, recorded: &'a Recorded) -> Self {
        Self { board: Some(board), ..Self::nothing(id) }.with(recorded)
    }

    fn nothing(id: &'a str) -> Self {
        Self {
            id,
            section: None,
            round: None,
            number: None,
            table: None,
            board: None,
            white: None,
            black: None,
            state: None,
            withdrawn: false,
            result: None,
            differs: None,
            started: false,
            plies: 0,
            last_san: None,
            last_uci: None,
            last_at: None,
            fen: "",
            clock: None,
            reason: "",
            unexplained: false,
        }
    }

    fn with(self, Recorded { game, last_at, happened, .. }: &'a Recorded) -> Self {
        let last = game.moves().last();
        Self {
            started: happened.iter().any(|happened| happened.event == "game_started"),
            plies: game.moves().len(),
            last_san: last.map(|last| &*last.san),
            last_uci: last.map(|last| &*last.uci),
            last_at: *last_at,
            fen: game.fen_shown(),
            clock: game.clock().map(Clock::from),
            reason: game.reason(),
            unexplained: game.unexplained(),
            ..self
        }
    }
}

impl From<&ClockRecord> for Clock {
    fn from(clock: &ClockRecord) -> Self {
        let ClockRecord { white_ms, black_ms, running, flag, read_at } = *clock;
        let side = |side: Option<Side>| side.map(Into::into);
        Self { white_ms, black_ms, running: side(running), flag: side(flag), read_at }
    }
}

impl<'a> GameMoves<'a> {
    /// The record of a game of a hall.
    pub(super) fn of(hall: &'a Hall, id: &'a Arc<str>, recorded: &'a Recorded) -> Self {
        let game: &Game = &recorded.game;
        let moves = game.moves().iter().zip(game.fens()).map(|(mv, fen)| Played {
            san: &mv.san,
            uci: &mv.uci,
            fen,
            clk_ms: mv.clk_ms,
            emt_ms: mv.emt_ms,
        });
        let mine = hall.corrections.iter().filter(|correction| correction.game.as_ref() == Some(id));
        let undone = |number| hall.corrections.iter().any(|correction| correction.undoes == Some(number));
        let corrections = mine.map(|correction| Corrected {
            number: correction.number,
            what: &correction.what.english,
            sentence: (*correction.what).clone().into(),
            can_undo: correction.undo.is_some() && correction.undoes.is_none() && !undone(correction.number),
            undoes: correction.undoes,
        });
        Self {
            id,
            start: game.fen(),
            chess960: matches!(game.variant(), game_core::event::Variant::Chess960),
            moves: moves.collect(),
            gaps: game.gaps().iter().map(|gap| Unseen { after_ply: gap.after_ply, fen: &gap.fen }).collect(),
            events: &recorded.happened,
            corrections: corrections.collect(),
        }
    }
}

/// What an event of the record tells besides moves and clocks.
pub(super) fn happened(entry: &RecordedEvent) -> Option<Happened> {
    let (event, about) = match &entry.event {
        Event::GameStarted { .. } => ("game_started", String::new()),
        Event::Retract { to_ply } => ("retract", to_ply.to_string()),
        Event::Unexplained { squares } => ("unexplained", squares.join(" ")),
        Event::Gap { fen: Some(_), after_ply } => ("gap", after_ply.to_string()),
        Event::Gap { fen: None, after_ply } => ("gap_filled", after_ply.to_string()),
        Event::PlayedOn => ("played_on", String::new()),
        Event::Resolved => ("resolved", String::new()),
        Event::Result { result, reason } => ("result", format!("{} {reason}", result.as_str()).trim().to_owned()),
        Event::GameEnded => ("game_ended", String::new()),
        Event::Move { .. }
        | Event::Amend { .. }
        | Event::Tags { .. }
        | Event::Clock { .. }
        | Event::Annotated { .. } => return None,
    };
    let by = match &entry.author {
        Author::Operator(name) => Some(name.clone()),
        Author::Board | Author::Rule(_) => None,
    };
    Some(Happened { at: entry.at, event, by, about })
}
