//! The order of games within a file (PGN standard, 12).
//!
//! Must not know files.

use crate::pgn::Game;

/// The first seven sort keys of a game. The eighth is the movetext as [`crate::pgn::write_movetext`] writes it; the caller
/// compares it where two keys are equal.
///
/// An unknown value sorts as the `?` that is written for it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CollationKey {
    date: [u32; 3],
    event: String,
    site: String,
    round: Round,
    white: String,
    black: String,
    result: &'static str,
}

impl CollationKey {
    /// The key of a game.
    pub fn of(game: &Game) -> Self {
        let tag = |name| game.tags.get(name).unwrap_or("?");
        Self {
            date: date(tag("Date")),
            event: tag("Event").to_owned(),
            site: tag("Site").to_owned(),
            round: Round::of(tag("Round")),
            white: tag("White").to_owned(),
            black: tag("Black").to_owned(),
            result: game.outcome.as_str(),
        }
    }

    /// Year, month and day of the game; 0 for an unknown part.
    pub fn date(&self) -> [u32; 3] {
        self.date
    }
}

/// Year, month and day of a `Date` value. Question marks count as zeros, and so does a part that is not a number.
fn date(value: &str) -> [u32; 3] {
    let mut fields = value.split('.').map(|field| {
        let digits: String = field.chars().take(4).map(|c| if c == '?' { '0' } else { c }).collect();
        digits.parse().unwrap_or(0)
    });
    [(); 3].map(|()| fields.next().unwrap_or(0))
}

/// A round, in sort order: unknown, none, numbered with all its parts, anything else.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Round {
    Unknown,
    Without,
    Numbered(Vec<u32>),
    Other(String),
}

impl Round {
    fn of(value: &str) -> Self {
        match value {
            "?" | "" => Self::Unknown,
            "-" => Self::Without,
            _ => {
                let parts: Result<Vec<u32>, _> = value.split('.').map(str::parse).collect();
                parts.map_or_else(|_| Self::Other(value.to_owned()), Self::Numbered)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::pgn::{Outcome, Tags, write_movetext};

    /// Compares two games by all eight keys.
    fn collate(a: &Game, b: &Game) -> Ordering {
        CollationKey::of(a).cmp(&CollationKey::of(b)).then_with(|| write_movetext(a).cmp(&write_movetext(b)))
    }

    fn game(tags: &[(&str, &str)]) -> Game {
        Game { tags: tags.iter().copied().collect::<Tags>(), ..Game::default() }
    }

    #[test]
    fn each_key_decides_when_the_earlier_keys_are_equal() {
        for (name, values) in [
            ("Date", &["????.??.??", "1972.??.??", "1972.07.??", "1972.07.11", "1992.01.01", "10000.01.01"][..5]),
            ("Event", &["?", "A", "B", "a", "Ä"]),
            ("Site", &["?", "Linz AUT", "linz"]),
            ("Round", &["?", "-", "1", "2", "2.1", "2.2", "2.10", "10", "3a"]),
            ("White", &["Adler, Ida", "Brand, Ulf"]),
            ("Black", &["Adler, Ida", "Brand, Ulf"]),
        ] {
            for (earlier, later) in values.iter().zip(&values[1..]) {
                let (a, b) = (game(&[(name, earlier)]), game(&[(name, later)]));
                assert_eq!(collate(&a, &b), Ordering::Less, "{name}: {earlier}, {later}");
                assert_eq!(collate(&b, &a), Ordering::Greater, "{name}: {later}, {earlier}");
            }
        }
    }

    #[test]
    fn earlier_keys_count_more() {
        let (a, b) = (game(&[("Date", "1992.01.01"), ("Event", "Z")]), game(&[("Date", "1992.01.02"), ("Event", "A")]));
        assert_eq!(collate(&a, &b), Ordering::Less);
    }

    #[test]
    fn result_and_movetext_decide_last() {
        let mut a = game(&[("White", "A")]);
        let mut b = a.clone();
        assert_eq!(collate(&a, &b), Ordering::Equal);
        a.play("d4".parse().expect("SAN"), crate::time::Times::default());
        b.play("e4".parse().expect("SAN"), crate::time::Times::default());
        assert_eq!(collate(&a, &b), Ordering::Less);
        a.outcome = Outcome::WhiteWins;
        b.outcome = Outcome::BlackWins;
        assert_eq!(collate(&a, &b), Ordering::Greater, "0-1 comes before 1-0");
    }
}
