//! Round trips: write and read, read and write.

use notation::pgn::{Element, Game, read_games, write_game, write_movetext};
use notation::time::Times;
use proptest::collection::vec;
use proptest::prelude::*;

use super::games::{game, outcome};
use super::{read_all, second_reader, write_all};

proptest! {
    #[test]
    fn a_game_comes_back_from_its_text(games in vec(game(), 1..4)) {
        let text = write_all(&games);
        prop_assert_eq!(&read_all(&text), &games);
        prop_assert_eq!(second_reader::read(&text), games.iter().map(second_reader::expected).collect::<Vec<_>>());
    }

    #[test]
    fn movetext_stays_within_its_lines(game in game()) {
        let text = write_movetext(&game);
        for line in text.lines() {
            prop_assert!(line.chars().count() < 80, "{}", line);
            prop_assert!(!line.is_empty() && line.trim() == line, "{:?}", line);
            prop_assert!(!line.starts_with('%') && (line.starts_with("[%") || !line.starts_with('[')), "{:?}", line);
            // A clock is whole wherever a line ends.
            let clocks = line.matches("[%clk ").count() + line.matches("[%emt ").count();
            prop_assert_eq!(line.split("[%").skip(1).filter(|rest| is_clock(rest)).count(), clocks, "{}", line);
        }
        // No line could have taken the first token of the next one, unless that is a comment's.
        for (line, next) in text.lines().zip(text.lines().skip(1)) {
            let token = next.split([' ']).next().unwrap_or_default();
            let is_move = !token.contains(['{', '}', '[', '%']) && !line.contains(['{', '[']) && !next.contains(['}', '%', '[']);
            prop_assert!(!is_move || line.chars().count() + 1 + token.chars().count() > 79, "{}\n{}", line, next);
        }
    }

    #[test]
    fn the_order_of_tags_does_not_matter((game, lines) in game().prop_flat_map(|game| {
        let lines: Vec<String> = tag_lines(&game);
        (Just(game), Just(lines).prop_shuffle())
    })) {
        let text = format!("{}\n\n{}\n", lines.join("\n"), write_movetext(&game));
        prop_assert_eq!(read_all(&text), [game]);
    }

    /// Any text as tag value and comment: the first writing may change it, the second does not.
    #[test]
    fn what_was_written_once_is_written_the_same_again(
        value in any::<String>(), told in vec(any::<String>(), 0..4), clk_ms in 0..1_000_000_000_u64, outcome in outcome(),
    ) {
        let say = |told: &[String]| told.iter().cloned().map(Element::Comment).collect::<Vec<_>>();
        let mut game = Game { tags: [("White", value)].into_iter().collect(), movetext: say(&told), outcome };
        game.play("e4".parse().expect("SAN"), Times { clk_ms: Some(clk_ms), ..Times::default() });
        game.movetext.extend(say(&told));
        game.play("e5".parse().expect("SAN"), Times::default());
        let text = write_game(&game);
        let games = read_all(&text);
        prop_assert_eq!(&write_all(&games), &text);
        prop_assert_eq!(games.len(), 1);
        prop_assert_eq!(games[0].tags.get("White"), game.tags.get("White"));
        prop_assert_eq!(games[0].line().next().and_then(|ply| ply.times().clk_ms), Some(clk_ms / 1000 * 1000));
    }

    #[test]
    fn rubbish_is_refused_without_panic(bytes in vec(any::<u8>(), 0..400)) {
        no_panic(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn scrambled_pgn_is_refused_without_panic(pieces in vec(proptest::sample::select(PIECES), 0..80)) {
        no_panic(&pieces.concat())?;
    }
}

pub(super) const PIECES: &[&str] = &[
    "[",
    "]",
    "[Event \"",
    "[Event \"a\"]",
    "[A \"b\"]",
    "\"",
    "\\",
    "{",
    "}",
    "(",
    ")",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    " ",
    "%",
    "\n%",
    ";",
    "$",
    "$7",
    "$999",
    "!",
    "?!",
    "*",
    "1-0",
    "1/2-1/2",
    "½-½",
    "0-0",
    "1.",
    "1...",
    "…",
    "e4",
    "Nf3+",
    "O-O",
    "--",
    "e.p.",
    "x",
    "é",
    "\u{feff}",
    "[%clk 1:00:00]",
    "{[%clk\n0:15.16]}",
    "\0",
    "<",
];

/// Any text: reading ends, errors lie within the text, and a game that is read can be written and read again.
fn no_panic(text: &str) -> Result<(), TestCaseError> {
    let lines = text.split(['\n', '\r']).count();
    for (index, game) in read_games(text).enumerate() {
        prop_assert!(index <= text.len());
        match game {
            Ok(game) => {
                let written = write_game(&game);
                let again = read_all(&written);
                prop_assert_eq!(write_all(&again), written);
            }
            Err(error) => {
                prop_assert_eq!(error.game, index + 1);
                prop_assert!(
                    (1..=lines).contains(&error.line) && (1..=text.len()).contains(&error.column),
                    "{}",
                    error
                );
            }
        }
    }
    Ok(())
}

fn tag_lines(game: &Game) -> Vec<String> {
    notation::pgn::write_tags(&game.tags, game.outcome).lines().map(str::to_owned).collect()
}

fn is_clock(text: &str) -> bool {
    let time = text.strip_prefix("clk ").or_else(|| text.strip_prefix("emt "));
    time.and_then(|time| time.split_once(']')).is_some_and(|(time, _)| notation::time::parse_clk(time).is_some())
}
