//! What single bytes, line ends and suffixes are in PGN.
//!
//! Knows signs whatever stands around them; must not know tokens or places in a game.

use memchr::memchr_iter;

use crate::encoding::decode;

/// Number of line ends in a part of a text; what follows the part is looked at.
pub(super) fn count_line_ends(text: &[u8], part: std::ops::Range<usize>) -> usize {
    let inside = text.get(part.clone()).unwrap_or_default();
    let alone = memchr_iter(b'\r', inside).filter(|at| {
        let behind = text.get(part.start + at + 1..).unwrap_or_default();
        !matches!(behind, [b'\n', ..] | [b'\r', b'\n', ..])
    });
    memchr_iter(b'\n', inside).count() + alone.count()
}

/// The first characters of something that was not understood, fit to be shown.
pub(super) fn excerpt(text: &[u8]) -> String {
    const SHOWN: usize = 20;
    let text = text.get(..text.len().min(4 * SHOWN)).unwrap_or_default();
    let shown = decode(text);
    shown.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The bytes that end a move, a number or a result, besides control characters.
const SIGNS: &[u8] = b" {}()[];$\"!?*<>\x7f";

/// What a byte is to a move, a number or a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A part, in ASCII.
    Word,
    /// A part, in some other encoding.
    Foreign,
    /// No part.
    Other,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Foreign; 256];
    let mut byte = 0;
    while byte < 0x80 {
        kinds[byte] = if byte < b' ' as usize { Kind::Other } else { Kind::Word };
        byte += 1;
    }
    let mut sign = 0;
    while sign < SIGNS.len() {
        kinds[SIGNS[sign] as usize] = Kind::Other;
        sign += 1;
    }
    kinds
};

pub(super) fn kind(byte: u8) -> Kind {
    KINDS[usize::from(byte)]
}

/// The glyphs of the suffixes (PGN standard, 8.2.3.8).
pub(super) fn suffix_nag(suffix: &[u8]) -> Option<u8> {
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
