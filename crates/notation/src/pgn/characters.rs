//! Classes of bytes, line ends, and the NAGs of move suffixes (PGN standard, 7 and 8.2.3.8).
//!
//! Must not know tokens or the structure of a game.

use memchr::memchr_iter;

use crate::encoding::decode;

/// Number of line ends in a part of a text. The bytes after the part decide whether a CR at its end is a line end itself.
pub(super) fn count_line_ends(text: &[u8], part: std::ops::Range<usize>) -> usize {
    let inside = text.get(part.clone()).unwrap_or_default();
    let alone = memchr_iter(b'\r', inside).filter(|at| {
        let after = text.get(part.start + at + 1..).unwrap_or_default();
        !matches!(after, [b'\n', ..] | [b'\r', b'\n', ..])
    });
    memchr_iter(b'\n', inside).count() + alone.count()
}

/// The first 20 characters of refused bytes, for an error message; control characters become U+FFFD.
pub(super) fn excerpt(text: &[u8]) -> String {
    const SHOWN: usize = 20;
    let text = text.get(..text.len().min(4 * SHOWN)).unwrap_or_default();
    let shown = decode(text);
    shown.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The printing bytes that end a symbol: a move, a number or a result.
const DELIMITERS: &[u8] = b" {}()[];$\"!?*<>\x7f";

/// Class of a byte with respect to symbols (moves, numbers, results).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteClass {
    /// Part of a symbol, in ASCII.
    Symbol,
    /// Part of a symbol, outside ASCII.
    NonAscii,
    /// Ends a symbol.
    Delimiter,
}

const CLASSES: [ByteClass; 256] = {
    let mut classes = [ByteClass::NonAscii; 256];
    let mut byte = 0;
    while byte < 0x80 {
        classes[byte] = if byte < b' ' as usize { ByteClass::Delimiter } else { ByteClass::Symbol };
        byte += 1;
    }
    let mut index = 0;
    while index < DELIMITERS.len() {
        classes[DELIMITERS[index] as usize] = ByteClass::Delimiter;
        index += 1;
    }
    classes
};

/// The class of a byte.
pub(super) fn byte_class(byte: u8) -> ByteClass {
    CLASSES[usize::from(byte)]
}

/// The NAG of a move suffix such as `!?` (PGN standard, 8.2.3.8).
pub(super) fn nag_of_suffix(suffix: &[u8]) -> Option<u8> {
    Some(match suffix {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        b"?!" => 6,
        _ => return None,
    })
}

/// The NAG of a glyph that is written as characters, such as `+-` or `±` (PGN standard, 10).
pub(super) fn nag_of_glyph(glyph: &[u8]) -> Option<u8> {
    Some(match decode(glyph).as_ref() {
        "‼" => 3,
        "⁇" => 4,
        "⁉" => 5,
        "⁈" => 6,
        "=" => 10,
        "∞" => 13,
        "⩲" | "+=" | "+/=" => 14,
        "⩱" | "=+" | "=/+" => 15,
        "±" | "+/-" => 16,
        "∓" | "-/+" => 17,
        "+-" | "+−" | "+–" => 18,
        "-+" | "−+" | "–+" => 19,
        _ => return None,
    })
}

/// Length of the part of a symbol before a glyph that is appended to it, such as the `e4` of `e4+-`.
pub(super) fn length_before_glyph(symbol: &[u8]) -> usize {
    symbol.iter().rposition(u8::is_ascii_alphanumeric).map_or(0, |last| last + 1)
}
