//! Where a game belongs in an archive: the standard's file names and directory tree (PGN standard, 11).
//!
//! Knows names and the tree; must not know files.
//!
//! ```text
//! ReadMe
//! Events/ReadMe   Events/City Open.pgn          one file for each event
//! Players/ReadMe  Players/Adler.pgn             one for each player, by the last name
//! MGR/ReadMe      MGR/2026/ReadMe
//! MGR/2026/202611/20261121.pgn                  one for each day
//! ```

use crate::collation::CollationKey;
use crate::pgn::Game;

/// Longest name of a file without its suffix, in bytes: every file system takes it.
const MAX_NAME_BYTES: usize = 100;

/// Names that Windows keeps for devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Files of the archive that a game belongs in, as paths with `/` below the archive's folder. A player or event that is
/// not known has no file; a game with the same last name on both sides stands in that player's file once.
pub fn places(game: &Game) -> Vec<String> {
    let mut places = Vec::new();
    let known = |name| game.tags.get(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"));
    if let Some(event) = known("Event") {
        places.push(format!("Events/{}", file_name(event)));
    }
    // Several players of one side are divided by colons (PGN standard, 8.1.1.5).
    let players = ["White", "Black"].into_iter().filter_map(known).flat_map(|players| players.split(':'));
    for player in players {
        let place = format!("Players/{}", file_name(last_name(player)));
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places.push(day(game));
    places
}

/// The file of a game's day: `MGR/2026/202611/20261121.pgn`. What is not known of the date is zeros.
pub fn day(game: &Game) -> String {
    let [year, month, day] = CollationKey::of(game).date();
    format!("MGR/{year:04}/{year:04}{month:02}/{year:04}{month:02}{day:02}.pgn")
}

/// The part of a player's name that a file is named after (PGN standard, 11.2): what stands before the comma.
pub fn last_name(player: &str) -> &str {
    player.split(',').next().unwrap_or(player).trim()
}

/// A file name made of a text: the text with the suffix `.pgn`, without the characters that some file system refuses.
pub fn file_name(text: &str) -> String {
    let mut name: String =
        text.trim().chars().map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c }).collect();
    name.truncate(name.floor_char_boundary(MAX_NAME_BYTES));
    let name = name.trim_end_matches(['.', ' ']);
    let device: String = name.chars().take_while(|c| c.is_alphabetic()).collect::<String>().to_ascii_lowercase();
    let rest = name.get(device.len()..).unwrap_or_default();
    let reserved = DEVICES.contains(&device.as_str()) && rest.chars().all(|c| c.is_ascii_digit()) && rest.len() < 2;
    match name.chars().next() {
        None => "_.pgn".to_owned(),
        Some('.') => format!("_{name}.pgn"),
        Some(_) if reserved => format!("{name}_.pgn"),
        Some(_) => format!("{name}.pgn"),
    }
}

/// What the `ReadMe` of a folder of the archive says; folders are given as in [`places`], the archive's own as empty.
/// `None` for folders that have none.
pub fn read_me(folder: &str) -> Option<String> {
    let text = match folder {
        "" => "This is an archive of chess games in Portable Game Notation (PGN), in the directory tree that the\n\
               PGN standard of 1994.03.12 suggests.\n\n\
               Events   a file for each event\n\
               Players  a file for each player, named by the last name\n\
               MGR      all games by date: a folder for each year and month, a file for each day\n\n\
               Every game stands in each file that it belongs to. Within a file the games are in the\n\
               standard's order: date, event, site, round, White, Black, result, moves.\n"
            .to_owned(),
        "Events" => {
            "A file for each event, named after it. Games whose event is not known are in MGR only.\n".to_owned()
        }
        "Players" => {
            "A file for each player, named by the last name: players who share one share the file.\n".to_owned()
        }
        "MGR" => "All games by date: a folder for each year, in it one for each month, in it a file for each day.\n\
                  Digits of a date that are not known are zeros.\n"
            .to_owned(),
        _ => {
            let year = folder.strip_prefix("MGR/").filter(|year| !year.contains('/'))?;
            format!(
                "The games of the year {year}: a folder for each month (YYYYMM), in it a file for each day (YYYYMMDD.pgn).\n"
            )
        }
    };
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Tags;

    fn places_of(tags: &[(&str, &str)]) -> Vec<String> {
        places(&Game { tags: tags.iter().copied().collect::<Tags>(), ..Game::default() })
    }

    #[test]
    fn a_game_stands_with_its_event_its_players_and_its_day() {
        let tags =
            [("Event", "City Open"), ("Date", "2026.11.21"), ("White", "Adler, Ida"), ("Black", "van der Wiel, Johan")];
        assert_eq!(
            places_of(&tags),
            ["Events/City Open.pgn", "Players/Adler.pgn", "Players/van der Wiel.pgn", "MGR/2026/202611/20261121.pgn"]
        );
    }

    #[test]
    fn what_is_not_known_has_no_file_but_the_day() {
        assert_eq!(places_of(&[]), ["MGR/0000/000000/00000000.pgn"]);
        let tags = [("Date", "1851.??.??"), ("White", "Adler, Ida"), ("Black", "Adler, Otto:Acme v.3")];
        assert_eq!(places_of(&tags), ["Players/Adler.pgn", "Players/Acme v.3.pgn", "MGR/1851/185100/18510000.pgn"]);
    }

    #[test]
    fn every_file_system_takes_the_names() {
        for (text, name) in [
            ("A/B: \"C\"?", "A_B_ _C__.pgn"),
            ("../../etc", "_.._.._etc.pgn"),
            ("...", "_.pgn"),
            ("", "_.pgn"),
            ("con", "con_.pgn"),
            ("Com1", "Com1_.pgn"),
            ("Conrad", "Conrad.pgn"),
            ("Open.", "Open.pgn"),
            ("a\nb", "a_b.pgn"),
        ] {
            assert_eq!(file_name(text), name, "{text:?}");
        }
        assert!(file_name(&"é".repeat(300)).len() <= MAX_NAME_BYTES + 4);
    }

    #[test]
    fn every_folder_tells_what_is_in_it() {
        for folder in ["", "Events", "Players", "MGR", "MGR/2026"] {
            assert!(read_me(folder).is_some_and(|text| text.ends_with(".\n")), "{folder}");
        }
        assert_eq!(read_me("MGR/2026/202611"), None);
    }
}
