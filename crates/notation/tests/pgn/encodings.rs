//! Encodings and line ends of files from every decade.

use notation::pgn::{Game, read_games};

use super::{movetext, read_all, read_one};

const GAME: &str = "[White \"Müller, Željko\"]\n[Black \"Éva “Évi” – Ñandú\"]\n\n1. e4 {schön…} e5 ½–½\n";

/// The text in Windows-1252.
fn windows_1252(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| match c {
            '“' => 0x93,
            '”' => 0x94,
            '–' => 0x96,
            '…' => 0x85,
            'Ž' => 0x8e,
            c => u8::try_from(u32::from(c)).expect("Latin-1"),
        })
        .collect()
}

#[test]
fn a_name_is_the_same_in_every_encoding() {
    let game = read_one(GAME);
    assert_eq!(game.tags.get("White"), Some("Müller, Željko"));
    assert_eq!(movetext(&game), "1. e4 {schön…} 1... e5 1/2-1/2");
    assert_eq!(read_one(&windows_1252(GAME)), game);
    assert_eq!(read_one(&format!("\u{feff}{GAME}")), game);
}

#[test]
fn a_collection_may_hold_both() {
    let mixed = [GAME.as_bytes(), b"\n", &windows_1252(GAME), b"\n\xef\xbb\xbf", GAME.as_bytes()].concat();
    let games = read_all(&mixed);
    assert_eq!(games.len(), 3);
    assert!(games.iter().all(|game| *game == games[0]));
}

#[test]
fn spaces_of_other_encodings_are_spaces() {
    for text in [&b"1.\xa0e4\xa0e5\xa0*"[..], "1.\u{a0}e4\u{2009}e5\u{3000}*".as_bytes()] {
        assert_eq!(movetext(&read_one(text)), "1. e4 e5 *");
    }
}

#[test]
fn what_is_no_text_is_one_error() {
    let utf_16: Vec<u8> = GAME.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let zip = [&b"PK\x03\x04\0\0"[..], &[7; 5000]].concat();
    for bytes in [utf_16, zip] {
        let games: Vec<Result<Game, String>> =
            read_games(&bytes).map(|game| game.map_err(|error| error.to_string())).collect();
        let [Err(told)] = &games[..] else { panic!("{games:?}") };
        assert!(told.starts_with("line 1, column "), "{told}");
    }
}
