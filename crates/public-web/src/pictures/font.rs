//! The font of names in pictures.
//!
//! A part of `DejaVu Sans` 2.37 is built in: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic letters. Names with letters of
//! other scripts are written in Latin ones, as a font for all scripts would be larger than the program.

use std::sync::{Arc, OnceLock};

use deunicode::deunicode_char;
use resvg::usvg::fontdb::Database;
use resvg::usvg::{FontResolver, Options};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};

/// Made with `pyftsubset --no-hinting` of fonttools; its licence is in web/THIRD-PARTY.md.
static FONT: &[u8] = include_bytes!("names.ttf");

/// Its family.
pub(super) const FAMILY: &str = "DejaVu Sans";

/// Letters of a name that are looked at.
const MOST_LETTERS: usize = 200;

/// How texts are drawn: with this font alone, so that a picture is the same on every machine.
pub(super) fn options() -> Options<'static> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        let mut fonts = Database::new();
        fonts.load_font_data(FONT.to_vec());
        Arc::new(fonts)
    });
    Options {
        fontdb: Arc::clone(fonts),
        font_family: FAMILY.to_owned(),
        font_resolver: FontResolver::default(),
        ..Options::default()
    }
}

/// A text in letters that the font has, cut to a width in units at a size of letters.
pub(super) fn fitted(text: &str, size: f32, width: f32) -> String {
    let Ok(face) = FontRef::new(FONT) else { return String::new() };
    let (glyphs, metrics) = (face.charmap(), face.glyph_metrics(Size::new(size), LocationRef::default()));
    let mut written = String::new();
    for letter in text.chars().take(MOST_LETTERS).filter(|letter| !is_invisible(*letter)) {
        if letter == ' ' || glyphs.map(letter).is_some() {
            written.push(letter);
        } else {
            written.push_str(deunicode_char(letter).unwrap_or_default());
        }
    }
    let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
    // Each sign of Han script becomes a word with a space behind it.
    let written = written.replace(" ,", ",");
    let advance = |letter: char| glyphs.map(letter).and_then(|glyph| metrics.advance_width(glyph)).unwrap_or_default();
    if written.chars().map(advance).sum::<f32>() <= width {
        return written;
    }
    let mut left = width - advance('…');
    let kept = written.chars().take_while(|letter| {
        left -= advance(*letter);
        left >= 0.0
    });
    let kept: String = kept.collect();
    format!("{}…", kept.trim_end())
}

/// Controls, and marks that change the direction of the text around them.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> String {
        fitted(text, 44.0, 100_000.0)
    }

    #[test]
    fn names_are_kept_in_the_scripts_of_the_font_and_written_in_latin_letters_otherwise() {
        for name in ["Đukić, Nikola", "Карлсен, Магнус", "Παπαϊωάννου", "Արոնյան", "გაფრინდაშვილი", "גלפנד", "فيروزجا"]
        {
            assert_eq!(all(name), name);
        }
        assert_eq!(all("王皓"), "Wang Hao");
        assert_eq!(all("张, 伟"), "Zhang, Wei");
        assert_eq!(all("名人\u{202e} x\u{0}"), "Ming Ren x");
        assert_eq!(all("\u{e000}\u{10ffff}"), "");
    }

    #[test]
    fn long_names_are_cut_to_their_space() {
        let long = fitted(&"Wolfeschlegelstein ".repeat(100), 44.0, 500.0);
        assert!(long.ends_with('…') && (10..30).contains(&long.chars().count()), "{long}");
        assert_eq!(fitted("Bos", 44.0, 500.0), "Bos");
        assert_eq!(fitted("Bos", 44.0, 1.0), "…");
    }
}
