//! Moves as text in a position: the bridge between notation and the rules of chess.
//!
//! Knows how the world writes a move and which legal move it means; must not know games, files or
//! annotations.

use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};
use thiserror::Error;

use crate::fen::{FenError, Reading, read_fen};
use crate::pgn::Tags;

/// Longest text that is looked at as a move, in bytes; the longest real form is `Qa1xb2=Q++e.p.`.
const MAX_MOVE_BYTES: usize = 16;

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

/// Finds the legal move that a text means: standard or long algebraic notation, coordinates
/// (`e2e4`), zeros for castling; check marks, capture signs, `=` and suffixes like `!?` may be
/// missing, wrong or superfluous, and so may be disambiguation.
///
/// # Errors
/// The text is no move, or not exactly one legal move fits.
pub fn find_move(position: &Chess, text: &str) -> Result<Move, MoveError> {
    let Some(san) = parse(text) else {
        return Err(MoveError::NotAMove(excerpt(text)));
    };
    let San::Normal { role, file, rank, to, promotion, .. } = san else {
        return san.to_move(position).map_err(|_| MoveError::Illegal(excerpt(text)));
    };
    let mut moves = position.san_candidates(role, to);
    moves.retain(|m| {
        m.from().is_some_and(|from| {
            file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
        }) && m.promotion() == promotion
    });
    match moves.as_slice() {
        [m] => Ok(*m),
        [] => by_coordinates(position, text).ok_or_else(|| MoveError::Illegal(excerpt(text))),
        _ => Err(MoveError::Ambiguous(excerpt(text))),
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

/// What a move says, with the capture sign taken out: whether something stands there is known.
fn parse(text: &str) -> Option<San> {
    if text.len() > MAX_MOVE_BYTES {
        return None;
    }
    let body = text.trim_end_matches(['+', '#', '!', '?']);
    let body = body.strip_suffix("e.p.").or_else(|| body.strip_suffix("ep")).unwrap_or(body);
    match body {
        "--" | "Z0" => return Some(San::Null),
        "O-O" | "0-0" | "o-o" => return San::from_ascii(b"O-O").ok(),
        "O-O-O" | "0-0-0" | "o-o-o" => return San::from_ascii(b"O-O-O").ok(),
        _ => {}
    }
    let mut plain: String = body.chars().filter(|c| !matches!(c, 'x' | ':' | '-' | '=')).collect();
    // A promotion without its sign, in either case; a lower-case `b` behind a rank is one too.
    if let Some(piece) = plain.chars().last().filter(|c| matches!(c, 'Q' | 'R' | 'B' | 'N' | 'q' | 'r' | 'b' | 'n'))
        && plain.len() > 2
    {
        plain.pop();
        plain.push('=');
        plain.push(piece.to_ascii_uppercase());
    }
    match San::from_ascii(plain.as_bytes()).ok()? {
        San::Put { .. } => None,
        san => Some(san),
    }
}

/// Coordinates such as `g1f3` look like a pawn's move; `e1g1` is castling outside Chess960.
fn by_coordinates(position: &Chess, text: &str) -> Option<Move> {
    let plain: String =
        text.trim_end_matches(['+', '#', '!', '?']).chars().filter(|c| !matches!(c, '-' | '=')).collect();
    UciMove::from_ascii(plain.to_ascii_lowercase().as_bytes()).ok()?.to_move(position).ok()
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
