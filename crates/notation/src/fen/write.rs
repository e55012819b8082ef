//! Writes FEN.

use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, EnPassantMode, Position, Setup};

/// The form in which a FEN is written, where programs differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// When the en passant square is written: `Always` after a double step (the standard's rule), `PseudoLegal` only when an
    /// enemy pawn attacks it (X-FEN), `Legal` only when the capture is legal (the modern rule, good for comparing
    /// positions).
    pub en_passant: EnPassantMode,
    /// Letters of the castling rights.
    pub castling: Castling,
}

impl Style {
    /// As the standard says.
    pub const STANDARD: Self = Self { en_passant: EnPassantMode::Always, castling: Castling::XFen };
    /// As the standard says, but the en passant square only where the capture is legal.
    pub const MODERN: Self = Self { en_passant: EnPassantMode::Legal, castling: Castling::XFen };
}

/// How castling rights are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Castling {
    /// `KQkq` for the outermost rooks, else the rook's file (X-FEN). The standard's form, except in Chess960.
    XFen,
    /// Always the rook's file: `HAha` (Shredder-FEN).
    Shredder,
}

/// Writes all six fields.
pub fn write_fen(position: &Chess, style: Style) -> String {
    let (half, full) = (position.halfmoves(), position.fullmoves());
    format!("{} {half} {full}", write_four_fields(position, style))
}

/// Positions as the text of a `.fen` file, one a line (PGN standard, 16.1).
pub fn write_fens(positions: &[Chess], style: Style) -> String {
    positions.iter().map(|position| write_fen(position, style) + "\n").collect()
}

/// The first four fields, which FEN and EPD share.
pub(crate) fn write_four_fields(position: &Chess, style: Style) -> String {
    let setup = position.to_setup(style.en_passant);
    let en_passant = setup.ep_square.map_or_else(|| "-".to_owned(), |square| square.to_string());
    let turn = setup.turn.char();
    format!("{} {turn} {} {en_passant}", setup.board.board_fen(), castling_letters(&setup, style.castling))
}

/// The castling field of a setup with valid rights.
pub(super) fn castling_letters(setup: &Setup, form: Castling) -> String {
    let letters: String = match form {
        Castling::XFen => {
            let fen =
                Fen::try_from_setup(setup.clone()).unwrap_or_else(shakmaty::fen::LossyFenError::ignore).to_string();
            return fen.split(' ').nth(2).unwrap_or("-").to_owned();
        }
        Castling::Shredder => Color::ALL
            .into_iter()
            .flat_map(|color| {
                (setup.castling_rights & color.backrank()).into_iter().rev().map(move |rook| (color, rook))
            })
            .map(|(color, rook)| color.fold_wb(rook.file().upper_char(), rook.file().char()))
            .collect(),
    };
    if letters.is_empty() { "-".to_owned() } else { letters }
}
