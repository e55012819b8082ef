//! Reads the castling rights and the en passant square of a FEN.
//!
//! Programs write rights that the pieces do not allow. What can be understood is; the rest is ignored and listed.

use shakmaty::{Bitboard, CastlingMode, Color, File, Piece, Rank, Role, Setup, Square};

use super::error::{FenError, Field, Reason};
use super::read::{FieldText, Reading, error};
use super::write::{Castling, castling_letters};
use crate::excerpt::excerpt;

/// The rooks that may castle, and the rules that the letters belong to.
pub(super) fn read_castling(
    field: FieldText<'_>,
    setup: &Setup,
    reading: Reading,
    ignored: &mut Vec<FenError>,
) -> Result<(Bitboard, CastlingMode), FenError> {
    let wrong = |index: usize, reason| error(Field::Castling, field.column + index, reason);
    let stated = CastlingMode::from_chess960(reading.is_chess960());
    if field.text == "-" {
        return Ok((Bitboard::EMPTY, stated));
    }
    for (index, c) in field.text.chars().enumerate() {
        if index == 4 {
            return Err(wrong(index, Reason::CastlingTwice));
        }
        if !matches!(c.to_ascii_lowercase(), 'a'..='h' | 'k' | 'q') {
            return Err(wrong(index, Reason::Stray(c)));
        }
    }
    let mode =
        if !reading.is_strict() && is_clearly_chess960(field.text, setup) { CastlingMode::Chess960 } else { stated };
    let mut rights = Bitboard::EMPTY;
    for (index, c) in field.text.chars().enumerate() {
        match castling_rook(c, setup, mode) {
            None => {
                let impossible = wrong(index, Reason::NoCastling(c));
                reading.tolerate(impossible.clone())?;
                ignored.push(impossible);
            }
            Some(rook) if rights.contains(rook) => reading.tolerate(wrong(index, Reason::CastlingTwice))?,
            Some(rook) => rights.add(rook),
        }
    }
    // A king has one rook on each side to castle with.
    for color in Color::ALL {
        let [left, right] = wings(rights, setup, color);
        if left.more_than_one() || right.more_than_one() {
            return Err(wrong(0, Reason::CastlingTwice));
        }
    }
    let stated = Setup { castling_rights: rights, ..setup.clone() };
    let forms = [Castling::XFen, Castling::Shredder].map(|form| castling_letters(&stated, form));
    let accepted = if mode.is_chess960() { &forms[..] } else { &forms[..1] };
    if !accepted.iter().any(|form| form == field.text) {
        let [standard, _] = forms;
        reading.tolerate(wrong(0, Reason::CastlingForm(standard)))?;
    }
    Ok((rights, mode))
}

/// Whether castling letters that standard chess does not allow can only be those of Chess960: each has its king and rook, and
/// they are files of rooks, or both sides castle and their kings and rooks face each other as in every game of Chess960. The
/// letters of one side alone may also be a remnant of a game in which the king has moved.
fn is_clearly_chess960(letters: &str, setup: &Setup) -> bool {
    let rooks = |mode| letters.chars().map(move |letter| castling_rook(letter, setup, mode));
    if rooks(CastlingMode::Standard).all(|rook| rook.is_some()) {
        return false;
    }
    let Some(rights) = rooks(CastlingMode::Chess960).collect::<Option<Bitboard>>() else { return false };
    if letters.chars().all(|letter| matches!(letter.to_ascii_lowercase(), 'a'..='h')) {
        return true;
    }
    let files = |color: Color| {
        let [left, right] = wings(rights, setup, color).map(|rooks| rooks.first().map(Square::file));
        let king = setup.board.king_of(color).map(Square::file);
        (left.is_some() || right.is_some()).then_some((king, left, right))
    };
    let (Some((king, left, right)), Some((other_king, other_left, other_right))) =
        (files(Color::White), files(Color::Black))
    else {
        return false;
    };
    let faces = |own: Option<File>, other: Option<File>| own.zip(other).is_none_or(|(own, other)| own == other);
    king == other_king && faces(left, other_left) && faces(right, other_right)
}

/// The rooks of a side to the left and to the right of its king, as White sees the board.
fn wings(rooks: Bitboard, setup: &Setup, color: Color) -> [Bitboard; 2] {
    let Some(king) = setup.board.king_of(color) else { return [Bitboard::EMPTY; 2] };
    let (left, right) = (rooks & color.backrank()).into_iter().partition(|rook| rook.file() < king.file());
    [left, right]
}

/// The rook that a castling letter means, if king and rook are on squares from which they can castle.
fn castling_rook(letter: char, setup: &Setup, mode: CastlingMode) -> Option<Square> {
    let color = Color::from_white(letter.is_ascii_uppercase());
    let king = setup.board.king_of(color).filter(|king| king.rank() == color.backrank())?;
    let rooks = setup.board.rooks() & setup.board.by_color(color) & color.backrank();
    let rook = match letter.to_ascii_lowercase() {
        'k' => rooks.last().filter(|rook| rook.file() > king.file()),
        'q' => rooks.first().filter(|rook| rook.file() < king.file()),
        file => {
            Some(Square::from_coords(File::from_char(file)?, color.backrank())).filter(|rook| rooks.contains(*rook))
        }
    }?;
    let standard = king.file() == File::E && matches!(rook.file(), File::A | File::H);
    (standard || mode.is_chess960()).then_some(rook)
}

/// The square that a pawn has just passed with a double step.
pub(super) fn read_en_passant(
    field: FieldText<'_>,
    setup: &Setup,
    reading: Reading,
    ignored: &mut Vec<FenError>,
) -> Result<Option<Square>, FenError> {
    if field.text == "-" {
        return Ok(None);
    }
    let wrong = |reason| error(Field::EnPassant, field.column, reason);
    let not_a_square = || wrong(Reason::NotASquare(excerpt(field.text)));
    let lower = field.text.to_ascii_lowercase();
    let square = Square::from_ascii(lower.as_bytes()).map_err(|_| not_a_square())?;
    if lower != field.text {
        reading.tolerate(not_a_square())?;
    }
    let (rank, from, to) =
        setup.turn.fold_wb((Rank::Sixth, Rank::Seventh, Rank::Fifth), (Rank::Third, Rank::Second, Rank::Fourth));
    let on = |rank| Square::from_coords(square.file(), rank);
    // Whether a pawn of the side that is not to move can have passed the square with its last move.
    let possible = setup.board.piece_at(on(rank)).is_none()
        && setup.board.piece_at(on(from)).is_none()
        && setup.board.piece_at(on(to)) == Some(Piece { color: setup.turn.other(), role: Role::Pawn });
    if possible && square.rank() == rank {
        return Ok(Some(square));
    }
    let impossible = wrong(Reason::NoDoubleStep(square.to_string()));
    reading.tolerate(impossible.clone())?;
    // Some programs write the square of the pawn.
    if possible && square.rank() == to {
        return Ok(Some(on(rank)));
    }
    ignored.push(impossible);
    Ok(None)
}
