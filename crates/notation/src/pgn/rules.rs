//! Checks that the moves of a game are legal and brings them to canonical form.
//!
//! Must not know text beyond a single move.

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{Bitboard, Chess, Position};
use thiserror::Error;

use super::game::{Element, Game};
use super::positions::{start_position, unsupported_variant};
use super::tags::Tags;
use crate::excerpt::excerpt;
use crate::fen::{FenError, Style, write_fen};
use crate::movers::is_mate;
use crate::play::{Mismatch, find_san};

/// Why a game breaks the rules of chess.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesError {
    /// The `FEN` tag is not a legal position.
    #[error("the FEN tag is not valid: {0}")]
    Start(#[from] FenError),
    /// The `Variant` tag names a variant other than Chess960.
    #[error("the variant “{0}” is not supported; only standard chess and Chess960 are")]
    Variant(String),
    /// The position does not allow the move.
    #[error("the move {san} is not legal in the position {fen}; correct it or the moves before it")]
    Illegal {
        /// The move as written, without suffix.
        san: String,
        /// The position.
        fen: String,
    },
    /// A null move in the main line.
    #[error("a null move is allowed in variations only; delete it or put it into a variation")]
    Null,
    /// Several pieces can make the move.
    #[error("several pieces can make the move {san} in the position {fen}; add the file or rank it starts from")]
    Ambiguous {
        /// The move as written, without suffix.
        san: String,
        /// The position.
        fen: String,
    },
}

/// Checks every move of a game, variations included, and brings it to canonical form: minimal disambiguation, captures,
/// promotions, checks and mates marked (PGN standard, 8.2.3).
///
/// # Errors
/// The first illegal element: its index in [`Game::movetext`] (0 for the start position) and the reason. The elements
/// before it are then in canonical form.
pub fn normalise(game: &mut Game) -> Result<(), (usize, RulesError)> {
    let mut checker = LegalityChecker::new(&game.tags).map_err(|error| (0, error))?;
    for (index, element) in game.movetext.iter_mut().enumerate() {
        match element {
            Element::Move(san) => {
                *san = checker.play(*san).map_err(|refusal| (index, checker.explain(*san, refusal)))?;
            }
            Element::Open => checker.open(),
            Element::Close => checker.close(),
            Element::Nag(_) | Element::Comment(_) => {}
        }
    }
    Ok(())
}

/// Follows a game move by move and checks each move.
#[derive(Debug, Clone, Default)]
pub(super) struct LegalityChecker {
    /// Whether null moves in the main line are played too.
    pub(super) keep_null_moves: bool,
    line: Line,
    /// The lines around the current one, the main line first.
    outer: Vec<Line>,
}

#[derive(Debug, Clone, Default)]
struct Line {
    /// The position before the latest move, where its variations begin.
    before: Chess,
    /// The position after the latest move.
    now: Chess,
    /// The pieces that give check in it.
    checkers: Bitboard,
}

impl Line {
    fn from(start: Chess) -> Self {
        Self { checkers: start.checkers(), before: start.clone(), now: start }
    }
}

impl LegalityChecker {
    pub(super) fn new(tags: &Tags) -> Result<Self, RulesError> {
        if let Some(variant) = unsupported_variant(tags) {
            return Err(RulesError::Variant(excerpt(variant)));
        }
        Ok(Self { line: Line::from(start_position(tags)?), ..Self::default() })
    }

    /// Plays a move and returns its canonical form.
    pub(super) fn play(&mut self, written: SanPlus) -> Result<SanPlus, Refusal> {
        let line = &mut self.line;
        if written.san == San::Null {
            if self.outer.is_empty() && !self.keep_null_moves {
                return Err(Refusal::Null);
            }
            let passed = if line.checkers.any() { None } else { line.now.clone().swap_turn().ok() };
            line.before = std::mem::replace(&mut line.now, passed.ok_or(Refusal::Move(Mismatch::Illegal))?);
            return Ok(SanPlus { san: San::Null, suffix: None });
        }
        let (found, san) = find_san(&line.now, line.checkers, written.san).map_err(Refusal::Move)?;
        line.before.clone_from(&line.now);
        line.now.play_unchecked(found);
        line.checkers = line.now.checkers();
        let mark = || if is_mate(&line.now) { Suffix::Checkmate } else { Suffix::Check };
        Ok(SanPlus { san, suffix: line.checkers.any().then(mark) })
    }

    /// Begins a variation of the latest move.
    pub(super) fn open(&mut self) {
        let variation = Line::from(self.line.before.clone());
        self.outer.push(std::mem::replace(&mut self.line, variation));
    }

    /// Ends the innermost variation, if there is one.
    pub(super) fn close(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.line = outer;
        }
    }

    /// The error for a move that [`LegalityChecker::play`] refused.
    pub(super) fn explain(&self, written: SanPlus, refusal: Refusal) -> RulesError {
        let (san, fen) = (written.to_string(), write_fen(&self.line.now, Style::MODERN));
        match refusal {
            Refusal::Move(Mismatch::Illegal) => RulesError::Illegal { san, fen },
            Refusal::Move(Mismatch::Ambiguous) => RulesError::Ambiguous { san, fen },
            Refusal::Null => RulesError::Null,
        }
    }
}

/// Why a move is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is not a legal move of the position.
    Move(Mismatch),
    /// A null move in the main line.
    Null,
}
