//! The record of one game: a fold of its events, the PGN that follows from it, and how it is corrected.
//!
//! Knows moves, times, tags and the result. Knows nothing of boards, storage, delay or viewers. Everything that is
//! ever shown of a game can be computed from its events alone.

mod edit;
mod pgn;

use std::collections::BTreeMap;

use notation::pgn::Outcome;
use shakmaty::{Chess, EnPassantMode, Position, san::SanPlus, uci::UciMove};

use crate::chess960::start_number;
use crate::event::{Event, Side, Variant};
use crate::line::{fen_of, start_position};

pub use edit::{Edit, EditError, EnteredMove};

/// A published move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRecord {
    /// In SAN.
    pub san: String,
    /// In UCI.
    pub uci: String,
    /// The position after it.
    pub fen_after: String,
    /// As in [`Event::Move`].
    pub clk_ms: Option<u64>,
    /// As in [`Event::Move`].
    pub emt_ms: Option<u64>,
}

/// The last reading of the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockRecord {
    /// White's time left.
    pub white_ms: Option<u64>,
    /// Black's time left.
    pub black_ms: Option<u64>,
    /// Whose time runs.
    pub running: Option<Side>,
    /// Whose flag is down.
    pub flag: Option<Side>,
    /// The instant of the reading, UTC ms.
    pub read_at: u64,
}

/// A game as its events tell it.
#[derive(Clone, Debug)]
pub struct Game {
    fen: String,
    variant: Variant,
    /// The position after each ply, the start first.
    positions: Vec<Chess>,
    /// How many times each of them has stood by then.
    repetitions: Vec<u32>,
    moves: Vec<MoveRecord>,
    tags: BTreeMap<String, String>,
    clock: Option<ClockRecord>,
    result: Outcome,
    reason: String,
    ended: bool,
    unexplained: bool,
    /// It went on from what nothing explains.
    played_on: bool,
}

/// Whether two positions are the same: pieces, the player to move, and what may be moved, castling and en passant included
/// (FIDE Laws, 9.2.3).
fn are_same(one: &Chess, other: &Chess) -> bool {
    one.turn() == other.turn()
        && one.board() == other.board()
        && one.castles().castling_rights() == other.castles().castling_rights()
        && one.ep_square(EnPassantMode::Legal) == other.ep_square(EnPassantMode::Legal)
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// A game of which nothing is known yet: the usual start position, no moves.
    pub fn new() -> Self {
        let start = Chess::default();
        Self {
            fen: fen_of(&start),
            variant: Variant::Standard,
            positions: vec![start],
            repetitions: vec![1],
            moves: Vec::new(),
            tags: BTreeMap::new(),
            clock: None,
            result: Outcome::Unknown,
            reason: String::new(),
            ended: false,
            unexplained: false,
            played_on: false,
        }
    }

    /// Takes the next event. An event that does not fit the game (a move that is not legal, a ply out of order) changes
    /// nothing and is told by `false`.
    pub fn apply(&mut self, event: &Event) -> bool {
        match event {
            Event::GameStarted { fen, variant } => {
                let Ok(start) = start_position(fen, *variant) else { return false };
                *self = Self { fen: fen.clone(), variant: *variant, positions: vec![start], ..Self::new() };
            }
            Event::Move { ply, san, uci, clk_ms, emt_ms } => {
                if *ply as usize != self.moves.len() + 1 || SanPlus::from_ascii(san.as_bytes()).is_err() {
                    return false;
                }
                let Some(after) = self.play(uci) else { return false };
                self.moves.push(MoveRecord {
                    san: san.clone(),
                    uci: uci.clone(),
                    fen_after: fen_of(&after),
                    clk_ms: *clk_ms,
                    emt_ms: *emt_ms,
                });
                self.push_position(after);
                // Somebody has told what was played on: the record stops no longer where it did.
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
            }
            Event::Amend { ply, clk_ms, emt_ms } => {
                let Some(record) = (*ply as usize).checked_sub(1).and_then(|i| self.moves.get_mut(i)) else {
                    return false;
                };
                record.clk_ms = *clk_ms;
                record.emt_ms = *emt_ms;
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
            // What is set up on the board after the game is no matter of the game.
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
            }
            Event::GameEnded => {
                self.ended = true;
                self.unexplained = false;
            }
        }
        true
    }

    /// Adds a position and counts how many times it has stood: nothing before the last capture or pawn move can be equal.
    fn push_position(&mut self, position: Chess) {
        let quiet = usize::try_from(position.halfmoves()).unwrap_or(usize::MAX);
        let earlier = self.positions.iter().rev().take(quiet).filter(|earlier| are_same(earlier, &position)).count();
        self.repetitions.push(u32::try_from(earlier + 1).unwrap_or(u32::MAX));
        self.positions.push(position);
    }

    fn play(&self, uci: &str) -> Option<Chess> {
        let position = self.positions.last()?;
        let mv = uci.parse::<UciMove>().ok()?.to_move(position).ok()?;
        position.clone().play(mv).ok()
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
    pub(crate) fn positions(&self) -> &[Chess] {
        &self.positions
    }

    /// The position after the last ply.
    pub fn position(&self) -> &Chess {
        // The start is there from the first, and nothing takes it away.
        &self.positions[self.positions.len() - 1]
    }

    /// How many times the position after each ply has stood by then, the start first (FIDE Laws, 9.2.3).
    pub(crate) fn repetitions(&self) -> &[u32] {
        &self.repetitions
    }

    /// The tags as given by events; the result and what follows from the moves are not among them.
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

    /// What tells the result; empty without one.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Whether the game has ended for the board.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Whether the board shows something that nothing explains.
    pub fn unexplained(&self) -> bool {
        self.unexplained
    }

    /// The number of the start position in Chess960, 0 to 959; none when other rules or another position were agreed.
    pub fn chess960_number(&self) -> Option<u32> {
        self.positions.first().filter(|_| self.variant == Variant::Chess960).and_then(start_number)
    }

    /// Whether the game went on from a position that no legal moves lead to: the record stops at its last move, and what was
    /// played behind it is not known.
    pub fn stops_at_illegal(&self) -> bool {
        self.played_on
    }

    /// Whether the game goes on: no result, not ended.
    pub fn is_running(&self) -> bool {
        self.result == Outcome::Unknown && !self.ended
    }
}
