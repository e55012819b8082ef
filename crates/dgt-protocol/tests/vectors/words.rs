//! Terms of the vectors: squares, times, pieces, hex.

use std::fmt::Write;

use dgt_protocol::{Field, Fields, PieceCode};
use serde_json::Value;

pub(crate) fn square(field: Field) -> String {
    let file = char::from(b'a' + field.number() % 8);
    format!("{file}{}", 8 - field.number() / 8)
}

pub(crate) fn time(seconds: u32) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The letter of a FEN; `?` for the result pieces.
pub(crate) fn letter(piece: PieceCode) -> Option<char> {
    "?PRNBKQprnbkq???".chars().nth(piece as usize).filter(|_| piece != PieceCode::Empty)
}

pub(crate) fn name(piece: PieceCode) -> &'static str {
    match piece {
        PieceCode::Empty => "empty",
        PieceCode::WhitePawn => "white pawn",
        PieceCode::WhiteRook => "white rook",
        PieceCode::WhiteKing => "white king",
        PieceCode::BlackBishop => "black bishop",
        PieceCode::BlackKing => "black king",
        PieceCode::DrawPiece => "magic: draw",
        other => panic!("no vector has {other:?}"),
    }
}

pub(crate) fn placement(fields: &Fields) -> String {
    let rows = fields.chunks(8).map(|row| {
        let mut text = String::new();
        let mut empty = 0;
        for piece in row.iter().map(|piece| letter(*piece)).chain([Some('/')]) {
            if let Some(letter) = piece {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
                empty = 0;
                text.push(letter);
            } else {
                empty += 1;
            }
        }
        text
    });
    rows.collect::<String>().trim_end_matches('/').to_string()
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub(crate) fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
