//! What a game says of itself that cannot be true, and putting it right.
//!
//! Knows the tags whose values have a form or follow from the rest; must not know the rules of chess.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Game, Outcome};
use crate::presentation::{Country, is_fide_federation};
use crate::time_control::{TimeControl, TimeControlError};

/// A tag that contradicts the game or its own form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Finding {
    /// The `Result` tag and the movetext differ.
    #[error("the Result tag says {tag} and the moves end with {movetext}; correct one of them")]
    Result {
        /// The tag's value.
        tag: String,
        /// The marker of the movetext.
        movetext: Outcome,
    },
    /// The `PlyCount` tag and the moves differ.
    #[error("the PlyCount tag says {tag} and there are {plies} moves of one side; correct it")]
    PlyCount {
        /// The tag's value.
        tag: String,
        /// Moves of the line that was played.
        plies: usize,
    },
    /// The `Date` tag is not of the form `YYYY.MM.DD`.
    #[error("“{0}” is no date; write YYYY.MM.DD, with question marks for what is not known")]
    Date(String),
    /// `SetUp "1"` without a `FEN` tag, or the other way round (PGN standard, 9.7.1).
    #[error("the tags SetUp and FEN do not fit each other; give SetUp \"1\" with a FEN or neither")]
    SetUp,
    /// The `TimeControl` tag cannot be read.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// A tag names a country by a code that is neither the standard's nor FIDE's.
    #[error("the {tag} tag has “{code}”, which is no country's code; write that of FIDE, or NET for the Internet")]
    Country {
        /// The tag.
        tag: &'static str,
        /// The code.
        code: String,
    },
    /// The `Termination` tag has none of the standard's values.
    #[error("“{0}” is no termination; write normal, time forfeit, abandoned or another value of the standard")]
    Termination(String),
}

/// All that contradicts itself in a game.
pub fn findings(game: &Game) -> Vec<Finding> {
    let mut found = Vec::new();
    let tag = |name| game.tags.get(name);
    if let Some(value) = tag("Result")
        && value != game.outcome.as_str()
    {
        found.push(Finding::Result { tag: value.to_owned(), movetext: game.outcome });
    }
    let plies = game.line().count();
    if let Some(value) = tag("PlyCount")
        && value.parse() != Ok(plies)
    {
        found.push(Finding::PlyCount { tag: value.to_owned(), plies });
    }
    if let Some(value) = tag("Date").filter(|value| !is_date(value)) {
        found.push(Finding::Date(value.to_owned()));
    }
    if (tag("SetUp") == Some("1")) != tag("FEN").is_some() {
        found.push(Finding::SetUp);
    }
    if let Some(Err(error)) = tag("TimeControl").map(str::parse::<TimeControl>) {
        found.push(error.into());
    }
    found.extend(foreign_codes(game).map(|(tag, code)| Finding::Country { tag, code: code.to_owned() }));
    if let Some(Err(UnknownTermination)) = tag("Termination").map(str::parse::<Termination>) {
        found.push(Finding::Termination(tag("Termination").unwrap_or_default().to_owned()));
    }
    found
}

/// Codes of countries that do not exist: behind the place in `Site` (PGN standard, 8.1.1.2), and alone in the tags that
/// name a player's federation.
fn foreign_codes(game: &Game) -> impl Iterator<Item = (&'static str, &str)> {
    ["Site", "WhiteCountry", "WhiteFed", "BlackCountry", "BlackFed"].into_iter().filter_map(|tag| {
        let value = game.tags.get(tag)?.trim();
        let code = if tag == "Site" { value.rsplit_once(' ').map_or("", |(_, code)| code) } else { value };
        let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
        (is_code && Country::of_standard(code).is_none() && !is_fide_federation(code)).then_some((tag, code))
    })
}

/// Puts right what follows from the rest of the game: `Result`, `PlyCount` and `SetUp` where they stand and are wrong,
/// the form of `Date`, `TimeControl` and `Termination` where their meaning is clear. What is not clear stays as it is.
pub fn put_right(game: &mut Game) {
    game.tags.set("Result", game.outcome.as_str());
    let plies = game.line().count().to_string();
    let tags = &mut game.tags;
    if tags.get("PlyCount").is_some() {
        tags.set("PlyCount", plies);
    }
    if tags.get("FEN").is_some() {
        tags.set("SetUp", "1");
    } else {
        tags.remove("SetUp");
    }
    let date = tags.get("Date").and_then(standard_date);
    let control =
        tags.get("TimeControl").and_then(|value| value.parse::<TimeControl>().ok()).map(|value| value.to_string());
    let termination = tags.get("Termination").and_then(|value| value.parse::<Termination>().ok());
    let termination = termination.map(|value| value.to_string());
    for (name, value) in [("Date", date), ("TimeControl", control), ("Termination", termination)] {
        if let Some(value) = value {
            tags.set(name, value);
        }
    }
}

/// Ten characters, digits or question marks between full stops (PGN standard, 8.1.1.3).
fn is_date(value: &str) -> bool {
    let form = value.len() == 10
        && value.bytes().zip(*b"dddd.dd.dd").all(|(byte, form)| match form {
            b'd' => byte.is_ascii_digit() || byte == b'?',
            _ => byte == form,
        });
    let field = |range| value.get(range).and_then(|field: &str| field.parse::<u8>().ok());
    form && field(5..7).is_none_or(|month| (1..=12).contains(&month))
        && field(8..10).is_none_or(|day| (1..=31).contains(&day))
}

/// A date with other signs between its fields, the year first: `2026-11-21`, `2026/11/21`.
fn standard_date(value: &str) -> Option<String> {
    let date = value.trim().replace(['-', '/'], ".");
    is_date(&date).then_some(date)
}

/// Why a game ended (PGN standard, 9.8.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// Given up by both.
    Abandoned,
    /// Decided by a third party.
    Adjudication,
    /// The loser died.
    Death,
    /// Ended by circumstances nobody foresaw.
    Emergency,
    /// Mate, resignation, stalemate, agreement.
    Normal,
    /// Lost by a breach of the Laws or regulations.
    RulesInfraction,
    /// Lost on time.
    TimeForfeit,
    /// Not ended.
    Unterminated,
}

const TERMINATIONS: [(Termination, &str); 8] = [
    (Termination::Abandoned, "abandoned"),
    (Termination::Adjudication, "adjudication"),
    (Termination::Death, "death"),
    (Termination::Emergency, "emergency"),
    (Termination::Normal, "normal"),
    (Termination::RulesInfraction, "rules infraction"),
    (Termination::TimeForfeit, "time forfeit"),
    (Termination::Unterminated, "unterminated"),
];

/// A value that is none of the standard's terminations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this is none of the standard's terminations; write normal, time forfeit, abandoned or another of them")]
pub struct UnknownTermination;

impl FromStr for Termination {
    type Err = UnknownTermination;

    /// In small or large letters.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = TERMINATIONS.iter().find(|(_, name)| name.eq_ignore_ascii_case(text.trim()));
        known.map(|(termination, _)| *termination).ok_or(UnknownTermination)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = TERMINATIONS.iter().find(|(termination, _)| termination == self);
        f.write_str(known.map_or("normal", |(_, name)| name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::read_games;

    fn game(text: &str) -> Game {
        read_games(text).next().expect("a game").expect("whole")
    }

    #[test]
    fn contradictions_are_found_and_put_right() {
        let mut wrong = game(
            "[Date \"2026-11-21\"]\n[Result \"1-0\"]\n[PlyCount \"7\"]\n[SetUp \"1\"]\n[TimeControl \"180+0\"]\n\
             [Termination \"Time Forfeit\"]\n\n1. e4 e5 2. d4 0-1",
        );
        let told: Vec<_> = findings(&wrong).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "the Result tag says 1-0 and the moves end with 0-1; correct one of them",
                "the PlyCount tag says 7 and there are 3 moves of one side; correct it",
                "“2026-11-21” is no date; write YYYY.MM.DD, with question marks for what is not known",
                "the tags SetUp and FEN do not fit each other; give SetUp \"1\" with a FEN or neither",
            ]
        );
        put_right(&mut wrong);
        assert_eq!(findings(&wrong), []);
        let tags: Vec<_> = wrong.tags.iter().collect();
        assert_eq!(
            tags,
            [
                ("Date", "2026.11.21"),
                ("Result", "0-1"),
                ("PlyCount", "3"),
                ("Termination", "time forfeit"),
                ("TimeControl", "180"),
            ]
        );
    }

    #[test]
    fn a_country_is_named_by_its_code_of_then_or_of_today() {
        let codes = |text: &str| -> Vec<String> { findings(&game(text)).iter().map(ToString::to_string).collect() };
        for site in
            ["Linz AUT", "Linz OST", "Belgrade, Serbia JUG", "lichess.org NET", "New York City, NY USA", "Rome", "URS"]
        {
            assert_eq!(codes(&format!("[Site \"{site}\"]\n\n*")), [""; 0], "{site}");
        }
        assert_eq!(
            codes("[Site \"Linz AUX\"]\n[BlackFed \"XYZ\"]\n[WhiteFed \"GRE\"]\n\n*"),
            [
                "the Site tag has “AUX”, which is no country's code; write that of FIDE, or NET for the Internet",
                "the BlackFed tag has “XYZ”, which is no country's code; write that of FIDE, or NET for the Internet",
            ]
        );
    }

    #[test]
    fn what_is_not_clear_stays_and_is_told() {
        let text = "[Date \"21.11.2026\"]\n[TimeControl \"90 min\"]\n[Termination \"he left\"]\n\n*";
        let mut unclear = game(text);
        put_right(&mut unclear);
        assert_eq!(findings(&unclear).len(), 3);
        assert_eq!(unclear.tags.get("Date"), Some("21.11.2026"));
        for date in ["2026.13.01", "2026.00.01", "2026.01.32", "2026.1.1", "2026.11.é", "?"] {
            assert!(!is_date(date), "{date}");
        }
        for date in ["2026.11.21", "????.??.??", "1993.??.??", "19??.??.??"] {
            assert!(is_date(date), "{date}");
        }
    }
}
