//! Parses a word as a move.
//!
//! Must not know positions: whether the move is legal is decided by [`crate::play`].

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{File, Rank, Role, Square};

/// Longest word that is parsed, in bytes. The longest known form is `Qa1xb2=Q++e.p.` with 14.
const MAX_BYTES: usize = 16;

/// Parses a word of movetext as a move; `None` if it does not have the form of one.
///
/// Accepted beyond standard algebraic notation: zeros or lower case in castling, long algebraic notation with or without
/// its hyphen (`Ng1-f3`, `e2e4`), `:` for captures, the pawn's letter, lower-case pieces where they are unambiguous,
/// promotions without `=` or in lower case, double check marks, `e.p.`, the null moves `--` and `Z0`.
#[inline]
pub(crate) fn parse_move(word: &[u8]) -> Option<SanPlus> {
    parse_common(word).or_else(|| parse_standard(word))
}

/// The common case: standard algebraic notation without castling. Parsed from the end, where a move has its fixed parts;
/// several times faster than [`SanPlus::from_ascii`], with the same result.
#[inline]
fn parse_common(word: &[u8]) -> Option<SanPlus> {
    let (word, suffix) = match word {
        [word @ .., b'+'] => (word, Some(Suffix::Check)),
        [word @ .., b'#'] => (word, Some(Suffix::Checkmate)),
        _ => (word, None),
    };
    let (word, promotion) = match word {
        [word @ .., b'=', piece] => (word, Some(piece_letter(*piece)?)),
        _ => (word, None),
    };
    let [word @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = word else { return None };
    let to = Square::from_coords(file_of(*file), rank_of(*rank));
    let (word, capture) = match word {
        [word @ .., b'x'] => (word, true),
        _ => (word, false),
    };
    let (role, from) = match word {
        [piece @ b'A'..=b'Z', from @ ..] => (piece_letter(*piece)?, from),
        _ => (Role::Pawn, word),
    };
    let (file, rank) = match from {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file_of(*file)), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank_of(*rank))),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file_of(*file)), Some(rank_of(*rank))),
        _ => return None,
    };
    Some(SanPlus { san: San::Normal { role, file, rank, capture, to, promotion }, suffix })
}

fn piece_letter(letter: u8) -> Option<Role> {
    Some(match letter {
        b'N' => Role::Knight,
        b'B' => Role::Bishop,
        b'R' => Role::Rook,
        b'Q' => Role::Queen,
        b'K' => Role::King,
        _ => return None,
    })
}

/// The file of a letter from `a` to `h`.
fn file_of(letter: u8) -> File {
    File::new(u32::from(letter - b'a'))
}

/// The rank of a digit from `1` to `8`.
fn rank_of(digit: u8) -> Rank {
    Rank::new(u32::from(digit - b'1'))
}

fn parse_standard(word: &[u8]) -> Option<SanPlus> {
    match SanPlus::from_ascii(word) {
        Ok(SanPlus { san: San::Put { .. }, .. }) => None,
        Ok(san) => Some(san),
        Err(_) => parse_variant(word),
    }
}

fn parse_variant(word: &[u8]) -> Option<SanPlus> {
    if word.len() > MAX_BYTES {
        return None;
    }
    let word = word.strip_suffix(b"e.p.").or_else(|| word.strip_suffix(b"ep")).unwrap_or(word);
    let body = word.trim_ascii_end_matches(b"+#");
    let suffix = match word.get(body.len()..)? {
        b"" => None,
        b"+" | b"++" => Some(Suffix::Check),
        b"#" | b"##" | b"+#" | b"#+" => Some(Suffix::Checkmate),
        _ => return None,
    };
    let san = match body {
        b"0-0" | b"o-o" => San::from_ascii(b"O-O"),
        b"0-0-0" | b"o-o-o" => San::from_ascii(b"O-O-O"),
        _ => San::from_ascii(&standard_form(body)),
    };
    match san {
        Ok(San::Put { .. }) | Err(_) => None,
        Ok(san) => Some(SanPlus { san, suffix }),
    }
}

/// Rewrites another form of a move in standard algebraic notation.
fn standard_form(body: &[u8]) -> Vec<u8> {
    let mut standard_form: Vec<u8> =
        body.iter().filter(|byte| !matches!(byte, b'-' | b':' | b'x' | b'=')).copied().collect();
    let captures = body.iter().any(|byte| matches!(byte, b':' | b'x'));
    let promoted = match standard_form.as_slice() {
        [.., b'1'..=b'8', piece] if b"QRBNqrbn".contains(piece) => Some(piece.to_ascii_uppercase()),
        _ => None,
    };
    if promoted.is_some() {
        standard_form.pop();
    }
    match standard_form.first_mut() {
        // A lower-case `b` could also be a file.
        Some(piece @ (b'k' | b'q' | b'r' | b'n')) => piece.make_ascii_uppercase(),
        Some(b'P' | b'p') => {
            standard_form.remove(0);
        }
        _ => {}
    }
    if captures && let Some(square) = standard_form.len().checked_sub(2) {
        standard_form.insert(square, b'x');
    }
    if let Some(piece) = promoted {
        standard_form.extend([b'=', piece]);
    }
    standard_form
}

/// Trims several characters off the end of a byte string.
trait TrimEnd {
    fn trim_ascii_end_matches(&self, set: &[u8]) -> &Self;
}

impl TrimEnd for [u8] {
    fn trim_ascii_end_matches(&self, set: &[u8]) -> &Self {
        let length = self.iter().rposition(|byte| !set.contains(byte)).map_or(0, |last| last + 1);
        self.get(..length).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(word: &str) -> Option<String> {
        parse_move(word.as_bytes()).map(|san| san.to_string())
    }

    #[test]
    fn moves_are_known_by_their_form() {
        for san in [
            "e4", "exd5", "Nf3", "Nbd2", "N1d2", "Nb1d2", "Qh4xe1+", "e8=Q", "exd8=N#", "O-O", "O-O-O+", "--", "e2e4",
            "bc4",
        ] {
            assert_eq!(read(san).as_deref(), Some(san));
        }
        for (written, san) in [
            ("0-0", "O-O"),
            ("o-o-o", "O-O-O"),
            ("0-0-0#", "O-O-O#"),
            ("Z0", "--"),
            ("exd6e.p.", "exd6"),
            ("e5xd6ep", "e5xd6"),
            ("Qh5++", "Qh5+"),
            ("Pe4", "e4"),
            ("e2-e4", "e2e4"),
            ("Ng1-f3", "Ng1f3"),
            ("N:f3", "Nxf3"),
            ("e7xd8q+", "e7xd8=Q+"),
            ("e7-e8=r", "e7e8=R"),
            ("e8Q", "e8=Q"),
            ("nf3", "Nf3"),
            ("qxd4", "Qxd4"),
            ("kg1", "Kg1"),
        ] {
            assert_eq!(read(written).as_deref(), Some(san), "{written}");
        }
    }

    /// Every combination of the parts that the fast path parses, and combinations with a wrong part.
    #[test]
    fn the_fast_path_agrees_with_the_full_parser() {
        let choices = |choices: &str| -> Vec<String> { choices.split(',').map(str::to_owned).collect() };
        let mut words = vec![String::new()];
        for part in [",N,B,R,Q,K,P,O", ",a,b,h", ",1,8", ",x", "a1,b8,h4,i4", ",=Q,=N,=K,Q,=", ",+,#,++"] {
            let endings = choices(part);
            words = words.iter().flat_map(|word| endings.iter().map(move |ending| format!("{word}{ending}"))).collect();
        }
        let mut short = 0;
        for word in &words {
            if let Some(san) = parse_common(word.as_bytes()) {
                assert_eq!(parse_standard(word.as_bytes()), Some(san), "{word}");
                short += 1;
            } else if let Some(san) = SanPlus::from_ascii(word.as_bytes()).ok().filter(|_| !word.contains('P')) {
                panic!("the fast path should parse {word}: {san}");
            }
        }
        assert!(short > 3_000, "{short}");
    }

    #[test]
    fn words_are_no_moves() {
        for word in [
            "",
            "e",
            "e9",
            "i4",
            "Xe4",
            "Nf3f",
            "e4e5e6",
            "resigns",
            "+",
            "#",
            "=Q",
            "Nf",
            "N-",
            "0-0-0-0",
            "½",
            "Nf3+++",
            "eé4",
            "N@f3",
            "@e4",
            "x",
            "P",
            "Nf3Nf3Nf3Nf3Nf3Nf3",
        ] {
            assert_eq!(read(word), None, "{word:?}");
        }
    }
}
