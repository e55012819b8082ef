//! Moves as text in a position: the bridge between notation and the rules of chess.
//!
//! Knows how the world writes a move and which legal move it means; must not know games, files or
//! annotations.

use shakmaty::san::{San, SanPlus};
use shakmaty::{Bitboard, CastlingSide, Chess, File, Move, Position, Rank, Role, Square};
use thiserror::Error;

use crate::fen::{FenError, Reading, read_fen};
use crate::movers::movers;
use crate::pgn::Tags;
use crate::pgn::san::parse_move;

/// A text that is no move of the position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// It does not look like a move.
    #[error("“{0}” is no move; write it in standard algebraic notation")]
    NotAMove(String),
    /// The position does not allow it.
    #[error("the move {0} is not legal here; correct it or the position")]
    Illegal(String),
    /// Several pieces can make it.
    #[error("the move {0} can be made by several pieces; name the file or rank it comes from")]
    Ambiguous(String),
}

/// Finds the legal move that a text means: standard or long algebraic notation, coordinates (`e2e4`), zeros for castling;
/// check marks, capture signs, `=` and suffixes like `!?` may be missing, wrong or superfluous, and so may be
/// disambiguation.
///
/// # Errors
/// The text is no move, or not exactly one legal move fits.
pub fn find_move(position: &Chess, text: &str) -> Result<Move, MoveError> {
    let san = parse_move(text.trim_end_matches(['!', '?']).as_bytes());
    let san = san.ok_or_else(|| MoveError::NotAMove(excerpt(text)))?;
    find_san(position, position.checkers(), san.san).map(|(found, _)| found).map_err(|wrong| wrong.told(excerpt(text)))
}

/// Finds the legal move that a written move means, with the same liberties.
///
/// # Errors
/// Not exactly one legal move fits.
pub fn find_written(position: &Chess, written: SanPlus) -> Result<Move, MoveError> {
    find_san(position, position.checkers(), written.san)
        .map(|(found, _)| found)
        .map_err(|wrong| wrong.told(written.to_string()))
}

/// Why a written move is no move of the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// No legal move fits.
    Illegal,
    /// Several legal moves fit.
    Ambiguous,
}

impl Wrong {
    fn told(self, text: String) -> MoveError {
        match self {
            Self::Illegal => MoveError::Illegal(text),
            Self::Ambiguous => MoveError::Ambiguous(text),
        }
    }
}

/// The move in standard algebraic notation with its check or mate mark. The move must be legal in
/// the position.
pub fn write_move(position: &Chess, m: Move) -> String {
    SanPlus::from_move(position.clone(), m).to_string()
}

/// The position that a game starts from: its `FEN` tag, read as [`Reading::LAX`], or the usual
/// array. A `Variant` tag that names Chess960 makes the castling letters X-FEN or Shredder-FEN.
///
/// # Errors
/// What is wrong with the `FEN` tag.
pub fn start_position(tags: &Tags) -> Result<Chess, FenError> {
    let reading = if is_chess960(tags) { Reading::LAX.chess960() } else { Reading::LAX };
    tags.get("FEN").map_or_else(|| Ok(Chess::default()), |fen| read_fen(fen, reading))
}

/// How kings castle in a game with these tags.
fn is_chess960(tags: &Tags) -> bool {
    let variant: String = tags
        .get("Variant")
        .unwrap_or_default()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    ["chess960", "fischerandom", "fischerrandom", "freestyle"].iter().any(|name| variant.contains(name))
}

/// Looks for the legal move that is meant; gives it with its canonical form, marks apart. A capture sign, a check mark
/// and disambiguation may be missing, wrong or superfluous, as long as one legal move fits. `checkers` are those of the
/// position.
#[inline]
pub(crate) fn find_san(position: &Chess, checkers: Bitboard, san: San) -> Result<(Move, San), Wrong> {
    let San::Normal { role, file, rank, to, promotion, .. } = san else {
        return match san {
            San::Castle(side) => castle(position, side),
            _ => Err(Wrong::Illegal),
        };
    };
    match among(position, checkers, role, (file, rank), to, promotion) {
        Err(Wrong::Illegal) if role == Role::Pawn => unusual(position, checkers, (file, rank), to, promotion),
        found => found,
    }
}

#[inline]
fn among(
    position: &Chess,
    checkers: Bitboard,
    role: Role,
    (file, rank): (Option<File>, Option<Rank>),
    to: Square,
    promotion: Option<Role>,
) -> Result<(Move, San), Wrong> {
    let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
    if promotion.is_some_and(|role| matches!(role, Role::Pawn | Role::King)) || promotion.is_some() != promotes {
        return Err(Wrong::Illegal);
    }
    let able = movers(position, checkers, role, to);
    let file = file.map_or(Bitboard::FULL, Bitboard::from_file);
    let rank = rank.map_or(Bitboard::FULL, Bitboard::from_rank);
    let fitting = able & file & rank;
    let Some(from) = fitting.single_square() else {
        return Err(if fitting.is_empty() { Wrong::Illegal } else { Wrong::Ambiguous });
    };
    let capture = if position.them().contains(to) { position.board().role_at(to) } else { None };
    let en_passant = role == Role::Pawn && capture.is_none() && from.file() != to.file();
    let found =
        if en_passant { Move::EnPassant { from, to } } else { Move::Normal { role, from, capture, to, promotion } };
    let (file, rank) = if role == Role::Pawn {
        ((from.file() != to.file()).then(|| from.file()), None)
    } else {
        disambiguation(from, able.without(from))
    };
    Ok((found, San::Normal { role, file, rank, capture: capture.is_some() || en_passant, to, promotion }))
}

/// File or rank that tells a piece from the others that could make its move: the file if that does it, else the rank,
/// else both (PGN standard, 8.2.3.4).
fn disambiguation(from: Square, others: Bitboard) -> (Option<File>, Option<Rank>) {
    if others.is_empty() {
        return (None, None);
    }
    let same_file = (others & from.file()).any();
    let same_rank = (others & from.rank()).any();
    ((!same_file || same_rank).then(|| from.file()), same_file.then(|| from.rank()))
}

/// What looks like a pawn's move and is none: coordinates (`g1f3`, `e1g1`), or a bishop in a small letter (`bc4`).
#[cold]
fn unusual(
    position: &Chess,
    checkers: Bitboard,
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
            Some(role) => among(position, checkers, role, from, to, promotion),
            None => Err(Wrong::Illegal),
        },
        (Some(File::B), None) => among(position, checkers, Role::Bishop, (None, None), to, None),
        _ => Err(Wrong::Illegal),
    }
}

fn castle(position: &Chess, side: CastlingSide) -> Result<(Move, San), Wrong> {
    match position.castling_moves(side).first() {
        Some(&found) => Ok((found, San::Castle(side))),
        None => Err(Wrong::Illegal),
    }
}

/// Enough of a text to recognise it by.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 20;
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::Reading;

    fn position(fen: &str) -> Chess {
        read_fen(fen, Reading::STRICT).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn every_real_form_of_a_move_is_found() {
        let start = Chess::default();
        for text in ["Nf3", "Ngf3", "Ng1f3", "Ng1-f3", "g1f3", "Nf3!?", "Nf3+", "Nxf3", "N:f3"] {
            let m = find_move(&start, text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(write_move(&start, m), "Nf3", "{text}");
        }
        let sharp = position("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 20");
        for (text, san) in [
            ("bxa8=Q+", "bxa8=Q+"),
            ("ba8Q", "bxa8=Q+"),
            ("b7a8q", "bxa8=Q+"),
            ("b7xa8=N", "bxa8=N"),
            ("b8N", "b8=N"),
            ("exd6e.p.", "exd6"),
            ("0-0-0", "O-O-O"),
            ("e1g1", "O-O"),
            ("e1c1", "O-O-O"),
            ("Ke1-f1", "Kf1"),
        ] {
            let m = find_move(&sharp, text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(write_move(&sharp, m), san, "{text}");
        }
    }

    #[test]
    fn what_is_no_move_here_is_refused_with_the_reason() {
        let knights = position("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1");
        assert_eq!(find_move(&knights, "Nb3"), Err(MoveError::Ambiguous("Nb3".to_owned())));
        assert_eq!(find_move(&knights, "Nf3"), Err(MoveError::Illegal("Nf3".to_owned())));
        for text in ["--", "O-O", "N@f3", "e1e2e3", "", "Q", "é4", "Nb3Nb3Nb3Nb3Nb3Nb3Nb3Nb3"] {
            assert!(find_move(&knights, text).is_err(), "{text}");
        }
    }
}
