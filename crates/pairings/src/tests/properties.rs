//! Whatever the file: no panic, and nothing is lost on the way out and back.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{essence, games};
use crate::difference::difference;
use crate::preview::preview;
use crate::results::{as_csv, as_pgn, as_trf};
use crate::{MAX_BYTES, load};

/// Pieces that the readers look for, so that arbitrary text gets past the first line.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~\t\n;,|½éß\"]{0,30}",
        Just("001    1 mGM  Adler, Ida".to_owned()),
        Just("\n001    2 ".to_owned()),
        Just(format!("{:60}", "")),
        Just("0002 w 1  ".to_owned()),
        Just("\n012 Cup\n013 Hill\n132 26/02/13\n300   1   1   2    1\n222 90+30\n".to_owned()),
        Just("Round;Board;White;Black;Result\n".to_owned()),
        Just("1;1;Adler, Ida;Bos, Jan;1-0\n".to_owned()),
        Just("[Event \"Cup\"]\n[Round \"1.2.3\"]\n".to_owned()),
        Just("[White \"Fox\"]\n[Black \"Eng\"]\n\n*\n\n".to_owned()),
        Just("2\n1 2\n3 0\n".to_owned()),
        Just("4294967296".to_owned()),
    ]
}

const SCORES: [&str; 9] = ["", "1-0", "0-1", "1/2-1/2", "+ - -", "- - +", "- - -", "0-0", "1/2-0"];

/// Rounds of the same twelve players, each paired by a rotation, with any results.
fn table() -> impl Strategy<Value = String> {
    let round = (0..12usize, proptest::collection::vec(0..SCORES.len(), 6), any::<bool>());
    proptest::collection::vec(round, 1..5).prop_map(|rounds| {
        let mut text = String::from("Round;Board;White;Black;Result\n");
        for (number, (turn, scores, bye)) in rounds.into_iter().enumerate() {
            let games = if bye { 5 } else { 6 };
            let player = |place: usize| format!("Player{:02}, Name", (place + turn) % 12);
            for (table, score) in scores.into_iter().take(games).enumerate() {
                let (white, black, score) = (player(2 * table), player(2 * table + 1), SCORES[score]);
                _ = writeln!(text, "{};{};{white};{black};{score}", number + 1, table + 1);
            }
            if bye {
                _ = writeln!(text, "{};;{};bye;", number + 1, player(10));
            }
        }
        text
    })
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(pieces in proptest::collection::vec(piece(), 0..12), cut in 0..4usize) {
        let text = pieces.concat();
        let (first, second) = text.split_at_checked(text.len() * cut / 4).unwrap_or((&text, ""));
        for files in [&[("a", text.as_bytes())][..], &[("a", first.as_bytes()), ("b", second.as_bytes())]] {
            if let Ok(loaded) = load(files) {
                preview(&loaded.pairings);
                prop_assert_eq!(difference(&loaded.pairings, &loaded.pairings), vec![]);
                as_trf(&loaded.pairings, loaded.report.as_ref());
                as_pgn(&loaded.pairings);
                as_csv(&loaded.pairings);
            }
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        _ = load(&[("a", &bytes)]);
    }

    #[test]
    fn results_survive_a_table_and_a_report(text in table()) {
        let first = load(&[("a", text.as_bytes())]).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let back = |text: String| load(&[("b", text.as_bytes())]).map_err(|error| TestCaseError::fail(error.to_string()));
        let csv = back(as_csv(&first.pairings))?;
        prop_assert_eq!(essence(&csv), essence(&first));
        prop_assert_eq!(difference(&first.pairings, &csv.pairings), vec![]);
        let report = back(as_trf(&first.pairings, None))?;
        for round in &first.pairings.rounds {
            let bare = |all: Vec<String>| {
                let mut lines: Vec<_> = all.iter().filter_map(|line| Some(line.split_once(' ')?.1.to_owned())).collect();
                lines.sort();
                lines
            };
            prop_assert_eq!(bare(games(&report.pairings, round.number)), bare(games(&first.pairings, round.number)));
        }
        // What a report wrote it writes again.
        let again = as_trf(&report.pairings, report.report.as_ref());
        prop_assert_eq!(again, as_trf(&first.pairings, None));
    }
}

proptest! {
    // Each case is megabytes.
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn megabytes_of_rubbish_are_refused_or_read_in_a_moment(
        pieces in proptest::collection::vec(prop_oneof![piece(), "\\PC{0,40}"], 1..12),
        mebibytes in 0..10usize,
        head in any::<bool>(),
    ) {
        // A file that begins like a form and goes on with anything, or the same over and over.
        let start = if head { "Round;Board;White;Black;Result\n" } else { "001    1 " };
        let body = pieces.concat();
        let times = mebibytes * 1024 * 1024 / body.len().max(1) + 1;
        let mut text = start.to_owned();
        text.push_str(&body.repeat(times));
        match load(&[("rubbish", text.as_bytes())]) {
            Ok(loaded) => prop_assert!(text.len() as u64 <= MAX_BYTES, "{} players", loaded.pairings.players.len()),
            Err(problem) => prop_assert!(problem.to_string().starts_with("rubbish"), "{problem}"),
        }
    }
}
