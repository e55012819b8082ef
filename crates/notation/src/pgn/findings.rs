//! Finds tags that contradict the game or their own form, and repairs those whose meaning is clear.
//!
//! Must not know the rules of chess.

use std::fmt;
use std::str::FromStr;

use shakmaty::san::Suffix;
use thiserror::Error;

use super::game::Game;
use super::outcome::{Outcome, is_lost_by_both};
use super::positions::start_position;
use crate::fen::FenError;
use crate::presentation::{Country, is_fide_federation};
use crate::time_control::{TimeControl, TimeControlError};

/// A tag that contradicts the game or its own form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Finding {
    /// The `Result` tag and the movetext differ.
    #[error("the Result tag is {tag}, but the moves end with {movetext}; correct one of them")]
    Result {
        /// The tag's value.
        tag: String,
        /// The game termination marker of the movetext.
        movetext: Outcome,
    },
    /// The last move gives mate, and the result is not a win of the side that moved.
    #[error("{} gives mate, but the result is {outcome}; correct the result", if *.white {"White"} else {"Black"})]
    Mate {
        /// Whether White gives mate.
        white: bool,
        /// The result of the game.
        outcome: Outcome,
    },
    /// The `FEN` tag of a game without moves is not a legal position. A game with moves is refused for it.
    #[error("the FEN tag is not valid: {0}")]
    Fen(#[from] FenError),
    /// A rating is not a number.
    #[error("“{value}” in the {tag} tag is not a rating; write a number, or - for an unrated player")]
    Elo {
        /// The tag.
        tag: &'static str,
        /// Its value.
        value: String,
    },
    /// The `PlyCount` tag and the moves differ.
    #[error("the PlyCount tag is {tag}, but the game has {plies} plies; correct the tag")]
    PlyCount {
        /// The tag's value.
        tag: String,
        /// Plies of the main line.
        plies: usize,
    },
    /// The `Date` tag is not of the form `YYYY.MM.DD`.
    #[error("“{0}” is not a date; write YYYY.MM.DD, with question marks for unknown digits")]
    Date(String),
    /// `SetUp "1"` without a `FEN` tag, or the other way round (PGN standard, 9.7.1).
    #[error("the tags SetUp and FEN do not match; write SetUp “1” together with a FEN tag, or neither")]
    SetUp,
    /// The `TimeControl` tag cannot be read.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// A tag has a country code that is neither the standard's nor FIDE's.
    #[error("“{code}” in the {tag} tag is not a country code; write FIDE's code, or NET for the Internet")]
    Country {
        /// The tag.
        tag: &'static str,
        /// The code.
        code: String,
    },
    /// The `Termination` tag does not have one of the standard's values.
    #[error(
        "“{0}” is not a termination of the standard; write normal, time forfeit, abandoned or another of its values"
    )]
    Termination(String),
}

/// The finding of two decided results that differ: the reader takes that of the movetext.
pub fn differing_results(game: &Game) -> Option<Finding> {
    let tag = game.tags.get("Result")?;
    let decided = Outcome::parse(tag).filter(|&outcome| outcome != Outcome::Unknown)?;
    (decided != game.outcome).then(|| Finding::Result { tag: tag.to_owned(), movetext: game.outcome })
}

/// All findings of a game. Its moves must be in canonical form (see [`super::normalise`]), because the mark of a mate counts.
pub fn findings(game: &Game) -> Vec<Finding> {
    let mut found = Vec::new();
    let tag = |name| game.tags.get(name);
    if let Some(value) = tag("Result")
        && value != game.outcome.as_str()
        && !(game.outcome == Outcome::Unknown && is_lost_by_both(value))
    {
        found.push(Finding::Result { tag: value.to_owned(), movetext: game.outcome });
    }
    let plies = game.line().count();
    if game.line().last().is_some_and(|last| last.san.suffix == Some(Suffix::Checkmate)) {
        let black_begins = tag("FEN").is_some_and(|fen| fen.split_ascii_whitespace().nth(1) == Some("b"));
        let white = (plies % 2 == 1) != black_begins;
        if game.outcome != if white { Outcome::WhiteWins } else { Outcome::BlackWins } {
            found.push(Finding::Mate { white, outcome: game.outcome });
        }
    }
    if let Err(error) = start_position(&game.tags) {
        found.push(error.into());
    }
    for name in ["WhiteElo", "BlackElo"] {
        if let Some(value) = tag(name).map(str::trim).filter(|value| !is_rating(value)) {
            found.push(Finding::Elo { tag: name, value: value.to_owned() });
        }
    }
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
    found.extend(unknown_codes(game).map(|(tag, code)| Finding::Country { tag, code: code.to_owned() }));
    if let Some(value) = tag("Termination")
        && value.parse::<Termination>().is_err()
        && !is_sentence_of_a_site(value)
    {
        found.push(Finding::Termination(value.to_owned()));
    }
    found
}

/// Codes that databases and sites write besides: games over the Internet, former states and federations.
const IN_USE: [&str; 12] = ["INT", "WWW", "EUR", "FRG", "GDR", "NON", "SCG", "TCH", "UNK", "URS", "XXX", "YUG"];

/// Unknown country codes: after the place in `Site` (PGN standard, 8.1.1.2), and in the tags of the players' federations.
fn unknown_codes(game: &Game) -> impl Iterator<Item = (&'static str, &str)> {
    ["Site", "WhiteCountry", "WhiteFed", "BlackCountry", "BlackFed"].into_iter().filter_map(|tag| {
        let value = game.tags.get(tag)?.trim();
        let code = if tag == "Site" { value.rsplit_once(' ').map_or("", |(_, code)| code) } else { value };
        let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
        let known = Country::of_standard(code).is_some() || is_fide_federation(code) || IN_USE.contains(&code);
        (is_code && !known).then_some((tag, code))
    })
}

/// Repairs the tags that follow from the rest of the game (`Result`, `PlyCount`, `SetUp`), and the form of `Date`,
/// `TimeControl` and `Termination` where the meaning is clear. Other tags stay as they are.
pub fn repair_tags(game: &mut Game) {
    let lost_by_both = game.outcome == Outcome::Unknown && game.tags.get("Result").is_some_and(is_lost_by_both);
    game.tags.set("Result", if lost_by_both { "0-0" } else { game.outcome.as_str() });
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

/// One to four digits, or a sign for an unrated player.
fn is_rating(value: &str) -> bool {
    matches!(value, "" | "-" | "?") || value.len() <= 4 && value.bytes().all(|byte| byte.is_ascii_digit())
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

/// The standard's form of a date with other separators, the year first: `2026-11-21`, `2026/11/21`.
fn standard_date(value: &str) -> Option<String> {
    let date = value.trim().replace(['-', '/'], ".");
    is_date(&date).then_some(date)
}

/// Whether a termination is a sentence as chess.com writes it, `Ada won by resignation`, `Game drawn by repetition`. It says
/// more than the standard's words and stays as it is.
fn is_sentence_of_a_site(value: &str) -> bool {
    let value = value.trim().to_ascii_lowercase();
    let phrases = [" won by ", " won on time", " won - ", " drawn by ", " drawn - "];
    phrases.iter().any(|phrase| value.contains(phrase)) || value.starts_with("drawn by ") || value == "game abandoned"
}

/// Why a game ended (PGN standard, 9.8.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// Abandoned by both players.
    Abandoned,
    /// Decided by a third party.
    Adjudication,
    /// The losing player died.
    Death,
    /// Ended by unforeseen circumstances.
    Emergency,
    /// Mate, resignation, stalemate, agreement.
    Normal,
    /// Lost by an infraction of the rules.
    RulesInfraction,
    /// Lost on time.
    TimeForfeit,
    /// The game has not ended.
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

/// A value that is not one of the standard's terminations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this is not a termination of the standard; write normal, time forfeit, abandoned or another of its values")]
pub struct UnknownTermination;

impl FromStr for Termination {
    type Err = UnknownTermination;

    /// Upper and lower case are equal.
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
    use crate::pgn::reader::read_games;

    fn game(text: &str) -> Game {
        read_games(text).next().expect("a game").expect("whole")
    }

    #[test]
    fn contradictions_are_found_and_repaired() {
        let mut wrong = game(
            "[Date \"2026-11-21\"]\n[Result \"1-0\"]\n[PlyCount \"7\"]\n[SetUp \"1\"]\n[TimeControl \"180+0\"]\n\
             [Termination \"Time Forfeit\"]\n\n1. e4 e5 2. d4 0-1",
        );
        let messages: Vec<_> = findings(&wrong).iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "the Result tag is 1-0, but the moves end with 0-1; correct one of them",
                "the PlyCount tag is 7, but the game has 3 plies; correct the tag",
                "“2026-11-21” is not a date; write YYYY.MM.DD, with question marks for unknown digits",
                "the tags SetUp and FEN do not match; write SetUp “1” together with a FEN tag, or neither",
            ]
        );
        repair_tags(&mut wrong);
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
    fn mates_positions_and_ratings_are_checked() {
        let found = |text: &str| {
            let game = read_games(text).check_moves().next().expect("a game").expect("whole");
            findings(&game).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let fool = "1. f3 e5 2. g4 Qh4";
        assert_eq!(found(&format!("{fool} 0-1")), [""; 0]);
        assert_eq!(found(&format!("{fool} 1-0")), ["Black gives mate, but the result is 1-0; correct the result"]);
        assert_eq!(found(&format!("{fool} *")), ["Black gives mate, but the result is *; correct the result"]);
        let black_begins = "[SetUp \"1\"]\n[FEN \"6k1/8/8/8/8/1r6/r7/6K1 b - - 0 1\"]\n\n";
        assert_eq!(found(&format!("{black_begins}1... Rb1 0-1")), [""; 0]);
        let [told] = &found("[SetUp \"1\"]\n[FEN \"no position\"]\n\n*")[..] else { panic!() };
        assert!(told.starts_with("the FEN tag is not valid: "), "{told}");
        assert_eq!(
            found("[WhiteElo \"strong\"]\n[BlackElo \"-\"]\n\n*"),
            ["“strong” in the WhiteElo tag is not a rating; write a number, or - for an unrated player"]
        );
    }

    #[test]
    fn a_game_that_both_lose_has_its_result() {
        for text in ["[Result \"0-0\"]\n\n1. e4 *", "1. e4 0-0", "[Result \"0-0\"]\n\n0-0", "0-0"] {
            let mut game = read_games(text).check_moves().next().expect("a game").expect("whole");
            assert_eq!((game.outcome, game.tags.get("Result")), (Outcome::Unknown, Some("0-0")), "{text}");
            assert_eq!(findings(&game), [], "{text}");
            repair_tags(&mut game);
            assert!(crate::pgn::write_game(&game).contains("[Result \"0-0\"]"), "{text}");
        }
        let castled = read_games("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 0-0").check_moves().next();
        let castled = castled.expect("a game").expect("whole");
        assert_eq!((castled.line().count(), castled.tags.get("Result")), (8, Some("0-0")));
    }

    #[test]
    fn country_codes_of_the_standard_and_of_fide_are_accepted() {
        let codes = |text: &str| -> Vec<String> { findings(&game(text)).iter().map(ToString::to_string).collect() };
        for site in
            ["Linz AUT", "Linz OST", "Belgrade, Serbia JUG", "lichess.org NET", "New York City, NY USA", "Rome", "URS"]
        {
            assert_eq!(codes(&format!("[Site \"{site}\"]\n\n*")), [""; 0], "{site}");
        }
        assert_eq!(
            codes("[Site \"Linz AUX\"]\n[BlackFed \"XYZ\"]\n[WhiteFed \"GRE\"]\n\n*"),
            [
                "“AUX” in the Site tag is not a country code; write FIDE's code, or NET for the Internet",
                "“XYZ” in the BlackFed tag is not a country code; write FIDE's code, or NET for the Internet",
            ]
        );
    }

    #[test]
    fn what_sites_write_is_no_contradiction() {
        for text in [
            "[Termination \"Ada won by resignation\"]",
            "[Termination \"Ada_L won on time\"]",
            "[Termination \"Ada won - game abandoned\"]",
            "[Termination \"Game drawn by timeout vs insufficient material\"]",
            "[Site \"chess.com INT\"]",
            "[WhiteCountry \"INT\"]",
            "[Site \"Berlin GDR\"]",
        ] {
            let mut game = game(&format!("{text}\n\n*"));
            assert_eq!(findings(&game), [], "{text}");
            repair_tags(&mut game);
            assert!(crate::pgn::write_game(&game).contains(text), "{text}");
        }
    }

    #[test]
    fn an_unclear_value_stays_and_is_reported() {
        let text = "[Date \"21.11.2026\"]\n[TimeControl \"90 min\"]\n[Termination \"he left\"]\n\n*";
        let mut unclear = game(text);
        repair_tags(&mut unclear);
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
