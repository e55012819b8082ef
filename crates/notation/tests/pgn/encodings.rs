//! Encodings and line ends of files from every decade.

use notation::pgn::{Game, Reader, read_games};

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
fn utf_16_with_a_mark_is_read_whole_and_in_pieces() {
    let expected = read_one(GAME);
    let text = format!("\u{feff}{}", GAME.replace("schön", "schön 𝄞"));
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        let game = read_one(&bytes);
        assert_eq!(game.tags, expected.tags);
        assert_eq!(movetext(&game), "1. e4 {schön 𝄞…} 1... e5 1/2-1/2");
        let mut reader = Reader::new();
        for byte in bytes.chunks(1) {
            reader.feed(byte);
        }
        reader.finish();
        assert_eq!(reader.next_game(), Some(Ok(game)));
        assert_eq!(reader.next_game(), None);
    }
}

#[test]
fn names_in_dos_code_pages_keep_their_letters() {
    let game = read_one(&b"[White \"M\x81ller, J\x94rg\"]\n[Black \"Bj\x94rn\"]\n\n1. e4 {sch\x94n} *\r\n\x1a"[..]);
    assert_eq!((game.tags.get("White"), game.tags.get("Black")), (Some("Müller, Jörg"), Some("Björn")));
    assert_eq!(movetext(&game), "1. e4 {schön} *");
}

#[test]
fn ctrl_z_is_the_end_of_a_text() {
    for text in ["1. e4 e5 *\x1a", "1. e4 e5\x1a", "1. e4 e5 *\r\n\x1a\x1a\x1a", "\x1a1. e4 e5"] {
        assert_eq!(movetext(&read_one(text)), "1. e4 e5 *", "{text:?}");
    }
    assert_eq!(read_all("1. e4 *\n\x1a[Event \"B\"]\n\n1. d4 *\n\x1a").len(), 2);
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
