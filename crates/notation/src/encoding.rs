//! Decodes bytes of unknown encoding: UTF-8, UTF-16 with a byte-order mark, Windows-1252, Latin-1, or the DOS code pages
//! 437 and 850.
//!
//! Must not know what the text means.

use std::borrow::Cow;

/// Windows-1252 characters 80 to 9f, where Latin-1 has control characters. The five that it does not define stay control
/// characters (WHATWG Encoding Standard).
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Code page 850 from 80 to ff. Code page 437 has the same letters at the same places and box drawings elsewhere, so this
/// table reads names of both.
const CODE_PAGE_850: [char; 128] = [
    'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å', 'É', 'æ', 'Æ', 'ô', 'ö', 'ò', 'û',
    'ù', 'ÿ', 'Ö', 'Ü', 'ø', '£', 'Ø', '×', 'ƒ', 'á', 'í', 'ó', 'ú', 'ñ', 'Ñ', 'ª', 'º', '¿', '®', '¬', '½', '¼', '¡',
    '«', '»', '░', '▒', '▓', '│', '┤', 'Á', 'Â', 'À', '©', '╣', '║', '╗', '╝', '¢', '¥', '┐', '└', '┴', '┬', '├', '─',
    '┼', 'ã', 'Ã', '╚', '╔', '╩', '╦', '╠', '═', '╬', '¤', 'ð', 'Ð', 'Ê', 'Ë', 'È', 'ı', 'Í', 'Î', 'Ï', '┘', '┌', '█',
    '▄', '¦', 'Ì', '▀', 'Ó', 'ß', 'Ô', 'Ò', 'õ', 'Õ', 'µ', 'þ', 'Þ', 'Ú', 'Û', 'Ù', 'ý', 'Ý', '¯', '´', '\u{ad}', '±',
    '‗', '¾', '¶', '§', '÷', '¸', '°', '¨', '·', '¹', '³', '²', '■', '\u{a0}',
];

/// Decodes bytes as UTF-8 if they are valid UTF-8. Otherwise decodes them as code page 850 if bytes beside ASCII letters
/// are letters there and none in Windows-1252, and else as Windows-1252, which contains the printable part of Latin-1.
///
/// Text in an eight-bit encoding is almost never valid UTF-8, so the choice is safe even for a single word. Each string is
/// decoded by itself, so that one file can hold games from several sources.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if seems_dos(bytes) => Cow::Owned(bytes.iter().map(|&byte| code_page_850(byte)).collect()),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| eight_bit(byte)).collect()),
    }
}

/// Whether more bytes speak for a DOS code page than for Windows-1252, judged by their neighbours: a letter stands beside
/// letters, and the punctuation of Windows-1252 does not stand there.
fn seems_dos(bytes: &[u8]) -> bool {
    let letter_at = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphabetic);
    let (mut dos, mut windows) = (0_usize, 0_usize);
    for (at, &byte) in bytes.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
        let (before, after) = (letter_at(at.checked_sub(1)), letter_at(at.checked_add(1)));
        match byte {
            // Undefined in Windows-1252.
            0x81 | 0x8d | 0x8f | 0x90 | 0x9d => dos += usize::from(before || after),
            // Low quotation marks, which open.
            0x82 | 0x84 => dos += usize::from(before),
            // The trade mark, which follows a word.
            0x99 => dos += usize::from(after),
            // Signs that do not stand within a word. Apostrophes, dashes and ellipses do.
            0x83 | 0x86..=0x89 | 0x8b | 0x93..=0x95 | 0x98 | 0x9b | 0xa1..=0xa5 => dos += usize::from(before && after),
            // Letters of Windows-1252; in code page 850 e1 is the German ß.
            0xc0..=0xe0 | 0xe2..=0xff => windows += usize::from(before || after),
            _ => {}
        }
    }
    dos > windows
}

fn code_page_850(byte: u8) -> char {
    let special = byte.checked_sub(0x80).and_then(|offset| CODE_PAGE_850.get(usize::from(offset)));
    special.copied().unwrap_or(char::from(byte))
}

/// Recodes a stream in UTF-16 with a byte-order mark as UTF-8; passes every other stream on unchanged. Half surrogate
/// pairs become U+FFFD.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recoder {
    form: Form,
    /// Bytes that are not decided or recoded yet: fewer than four.
    pending: Vec<u8>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Form {
    /// The first two bytes are not known yet.
    #[default]
    Undecided,
    Bytes,
    Utf16 {
        big_endian: bool,
    },
}

impl Recoder {
    /// Appends a piece of the stream to the output.
    pub(crate) fn feed(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        if self.form == Form::Bytes {
            out.extend_from_slice(piece);
            return;
        }
        self.pending.extend_from_slice(piece);
        if self.form == Form::Undecided {
            self.form = match self.pending[..] {
                [] | [0xff | 0xfe] => return,
                [0xff, 0xfe, ..] => Form::Utf16 { big_endian: false },
                [0xfe, 0xff, ..] => Form::Utf16 { big_endian: true },
                _ => Form::Bytes,
            };
        }
        self.recode(false, out);
    }

    /// Appends what is left at the end of the stream.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        self.recode(true, out);
    }

    fn recode(&mut self, finished: bool, out: &mut Vec<u8>) {
        let Form::Utf16 { big_endian } = self.form else {
            out.append(&mut self.pending);
            return;
        };
        let (pairs, _) = self.pending.as_chunks::<2>();
        let unit = |pair: &[u8; 2]| if big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
        // The second half of a surrogate pair may be in the next piece.
        let split = !finished && pairs.last().is_some_and(|pair| (0xd800..0xdc00).contains(&unit(pair)));
        let pairs = pairs.get(..pairs.len() - usize::from(split)).unwrap_or_default();
        let text: String =
            char::decode_utf16(pairs.iter().map(unit)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        out.extend_from_slice(text.as_bytes());
        self.pending.drain(..2 * pairs.len());
        if finished && !self.pending.is_empty() {
            self.pending.clear();
            out.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
}

/// A whole text in UTF-16 with a byte-order mark as UTF-8; every other text unchanged.
pub(crate) fn recode(text: &[u8]) -> Cow<'_, [u8]> {
    if !matches!(text, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut recoder = Recoder::default();
    recoder.feed(text, &mut out);
    recoder.finish(&mut out);
    Cow::Owned(out)
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

    #[test]
    fn dos_code_pages_are_guessed_by_their_letters() {
        for (bytes, text) in [
            (&b"M\x81ller"[..], "Müller"),
            (b"K\x94nig, J\x81rgen", "König, Jürgen"),
            (b"Gr\x84f", "Gräf"),
            (b"\x99zt\x81rk", "Öztürk"),
            (b"Andr\x82 Mu\xa4oz", "André Muñoz"),
            (b"Wei\xe1 M\x81ller", "Weiß Müller"),
            // Windows-1252
            (b"O\x92Kelly \x84Tal\x93 1\x961 Wei\xdf\x99", "O’Kelly „Tal“ 1–1 Weiß™"),
            (b"Caro\x96Kann\x85 Z\xfcrich", "Caro–Kann… Zürich"),
        ] {
            assert_eq!(decode(bytes), text);
        }
    }
}
