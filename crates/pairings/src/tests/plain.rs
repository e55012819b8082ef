//! Tables without a header.

use super::{games, read, warnings};

#[test]
fn rows_copied_without_their_header_are_read_where_their_content_leaves_no_doubt() {
    for (text, expected) in [
        (
            "1\tAdler, Ida\tCosta, Rui\t1-0\n2\tBos, Jan\tFox, Sam\t\n",
            ["1 Adler, Ida - Costa, Rui 1-0", "2 Bos, Jan - Fox, Sam"],
        ),
        ("1\tAdler, Ida\tCosta, Rui\n2\tBos, Jan\tFox, Sam\n", ["1 Adler, Ida - Costa, Rui", "2 Bos, Jan - Fox, Sam"]),
        (
            "7.;Ida Adler;½-½;Rui Costa\n8.;Jan Bos;*;Sam Fox\n",
            ["7 Ida Adler - Rui Costa 1/2-1/2", "8 Jan Bos - Sam Fox"],
        ),
        (
            "1\tIda Adler\t2550\tRui Costa\t2300\n2\tJan Bos\t2440\tSam Fox\t0\n",
            ["1 Ida Adler - Rui Costa", "2 Jan Bos - Sam Fox"],
        ),
        ("Adler, Ida\tCosta, Rui\n\nBos, Jan\tFox, Sam\n", ["1 Adler, Ida - Costa, Rui", "2 Bos, Jan - Fox, Sam"]),
    ] {
        let pairings = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(games(&pairings, 1), expected, "{text}");
        assert!(warnings(&pairings)[0].contains("no header"), "{:?}", pairings.warnings);
    }
    let third = read("Round 3\n1\t4\tAdler, Ida\t2550\tCosta, Rui\t2300\n2\t1\tBos, Jan\t2440\tbye\t\n").unwrap();
    assert_eq!(games(&third, 3), ["1 Adler, Ida - Costa, Rui"]);
    let game = &third.rounds[0].games[0];
    assert_eq!((game.white.number, game.white.rating, game.black.rating), (Some(4), Some(2550), Some(2300)));
    assert_eq!(third.rounds[0].byes[0].player.name, "Bos, Jan");
}

#[test]
fn a_list_of_players_without_a_header_is_read_by_what_its_columns_hold() {
    let list = read("1\tGM\tIda Adler\tGER\t2550\n2\t-\tRui Costa\tPOR\t-\n").unwrap();
    let told: Vec<_> = list
        .players
        .iter()
        .map(|player| (player.number, player.title, &*player.name, player.federation.as_deref(), player.rating))
        .collect();
    let expected =
        [(Some(1), Some("GM"), "Ida Adler", Some("GER"), Some(2550)), (Some(2), None, "Rui Costa", Some("POR"), None)];
    assert_eq!(told, expected);
    assert!(list.rounds.is_empty());
}

#[test]
fn rows_that_could_be_read_in_two_ways_are_refused_with_the_header_to_write() {
    for (text, why) in [
        ("1\tAdler\tIda\n2\tCosta\tRui\n", "family name and first name"),
        ("1\tIda Adler\tHarbour Club\n2\tRui Costa\tHill Club\n", "a club"),
        ("1\tIda Adler\t2550\t2490\n2\tRui Costa\t2300\t2310\n", "two ratings"),
        ("1,Adler, Ida,Costa, Rui\n", "commas in names"),
        ("1\tAdler\tIda\t-\n2\tCosta\tRui\t-\n", "a column of dashes"),
        ("4\tAdler, Ida\tCosta, Rui\n2\tBos, Jan\tFox, Sam\n", "numbers that do not rise"),
        ("Adler, Ida\tCosta, Rui\nthe hall opens at nine\n", "a line of text"),
        ("Dear organiser; see you on Friday\n", "a letter"),
    ] {
        let error = read(text).map(|pairings| games(&pairings, 1)).expect_err(why).to_string();
        assert!(error.contains("write a header, for example «Table, White, Black, Result»"), "{why}: {error}");
    }
}
