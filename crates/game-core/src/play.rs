//! The state of the game being played on one board: its line, how much of it is confirmed, and how the board relates to it.
//!
//! Holds data and keeps it consistent; recognition decides what to do with it.

use dgt_protocol::PieceCode;
use shakmaty::{Bitboard, Move};

use crate::event::Side;
use crate::line::Line;
use crate::message_log::MessageLog;
use crate::placement::Placement;
use crate::time::Timestamp;

/// How the placement on the board relates to the last position of the line (the head).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The board shows the head since then.
    Head { since: Timestamp },
    /// The board shows another placement.
    Open {
        /// When the board left the head.
        since: Timestamp,
        /// The last change.
        changed: Timestamp,
        /// Whether the expensive search has run for this placement.
        examined: bool,
        /// How long the head stood before, in ms.
        held: u64,
    },
}

/// Whether the board's own log was asked for moves that went unseen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LogSearch {
    /// Not asked.
    #[default]
    Untried,
    /// Asked; the answer is expected until then.
    Asked {
        /// When the wait ends.
        until: Timestamp,
    },
    /// Answered, or given up.
    Done,
}

/// A game end that the board shows and that can still be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Mate or stalemate without a press: the hand may only have passed over that square.
    Rules,
    /// A result signal, such as the kings in the centre; a clock that runs on cancels it.
    Signal,
}

/// How the last dumps compare with the field updates before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DumpAgreement {
    /// No dump has said anything yet.
    Unknown,
    /// One dump shows a change that no update reported. The dump itself may be damaged.
    DiffersOnce,
    /// Two dumps show the same unreported change: an update was lost or damaged.
    DiffersTwice,
    /// A dump agrees with the updates, although a press ended a move and no line explains the board.
    Agrees,
}

/// A placement that was a position of the game, or close to one, before a line explained it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Observed {
    pub(crate) placement: Placement,
    /// The player who pressed the clock on it; none when it was only seen.
    pub(crate) pressed: Option<Side>,
    /// Number of dumps that showed it too: with one, no update was lost.
    pub(crate) dumps: usize,
}

/// Observed placements kept: a line that passes through more is too long to search for.
const OBSERVED_KEPT: usize = 8;

/// The game being played.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(crate) struct Play {
    pub(crate) line: Line,
    /// When the placement of each ply was first on the board, ply 1 first; without a clock, when the hand left the move.
    pub(crate) seen: Vec<Timestamp>,
    /// Number of confirmed plies.
    pub(crate) confirmed: usize,
    /// The last confirmed ply was confirmed by its delay alone, without a press or a reply: the piece may move on.
    pub(crate) by_delay: bool,
    /// Another move in place of that ply, seen on the board since.
    pub(crate) alternative: Option<Move>,
    /// Plies entered by an operator: the board never takes them back.
    pub(crate) ordered: usize,
    /// The last ply after which a dump agreed with the line: earlier updates were all correct.
    pub(crate) shown: usize,
    pub(crate) standing: Standing,
    /// The game is over: later changes on the board do not belong to it.
    pub(crate) over: bool,
    /// What ended the game, while the board can still undo it.
    pub(crate) claim: Option<Claim>,
    /// Changes may have gone unseen since the board last showed the head.
    pub(crate) gap: bool,
    /// No dump has come since the board was unplugged.
    pub(crate) unseen: bool,
    /// Whether the board's own log was asked about the gap.
    pub(crate) log: LogSearch,
    /// How often the board's own log was asked for since the gap began.
    pub(crate) logs_asked: usize,
    /// Presses since the board last showed the head; each ends a move.
    pub(crate) presses: usize,
    /// The last press that is not matched to a move yet.
    pub(crate) press: Option<(Side, Timestamp)>,
    /// Placements since the board last showed the head through which every line from there must pass.
    pub(crate) observed: Vec<Observed>,
    /// Placements since then that stayed unchanged until a dump showed them: no hand was moving a piece.
    pub(crate) stable: Vec<Placement>,
    /// Lines that explain the board equally well.
    pub(crate) candidates: Vec<Vec<Move>>,
    /// Whether the current placement was reported as unexplained.
    pub(crate) unexplained_told: bool,
    /// Presses since that report.
    pub(crate) presses_unexplained: usize,
    /// Whether it was reported that play goes on from an unexplained placement.
    pub(crate) played_on_told: bool,
    /// How dumps compare with the updates since the board last showed the head.
    pub(crate) dump_agreement: DumpAgreement,
    /// The latest messages.
    pub(crate) messages: MessageLog,
    /// Since when a result signal is on the board.
    pub(crate) signal_since: Option<Timestamp>,
}

impl Play {
    pub(crate) fn new(line: Line, now: Timestamp) -> Self {
        Self {
            seen: vec![now; line.plies()],
            confirmed: line.plies(),
            line,
            by_delay: false,
            alternative: None,
            ordered: 0,
            shown: 0,
            standing: Standing::Head { since: now },
            over: false,
            claim: None,
            gap: false,
            unseen: false,
            log: LogSearch::Untried,
            logs_asked: 0,
            presses: 0,
            press: None,
            observed: Vec::new(),
            stable: Vec::new(),
            candidates: Vec::new(),
            unexplained_told: false,
            presses_unexplained: 0,
            played_on_told: false,
            dump_agreement: DumpAgreement::Unknown,
            messages: MessageLog::default(),
            signal_since: None,
        }
    }

    /// Whether changes on the board are ignored: the game is over and the board cannot undo its end.
    pub(crate) fn is_over(&self) -> bool {
        self.over && self.claim != Some(Claim::Rules)
    }

    /// The move that leads to this placement in place of a last move that its delay alone confirmed.
    pub(crate) fn alternative_to_delayed(&self, hash: u64) -> Option<Move> {
        let head = self.line.plies();
        let open = self.by_delay && head == self.confirmed && head > self.ordered && hash != self.line.hash(head);
        open.then(|| self.line.other_move_to(hash)).flatten()
    }

    /// The alternative last move and the reply to it, if together they lead to this placement.
    pub(crate) fn reply_to_alternative(&self, hash: u64) -> Option<[Move; 2]> {
        let instead = self.alternative?;
        let mut line = self.line.clone();
        line.truncate(line.plies().checked_sub(1)?);
        line.push(instead).then(|| line.next_move_to(hash)).flatten().map(|reply| [instead, reply])
    }

    /// Keeps a placement through which every line must pass.
    pub(crate) fn note(&mut self, observed: Observed) {
        if self.observed.len() < OBSERVED_KEPT {
            self.observed.push(observed);
        }
    }

    /// Keeps a placement that stayed unchanged. A pawn on the last rank is left out: its promotion piece is still to come.
    pub(crate) fn note_stable(&mut self, placement: Placement) {
        let pawns = |code| placement.squares_with(code).collect::<Bitboard>();
        let waiting = (pawns(PieceCode::WhitePawn) | pawns(PieceCode::BlackPawn)) & Bitboard::BACKRANKS;
        let placement = placement.without(waiting);
        if self.stable.len() < OBSERVED_KEPT && self.stable.last() != Some(&placement) {
            self.stable.push(placement);
        }
    }

    /// Drops what was observed on the way: a line explains the board.
    pub(crate) fn clear_observations(&mut self) {
        self.presses = 0;
        self.presses_unexplained = 0;
        self.played_on_told = false;
        self.dump_agreement = DumpAgreement::Unknown;
        self.alternative = None;
        self.observed.clear();
        self.stable.clear();
        self.candidates.clear();
    }

    /// Adds a legal move that was first seen at `now`.
    pub(crate) fn push(&mut self, now: Timestamp, mv: Move) {
        if self.line.push(mv) {
            self.seen.push(now);
        }
    }

    /// Takes the last moves back until `plies` are left.
    pub(crate) fn truncate(&mut self, plies: usize) {
        self.line.truncate(plies);
        self.seen.truncate(plies);
        self.confirmed = self.confirmed.min(plies);
        self.ordered = self.ordered.min(plies);
        self.shown = self.shown.min(plies);
    }
}
