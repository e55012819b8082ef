//! Which board stands at which table: never by arrival.

use super::*;

/// A hall with these pairings of round 1, published, and boards that were found in this order, without tables.
fn found(rows: &str, boards: &[usize]) -> Director {
    let mut director = Director::new();
    director.section("open", 1);
    director.load("open", rows);
    director.order(publish("open", 1));
    for board in boards {
        director.order(Order::RegisterBoard { board: serial(*board) });
    }
    director
}

const TWO: &str = "1;1;Adams;Baker;, 1;2;Clark;Davis;";

#[test]
fn a_board_that_was_found_has_no_table_and_its_moves_are_no_player_s() {
    let mut director = found(TWO, &[2, 1]);
    assert!(director.hall.seats.is_empty());
    assert_eq!(director.start(2).as_deref(), Some("10002-apart-1"));
    director.play(2, "d4 d5");
    assert_eq!(["open-1-1", "open-1-2"].map(|game| director.state(game)), [PairingState::Paired; 2]);
}

#[test]
fn moves_played_since_the_round_was_armed_become_the_game_of_the_table_that_the_board_gets() {
    let mut director = found(TWO, &[2, 1]);
    for (board, moves) in [(2, "d4 d5"), (1, "e4")] {
        director.start(board);
        director.play(board, moves);
    }
    let decision = director.order(Order::AssignBySerial { boards: [2, 1].map(serial).into() });
    assert!(
        said(&decision.notes)
            .iter()
            .any(|note| note == "10002-apart-1 is now game open-1-2 (round 1, table 2); number of its moves: 2.")
    );
    let told: Vec<_> = decision.boards.iter().map(|(board, _)| &**board).collect();
    assert_eq!(told, ["10001", "10002"]);
    director.play(2, "c4");
    assert_eq!((director.moves("open-1-1"), director.moves("open-1-2")), (vec!["e4"], vec!["d4", "d5", "c4"]));
    assert_eq!(director.games["open-1-2"].tags()["White"], "Clark");
}

#[test]
fn a_game_that_ended_before_its_board_got_a_table_keeps_moves_and_result() {
    let mut director = found(TWO, &[1]);
    director.start(1);
    director.play(1, "f3 e5 g4 Qh4#");
    director.result(1, "0-1");
    let at = director.hall.game_ref("10001-apart-1").unwrap();
    director.record_events(&at, &[Event::GameEnded]);
    director.order(Order::SeatBoards { seats: vec![Seat { table: 1, board: Some(serial(1)) }] });
    assert_eq!((director.moves("open-1-1").len(), director.state("open-1-1")), (4, PairingState::Finished));
    assert_eq!(director.games["open-1-1"].result(), Outcome::BlackWins);
    assert_eq!(director.round_state("open", 1), RoundState::Finished);
}

#[test]
fn moves_from_before_the_round_are_not_given_to_players_by_an_assignment() {
    let mut director = Director::new();
    director.section("open", 1);
    director.load("open", TWO);
    director.order(Order::RegisterBoard { board: serial(1) });
    director.start(1);
    director.play(1, "h4");
    director.order(publish("open", 1));
    let decision = director.order(Order::AssignBySerial { boards: vec![serial(1)] });
    assert!(
        said(&decision.notes).iter().any(|note| note.contains("adopt 10001-apart-1 as open-1-1")),
        "{:?}",
        decision.notes
    );
    assert_eq!(director.state("open-1-1"), PairingState::Paired);
}

#[test]
fn the_proposal_follows_serial_numbers_and_tables_without_a_board_never_arrival() {
    let rows = "1;1;Adams;Baker;, 1;2;Clark;Davis;, 1;3;Evans;Frank;";
    let mut director = found(rows, &[4, 9, 2, 3]);
    director.order(Order::SeatBoards { seats: vec![Seat { table: 2, board: Some(serial(9)) }] });
    let boards = [4, 9, 2, 3].map(|board| serial(board).into());
    let Proposal { seats, spare } = Proposal::of(&director.hall, boards);
    let seats: Vec<_> = seats.into_iter().map(|seat| (seat.table, seat.board.unwrap())).collect();
    assert_eq!(seats, [(1, serial(2)), (3, serial(3))]);
    assert_eq!(spare, [serial(4).into()]);
    let decision = director.order(Order::AssignBySerial { boards: [4, 9, 2, 3].map(serial).into() });
    assert!(
        said(&decision.notes).contains(&"Board 10004 gets no table: every table of the pairings has a board.".into())
    );
    assert!(tables_without_board(&director.hall).is_empty());
    let again = director.refused(&Order::AssignBySerial { boards: vec![serial(4)] });
    assert!(again.starts_with("No board gets a table"), "{again}");
}

#[test]
fn an_assignment_is_used_in_each_later_round() {
    let mut director = found(TWO, &[2, 1]);
    director.order(Order::AssignBySerial { boards: [1, 2].map(serial).into() });
    for board in [1, 2] {
        director.start(board);
        director.result(board, "1-0");
    }
    director.load("open", "2;1;Adams;Clark;, 2;2;Baker;Davis;");
    director.order(publish("open", 2));
    assert_eq!(director.start(2).as_deref(), Some("open-2-2"));
    assert_eq!(Hall::of(&director.facts).seats, director.hall.seats);
}

#[test]
fn a_board_keeps_its_number_in_open_play_until_a_person_gives_it_a_table() {
    let mut director = Director::new();
    let settings = SectionSettings { open_play: true, ..SectionSettings::named("Live games") };
    director.order(Order::SetSection { section: "live-games".into(), settings, confirm: false });
    let number = |director: &Director, board| director.hall.numbers[&*serial(board)];
    for board in [7, 3, 7, 5] {
        director.order(Order::RegisterBoard { board: serial(board) });
    }
    assert_eq!([7, 3, 5].map(|board| number(&director, board)), [1, 2, 3]);
    let game = director.start(3).unwrap();
    assert_eq!(director.games[&game].tags()["Round"], "1.2");
    assert_eq!(director.hall.board_of(&director.hall.game(&game).unwrap()).unwrap().as_ref(), "10003");
    director.order(Order::SeatBoards { seats: vec![Seat { table: 1, board: Some(serial(5)) }] });
    assert_eq!([7, 3, 5].map(|board| number(&director, board)), [3, 2, 1], "two boards have one number");
    assert_eq!(Hall::of(&director.facts).numbers, director.hall.numbers);
}

#[test]
fn a_table_waits_for_its_board_until_it_gets_one() {
    let mut director = found(TWO, &[1]);
    let identify = |table| Order::IdentifyTable { table };
    director.order(identify(Some(2)));
    assert_eq!(director.hall.identifying, Some(2));
    director.order(Order::SeatBoards { seats: vec![Seat { table: 1, board: Some(serial(1)) }] });
    assert_eq!(director.hall.identifying, Some(2), "another table got a board");
    director.order(Order::SeatBoards { seats: vec![Seat { table: 2, board: Some(serial(1)) }] });
    assert_eq!(director.hall.identifying, None);
    director.order(identify(Some(1)));
    director.order(identify(None));
    assert_eq!(director.hall.identifying, None);
    assert!(director.refused(&identify(Some(0))).contains("A table number is between 1 and"));
}

/// The pairings of [`TWO`] with the serial numbers of the boards at their tables.
fn with_serials(first: &str, second: &str) -> Vec<PairingFile> {
    let text = format!("Round;Table;White;Black;DGT\n1;1;Adams;Baker;{first}\n1;2;Clark;Davis;{second}\n");
    vec![PairingFile { name: "pairings.csv".into(), text, guessed_encoding: None }]
}

fn load_serials(first: &str, second: &str, confirm: bool) -> Order {
    Order::LoadPairings { section: "open".into(), files: with_serials(first, second), round: None, confirm }
}

#[test]
fn serial_numbers_in_the_pairing_file_say_which_board_is_which_table() {
    let mut director = Director::new();
    director.section("open", 1);
    // One board is found before the file, the other one after it.
    director.order(Order::RegisterBoard { board: serial(2) });
    let decision = director.order(load_serials("10001", "10002", false));
    assert!(said(&decision.notes).iter().any(|note| note == "Table 1: board 10001."), "{:?}", decision.notes);
    director.order(Order::RegisterBoard { board: serial(1) });
    director.order(publish("open", 1));
    for (board, moves) in [(2, "d4 d5"), (1, "e4")] {
        director.start(board);
        director.play(board, moves);
    }
    assert_eq!((director.moves("open-1-1"), director.moves("open-1-2")), (vec!["e4"], vec!["d4", "d5"]));
    let facts = director.facts.len();
    director.order(load_serials("10001", "10002", false));
    assert_eq!(director.facts.len(), facts, "the file changes nothing the second time");
}

#[test]
fn moves_from_before_the_file_with_serial_numbers_become_the_games_of_their_tables() {
    let mut director = found(TWO, &[2, 1]);
    director.start(2);
    director.play(2, "d4 d5");
    director.order(load_serials("10001", "10002", false));
    assert_eq!(director.moves("open-1-2"), ["d4", "d5"]);
}

#[test]
fn serial_numbers_that_contradict_are_asked_about_and_a_board_at_play_keeps_its_table() {
    let mut director = found(TWO, &[1, 2]);
    let seats = |director: &Director| director.hall.seats.iter().map(|(t, b)| format!("{t} {b}")).collect::<Vec<_>>();
    director.order(load_serials("10001", "10002", false));
    let exchanged = load_serials("10002", "10001", false);
    let refusal = director.ask(&exchanged).unwrap_err().to_string();
    let question = "Table 1 gets board 10002 instead of 10001. Table 2 gets board 10001 instead of 10002.";
    assert!(refusal.contains(question), "{refusal}");
    director.order(load_serials("10002", "10001", true));
    assert_eq!(seats(&director), ["1 10002", "2 10001"]);

    let mut empty = Director::new();
    empty.section("open", 1);
    let same = empty.ask(&load_serials("10003", "10003", false)).unwrap_err().to_string();
    assert!(same.contains("The files have board 10003 at tables 1 and 2: it gets neither."), "{same}");
    empty.order(load_serials("10003", "10003", true));
    assert!(empty.hall.seats.is_empty());

    director.start(2);
    director.play(2, "e4 e5");
    let decision = director.order(load_serials("10001", "10002", true));
    assert!(
        said(&decision.notes)
            .iter()
            .any(|note| note.contains("keeps its board: a game is being played on board 10002"))
    );
    assert_eq!(seats(&director), ["1 10002", "2 10001"]);
}

#[test]
fn games_without_a_move_stay_at_their_tables_when_the_boards_get_others() {
    let mut director = found(TWO, &[1, 2, 3]);
    director.order(Order::AssignBySerial { boards: [1, 2].map(serial).into() });
    for board in [1, 2] {
        director.start(board);
    }
    let seat = |table, board| Seat { table, board: Some(serial(board)) };
    let alone = director.refused(&Order::SeatBoards { seats: vec![seat(1, 2)] });
    assert!(alone.contains("is being played on board"), "table 2 would have no board: {alone}");
    let decision = director.order(Order::SeatBoards { seats: vec![seat(1, 2), seat(2, 1)] });
    let told: Vec<_> = decision.boards.iter().map(|(board, _)| &**board).collect();
    assert_eq!(told, ["10001", "10002"]);
    let on_board = |director: &Director, game| director.hall.on_board(game).map(ToString::to_string);
    assert_eq!(["open-1-1", "open-1-2"].map(|game| on_board(&director, game)), [Some(serial(2)), Some(serial(1))]);
    director.play(2, "e4");
    assert_eq!(director.moves("open-1-1"), ["e4"]);
    // A spare board gets the table; a game with a move keeps its board.
    director.order(Order::SeatBoards { seats: vec![seat(2, 3)] });
    assert_eq!(on_board(&director, "open-1-2"), Some(serial(3)));
    let at_play = director.refused(&Order::SeatBoards { seats: vec![seat(1, 3), seat(2, 2)] });
    assert!(at_play.contains("open-1-1"), "{at_play}");
    assert_eq!(Hall::of(&director.facts).seats, director.hall.seats);
}

#[test]
fn a_game_goes_to_no_board_that_was_never_found() {
    let mut director = found(TWO, &[1, 2]);
    director.order(Order::AssignBySerial { boards: [1, 2].map(serial).into() });
    director.start(1);
    director.play(1, "e4");
    // «01051» is printed on the board.
    let order = Order::SwapBoard { game: "open-1-1".into(), board: "1051".into(), exchange: false };
    assert_eq!(director.refused(&order), "There is no board \"1051\": check the list and try again.");
    director.order(Order::RegisterBoard { board: "1051".into() });
    director.order(order);
    assert_eq!(director.hall.on_board("open-1-1").map(|board| &**board), Some("1051"));
}
