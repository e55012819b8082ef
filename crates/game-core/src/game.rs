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
use shakmaty::{Chess, Position, san::SanPlus, uci::UciMove};

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
    /// The position after the last ply.
    position: Chess,
    /// What is counted of the position after each ply, the start first; none of a game that is over.
    counts: Vec<Counts>,
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

/// What the rules count of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The player to move.
    pub(crate) turn: Side,
    /// The number of his move.
    pub(crate) fullmoves: u32,
    /// Plies since the last capture or pawn move.
    pub(crate) quiet: u32,
    /// How often the position has occurred by then (FIDE Laws, 9.2.3).
    pub(crate) occurred: u32,
}

impl Counts {
    fn of(position: &Chess, occurred: u32) -> Self {
        let (turn, fullmoves) = (Side::from(position.turn()), position.fullmoves().get());
        Self { turn, fullmoves, quiet: position.halfmoves(), occurred }
    }
}

/// What makes positions the same, of a position as [`fen_of`] writes it: pieces, player to move, castling rights, possible en
/// passant (FIDE Laws, 9.2.3).
fn without_numbers(fen: &str) -> &str {
    fen.rsplitn(3, ' ').last().unwrap_or(fen)
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
            counts: vec![Counts::of(&start, 1)],
            position: start,
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
            self.restore_counts();
        }
        match event {
            Event::GameStarted { fen, variant } => {
                let Ok(start) = start_position(fen, *variant) else { return false };
                let counts = vec![Counts::of(&start, 1)];
                *self = Self { fen: fen.clone(), variant: *variant, position: start, counts, ..Self::new() };
            }
            Event::Move { ply, san, uci, clk_ms, emt_ms } => {
                if *ply as usize != self.moves.len() + 1 || SanPlus::from_ascii(san.as_bytes()).is_err() {
                    return false;
                }
                let Some(after) = played(self.position(), uci) else { return false };
                let fen_after = fen_of(&after);
                self.count(&after, &fen_after);
                self.position = after;
                let (san, uci, clk_ms, emt_ms) = (san.clone(), uci.clone(), *clk_ms, *emt_ms);
                self.moves.push(Arc::new(MoveRecord { san, uci, fen_after, clk_ms, emt_ms }));
                // The moves after the illegal one are known now: the record no longer stops there.
                self.played_on = false;
            }
            Event::Retract { to_ply } => {
                let plies = *to_ply as usize;
                if plies > self.moves.len() {
                    return false;
                }
                self.moves.truncate(plies);
                self.counts.truncate(plies + 1);
                self.position = self.positions().pop().unwrap_or_default();
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

    /// Counts what the rules count of the position after the next ply. Only positions since the last capture or pawn move can be
    /// equal.
    fn count(&mut self, position: &Chess, fen: &str) {
        let plies = self.counts.len().saturating_sub(1);
        let since = (plies + 1).saturating_sub(usize::try_from(position.halfmoves()).unwrap_or(usize::MAX));
        let same = |other: &str| without_numbers(other) == without_numbers(fen);
        let played = self.moves.get(since.saturating_sub(1)..plies).unwrap_or_default();
        let at_start = since == 0 && self.start().is_some_and(|start| same(&fen_of(&start)));
        let earlier = played.iter().filter(|played| same(&played.fen_after)).count() + usize::from(at_start);
        self.counts.push(Counts::of(position, u32::try_from(earlier + 1).unwrap_or(u32::MAX)));
    }

    fn start(&self) -> Option<Chess> {
        start_position(&self.fen, self.variant).ok()
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

    /// The position after each ply, the start first.
    pub(crate) fn positions(&self) -> Vec<Chess> {
        // Nothing of this fails: the start and every move were accepted once.
        let mut positions: Vec<Chess> = self.start().into_iter().collect();
        for (index, record) in self.moves.iter().enumerate() {
            let Some(after) = self.before(&positions, index).and_then(|before| played(before, &record.uci)) else {
                break;
            };
            positions.push(after);
        }
        positions
    }

    /// The position after the last ply, or that from which the game goes on after moves that went unseen.
    pub fn position(&self) -> &Chess {
        self.gap_at(self.moves.len()).map_or(&self.position, |gap| &gap.position)
    }

    /// The position before the ply at an index, from 0, where these are the positions after each ply.
    fn before<'a>(&'a self, positions: &'a [Chess], index: usize) -> Option<&'a Chess> {
        self.gap_at(index).map(|gap| &gap.position).or_else(|| positions.get(index))
    }

    fn gap_at(&self, after_ply: usize) -> Option<&Gap> {
        self.gaps.iter().find(|gap| gap.after_ply == after_ply)
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

    /// What is counted of the position after each ply of a running game, the start first.
    pub(crate) fn counts(&self) -> &[Counts] {
        &self.counts
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
