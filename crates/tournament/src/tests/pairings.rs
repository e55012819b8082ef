//! Pairings loaded, loaded again and corrected.

use game_core::controls::Controls;

use super::*;

const FIRST: &str = "1;1;Adams;Baker;, 1;2;Clark;Davis;, 1;3;Evans;Frank;";

#[test]
fn loading_twice_changes_nothing() {
    let mut director = Director::with_round(FIRST);
    let facts = director.facts.len();
    assert_eq!(director.load("open", FIRST), ["Nothing changes."]);
    assert_eq!(director.facts.len(), facts);
    director.order(publish("open", 1));
    assert_eq!(director.load("open", FIRST), ["Nothing changes."]);
}

#[test]
fn a_re_pairing_changes_only_what_it_changed_and_says_so_before() {
    let mut director = Director::with_round(FIRST);
    director.order(publish("open", 1));
    let again = load("open", "1;1;Adams;Baker;, 1;2;Clark;Frank;, 1;3;Davis;Evans;", false);
    let shown = preview(&director.hall, &director.persons, &director.games, NOON, &again).unwrap();
    let changes = [
        "Round 1, table 2: removed, Clark - Davis.",
        "Round 1, table 3: removed, Evans - Frank.",
        "Round 1, table 2: new, Clark - Frank.",
        "Round 1, table 3: new, Davis - Evans.",
    ];
    assert_eq!((said(&shown.notes), shown.questions), (changes.map(str::to_owned).to_vec(), Vec::new()));
    let decision = director.order(again);
    let told: Vec<_> = decision.games.iter().map(|(at, _)| at.game.to_string()).collect();
    assert_eq!(told, ["open-1-2x2", "open-1-3x2"], "the first table was told anew");
    assert_eq!(
        director.pairings("open", 1),
        ["open-1-1 1 Adams - Baker", "open-1-2x2 2 Clark - Frank", "open-1-3x2 3 Davis - Evans"]
    );
    director.load("open", "1;1;Davis;Evans;, 1;2;Baker;Adams;, 1;3;Clark;Frank;");
    let moved = ["open-1-3x2 1 Davis - Evans", "open-1-1 2 Baker - Adams", "open-1-2x2 3 Clark - Frank"];
    assert_eq!(director.pairings("open", 1), moved, "a pair keeps its id wherever it sits and whoever has White");
    assert_eq!(director.games["open-1-1"].tags()["Round"], "1.2");
    assert_eq!(director.games["open-1-1"].tags()["White"], "Baker");
}

#[test]
fn what_may_be_meant_is_asked_and_what_cannot_be_is_refused() {
    let director = Director::with_round("1;1;Adams;Baker;");
    let twice = "2;1;Adams;Baker;, 2;2;Clark;Adams;";
    let refusal = director.ask(&load("open", twice, false)).unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::Conflict);
    assert!(refusal.to_string().contains("Adams is paired on boards 1 and 2 in round 2"), "{refusal}");
    assert!(director.ask(&load("open", twice, true)).is_ok());
    let doubled = director.refused(&load("open", "2;1;Adams;Baker;, 2;1;Clark;Davis;", true));
    assert!(doubled.contains("two games on board 1"), "{doubled}");
    let alone = director.refused(&load("open", "2;1;Adams;Adams;", true));
    assert!(alone.contains("paired with themselves"), "{alone}");
    let half = director.refused(&load("open", "2;1;Adams;Baker;, 2;2;Clark;;", false));
    assert!(half.contains("line 3, column 1: round 2, table 2: a player is missing"), "{half}");
    let rubbish = vec![PairingFile { name: "photo".into(), text: "x".repeat(10_000_000), guessed_encoding: None }];
    let order = Order::LoadPairings { section: "open".into(), files: rubbish, round: None, confirm: true };
    assert_eq!(director.ask(&order).unwrap_err().kind(), RefusalKind::Invalid);
    assert!(PairingFile::read("photo", &vec![b'x'; 10_000_000]).unwrap_err().to_string().contains("larger than 8 MB"));
    assert!(director.refused(&load("women", "1;1;A;B;", true)).contains("no section \"women\""));
}

#[test]
fn a_game_that_has_begun_is_not_parted_by_a_load_and_its_moves_wait_for_their_owner() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    director.start(1);
    director.play(1, "e4 e5 Nf3");
    let other = "1;1;Adams;Davis;, 1;2;Clark;Baker;";
    assert!(director.refused(&load("open", other, true)).contains("not in the files: 1 (tables 1)"));
    director.order(Order::Unpair { game: "open-1-1".into(), confirm: true });
    let notes = director.load("open", other);
    assert!(notes.iter().any(|note| note.contains("adopt open-1-1 as open-1-1x2")), "{notes:?}");
    director.order(Order::Adopt { unassigned: "open-1-1".into(), game: "open-1-1x2".into(), confirm: false });
    assert_eq!(director.moves("open-1-1x2"), ["e4", "e5", "Nf3"]);
    assert_eq!(director.games["open-1-1x2"].tags()["Black"], "Davis");
    director.play(1, "Nc6");
    assert_eq!(director.moves("open-1-1x2").len(), 4, "the board plays that game now");
    assert_eq!(director.moves("open-1-1").len(), 3);
}

#[test]
fn two_players_exchange_their_seats_in_one_order_and_one_undo() {
    let mut director = Director::with_round(FIRST);
    let person = Person { name: "Green".into(), ..Person::default() };
    director.order(Order::AddPlayer { section: "open".into(), person, number: None });
    let before = director.pairings("open", 1);
    let exchange = |director: &Director, one: &str, other: &str| Order::ExchangePlayers {
        section: "open".into(),
        round: 1,
        one: director.player(one),
        other: director.player(other),
    };
    let undo = |director: &Director| Order::Undo { number: director.hall.corrections.len() as u32 };
    for (one, other, after) in [
        ("Baker", "Clark", ["open-1-1 1 Adams - Clark", "open-1-2 2 Baker - Davis", "open-1-3 3 Evans - Frank"]),
        ("Evans", "Frank", ["open-1-1 1 Adams - Baker", "open-1-2 2 Clark - Davis", "open-1-3 3 Frank - Evans"]),
        ("Green", "Davis", ["open-1-1 1 Adams - Baker", "open-1-2 2 Clark - Green", "open-1-3 3 Evans - Frank"]),
    ] {
        director.order(exchange(&director, one, other));
        assert_eq!(director.pairings("open", 1), after);
        director.order(undo(&director));
        assert_eq!(director.pairings("open", 1), before, "{one} and {other} are back");
    }
    // Two exchanges in a row go back in reverse order.
    director.order(exchange(&director, "Baker", "Clark"));
    let first = director.hall.corrections.len() as u32;
    director.order(exchange(&director, "Baker", "Evans"));
    assert_eq!(director.ask(&Order::Undo { number: first }).unwrap_err().coded().code, "changed_later");
    director.order(undo(&director));
    director.order(Order::Undo { number: first });
    assert_eq!(director.pairings("open", 1), before);
}

#[test]
fn seats_are_not_exchanged_with_oneself_with_a_bye_or_where_neither_is_paired() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;;Clark;bye;");
    let person = |name: &str| Person { name: name.into(), ..Person::default() };
    for name in ["Green", "Hall"] {
        director.order(Order::AddPlayer { section: "open".into(), person: person(name), number: None });
    }
    let refused = |one: &str, other: &str| {
        let (section, one, other) = ("open".into(), director.player(one), director.player(other));
        director.ask(&Order::ExchangePlayers { section, round: 1, one, other }).unwrap_err().coded().code
    };
    assert_eq!(refused("Adams", "Adams"), "same_player");
    assert_eq!(refused("Adams", "Clark"), "has_bye");
    assert_eq!(refused("Green", "Hall"), "neither_paired");
}

#[test]
fn a_bye_set_by_hand_stays_and_one_that_differs_is_told() {
    let mut director = Director::new();
    director.section("open", 1);
    let byes = |kinds: &str| format!("1;1;Adams;Baker;, {kinds}");
    let half = "1;;Clark;half point bye;1/2, 1;;Davis;bye;";
    assert!(!director.load("open", &byes(half)).iter().any(|note| note.contains("the tournament has")));
    let player = |director: &Director, name: &str| director.player(name);
    let (clark, davis) = (player(&director, "Clark"), player(&director, "Davis"));
    let set = |player, kind| Order::SetBye { section: "open".into(), round: 1, player, kind };
    let kind = |director: &Director, player| director.hall.round("open", 1).unwrap().byes.get(&player).copied();
    let told = |director: &Director| -> Vec<String> {
        let notes = differing_byes(&director.hall, &director.persons, "open", 1);
        notes.iter().map(ToString::to_string).collect()
    };
    assert_eq!(kind(&director, clark), Some(ByeKind::Half));
    director.order(set(davis, Some(ByeKind::Full)));
    assert_eq!(told(&director), [""; 0], "a full point either way");
    director.order(set(clark, Some(ByeKind::Zero)));
    assert_eq!(
        told(&director),
        ["Round 1 of \"open\", Clark: the files have \"half-point bye\", the tournament has \"absent\"."]
    );
    let notes = director.load("open", &byes(half));
    assert!(notes.iter().any(|note| note.contains("the tournament has \"absent\"")), "{notes:?}");
    assert_eq!(kind(&director, clark), Some(ByeKind::Zero), "what was set by hand stays");
    director.order(set(clark, None));
    assert_eq!(
        told(&director),
        ["Round 1 of \"open\", Clark: the files have \"half-point bye\", the tournament has \"no bye\"."]
    );
    director.load("open", &byes("1;;Clark;bye;, 1;;Davis;half point bye;1/2"));
    assert_eq!((kind(&director, clark), kind(&director, davis)), (None, Some(ByeKind::Full)));
    assert_eq!(told(&director).len(), 2);
    director.order(set(clark, Some(ByeKind::Pairing)));
    director.order(set(davis, Some(ByeKind::Half)));
    assert_eq!(told(&director), [""; 0]);
    director.load("open", "1;1;Adams;Baker;, 1;2;Clark;Davis;");
    assert_eq!((kind(&director, clark), kind(&director, davis)), (None, None), "they are paired after all");
}

#[test]
fn a_player_who_was_renamed_here_stays_the_same_while_the_files_have_the_earlier_name() {
    let mut director = Director::new();
    director.section("open", 1);
    let read = |director: &mut Director, rows: &str| {
        let text = format!("Round;Table;White No;White;Black No;Black\n{}\n", rows.replace(", ", "\n"));
        let files = vec![PairingFile::read("round.csv", text.as_bytes()).unwrap()];
        director.order(Order::LoadPairings { section: "open".into(), files, round: None, confirm: true })
    };
    read(&mut director, "1;1;1;Adams;2;Baker, 1;2;3;Clark;4;Davis");
    let person = Person { name: "Baker-Miller".into(), ..Person::default() };
    let baker = director.player("Baker");
    director.order(Order::SetPlayer { player: baker, person });
    let told = said(&read(&mut director, "2;1;2;Baker;3;Clark, 2;2;4;Davis;1;Adams").notes);
    assert_eq!(director.pairings("open", 2), ["open-2-1 1 Baker-Miller - Clark", "open-2-2 2 Davis - Adams"]);
    assert_eq!(director.hall.section("open").unwrap().players.len(), 4);
    let note = "These names keep what was entered here, because the files have the names of before (in brackets): \
                Baker-Miller (Baker).";
    assert!(told.iter().any(|line| line.starts_with(note)), "{told:?}");
    // A name that the files change themselves: the number of one who is missing is a question.
    let files = "Round;Table;White No;White;Black No;Black\n3;1;1;Adams;3;Clark\n3;2;4;Quite Another;2;Baker\n";
    let files = vec![PairingFile::read("round.csv", files.as_bytes()).unwrap()];
    let asked = director.refused(&Order::LoadPairings { section: "open".into(), files, round: None, confirm: false });
    assert!(asked.contains("Quite Another is new, and Davis is not in the files: is it the same person?"), "{asked}");
}

#[test]
fn a_report_loads_with_teams_ratings_and_a_time_for_each_colour_but_without_birth_dates() {
    let mut director = Director::new();
    director.section("league", 1);
    let report = "012 League\n222 W300-B240\n001    1 mGM Adler, Ida                        2550 NED     1503014 1984/05/06\n\
        001    2 f   Costa, Rui                        2300 POR     1900000 1990\n";
    let pairs = "1\n1 2\n";
    let files = [("report.trf", report), ("pairs.txt", pairs)];
    let files = files.map(|(name, text)| PairingFile::read(name, text.as_bytes()).unwrap()).to_vec();
    director.order(Order::LoadPairings { section: "league".into(), files, round: None, confirm: true });
    let section = director.hall.section("league").unwrap();
    assert_eq!(section.settings.time_control.to_string(), "W300-B240");
    director.seat(1);
    director.order(publish("league", 1));
    let tags = public_tags(&director.hall, &director.persons, "league-1-1");
    assert_eq!((tags["WhiteTimeControl"].as_str(), tags["BlackTimeControl"].as_str()), ("300", "240"));
    let armed = open_game(&director.hall, &director.persons, &serial(1), USUAL, NOON);
    let Opening::Game(opened) = armed else { panic!("{armed:?}") };
    let each = Controls::Each { white: "300".into(), black: "240".into() };
    assert_eq!((opened.game.game.as_ref(), opened.time_control), ("league-1-1", Some(each)));
    assert_eq!((tags["WhiteTitle"].as_str(), tags["WhiteFideId"].as_str()), ("GM", "1503014"));
    assert!(!format!("{:?}{:?}", director.facts, director.persons).contains("1984"), "a birth date was kept");
    assert!(!format!("{:?}", director.facts).contains("Adler"), "a fact names a person");
}

#[test]
fn a_game_may_have_a_time_control_of_its_own() {
    let mut director = Director::new();
    director.section("open", 1);
    let game = |board: u32, control: &str| {
        format!(
            "[Event \"Cup\"]\n[Round \"1.{board}\"]\n[White \"W{board}\"]\n[Black \"B{board}\"]\n[TimeControl \"{control}\"]\n\n*\n\n"
        )
    };
    let text = game(1, "300+3") + &game(2, "180");
    let files = vec![PairingFile::read("cup.pgn", text.as_bytes()).unwrap()];
    let order = Order::LoadPairings { section: "open".into(), files, round: None, confirm: false };
    director.order(&order);
    let told = |game: &str| public_tags(&director.hall, &director.persons, game)["TimeControl"].clone();
    assert_eq!([told("open-1-1"), told("open-1-2")], ["300+3", "180"]);
    assert_eq!(said(&director.order(&order).notes), ["Nothing changes."]);
}

#[test]
fn a_file_without_accents_renames_no_player_and_one_with_more_of_them_does() {
    let mut director = Director::with_round("1;1;Müller,Anna;GARCIA,PEPE;");
    let notes = director.load("open", "1;1;Muller,Anna;GARCIA,PEPE;1-0");
    let kept = "fewer accents or only other capitals: Müller, Anna (Muller, Anna).";
    assert!(notes.iter().any(|note| note.ends_with(kept)), "{notes:?}");
    assert!(!notes.iter().any(|note| note.contains("name «")), "{notes:?}");
    assert_eq!(director.pairings("open", 1), ["open-1-1 1 Müller, Anna - GARCIA, PEPE"]);
    let notes = director.load("open", "1;1;MÜLLER,ANNA;García,Pepe;1-0");
    assert!(notes.iter().any(|note| note.ends_with("Müller, Anna (MÜLLER, ANNA).")), "{notes:?}");
    assert_eq!(director.pairings("open", 1), ["open-1-1 1 Müller, Anna - García, Pepe"]);
    let again = director.load("open", "1;1;Muller,Anna;GARCIA PEPE;1-0");
    assert!(again.iter().any(|note| note == "Nothing changes."), "{again:?}");
}

#[test]
fn a_placeholder_among_the_players_refuses_no_file_and_a_name_close_to_a_known_one_is_asked() {
    let mut director = Director::with_round("1;1;Adamson,Eve;Baker,Tom;");
    let line = |number: u32, name: &str, cell: &str| format!("001 {number:>4}      {name:<33} {:43}{cell}\n", "");
    let report = line(1, "Adamson, Eve", "   2 w")
        + &line(2, "Baker, Tom", "   1 b")
        + &line(3, "Clark, Ann", "   4 b")
        + &line(4, "spielfrei", "   3 w");
    let files = vec![PairingFile::read("cup.trf", report.as_bytes()).unwrap()];
    director.order(Order::LoadPairings { section: "open".into(), files, round: None, confirm: true });
    let clark = director.player("Clark, Ann");
    assert!(director.hall.round("open", 1).unwrap().byes.contains_key(&clark));
    assert_eq!(director.hall.section("open").unwrap().players.len(), 3);
    let asked = director.refused(&load("open", "2;1;Adamsen,Eve;Clark,Ann;", false));
    assert!(asked.contains("Adamsen, Eve is new, and Adamson, Eve is not in the files"), "{asked}");
    let new = director.ask(&load("open", "2;1;Davis,Kim;Clark,Ann;", false));
    assert!(new.is_ok(), "{new:?}");
}

#[test]
fn one_question_for_a_file_is_enough() {
    let mut director = Director::new();
    director.section("open", 1);
    let game = |board: u32, tags: &str| {
        format!(
            "[Event \"Cup\"]\n[Round \"1.{board}\"]\n[White \"White {board}\"]\n[Black \"Black {board}\"]\n{tags}\n*\n\n"
        )
    };
    let asked = |director: &Director, text: &str| {
        let files = vec![PairingFile::read("cup.pgn", text.as_bytes()).unwrap()];
        let order = Order::LoadPairings { section: "open".into(), files, round: None, confirm: false };
        let Refusal::Unconfirmed { questions } = director.ask(&order).unwrap_err() else { panic!() };
        questions
    };
    let text: String = (1..=600).map(|board| game(board, "[TimeControl \"90 min\"]\n")).collect();
    let questions = asked(&director, &text);
    assert_eq!(questions.len(), 1, "{questions:?}");
    assert!(
        questions[0].english.starts_with("cup.pgn: game 1 and 599 more: the time control «90 min»"),
        "{questions:?}"
    );
    // Results that are gone with the next file.
    let row = |board| format!("1;{board};White {board};Black {board};1-0, ");
    let table: String = (1..=600).map(row).collect::<Vec<_>>().concat();
    director.load("open", &table);
    let questions = asked(&director, &game(1, ""));
    assert_eq!(questions, [Question::NotInFiles { round: 1, games: 599, tables: "2-600".into() }.coded()]);
    let without: String = (1..=600).filter(|board| ![7, 9, 10].contains(board)).map(|board| game(board, "")).collect();
    let questions = asked(&director, &without);
    assert_eq!(questions, [Question::NotInFiles { round: 1, games: 3, tables: "7, 9-10".into() }.coded()]);
    // One player at many tables.
    let row = |board| format!("2;{board};White 1;Black {board};, ");
    let many: String = (1..=6).map(row).collect::<Vec<_>>().concat();
    let Refusal::Unconfirmed { questions } = director.ask(&load("open", &many, false)).unwrap_err() else { panic!() };
    assert_eq!(questions.len(), 2, "{questions:?}");
    assert_eq!(questions[1], Question::Alike { count: 4 }.coded());
}

/// A round with a game that was played, one with a result that was typed, and one that is played.
fn played_round() -> Director {
    let mut director = Director::with_round(FIRST);
    director.order(publish("open", 1));
    for board in [1, 3] {
        director.start(board);
        director.play(board, "e4 e5 Nf3");
    }
    director.result(1, "1-0");
    let order = Order::SetResult { game: "open-1-2".into(), result: "+ - -".into(), reason: None, confirm: false };
    director.order(order);
    director
}

#[test]
fn no_load_takes_games_with_moves_or_results_out_of_a_round() {
    let mut director = played_round();
    let wrong = load("open", "1;1;Green;Hill;, 1;2;Irwin;Jones;", true);
    let refused = director.refused(&wrong);
    assert!(refused.contains("not in the files: 3 (tables 1-3). Nothing is loaded"), "{refused}");
    let shown = preview(&director.hall, &director.persons, &director.games, NOON, &wrong).unwrap_err();
    assert_eq!(shown.kind(), RefusalKind::Conflict);
    // One by one it can be done, and the files are loaded then.
    for game in ["open-1-1", "open-1-2", "open-1-3"] {
        let asked = director.refused(&Order::Unpair { game: game.into(), confirm: false });
        assert!(asked.contains(game), "{asked}");
        director.order(Order::Unpair { game: game.into(), confirm: true });
    }
    director.order(wrong);
    assert_eq!(director.pairings("open", 1), ["open-1-1x2 1 Green - Hill", "open-1-2x2 2 Irwin - Jones"]);
}

#[test]
fn a_pair_that_comes_back_has_its_game_again_with_moves_and_result() {
    let mut director = played_round();
    let before = director.hall.round("open", 1).unwrap().clone();
    for game in ["open-1-1", "open-1-2", "open-1-3"] {
        director.order(Order::Unpair { game: game.into(), confirm: true });
    }
    director.load("open", "1;1;Green;Hill;, 1;2;Irwin;Jones;");
    let notes = director.load("open", FIRST);
    let told = "Game open-1-1 (round 1, table 1) is back in the round, with its moves (3) and the result 1-0.";
    assert!(notes.iter().any(|note| note == told), "{notes:?}");
    assert_eq!(director.hall.round("open", 1).unwrap().games, before.games);
    assert_eq!(director.moves("open-1-1"), ["e4", "e5", "Nf3"]);
    assert!(director.hall.unassigned.is_empty(), "{:?}", director.hall.unassigned);
    director.play(3, "Nc6");
    assert_eq!(director.moves("open-1-3").len(), 4, "its board plays it again");
    assert_eq!(Hall::of(&director.facts), director.hall, "a restart knows the same");
    // By hand as well.
    let [white, black] = [director.player("Adams"), director.player("Baker")];
    director.order(Order::Unpair { game: "open-1-1".into(), confirm: true });
    let (section, number) = ("open".into(), Some(1));
    director.order(Order::Pair { section, round: 1, number, white, black, boardless: false, confirm: false });
    assert_eq!(director.hall.round("open", 1).unwrap().games, before.games);
}

#[test]
fn a_game_whose_moves_went_to_another_pair_does_not_come_back() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    director.start(1);
    director.play(1, "e4 e5 Nf3");
    director.order(Order::Unpair { game: "open-1-1".into(), confirm: true });
    director.load("open", "1;1;Adams;Davis;, 1;2;Clark;Baker;");
    director.order(Order::Adopt { unassigned: "open-1-1".into(), game: "open-1-1x2".into(), confirm: false });
    director.order(Order::Unpair { game: "open-1-1x2".into(), confirm: true });
    director.load("open", "1;1;Adams;Baker;, 1;2;Clark;Davis;");
    assert_eq!(director.pairings("open", 1), ["open-1-1x3 1 Adams - Baker", "open-1-2 2 Clark - Davis"]);
}

#[test]
fn a_table_without_a_round_is_of_the_page_or_of_its_pairs_or_of_the_first_round_that_is_not_over() {
    let mut director = Director::with_round("1;1;Adams;Baker;1-0, 1;2;Clark;Davis;1-0, 2;1;Adams;Clark;");
    assert_eq!(director.round_state("open", 1), RoundState::Finished);
    let table = |rows: &str, round| {
        let text = format!("Table;White;Black;Result\n{}\n", rows.replace(", ", "\n"));
        let files = vec![PairingFile::read("table.csv", text.as_bytes()).unwrap()];
        Order::LoadPairings { section: "open".into(), files, round, confirm: false }
    };
    let shown = |director: &Director, order: &Order| {
        let shown = preview(&director.hall, &director.persons, &director.games, NOON, order).unwrap();
        (said(&shown.notes), said(&shown.questions))
    };
    let second = "1;Adams;Clark;, 2;Baker;Davis;";
    let (notes, questions) = shown(&director, &table(second, Some(2)));
    let of_page = "The table names no round and is taken for round 2, from whose page it is loaded.";
    assert_eq!(notes, [of_page, "Round 2, table 2: new, Baker - Davis."]);
    assert_eq!(questions, [""; 0]);
    let (_, questions) = shown(&director, &table(second, None));
    assert_eq!(questions, ["The table names no round and is taken for round 2, the first that is not over."]);
    let (notes, questions) = shown(&director, &table("1;Baker;Adams;, 2;Clark;Davis;", None));
    assert_eq!(notes[0], "The table names no round and is taken for round 1, which has the same pairs.");
    assert_eq!(questions, [""; 0]);
    assert!(director.refused(&table(second, Some(0))).contains("round"), "there is no round 0");
    director.order(table(second, Some(2)));
    director.load("open", "2;1;Adams;Clark;1-0, 2;2;Baker;Davis;1-0");
    let (notes, _) = shown(&director, &table("1;Adams;Davis;, 2;;;", None));
    assert_eq!(notes[0], "Round 3: new, number of games: 1.", "{notes:?}");
}

#[test]
fn a_load_that_changes_a_paired_round_is_a_line_of_the_history() {
    let mut director = Director::with_round(FIRST);
    director.load("open", "1;1;Adams;Baker;, 1;2;Frank;Evans;, 1;3;Clark;Hill;");
    let lines: Vec<_> = director.hall.corrections.iter().map(|line| line.what.to_string()).collect();
    assert_eq!(lines, ["\"open\": pairings loaded from pairings.csv; games new: 1, changed: 1, taken out: 1"]);
    director.load("open", "1;1;Adams;Baker;1-0, 1;2;Frank;Evans;, 1;3;Clark;Hill;");
    director.load("open", "2;1;Adams;Frank;");
    assert_eq!(director.hall.corrections.len(), 1, "results of files change no pair, and a new round corrects none");
}

#[test]
fn a_load_says_which_tables_belong_to_another_section_whose_round_is_not_over() {
    let mut director = Director::with_round(FIRST);
    director.section("women", 2);
    let notes = director.load("women", "1;1;Green;Hill;, 1;2;Irwin;Jones;, 1;3;King;Lane;");
    let shared = "Tables 2-3 also belong to round 1 of \"The open\", which is not over";
    assert!(
        notes.iter().any(|note| note.starts_with(shared) && note.contains("«First table of this section»")),
        "{notes:?}"
    );
    for board in 1..=3 {
        let order =
            Order::SetResult { game: format!("open-1-{board}"), result: "1-0".into(), reason: None, confirm: false };
        director.order(order);
    }
    let notes = director.load("women", "1;1;Green;Jones;, 1;2;Irwin;Hill;, 1;3;King;Lane;");
    assert!(!notes.iter().any(|note| note.contains("also belong")), "{notes:?}");
}

#[test]
fn a_guessed_encoding_is_named() {
    let mut director = Director::new();
    director.section("open", 1);
    let file =
        PairingFile::read("kolo.csv", b"White;Black\nDvo\xf8\xe1k, Tom\xe1\x9a;\x8e\xe1k, Ji\xf8\xed\n").unwrap();
    let notes = director
        .order(Order::LoadPairings { section: "open".into(), files: vec![file], round: None, confirm: true })
        .notes;
    let notes = said(&notes);
    let named =
        "kolo.csv: the file does not say how it is encoded and was read as windows-1250: check names with accents.";
    assert!(notes.iter().any(|note| note == named), "{notes:?}");
    director.player("Dvořák, Tomáš");
}
