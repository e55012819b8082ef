//! Boards: tables, skittles, swaps, adjournments.

use super::*;

#[test]
fn a_table_is_learned_once_and_no_board_stands_at_two() {
    let mut director = Director::new();
    for board in [1, 2] {
        director.seat(board);
    }
    director.order(Order::RegisterBoard { board: serial(1) });
    assert_eq!([1, 2].map(|board| director.hall.table_of(&serial(board))), [Some(1), Some(2)]);
    let seat = |table, board: usize| Seat { table, board: Some(serial(board)) };
    let twice = director.refused(&Order::SeatBoards { seats: vec![seat(5, 1), seat(6, 1)] });
    assert_eq!(twice, "Board 10001 is listed for two tables: list each board once.");
    assert!(
        director
            .refused(&Order::SeatBoards { seats: vec![seat(5, 1), seat(5, 2)] })
            .contains("Table 5 is listed twice")
    );
    director.order(Order::SeatBoards { seats: vec![seat(2, 1), seat(1, 2)] });
    assert_eq!(director.hall.seats.len(), 2);
    assert_eq!([1, 2].map(|board| director.hall.table_of(&serial(board))), [Some(2), Some(1)]);
    assert!(director.refused(&Order::RegisterBoard { board: "no serial\n".into() }).contains("serial number"));
}

#[test]
fn a_spare_board_takes_a_running_game_over_with_its_moves_and_clocks() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.seat(9);
    director.order(publish("open", 1));
    director.start(1);
    director.start(2);
    director.play(1, "e4 e5 Nf3");
    let busy = director.refused(&Order::SwapBoard { game: "open-1-1".into(), board: serial(2), exchange: false });
    assert!(busy.contains("Game open-1-2 (round 1, table 2) is being played on board 10002"), "{busy}");
    let decision = director.order(Order::SwapBoard { game: "open-1-1".into(), board: serial(9), exchange: false });
    let [(old, Notice::Resume(nothing)), (new, Notice::Resume(resume))] = decision.boards.as_slice() else {
        panic!("{:?}", decision.boards)
    };
    assert_eq!((&**old, nothing.game.as_str()), ("10001", ""), "the faulty board plays on");
    assert_eq!((&**new, resume.game.as_str(), resume.moves.len()), ("10009", "open-1-1", 3));
    assert_eq!(resume.moves[2].clk_ms, Some(297_000));
    assert_eq!(director.hall.seats[&1].as_ref(), "10009", "the spare board stands at the table now");
    director.play(9, "Nc6");
    assert_eq!(director.moves("open-1-1").len(), 4);
    director.order(Order::Undo { number: 2 });
    assert_eq!(director.hall.seats[&1].as_ref(), "10001");
    director.play(1, "Bb5");
}

#[test]
fn an_adjourned_game_goes_on_on_another_board_while_the_next_round_is_played() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.seat(7);
    director.order(publish("open", 1));
    director.start(1);
    director.play(1, "d4 d5");
    let at = director.hall.game_ref("open-1-1").unwrap();
    let (white_ms, black_ms, running) = (Some(290_000), Some(295_000), Some(Side::White));
    let read_at = director.now - 15_000;
    director.record_events(&at, &[Event::Clock { white_ms, black_ms, running, flag: None, read_at }]);
    director.order(Order::Adjourn { game: "open-1-1".into() });
    let clock = director.games["open-1-1"].clock().unwrap();
    assert_eq!((clock.running, clock.white_ms), (None, Some(275_000)), "the time since White's last reading is spent");
    assert_eq!((clock.black_ms, clock.read_at), (black_ms, director.now));
    director.load("open", "2;1;Baker;Adams;");
    director.order(publish("open", 2));
    assert_eq!(director.start(1).as_deref(), Some("open-2-1"));
    assert_eq!(director.state("open-1-1"), PairingState::Adjourned, "it waits for its players");
    let taken = director.refused(&Order::Resume { game: "open-1-1".into(), board: None });
    assert!(taken.contains("Game open-2-1 (round 2, table 1) is being played on board 10001"), "{taken}");
    director.order(Order::Resume { game: "open-1-1".into(), board: Some(serial(7)) });
    director.play(7, "c4");
    director.result(7, "1/2-1/2");
    assert_eq!(director.moves("open-1-1"), ["d4", "d5", "c4"]);
    assert_eq!(
        (director.state("open-1-1"), director.state("open-2-1")),
        (PairingState::Finished, PairingState::Playing)
    );
    assert_eq!(director.round_state("open", 1), RoundState::Finished);
}

#[test]
fn moves_before_the_pairings_are_unassigned_and_adopted_with_their_clocks() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    let apart = director.start(1).unwrap();
    director.play(1, "e4 c5 Nf3 d6");
    assert_eq!(director.hall.game_ref(&apart).unwrap().event.as_ref(), UNASSIGNED);
    let decision = director.order(publish("open", 1));
    let offered = said(&decision.notes).iter().any(|note| note.contains("adopt 10001-apart-1 as open-1-1"));
    assert!(offered, "{:?}", decision.notes);
    assert_eq!(director.state("open-1-1"), PairingState::Paired, "nobody said yet that it is this game");
    let decision = director.order(Order::Adopt { unassigned: apart.clone(), game: "open-1-1".into(), confirm: false });
    let [(board, Notice::Assign(assign))] = decision.boards.as_slice() else { panic!("{:?}", decision.boards) };
    assert_eq!((&**board, assign.game.as_str()), ("10001", "open-1-1"));
    assert_eq!(director.moves("open-1-1"), ["e4", "c5", "Nf3", "d6"]);
    assert_eq!(director.games["open-1-1"].moves()[3].clk_ms, Some(296_000));
    director.play(1, "d4");
    assert_eq!(director.moves("open-1-1").len(), 5);
    let again = director.refused(&Order::Adopt { unassigned: apart, game: "open-1-2".into(), confirm: true });
    assert!(again.contains("was already adopted as game open-1-1"), "{again}");
}

#[test]
fn skittles_on_an_armed_board_are_replaced_by_the_game() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.order(publish("open", 1));
    director.start(1);
    director.play(1, "h4 a5");
    let apart = director.start(1).unwrap();
    director.play(1, "e4");
    let adopt = |confirm| Order::Adopt { unassigned: apart.clone(), game: "open-1-1".into(), confirm };
    assert!(
        director
            .refused(&adopt(false))
            .contains("Game open-1-1 (round 1, table 1) has begun. Recorded moves that will be replaced: 2. To go ahead anyway, confirm.")
    );
    director.order(adopt(true));
    director.play(1, "e5");
    assert_eq!(director.moves("open-1-1"), ["e4", "e5"]);
}

#[test]
fn skittles_between_rounds_belong_to_no_game() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.order(publish("open", 1));
    director.start(1);
    director.play(1, "e4");
    director.result(1, "1-0");
    let told = director.games["open-1-1"].clone();
    assert_eq!(director.start(1).as_deref(), Some("10001-apart-1"));
    director.play(1, "g4 e5 f3 Qh4");
    assert_eq!(director.games["open-1-1"].moves(), told.moves());
    assert_eq!(director.start(1).as_deref(), Some("10001-apart-2"));
    director.load("open", "2;1;Baker;Adams;");
    director.order(publish("open", 2));
    assert_eq!(director.state("open-2-1"), PairingState::Playing, "the pieces stood ready when the round was armed");
    director.play(1, "d4");
    assert_eq!(director.moves("open-2-1"), ["d4"]);
}

#[test]
fn sections_share_tables_one_after_the_other_and_are_asked_about_at_the_same_time() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.section("blitz", 2);
    director.load("blitz", "1;1;Evans;Frank;");
    director.order(publish("open", 1));
    director.start(1);
    director.start(2);
    let doubled = director.refused(&publish("blitz", 1));
    assert!(doubled.contains("Table 2 still has a game of \"open\", round 1, that is not over"), "{doubled}");
    director.result(2, "0-1");
    director.order(publish("blitz", 1));
    assert_eq!(director.start(2).as_deref(), Some("blitz-1-1"));
    assert_eq!(director.games["blitz-1-1"].tags()["Round"], "1.1", "the section counts its own boards");
    let shifted = SectionSettings { first_table: 1, ..director.hall.section("blitz").unwrap().settings.clone() };
    let moved = director.refused(&Order::SetSection { section: "blitz".into(), settings: shifted, confirm: false });
    assert!(moved.contains("are being played"), "{moved}");
}

#[test]
fn a_section_that_shares_many_tables_with_another_one_asks_once() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;, 1;3;Gray;Hill;, 1;4;Irons;Jones;");
    director.section("blitz", 1);
    director.load("blitz", "1;1;Evans;Frank;, 1;2;King;Lamb;, 1;3;Moon;North;, 1;4;Owen;Page;");
    director.order(publish("open", 1));
    let doubled = director.refused(&publish("blitz", 1));
    assert_eq!(doubled.matches("\"open\"").count(), 1, "{doubled}");
    assert!(doubled.contains("Tables 1-4 still have games of \"open\", round 1, that are not over"), "{doubled}");
}

#[test]
fn the_tables_without_a_board_are_named_by_their_spans() {
    let mut director = Director::new();
    director.section("open", 1);
    let pairs: Vec<_> = (1..=15).map(|table| format!("1;{table};White{table};Black{table};")).collect();
    director.load("open", &pairs.join(", "));
    let notes = director.order(publish("open", 1)).notes;
    assert!(notes.iter().any(|note| note.to_string().contains(": 1-15. ")), "{notes:?}");
}

#[test]
fn a_missing_player_does_not_hold_up_the_next_round() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    director.start(1);
    director.result(1, "1-0");
    director.load("open", "2;1;Adams;Clark;, 2;2;Baker;Davis;");
    director.order(publish("open", 2));
    assert_eq!(director.start(2).as_deref(), Some("open-2-2"), "the start of round 2 was taken for the missed game");
}

#[test]
fn rounds_armed_together_are_played_one_after_the_other_at_each_table() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;, 2;1;Adams;Clark;, 2;2;Baker;Davis;");
    for round in 1..=2 {
        director.order(publish("open", round));
    }
    assert_eq!(director.start(1).as_deref(), Some("open-1-1"));
    director.result(1, "1-0");
    assert_eq!(director.start(1).as_deref(), Some("open-2-1"));
    assert_eq!(director.start(2).as_deref(), Some("open-1-2"), "the slower table plays its first round");
    director.result(2, "0-1");
    assert_eq!(director.start(2).as_deref(), Some("open-2-2"));
}

#[test]
fn without_pairings_each_day_is_a_round_and_each_start_a_game() {
    let mut director = Director::new();
    let settings = SectionSettings { open_play: true, ..SectionSettings::named("Live games") };
    director.order(Order::SetSection { section: "live-games".into(), settings, confirm: false });
    for board in 1..=2 {
        director.order(Order::RegisterBoard { board: serial(board) });
    }
    assert_eq!(director.start(2).as_deref(), Some("10002-20270213-1"));
    assert_eq!(director.start(2).as_deref(), Some("10002-20270213-2"));
    assert_eq!(director.state("10002-20270213-1"), PairingState::ResultMissing);
    let tags = director.games["10002-20270213-2"].tags();
    assert_eq!((tags["Round"].as_str(), tags["Date"].as_str()), ("1.2", "2027.02.13"));
    assert!(!tags.contains_key("White"), "a name was invented");
    director.now += 24 * 60 * 60 * 1000;
    assert_eq!(director.start(1).as_deref(), Some("10001-20270214-1"));
    assert_eq!(director.games["10001-20270214-1"].tags()["Round"], "2.1");
    assert_eq!(director.round_state("live-games", 1), RoundState::Finished);
    let ids = ["Ida", "Jan"].map(|name| {
        let person = Person { name: name.into(), ..Person::default() };
        director.order(Order::AddPlayer { section: "live-games".into(), person, number: None });
        director.player(name)
    });
    let [white, black] = ids.map(Some);
    director.order(Order::SetPlayers { game: "10001-20270214-1".into(), white, black, confirm: false });
    assert_eq!(director.games["10001-20270214-1"].tags()["White"], "Ida");
    director.section("open", 1);
    assert_eq!(director.start(1).as_deref(), Some("10001-apart-1"), "with pairings only pairings are played");
}

#[test]
fn squares_that_lie_are_told_to_the_board_they_are_on() {
    let director = Director::with_round("1;1;Adams;Baker;");
    let blind =
        |board: usize, square: &str| Order::IgnoreSquares { board: serial(board), squares: vec![square.into()] };
    let decision = director.ask(&blind(1, "e4")).unwrap();
    let [(_, Notice::Command(command))] = decision.boards.as_slice() else { panic!("{:?}", decision.boards) };
    assert_eq!(command.order, BoardOrder::Blind { squares: vec!["e4".into()] });
    assert!(director.refused(&blind(1, "e9")).contains("Write squares as e4"));
    assert!(director.refused(&blind(9, "e4")).contains("no board \"10009\""));
}

#[test]
fn a_game_may_start_from_any_position_that_an_operator_sets() {
    let director = Director::with_round("1;1;Adams;Baker;");
    let from = |fen: &str| Order::StartFrom { board: serial(1), fen: fen.into(), variant: Variant::Standard };
    let study = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1";
    let decision = director.ask(&from(study)).unwrap();
    let [(_, Notice::Command(command))] = decision.boards.as_slice() else { panic!("{:?}", decision.boards) };
    assert_eq!(command.order, BoardOrder::StartFrom { fen: study.into(), variant: Variant::Standard });
    assert!(director.refused(&from("8/8/8/8/8/8/8/8 w - - 0 1")).contains("is not a position to play from"));
}

#[test]
fn a_game_that_is_adopted_from_another_board_leaves_the_one_it_was_on() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.seat(2);
    let apart = director.start(2).unwrap();
    director.play(2, "c4 c5");
    director.order(publish("open", 1));
    assert_eq!(director.start(1).as_deref(), Some("open-1-1"), "somebody put the pieces of table 1 up");
    let decision = director.order(Order::Adopt { unassigned: apart, game: "open-1-1".into(), confirm: true });
    let [(left, Notice::Resume(nothing)), (_, Notice::Assign(_))] = decision.boards.as_slice() else {
        panic!("{:?}", decision.boards)
    };
    assert_eq!((&**left, nothing.game.as_str()), ("10001", ""));
    assert_eq!(director.hall.on_board("open-1-1").map(AsRef::as_ref), Some("10002"));
}

#[test]
fn games_of_open_play_become_those_of_pairings_that_come_late() {
    let mut director = Director::new();
    let settings = SectionSettings { open_play: true, ..SectionSettings::named("Live games") };
    director.order(Order::SetSection { section: "live-games".into(), settings, confirm: false });
    for board in 1..=2 {
        director.seat(board);
    }
    let (first, second) = (director.start(1).unwrap(), director.start(2).unwrap());
    director.play(1, "e4 c5");
    director.play(2, "d4");
    director.result(2, "1-0");
    director.section("open", 1);
    assert_eq!(director.start(2).as_deref(), Some("10002-apart-1"), "somebody puts the pieces up again");
    director.load("open", "1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    let adopt = |parked: &str, game: &str| Order::Adopt { unassigned: parked.into(), game: game.into(), confirm: true };
    let decision = director.order(adopt(&first, "open-1-1"));
    assert!(
        matches!(&decision.boards[..], [(board, Notice::Assign(assign))] if &**board == "10001" && assign.game == "open-1-1")
    );
    director.play(1, "Nf3");
    assert_eq!(director.moves("open-1-1"), ["e4", "c5", "Nf3"]);
    assert_eq!(director.games["open-1-1"].tags()["White"], "Adams");
    assert!(director.hall.game(&first).is_none(), "it is told twice");
    director.order(adopt(&second, "open-1-2"));
    assert_eq!((director.moves("open-1-2"), director.state("open-1-2")), (vec!["d4"], PairingState::Finished));
    assert!(director.refused(&adopt("open-1-1", "open-1-2")).contains("no unassigned game \"open-1-1\""));
}

/// A hall with these boards in the start position and no tournament: open play.
fn open_play(boards: usize) -> Director {
    let mut director = Director::new();
    let settings = SectionSettings { open_play: true, ..SectionSettings::named("Live games") };
    director.order(Order::SetSection { section: "live-games".into(), settings, confirm: false });
    for board in 1..=boards {
        director.order(Order::RegisterBoard { board: serial(board) });
        director.start(board).unwrap();
    }
    director
}

#[test]
fn boards_that_stood_in_the_start_position_begin_the_games_of_pairings_that_come_late() {
    let mut director = open_play(3);
    director.play(3, "h4");
    director.section("open", 1);
    director.load("open", "1;1;Adams;Baker;, 1;2;Clark;Davis;, 1;3;Evans;Frank;");
    director.order(Order::AssignBySerial { boards: [3, 1, 2].map(serial).into() });
    let decision = director.order(publish("open", 1));
    let told: Vec<_> = decision.boards.iter().map(|(board, _)| &**board).collect();
    assert_eq!(told, ["10001", "10002"]);
    assert!(said(&decision.notes).iter().any(|note| note.contains("adopt 10003-20270213-1 as open-1-3")));
    director.play(1, "e4");
    director.play(2, "d4");
    assert_eq!([1, 2].map(|game| director.moves(&format!("open-1-{game}"))), [["e4"], ["d4"]]);
    assert_eq!(director.games["open-1-1"].tags()["White"], "Adams");
    let live = director.hall.round("live-games", 1).unwrap();
    assert_eq!(live.games.iter().map(|game| &*game.id).collect::<Vec<_>>(), ["10003-20270213-1"]);
    assert_eq!(director.start(3).as_deref(), Some("open-1-3"), "the pieces were put up again");
}

#[test]
fn a_game_of_open_play_hinders_a_round_once_it_has_a_move() {
    let mut director = open_play(2);
    director.play(2, "h4");
    director.section("open", 1);
    director.load("open", "1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(Order::AssignBySerial { boards: [1, 2].map(serial).into() });
    let clock = ClockShown { white_ms: Some(5_400_000), black_ms: Some(5_400_000), ..ClockShown::default() };
    let stands = |board: usize, fen: &str| BoardState {
        board: serial(board).into(),
        connected: true,
        fen: fen.split(' ').next().unwrap().into(),
        clock: Some(clock),
        ..BoardState::default()
    };
    let boards = [stands(1, USUAL), stands(2, "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR")];
    let found: Vec<_> = ready(&director.hall, "open", 1, &boards).iter().map(ToString::to_string).collect();
    let said = [
        "Table 2: board 10002 does not show the start position: set up the pieces.",
        "Table 2: board 10002 still plays a game of open play: adopt that game, or set up the pieces for the round.",
    ];
    assert_eq!(found, said);
}

#[test]
fn a_game_of_open_play_without_a_move_is_not_offered_to_a_round_with_another_start() {
    let mut director = open_play(1);
    director.section("open", 1);
    director.load("open", "1;1;Adams;Baker;");
    director.order(Order::AssignBySerial { boards: vec![serial(1)] });
    let start = Some(DrawnStart::Chess960(0));
    director.order(Order::SetStart { section: "open".into(), round: 1, start });
    let notes = said(&director.order(publish("open", 1)).notes);
    assert_eq!(notes, ["Round 1: 1 of 1 games have a board."]);
}

#[test]
fn boards_of_open_play_get_tables_without_a_result() {
    let mut director = open_play(3);
    director.play(3, "h4");
    director.section("open", 11);
    director.load("open", "1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    let seat = |table, board: usize| Seat { table, board: Some(serial(board)) };
    director.order(Order::SeatBoards { seats: vec![seat(11, 2), seat(12, 1), seat(1, 3)] });
    director.play(2, "e4");
    director.play(1, "d4");
    director.play(3, "h5");
    assert_eq!((director.moves("open-1-1"), director.moves("open-1-2")), (vec!["e4"], vec!["d4"]));
    assert_eq!(director.moves("10003-20270213-1"), ["h4", "h5"]);
    let live = director.hall.game("10003-20270213-1").unwrap();
    assert_eq!(director.hall.board_of(&live).map(AsRef::as_ref), Some("10003"));
    assert_eq!((live.game.state, live.game.result), (PairingState::Playing, None));
}

#[test]
fn a_spare_board_in_open_play_takes_a_game_over() {
    let mut director = open_play(3);
    director.play(3, "h4");
    director.section("open", 1);
    director.load("open", "1;1;Adams;Baker;");
    director.order(Order::AssignBySerial { boards: [1, 2, 3].map(serial).into() });
    director.order(publish("open", 1));
    director.play(1, "e4 e5");
    for spare in [2, 3] {
        director.order(Order::SwapBoard { game: "open-1-1".into(), board: serial(spare), exchange: false });
    }
    director.play(3, "Nf3");
    assert_eq!(director.moves("open-1-1"), ["e4", "e5", "Nf3"]);
    assert_eq!(director.state("10003-20270213-1"), PairingState::ResultMissing);
}

#[test]
fn two_running_games_exchange_their_boards_and_go_back() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    director.start(1);
    director.start(2);
    director.play(1, "e4 e5 Nf3");
    director.play(2, "d4");
    let swap = Order::SwapBoard { game: "open-1-2".into(), board: serial(1), exchange: true };
    let decision = director.order(swap);
    let told = |decision: &Decision| -> Vec<_> {
        let told = decision.boards.iter().map(|(board, notice)| match notice {
            Notice::Resume(resume) => (board.to_string(), resume.game.clone(), resume.moves.len(), resume.set_up),
            other => panic!("{other:?}"),
        });
        told.collect()
    };
    let (one, two) = ("open-1-1".to_owned(), "open-1-2".to_owned());
    assert_eq!(told(&decision), [(serial(2), one.clone(), 3, true), (serial(1), two.clone(), 1, true)]);
    assert_eq!([1, 2].map(|board| director.hall.table_of(&serial(board))), [Some(2), Some(1)]);
    director.play(2, "Nc6");
    director.play(1, "d5");
    assert_eq!(director.moves(&one), ["e4", "e5", "Nf3", "Nc6"]);
    assert_eq!(director.moves(&two), ["d4", "d5"]);
    let number = director.hall.corrections.last().unwrap().number;
    let decision = director.order(Order::Undo { number });
    assert_eq!(told(&decision), [(serial(1), one, 4, true), (serial(2), two, 2, true)]);
}

#[test]
fn a_swap_to_a_wrong_board_is_taken_back_although_that_board_began_another_game() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    director.start(1);
    director.play(1, "e4 e5");
    director.order(Order::SwapBoard { game: "open-1-1".into(), board: serial(2), exchange: false });
    director.start(2).unwrap();
    assert_eq!(director.state("open-1-1"), PairingState::ResultMissing);
    let decision = director.order(Order::Undo { number: 2 });
    let [(board, Notice::Resume(resume))] = decision.boards.as_slice() else { panic!("{:?}", decision.boards) };
    assert_eq!((&**board, resume.game.as_str(), resume.moves.len()), ("10001", "open-1-1", 2));
    assert_eq!(director.state("open-1-1"), PairingState::Playing);
    assert_eq!([1, 2].map(|board| director.hall.table_of(&serial(board))), [Some(1), Some(2)]);
    director.play(1, "Nf3");
    assert_eq!(director.moves("open-1-1"), ["e4", "e5", "Nf3"]);
}
