//! Games against the rules of chess: is every move legal, and what is its canonical form?
//!
//! Knows moves and start positions; must not know text beyond a single move.

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{Bitboard, Chess, Position};
use thiserror::Error;

use super::{Element, Game, Tags};
use crate::fen::{FenError, Style, write_fen};
use crate::movers::is_mate;
use crate::play::{Wrong, find_san, start_position};

/// Why a game is against the rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesError {
    /// The `FEN` tag is no legal position.
    #[error("the FEN tag does not say a position: {0}")]
    Start(#[from] FenError),
    /// The position does not allow the move.
    #[error("the move {san} is not legal in {fen}; correct it or the moves before it")]
    Illegal {
        /// The move as it was written, signs apart.
        san: String,
        /// The position.
        fen: String,
    },
    /// A null move in the line that was played.
    #[error("a null move can stand in variations only; take it out or put it into a variation")]
    Null,
    /// Several pieces can make the move.
    #[error("the move {san} can be made by several pieces in {fen}; name the file or rank it comes from")]
    Ambiguous {
        /// The move as it was written, signs apart.
        san: String,
        /// The position.
        fen: String,
    },
}

/// Checks every move of a game, variations included, and brings it to canonical form: pieces disambiguated as much as
/// needed and no more, captures, promotions, checks and mates marked as the standard says (PGN standard, 8.2.3).
///
/// # Errors
/// What is against the rules, and the index of that element in [`Game::movetext`] (0 for the start position). Elements
/// before it are in canonical form then.
pub fn normalise(game: &mut Game) -> Result<(), (usize, RulesError)> {
    let mut referee = Referee::new(&game.tags).map_err(|error| (0, error))?;
    for (index, element) in game.movetext.iter_mut().enumerate() {
        match element {
            Element::Move(san) => {
                *san = referee.play(*san).map_err(|wrong| (index, referee.explain(*san, wrong)))?;
            }
            Element::Open => referee.open(),
            Element::Close => referee.close(),
            Element::Nag(_) | Element::Comment(_) => {}
        }
    }
    Ok(())
}

/// Follows a game move by move.
#[derive(Debug, Clone, Default)]
pub(super) struct Referee {
    line: Line,
    /// The lines around, the main line first.
    outer: Vec<Line>,
}

#[derive(Debug, Clone, Default)]
struct Line {
    /// Before the latest move, where its variations begin.
    before: Chess,
    now: Chess,
    /// The pieces that give check now.
    checkers: Bitboard,
}

impl Line {
    fn from(start: Chess) -> Self {
        Self { checkers: start.checkers(), before: start.clone(), now: start }
    }
}

impl Referee {
    pub(super) fn new(tags: &Tags) -> Result<Self, RulesError> {
        Ok(Self { line: Line::from(start_position(tags)?), outer: Vec::new() })
    }

    /// Makes a move; gives its canonical form.
    pub(super) fn play(&mut self, written: SanPlus) -> Result<SanPlus, Refusal> {
        let line = &mut self.line;
        if written.san == San::Null {
            if self.outer.is_empty() {
                return Err(Refusal::Null);
            }
            let passed = if line.checkers.any() { None } else { line.now.clone().swap_turn().ok() };
            line.before = std::mem::replace(&mut line.now, passed.ok_or(Refusal::Move(Wrong::Illegal))?);
            return Ok(SanPlus { san: San::Null, suffix: None });
        }
        let (found, san) = find_san(&line.now, line.checkers, written.san).map_err(Refusal::Move)?;
        line.before.clone_from(&line.now);
        line.now.play_unchecked(found);
        line.checkers = line.now.checkers();
        let mark = || if is_mate(&line.now) { Suffix::Checkmate } else { Suffix::Check };
        Ok(SanPlus { san, suffix: line.checkers.any().then(mark) })
    }

    /// A variation of the latest move begins.
    pub(super) fn open(&mut self) {
        let variation = Line::from(self.line.before.clone());
        self.outer.push(std::mem::replace(&mut self.line, variation));
    }

    /// The innermost variation ends; without one nothing happens.
    pub(super) fn close(&mut self) {
        if let Some(around) = self.outer.pop() {
            self.line = around;
        }
    }

    /// What is wrong with a move that could not be made.
    pub(super) fn explain(&self, written: SanPlus, wrong: Refusal) -> RulesError {
        let (san, fen) = (written.to_string(), write_fen(&self.line.now, Style::MODERN));
        match wrong {
            Refusal::Move(Wrong::Illegal) => RulesError::Illegal { san, fen },
            Refusal::Move(Wrong::Ambiguous) => RulesError::Ambiguous { san, fen },
            Refusal::Null => RulesError::Null,
        }
    }
}

/// Why a move cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is no move of the position.
    Move(Wrong),
    /// A null move was played.
    Null,
}
