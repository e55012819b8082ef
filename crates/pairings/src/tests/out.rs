//! Results out and back in.

use super::{essence, games};
use crate::results::{as_csv, as_pgn, as_trf};
use crate::{Loaded, load};

const ROUNDS: &str = "Round;Board;White;White Rtg;White Team;Black;Black Rtg;Result\n\
    1;1;\"Adler, \"\"Ida\"\"\";2550;Hill; \"Bos; Jan\";2440;1-0\n1;2;Costa, Rui;;;Dubois, Léa;2250;½-½\n\
    1;3;Eng, Kim;;;Fox, Sam;;- - +\n1;4;Gil, Ana;;;Hug, Urs;;0-0\n1;;Iva, Ola;;;bye;;\n\
    2;1;Dubois, Léa;2250;;\"Adler, \"\"Ida\"\"\";2550;\n2;2;Bos; Jan;;;Costa, Rui;;\n";

fn loaded(text: &str) -> Loaded {
    load(&[("results", text.as_bytes())]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn what_is_written_says_the_same_when_it_is_read() {
    let text = ROUNDS.replace("; \"Bos; Jan\"", ";\"Bos; Jan\"").replace("2;2;Bos; Jan", "2;2;\"Bos; Jan\"");
    let first = loaded(&text);
    assert_eq!(first.pairings.rounds.len(), 2);
    let csv = loaded(&as_csv(&first.pairings));
    assert_eq!(essence(&csv), essence(&first));
    assert_eq!(csv.pairings.rounds[0].byes.len(), 1);
    assert_eq!(csv.pairings.rounds[0].games[0].white.team.as_deref(), Some("Hill"));
    // A report has no tables and other players may come first; everything else is there.
    let report = loaded(&as_trf(&first.pairings, None));
    for round in [1, 2] {
        let bare = |loaded: &Loaded| {
            let mut lines: Vec<String> = games(&loaded.pairings, round)
                .iter()
                .filter_map(|line| Some(line.split_once(' ')?.1.to_owned()))
                .collect();
            lines.sort();
            lines
        };
        assert_eq!(bare(&report), bare(&first), "round {round}");
    }
    // PGN has four results.
    let pgn = loaded(&as_pgn(&first.pairings));
    let expected: Vec<_> =
        essence(&first).iter().map(|line| line.replace(" - - +", " 0-1").replace(" 0-0", "")).collect();
    assert_eq!(essence(&pgn), expected);
}

#[test]
fn no_name_in_a_table_is_a_formula_of_a_spreadsheet_and_each_is_read_back() {
    let names = ["=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(1)", "'Brien", "O'Neil"];
    let rows = names.iter().enumerate().map(|(row, name)| format!("1;{};{name};{name}s;Bos {row};=1\n", row + 1));
    let text = format!("Round;Table;White;White Team;Black;Board Serial\n{}", rows.collect::<String>());
    let first = loaded(&text);
    let table = as_csv(&first.pairings);
    for row in table.lines() {
        let formula = |cell: &str| cell.trim_matches('"').starts_with(['=', '+', '-', '@']);
        assert!(!row.split(',').any(formula), "{row}");
    }
    let second = loaded(&table);
    assert_eq!(essence(&second), essence(&first));
    for (game, name) in second.pairings.rounds[0].games.iter().zip(names) {
        assert_eq!((game.white.name.as_str(), game.white.team.as_deref()), (name, Some(&*format!("{name}s"))));
    }
    assert_eq!(second.pairings.boards, first.pairings.boards);
}

#[test]
fn starting_numbers_that_a_report_cannot_hold_are_replaced() {
    let list = "No.;Name;Rtg\n1;Adler, Ida;\n1;Bos, Jan;\n123456;Costa, Rui;\n;Dubois, Léa;\n";
    let table =
        "Round;No.;White;No.;Black;Result\n1;1;Bos, Jan;1;Adler, Ida;1-0\n1;;Dubois, Léa;123456;Costa, Rui;0-1\n";
    let first = load(&[("list", list.as_bytes()), ("table", table.as_bytes())]).unwrap();
    let report = loaded(&as_trf(&first.pairings, None));
    let numbers: Vec<_> = report.pairings.players.iter().map(|player| (player.number, player.name.as_str())).collect();
    let expected = [(1, "Adler, Ida"), (2, "Bos, Jan"), (3, "Costa, Rui"), (4, "Dubois, Léa")];
    assert_eq!(numbers, expected.map(|(number, name)| (Some(number), name)));
    assert_eq!(games(&report.pairings, 1), ["1 Bos, Jan - Adler, Ida 1-0", "2 Dubois, Léa - Costa, Rui 0-1"]);
}

#[test]
fn headers_carry_everything_that_is_known() {
    let list = format!(
        "001    1 mGM  {:<33} 2550 NED {:>11} {:20}  0002 w\n001    2      {:<33} 2440 {:36}  0001 b\n\
        012 Cup\n222 5400+30\n013 {:<32}   1\n",
        "Adler, Ida", 1_000_001, "", "Bos, Jan", "", "Hill"
    );
    let pgn = as_pgn(&loaded(&list).pairings);
    for tag in [
        "[Event \"Cup\"]",
        "[Round \"1.1\"]",
        "[Board \"1\"]",
        "[White \"Adler, Ida\"]",
        "[WhiteTitle \"GM\"]",
        "[WhiteElo \"2550\"]",
        "[WhiteFed \"NED\"]",
        "[WhiteFideId \"1000001\"]",
        "[WhiteTeam \"Hill\"]",
        "[TimeControl \"5400+30\"]",
        "[Result \"*\"]",
    ] {
        assert!(pgn.contains(tag), "{tag} is missing in\n{pgn}");
    }
    assert!(!pgn.contains("BlackTitle") && !pgn.contains("BlackFed"), "{pgn}");
}
