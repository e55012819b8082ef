//! Tables and PGN headers.

use super::{games, read, warnings};
use crate::csv::{Column, Fact, Side, layout};
use crate::model::ByeKind;
use crate::player::Player;

#[test]
fn a_page_of_pairings_is_read_as_copied() {
    let text = "Harbour Open 2026\n3. Round on 2026/02/14 at 14:00\n\
        Bo.\tNo.\t\tWhite\tRtg\tPts.\tResult\tPts.\t\tBlack\tRtg\tNo.\n\
        1\t1\tGM\tAdler, Ida\t2550\t1½\t\t2\t\tCosta, Rui\t2300\t3\n\
        2\t6\t\tFox, Sam\t2000\t0\t+ - -\t1½\tIM\tBörjesson, Åsa\t2440\t2\n\
        \t5\t\tEng, Kim\t0\t1\t½\t\t\tbye\t\t\n\
        \n4. Round\n\
        Bo.\tNo.\t\tWhite\tRtg\tPts.\tResult\tPts.\t\tBlack\tRtg\tNo.\n\
        1\t3\t\tCosta, Rui\t2300\t2½\t\t2\t\tEng, Kim\t0\t5\n";
    let pairings = read(text).unwrap();
    assert_eq!(warnings(&pairings), Vec::<String>::new());
    assert_eq!(games(&pairings, 3), ["1 Adler, Ida - Costa, Rui", "2 Fox, Sam - Börjesson, Åsa + - -"]);
    assert_eq!(games(&pairings, 4), ["1 Costa, Rui - Eng, Kim"]);
    let game = &pairings.rounds[0].games[0];
    assert_eq!((game.white.title, game.white.rating, game.white.points), (Some("GM"), Some(2550), Some(15)));
    assert_eq!((game.black.number, game.black.rating, game.black.points), (Some(3), Some(2300), Some(20)));
    assert_eq!(pairings.rounds[0].byes[0].kind, ByeKind::Half);
}

#[test]
fn a_title_belongs_to_the_name_behind_it_also_beside_national_titles() {
    let header = "Round 2\nBo.\tNo.\t\t\tWhite\tRtg\tPts.\tResult\tPts.\t\tBlack\tRtg\t\tNo.\n";
    for (white, third, own) in [("", "", None), ("NM", "", None), ("WFM", "NM", Some("WFM"))] {
        let text = format!(
            "{header}1\t1\t\t{white}\tAdler, Ida\t2050\t1\t\t1\tIM\tCosta, Rui\t2400\t\t3\n\
             2\t2\t\t\tFox, Sam\t2000\t1\t\t0\t\tBos, Jan\t1900\t\t4\n\
             3\t5\t\t{third}\tEng, Kim\t1800\t0\t\t0\t\tIvers, Ola\t1700\t\t6\n"
        );
        let pairings = read(&text).unwrap();
        let game = &pairings.rounds[0].games[0];
        assert_eq!((game.white.title, game.black.title), (own, Some("IM")), "{white} {third}");
    }
    let pairings = read("Name;Result;Name;Elo\nFox, Sam;0-0;Bos, Jan;2310\n").unwrap();
    let game = &pairings.rounds[0].games[0];
    assert_eq!((game.white.rating, game.black.rating), (None, Some(2310)));
}

#[test]
fn a_portuguese_page_of_standings_has_its_numbers_ratings_and_tie_breaks() {
    let text = "Classificação Final após 5 Rondas\nRk.\tNº.Inic.\t\t\tNome\tFED\tEloI\tPts.\tDesp1\tDesp2\n\
        1\t3\t\tGM\tAdler, Ida\tGER\t2550\t4,5\t0\t49,5\n";
    let pairings = read(text).unwrap();
    let player = &pairings.players[0];
    assert_eq!((player.number, player.rating, player.title), (Some(3), Some(2550), Some("GM")));
    let standings = pairings.standings.unwrap();
    assert_eq!(standings.tie_breaks, ["Desp1", "Desp2"]);
    assert_eq!(standings.places[0].tie_breaks, ["0", "49,5"]);
    for title in ["5 тур", "5. forduló"] {
        let text = format!("{title}\nNo.;White;Black\n1;Adler, Ida;Bos, Jan\n");
        assert_eq!(read(&text).unwrap().rounds[0].number, 5, "{title}");
    }
}

#[test]
fn a_rating_that_papi_marks_as_one_of_fide_is_read() {
    let text = "Ronde 2\nÉch.;Blancs;Elo;Résultat;Noirs;Elo\n1;Dubois, Léa;2100 F;1 - 0;Bos, Jan;1650 N\n\
        2;Eng, Kim;2050F;;Fox, Sam;1399 E\n";
    let pairings = read(text).unwrap();
    let ratings: Vec<_> = pairings.rounds[0].games.iter().map(|game| (game.white.rating, game.black.rating)).collect();
    assert_eq!(ratings, [(Some(2100), None), (Some(2050), None)]);
}

#[test]
fn headers_in_many_languages_and_separators_are_understood() {
    for (text, expected) in [
        (
            "Tisch;Weiß;Elo;Schwarz;Elo;Ergebnis\n7;Adler, Ida;2550;Costa, Rui;2300;1:0\n",
            "7 Adler, Ida - Costa, Rui 1-0",
        ),
        (
            "Table,White,WhiteElo,Black,BlackElo\n1,\"Adler, Ida\",2550,\"Costa, Rui\",2300\n",
            "1 Adler, Ida - Costa, Rui",
        ),
        ("Éch.;Blancs;Rés.;Noirs\n2;Dubois, Léa;½-½;Fox, Sam\n", "2 Dubois, Léa - Fox, Sam 1/2-1/2"),
        ("Mesa\tBlancas\tNegras\tResultado\n1\tRuiz, Eva\tFox, Sam\t0,5-0,5\n", "1 Ruiz, Eva - Fox, Sam 1/2-1/2"),
        ("Bord;Wit;Zwart\n1;Bos, Jan;Fox, Sam\n", "1 Bos, Jan - Fox, Sam"),
        ("Nr.;Weiß;Schwarz;Erg.\n3;Bos, Jan;Fox, Sam;-:+\n", "3 Bos, Jan - Fox, Sam - - +"),
        ("№;Белые;Чёрные\n1;Иванов, Иван;Fox, Sam\n", "1 Иванов, Иван - Fox, Sam"),
    ] {
        let pairings = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(games(&pairings, 1), [expected], "{text}");
        assert_eq!(warnings(&pairings).len(), 1, "only that no round is named: {:?}", pairings.warnings);
    }
}

#[test]
fn two_columns_of_names_without_colours_are_white_and_black_with_a_word_about_it() {
    let pairings = read("Round 1\nName;Result;Name\nFox, Sam;0-0;Bos, Jan\n").unwrap();
    assert_eq!(games(&pairings, 1), ["1 Fox, Sam - Bos, Jan 0-0"]);
    let [warning] = &*warnings(&pairings) else { panic!("{:?}", pairings.warnings) };
    assert!(warning.starts_with("file: the header does not say who has White"), "{warning}");
    for header in ["White;Black", "White Name;Black Name", "Bílý;Černý", "Белые;Чёрные"] {
        let pairings = read(&format!("Round 1\n{header}\nFox, Sam;Bos, Jan\n")).unwrap();
        assert_eq!(warnings(&pairings), [""; 0], "{header}");
    }
}

#[test]
fn standings_keep_ranks_points_and_tie_breaks_as_they_are_written() {
    let text = "Harbour Open 2026\nRank after Round 5\n\
        Rk.;SNo;;Name;FED;Rtg;Pts.; TB1;TB2;BH:C1\n\
        1;3;GM;Adler, Ida;GER;2550;4,5;14,5;12;11½\n\
        2;1;;Bos, Jan;NED;2300;3;13;9,25;10\n\
        ;2;;Costa, Rui;POR;2310;3;13;9,25;10\n";
    let pairings = read(text).unwrap();
    assert_eq!(pairings.players.len(), 3);
    let standings = pairings.standings.unwrap();
    assert_eq!(
        (standings.after_round, standings.tie_breaks),
        (Some(5), vec!["TB1".into(), "TB2".into(), "BH:C1".into()])
    );
    let told: Vec<_> = standings
        .places
        .iter()
        .map(|place| (place.rank, &*place.player.name, place.player.points, place.tie_breaks.join(" ")))
        .collect();
    let expected = [
        (1, "Adler, Ida", Some(45), "14,5 12 11½"),
        (2, "Bos, Jan", Some(30), "13 9,25 10"),
        (2, "Costa, Rui", Some(30), "13 9,25 10"),
    ];
    assert_eq!(told, expected.map(|(rank, name, points, values)| (rank, name, points, values.to_owned())));
}

#[test]
fn tables_in_other_languages_are_standings_and_lists_without_results_are_not() {
    for text in [
        "Rg.;Snr;Name;Elo;Pkt.;Wtg1;Wtg2\n1;2;Fox, Sam;2000;3;10;8\n",
        "Pos.;Nombre;Puntos;Des 1\n1;Fox, Sam;3;10\n",
        "Name,Points,Buchholz,Sonneborn-Berger\n\"Fox, Sam\",3,10,8\n",
        "Place\tPlayer\tPts\n1\tFox, Sam\t3\n",
    ] {
        let standings = read(text).unwrap().standings.unwrap_or_else(|| panic!("{text}"));
        assert_eq!((standings.places[0].rank, standings.after_round), (1, None), "{text}");
    }
    for text in ["No.;Name;Rtg\n1;Fox, Sam;2000\n", "Rank;Name;Rtg\n1;Fox, Sam;2000\n", "Rd;White;Black;TB1\n1;A;B;3\n"]
    {
        assert_eq!(read(text).unwrap().standings, None, "{text}");
    }
    let wrong = read("Rank;Name;Pts\nfirst;Fox, Sam;2\n").unwrap_err().to_string();
    assert!(wrong.starts_with("file, line 2, column 1: «first» is not a rank number"), "{wrong}");
    let long = read(&format!("Name;Pts;TB1\nFox;3;{}\n", "9".repeat(5000))).unwrap().standings.unwrap();
    assert_eq!(long.places[0].tie_breaks[0].len(), 24);
}

#[test]
fn the_mapping_of_columns_can_be_seen_and_corrected() {
    let text = "Round;Board;White;Something;Black\n2;1;Fox, Sam;1503014;Bos, Jan\n";
    let mut guessed = layout(text).unwrap();
    assert_eq!(guessed.separator, ';');
    assert_eq!(guessed.columns[0], Some(Column { side: Side::Both, fact: Fact::Round }));
    assert_eq!(guessed.columns[3], None);
    guessed.columns[3] = Some(Column { side: Side::White, fact: Fact::FideId });
    let pairings = crate::csv::read(text, &guessed, 1).unwrap();
    assert_eq!(pairings.rounds[0].games[0].white.fide_id, Some(1_503_014));
}

#[test]
fn a_cell_that_cannot_be_is_named_and_a_missing_player_noted() {
    for (text, said) in [
        ("Board;White;Black\n1;A;B\nx;C;D\n", "file, line 3, column 1: «x» is not a table number"),
        ("Round;White;Black\n0;A;B\n", "file, line 2, column 1: «0» is not a round number: write 1 to 999"),
        (
            "Round;White;Black\n3;A;B\n3.2;A;B\n",
            "file, line 3, column 1: «3.2» is not a round number: write 1 to 999; if",
        ),
        (
            "Round;White;Black\nRound 3, game 2;A;B\n",
            "file, line 2, column 1: «Round 3, game 2» is not a round number: write 1 to 999; if",
        ),
        ("Board;White;Black\n1;\"A;B\n2;C;D\n3;E;F\n", "file, line 2, column 1: a quotation mark is opened"),
        (&format!("White;Black\nA;B{}\n", ";".repeat(300)), "file, line 2, column 1: this row has too many cells"),
        ("Board;White;Black\n", "file, line 1, column 1: the table has a header but no rows"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
    let long = format!("Board;White;Black\n1;A;B\n2;C;\"{},\nD\"\n", "Ä".repeat(121));
    let name = "Ä".repeat(40);
    let refusal = read(&long).unwrap_err().to_string();
    assert_eq!(
        refusal,
        format!(
            "file, line 3, column 3: «{name}» is longer than 120 characters or has control characters: shorten the name"
        )
    );
    let game = |white: &str| format!("[White \"{white}\"]\n[Black \"B\"]\n\n*\n\n");
    let refusal = read(&(game("A") + &game(&"Ä".repeat(121)))).unwrap_err().to_string();
    assert!(refusal.starts_with(&format!("file: game 2: «{name}» is longer than 120 characters")), "{refusal}");
    assert!(read(&game(&"Ä".repeat(120))).is_ok());
    let half = read("Round;Board;White;Black\n1;1;A;B\n1;2;C;\n1;3;D;E\n").unwrap();
    assert_eq!(games(&half, 1), ["1 A - B", "3 D - E"]);
    assert!(warnings(&half)[0].starts_with("file, line 3, column 1: round 1, table 2: a player is missing"));
}

#[test]
fn damage_of_pgn_has_its_place_and_a_code() {
    for (text, code, place) in [
        ("[Event \"Cup\"]\n[White \"Adler, Ida]\n[Black \"Bos, Jan\"]\n\n*\n", "pgn_open_tag_value", (2, 8)),
        ("[Event \"Cup\"]\n[White Adler]\n\n*\n", "pgn_not_a_tag", (2, 1)),
        ("[Event \"Cup\"]\n[White-Elo \"2000\"]\n\n*\n", "pgn_not_a_tag_name", (2, 2)),
        ("[Event \"Cup\"]\n\n1. e4 { good\n*\n", "pgn_open_comment", (3, 7)),
        ("[Event \"Cup\"]\n\n1. e4 (1. d4 *\n", "pgn_open_variation", (3, 7)),
        ("[Event \"Cup\"]\n\n1. e4 later *\n", "pgn_not_a_move", (3, 7)),
    ] {
        let problem = read(text).unwrap_err();
        assert_eq!((&*problem.coded().code, problem.place), (code, Some(place)), "{problem}");
    }
}

#[test]
fn pgn_headers_tell_tables_in_every_form() {
    let game = |round: &str, more: &str, white: &str, black: &str| {
        format!(
            "[Event \"Cup\"]\n[Round \"{round}\"]\n{more}[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"*\"]\n\n*\n\n"
        )
    };
    let two = |first: (&str, &str), second: (&str, &str)| {
        read(&(game(first.0, first.1, "A", "B") + &game(second.0, second.1, "C", "D"))).unwrap()
    };
    for (first, second, expected) in [
        (("4", ""), ("4", ""), ["1 A - B", "2 C - D"]),
        (("4.2", ""), ("4.1", ""), ["1 C - D", "2 A - B"]),
        (("4", "[Board \"12\"]\n"), ("4", "[Board \"9\"]\n"), ["9 C - D", "12 A - B"]),
        (("4.1", "[Table \"6\"]\n"), ("4.2", "[Table \"5\"]\n"), ["5 C - D", "6 A - B"]),
        (("4.2.1", ""), ("4.1.1", ""), ["1 C - D", "2 A - B"]),
    ] {
        let pairings = two(first, second);
        assert_eq!(games(&pairings, 4), expected, "{first:?}");
        assert_eq!(warnings(&pairings), Vec::<String>::new());
    }
    assert_eq!(games(&two(("-", ""), ("?", "")), 1), ["1 A - B", "2 C - D"]);
    let doubled = two(("1.1", ""), ("1.1", ""));
    assert_eq!(games(&doubled, 1), ["1 A - B", "2 C - D"]);
    assert!(warnings(&doubled)[0].contains("table numbers are not unique"), "{:?}", doubled.warnings);
}

#[test]
fn a_bye_is_never_a_game_and_a_half_filled_game_keeps_its_table_free() {
    let text = "[Round \"2\"]\n[White \"Fox, Sam\"]\n[Black \"?\"]\n\n*\n\n[Round \"2\"]\n[White \"Bos, Jan\"]\n[Black \"Eng, Kim\"]\n\
        \n*\n\n[Round \"2\"]\n[White \"BYE\"]\n[Black \"Adler, Ida\"]\n\n1-0\n";
    let pairings = read(text).unwrap();
    assert_eq!(games(&pairings, 2), ["2 Bos, Jan - Eng, Kim"]);
    assert_eq!(pairings.rounds[0].byes[0].player.name, "Adler, Ida");
    assert_eq!(warnings(&pairings), ["file: game 1 (round 2, table 1): a player is missing, so it is left out"]);
}

#[test]
fn what_tags_say_about_players_is_normalised() {
    let text = "[Event \"Cup\"]\n[White \"gm Adler,Ida\"]\n[WhiteTitle \"wgm\"]\n[WhiteElo \"-\"]\n[WhiteID \"1000001\"]\n\
        [WhiteTeam \"NED\"]\n[Black \"Costa,  Rui\"]\n[BlackElo \"2300\"]\n[BlackTitle \"-\"]\n[BlackTeam \"Hill\"]\n\
        [BlackCountry \"por\"]\n[BlackFideId \"0\"]\n[TimeControl \"15 min/game + 10 sec/move\"]\n[Result \"+--\"]\n\n*\n";
    let pairings = read(text).unwrap();
    let game = &pairings.rounds[0].games[0];
    let (white, black) = (&game.white, &game.black);
    assert_eq!((white.title, white.rating, white.fide_id), (Some("WGM"), None, Some(1_000_001)));
    assert_eq!((white.federation.as_deref(), white.team.as_deref()), (Some("NED"), None));
    assert_eq!((black.name.as_str(), black.title, black.rating, black.fide_id), ("Costa, Rui", None, Some(2300), None));
    assert_eq!((black.federation.as_deref(), black.team.as_deref()), (Some("POR"), Some("Hill")));
    assert_eq!(game.score.map(|score| score.to_string()).as_deref(), Some("+ - -"));
    assert!(warnings(&pairings)[0].contains("15 min/game"), "{:?}", pairings.warnings);
}

#[test]
fn doubles_are_asked_about_and_loaded() {
    let pairings = read("Round;Board;White;Black\n1;1;A;B\n1;2;C;A\n1;2;D;E\n").unwrap();
    assert_eq!(games(&pairings, 1).len(), 3);
    assert_eq!(
        warnings(&pairings),
        [
            "A is paired twice in round 1, at tables 1 and 2: is that right?",
            "round 1 has two games at table 2: give one of them another table"
        ]
    );
}

#[test]
fn a_column_of_serial_numbers_says_which_board_is_at_which_table() {
    for heading in [
        "Board serial",
        "DGT",
        "Serial",
        "Seriennummer",
        "N° de série",
        "Número de serie",
        "Matricola",
        "Numer seryjny",
    ] {
        let text = format!(
            "Round 2\nTable;White;Black;Result;{heading}\n1;Adler, Ida;Costa, Rui;;1025\n2;Bos, Jan;Fox, Sam;;20077\n3;Eng, Kim;Ruiz, Eva;;\n"
        );
        let pairings = read(&text).unwrap_or_else(|error| panic!("{heading}: {error}"));
        let boards: Vec<_> = pairings.boards.iter().map(|(table, serial)| (*table, serial.as_str())).collect();
        assert_eq!(boards, [(1, "01025"), (2, "20077")], "{heading}");
        assert_eq!(games(&pairings, 2).len(), 3);
        let again = read(&crate::csv::write(&pairings)).unwrap();
        assert_eq!(again.boards, pairings.boards);
    }
    let wrong = read("Table;White;Black;DGT\n1;Adler, Ida;Costa, Rui;the red one\n").unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "file, line 2, column 4: «the red one» is not a board's serial number: write it as on its label"
    );
}

#[test]
fn a_list_of_tables_and_boards_needs_no_players() {
    let pairings = read("Tisch;Seriennummer\n1;20077\n2;01025\n3;-\n").unwrap();
    let boards: Vec<_> = pairings.boards.iter().map(|(table, serial)| (*table, serial.as_str())).collect();
    assert_eq!(boards, [(1, "20077"), (2, "01025")]);
    assert_eq!((pairings.rounds.len(), pairings.players.len()), (0, 0));
}

#[test]
fn pages_in_other_languages_have_their_numbers_ratings_and_points() {
    for (header, white, black) in [
        ("Sz.\tNr\t\t\tBiałe\tRank.\tPkt.\tWynik\tPkt.\t\tCzarne\tRank.\t\tNr", "Ruiz, Eva", "Fox, Sam"),
        ("Š.\tč.\t\t\tBílý\tElo\tBody\tVýsledek\tBody\t\tČerný\tElo\t\tč.", "Ruiz, Eva", "Fox, Sam"),
        ("Д.\tНом.\t\t\tБелые\tРейт.\tОчки\tРезультат\tОчки\t\tЧерные\tРейт.\t\tНом.", "Иванов, Иван", "Петров, Пётр"),
        ("Ms.\tNo.\t\t\tBeyaz\tRtg\tPuan\tSonuç\tPuan\t\tSiyah\tRtg\t\tNo.", "Ruiz, Eva", "Fox, Sam"),
        ("Tábla\tSsz.\t\t\tVilágos\tÉlő\tPont\tEredm.\tPont\t\tSötét\tÉlő\t\tSsz.", "Ruiz, Eva", "Fox, Sam"),
        ("T.\tSzám\t\t\tVilágos\tÉrt.\tPont\tEredmény\tPont\t\tSötét\tÉrt.\t\tSzám", "Ruiz, Eva", "Fox, Sam"),
        ("Ploča\tBr.\t\t\tBijeli\tRtg\tBodovi\tRezultat\tBodovi\t\tCrni\tRtg\t\tBr.", "Ruiz, Eva", "Fox, Sam"),
        ("Masa\tNr.\t\t\tAlb\tRtg\tPuncte\tRezultat\tPuncte\t\tNegru\tRtg\t\tNr.", "Ruiz, Eva", "Fox, Sam"),
        ("Laud\tNr.\t\t\tValge\tRtg\tPunktid\tTulemus\tPunktid\t\tMust\tRtg\t\tNr.", "Ruiz, Eva", "Fox, Sam"),
    ] {
        let text = format!("Round 5\n{header}\n1\t4\t\tGM\t{white}\t2482\t6\t1 - 0\t6½\tIM\t{black}\t2447\t\t5\n");
        let pairings = read(&text).unwrap_or_else(|error| panic!("{header}: {error}"));
        assert_eq!(games(&pairings, 5), [format!("1 {white} - {black} 1-0")], "{header}");
        let game = &pairings.rounds[0].games[0];
        let facts = |player: &Player| (player.title, player.rating, player.points);
        assert_eq!(facts(&game.white), (Some("GM"), Some(2482), Some(60)), "{header}");
        assert_eq!(facts(&game.black), (Some("IM"), Some(2447), Some(65)), "{header}");
        // «Br.» is a board in some languages and a number in others.
        if !header.contains("Br.") {
            assert_eq!((game.white.number, game.black.number), (Some(4), Some(5)), "{header}");
        }
    }
    let list = read("M-ce\tNr\tNazwisko\tRank.\tPkt.\n1\t4\tRuiz, Eva\t2482\t6\n2\t5\tFox, Sam\t0\t5\n").unwrap();
    assert_eq!((list.players[0].number, list.players[0].rating), (Some(4), Some(2482)));
    assert_eq!(list.standings.unwrap().places[1].rank, 2);
}

#[test]
fn the_boards_of_teams_are_no_starting_numbers() {
    let text = "1. Harbour (RtgAvg:2300)\nBo.\tName\tRtg\tFED\n1\tAdler, Ida\t2400\tGER\n2\tBos, Jan\t2200\tNED\n\
        2. Castle II (RtgAvg:2100, Captain: Bos / TB1: 6)\nBo.\tName\tRtg\tFED\n1\tCosta, Rui\t2150\tPOR\n2\tFox, Sam\t2050\tENG\n";
    let players = read(text).unwrap().players;
    let facts: Vec<_> =
        players.iter().map(|player| (&*player.name, player.number, player.rating, player.team.as_deref())).collect();
    assert_eq!(
        facts,
        [
            ("Adler, Ida", None, Some(2400), Some("Harbour")),
            ("Bos, Jan", None, Some(2200), Some("Harbour")),
            ("Costa, Rui", None, Some(2150), Some("Castle II")),
            ("Fox, Sam", None, Some(2050), Some("Castle II"))
        ]
    );
    let list = read("#;Name;Rtg\n1;Adler, Ida;2400\n2;Bos, Jan;2200\n").unwrap();
    assert_eq!(list.players[1].number, Some(2), "a list of players");
}

#[test]
fn an_unknown_result_costs_only_itself() {
    let text = "Round 1\nTable;White;Black;Result\n1;Adler, Ida;Bos, Jan;remis\n2;Costa, Rui;Fox, Sam;½ - ½K\n\
        3;Eng, Kim;Ruiz, Eva;1-½\n4;Ivers, Ola;Dubois, Léa;Nulle\n5;Moss, Al;Nye, Bo;?-?\n6;Orr, Cy;Poe, Di;+/-\n";
    let pairings = read(text).unwrap();
    assert_eq!(
        games(&pairings, 1),
        [
            "1 Adler, Ida - Bos, Jan 1/2-1/2",
            "2 Costa, Rui - Fox, Sam 1/2-1/2",
            "3 Eng, Kim - Ruiz, Eva",
            "4 Ivers, Ola - Dubois, Léa 1/2-1/2",
            "5 Moss, Al - Nye, Bo",
            "6 Orr, Cy - Poe, Di + - -"
        ]
    );
    let [warning] = &*warnings(&pairings) else { panic!("{:?}", pairings.warnings) };
    assert!(warning.starts_with("file, line 5, column 4: «1-½» is not a result, so the game is taken without one"));
}

#[test]
fn cells_between_upright_lines_are_a_table() {
    for text in [
        "## Round 3\n\n| Table | White            | Rtg  | Result | Black | Rtg |\n|:-----:|---|--:|:-:|---|---|\n\
         | 1     | GM Adler, Ida    | 2550 | 1-0    | Costa, Rui | 2300 |\n| 2 | Bos, Jan | 2440 | ½-½ | Fox, Sam | |\n",
        "Round 3\nTable|White|Rtg|Result|Black|Rtg\n1|GM Adler, Ida|2550|1-0|Costa, Rui|2300\n2|Bos, Jan|2440|½-½|Fox, Sam|\n",
        "Round 3\n+-------+---------------+------+--------+------------+------+\n\
         | Table | White                                                     | Rtg  | Result | Black      | Rtg  |\n\
         +=======+===============+======+========+============+======+\n\
         | 1.    | GM Adler, Ida                                             | 2550 | 1-0    | Costa, Rui | 2300 |\n\
         +-------+---------------+------+--------+------------+------+\n\
         | 2.    | Bos, Jan                                                  | 2440 | ½-½    | Fox, Sam   |      |\n\
         +-------+---------------+------+--------+------------+------+\n",
    ] {
        let pairings = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(games(&pairings, 3), ["1 Adler, Ida - Costa, Rui 1-0", "2 Bos, Jan - Fox, Sam 1/2-1/2"], "{text}");
        assert_eq!(warnings(&pairings), [""; 0], "{text}");
        let game = &pairings.rounds[0].games[0];
        assert_eq!((game.white.title, game.white.rating, game.black.rating), (Some("GM"), Some(2550), Some(2300)));
    }
    let players =
        read("| # | | Name | Elo |\n|--|--|--|--|\n| 1. | GM | Adler, Ida | 2550 |\n| 2. | | Bos, Jan | 2440 |\n");
    let players = players.unwrap().players;
    assert_eq!((players[0].number, players[0].title, players[1].rating), (Some(1), Some("GM"), Some(2440)));
    let boards = read("Table|Board serial\n-----|------------\n1|20077\n2|01025\n").unwrap().boards;
    assert_eq!(boards, [(1, "20077".to_owned()), (2, "01025".to_owned())].into());
}

#[test]
fn boards_of_teams_are_refused_as_they_do_not_say_who_has_white() {
    for text in [
        "3. Round on 2026/02/14\nBo.\t3\tHarbour\tRtg\t-\t10\tHill\tRtg\t2½:1½\n1.1\tGM\tAdler, Ida\t2550\t-\tIM\tCosta, Rui\t2300\t½ - ½\n",
        "Harbour Cup\nRound 3\n1.1;Adler, Ida;1-0;Costa, Rui\n1.2;Bos, Jan;0-1;Fox, Sam\n",
    ] {
        let refusal = read(text).unwrap_err();
        assert_eq!((&*refusal.coded().code, refusal.place), ("file_teams_without_colours", Some((3, 1))), "{refusal}");
    }
    let text = "Round 3\nTable;White;Black\n1;Adler, Ida;Costa, Rui\n2;Fox, Sam;Bos, Jan\n";
    assert_eq!(games(&read(text).unwrap(), 3).len(), 2, "with the header that the refusal names");
}

#[test]
fn a_title_that_names_one_game_of_a_match_is_pointed_out() {
    let said = |title: &str| {
        let pairings = read(&format!("{title}\nTable;White;Black\n1;Adler, Ida;Bos, Jan\n")).unwrap();
        let warned = warnings(&pairings).iter().any(|line| line.contains("a round of its own"));
        (pairings.rounds[0].number, warned)
    };
    for title in ["Round 3.2", "Runde 3/2", "Round 3, game 2", "Round 3 (Game 2)", "Ronde 3 - partie 1"] {
        assert_eq!(said(title), (3, true), "{title}");
    }
    for title in
        ["Round 3", "3. Runde am 14.02.", "Ronde 3 - 2026/02/14", "Round 3 on 3.2.2026", "Round 13 (14/02/2026)"]
    {
        assert!(!said(title).1, "{title}");
    }
}
