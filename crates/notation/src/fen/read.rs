//! Reads FEN.

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, Chess, Color, File, Piece, PositionError, PositionErrorKinds, Rank, Role, Setup, Square,
};

use super::error::{FenError, Field, Reason};
use super::limits::{MAX_COUNTER, MAX_FEN_BYTES};
use super::rights::{read_castling, read_en_passant};
use crate::excerpt::excerpt;

/// How a FEN or EPD is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    strict: bool,
    chess960: bool,
}

impl Reading {
    /// Only the standard's form, and only positions that a game can reach.
    pub const STRICT: Self = Self { strict: true, chess960: false };
    /// What real programs write: missing fields at the end, any white space, numbers in another form, castling letters of
    /// Chess960 where nothing else can be meant, the square of the pawn instead of the one that it passed. Other castling
    /// rights and en passant squares that the pieces do not allow are ignored; [`read_fen_noting`] tells which. The position
    /// must be one that can be played from.
    pub const LAX: Self = Self { strict: false, chess960: false };

    /// The same for Chess960: castling letters are X-FEN (`KQkq` for the outermost rook, else its file) or Shredder-FEN
    /// (`HAha`).
    #[must_use]
    pub const fn chess960(self) -> Self {
        Self { chess960: true, ..self }
    }

    /// Whether only the standard's form is accepted.
    pub const fn is_strict(self) -> bool {
        self.strict
    }

    /// Whether castling letters are those of Chess960.
    pub(super) const fn is_chess960(self) -> bool {
        self.chess960
    }

    /// A deviation from the standard: an error in strict reading, accepted in lax reading.
    pub(crate) fn tolerate<E>(self, error: E) -> Result<(), E> {
        if self.strict { Err(error) } else { Ok(()) }
    }
}

/// The text of one field and the column of its first character, from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldText<'a> {
    pub(crate) text: &'a str,
    pub(crate) column: usize,
}

/// Reads a FEN of six fields; in lax reading all but the first may be missing from the end.
///
/// # Errors
/// The first thing that is wrong, with its field, place and reason.
pub fn read_fen(text: &str, reading: Reading) -> Result<Chess, FenError> {
    read_fen_noting(text, reading, &mut Vec::new())
}

/// [`read_fen`], which also adds the castling rights and the en passant square that lax reading ignored to a list.
///
/// # Errors
/// As [`read_fen`].
pub fn read_fen_noting(text: &str, reading: Reading, ignored: &mut Vec<FenError>) -> Result<Chess, FenError> {
    let whole = |reason| error(Field::Placement, 1, reason);
    if text.len() > MAX_FEN_BYTES {
        return Err(whole(Reason::TooLong));
    }
    let mut columns = 1;
    let mut fields: Vec<FieldText<'_>> = Vec::new();
    for part in text.split(|c: char| c.is_ascii_whitespace() || c == '_' && !reading.strict) {
        if !part.is_empty() {
            fields.push(FieldText { text: part, column: columns });
        }
        columns += part.chars().count() + 1;
    }
    if fields.iter().map(|field| field.text).collect::<Vec<_>>().join(" ") != text {
        reading.tolerate(whole(Reason::Spacing))?;
    }
    if let Some(more) = fields.get(6) {
        return Err(error(Field::FullmoveNumber, more.column, Reason::Superfluous(excerpt(more.text))));
    }
    let end = columns - 1;
    let field = |index: usize, name: Field, default: &'static str| {
        if let Some(field) = fields.get(index) {
            return Ok(*field);
        }
        reading.tolerate(error(name, end, Reason::Missing))?;
        Ok(FieldText { text: default, column: end })
    };
    let Some(placement) = fields.first() else {
        return Err(whole(Reason::Missing));
    };
    let four = [
        *placement,
        field(1, Field::ActiveColor, "w")?,
        field(2, Field::Castling, "-")?,
        field(3, Field::EnPassant, "-")?,
    ];
    let halfmoves = field(4, Field::HalfmoveClock, "0")?;
    let clock = read_counter(halfmoves, Field::HalfmoveClock, reading)?;
    let number = read_counter(field(5, Field::FullmoveNumber, "1")?, Field::FullmoveNumber, reading)?;
    if clock > 0 && four[3].text != "-" {
        reading.tolerate(error(Field::HalfmoveClock, halfmoves.column, Reason::ClockAfterDoubleStep))?;
    }
    read_position(four, (clock, number), reading, ignored)
}

/// The halfmove clock or the fullmove number; a move number is at least 1.
pub(crate) fn read_counter(field: FieldText<'_>, name: Field, reading: Reading) -> Result<u32, FenError> {
    let FieldText { text, column } = field;
    let least = u32::from(name == Field::FullmoveNumber);
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let Some(number) = digits.then(|| text.parse().ok()).flatten().filter(|&number: &u32| number <= MAX_COUNTER) else {
        let wrong = error(name, column, Reason::NotANumber(excerpt(text)));
        // Some programs write a dash for an unknown number.
        return if text == "-" { reading.tolerate(wrong).map(|()| least) } else { Err(wrong) };
    };
    if number < least {
        reading.tolerate(error(name, column, Reason::MoveZero))?;
    }
    if number.to_string() != text {
        reading.tolerate(error(name, column, Reason::NumberForm(number)))?;
    }
    Ok(number.max(least))
}

/// The position of the first four fields with halfmove clock and fullmove number. Adds what was ignored to a list.
pub(crate) fn read_position(
    fields: [FieldText<'_>; 4],
    (halfmoves, fullmoves): (u32, u32),
    reading: Reading,
    ignored: &mut Vec<FenError>,
) -> Result<Chess, FenError> {
    let [placement, color, castling, en_passant] = fields;
    let mut setup = Setup::empty();
    setup.board = read_board(placement, reading)?;
    setup.turn = read_color(color, reading)?;
    setup.halfmoves = halfmoves;
    setup.fullmoves = NonZeroU32::new(fullmoves).unwrap_or(NonZeroU32::MIN);
    let mode;
    (setup.castling_rights, mode) = read_castling(castling, &setup, reading, ignored)?;
    setup.ep_square = read_en_passant(en_passant, &setup, reading, ignored)?;
    let position = setup.position::<Chess>(mode);
    position.or_else(|wrong| {
        let place = error(Field::Placement, placement.column, Reason::ImpossibleCheck);
        let only_check = wrong.kinds() == PositionErrorKinds::IMPOSSIBLE_CHECK;
        if only_check && !reading.strict {
            PositionError::ignore_impossible_check(wrong).map_err(|_| place)
        } else {
            Err(refusal(wrong.kinds(), placement, color))
        }
    })
}

/// The error for a position that the rules refuse although each field is valid.
fn refusal(kinds: PositionErrorKinds, placement: FieldText<'_>, color: FieldText<'_>) -> FenError {
    if kinds.contains(PositionErrorKinds::OPPOSITE_CHECK) {
        return error(Field::ActiveColor, color.column, Reason::OppositeCheck);
    }
    let material = kinds.contains(PositionErrorKinds::TOO_MUCH_MATERIAL);
    let reason = if material { Reason::TooMuchMaterial } else { Reason::ImpossibleCheck };
    error(Field::Placement, placement.column, reason)
}

fn read_board(field: FieldText<'_>, reading: Reading) -> Result<Board, FenError> {
    let wrong = |index: usize, reason| error(Field::Placement, field.column + index, reason);
    let mut board = Board::empty();
    // Ranks from the eighth down; squares read of the current rank.
    let (mut ranks, mut squares) = (1, 0);
    let mut after_digit = false;
    for (index, c) in field.text.chars().enumerate() {
        let rank = 9_usize.saturating_sub(ranks);
        let gap = c.to_digit(9).filter(|&gap| gap > 0);
        if c == '/' {
            if squares < 8 {
                return Err(wrong(index, Reason::ShortRank { rank, squares }));
            }
            (ranks, squares) = (ranks + 1, 0);
            if ranks > 8 {
                return Err(wrong(index, Reason::Ranks(ranks)));
            }
        } else if let Some(gap) = gap {
            if after_digit {
                reading.tolerate(wrong(index, Reason::AdjacentDigits))?;
            }
            squares += gap as usize;
        } else if let Some(piece) = Piece::from_char(c) {
            squares += 1;
            if let (Ok(file), Ok(rank)) = (File::try_from(squares - 1), Rank::try_from(rank - 1)) {
                place(&mut board, piece, Square::from_coords(file, rank)).map_err(|reason| wrong(index, reason))?;
            }
        } else {
            return Err(wrong(index, Reason::Stray(c)));
        }
        if squares > 8 {
            return Err(wrong(index, Reason::LongRank(rank)));
        }
        after_digit = gap.is_some();
    }
    let end = field.text.chars().count();
    if squares < 8 {
        return Err(wrong(end, Reason::ShortRank { rank: 9 - ranks, squares }));
    }
    if ranks < 8 {
        return Err(wrong(end, Reason::Ranks(ranks)));
    }
    for color in Color::ALL {
        if board.king_of(color).is_none() {
            return Err(wrong(0, Reason::NoKing(color)));
        }
    }
    Ok(board)
}

fn place(board: &mut Board, piece: Piece, square: Square) -> Result<(), Reason> {
    if piece.role == Role::King && board.king_of(piece.color).is_some() {
        return Err(Reason::ManyKings(piece.color));
    }
    if piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(square) {
        return Err(Reason::PawnOnBackRank);
    }
    board.set_piece_at(square, piece);
    Ok(())
}

fn read_color(field: FieldText<'_>, reading: Reading) -> Result<Color, FenError> {
    let wrong = || error(Field::ActiveColor, field.column, Reason::NotAColor(excerpt(field.text)));
    match field.text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        "W" | "white" | "White" => reading.tolerate(wrong()).map(|()| Color::White),
        "B" | "black" | "Black" => reading.tolerate(wrong()).map(|()| Color::Black),
        _ => Err(wrong()),
    }
}

pub(super) fn error(field: Field, column: usize, reason: Reason) -> FenError {
    FenError { field, column, reason }
}
