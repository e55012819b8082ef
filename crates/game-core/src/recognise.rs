//! From what stands on the board to what was played.
//!
//! Keeps the line of play that explains the board, follows every placement one legal move away from the last two
//! positions, and holds the newest move back as *provisional* until something confirms it: the clock's lever, a reply
//! that is legal from it, or enough quiet. So slides, hesitation, rook-first castling and promotion choices correct
//! themselves before anybody hears of them. A placement that is several plies away is bridged; one that nothing
//! explains is said to be unexplained and play resumes from it when it can.
//!
//! Knows placements, the rules, and time as an argument. Knows nothing of bytes, clock readings, storage or viewers.

mod alike;
mod candidates;
mod ending;
mod explain;
mod faults;
mod follow;
pub(crate) mod hypotheses;
mod illegal;
mod inputs;
mod likeliest;
mod log;
mod orders;
mod start;
#[cfg(test)]
mod stories;
mod timing;
mod witness;

use std::collections::VecDeque;

use dgt_protocol::PieceCode;
use hypotheses::Hypothesis;
use log::Joined;
use notation::pgn::Outcome;
use shakmaty::{Bitboard, Chess, Square};
use start::WrongStart;

use crate::event::{Evidence, Side, Variant};
use crate::line::Line;
use crate::placement::Placement;
use crate::play::{Play, Standing};
use crate::time::Timestamp;
use crate::touched::Touched;

/// A scan of the board takes so long at most, in ms (protocol paper, 9).
const SCAN_MS: u64 = 250;
/// A placement that nothing explains is looked at closely when it stood unchanged this long, in ms: two to three scans
/// of the board (protocol paper, 9).
const SETTLE_MS: u64 = 700;
/// A published move is taken back only when what contradicts it stood this long.
const CORRECTION_MS: u64 = 3_000;
/// A position that nothing explains is told to the arbiter after this long.
const UNEXPLAINED_MS: u64 = 10_000;
/// Pieces in the hand are no error for at least this long (behaviour paper, 1.4).
const IN_HAND_MS: u64 = 60_000;
/// A press belongs to a move that is seen at most this much later.
const PRESS_BEFORE_MOVE_MS: u64 = 1_500;
/// A dump cannot overrule a change reported after the dump was asked for; it is asked for again after this long.
const DUMP_AGAIN_MS: u64 = 500;
/// A hand was done with a move that stood this long, in ms.
const DONE_MS: u64 = 1_000;
/// What differs on more squares than this is not the game that was played.
const SQUARES_OF_A_GAME: usize = 8;
/// Most plies to bridge; the bound on positions keeps the worst search to some milliseconds.
const BRIDGE_PLIES: usize = 6;
const BRIDGE_POSITIONS: usize = 30_000;
/// A move seen this long after the clock was stopped was still made before: a scan and the line, in ms.
const STOP_MS: u64 = 1_000;
/// The board's log takes 8 s of the line (protocol paper, 3); it is not waited for longer than this, in ms.
const LOG_MS: u64 = 20_000;
/// A log that breaks off within a move is asked for again, so often in all; one that does not come or tells another game, less often.
const LOGS_ASKED: usize = 4;
const LOGS_MISSED: usize = 2;
/// How far back a takeback is looked for.
const TAKEBACK_PLIES: usize = 40;
/// A start position after fewer plies than this is a takeback, after more a new game.
const NEW_GAME_PLIES: usize = 3;

/// What recognition concluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// A new game begins; an earlier one has ended.
    Started,
    /// The line's ply is certain.
    Confirmed {
        /// From 1, in order.
        ply: usize,
        /// When it was first on the board.
        seen: Timestamp,
        /// Why.
        evidence: Evidence,
    },
    /// Confirmed plies after this one were not played after all.
    Retracted {
        /// The last ply that stays.
        to_ply: usize,
        /// The clock was pressed on the plies after it all the same: the moves that replace them are the ones that were made.
        pressed: bool,
    },
    /// Nothing explains these squares.
    Unexplained(Vec<Square>),
    /// The game goes on from what nothing explains.
    PlayedOn,
    /// The board is explained again.
    Resolved,
    /// The game is over by the rules or by a sign.
    Over {
        /// The result.
        outcome: Outcome,
        /// What tells it.
        reason: &'static str,
        /// On what evidence.
        evidence: Evidence,
    },
    /// What ended the game was undone on the board: it goes on.
    Undone,
}

/// The recogniser of one board.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub struct Recogniser {
    placement: Placement,
    /// Whether a dump or a start gave the placement a base.
    known: bool,
    rotated: bool,
    start: (Chess, Variant),
    start_hashes: [u64; 2],
    /// A Chess960 start that stood on the board before a game, and whether it stood turned round.
    stood: Option<(Line, bool)>,
    /// Squares that are not believed: declared by a person, or found; on the board as it stands.
    blind: Bitboard,
    /// Those of them that were found.
    found: Bitboard,
    /// Squares that were found to light up together: a piece on the first is reported on the second too.
    together: Option<(Square, Square)>,
    /// Squares that have reported a piece.
    working: Bitboard,
    /// Other ways to see the board while nothing explains it.
    hypotheses: Vec<Hypothesis>,
    /// What stood there, and since when, when games were supposed to go on from it.
    supposed: Option<(Timestamp, Placement)>,
    /// The game from a position that an illegal move led to, as long as nothing else explains the board.
    played_on: Option<Box<Recogniser>>,
    /// This recogniser follows a hypothesis of another.
    speculative: bool,
    /// A piece that is reported still where it was lifted, as it supposes.
    stuck: Option<(Square, PieceCode)>,
    /// Squares that it takes for dead.
    supposed_dead: Bitboard,
    /// One of them has shown to work.
    refuted: bool,
    /// While no game is played: when what stands there is looked at.
    settles_at: Option<Timestamp>,
    wrong_start: WrongStart,
    joined: Joined,
    /// Squares with changes since the board last showed the head.
    touched: Touched,
    changed_at: [Timestamp; 64],
    play: Option<Play>,
    lever: bool,
    /// Whose time runs.
    running: Option<Side>,
    /// Since when the clock stands that was at work in this game.
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
    pub fn new() -> Self {
        let mut new = Self {
            placement: Placement::EMPTY,
            known: false,
            rotated: false,
            start: (Chess::default(), Variant::Standard),
            start_hashes: [0; 2],
            stood: None,
            blind: Bitboard::EMPTY,
            found: Bitboard::EMPTY,
            together: None,
            working: Bitboard::EMPTY,
            hypotheses: Vec::new(),
            supposed: None,
            played_on: None,
            speculative: false,
            stuck: None,
            supposed_dead: Bitboard::EMPTY,
            refuted: false,
            settles_at: None,
            wrong_start: WrongStart::default(),
            joined: Joined::default(),
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
    pub fn line(&self) -> Option<&Line> {
        self.play.as_ref().map(|play| &play.line)
    }

    /// When the first ply of the line was first on the board.
    pub fn first_seen(&self) -> Option<Timestamp> {
        self.play.as_ref().and_then(|play| play.seen.first().copied())
    }

    /// How many plies of the line are confirmed.
    pub fn confirmed(&self) -> usize {
        self.play.as_ref().map_or(0, |play| play.confirmed)
    }

    /// What stands on the board, in real squares.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Whether the board has shown what stands on it; until then that is what should stand there.
    pub fn has_seen_board(&self) -> bool {
        self.known
    }

    /// Whether White sits at the far end.
    pub fn rotated(&self) -> bool {
        self.rotated
    }

    /// The squares on which the start position that stands on the board is wrong, until a game begins or it is mended.
    pub fn wrong_start(&self) -> &[Square] {
        &self.wrong_start.squares
    }

    /// Whether the game has ended for the board.
    pub fn is_over(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.over)
    }

    /// Whether the board shows the position after the last move.
    pub fn shows_head(&self) -> bool {
        self.play.as_ref().is_some_and(|play| matches!(play.standing, Standing::Head { .. }))
    }

    /// Whether changes may have gone unseen since the board last showed the head.
    pub fn has_gap(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.gap)
    }

    /// Ends the game: nothing more on the board belongs to it.
    pub fn close(&mut self) {
        if let Some(play) = &mut self.play {
            play.over = true;
        }
    }

    /// The end of the game stands: nothing on the board undoes it any more.
    pub fn settle_end(&mut self) {
        if let Some(play) = &mut self.play {
            play.claim = None;
        }
    }

    /// The next conclusion, in order.
    pub fn poll(&mut self) -> Option<Conclusion> {
        self.conclusions.pop_front()
    }

    /// Whether a dump should be asked for; asking resets it.
    pub fn take_dump_wish(&mut self) -> bool {
        std::mem::take(&mut self.dump_wanted)
    }

    /// Whether the board's own log should be asked for; asking resets it.
    pub fn take_log_wish(&mut self) -> bool {
        std::mem::take(&mut self.log_wanted)
    }
}
