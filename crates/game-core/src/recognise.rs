//! Finds the legal moves behind the placements that the board shows.
//!
//! Keeps one line of play and compares each placement with every position one legal move away from its last two positions.
//! The newest move is *provisional* until it is confirmed by the clock's lever, by a legal reply, or by its confirmation
//! delay; slides, hesitation, rook-first castling and promotion choices therefore correct themselves before they are
//! published. A placement several plies away starts a line search. A placement that no line explains is reported as
//! unexplained, and play resumes from it when that is possible.
//!
//! Must not know bytes, clock readings, storage or viewers. Time is an argument.

mod candidates;
mod commands;
mod constraints;
mod edit_distance;
mod ending;
#[cfg(feature = "equivalence")]
mod equivalence;
mod explain;
mod faults;
mod follow;
mod hypotheses;
mod illegal;
mod inputs;
mod log;
#[cfg(test)]
mod scenarios;
mod start;
mod timing;

use std::collections::VecDeque;

use dgt_protocol::PieceCode;
use hypotheses::Hypothesis;
use log::JoinedGame;
use notation::pgn::Outcome;
use shakmaty::{Bitboard, Chess, Square};
use start::WrongStart;

use crate::event::{Evidence, Side, Variant};
use crate::line::Line;
use crate::placement::Placement;
use crate::play::{Play, Standing};
use crate::time::Timestamp;
use crate::touched::Touched;

/// Longest scan of the whole board, in ms (docs/protocol.md, 9).
const SCAN_MS: u64 = 250;
/// How long an unexplained placement must stay unchanged before the expensive search runs, in ms: two to three scans
/// (docs/protocol.md, 9).
const SETTLE_MS: u64 = 700;
/// How long a placement must contradict a published move before the move is retracted, in ms.
const CORRECTION_MS: u64 = 3_000;
/// How long a placement stays unexplained before the arbiter is told, in ms.
const UNEXPLAINED_MS: u64 = 10_000;
/// The same while only pieces are missing, in ms: a player may hold them (docs/board-behaviour.md, 1.4).
const IN_HAND_MS: u64 = 60_000;
/// Longest time from a press to the report of the move that it ended, in ms.
const PRESS_BEFORE_MOVE_MS: u64 = 1_500;
/// Delay before a dump is repeated, in ms, because a square changed after the dump was asked for or the dump may be damaged.
const DUMP_AGAIN_MS: u64 = 500;
/// How long a move must stand to count as finished when the pieces are then moved about, in ms.
const DONE_MS: u64 = 1_000;
/// Most squares on which the board may differ from the line before another game is suspected.
const SQUARES_OF_A_GAME: usize = 8;
/// Most plies of a line search.
const SEARCH_PLIES: usize = 6;
/// Most positions of a line search; keeps the worst search to some milliseconds.
const SEARCH_POSITIONS: usize = 30_000;
/// How long after the clock was stopped a move may be reported that was made before, in ms: one scan and the line.
const STOP_MS: u64 = 1_000;
/// How long an answer with the board's own log is waited for, in ms; sending it takes 8 s (docs/protocol.md, 3).
const LOG_MS: u64 = 20_000;
/// How often the board's own log is asked for when it breaks off within a move.
const LOGS_ASKED: usize = 4;
/// How often it is asked for when it does not come or holds another game.
const LOGS_MISSED: usize = 2;
/// How many plies back a takeback is looked for.
const TAKEBACK_PLIES: usize = 40;
/// From this ply on a start position on the board is a new game; before it, a takeback.
const NEW_GAME_PLIES: usize = 3;

/// A conclusion of recognition, for the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Conclusion {
    /// A new game begins; an earlier one has ended.
    Started,
    /// A ply of the line is confirmed.
    Confirmed {
        /// From 1, in order.
        ply: usize,
        /// When it was first on the board.
        seen: Timestamp,
        /// What confirmed it.
        evidence: Evidence,
    },
    /// Confirmed plies after this one were not played.
    Retracted {
        /// The last ply that stays.
        to_ply: usize,
        /// Whether their presses stay and belong to the moves that replace them.
        pressed: bool,
    },
    /// Moves after this ply went unseen: play goes on from the position that the line has there now.
    Gap {
        /// The last ply before them.
        after_ply: usize,
    },
    /// The moves after this ply, which went unseen, are known, and follow.
    Filled {
        /// The last ply before them.
        after_ply: usize,
    },
    /// No line explains these squares.
    Unexplained(Vec<Square>),
    /// Play goes on from an unexplained placement.
    PlayedOn,
    /// A line explains the board again.
    Resolved,
    /// The game is over by the rules or by a result signal.
    Over {
        /// The result.
        outcome: Outcome,
        /// The reason, as in the `result` event.
        reason: &'static str,
        /// What shows it.
        evidence: Evidence,
    },
    /// The board has undone the end of the game: play goes on.
    Undone,
}

/// The recogniser of one board.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(crate) struct Recogniser {
    placement: Placement,
    /// Whether the placement comes from a dump or from a start position set by an operator.
    known: bool,
    /// Whether White sits at the far end.
    rotated: bool,
    /// The expected start position and the rules.
    start: (Chess, Variant),
    /// Hashes of the expected start, straight and turned round.
    start_hashes: [u64; 2],
    /// A Chess960 start that was on the board before a game, and whether it was turned round.
    chess960_start: Option<(Line, bool)>,
    /// Dead squares, declared by an operator or found; in the present orientation.
    dead: Bitboard,
    /// The dead squares that were found.
    found_dead: Bitboard,
    /// Crosstalk that was found: a piece on the first square is reported on the second too.
    crosstalk: Option<(Square, Square)>,
    /// Squares that have reported a piece.
    working: Bitboard,
    /// Other explanations, followed while the line does not explain the board.
    hypotheses: Vec<Hypothesis>,
    /// The instant and the placement at which hypotheses about a game in progress were made.
    supposed: Option<(Timestamp, Placement)>,
    /// A game from the position after an illegal move, followed while the board is unexplained.
    played_on: Option<Box<Recogniser>>,
    /// Whether this recogniser follows a hypothesis of another one.
    speculative: bool,
    /// A ghost that the hypothesis supposes: the piece is still reported where it was lifted.
    ghost: Option<(Square, PieceCode)>,
    /// Squares that the hypothesis supposes to be dead.
    suspected_dead: Bitboard,
    /// Whether one of them has worked since.
    refuted: bool,
    /// When a placement without a game is examined.
    settles_at: Option<Timestamp>,
    wrong_start: WrongStart,
    joined: JoinedGame,
    /// Pieces reported on each square since the board last showed the head.
    touched: Touched,
    /// The last change of each square.
    changed_at: [Timestamp; 64],
    play: Option<Play>,
    /// Whether a clock runs whose lever confirms moves.
    lever: bool,
    /// The player whose time runs.
    running: Option<Side>,
    /// Since when the clock is stopped after it was pressed in this game.
    stopped: Option<Timestamp>,
    dump_wanted: bool,
    log_wanted: bool,
    dump_again_at: Option<Timestamp>,
    conclusions: VecDeque<Conclusion>,
}

impl Default for Recogniser {
    fn default() -> Self {
        Self::new()
    }
}

impl Recogniser {
    /// A recogniser that has seen nothing and waits for the usual start position.
    pub(crate) fn new() -> Self {
        let mut new = Self {
            placement: Placement::EMPTY,
            known: false,
            rotated: false,
            start: (Chess::default(), Variant::Standard),
            start_hashes: [0; 2],
            chess960_start: None,
            dead: Bitboard::EMPTY,
            found_dead: Bitboard::EMPTY,
            crosstalk: None,
            working: Bitboard::EMPTY,
            hypotheses: Vec::new(),
            supposed: None,
            played_on: None,
            speculative: false,
            ghost: None,
            suspected_dead: Bitboard::EMPTY,
            refuted: false,
            settles_at: None,
            wrong_start: WrongStart::default(),
            joined: JoinedGame::default(),
            touched: Touched::NOTHING,
            changed_at: [Timestamp::ZERO; 64],
            play: None,
            lever: false,
            running: None,
            stopped: None,
            dump_wanted: false,
            log_wanted: false,
            dump_again_at: None,
            conclusions: VecDeque::new(),
        };
        new.expect_start(Chess::default(), Variant::Standard);
        new
    }

    /// The line of play, while there is a game.
    pub(crate) fn line(&self) -> Option<&Line> {
        self.play.as_ref().map(|play| &play.line)
    }

    /// How many plies of the line are confirmed.
    pub(crate) fn confirmed(&self) -> usize {
        self.play.as_ref().map_or(0, |play| play.confirmed)
    }

    /// The pieces on the board, in real squares.
    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Whether the board has reported its placement; until then the placement is the expected one.
    pub(crate) fn has_seen_board(&self) -> bool {
        self.known
    }

    /// Whether White sits at the far end.
    pub(crate) fn rotated(&self) -> bool {
        self.rotated
    }

    /// Squares on which a start position on the board is wrong, until a game begins or the pieces are put right.
    pub(crate) fn wrong_start(&self) -> &[Square] {
        &self.wrong_start.squares
    }

    /// Whether the game has ended for the board.
    pub(crate) fn is_over(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.over)
    }

    /// Whether the board shows the position after the last move.
    pub(crate) fn shows_head(&self) -> bool {
        self.play.as_ref().is_some_and(|play| matches!(play.standing, Standing::Head { .. }))
    }

    /// Whether changes may have gone unseen since the board last showed the head.
    pub(crate) fn has_gap(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.gap)
    }

    /// Ends the game: later changes on the board do not belong to it.
    pub(crate) fn close(&mut self) {
        if let Some(play) = &mut self.play {
            play.over = true;
        }
    }

    /// Makes the end of the game final: the board cannot undo it any more.
    pub(crate) fn finalise_end(&mut self) {
        if let Some(play) = &mut self.play {
            play.claim = None;
        }
    }

    /// The next conclusion, in order.
    pub(crate) fn poll(&mut self) -> Option<Conclusion> {
        self.conclusions.pop_front()
    }

    /// Whether a dump should be asked for; asking resets it.
    pub(crate) fn take_dump_request(&mut self) -> bool {
        std::mem::take(&mut self.dump_wanted)
    }

    /// Whether the board's own log should be asked for; asking resets it.
    pub(crate) fn take_log_request(&mut self) -> bool {
        std::mem::take(&mut self.log_wanted)
    }
}
