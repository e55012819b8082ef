//! A position with its players as SVG, for link previews.
//!
//! Must not know fonts: the texts come as they are to be drawn.

use std::fmt::Write as _;

use super::board::{Look, definitions_of, push_board};
use super::push_text;

/// Width of the board, in units of the picture.
const BOARD: u32 = 800;

/// Height of a player's row.
const ROW: u32 = 84;

/// Size of names.
pub const LETTERS: f32 = 44.0;

/// Space for name and federation, which are beside each other.
pub const SPACE: f32 = 690.0;

/// A player's row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Title and name.
    pub name: String,
    /// Federation; empty where it is not known.
    pub federation: String,
    /// Points of the game; empty while there are none.
    pub points: String,
}

/// A picture `size` pixels wide and somewhat higher; `rows` are Black and White, `title` is escaped text, `font` the family of the
/// texts.
pub fn preview(
    fen: &str,
    last: Option<&str>,
    look: Look,
    size: u32,
    (title, font): (&str, &str),
    [black, white]: &[Row; 2],
) -> String {
    let (above, below) = if look.flipped { (white, black) } else { (black, white) };
    let height = BOARD + 2 * ROW;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {BOARD} {height}\" width=\"{size}\" height=\"{}\" \
         role=\"img\"><title>{title}</title>",
        size * height / BOARD
    );
    let placement = fen.split(' ').next().unwrap_or_default();
    out.push_str(&definitions_of(|piece| placement.contains(piece)));
    let _ = write!(out, "<path fill=\"#1f2320\" d=\"M0 0h{BOARD}v{height}H0z\"/>");
    push_row(&mut out, above, 0, font);
    push_row(&mut out, below, BOARD + ROW, font);
    let _ = write!(out, "<g transform=\"translate(0 {ROW}) scale({})\">", BOARD / 8);
    push_board(&mut out, fen, last, look);
    out.push_str("</g></svg>\n");
    out
}

fn push_row(out: &mut String, row: &Row, top: u32, font: &str) {
    let line = top + 58;
    let mut push = |text: &str, place: &str, colour: &str| {
        if !text.is_empty() {
            let _ = write!(
                out,
                "<text y=\"{line}\" font-family=\"{font}\" font-size=\"{LETTERS}\" fill=\"{colour}\" {place}>"
            );
            push_text(out, text);
            out.push_str("</text>");
        }
    };
    // Names of right-to-left scripts begin at the left like the others: the row has its points at the right.
    push(&row.name, "x=\"24\"", "#f4f4ef");
    push(&row.points, "x=\"776\" text-anchor=\"end\"", "#ffce28");
    push(&row.federation, "x=\"716\" text-anchor=\"end\"", "#a9b3ab");
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/8/8/8/8/K6k w - - 0 1";

    #[test]
    fn rows_stand_at_their_sides_and_hostile_text_stays_text() {
        let row = |name: &str| Row { name: name.into(), federation: "NED".into(), points: "½".into() };
        let rows = [row("</text><script>x</script>"), row("Bos")];
        for flipped in [false, true] {
            let svg = preview(FEN, None, Look { flipped }, 600, ("A – B", "serif"), &rows);
            assert!(svg.contains("width=\"600\" height=\"726\""), "{svg}");
            assert!(!svg.contains("<script"), "{svg}");
            let (black, white) = (svg.find("&lt;script").unwrap(), svg.find(">Bos<").unwrap());
            assert_eq!(black < white, !flipped);
        }
        let empty = preview(FEN, None, Look::default(), 600, ("A – B", "serif"), &Default::default());
        assert!(!empty.contains("<text"), "{empty}");
    }
}
