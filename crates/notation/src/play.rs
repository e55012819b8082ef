//! Finds the legal move that a text means in a position, and writes a legal move as text.
//!
//! Must not know games, tags or annotations.

use shakmaty::san::{San, SanPlus};
use shakmaty::{Bitboard, CastlingSide, Chess, File, Move, Position, Rank, Role, Square};
use thiserror::Error;

use crate::excerpt::excerpt;
use crate::movers::movers;
use crate::san::parse_move;

/// A text that is not a legal move of the position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// It does not look like a move.
    #[error("“{0}” is not a move; write it in standard algebraic notation")]
    NotAMove(String),
    /// The position does not allow it.
    #[error("the move {0} is not legal in this position; correct the move or the position")]
    Illegal(String),
    /// Several pieces can make it.
    #[error("several pieces can make the move {0}; add the file or rank it starts from")]
    Ambiguous(String),
}

/// Finds the legal move that a text means: standard or long algebraic notation, coordinates (`e2e4`), zeros for castling.
/// Check marks, capture signs, `=`, suffixes like `!?` and disambiguation may be missing, wrong or superfluous.
///
/// # Errors
/// The text is not a move, or it does not match exactly one legal move.
pub fn find_move(position: &Chess, text: &str) -> Result<Move, MoveError> {
    let san = parse_move(text.trim_end_matches(['!', '?']).as_bytes());
    let san = san.ok_or_else(|| MoveError::NotAMove(excerpt(text)))?;
    find_san(position, position.checkers(), san.san)
        .map(|(found, _)| found)
        .map_err(|mismatch| mismatch.into_error(excerpt(text)))
}

/// Finds the legal move that a parsed move means, as tolerantly as [`find_move`].
///
/// # Errors
/// The move does not match exactly one legal move.
pub fn find_written(position: &Chess, written: SanPlus) -> Result<Move, MoveError> {
    find_san(position, position.checkers(), written.san)
        .map(|(found, _)| found)
        .map_err(|mismatch| mismatch.into_error(written.to_string()))
}

/// Why a parsed move is not a legal move of the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// No legal move matches.
    Illegal,
    /// Several legal moves match.
    Ambiguous,
}

impl Mismatch {
    fn into_error(self, text: String) -> MoveError {
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

/// Finds the legal move that a parsed move means, and its canonical form without check mark. Capture sign, check mark and
/// disambiguation may be missing, wrong or superfluous as long as exactly one legal move matches. `checkers` are the
/// pieces that give check in the position.
#[inline]
pub(crate) fn find_san(position: &Chess, checkers: Bitboard, san: San) -> Result<(Move, San), Mismatch> {
    let San::Normal { role, file, rank, to, promotion, .. } = san else {
        return match san {
            San::Castle(side) => castle(position, side),
            _ => Err(Mismatch::Illegal),
        };
    };
    match find_by_squares(position, checkers, role, (file, rank), to, promotion) {
        Err(Mismatch::Illegal) if role == Role::Pawn => {
            find_coordinates(position, checkers, (file, rank), to, promotion)
        }
        found => found,
    }
}

#[inline]
fn find_by_squares(
    position: &Chess,
    checkers: Bitboard,
    role: Role,
    (file, rank): (Option<File>, Option<Rank>),
    to: Square,
    promotion: Option<Role>,
) -> Result<(Move, San), Mismatch> {
    let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
    if promotion.is_some_and(|role| matches!(role, Role::Pawn | Role::King)) || promotion.is_some() != promotes {
        return Err(Mismatch::Illegal);
    }
    let able = movers(position, checkers, role, to);
    let file = file.map_or(Bitboard::FULL, Bitboard::from_file);
    let rank = rank.map_or(Bitboard::FULL, Bitboard::from_rank);
    let matching = able & file & rank;
    let Some(from) = matching.single_square() else {
        return Err(if matching.is_empty() { Mismatch::Illegal } else { Mismatch::Ambiguous });
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

/// The file or rank that distinguishes a piece from the others that can make its move: the file if it suffices, else the
/// rank, else both (PGN standard, 8.2.3.4).
fn disambiguation(from: Square, others: Bitboard) -> (Option<File>, Option<Rank>) {
    if others.is_empty() {
        return (None, None);
    }
    let same_file = (others & from.file()).any();
    let same_rank = (others & from.rank()).any();
    ((!same_file || same_rank).then(|| from.file()), same_file.then(|| from.rank()))
}

/// A move that only looks like a pawn's: coordinates (`g1f3`, `e1g1`), or a bishop as a lower-case letter (`bc4`).
#[cold]
fn find_coordinates(
    position: &Chess,
    checkers: Bitboard,
    from: (Option<File>, Option<Rank>),
    to: Square,
    promotion: Option<Role>,
) -> Result<(Move, San), Mismatch> {
    match from {
        (Some(file), Some(rank)) => match position.board().role_at(Square::from_coords(file, rank)) {
            Some(Role::King) if file == File::E && to.file() == File::G && rank == to.rank() => {
                castle(position, CastlingSide::KingSide)
            }
            Some(Role::King) if file == File::E && to.file() == File::C && rank == to.rank() => {
                castle(position, CastlingSide::QueenSide)
            }
            Some(role) => find_by_squares(position, checkers, role, from, to, promotion),
            None => Err(Mismatch::Illegal),
        },
        (Some(File::B), None) => find_by_squares(position, checkers, Role::Bishop, (None, None), to, None),
        _ => Err(Mismatch::Illegal),
    }
}

fn castle(position: &Chess, side: CastlingSide) -> Result<(Move, San), Mismatch> {
    match position.castling_moves(side).first() {
        Some(&found) => Ok((found, San::Castle(side))),
        None => Err(Mismatch::Illegal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::{Reading, read_fen};

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
    fn a_text_that_is_not_a_legal_move_is_refused_with_the_reason() {
        let knights = position("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1");
        assert_eq!(find_move(&knights, "Nb3"), Err(MoveError::Ambiguous("Nb3".to_owned())));
        assert_eq!(find_move(&knights, "Nf3"), Err(MoveError::Illegal("Nf3".to_owned())));
        for text in ["--", "O-O", "N@f3", "e1e2e3", "", "Q", "é4", "Nb3Nb3Nb3Nb3Nb3Nb3Nb3Nb3"] {
            assert!(find_move(&knights, text).is_err(), "{text}");
        }
    }
}
