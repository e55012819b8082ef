//! Tournament reports.

use super::{games, read, warnings};
use crate::encoding::Encoding;
use crate::model::{ByeKind, TableOrder};
use crate::trf::Document;
use crate::{load, trf};

/// A player's line in the columns of the specification: title, name, rating, federation, FIDE id and points;
/// `rest` begins at column 91.
fn player(number: u32, who: (&str, &str, u32, &str, u32, &str), rest: &str) -> String {
    let (title, name, rating, fed, id, points) = who;
    format!(
        "001 {number:>4} m{title:<3} {name:<33} {rating:>4} {fed:<3} {id:>11} 1984/05/06 {points:>4} {number:>4} {rest}"
    )
}

/// Six players before round 3: round 3 is paired and has no results.
fn swiss() -> String {
    [
        "012 Harbour Open 2026".to_owned(),
        "022 Rotterdam".to_owned(),
        "032 NED".to_owned(),
        "042 2026/02/12".to_owned(),
        "052 2026/02/15".to_owned(),
        "122 90 minutes for the game and 30 seconds a move".to_owned(),
        "222 5400+30".to_owned(),
        format!("132{:88}26/02/12  26/02/13  26/02/14", ""),
        "### made for a test".to_owned(),
        "XXR 5".to_owned(),
        "DAT 1 club Harbour Club".to_owned(),
        player(1, ("GM", "Adler, Ida", 2550, "NED", 1_000_001, "1.5"), "    4 w 1     2 b =     3 w  "),
        player(2, ("IM", "Börjesson, Åsa", 2440, "SWE", 1_000_002, "1.5"), "    5 b 1     1 w =     6 b  "),
        player(3, ("", "Costa, Rui", 2300, "POR", 1_000_003, "2.0"), "    6 w 1     4 b 1     1 b  "),
        player(4, ("FM", "Dubois, Léa", 2250, "FRA", 0, "0.0"), "    1 b 0     3 w 0  0000 - Z"),
        player(5, ("", "Eng, Kim", 0, "", 1_000_005, "1.0"), "    2 w 0  0000 - U  0000 - H"),
        player(6, ("", "Fox, Sam", 2000, "ENG", 1_000_006, "0.0"), "    3 b 0  0000 - -     2 w  "),
    ]
    .join("\r")
}

#[test]
fn a_swiss_in_the_middle_gives_the_round_being_played() {
    let pairings = read(&swiss()).unwrap();
    assert_eq!(warnings(&pairings), Vec::<String>::new());
    assert_eq!(pairings.event.name.as_deref(), Some("Harbour Open 2026"));
    assert_eq!(pairings.event.site.as_deref(), Some("Rotterdam NED"));
    assert_eq!(pairings.event.first_day.as_deref(), Some("2026.02.12"));
    assert_eq!(pairings.event.time_control.common(), Some("5400+30"));
    assert_eq!(
        games(&pairings, 1),
        ["1 Adler, Ida - Dubois, Léa 1-0", "2 Eng, Kim - Börjesson, Åsa 0-1", "3 Costa, Rui - Fox, Sam 1-0"]
    );
    // Two points before one and a half, whoever has White.
    assert_eq!(games(&pairings, 3), ["1 Adler, Ida - Costa, Rui", "2 Fox, Sam - Börjesson, Åsa"]);
    let round = &pairings.rounds[2];
    assert_eq!((round.order, round.date.as_deref()), (TableOrder::Derived, Some("2026.02.14")));
    let byes: Vec<_> = round.byes.iter().map(|bye| (bye.player.number, bye.kind)).collect();
    assert_eq!(byes, [(Some(4), ByeKind::Zero), (Some(5), ByeKind::Half)]);
    assert_eq!(pairings.rounds[1].byes[0].kind, ByeKind::Pairing);
    let adler = &round.games[0].white;
    assert_eq!((adler.title, adler.rating, adler.fide_id), (Some("GM"), Some(2550), Some(1_000_001)));
    let eng = &pairings.players[4];
    assert_eq!((eng.title, eng.rating, eng.federation.as_deref()), (None, None, None));
    assert_eq!(pairings.players[3].fide_id, None, "0 is no FIDE id");
}

#[test]
fn every_line_end_and_encoding_reads_the_same() {
    let text = swiss();
    let expected = read(&text).unwrap();
    for ends in ["\n", "\r\n"] {
        assert_eq!(read(&text.replace('\r', ends)).unwrap(), expected);
    }
    assert_eq!(read(&format!("\u{feff}{text}\r\u{1a}")).unwrap(), expected);
    let latin: Vec<u8> = text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    let guessed = load(&[("open.trf", &latin)]).unwrap().pairings;
    assert_eq!((&guessed.rounds, &guessed.players), (&expected.rounds, &expected.players));
    assert!(
        warnings(&guessed)[0]
            .starts_with("open.trf: the file does not say how it is encoded and was read as windows-1252"),
        "{:?}",
        guessed.warnings
    );
}

#[test]
fn columns_that_a_program_counted_in_bytes_are_found() {
    let padded = swiss()
        .split('\r')
        .map(|line| {
            let further = line.len() - line.chars().count();
            let cut = line.char_indices().nth(40).map_or(line.len(), |(place, _)| place);
            // The name's padding is shorter by the bytes that its letters take.
            if line.starts_with("001") { line[..cut].to_owned() + &line[cut + further..] } else { line.to_owned() }
        })
        .collect::<Vec<_>>();
    assert!(padded.join("\n").len() < swiss().len());
    assert_eq!(read(&padded.join("\n")).unwrap(), read(&swiss()).unwrap());
}

#[test]
fn cells_parted_by_bars_or_tabs_are_players_too() {
    for separator in ["|", "\t"] {
        let line = |parts: [&str; 14]| parts.join(separator);
        let text = [
            line(["001", "1", "m", "g", "Adler, Ida", "2550", "NED", "1000001", "1984", "0,0", "1", "2", "w", ""]),
            line(["001", "2", "w", "wm", "Costa, Ana", "", "", "0", "06/05/1984", "0", "2", "1", "b", ""]),
        ];
        let pairings = read(&text.join("\n")).unwrap();
        assert_eq!(games(&pairings, 1), ["1 Adler, Ida - Costa, Ana"], "{separator:?}");
        assert_eq!(pairings.players.iter().map(|player| player.title).collect::<Vec<_>>(), [Some("GM"), Some("WIM")]);
    }
    let text = swiss();
    let barred = text.split('\r').map(|line| {
        let bar = |(index, letter)| {
            if line.starts_with("001") && [47, 52, 56, 68, 79].contains(&index) { '|' } else { letter }
        };
        line.chars().enumerate().map(bar).collect::<String>()
    });
    assert_eq!(read(&barred.collect::<Vec<_>>().join("\n")).unwrap(), read(&swiss()).unwrap());
}

#[test]
fn titles_stand_in_many_ways_and_short_lines_are_whole() {
    let titles = [
        ("mGM ", Some("GM")),
        (" g  ", Some("GM")),
        ("m IM", Some("IM")),
        ("mim ", Some("IM")),
        ("wWGM", Some("WGM")),
        ("WGM ", Some("WGM")),
        ("GM  ", Some("GM")),
        ("f   ", None),
        ("w   ", None),
        ("mNM ", None),
        ("wwf ", Some("WFM")),
    ];
    for (written, title) in titles {
        let text = format!("001    1 {written} Adler, Ida\n001    2\u{20}     Bo, Li");
        let pairings = read(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pairings.players[0].title, title, "{written:?}");
        assert_eq!(pairings.players[1].name, "Bo, Li");
    }
}

#[test]
fn players_who_contradict_each_other_are_named_with_line_and_column() {
    let pair = |first: &str, second: &str| {
        let text = [
            player(1, ("", "Adler, Ida", 2000, "NED", 1, "0.0"), first),
            player(2, ("", "Costa, Rui", 2000, "POR", 2, "0.0"), second),
            player(3, ("", "Dubois, Léa", 2000, "FRA", 3, "0.0"), ""),
        ];
        read(&text.join("\n")).unwrap()
    };
    for (first, second, said) in [
        ("    2 w       ", "    1 w", "line 1, column 92: players 1 and 2 both have White in round 1"),
        ("    2 w 1", "    1   0", "line 1, column 92: the colour of player 1 or 2 is missing in round 1"),
        (
            "    2 w 1",
            "    1 b 1",
            "line 1, column 92: players 1 and 2 have contradicting results «1» and «1» in round 1",
        ),
        (
            "    2 w 1",
            "    1 b",
            "line 1, column 92: players 1 and 2 have contradicting results «1» and « » in round 1",
        ),
        ("    2 w", "    3 b", "line 1, column 92: player 1 meets 2 in round 1, but line 2 names another opponent"),
        ("    9 w", "", "line 1, column 92: player 1 meets 9 in round 1, but the list has no such opponent"),
        ("    1 w", "", "line 1, column 92: player 1 meets 1 in round 1, but the list has no such opponent"),
    ] {
        let pairings = pair(first, second);
        assert_eq!(games(&pairings, 1), Vec::<String>::new(), "{first} {second}");
        let found = warnings(&pairings);
        assert!(found.first().is_some_and(|found| found.starts_with(&format!("file, {said}"))), "{found:?}");
    }
    assert_eq!(games(&pair("    2 - +", "    1 - -"), 1), ["1 Adler, Ida - Costa, Rui + - -"]);
    assert_eq!(games(&pair("    2 b w", "    1 w l"), 1), ["1 Costa, Rui - Adler, Ida 0-1"]);
}

#[test]
fn a_record_that_cannot_be_understood_is_refused() {
    for (text, said) in [
        ("012 X\n001   x1      Adler", "file, line 2, column 5: «x1» is not a starting number"),
        (
            "001    1      Adler\n001    1      Bo",
            "file, line 2, column 5: starting number 1 is already used in line 1",
        ),
        ("001    1", "file, line 1, column 15: the player has no name"),
        ("012 Only a name", "file, line 1, column 1: the report lists no players"),
        (
            &player(1, ("", "Adler", 0, "", 0, ""), "   2x w 1"),
            "file, line 1, column 92: «2x» is not the starting number of an opponent",
        ),
        (&player(1, ("", "Adler", 0, "", 0, ""), "    2 x 1"), "file, line 1, column 97: «x» is not a colour"),
        (&player(1, ("", "Adler", 0, "", 0, ""), "    2 w 7"), "file, line 1, column 99: «7» is not a result"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
}

#[test]
fn teams_play_matches_board_by_board() {
    let seat = |number, name, rest| player(number, ("", name, 2000, "", number, "0.0"), rest);
    let players = [
        seat(1, "Adler, Ida", "    4 w"),
        seat(2, "Bo, Li", "    3 b"),
        seat(3, "Costa, Rui", "    2 w"),
        seat(4, "Dubois, Léa", "    1 b"),
    ];
    let old = format!("{}\n013 {:<32}   1    2\n013 {:<32}   4    3\n", players.join("\n"), "Harbour", "Hill");
    let new =
        format!("{}\n310   1 {:<64}    1    2\n310   2 {:<64}    4    3\n", players.join("\n"), "Harbour", "Hill");
    for text in [&old, &new] {
        let pairings = read(text).unwrap();
        assert_eq!(games(&pairings, 1), ["1 Adler, Ida - Dubois, Léa", "2 Costa, Rui - Bo, Li"]);
        let game = &pairings.rounds[0].games[1];
        assert_eq!((game.team_match, game.white.team.as_deref()), (Some((1, 2)), Some("Hill")));
    }
    let gap = read(&format!("{new}300   1   2   1    4    0    3\n")).unwrap();
    assert_eq!(gap.rounds[0].games[1].team_match, Some((1, 3)), "nobody sits at board 2");
    let turned = read(&format!("{new}300   1   1   2    2    1\n")).unwrap();
    assert_eq!(games(&turned, 1), ["1 Costa, Rui - Bo, Li", "2 Adler, Ida - Dubois, Léa"]);
}

#[test]
fn the_days_of_rounds_are_read_from_one_record_or_from_one_for_each() {
    let days = |records: &str| {
        let columns = swiss().split('\r').find(|line| line.starts_with("132")).unwrap().to_owned();
        let pairings = read(&swiss().replace(&columns, records)).unwrap();
        pairings.rounds.iter().map(|round| round.date.clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    for records in ["132 2026/02/12 2026/02/13 2026/02/14", "132 2026/02/12\r132 2026/02/13\r132 2026/02/14"] {
        assert_eq!(days(records), ["2026.02.12", "2026.02.13", "2026.02.14"], "{records}");
    }
}

#[test]
fn a_star_is_a_result_that_is_still_to_come() {
    let stars =
        swiss().replace("     3 w  ", "     3 w *").replace("     1 b  ", "     1 b *").replace("0000 - Z", "0000 - *");
    let pairings = read(&stars).unwrap();
    assert_eq!(warnings(&pairings), Vec::<String>::new());
    assert_eq!(games(&pairings, 3), ["1 Adler, Ida - Costa, Rui", "2 Fox, Sam - Börjesson, Åsa"]);
    let byes: Vec<_> = pairings.rounds[2].byes.iter().map(|bye| bye.player.number).collect();
    assert_eq!(byes, [Some(5)], "who has neither opponent nor bye is not in the round");
}

#[test]
fn byes_asked_for_stand_in_their_own_record() {
    let pairings = read(&format!("{}\r240 H 004    1    5\r240 Z 002    6\r240 F 009    2", swiss())).unwrap();
    let byes = |round: usize| {
        let byes = pairings.rounds[round - 1].byes.iter();
        byes.map(|bye| (bye.player.number.unwrap(), bye.kind)).collect::<Vec<_>>()
    };
    assert_eq!(byes(4), [(1, ByeKind::Half), (5, ByeKind::Half)]);
    assert_eq!(byes(2), [(5, ByeKind::Pairing), (6, ByeKind::Zero)], "6 lost by forfeit against nobody, told once");
    assert_eq!(pairings.rounds.len(), 4, "a bye of a later round was taken for one");
}

#[test]
fn armageddon_has_a_time_for_each_colour_and_nonsense_is_noted() {
    let with = |code: &str| read(&format!("222 {code}\n001    1      Adler, Ida")).unwrap();
    assert_eq!(with("40/6000+30:900+30").event.time_control.common(), Some("40/6000+30:900+30"));
    let armageddon = with("W300-B240").event.time_control;
    assert_eq!((armageddon.white.as_deref(), armageddon.black.as_deref()), (Some("300"), Some("240")));
    assert_eq!(armageddon.to_string(), "W300-B240");
    let pairings = with("90 min");
    assert!(pairings.event.time_control.is_unknown());
    assert!(warnings(&pairings)[0].contains("is not understood"), "{:?}", pairings.warnings);
}

#[test]
fn results_go_back_into_the_lines_they_came_from_without_birth_dates() {
    let (mut pairings, report): (_, Document) = trf::read(&swiss(), Encoding::UTF8).unwrap();
    let untouched = report.write();
    assert!(!untouched.contains("1984"), "a birth date was kept");
    assert!(!untouched.contains(" mGM"), "the sex was kept");
    for line in ["XXR 5", "DAT 1 club Harbour Club", "### made for a test"] {
        assert!(untouched.split('\r').any(|kept| kept == line), "{line} is gone, or the line ends are others");
    }
    pairings.rounds[2].games[0].score = crate::score::Score::parse("½-½");
    let mut filled = report.clone();
    filled.enter(&pairings);
    let text = filled.write();
    let adler = text.split('\r').find(|line| line.contains("Adler")).unwrap();
    assert!(adler.ends_with("0003 w ="), "{adler}");
    assert_eq!(adler.get(80..84), Some(" 2.0"), "the half point is counted");
    let fox = text.split('\r').find(|line| line.contains("Fox")).unwrap();
    assert!(fox.contains("0000 - -"), "a bye is written with another sign: {fox}");
    let (again, _) = trf::read(&text, Encoding::UTF8).unwrap();
    assert_eq!(games(&again, 3), ["1 Adler, Ida - Costa, Rui 1/2-1/2", "2 Fox, Sam - Börjesson, Åsa"]);
    let mut twice = filled.clone();
    twice.enter(&pairings);
    assert_eq!(twice, filled, "entering twice counts nothing twice");
}

#[test]
fn a_time_control_as_text_is_in_minutes_where_seconds_make_no_sense() {
    for (text, meant) in [
        ("122 90+30", "5400+30"),
        ("122 15+10", "900+10"),
        ("122 90/30", "5400+30"),
        ("122 15/10", "900+10"),
        ("122 40/90", "40/5400"),
        ("122 3+2", "180+2"),
        ("122 40/90+30:30+30", "40/5400+30:1800+30"),
        ("122 5400+30", "5400+30"),
        ("122 180+2", "180+2"),
        ("122 90+30\n222 6000+30", "6000+30"),
        ("222 90+30", "90+30"),
        ("122 90 minutes and 30 seconds a move", "5400+30"),
        ("122 as announced", "?"),
    ] {
        let pairings = read(&format!("{text}\n001    1      Adler, Ida\n")).unwrap();
        assert_eq!(pairings.event.time_control.to_string(), meant, "{text}");
    }
}

#[test]
fn a_time_control_that_is_not_understood_is_named_unless_another_record_has_it() {
    let said = |records: &str| warnings(&read(&format!("{records}\n001    1      Adler, Ida\n")).unwrap());
    let named = |text: &str| format!("the time control «{text}» is not understood");
    assert!(said("122 90 min as announced").iter().any(|line| line.contains(&named("90 min as announced"))));
    for understood in ["122 moves/time, increment", "122 90 min as announced\n222 5400+30", "122 90 min + 30 sec"] {
        assert!(!said(understood).iter().any(|line| line.contains("is not understood")), "{understood}");
    }
}

#[test]
fn a_birth_date_that_begins_one_column_late_is_blank_too() {
    let report = "012 Cup\nXXR 3\n\
        001    1 mGM  Adler, Ida                        2550 NED 1000001      1984/05/06 1.0    1     2 w 1\n\
        001    2  IM  Bos, Jan                          2440 NED 1000002      1986/07/09 0.0    2     1 b 0\n";
    let (_, kept): (_, Document) = trf::read(report, Encoding::UTF8).unwrap();
    let kept = kept.write();
    let expected = [
        "001    1  GM  Adler, Ida                        2550 NED 1000001                 1.0    1     2 w 1",
        "001    2  IM  Bos, Jan                          2440 NED 1000002                 0.0    2     1 b 0",
    ];
    assert_eq!(kept.lines().skip(2).collect::<Vec<_>>(), expected);
}
