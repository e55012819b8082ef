//! Decodes bytes of unknown encoding: UTF-8, Windows-1252 or Latin-1.
//!
//! Must not know what the text means.

use std::borrow::Cow;

/// Windows-1252 characters 80 to 9f, where Latin-1 has control characters. The five that it does not define stay control
/// characters (WHATWG Encoding Standard).
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes bytes as UTF-8 if they are valid UTF-8, else as Windows-1252, which contains the printable part of Latin-1.
///
/// Text in an eight-bit encoding is almost never valid UTF-8, so the choice is safe even for a single word. Each string is
/// decoded by itself, so that one file can hold games from several sources.
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
    fn a_name_is_read_in_each_encoding() {
        assert_eq!(decode("Müller, Éva – ½".as_bytes()), "Müller, Éva – ½");
        assert_eq!(decode(b"M\xfcller, \xc9va"), "Müller, Éva");
        assert_eq!(decode(b"\x8eeljko \x96 \xbd \x80\x9f\x81"), "Željko – ½ €Ÿ\u{81}");
        assert_eq!(decode(b"Tal"), "Tal");
    }
}
