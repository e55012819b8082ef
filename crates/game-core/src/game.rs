//! The record of one game, as the fold of its events: moves, times, tags and result.
//!
//! `pgn` writes it as PGN, `edit` corrects its moves, `over` says what is kept of it once it is over. Everything that is ever
//! shown of a game follows from its events. Must not know boards, storage, delay or viewers.

mod edit;
mod over;
mod pgn;
mod short_text;

use std::collections::BTreeMap;

use notation::pgn::Outcome;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position, san::SanPlus, uci::UciMove};

use crate::chess960::start_number;
use crate::event::{Event, Side, Variant, shown_result};
use crate::input::ResumedGap;
use crate::line::{fen_of, start_position};

pub use edit::{Edit, EditError, EnteredMove, MAX_PLIES};
pub use short_text::ShortText;

/// Plies for which a running game takes memory at once; doubling what it has would leave a third of it unused.
const MORE_PLIES: usize = 32;

/// A published move. The position after it follows from the moves before, see [`Game::fens`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveRecord {
    /// In SAN; the longest that parses is `Pe7xd8=Q+`.
    pub san: ShortText<9>,
    /// In UCI.
    pub uci: ShortText<5>,
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
    /// The same as FEN; empty before the first ply.
    fen_after: String,
    /// What is counted of the position after each ply, the start first; none of a game that is over.
    counts: Vec<Counts>,
    moves: Vec<MoveRecord>,
    /// Where moves went unseen, in order.
    gaps: Vec<Gap>,
    tags: BTreeMap<String, String>,
    clock: Option<ClockRecord>,
    result: Outcome,
    reason: String,
    ended: bool,
    unexplained: bool,
    /// Whether play went on from an unexplained position, or unseen until the result.
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
    /// What makes positions the same: pieces, player to move, castling rights, possible en passant. Two different
    /// positions of one game have the same number in less than one of 10^14 games.
    same: Zobrist64,
}

impl Counts {
    /// Of a position that has not occurred before.
    fn of(position: &Chess) -> Self {
        let (turn, fullmoves) = (Side::from(position.turn()), position.fullmoves().get());
        let same = position.zobrist_hash(EnPassantMode::Legal);
        Self { turn, fullmoves, quiet: position.halfmoves(), occurred: 1, same }
    }
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
            counts: vec![Counts::of(&start)],
            position: start,
            fen_after: String::new(),
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
                let counts = vec![Counts::of(&start)];
                *self = Self { fen: fen.clone(), variant: *variant, position: start, counts, ..Self::new() };
            }
            Event::Move { ply, san, uci, clk_ms, emt_ms } => {
                if *ply as usize != self.moves.len() + 1 || SanPlus::from_ascii(san.as_bytes()).is_err() {
                    return false;
                }
                let Some(after) = played(self.position(), uci) else { return false };
                let (Some(san), Some(uci)) = (ShortText::new(san), ShortText::new(uci)) else { return false };
                self.count(&after);
                self.fen_after = fen_of(&after);
                self.position = after;
                let (clk_ms, emt_ms) = (*clk_ms, *emt_ms);
                if self.moves.len() == self.moves.capacity() {
                    self.moves.reserve_exact(MORE_PLIES);
                }
                self.moves.push(MoveRecord { san, uci, clk_ms, emt_ms });
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
                self.fen_after = fen_of(&self.position);
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
    fn count(&mut self, position: &Chess) {
        let mut counts = Counts::of(position);
        let since = self.counts.len().saturating_sub(usize::try_from(counts.quiet).unwrap_or(usize::MAX));
        let others = self.counts.get(since..).unwrap_or_default();
        let earlier = others.iter().filter(|other| other.same == counts.same).count();
        counts.occurred = u32::try_from(earlier + 1).unwrap_or(u32::MAX);
        if self.counts.len() == self.counts.capacity() {
            self.counts.reserve_exact(MORE_PLIES);
        }
        self.counts.push(counts);
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

    /// The moves.
    pub fn moves(&self) -> &[MoveRecord] {
        &self.moves
    }

    /// The position after each ply, the start first.
    pub(crate) fn positions(&self) -> Vec<Chess> {
        self.start().into_iter().chain(self.replayed()).collect()
    }

    /// The position after each ply as FEN: all moves are played again.
    pub fn fens(&self) -> impl Iterator<Item = String> {
        self.replayed().map(|position| fen_of(&position))
    }

    /// The position after a ply as FEN, 0 for the start; none of a ply that was not played.
    pub fn fen_after(&self, ply: usize) -> Option<String> {
        match ply.checked_sub(1) {
            None => Some(self.fen.clone()),
            Some(_) if ply == self.moves.len() => Some(self.fen_after.clone()),
            Some(index) => self.fens().nth(index),
        }
    }

    /// The position after each ply.
    fn replayed(&self) -> impl Iterator<Item = Chess> {
        let mut before = self.start();
        self.moves.iter().enumerate().map_while(move |(index, record)| {
            // Nothing of this fails: the start and every move were accepted once.
            let from = self.gap_at(index).map(|gap| &gap.position).or(before.as_ref())?;
            before = Some(played(from, &record.uci)?);
            before.clone()
        })
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
    pub fn moves_before_gap(&self) -> &[MoveRecord] {
        let end = self.gaps.first().map_or(self.moves.len(), |gap| gap.after_ply);
        self.moves.get(..end).unwrap_or_default()
    }

    /// [`Self::position`] as FEN.
    pub fn fen_shown(&self) -> &str {
        let gap = self.gaps.last().filter(|gap| gap.after_ply == self.moves.len());
        let after_last = if self.moves.is_empty() { &self.fen } else { &self.fen_after };
        gap.map_or(after_last, |gap| &gap.fen)
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

    /// Whether the game began from the start position of standard chess.
    pub fn has_usual_start(&self) -> bool {
        self.fen == fen_of(&Chess::default())
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
