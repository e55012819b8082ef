//! Several files, and what a load changes.

use super::{games, read, warnings};
use crate::difference::difference;
use crate::model::{ByeKind, TableOrder};
use crate::preview::preview;
use crate::{Problem, load};

const LIST: &str = "No.;Title;Name;Rtg;FED;FIDE-ID\n1;GM;Adler, Ida;2550;NED;1000001\n2;;Bos, Jan;2440;NED;1000002\n\
    3;;Costa, Rui;2300;POR;1000003\n4;;Dubois, Léa;2250;FRA;1000004\n5;;Eng, Kim;;;\n";

fn together(files: &[&str]) -> Result<super::Pairings, Problem> {
    let files: Vec<_> = files.iter().map(|text| ("file", text.as_bytes())).collect();
    load(&files).map(|loaded| loaded.pairings)
}

#[test]
fn an_engines_numbers_become_players_of_the_list_in_either_order() {
    for files in [[LIST, "3\n4 1\n2 3\n5 0\n"], ["3\n4 1\n2 3\n5 0\n", LIST]] {
        let pairings = together(&files).unwrap();
        assert_eq!(games(&pairings, 1), ["1 Dubois, Léa - Adler, Ida", "2 Bos, Jan - Costa, Rui"]);
        assert_eq!(pairings.rounds[0].games[0].black.fide_id, Some(1_000_001));
        assert_eq!(pairings.rounds[0].byes[0].player.name, "Eng, Kim");
    }
    let refused = |files: &[&str]| together(files).unwrap_err().to_string();
    assert!(refused(&["1\n1 2\n"]).starts_with("file: the output of a pairing engine has only starting numbers"));
    assert!(refused(&[LIST, "1\n1 9\n"]).starts_with("file, line 2, column 1: starting number 9 is not in the list"));
}

/// A report of two rounds, the second paired or not.
fn report(second: bool) -> String {
    let rows = [
        ("Adler, Ida", "   3 w 1", "   2 b  "),
        ("Bos, Jan", "   4 b 1", "   1 w  "),
        ("Costa, Rui", "   1 b 0", "   4 w  "),
        ("Dubois, Léa", "   2 w 0", "   3 b  "),
    ];
    let line = |(index, (name, first, open)): (usize, (&str, &str, &str))| {
        let open = if second { open } else { "" };
        format!("001 {:>4}      {name:<33} {:43}{first}  {open}\n", index + 1, "")
    };
    rows.into_iter().enumerate().map(line).collect()
}

#[test]
fn the_order_of_tables_comes_from_the_file_that_has_it() {
    let derived = together(&[&report(true)]).unwrap();
    assert_eq!(derived.rounds[1].order, TableOrder::Derived);
    assert_eq!(games(&derived, 2), ["1 Bos, Jan - Adler, Ida", "2 Costa, Rui - Dubois, Léa"]);
    let pgn = "[Round \"2\"]\n[White \"COSTA, Rui\"]\n[Black \"Dubois, Lea\"]\n\n*\n\n[Round \"2\"]\n[White \"Bos, Jan\"]\n[Black \"Adler, Ida\"]\n\n*\n";
    for second in ["2\n3 4\n2 1\n", pgn] {
        for files in [[&report(true), second], [second, &report(true)]] {
            let ordered = together(&files).unwrap();
            assert_eq!(ordered.rounds[1].order, TableOrder::Given, "{second}");
            let played = ordered.rounds[1].games.iter().map(|game| (game.white.number, game.black.number));
            assert_eq!(played.collect::<Vec<_>>(), [(Some(3), Some(4)), (Some(2), Some(1))], "{second}");
        }
    }
    // A report without the round being played: the engine says the next.
    let next = together(&[&report(false), "2\n3 4\n2 1\n"]).unwrap();
    assert_eq!(games(&next, 2), ["1 Costa, Rui - Dubois, Léa", "2 Bos, Jan - Adler, Ida"]);
    // Or a report that already names who will be absent.
    let absent = format!("{}001    5      {:<33} {:53}0000 - H\n", report(false), "Eng, Kim", "");
    for absent in [absent.clone(), absent.replace("0000 - H", "") + "240 H 002    5\n"] {
        let next = together(&[&absent, "2\n3 4\n2 1\n"]).unwrap();
        assert_eq!(next.rounds.len(), 2);
        assert_eq!(games(&next, 2), ["1 Costa, Rui - Dubois, Léa", "2 Bos, Jan - Adler, Ida"]);
        assert_eq!(next.rounds[1].byes[0].player.name, "Eng, Kim");
    }
    let twice = load(&[("new.pgn", pgn.as_bytes()), ("old.pgn", pgn.as_bytes())]).unwrap_err().to_string();
    assert!(twice.starts_with("old.pgn: round 2 is in this file and in new.pgn: load only one of them"), "{twice}");
}

#[test]
fn loading_twice_changes_nothing_and_a_re_pairing_only_what_changed() {
    let table = |rows: &str| read(&format!("Round;Board;White;Rtg;Black;Rtg;Result\n{rows}")).unwrap();
    let old = table("3;1;A;2500;B;2400;\n3;2;C;;D;;\n3;3;E;;F;;\n3;4;G;;H;;\n3;;I;;bye;;\n");
    assert_eq!(difference(&old, &old), []);
    let new = table("3;1;A;2510;B;2400;\n3;2;C;;F;;\n3;3;E;;D;;\n3;5;H;;G;;1-0\n4;1;A;;C;;\n4;;I;;bye;;\n");
    let changes: Vec<_> = difference(&old, &new).iter().map(ToString::to_string).collect();
    assert_eq!(
        changes,
        [
            "Round 3, table 1: A: rating 2510.",
            "Round 3, table 5: moved from table 4.",
            "Round 3, table 5: colours swapped: H has White.",
            "Round 3, table 5: result 1-0.",
            "Round 3, table 2: removed, C - D.",
            "Round 3, table 3: removed, E - F.",
            "Round 3, table 2: new, C - F.",
            "Round 3, table 3: new, E - D.",
            "Round 3: no byes.",
            "Round 4: new, number of games: 1.",
            "Round 4, table 1: new, A - C.",
            "Round 4: byes: I.",
        ]
    );
    assert_eq!(
        difference(&new, &table("4;1;A;;C;;\n4;;I;;bye;;\n")),
        [],
        "a file of the new round leaves the old one alone"
    );
}

#[test]
fn the_preview_shows_rounds_byes_and_what_is_odd() {
    let shown = preview(&together(&[LIST, "3\n4 1\n2 3\n5 0\n"]).unwrap());
    assert_eq!(
        shown,
        "5 players, 1 round\n\nRound 1: 2 games, 2 to be played\n    \
         1  Dubois, Léa (FRA 2250) - GM Adler, Ida (NED 2550)\n    \
         2  Bos, Jan (NED 2440)    - Costa, Rui (POR 2300)\n       Eng, Kim: bye\n"
    );
    assert!(preview(&together(&[&report(true)]).unwrap()).contains("tables numbered by points"));
    assert!(preview(&together(&[&report(false)]).unwrap()).contains("the round to be played is missing"));
    assert!(preview(&together(&[LIST]).unwrap()).contains("There are no pairings"));
    let standings = preview(&read("Rank after Round 5\nRk.;Name;Pts.;TB1\n1;Adler, Ida;4,5;14\n").unwrap());
    assert!(standings.contains("Standings after round 5: 1 player\n"), "{standings}");
    let boards = preview(&read("Table;Board serial\n1;20077\n2;1025\n").unwrap());
    assert!(boards.contains("Boards of tables: 1: 20077, 2: 01025\n"), "{boards}");
    let odd = preview(&read("Board;White;Black\n1;A;B\n").unwrap());
    assert!(odd.contains("Please check:\n  file: the table does not name a round"), "{odd}");
}

#[test]
fn rubbish_is_refused_in_one_sentence() {
    let refused = |bytes: &[u8]| load(&[("x.bin", bytes)]).unwrap_err().to_string();
    assert!(
        refused(b"\n\nDear arbiter,\n").starts_with("x.bin, line 3, column 1: this is not a known form of pairings")
    );
    assert!(refused(b"").starts_with("x.bin, line 1, column 1: "));
    assert_eq!(refused(&vec![b'a'; 10 * 1024 * 1024]), "x.bin: the file is larger than 8 MB, the maximum for pairings");
    assert!(refused(b"[Event \"Cup\"]\n[White \"A\n\n1. e4 Qz9 *\n").starts_with("x.bin, line "));
    assert_eq!(warnings(&read("[White \"A\"]\n[Black \"B\"]\n\n*\n").unwrap()), Vec::<String>::new());
}

#[test]
fn a_placeholder_is_a_bye_in_every_language_and_form() {
    let names = [
        "spielfrei",
        "Spielfrei 2",
        "bye",
        "BYE, BYE",
        "-- exempt --",
        "Freilos",
        "Descansa",
        "Libre",
        "Riposo",
        "Folga",
        "Vrij",
        "Pauza",
        "wolny los",
        "Volný los",
        "Erőnyerő",
        "Frirunde",
        "Oversidder",
        "Vapaa",
        "Свободен",
        "轮空",
        "Dummy",
        "turno di riposo",
        "N.N.",
    ];
    for name in names {
        let line = |number: u32, name: &str, cells: &str| format!("001 {number:>4}      {name:<33} {:43}{cells}\n", "");
        let report = line(1, "Adler, Ida", "   3 w 1     2 b")
            + &line(2, "Bos, Jan", "   4 b 1     1 w")
            + &line(3, "Costa, Rui", "   1 b 0     4 w")
            + &line(4, name, "   2 w 0     3 b");
        let pairings = together(&[&report]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(games(&pairings, 1), ["1 Adler, Ida - Costa, Rui 1-0"], "{name}");
        assert_eq!(games(&pairings, 2), ["1 Bos, Jan - Adler, Ida"], "{name}");
        let byes = pairings.rounds.iter().flat_map(|round| &round.byes).map(|bye| (&*bye.player.name, bye.kind));
        assert_eq!(byes.collect::<Vec<_>>(), [("Bos, Jan", ByeKind::Pairing), ("Costa, Rui", ByeKind::Pairing)]);
        assert_eq!(pairings.players.len(), 3, "{name} is a player");
        let engine = together(&[&report, "2\n2 1\n3 4\n"]).unwrap();
        assert_eq!((games(&engine, 2).len(), engine.rounds[1].byes.len()), (1, 1), "{name}");
        if name != "N.N." {
            let table = read(&format!("Round;Board;White;Black\n1;1;Adler;Bos\n1;2;{name};Costa\n")).unwrap();
            assert_eq!((games(&table, 1).len(), table.rounds[0].byes.len()), (1, 1), "{name}");
            let pgn = format!("[Round \"1.1\"]\n[White \"Costa\"]\n[Black \"{name}\"]\n\n*\n");
            assert_eq!(read(&pgn).unwrap().rounds[0].byes.len(), 1, "{name}");
        }
    }
    for real in ["Bye, Anders", "Freilich, Max", "Exner", "Libre, Ana"] {
        assert!(!crate::player::is_bye(real), "{real}");
    }
}

#[test]
fn a_report_with_a_placeholder_keeps_its_lines() {
    let report = "001    1      Adler, Ida                        2500                             1.0    1     2 w 1\n\
        001    2      spielfrei                            0                             0.0    2     1 b 0\n";
    let loaded = load(&[("file", report.as_bytes())]).unwrap();
    assert_eq!(crate::results::as_trf(&loaded.pairings, loaded.report.as_ref()), report);
}

#[test]
fn an_engines_pairs_that_do_not_fit_the_report_are_refused_or_asked_about() {
    let doubt = |report: &str, pairs: &str| warnings(&together(&[report, pairs]).unwrap()).join("\n");
    let teams = report(false) + &format!("013 {:<32}   1    2\n013 {:<32}   3    4\n", "Harbour", "Hill");
    let numbered = format!("310   1 {:<64}    1    2\n310   2 {:<64}    3    4\n", "Harbour", "Hill");
    for teams in [teams.clone(), report(false) + &numbered] {
        let refused = together(&[&teams, "1\n2 1\n"]).unwrap_err().to_string();
        assert!(refused.contains("the numbers are those of teams"), "{refused}");
        assert_eq!(games(&together(&[&teams, "2\n3 2\n4 1\n"]).unwrap(), 2).len(), 2, "players of a team event");
    }
    // The output of the round that is over gives its tables.
    let over = together(&[&report(false), "2\n4 2\n1 3\n"]).unwrap();
    assert_eq!((over.rounds.len(), over.rounds[0].order), (1, TableOrder::Given));
    assert_eq!(games(&over, 1), ["1 Dubois, Léa - Bos, Jan 0-1", "2 Adler, Ida - Costa, Rui 1-0"]);
    // Another pairing of an open round; players who have met; another tournament.
    let open = doubt(&report(true), "2\n3 2\n4 1\n");
    assert!(open.starts_with(
        "file: the pairs of the engine are taken for round 3, but round 2 of the report has no results yet"
    ));
    assert!(doubt(&report(false), "2\n3 1\n4 2\n").contains("Adler, Ida and Costa, Rui have met in round 1"));
    assert!(doubt(LIST, "1\n1 2\n").contains("only 2 of 5 players"));
    assert_eq!(doubt(&report(false), "2\n3 4\n2 1\n"), "");
}

#[test]
fn two_players_with_one_fide_id_stay_two_players() {
    let record = |number: u32, name: &str, id: &str, cells: &str| {
        format!("001 {number:>4}      {name:<33} 2000 GER {id:>11}             0.0 {number:>4}{cells}\n")
    };
    let report = format!(
        "012 Harbour Open\n{}{}",
        record(1, "Adler, Ida", "4600001", "  0002 w  "),
        record(2, "Costa, Rui", "4600001", "  0001 b  ")
    );
    let pgn = "[Round \"1\"]\n[White \"Adler, Ida\"]\n[WhiteFideId \"4600001\"]\n[Black \"Costa, Rui\"]\n\
               [BlackFideId \"4600001\"]\n[Result \"*\"]\n\n*\n";
    for text in [report.as_str(), pgn] {
        let pairings = read(text).unwrap();
        assert_eq!(games(&pairings, 1), ["1 Adler, Ida - Costa, Rui"]);
        assert!(pairings.players.iter().all(|player| player.fide_id.is_none()));
        let told = warnings(&pairings);
        assert!(told.iter().any(|warning| warning.contains("have the same FIDE id 4600001")), "{told:?}");
    }
    // Two spellings of one person.
    let spelled =
        pgn.replace("Costa, Rui", "Bos, Jan").replacen("BlackFideId \"4600001\"", "BlackFideId \"4600002\"", 1);
    let second = pgn.replace("Adler, Ida", "Adler, I.").replace("[Round \"1\"]", "[Round \"2\"]");
    let second = second.replacen("BlackFideId \"4600001\"", "BlackFideId \"4600003\"", 1);
    let pairings = read(&format!("{spelled}\n{second}")).unwrap();
    assert_eq!(games(&pairings, 2), ["1 Adler, Ida - Costa, Rui"]);
}
