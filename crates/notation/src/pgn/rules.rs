//! Games against the rules of chess: is every move legal, and what is its canonical form?
//!
//! Knows moves and start positions; must not know text beyond a single move.

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{CastlingMode, CastlingSide, Chess, EnPassantMode, File, Move, Position, Rank, Role, Square};
use thiserror::Error;

use super::{Element, Game, Tags};

/// Why a game is against the rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesError {
    /// The `FEN` tag is no legal position.
    #[error("the FEN tag is no legal start position; correct it")]
    Start,
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

/// The position that a game starts from: its `FEN` tag or the usual array. With a `Variant` tag that names Chess960 in
/// one of its ways, castling is that of Chess960.
///
/// # Errors
/// The `FEN` tag is no legal position.
pub fn start_position(tags: &Tags) -> Result<Chess, RulesError> {
    let Some(fen) = tags.get("FEN") else { return Ok(Chess::default()) };
    let variant = tags.get("Variant").unwrap_or_default().to_ascii_lowercase();
    let chess960 = ["960", "fischerandom", "fischerrandom", "freestyle"].iter().any(|name| variant.contains(name));
    let fen: Fen = fen.parse().map_err(|_| RulesError::Start)?;
    fen.into_position(CastlingMode::from_chess960(chess960)).map_err(|_| RulesError::Start)
}

/// Follows a game move by move.
#[derive(Debug, Clone)]
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
    pub(super) fn play(&mut self, written: SanPlus) -> Result<SanPlus, Wrong> {
        if written.san == San::Null {
            if self.outer.is_empty() {
                return Err(Wrong::Null);
            }
            let passed = if self.now.is_check() { None } else { self.now.clone().swap_turn().ok() };
            self.before = std::mem::replace(&mut self.now, passed.ok_or(Wrong::Illegal)?);
            return Ok(SanPlus { san: San::Null, suffix: None });
        }
        let (found, san) = find(&self.now, written.san)?;
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
    pub(super) fn explain(&self, written: SanPlus, wrong: Wrong) -> RulesError {
        let (san, fen) = (written.to_string(), Fen::from_position(&self.now, EnPassantMode::Legal).to_string());
        match wrong {
            Wrong::Illegal => RulesError::Illegal { san, fen },
            Wrong::Ambiguous => RulesError::Ambiguous { san, fen },
            Wrong::Null => RulesError::Null,
        }
    }
}

/// Why a move cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    /// No legal move fits.
    Illegal,
    /// Several legal moves fit.
    Ambiguous,
    /// A null move was played.
    Null,
}

/// Looks for the legal move that is meant. A capture sign, a check mark and disambiguation may be missing, wrong or
/// superfluous, as long as one legal move fits.
fn find(position: &Chess, san: San) -> Result<(Move, San), Wrong> {
    let San::Normal { role, file, rank, to, promotion, .. } = san else {
        return match san {
            San::Castle(side) => castle(position, side),
            _ => Err(Wrong::Illegal),
        };
    };
    match among(position, role, (file, rank), to, promotion) {
        Err(Wrong::Illegal) if role == Role::Pawn => unusual(position, (file, rank), to, promotion),
        found => found,
    }
}

fn among(
    position: &Chess,
    role: Role,
    (file, rank): (Option<File>, Option<Rank>),
    to: Square,
    promotion: Option<Role>,
) -> Result<(Move, San), Wrong> {
    let candidates = position.san_candidates(role, to);
    let mut fitting = candidates.iter().filter(|candidate| {
        candidate.promotion() == promotion
            && candidate.from().is_some_and(|from| {
                file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
            })
    });
    match (fitting.next(), fitting.next()) {
        (Some(&found), None) => Ok((found, San::disambiguate(found, &candidates))),
        (Some(_), Some(_)) => Err(Wrong::Ambiguous),
        (None, _) => Err(Wrong::Illegal),
    }
}

/// What looks like a pawn's move and is none: coordinates (`g1f3`, `e1g1`), or a bishop in a small letter (`bc4`).
fn unusual(
    position: &Chess,
    from: (Option<File>, Option<Rank>),
    to: Square,
    promotion: Option<Role>,
) -> Result<(Move, San), Wrong> {
    match from {
        (Some(file), Some(rank)) => match position.board().role_at(Square::from_coords(file, rank)) {
            Some(Role::King) if file == File::E && to.file() == File::G && rank == to.rank() => {
                castle(position, CastlingSide::KingSide)
            }
            Some(Role::King) if file == File::E && to.file() == File::C && rank == to.rank() => {
                castle(position, CastlingSide::QueenSide)
            }
            Some(role) => among(position, role, from, to, promotion),
            None => Err(Wrong::Illegal),
        },
        (Some(File::B), None) => among(position, Role::Bishop, (None, None), to, None),
        _ => Err(Wrong::Illegal),
    }
}

fn castle(position: &Chess, side: CastlingSide) -> Result<(Move, San), Wrong> {
    match position.castling_moves(side).first() {
        Some(&found) => Ok((found, San::Castle(side))),
        None => Err(Wrong::Illegal),
    }
}
