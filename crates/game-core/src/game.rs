//! The record of one game: a fold of its events, and the PGN that follows from it.
//!
//! Knows moves, times, tags and the result. Knows nothing of boards, storage, delay or viewers. Everything that is
//! ever shown of a game can be computed from its events alone.

use std::collections::BTreeMap;

use notation::clock_tags::{ClockTag, ReferenceTime, Running};
use notation::pgn::{Game as PgnGame, Outcome, Tags};
use notation::time::{Times, format_clk};
use shakmaty::{Chess, Position, san::SanPlus, uci::UciMove};

use crate::event::{Event, Side, Variant};
use crate::line::{fen_of, start_position};

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
    moves: Vec<MoveRecord>,
    tags: BTreeMap<String, String>,
    clock: Option<ClockRecord>,
    result: Outcome,
    reason: String,
    ended: bool,
    unexplained: bool,
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
            moves: Vec::new(),
            tags: BTreeMap::new(),
            clock: None,
            result: Outcome::Unknown,
            reason: String::new(),
            ended: false,
            unexplained: false,
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
                self.positions.push(after);
            }
            Event::Retract { to_ply } => {
                let plies = *to_ply as usize;
                if plies > self.moves.len() {
                    return false;
                }
                self.moves.truncate(plies);
                self.positions.truncate(plies + 1);
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
            Event::Clock { white_ms, black_ms, running, read_at } => {
                self.clock = Some(ClockRecord {
                    white_ms: *white_ms,
                    black_ms: *black_ms,
                    running: *running,
                    read_at: *read_at,
                });
            }
            // What is set up on the board after the game is no matter of the game.
            Event::Unexplained { .. } => self.unexplained = !self.ended,
            Event::Resolved => self.unexplained = false,
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

    /// Whether the game goes on: no result, not ended.
    pub fn is_running(&self) -> bool {
        self.result == Outcome::Unknown && !self.ended
    }

    /// The game as PGN (DESIGN 3.5). A running game tells its clocks as they stood when something last happened.
    pub fn to_pgn(&self) -> PgnGame {
        let mut tags = Tags::new();
        for (name, value) in &self.tags {
            tags.set(name, value);
        }
        if self.fen != fen_of(&Chess::default()) {
            tags.set("SetUp", "1");
            tags.set("FEN", &self.fen);
        }
        if self.variant == Variant::Chess960 {
            tags.set("Variant", self.variant.name());
        }
        if self.is_running() {
            self.add_clock_tags(&mut tags);
        }
        let mut game = PgnGame { tags, movetext: Vec::new(), outcome: self.result };
        for mv in &self.moves {
            // `apply` took no move that is not in SAN.
            let Ok(san) = SanPlus::from_ascii(mv.san.as_bytes()) else { break };
            game.play(san, Times { clk_ms: mv.clk_ms, emt_ms: mv.emt_ms, ..Times::default() });
        }
        game
    }

    fn add_clock_tags(&self, tags: &mut Tags) {
        let Some(clock) = self.clock else { return };
        for (name, value) in [("WhiteClock", clock.white_ms), ("BlackClock", clock.black_ms)] {
            if let Some(ms) = value {
                tags.set(name, format_clk(ms));
            }
        }
        let to_move = self.positions.last().map_or(Side::White, |position| position.turn().into());
        let running = match clock.running {
            Some(Side::White) => Running::White,
            Some(Side::Black) => Running::Black,
            None => Running::Neither,
        };
        let shown = match clock.running.unwrap_or(to_move) {
            Side::White => clock.white_ms,
            Side::Black => clock.black_ms,
        };
        if let Some(ms) = shown {
            tags.set("Clock", ClockTag { running, ms }.to_string());
            // No date of a board's game is beyond the range of an `i64`.
            let utc_ms = i64::try_from(clock.read_at).unwrap_or(i64::MAX);
            tags.set("ReferenceTime", ReferenceTime { running, utc_ms }.to_string());
        }
    }
}
