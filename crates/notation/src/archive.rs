//! File names and directory tree of an archive of games (PGN standard, 11).
//!
//! Must not know the file system.
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

/// Longest file name without its suffix, in bytes; below the limit of every file system (255).
const MAX_NAME_BYTES: usize = 100;

/// File names that Windows reserves for devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The files of the archive that hold a game, as paths with `/` below the archive's folder. An unknown player or event has
/// no file. A game between players of one last name is listed once.
pub fn places(game: &Game) -> Vec<String> {
    let mut places = Vec::new();
    let known = |name| game.tags.get(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"));
    if let Some(event) = known("Event") {
        places.push(format!("Events/{}", file_name(event)));
    }
    // Several players of one side are separated by colons (PGN standard, 8.1.1.5).
    let players = ["White", "Black"].into_iter().filter_map(known).flat_map(|players| players.split(':'));
    for player in players {
        let place = format!("Players/{}", file_name(last_name(player)));
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places.push(day_file(game));
    places
}

/// The file of a game's day: `MGR/2026/202611/20261121.pgn`, with zeros for unknown parts of the date.
fn day_file(game: &Game) -> String {
    let [year, month, day] = CollationKey::of(game).date();
    format!("MGR/{year:04}/{year:04}{month:02}/{year:04}{month:02}{day:02}.pgn")
}

/// A player's last name, which names the player's file (PGN standard, 11.2): the text before the comma.
pub fn last_name(player: &str) -> &str {
    player.split(',').next().unwrap_or(player).trim()
}

/// A file name for a text: the text with the suffix `.pgn`, with `_` for characters that some file systems refuse.
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

/// Text of the `ReadMe` file of a folder of the archive. Folders are paths as in [`places`]; the empty path is the archive
/// itself. `None` for folders without a `ReadMe`.
pub fn read_me(folder: &str) -> Option<String> {
    let text = match folder {
        "" => "This is an archive of chess games in Portable Game Notation (PGN), in the directory tree that the\n\
               PGN standard of 1994.03.12 suggests.\n\n\
               Events   a file for each event\n\
               Players  a file for each player, named by the last name\n\
               MGR      all games by date: a folder for each year and month, a file for each day\n\n\
               Every game is in each file that it belongs to. Within a file the games are in the\n\
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
    fn a_game_is_filed_by_event_players_and_day() {
        let tags =
            [("Event", "City Open"), ("Date", "2026.11.21"), ("White", "Adler, Ida"), ("Black", "van der Wiel, Johan")];
        assert_eq!(
            places_of(&tags),
            ["Events/City Open.pgn", "Players/Adler.pgn", "Players/van der Wiel.pgn", "MGR/2026/202611/20261121.pgn"]
        );
    }

    #[test]
    fn an_unknown_event_or_player_has_no_file() {
        assert_eq!(places_of(&[]), ["MGR/0000/000000/00000000.pgn"]);
        let tags = [("Date", "1851.??.??"), ("White", "Adler, Ida"), ("Black", "Adler, Otto:Acme v.3")];
        assert_eq!(places_of(&tags), ["Players/Adler.pgn", "Players/Acme v.3.pgn", "MGR/1851/185100/18510000.pgn"]);
    }

    #[test]
    fn file_names_are_valid_on_every_file_system() {
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
    fn every_folder_has_a_readme() {
        for folder in ["", "Events", "Players", "MGR", "MGR/2026"] {
            assert!(read_me(folder).is_some_and(|text| text.ends_with(".\n")), "{folder}");
        }
        assert_eq!(read_me("MGR/2026/202611"), None);
    }
}
