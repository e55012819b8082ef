//! Decodes the bytes of a file: UTF-8, else Windows-1252, which older programs write.

use super::problem::Problem;

/// How a text was encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without its mark.
    Utf8,
    /// Windows-1252: an assumption, because nothing in a file tells its encoding; a person should check the names.
    Windows1252,
}

/// The bytes 0x80 to 0x9F in Windows-1252; five of them are undefined. All other bytes are as in Unicode. A dependency for
/// this table alone would bring forty more tables.
const UPPER_CONTROLS: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}', '\u{fffd}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

/// The text of a file without a byte-order mark, and how it was encoded.
///
/// # Errors
/// The place of the first control character: the file is a spreadsheet, a picture or the like.
pub fn decode(bytes: &[u8]) -> Result<(String, Encoding), Problem> {
    let (text, encoding) = match std::str::from_utf8(bytes) {
        Ok(text) => (text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(), Encoding::Utf8),
        Err(_) => (bytes.iter().map(|byte| windows_1252(*byte)).collect(), Encoding::Windows1252),
    };
    let control = |letter: char| letter.is_ascii_control() && !matches!(letter, '\t' | '\n' | '\r' | '\x0c' | '\x1a');
    let Some(place) = text.find(control) else {
        return Ok((text, encoding));
    };
    let before = text.get(..place).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().map_or(0, |rest| rest.chars().count());
    Err(Problem::at(line, column, "this is not a text file: export the pairings as PGN, TRF or CSV in UTF-8"))
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => UPPER_CONTROLS.get(usize::from(byte) - 0x80).copied().unwrap_or('\u{fffd}'),
        _ => byte.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_arrive_whole_in_either_encoding() {
        for (bytes, name, encoding) in [
            ("Žilinský, Jörg".as_bytes(), "Žilinský, Jörg", Encoding::Utf8),
            ("\u{feff}Ødegård".as_bytes(), "Ødegård", Encoding::Utf8),
            (b"\x8eilinsk\xfd, J\xf6rg", "Žilinský, Jörg", Encoding::Windows1252),
            (b"O\x92Hara \x96 \x80", "O’Hara – €", Encoding::Windows1252),
        ] {
            assert_eq!(decode(bytes), Ok((name.to_owned(), encoding)));
        }
    }

    #[test]
    fn a_spreadsheet_is_refused_at_its_first_odd_byte() {
        let refusal = decode(b"PK\x03\x04rest").unwrap_err().to_string();
        assert!(refusal.starts_with("line 1, column 3: this is not a text file"), "{refusal}");
        let utf16 = decode(b"\xff\xfeT\0a\0b\0").unwrap_err().to_string();
        assert!(utf16.starts_with("line 1, column 4: "), "{utf16}");
        assert!(decode(b"Anna\nBo\0b").unwrap_err().to_string().starts_with("line 2, column 3: "));
    }
}
