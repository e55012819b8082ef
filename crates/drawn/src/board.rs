//! A position as SVG, 8 units wide and high.
//!
//! Must not know games, names or colours of a theme: the squares have classes, and colours that hold without a style sheet.

use std::fmt::Write as _;

/// The pieces as groups named `wP` to `bK`, each 45 units wide. Drawn by Colin M. L. Burnett: web/THIRD-PARTY.md.
const PIECES: &str = include_str!("pieces.svg");

/// How a position is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Look {
    /// Black's side below.
    pub flipped: bool,
}

/// Squares and pieces, once for a page or picture.
pub fn definitions() -> String {
    definitions_of(|_| true)
}

/// Squares, and those pieces that are wanted by their letters as in FEN.
pub(crate) fn definitions_of(wanted: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(PIECES.len() + 600);
    out.push_str("<defs><g id=\"sq\"><path class=\"light\" fill=\"#eeead7\" d=\"M0 0h8v8H0z\"/>");
    out.push_str("<path class=\"dark\" fill=\"#74a085\" d=\"");
    for row in 0..8 {
        for file in (0..8).filter(|file| (row + file) % 2 == 1) {
            let _ = write!(out, "M{file} {row}h1v1h-1z");
        }
    }
    out.push_str("\"/></g>");
    for piece in PIECES.lines() {
        // Each line is one piece: `<g id="wP">...</g>`.
        let letter = match piece.as_bytes() {
            [b'<', b'g', b' ', b'i', b'd', b'=', b'"', b'w', kind, ..] => char::from(*kind),
            [b'<', b'g', b' ', b'i', b'd', b'=', b'"', b'b', kind, ..] => char::from(kind.to_ascii_lowercase()),
            _ => continue,
        };
        if wanted(letter) {
            out.push_str(piece);
        }
    }
    out.push_str("</defs>");
    out
}

/// The contents of a board: squares, the latest move, pieces. `last` is a move in UCI. Fields of a FEN that cannot be read
/// are left empty.
pub fn push_board(out: &mut String, fen: &str, last: Option<&str>, look: Look) {
    out.push_str("<use href=\"#sq\"/>");
    let place = |file: usize, row: usize| if look.flipped { (7 - file, 7 - row) } else { (file, row) };
    for square in last.into_iter().flat_map(squares) {
        let (x, y) = place(square.0, square.1);
        let _ = write!(out, "<path class=\"moved\" fill=\"#ffce28\" fill-opacity=\".55\" d=\"M{x} {y}h1v1h-1z\"/>");
    }
    // Coordinates within the group are those of the pieces: 45 to a square.
    out.push_str("<g transform=\"scale(.022222)\">");
    let rows = fen.split(' ').next().unwrap_or_default().split('/').take(8);
    for (row, pieces) in rows.enumerate() {
        let mut file = 0;
        for piece in pieces.chars() {
            match piece {
                '1'..='8' => file += piece as usize - '0' as usize,
                'p' | 'n' | 'b' | 'r' | 'q' | 'k' | 'P' | 'N' | 'B' | 'R' | 'Q' | 'K' if file < 8 => {
                    let side = if piece.is_ascii_uppercase() { 'w' } else { 'b' };
                    let (x, y) = place(file, row);
                    let kind = piece.to_ascii_uppercase();
                    let _ = write!(out, "<use href=\"#{side}{kind}\" x=\"{}\" y=\"{}\"/>", x * 45, y * 45);
                    file += 1;
                }
                _ => (),
            }
        }
    }
    out.push_str("</g>");
}

/// The squares of a move in UCI, as file and row from the top left; a castling rook in Chess960 is one of them.
fn squares(uci: &str) -> impl Iterator<Item = (usize, usize)> {
    let bytes = uci.as_bytes();
    [0, 2].into_iter().filter_map(move |at| {
        let file = bytes.get(at)?.checked_sub(b'a').filter(|file| *file < 8)?;
        let rank = bytes.get(at + 1)?.checked_sub(b'1').filter(|rank| *rank < 8)?;
        Some((usize::from(file), 7 - usize::from(rank)))
    })
}

/// A picture by itself, `size` pixels wide; `title` is escaped text.
pub fn picture(fen: &str, last: Option<&str>, look: Look, size: u32, title: &str) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\" width=\"{size}\" height=\"{size}\" role=\"img\"><title>{title}</title>"
    );
    // The picture is sent with every move: pieces that are gone are left out.
    let placement = fen.split(' ').next().unwrap_or_default();
    out.push_str(&definitions_of(|piece| placement.contains(piece)));
    push_board(&mut out, fen, last, look);
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn every_piece_of_a_position_stands_on_its_square() {
        let mut out = String::new();
        push_board(&mut out, START, Some("e2e4"), Look::default());
        assert_eq!(out.matches("<use href=\"#w").count(), 16);
        assert!(out.contains("<use href=\"#wK\" x=\"180\" y=\"315\"/>"), "{out}");
        assert!(out.contains("M4 6h1v1h-1z") && out.contains("M4 4h1v1h-1z"));
        let mut flipped = String::new();
        push_board(&mut flipped, START, None, Look { flipped: true });
        assert!(flipped.contains("<use href=\"#wK\" x=\"135\" y=\"0\"/>"), "{flipped}");
    }

    #[test]
    fn rubbish_draws_an_empty_board() {
        for (fen, last) in [("", ""), ("99999999/ä/zzz<>\"&", "<>9ä"), ("8/8/8/8/8/8/8/8/pppp/pppp", "e9i1")] {
            let mut out = String::new();
            push_board(&mut out, fen, Some(last), Look::default());
            assert_eq!(out.matches("<use").count(), 1, "{out}");
            assert!(!out.contains("moved"), "{out}");
        }
        let mut full = String::new();
        push_board(&mut full, &"pppppppppppppppp/".repeat(50), None, Look::default());
        assert_eq!(full.matches("#bP").count(), 64);
    }
}
