//! Games against the rules of chess: is every move legal, and what is its canonical form?
//!
//! Knows moves and start positions; must not know text beyond a single move.

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{Chess, Position};
use thiserror::Error;

use super::{Element, Game, Tags};
use crate::fen::{FenError, Style, write_fen};
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
    /// Before the latest move of the line, where its variations begin.
    before: Chess,
    now: Chess,
    /// The same for the lines around, the main line first.
    outer: Vec<(Chess, Chess)>,
}

impl Referee {
    pub(super) fn new(tags: &Tags) -> Result<Self, RulesError> {
        let start = start_position(tags)?;
        Ok(Self { before: start.clone(), now: start, outer: Vec::new() })
    }

    /// Makes a move; gives its canonical form.
    pub(super) fn play(&mut self, written: SanPlus) -> Result<SanPlus, Refusal> {
        if written.san == San::Null {
            if self.outer.is_empty() {
                return Err(Refusal::Null);
            }
            let passed = if self.now.is_check() { None } else { self.now.clone().swap_turn().ok() };
            self.before = std::mem::replace(&mut self.now, passed.ok_or(Refusal::Move(Wrong::Illegal))?);
            return Ok(SanPlus { san: San::Null, suffix: None });
        }
        let (found, san) = find_san(&self.now, written.san).map_err(Refusal::Move)?;
        self.before.clone_from(&self.now);
        self.now.play_unchecked(found);
        let suffix = self
            .now
            .is_check()
            .then(|| if self.now.legal_moves().is_empty() { Suffix::Checkmate } else { Suffix::Check });
        Ok(SanPlus { san, suffix })
    }

    /// A variation of the latest move begins.
    pub(super) fn open(&mut self) {
        let inner = self.before.clone();
        let before = std::mem::replace(&mut self.before, inner.clone());
        let now = std::mem::replace(&mut self.now, inner);
        self.outer.push((before, now));
    }

    /// The innermost variation ends; without one nothing happens.
    pub(super) fn close(&mut self) {
        if let Some((before, now)) = self.outer.pop() {
            self.before = before;
            self.now = now;
        }
    }

    /// What is wrong with a move that could not be made.
    pub(super) fn explain(&self, written: SanPlus, wrong: Refusal) -> RulesError {
        let (san, fen) = (written.to_string(), write_fen(&self.now, Style::MODERN));
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
