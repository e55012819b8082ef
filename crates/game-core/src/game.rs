//! The record of one game, as the fold of its events: moves, times, tags and result.
//!
//! `pgn` writes it as PGN, `edit` corrects its moves, `over` says what is kept of it once it is over. Everything that is ever
//! shown of a game follows from its events. Must not know boards, storage, delay or viewers.

mod edit;
mod over;
mod pgn;

use std::collections::BTreeMap;
use std::sync::Arc;

use notation::pgn::Outcome;
use shakmaty::{Chess, EnPassantMode, Position, san::SanPlus, uci::UciMove};

use crate::chess960::start_number;
use crate::event::{Event, Side, Variant, shown_result};
use crate::input::ResumedGap;
use crate::line::{fen_of, start_position};

pub use edit::{Edit, EditError, EnteredMove, MAX_PLIES};

/// A published move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRecord {
    /// In SAN.
    pub san: String,
    /// In UCI.
    pub uci: String,
    /// The position after it as FEN.
    pub fen_after: String,
    /// As in [`Event::Move`].
    pub clk_ms: Option<u64>,
    /// As in [`Event::Move`].
    pub emt_ms: Option<u64>,
}

/// Moves that went unseen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The last ply before them; 0 when there is none.
    pub after_ply: usize,
    /// The position from which the game goes on, as FEN.
    pub fen: String,
    position: Chess,
}

/// The last reading of the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockRecord {
    /// White's time left, in ms.
    pub white_ms: Option<u64>,
    /// Black's time left, in ms.
    pub black_ms: Option<u64>,
    /// The player whose time runs.
    pub running: Option<Side>,
    /// The player whose flag is down.
    pub flag: Option<Side>,
    /// The instant of the reading, UTC ms.
    pub read_at: u64,
}

/// A game as the fold of its events.
#[derive(Clone, Debug)]
pub struct Game {
    fen: String,
    variant: Variant,
    /// The position after each ply, the start first; of a game that is over perhaps the last one alone.
    positions: Vec<Chess>,
    /// How often each of these positions has occurred by then.
    repetitions: Vec<u32>,
    moves: Vec<Arc<MoveRecord>>,
    /// Where moves went unseen, in order.
    gaps: Vec<Gap>,
    tags: BTreeMap<String, String>,
    clock: Option<ClockRecord>,
    result: Outcome,
    reason: String,
    ended: bool,
    unexplained: bool,
    /// Whether play went on from an unexplained position.
    played_on: bool,
    /// The movetext of an imported game; empty without one.
    annotated: String,
}

/// Whether two positions count as the same: pieces, player to move, castling rights, possible en passant (FIDE Laws, 9.2.3).
fn are_same(one: &Chess, other: &Chess) -> bool {
    one.turn() == other.turn()
        && one.board() == other.board()
        && one.castles().castling_rights() == other.castles().castling_rights()
        && one.ep_square(EnPassantMode::Legal) == other.ep_square(EnPassantMode::Legal)
}

/// The position after a move; none when it is not legal.
fn played(position: &Chess, uci: &str) -> Option<Chess> {
    let mv = uci.parse::<UciMove>().ok()?.to_move(position).ok()?;
    position.clone().play(mv).ok()
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// A game without events: the usual start position, no moves.
    pub fn new() -> Self {
        let start = Chess::default();
        Self {
            fen: fen_of(&start),
            variant: Variant::Standard,
            positions: vec![start],
            repetitions: vec![1],
            moves: Vec::new(),
            gaps: Vec::new(),
            tags: BTreeMap::new(),
            clock: None,
            result: Outcome::Unknown,
            reason: String::new(),
            ended: false,
            unexplained: false,
            played_on: false,
            annotated: String::new(),
        }
    }

    /// Applies the next event. Returns false, and changes nothing, when the event does not fit: an illegal move, a ply out
    /// of order.
    pub fn apply(&mut self, event: &Event) -> bool {
        if matches!(event, Event::Move { .. } | Event::Retract { .. }) {
            self.restore_positions();
        }
        match event {
            Event::GameStarted { fen, variant } => {
                let Ok(start) = start_position(fen, *variant) else { return false };
                *self = Self { fen: fen.clone(), variant: *variant, positions: vec![start], ..Self::new() };
            }
            Event::Move { ply, san, uci, clk_ms, emt_ms } => {
                if *ply as usize != self.moves.len() + 1 || SanPlus::from_ascii(san.as_bytes()).is_err() {
                    return false;
                }
                let Some(after) = played(self.position(), uci) else { return false };
                self.moves.push(Arc::new(MoveRecord {
                    san: san.clone(),
                    uci: uci.clone(),
                    fen_after: fen_of(&after),
                    clk_ms: *clk_ms,
                    emt_ms: *emt_ms,
                }));
                self.push_position(after);
                // The moves after the illegal one are known now: the record no longer stops there.
                self.played_on = false;
            }
            Event::Retract { to_ply } => {
                let plies = *to_ply as usize;
                if plies > self.moves.len() {
                    return false;
                }
                self.moves.truncate(plies);
                self.positions.truncate(plies + 1);
                self.repetitions.truncate(plies + 1);
                self.gaps.retain(|gap| gap.after_ply <= plies);
            }
            Event::Gap { after_ply, fen } => {
                let after_ply = *after_ply as usize;
                if after_ply != self.moves.len() {
                    return false;
                }
                let position =
                    fen.as_ref().map(|fen| start_position(fen, self.variant).map(|position| (fen, position)));
                let Ok(gap) = position.transpose() else { return false };
                self.gaps.retain(|gap| gap.after_ply < after_ply);
                self.gaps.extend(gap.map(|(fen, position)| Gap { after_ply, fen: fen.clone(), position }));
                (self.unexplained, self.played_on) = (false, false);
            }
            Event::Amend { ply, clk_ms, emt_ms } => {
                let Some(record) = (*ply as usize).checked_sub(1).and_then(|i| self.moves.get_mut(i)) else {
                    return false;
                };
                let record = Arc::make_mut(record);
                (record.clk_ms, record.emt_ms) = (*clk_ms, *emt_ms);
            }
            Event::Tags { tags } => {
                for (name, value) in tags {
                    if value.is_empty() {
                        self.tags.remove(name);
                    } else {
                        self.tags.insert(name.clone(), value.clone());
                    }
                }
            }
            Event::Clock { white_ms, black_ms, running, flag, read_at } => {
                let (white_ms, black_ms, running, flag) = (*white_ms, *black_ms, *running, *flag);
                self.clock = Some(ClockRecord { white_ms, black_ms, running, flag, read_at: *read_at });
            }
            Event::Annotated { movetext } => self.annotated.clone_from(movetext),
            // Pieces set up after the game do not concern it.
            Event::Unexplained { .. } => self.unexplained = !self.ended,
            Event::PlayedOn => self.played_on |= !self.ended,
            Event::Resolved => {
                self.unexplained = false;
                if !self.ended {
                    self.played_on = false;
                }
            }
            Event::Result { result, reason } => {
                self.result = *result;
                self.reason.clone_from(reason);
                self.keep_what_is_needed();
            }
            Event::GameEnded => {
                self.ended = true;
                self.unexplained = false;
                self.keep_what_is_needed();
            }
        }
        true
    }

    /// Adds a position and counts its occurrences. Only positions since the last capture or pawn move can be equal.
    fn push_position(&mut self, position: Chess) {
        let quiet = usize::try_from(position.halfmoves()).unwrap_or(usize::MAX);
        let earlier = self.positions.iter().rev().take(quiet).filter(|earlier| are_same(earlier, &position)).count();
        self.repetitions.push(u32::try_from(earlier + 1).unwrap_or(u32::MAX));
        self.positions.push(position);
    }

    /// The start position.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// The rules.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The moves. A copy of the game, and what was released of it, share them.
    pub fn moves(&self) -> &[Arc<MoveRecord>] {
        &self.moves
    }

    /// The position after each ply of a running game, the start first.
    pub(crate) fn positions(&self) -> &[Chess] {
        &self.positions
    }

    /// The position after the last ply, or that from which the game goes on after moves that went unseen.
    pub fn position(&self) -> &Chess {
        self.before(self.moves.len())
    }

    /// The position before the ply at an index of a running game, from 0; after the last ply, also of a game that is over, when there
    /// is none.
    fn before(&self, index: usize) -> &Chess {
        let gap = self.gaps.iter().find(|gap| gap.after_ply == index);
        // One position is always there.
        gap.map_or_else(|| &self.positions[index.min(self.positions.len() - 1)], |gap| &gap.position)
    }

    /// Where moves went unseen, in order.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The same for the session that continues the game.
    pub fn resumed_gaps(&self) -> Vec<ResumedGap> {
        let resumed = |gap: &Gap| ResumedGap {
            after_ply: u32::try_from(gap.after_ply).unwrap_or(u32::MAX),
            fen: gap.fen.clone(),
        };
        self.gaps.iter().map(resumed).collect()
    }

    /// The moves that follow each other from the start position: all of them, or those before the first gap.
    pub fn moves_before_gap(&self) -> &[Arc<MoveRecord>] {
        let end = self.gaps.first().map_or(self.moves.len(), |gap| gap.after_ply);
        self.moves.get(..end).unwrap_or_default()
    }

    /// [`Self::position`] as FEN.
    pub fn fen_shown(&self) -> &str {
        let gap = self.gaps.last().filter(|gap| gap.after_ply == self.moves.len());
        gap.map_or_else(|| self.moves.last().map_or(&*self.fen, |last| &last.fen_after), |gap| &gap.fen)
    }

    /// How often the position after each ply of a running game has occurred by then, the start first (FIDE Laws, 9.2.3).
    pub(crate) fn repetitions(&self) -> &[u32] {
        &self.repetitions
    }

    /// The tags set by events, without the result and those that follow from the moves.
    pub fn tags(&self) -> &BTreeMap<String, String> {
        &self.tags
    }

    /// The last reading of the clocks.
    pub fn clock(&self) -> Option<&ClockRecord> {
        self.clock.as_ref()
    }

    /// The result.
    pub fn result(&self) -> Outcome {
        self.result
    }

    /// The result as people read it, see [`shown_result`].
    pub fn shown_result(&self) -> &'static str {
        shown_result(self.result, &self.reason)
    }

    /// The reason of the result; empty without one.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Whether the game has ended on the board.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Whether the position on the board is unexplained.
    pub fn unexplained(&self) -> bool {
        self.unexplained
    }

    /// The Chess960 number of the start position, 0 to 959; none under other rules or for another position.
    pub fn chess960_number(&self) -> Option<u32> {
        if self.variant != Variant::Chess960 {
            return None;
        }
        start_number(&start_position(&self.fen, self.variant).ok()?)
    }

    /// Whether play went on from a position that no line leads to, so that the moves up to it are unknown.
    pub fn stops_at_illegal(&self) -> bool {
        self.played_on || !self.gaps.is_empty()
    }

    /// Whether the game goes on: no result, and not ended.
    pub fn is_running(&self) -> bool {
        self.result == Outcome::Unknown && !self.ended
    }
}
