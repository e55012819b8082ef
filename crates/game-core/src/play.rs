//! The state of the game being played on one board: its line, how much of it is certain, and how the board stands to it.
//!
//! Only data and its upkeep; what to make of it is recognition's business.

use dgt_protocol::PieceCode;
use shakmaty::{Bitboard, Move};

use crate::event::Side;
use crate::heard::Heard;
use crate::line::Line;
use crate::placement::Placement;
use crate::time::Timestamp;

/// How the board stands to the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It shows the head since then.
    Head { since: Timestamp },
    /// It shows something else.
    Open {
        /// Since when nothing explains it.
        since: Timestamp,
        /// The last change.
        changed: Timestamp,
        /// Whether this very placement was looked at closely.
        examined: bool,
        /// How long the head stood before, in ms.
        held: u64,
    },
}

/// How far the board's own log was asked about moves that nobody saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LogSearch {
    /// Not yet.
    #[default]
    Untried,
    /// It should come until then.
    Asked {
        /// When it is not waited for any more.
        until: Timestamp,
    },
    /// It came, or it never will.
    Done,
}

/// What ended a game on the board, as long as it is not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Mate or stalemate that nobody pressed the clock on: the hand may have passed over it.
    Rules,
    /// A sign, as the kings in the centre: none when the clock runs on.
    Sign,
}

/// Whether dumps have shown what no message had told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mended {
    Nothing,
    /// One dump, which may be damaged itself.
    Shown,
    /// Two dumps.
    Sure,
    /// A dump has shown what was told, though a press ended a move and nothing explains it.
    BorneOut,
}

/// A placement that was a position of the game, although nothing explained it then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stood {
    pub(crate) placement: Placement,
    /// Who pressed the clock on it; otherwise it only stood there.
    pub(crate) pressed: Option<Side>,
    /// So many dumps showed it too: no message was lost.
    pub(crate) dumps: usize,
}

/// More placements are not kept: so long a line is not searched for.
const STOOD_KEPT: usize = 8;

/// The game being played.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(crate) struct Play {
    pub(crate) line: Line,
    /// When the placement of each ply was first on the board, ply 1 first; without a clock when the hand was done with it.
    pub(crate) seen: Vec<Timestamp>,
    /// Plies confirmed.
    pub(crate) confirmed: usize,
    /// The last confirmed ply was confirmed by quiet alone: the hand may have rested there on its way.
    pub(crate) by_quiet: bool,
    /// Another move than that, seen on the board since then.
    pub(crate) went_on: Option<Move>,
    /// Plies that a person ordered: the board never takes them back.
    pub(crate) ordered: usize,
    /// The last ply after which a dump has shown the board as the line has it: until then no message was told wrongly.
    pub(crate) shown: usize,
    pub(crate) standing: Standing,
    /// Nothing more on the board belongs to the game.
    pub(crate) over: bool,
    /// What ended it, while the board can still undo it.
    pub(crate) claim: Option<Claim>,
    /// Changes may have gone unseen since the head was last on the board.
    pub(crate) gap: bool,
    /// No dump has come since the board was unplugged.
    pub(crate) unseen: bool,
    /// Whether the board's own log was asked about the gap.
    pub(crate) log: LogSearch,
    /// How often the board's log was asked for since the gap began.
    pub(crate) logs_asked: usize,
    /// Presses since the board last showed the head: each ends a move.
    pub(crate) presses: usize,
    /// The last press that no move answers for yet.
    pub(crate) press: Option<(Side, Timestamp)>,
    /// What stood on the board since it last showed the head, and must be explained by every line from there.
    pub(crate) stood: Vec<Stood>,
    /// What stood for a while since then, as a dump showed, whoever pressed: no hand was on its way.
    pub(crate) settled: Vec<Placement>,
    /// Lines that explain the board equally well.
    pub(crate) candidates: Vec<Vec<Move>>,
    pub(crate) unexplained_told: bool,
    /// Presses since that was told.
    pub(crate) presses_unexplained: usize,
    /// It was told that the game goes on from what nothing explains.
    pub(crate) played_on_told: bool,
    /// What dumps have shown that no message had told, since the board last showed the head.
    pub(crate) mended: Mended,
    /// The last messages.
    pub(crate) heard: Heard,
    /// A sign that declares a result stands since then.
    pub(crate) sign_since: Option<Timestamp>,
}

impl Play {
    pub(crate) fn new(line: Line, now: Timestamp) -> Self {
        Self {
            seen: vec![now; line.plies()],
            confirmed: line.plies(),
            line,
            by_quiet: false,
            went_on: None,
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
            stood: Vec::new(),
            settled: Vec::new(),
            candidates: Vec::new(),
            unexplained_told: false,
            presses_unexplained: 0,
            played_on_told: false,
            mended: Mended::Nothing,
            heard: Heard::default(),
            sign_since: None,
        }
    }

    /// Whether what stands on the board is without meaning: the game is over and nothing on the board can undo it.
    pub(crate) fn is_over(&self) -> bool {
        self.over && self.claim != Some(Claim::Rules)
    }

    /// Another last move than the one that quiet alone has confirmed, if it leads to this placement.
    pub(crate) fn other_than_quiet(&self, hash: u64) -> Option<Move> {
        let head = self.line.plies();
        let open = self.by_quiet && head == self.confirmed && head > self.ordered && hash != self.line.hash(head);
        open.then(|| self.line.other_move_to(hash)).flatten()
    }

    /// The reply that leads to this placement after the move that the hand went on to.
    pub(crate) fn reply_to_what_went_on(&self, hash: u64) -> Option<[Move; 2]> {
        let instead = self.went_on?;
        let mut line = self.line.clone();
        line.truncate(line.plies().checked_sub(1)?);
        line.push(instead).then(|| line.next_move_to(hash)).flatten().map(|reply| [instead, reply])
    }

    /// Keeps a placement that has to be explained.
    pub(crate) fn note(&mut self, stood: Stood) {
        if self.stood.len() < STOOD_KEPT {
            self.stood.push(stood);
        }
    }

    /// Keeps a placement that stood for a while. A pawn on the last rank waits for the piece that it becomes.
    pub(crate) fn note_settled(&mut self, placement: Placement) {
        let pawns = |code| placement.squares_with(code).collect::<Bitboard>();
        let waiting = (pawns(PieceCode::WhitePawn) | pawns(PieceCode::BlackPawn)) & Bitboard::BACKRANKS;
        let placement = placement.without(waiting);
        if self.settled.len() < STOOD_KEPT && self.settled.last() != Some(&placement) {
            self.settled.push(placement);
        }
    }

    /// What stood on the board has been explained.
    pub(crate) fn forget_what_stood(&mut self) {
        self.presses = 0;
        self.presses_unexplained = 0;
        self.played_on_told = false;
        self.mended = Mended::Nothing;
        self.went_on = None;
        self.stood.clear();
        self.settled.clear();
        self.candidates.clear();
    }

    pub(crate) fn push(&mut self, now: Timestamp, mv: Move) {
        if self.line.push(mv) {
            self.seen.push(now);
        }
    }

    pub(crate) fn truncate(&mut self, plies: usize) {
        self.line.truncate(plies);
        self.seen.truncate(plies);
        self.confirmed = self.confirmed.min(plies);
        self.ordered = self.ordered.min(plies);
        self.shown = self.shown.min(plies);
    }
}
