//! Files of the folder beside the project, where it is there, and their bytes.

use std::path::PathBuf;

use dgt_protocol::{Fields, Message, PieceCode};

/// A file of the shared folder, if it is there; otherwise the test says that it is skipped.
pub(crate) fn shared(path: &str) -> Option<Vec<u8>> {
    let found = at_hand(path);
    if found.is_none() {
        println!("skipped: {path} is not at hand");
    }
    found
}

/// A file of the shared folder, if it is there.
#[allow(clippy::disallowed_methods, reason = "captures of real boards are files")]
pub(crate) fn at_hand(path: &str) -> Option<Vec<u8>> {
    std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path)).ok()
}

/// The bytes of a text in hex.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// The dump of a position as the board would send it.
pub(crate) fn dump(fen: &str, rotated: bool) -> Vec<u8> {
    let mut fields: Fields = [PieceCode::Empty; 64];
    let mut square = 0;
    for letter in fen.split(' ').next().unwrap().chars() {
        match letter {
            '/' => {}
            '1'..='8' => square += letter.to_digit(10).unwrap() as usize,
            _ => {
                let code = ".PRNBKQprnbkq".find(letter).unwrap() as u8;
                fields[if rotated { 63 - square } else { square }] = PieceCode::from_byte(code);
                square += 1;
            }
        }
    }
    Message::BoardDump(fields).encode()
}
