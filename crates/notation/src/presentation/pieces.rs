//! Piece letters (PGN standard, 17) and figurines.

use shakmaty::Color;

/// A language with piece letters of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say all")]
pub enum Language {
    Czech,
    Danish,
    Dutch,
    English,
    Estonian,
    Finnish,
    French,
    German,
    Hungarian,
    Icelandic,
    Italian,
    Norwegian,
    Polish,
    Portuguese,
    Romanian,
    Spanish,
    Swedish,
}

impl Language {
    /// English, the language of files, and the sixteen others of the standard.
    pub const ALL: [Self; 17] = [
        Self::Czech,
        Self::Danish,
        Self::Dutch,
        Self::English,
        Self::Estonian,
        Self::Finnish,
        Self::French,
        Self::German,
        Self::Hungarian,
        Self::Icelandic,
        Self::Italian,
        Self::Norwegian,
        Self::Polish,
        Self::Portuguese,
        Self::Romanian,
        Self::Spanish,
        Self::Swedish,
    ];

    /// The language of a tag such as `de` or `pt-BR`; Norwegian is `no`, `nb` or `nn`.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        let primary = if matches!(primary.as_str(), "nb" | "nn") { "no" } else { &primary };
        Self::ALL.into_iter().find(|language| language.tag() == primary)
    }

    /// The two-letter tag (ISO 639-1).
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Czech => "cs",
            Self::Danish => "da",
            Self::Dutch => "nl",
            Self::English => "en",
            Self::Estonian => "et",
            Self::Finnish => "fi",
            Self::French => "fr",
            Self::German => "de",
            Self::Hungarian => "hu",
            Self::Icelandic => "is",
            Self::Italian => "it",
            Self::Norwegian => "no",
            Self::Polish => "pl",
            Self::Portuguese => "pt",
            Self::Romanian => "ro",
            Self::Spanish => "es",
            Self::Swedish => "sv",
        }
    }

    /// The letters of pawn, knight, bishop, rook, queen and king.
    pub const fn letters(self) -> [char; 6] {
        match self {
            Self::Czech => ['P', 'J', 'S', 'V', 'D', 'K'],
            Self::Danish | Self::German | Self::Norwegian | Self::Swedish => ['B', 'S', 'L', 'T', 'D', 'K'],
            Self::Dutch => ['O', 'P', 'L', 'T', 'D', 'K'],
            Self::English => ENGLISH,
            Self::Estonian => ['P', 'R', 'O', 'V', 'L', 'K'],
            Self::Finnish => ['P', 'R', 'L', 'T', 'D', 'K'],
            Self::French => ['P', 'C', 'F', 'T', 'D', 'R'],
            Self::Hungarian => ['G', 'H', 'F', 'B', 'V', 'K'],
            Self::Icelandic => ['P', 'R', 'B', 'H', 'D', 'K'],
            Self::Italian | Self::Spanish => ['P', 'C', 'A', 'T', 'D', 'R'],
            Self::Polish => ['P', 'S', 'G', 'W', 'H', 'K'],
            Self::Portuguese => ['P', 'C', 'B', 'T', 'D', 'R'],
            Self::Romanian => ['P', 'C', 'N', 'T', 'D', 'R'],
        }
    }

    /// A move in standard algebraic notation with the letters of this language.
    pub fn localise(self, san: &str) -> String {
        replace(san, self.letters())
    }
}

const ENGLISH: [char; 6] = ['P', 'N', 'B', 'R', 'Q', 'K'];

/// A move in standard algebraic notation with the figurines of the side that makes it.
pub fn figurines(san: &str, color: Color) -> String {
    let white = ['♙', '♘', '♗', '♖', '♕', '♔'];
    replace(san, color.fold_wb(white, ['♟', '♞', '♝', '♜', '♛', '♚']))
}

/// Castling has no capital of a piece, and files are small: every English capital is a piece.
fn replace(san: &str, letters: [char; 6]) -> String {
    let letter = |c| ENGLISH.into_iter().zip(letters).find_map(|(english, other)| (english == c).then_some(other));
    san.chars().map(|c| letter(c).unwrap_or(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_shown_in_the_reader_s_language() {
        for (tag, shown) in [
            ("de", "Sbd7 exd8=D+ O-O-O# Tae1 Lb5 Kd2"),
            ("pt-BR", "Cbd7 exd8=D+ O-O-O# Tae1 Bb5 Rd2"),
            ("nb", "Sbd7 exd8=D+ O-O-O# Tae1 Lb5 Kd2"),
            ("ro", "Cbd7 exd8=D+ O-O-O# Tae1 Nb5 Rd2"),
            ("EN", "Nbd7 exd8=Q+ O-O-O# Rae1 Bb5 Kd2"),
        ] {
            let language = Language::from_tag(tag).unwrap_or_else(|| panic!("{tag} is known"));
            assert_eq!(language.localise("Nbd7 exd8=Q+ O-O-O# Rae1 Bb5 Kd2"), shown);
        }
        assert_eq!(Language::from_tag("xx"), None);
        assert_eq!(figurines("exd8=Q+", Color::White), "exd8=♕+");
        assert_eq!(figurines("Nbd7", Color::Black), "♞bd7");
    }

    #[test]
    fn no_language_has_two_pieces_of_one_letter() {
        for language in Language::ALL {
            let mut letters = language.letters();
            letters.sort_unstable();
            assert!(letters.windows(2).all(|pair| pair[0] != pair[1]), "{language:?}");
        }
    }
}
