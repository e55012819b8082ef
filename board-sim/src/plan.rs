//! A planned game: its legal moves, its end, and how the clock is set.
//!
//! Knows PGN through `notation` and the rules through shakmaty. Must not know hands or boards.

use dgt_protocol::Side;
use notation::pgn::{Game, Outcome, Tags};
use notation::time::Times;
use notation::time_control::{Period, TimeControl};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, fen::Fen, san::SanPlus};

use crate::{
    clock::{Bonus, ClockSettings, SimClock, other_side},
    random::RandomGame,
    result::Ending,
};

/// Why a game cannot be played on a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A move that is no legal move.
    #[error("{game}: ply {ply}, {san}, is no legal move there; correct the PGN")]
    Move {
        /// The players.
        game: String,
        /// Counted from 1.
        ply: usize,
        /// As written.
        san: String,
    },
    /// A `FEN` tag that is no position of chess.
    #[error("{game}: the FEN tag {fen} is no legal position; correct the PGN")]
    Start {
        /// The players.
        game: String,
        /// As written.
        fen: String,
    },
}

/// One move of the plan.
#[derive(Clone, Debug)]
pub struct PlannedPly {
    /// The move.
    pub m: Move,
    /// Its SAN, written anew with its check or mate mark.
    pub san: SanPlus,
    /// What the mover's clock showed after it according to the PGN, in milliseconds.
    pub clk_ms: Option<u64>,
}

/// A game with legal moves only.
#[derive(Clone, Debug)]
pub struct Plan {
    /// All tags as given, `Result` and `TimeControl` as played.
    pub tags: Tags,
    /// The position before the first move.
    pub start: Chess,
    /// The moves.
    pub plies: Vec<PlannedPly>,
    /// How it ends; mate and stalemate on the board override the result of the PGN.
    pub ending: Ending,
    /// How the clock is set; only White's side if `black_clock` is given.
    pub clock: ClockSettings,
    /// How Black's side is set, if not as White's.
    pub black_clock: Option<ClockSettings>,
}

impl Plan {
    /// Checks a PGN game. Variations and comments are left aside.
    ///
    /// # Errors
    /// [`PlanError`] for an illegal move or start position.
    pub fn from_pgn(game: &Game) -> Result<Self, PlanError> {
        let start = start_position(game)?;
        let mut position = start.clone();
        let mut plies = Vec::new();
        for (index, ply) in game.line().enumerate() {
            let m = ply.san.san.to_move(&position).map_err(|_| PlanError::Move {
                game: players(&game.tags),
                ply: index + 1,
                san: ply.san.to_string(),
            })?;
            let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
            plies.push(PlannedPly { m, san, clk_ms: ply.times().clk_ms });
        }
        let ending = if position.is_checkmate() {
            Ending::Mate(position.turn().other())
        } else if position.is_stalemate() {
            Ending::Stalemate
        } else {
            match game.outcome {
                Outcome::WhiteWins => Ending::Resigned(Color::White),
                Outcome::BlackWins => Ending::Resigned(Color::Black),
                Outcome::Draw => Ending::Drawn,
                Outcome::Unknown => Ending::Unknown,
            }
        };
        Ok(Self::new(game.tags.clone(), start, plies, ending))
    }

    /// A random game under these tags.
    pub fn from_random(tags: Tags, game: &RandomGame) -> Self {
        Self::from_random_at(tags, Chess::default(), game)
    }

    /// A random game from this start position.
    pub fn from_random_at(tags: Tags, start: Chess, game: &RandomGame) -> Self {
        let mut position = start.clone();
        let plies = game.moves.iter().map(|&m| PlannedPly {
            m,
            san: SanPlus::from_move_and_play_unchecked(&mut position, m),
            clk_ms: None,
        });
        let plies = plies.collect();
        Self::new(tags, start, plies, game.ending)
    }

    /// The game as it was played, with what the clock showed after each press.
    pub(crate) fn played(&self, clk_ms: &[Option<u64>]) -> Game {
        let mut game = Game { tags: self.tags.clone(), movetext: Vec::new(), outcome: self.ending.outcome() };
        for (ply, &clk_ms) in self.plies.iter().zip(clk_ms) {
            game.play(ply.san, Times { clk_ms, ..Times::default() });
        }
        game
    }

    fn new(mut tags: Tags, start: Chess, plies: Vec<PlannedPly>, ending: Ending) -> Self {
        let (text, clock) = settings(tags.get("TimeControl").unwrap_or_default());
        tags.set("TimeControl", text);
        tags.set("Result", ending.outcome().as_str());
        Self { tags, start, plies, ending, clock, black_clock: None }
    }

    /// The game with another time control for each player, as in Armageddon.
    #[must_use]
    pub fn with_controls(mut self, white: &str, black: &str) -> Self {
        (self.clock, self.black_clock) = (settings(white).1, Some(settings(black).1));
        self.tags.set("TimeControl", "?");
        self.tags.set("WhiteTimeControl", white);
        self.tags.set("BlackTimeControl", black);
        self
    }

    /// The clock of the game before it is started, with White at this side.
    pub(crate) fn clock_at(&self, white: Side, now_ms: u64) -> SimClock {
        let black = self.black_clock.as_ref().unwrap_or(&self.clock).clone();
        let first = if self.start.turn().is_white() { white } else { other_side(white) };
        let settings = if white == Side::Left { [self.clock.clone(), black] } else { [black, self.clock.clone()] };
        SimClock::for_each(settings, first, now_ms)
    }
}

fn start_position(game: &Game) -> Result<Chess, PlanError> {
    let Some(fen) = game.tags.get("FEN") else {
        return Ok(Chess::default());
    };
    let castling = CastlingMode::from_chess960(
        game.tags.get("Variant").is_some_and(|variant| variant.to_ascii_lowercase().contains("960")),
    );
    fen.parse::<Fen>()
        .ok()
        .and_then(|fen| fen.into_position(castling).ok())
        .ok_or_else(|| PlanError::Start { game: players(&game.tags), fen: fen.to_owned() })
}

/// The time control as text and as a clock is set to it. Where a game names none, or one that no clock can show, players have
/// 90 minutes and 30 seconds a move.
fn settings(control: &str) -> (String, ClockSettings) {
    const USUAL: Period = Period { moves: None, seconds: 5_400, increment_s: 30 };
    let periods = match control.parse() {
        Ok(TimeControl::Periods(periods)) if !periods.is_empty() => periods,
        _ => vec![USUAL],
    };
    let settings = ClockSettings {
        first: periods.first().copied().unwrap_or(USUAL),
        later: periods.iter().skip(1).copied().collect(),
        counts_moves: true,
        bonus: Bonus::Fischer,
    };
    (TimeControl::Periods(periods).to_string(), settings)
}

fn players(tags: &Tags) -> String {
    let name = |tag| tags.get(tag).unwrap_or("?").to_owned();
    format!("{} - {}", name("White"), name("Black"))
}
