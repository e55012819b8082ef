//! The bytes of a text whose encoding nobody told.
//!
//! Knows UTF-8, Latin-1 and Windows-1252; must not know what the text says.

use std::borrow::Cow;

/// What Windows-1252 has in place of Latin-1's control characters 80 to 9f. The five that it leaves free stay what they
/// are, as the WHATWG Encoding Standard has it.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of some bytes: UTF-8 if they are that, else Windows-1252, of which Latin-1 is a part as far as text goes.
///
/// Text in an eight-bit encoding is hardly ever valid UTF-8, so the choice is safe even for a single word. Asking for
/// each string alone lets a file hold games from several sources.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| eight_bit(byte)).collect()),
    }
}

fn eight_bit(byte: u8) -> char {
    let special = byte.checked_sub(0x80).and_then(|offset| WINDOWS_1252.get(usize::from(offset)));
    special.copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_in_every_encoding_of_its_time() {
        assert_eq!(decode("Müller, Éva – ½".as_bytes()), "Müller, Éva – ½");
        assert_eq!(decode(b"M\xfcller, \xc9va"), "Müller, Éva");
        assert_eq!(decode(b"\x8eeljko \x96 \xbd \x80\x9f\x81"), "Željko – ½ €Ÿ\u{81}");
        assert_eq!(decode(b"Tal"), "Tal");
    }
}
