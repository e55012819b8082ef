//! Before a round starts: zones, start positions, the ready check.

use super::*;

#[test]
fn the_date_is_the_venue_s_and_rounds_have_names() {
    let mut director = Director::new();
    let settings = SectionSettings { zone: chrono_tz::Pacific::Auckland, ..SectionSettings::named("Open") };
    let tournament =
        Tournament { name: "Festival".into(), site: String::new(), zone: chrono_tz::Pacific::Auckland, delay: None };
    director.order(Order::SetTournament { tournament: "festival".into(), settings: tournament });
    let settings = SectionSettings { tournament: "festival".into(), ..settings };
    director.order(Order::SetSection { section: "open".into(), settings, confirm: false });
    director.load("open", "1;1;Adams;Baker;");
    let settings =
        RoundSettings { name: Some("Tie-break 2".into()), planned_start: Some(NOON), ..RoundSettings::default() };
    director.order(Order::SetRound { section: "open".into(), round: 1, settings });
    assert_eq!(director.hall.round("open", 1).unwrap().title(), "Tie-break 2");
    let tags = public_tags(&director.hall, &director.persons, "open-1-1");
    assert_eq!(tags["Date"], "2027.02.14", "noon in Greenwich is the next day there");
}

#[test]
fn a_drawn_start_is_public_before_the_game_and_nothing_else_opens_it() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 2;1;Baker;Adams;");
    let settings = RoundSettings { time_control: TimeControls::same("300"), ..RoundSettings::default() };
    director.order(Order::SetRound { section: "open".into(), round: 1, settings });
    director.order(publish("open", 1));
    let start = Some(DrawnStart::Chess960(0));
    let decision = director.order(Order::SetStart { section: "open".into(), round: 1, start });
    let [(board, Notice::Assign(assign))] = decision.boards.as_slice() else { panic!("{:?}", decision.boards) };
    assert_eq!((&**board, assign.variant), ("10001", Variant::Chess960));
    let tags = director.games["open-1-1"].tags();
    assert_eq!((tags["Variant"].as_str(), tags["SetUp"].as_str()), ("Chess960", "1"));
    let fen = tags["FEN"].clone();
    assert_eq!(director.start(1).as_deref(), Some("10001-apart-1"), "the usual start was not drawn");
    let Opening::Game(opened) = open_game(&director.hall, &director.persons, "10001", &fen, NOON) else { panic!() };
    assert_eq!(&*opened.game.game, "open-1-1");
    assert!(!opened.tags.contains_key("FEN"), "the game tells its start itself");
    director.facts_of(&opened.facts);
    director.record_events(&opened.game, &[Event::GameStarted { fen, variant: Variant::Chess960 }]);
    director.play(1, "e4");
    director.order(publish("open", 2));
    let start = Some(DrawnStart::Chess960(1));
    director.order(Order::SetStart { section: "open".into(), round: 2, start });
    let usual = director.order(Order::SetStart { section: "open".into(), round: 2, start: None });
    let [(_, Notice::Assign(assign))] = usual.boards.as_slice() else { panic!("{:?}", usual.boards) };
    assert_eq!((assign.game.as_str(), assign.time_control.clone()), ("open-1-1", Some("300".into())), "it goes on");
    let late = Order::SetStart { section: "open".into(), round: 1, start: None };
    assert!(director.refused(&late).contains("Moves were made"));
}

#[test]
fn a_start_that_is_set_after_games_began_without_a_move_is_theirs_once_it_stands_on_their_boards() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    assert_eq!(director.start(1).as_deref(), Some("open-1-1"));
    let start = Some(DrawnStart::Chess960(0));
    let decision = director.order(Order::SetStart { section: "open".into(), round: 1, start });
    let drawn = director.hall.round("open", 1).unwrap().start.clone().unwrap();
    let fen = &drawn.fen;
    let told = |decision: &Decision| {
        let assigned = decision.boards.iter().map(|(board, notice)| match notice {
            Notice::Assign(assign) => (board.to_string(), assign.game.clone(), assign.fen.clone()),
            other => panic!("{other:?}"),
        });
        assigned.collect::<Vec<_>>()
    };
    let of = |board: &str, game: &str, fen: Option<&String>| (board.to_owned(), game.to_owned(), fen.cloned());
    assert_eq!(told(&decision), [of("10002", "", Some(fen)), of("10001", "open-1-1", Some(fen))]);
    let anew = begin_anew(&director.hall, &director.persons, "10001", fen, NOON).unwrap();
    assert_eq!(&*anew.game.game, "open-1-1");

    let usual = director.order(Order::SetStart { section: "open".into(), round: 1, start: None });
    assert_eq!(told(&usual), [of("10002", "", None), of("10001", "open-1-1", None)], "it takes what is set up");
    director.play(1, "e4");
    let late = Order::SetStart { section: "open".into(), round: 1, start: Some(DrawnStart::Chess960(1)) };
    assert!(director.refused(&late).contains("Moves were made"));
}

#[test]
fn a_game_of_a_pairing_without_a_move_begins_anew_unless_the_position_begins_the_next_one() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 2;1;Baker;Adams;");
    director.order(publish("open", 1));
    assert_eq!(director.start(1).as_deref(), Some("open-1-1"));
    let drawn = DrawnStart::Chess960(0).position().unwrap().fen;
    let anew = |director: &Director| begin_anew(&director.hall, &director.persons, "10001", &drawn, NOON);
    let opened = anew(&director).unwrap();
    assert_eq!((&*opened.game.game, opened.facts.len()), ("open-1-1", 0));
    assert_eq!(opened.tags["White"], "Adams");
    director.order(publish("open", 2));
    assert_eq!(anew(&director), None, "the game of the next round begins");
    let start = Some(DrawnStart::Chess960(1));
    director.order(Order::SetStart { section: "open".into(), round: 2, start });
    assert_eq!(anew(&director).unwrap().game.game.as_ref(), "open-1-1", "another start is set for the next round");
    director.result(1, "1-0");
    assert_eq!(anew(&director), None, "it is over");
}

#[test]
fn the_day_of_a_game_is_that_of_its_first_move() {
    const DAY_MS: u64 = 24 * 60 * 60 * 1000;
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.order(publish("open", 1));
    director.start(1).unwrap();
    let at = director.hall.game_ref("open-1-1").unwrap();
    let date = |director: &Director| date_tag(&director.hall, &director.persons, "open-1-1");
    let on = |day: &str| [("Date".to_owned(), day.to_owned())].into();
    assert_eq!(date(&director), on("2027.02.13"));
    let first = next_move(&director.games["open-1-1"], "e4");
    assert_eq!(played_on(&director.hall, &at, &first, director.now), None);
    let next_day = played_on(&director.hall, &at, &first, director.now + DAY_MS).unwrap();
    director.facts_of(&[next_day]);
    director.record_events(&at, &[first]);
    assert_eq!(date(&director), on("2027.02.14"));
    assert_eq!(director.hall.playing(&serial(1)).map(AsRef::as_ref), Some("open-1-1"));
    // It goes on at another day, as after an adjournment.
    let second = next_move(&director.games["open-1-1"], "e5");
    assert_eq!(played_on(&director.hall, &at, &second, director.now + 2 * DAY_MS), None);
    assert_eq!(date(&director), on("2027.02.14"));
}

#[test]
fn a_game_of_open_play_does_not_begin_anew() {
    let mut director = Director::new();
    let settings = SectionSettings { open_play: true, ..SectionSettings::named("Live games") };
    director.order(Order::SetSection { section: "live".into(), settings, confirm: false });
    director.seat(1);
    director.start(1).unwrap();
    let drawn = DrawnStart::Chess960(0).position().unwrap().fen;
    assert_eq!(begin_anew(&director.hall, &director.persons, "10001", &drawn, NOON), None);
}

#[test]
fn the_ready_check_names_every_table_that_cannot_start() {
    let rows: Vec<_> = (1..=7).map(|board| format!("1;{board};White {board};Black {board};")).collect();
    let mut director = Director::with_round(&rows.join(", "));
    director.load("open", &rows[..6].join(", "));
    let settings = RoundSettings { time_control: TimeControls::same("5400+30"), ..RoundSettings::default() };
    director.order(Order::SetRound { section: "open".into(), round: 1, settings });
    let set = ClockShown { white_ms: Some(5_400_000), black_ms: Some(5_430_000), ..ClockShown::default() };
    let good = |board: usize| BoardState {
        board: serial(board).into(),
        connected: true,
        fen: USUAL.split(' ').next().unwrap().into(),
        clock: Some(set),
        ..BoardState::default()
    };
    let exchanged = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR";
    let boards = [
        BoardState { fen: exchanged.into(), wrong_start: vec!["d1".into(), "e1".into()], ..good(1) },
        BoardState { connected: false, ..good(2) },
        BoardState { fen: "8/8/8/8/8/8/8/8".into(), ..good(3) },
        BoardState { clock: None, rotated: true, ..good(4) },
        BoardState { clock: Some(ClockShown { white_ms: Some(300_000), ..set }), ..good(5) },
        BoardState { clock: Some(ClockShown { running: Some(Side::White), ..set }), ..good(6) },
        good(7),
    ];
    let problems = |director: &Director| -> Vec<String> {
        ready(&director.hall, "open", 1, &boards).iter().map(ToString::to_string).collect()
    };
    let found = problems(&director);
    let said = [
        "Table 1: board 10001 does not show the start position: check d1, e1",
        "Table 2: board 10002 is not connected",
        "Table 3: board 10003 does not show the start position",
        "Table 4: board 10004 has White at its far end",
        "Table 4: board 10004 has no clock",
        "Table 5: board 10005 has a clock that does not show the time control of the round",
        "Table 6: board 10006 has a running clock",
    ];
    for (found, said) in found.iter().zip(said) {
        assert!(found.starts_with(said), "{found}");
    }
    assert_eq!(found.len(), said.len(), "{found:?}");
    director.order(Order::SeatBoards { seats: vec![Seat { table: 1, board: None }] });
    let unassigned = "Tables without a board: 1. Connected boards without a table: 1. Assign them";
    let found = ready(&director.hall, "open", 1, &boards);
    assert!(found.iter().any(|problem| problem.to_string().starts_with(unassigned) && !problem.is_serious()));
    // A hall that has no more boards.
    let others = ready(&director.hall, "open", 1, &boards[1..]);
    let others: Vec<_> = others.iter().map(ToString::to_string).collect();
    assert!(others.contains(&"Without a board: 1 game. Enter the results by hand.".to_owned()), "{others:?}");
    let settings = RoundSettings { time_control: TimeControls::same("-"), ..RoundSettings::default() };
    director.order(Order::SetRound { section: "open".into(), round: 1, settings });
    let found = problems(&director);
    assert!(!found.iter().any(|problem| problem.contains("has no clock")), "none belongs to the game: {found:?}");
}

#[test]
fn a_public_pairing_that_ends_by_a_forfeit_keeps_its_address_and_its_names() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.load("open", "1;1;Adams;Baker;, 1;2;Clark;Davis;");
    let address = |director: &Director, game: &str| {
        let found = director.hall.game(game).unwrap();
        (is_shown(&director.hall, &found), has_address(&director.hall, &found))
    };
    let forfeit =
        |game: &str| Order::SetResult { game: game.into(), result: "+ - -".into(), reason: None, confirm: false };
    assert_eq!(address(&director, "open-1-1"), (false, false), "its round is not public");
    director.order(publish("open", 1));
    director.order(forfeit("open-1-1"));
    director.order(forfeit("open-1-2"));
    assert_eq!(address(&director, "open-1-1"), (false, true));
    assert_eq!(address(&director, "open-1-2"), (false, false), "without a board it was not public");
    let game = &director.games["open-1-1"];
    assert_eq!((game.tags()["White"].as_str(), game.result()), ("Adams", Outcome::WhiteWins));
    // A player who is removed leaves the address, too.
    director.order(Order::Forget { player: director.player("Adams") });
    assert_ne!(director.games["open-1-1"].tags()["White"], "Adams");
    director.order(Order::Withdraw { game: "open-1-1".into() });
    assert_eq!(address(&director, "open-1-1"), (false, false));
}

#[test]
fn one_player_at_many_tables_is_a_simultaneous_display() {
    let mut director = Director::new();
    let settings = SectionSettings { simultaneous: true, ..SectionSettings::named("Simul") };
    director.order(Order::SetSection { section: "simul".into(), settings, confirm: false });
    director.order(load("simul", "1;1;Adams;Baker;, 1;2;Adams;Clark;, 1;3;Adams;Davis;", false));
    assert_eq!(director.hall.section("simul").unwrap().players.len(), 4);
    assert_eq!(director.pairings("simul", 1).len(), 3);
}

#[test]
fn games_without_a_board_and_forfeits_are_public_only_where_they_are_wanted() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    let rows = "1;1;Adams;Baker;, 1;2;Clark;Davis;, 1;3;Evans;Frank;+ - -";
    director.load("open", rows);
    director.order(publish("open", 1));
    let told = |director: &Director| director.games.keys().cloned().collect::<Vec<_>>();
    assert_eq!(told(&director), ["open-1-1"]);
    let settings = SectionSettings {
        boardless_games: true,
        forfeits: true,
        ..director.hall.section("open").unwrap().settings.clone()
    };
    director.order(Order::SetSection { section: "open".into(), settings, confirm: false });
    assert_eq!(told(&director), ["open-1-1", "open-1-2", "open-1-3"]);
}

#[test]
fn a_forfeit_that_is_missing_in_the_score_of_a_team_match_is_pointed_out() {
    let mut director = Director::new();
    director.section("open", 1);
    let table = "Round;Table;White;White Team;Black;Black Team\n1;1;Adams;Harbour;Baker;Hill\n1;2;Clark;;Davis;\n";
    let files = vec![PairingFile::read("table", table.as_bytes()).unwrap()];
    director.order(Order::LoadPairings { section: "open".into(), files, round: None, confirm: true });
    let mut said_of = |game: &str, result: &str| {
        let (game, result) = (game.to_owned(), result.to_owned());
        said(&director.order(Order::SetResult { game, result, reason: None, confirm: true }).notes)
    };
    let [note] = &*said_of("open-1-1", "+ - -") else { panic!("it is hidden") };
    assert!(
        note.starts_with("The public does not see the forfeit of game open-1-1 (round 1, table 1), so the score"),
        "{note}"
    );
    assert_eq!(said_of("open-1-1", "1-0"), [""; 0]);
    assert_eq!(said_of("open-1-2", "- - +"), [""; 0], "no match of teams");
    let settings = SectionSettings { forfeits: true, ..director.hall.section("open").unwrap().settings.clone() };
    director.order(Order::SetSection { section: "open".into(), settings, confirm: false });
    let shown = Order::SetResult { game: "open-1-1".into(), result: "- - +".into(), reason: None, confirm: true };
    assert_eq!(said(&director.order(shown).notes), [""; 0]);
}

/// A hall of two tables whose first two rounds are public; the game at table 1 has moves and no result, and its pieces are at their
/// start again.
fn reset_in_round_1(clock_runs: bool) -> Director {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;, 2;1;Clark;Adams;, 2;2;Davis;Baker;");
    for round in [1, 2] {
        director.order(publish("open", round));
    }
    for board in [1, 2] {
        director.start(board).unwrap();
        director.play(board, "e4 e5 Nf3");
    }
    let running = Some(Side::Black).filter(|_| clock_runs);
    let (white_ms, black_ms, flag) = (Some(290_000), Some(295_000), None);
    let clock = Event::Clock { white_ms, black_ms, running, flag, read_at: director.now };
    let at = director.hall.game_ref("open-1-2").unwrap();
    director.record_events(&at, &[clock]);
    assert_eq!(director.start(1).as_deref(), Some("open-2-1"), "pieces may be set up early");
    director
}

impl Director {
    /// The first move is about to be recorded on a board: which game does it belong to?
    fn first_move(&mut self, board: usize) -> String {
        let decision = first_move(&self.hall, &self.persons, &self.games, self.now, &serial(board)).unwrap();
        self.record(&decision);
        self.hall.playing(&serial(board)).unwrap().to_string()
    }
}

#[test]
fn a_game_that_is_played_again_from_its_start_is_not_that_of_the_next_round() {
    let mut director = reset_in_round_1(true);
    assert_eq!(director.first_move(1), "10001-apart-1", "Clark plays at table 2");
    assert_eq!(director.state("open-2-1"), PairingState::Paired);
    director.play(1, "d4 d5");
    assert_eq!((director.moves("open-2-1"), director.moves("10001-apart-1")), (vec![], vec!["d4", "d5"]));
    // It is a move of the game that was played there before.
    let adopted =
        director.order(Order::Adopt { unassigned: "10001-apart-1".into(), game: "open-1-1".into(), confirm: true });
    assert_eq!(adopted.boards.len(), 1);
    assert_eq!((director.moves("open-1-1"), director.state("open-1-1")), (vec!["d4", "d5"], PairingState::Playing));
    director.result(1, "1-0");
    director.result(2, "1-0");
    assert_eq!(director.start(1).as_deref(), Some("open-2-1"));
    assert_eq!(director.first_move(1), "open-2-1");
}

#[test]
fn a_first_move_is_of_the_next_round_where_its_players_are_free() {
    let mut director = reset_in_round_1(false);
    assert_eq!(director.first_move(1), "open-2-1", "the clock at table 2 stands");
    let mut director = reset_in_round_1(true);
    director.now += 295_000;
    assert_eq!(director.first_move(1), "open-2-1", "its time is used up");
    let mut director = reset_in_round_1(true);
    director.order(Order::SetResult { game: "open-1-1".into(), result: "1-0".into(), reason: None, confirm: true });
    assert_eq!(director.first_move(1), "open-2-1", "the game before it is over");
    let mut director = reset_in_round_1(true);
    director.result(2, "1/2-1/2");
    assert_eq!(director.first_move(1), "open-2-1");
    director.play(1, "c4");
    assert_eq!(director.moves("open-2-1"), ["c4"]);
}

#[test]
fn a_piece_that_is_moved_and_put_back_before_the_next_game_takes_nothing_from_it() {
    let mut director = reset_in_round_1(true);
    assert_eq!(director.first_move(1), "10001-apart-1");
    director.result(2, "0-1");
    assert_eq!(director.first_move(1), "open-2-1", "Clark has come");
    assert_eq!(director.hall.unassigned["10001-apart-1"].adopted_as.as_deref(), Some("open-2-1"));
    director.play(1, "c4 c5");
    assert_eq!(director.moves("open-2-1"), ["c4", "c5"]);
}
