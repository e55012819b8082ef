//! Results that pairing files bring, and results that go back into them.

use super::*;

#[test]
fn results_of_a_file_fill_what_is_missing_and_never_replace_our_own() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;, 1;3;Evans;Frank;");
    director.order(publish("open", 1));
    for board in 1..=2 {
        director.start(board);
    }
    director.result(1, "1-0");
    let notes = director.load("open", "1;1;Adams;Baker;0-1, 1;2;Clark;Davis;1-0, 1;3;Evans;Frank;+ - -");
    assert!(
        notes.contains(&"Game open-1-1 (round 1, table 1): the files have 0-1, the tournament has 1-0.".into()),
        "{notes:?}"
    );
    let game = |id: &str| director.hall.game(id).unwrap().game.clone();
    assert!(game("open-1-1").result_differs());
    assert_eq!(game("open-1-1").result, Score::parse("1-0"));
    assert_eq!(game("open-1-2").result, None, "the game is still played");
    assert_eq!(game("open-1-3").state, PairingState::Forfeit);
    director.order(Order::SetResult { game: "open-1-1".into(), result: "0-1".into(), reason: None, confirm: false });
    assert!(!director.hall.game("open-1-1").unwrap().game.result_differs());
}

/// What the files say of a game, and whether that is another result than ours.
fn imported(director: &Director, game: &str) -> (Option<String>, bool) {
    let game = director.hall.game(game).unwrap().game;
    (game.imported.map(|score| score.to_string()), game.result_differs())
}

#[test]
fn every_other_result_of_a_file_is_a_difference_and_the_same_in_other_words_is_none() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    let result = |result: &str| Order::SetResult {
        game: "open-1-1".into(),
        result: result.into(),
        reason: None,
        confirm: false,
    };
    let row = |result: &str| format!("1;1;Adams;Baker;{result}");
    for (ours, theirs, differs) in [
        ("1-0", "0-1", true),
        ("1-0", "1/2-1/2", true),
        ("1-0", "+ - -", true),
        ("+ - -", "1-0", true),
        ("+ - -", "- - +", true),
        ("- - -", "0-0", true),
        ("0-0", "1/2-0", true),
        ("1/2-1/2", "0-0", true),
        ("+ - -", "1-0F", false),
        ("1/2-1/2", "=", false),
        ("0-0", "0 : 0", false),
        ("- - -", "0-0K", false),
    ] {
        director.order(result(ours));
        director.load("open", &row(theirs));
        assert_eq!(imported(&director, "open-1-1").1, differs, "{ours} and {theirs}");
        director.order(result(theirs));
        assert!(!imported(&director, "open-1-1").1, "corrected to {theirs}");
    }
    director.order(result("0-1"));
    assert!(imported(&director, "open-1-1").1, "an order makes it differ again");
    director.load("open", &row(""));
    assert_eq!(imported(&director, "open-1-1"), (None, false), "the files say nothing any more");
}

#[test]
fn signs_of_a_report_that_give_the_same_points_are_no_difference_and_pgn_knows_no_forfeits() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    let report = |white: char, black: char| {
        let line = |number: u32, name: &str, cell: String| {
            format!(
                "001 {number:>4}      {name:<33} {:>4} {:>3} {:>11} {:>10} {:>4} {:>4}  {cell}\n",
                "", "", "", "", "0.0", ""
            )
        };
        let text = "012 Open\n".to_owned()
            + &line(1, "Adams", format!("   2 w {white}"))
            + &line(2, "Baker", format!("   1 b {black}"));
        vec![PairingFile::read("report.trf", text.as_bytes()).unwrap()]
    };
    let pgn = |result: &str| {
        let text =
            format!("[Round \"1.1\"]\n[White \"Adams\"]\n[Black \"Baker\"]\n[Result \"{result}\"]\n\n{result}\n");
        vec![PairingFile::read("round.pgn", text.as_bytes()).unwrap()]
    };
    let mut differs = |ours: &str, files: Vec<PairingFile>| {
        director.order(Order::SetResult { game: "open-1-1".into(), result: ours.into(), reason: None, confirm: false });
        director.order(Order::LoadPairings { section: "open".into(), files, round: None, confirm: true });
        imported(&director, "open-1-1").1
    };
    assert!(!differs("1-0", report('W', 'L')), "too short to be rated, and won all the same");
    assert!(differs("1-0", report('+', '-')));
    assert!(!differs("- - -", report('-', '-')));
    assert!(differs("1/2-1/2", report('W', 'L')));
    assert!(!differs("+ - -", pgn("1-0")), "PGN has no word for a forfeit");
    assert!(differs("+ - -", pgn("0-1")));
    assert!(!differs("- - -", pgn("*")));
}

#[test]
fn rounds_that_are_over_in_the_file_stay_over_and_byes_are_no_games() {
    let mut director = Director::new();
    director.section("open", 1);
    director.load("open", "1;1;Adams;Baker;1-0, 1;;Clark;bye;, 2;1;Clark;Adams;, 2;;Baker;bye;");
    assert_eq!([1, 2].map(|round| director.round_state("open", round)), [RoundState::Finished, RoundState::Prepared]);
    assert!(director.games.is_empty(), "a round that was not published was told");
    let clark = director.player("Clark");
    assert!(director.hall.round("open", 1).unwrap().byes.contains_key(&clark));
    let bye = director.refused(&Order::SetResult {
        game: "open-1-2".into(),
        result: "1-0".into(),
        reason: None,
        confirm: false,
    });
    assert!(bye.contains("no game \"open-1-2\""), "{bye}");
    let kind = Some(ByeKind::Half);
    let busy = Order::SetBye { section: "open".into(), round: 2, player: clark, kind };
    assert!(director.refused(&busy).contains("Clark is paired on board 1. Unpair them first."));
    let back = results(&director.hall, &director.persons, "open").unwrap();
    let table = ::pairings::results::as_csv(&back);
    assert!(table.contains("\n1,1,,,Adams,,,,,1-0,,,Baker,,,,\n"), "{table}");
}

#[test]
fn results_have_the_day_on_which_their_round_was_played() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 2;1;Baker;Adams;");
    director.order(publish("open", 1));
    director.start(1).unwrap();
    let dates: Vec<_> = results(&director.hall, &director.persons, "open")
        .map(|back| back.rounds.into_iter().map(|round| round.date).collect())
        .unwrap();
    assert_eq!(dates, [Some("2027.02.13".to_owned()), None]);
}

#[test]
fn results_go_back_into_the_report_that_was_loaded() {
    let mut director = Director::new();
    director.section("open", 1);
    let player = |number: u32, name: &str, rating: u32, points: &str, cells: &str| {
        let (title, born) = ("mGM", "1984/05/06");
        format!(
            "001 {number:>4} {title:<4} {name:<33} {rating:>4} CZE {:>11} {born} {points:>4} {:>4}  {cells}",
            300 + number,
            5 - number
        )
    };
    let lines = |cells: [&str; 4], points: [&str; 4]| {
        [
            "012 Harbour Open".to_owned(),
            "032 CZE".to_owned(),
            "042 2026/02/12".to_owned(),
            "092 Individual: Swiss-System".to_owned(),
            "102 Arbiter, Nina".to_owned(),
            format!("132{:88}26/02/12  26/02/13", ""),
            player(1, "Dvořák, Tomáš", 2500, points[0], cells[0]),
            player(2, "Bos, Jan", 2400, points[1], cells[1]),
            player(3, "Costa, Rui", 2300, points[2], cells[2]),
            player(4, "Žák, Jiří", 2200, points[3], cells[3]),
            "### Bos, Jan asked for a bye".to_owned(),
            "XXR 5".to_owned(),
        ]
    };
    let before = lines(
        ["   3 w 1     2 b", "   4 b 1     1 w", "   1 b 0     4 w", "   2 w 0     3 b"],
        ["1.0", "1.0", "0.0", "0.0"],
    );
    let bytes = ::pairings::encoding::Encoding::of_name("windows-1250").encode(&(before.join("\r\n") + "\r\n"));
    let file = || vec![PairingFile::read("open.trf", &bytes).unwrap()];
    director.order(Order::LoadPairings { section: "open".into(), files: file(), round: None, confirm: true });
    assert!(!format!("{:?}", director.facts).contains("Bos"), "a fact names a person");
    let again =
        director.order(Order::LoadPairings { section: "open".into(), files: file(), round: None, confirm: true });
    assert_eq!(said(&again.notes), ["Nothing changes."]);
    for (board, result) in [(1, "1/2-1/2"), (2, "0-1")] {
        director.order(Order::SetResult {
            game: format!("open-2-{board}"),
            result: result.into(),
            reason: None,
            confirm: false,
        });
    }
    let written = |director: &Director| {
        let pairings = results(&director.hall, &director.persons, "open").unwrap();
        let report = report(&director.hall, "open");
        let text = ::pairings::results::as_trf(&pairings, report.as_ref());
        (::pairings::results::encoding(report.as_ref()).encode(&text), text)
    };
    let (bytes, text) = written(&director);
    let mut expected = lines(
        ["0003 w 1  0002 b =", "0004 b 1  0001 w =", "0001 b 0  0004 w 0", "0002 w 0  0003 b 1"],
        ["1.5", "1.5", "0.0", "1.0"],
    )
    .map(|line| line.replace("1984/05/06", "").replace(" mGM ", "  GM "))
    .to_vec();
    expected.retain(|line| !line.starts_with("###"));
    let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(
        text.split("\r\n").map(plain).collect::<Vec<_>>(),
        expected.iter().map(|line| plain(line)).chain([String::new()]).collect::<Vec<_>>()
    );
    assert!(bytes.windows(3).any(|three| three == b"o\xf8\xe1"), "the encoding is that of the file");
    let bos = director.player("Bos, Jan");
    director.order(Order::Forget { player: bos });
    assert!(!written(&director).1.contains("Bos"), "a forgotten player is in no report");
}

#[test]
fn standings_are_kept_by_player_and_loading_them_twice_changes_nothing() {
    let mut director = Director::with_round("1;1;Adams;Baker;1-0, 1;2;Clark;Davis;");
    let standings = |text: &str| {
        let files = vec![PairingFile::read("standings.csv", text.as_bytes()).unwrap()];
        Order::LoadPairings { section: "open".into(), files, round: None, confirm: true }
    };
    let table = "Rk;Name;Pts;BH\n1;Adams;1;0\n2;Clark;0,5;1\n3;Davis;0,5;1\n4;Baker;0;1\n";
    let notes = said(&director.order(standings(table)).notes);
    assert!(notes.contains(&"The standings after round 1 were loaded.".to_owned()), "{notes:?}");
    let loaded = director.hall.section("open").unwrap().standings.clone().unwrap();
    assert_eq!((loaded.after_round, &loaded.tie_breaks[..], loaded.places.len()), (1, &["BH".to_owned()][..], 4));
    let adams = director.hall.game("open-1-1").unwrap().game.pair.white.unwrap();
    assert_eq!((loaded.places[&adams].rank, loaded.places[&adams].points), (1, Some(10)));
    assert_eq!(said(&director.order(standings(table)).notes), ["Nothing changes."]);
    director.load("open", "2;1;Adams;Clark;");
    assert_eq!(director.hall.section("open").unwrap().standings, Some(loaded), "other files keep them");
}
