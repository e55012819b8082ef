//! Rounds that run themselves.

use super::*;

#[test]
fn a_published_round_is_armed_opens_its_games_and_ends_with_its_last_result() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    assert_eq!(director.start(1).as_deref(), Some("10001-apart-1"), "nothing was published yet");
    director.order(publish("open", 1));
    assert_eq!(director.round_state("open", 1), RoundState::Running, "the board stood ready and its game began");
    assert_eq!(director.games["open-1-1"].tags()["White"], "Adams");
    assert_eq!(director.games["open-1-2"].tags()["Round"], "1.2", "a pairing is public before its game");
    assert_eq!(director.start(2).as_deref(), Some("open-1-2"));
    director.play(2, "e4 e5 Nf3");
    director.result(2, "1-0");
    assert_eq!(
        (director.state("open-1-2"), director.round_state("open", 1)),
        (PairingState::Finished, RoundState::Running)
    );
    director.order(Order::SetResult {
        game: "open-1-1".into(),
        result: "1/2-1/2".into(),
        reason: None,
        confirm: false,
    });
    assert_eq!(director.round_state("open", 1), RoundState::Finished);
}

#[test]
fn a_round_that_was_loaded_with_its_results_becomes_public_by_one_order_and_stays_over() {
    let rows = "1;1;Adams;Baker;1-0, 1;2;Clark;Davis;1/2-1/2";
    let mut director = Director::with_round(rows);
    let round = |director: &Director| {
        let round = director.hall.round("open", 1).unwrap();
        (round.state, round.published)
    };
    assert_eq!(round(&director), (RoundState::Finished, false));
    let unpublish = Order::Unpublish { section: "open".into(), round: 1, confirm: true };
    assert_eq!(director.ask(&unpublish).unwrap_err().coded().code, "round_not_public");
    let decision = director.order(publish("open", 1));
    assert_eq!(round(&director), (RoundState::Finished, true));
    assert_eq!(said(&decision.notes), [""; 0], "its boards do not matter any more");
    let line = director.hall.corrections.last().unwrap();
    assert_eq!((&*line.what.code, &line.undo), ("corrected_round_published", &None), "its results are public");
    assert!(director.hall.round("open", 1).unwrap().armed.is_none());
    assert_eq!(director.ask(&publish("open", 1)).unwrap_err().coded().code, "round_public");
    assert_eq!(director.ask(&unpublish).unwrap_err().coded().code, "round_over");
    assert_eq!(director.load("open", rows), ["Nothing changes."]);
    assert_eq!(Hall::of(&director.facts), director.hall);
}

#[test]
fn a_round_whose_results_were_entered_before_it_is_public_is_over_once_it_is() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    let result = "+ - -".into();
    director.order(Order::SetResult { game: "open-1-1".into(), result, reason: None, confirm: false });
    assert_eq!(director.round_state("open", 1), RoundState::Prepared);
    director.order(publish("open", 1));
    assert_eq!(director.round_state("open", 1), RoundState::Finished);
    assert!(director.start(1).is_some_and(|game| game.contains("apart")), "its board begins no game of it");
}

#[test]
fn a_published_round_stands_in_the_history_and_is_taken_back_while_nothing_of_it_was_played() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    let number = director.hall.corrections.len() as u32;
    assert_eq!(director.hall.corrections.last().unwrap().what.code, "corrected_round_published");
    director.order(Order::Undo { number });
    assert_eq!(director.round_state("open", 1), RoundState::Prepared);
    assert!(!is_shown(&director.hall, &director.hall.game("open-1-1").unwrap()));
    assert_eq!(director.start(1).as_deref(), Some("10001-apart-1"), "a board begins no game of it");
    director.order(Order::Undo { number: number + 1 });
    assert!(director.hall.round("open", 1).unwrap().published, "taking it back can be undone, too");
    director.order(Order::SetResult { game: "open-1-2".into(), result: "1-0".into(), reason: None, confirm: false });
    let unpublish = Order::Unpublish { section: "open".into(), round: 1, confirm: true };
    assert_eq!(director.ask(&unpublish).unwrap_err().coded().code, "round_in_play");
    director.order(Order::SetResult { game: "open-1-2".into(), result: "*".into(), reason: None, confirm: false });
    assert_eq!(director.start(2).as_deref(), Some("open-1-2"));
    director.play(2, "e4");
    assert_eq!(director.ask(&unpublish).unwrap_err().coded().code, "round_in_play");
}

#[test]
fn a_round_whose_pieces_stood_ready_is_taken_back_until_a_move_is_played_and_its_boards_keep_their_starts() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.start(1);
    director.order(publish("open", 1));
    director.start(2);
    let states = |director: &Director| ["open-1-1", "open-1-2"].map(|game| director.state(game));
    assert_eq!(states(&director), [PairingState::Playing; 2]);
    let unpublish = |confirm| Order::Unpublish { section: "open".into(), round: 1, confirm };
    let question = director.refused(&unpublish(false));
    assert!(question.contains("Games of round 1 of \"open\" that have begun, without a move: 2."), "{question}");
    let decision = director.order(unpublish(true));
    assert_eq!((states(&director), director.round_state("open", 1)), ([PairingState::Paired; 2], RoundState::Prepared));
    let games: Vec<_> = director.hall.on_boards.values().map(|game| &**game).collect();
    assert_eq!(games, ["10001-apart-2", "10002-apart-1"]);
    let [(board, Notice::Assign(assign)), _] = &decision.boards[..] else { panic!("{:?}", decision.boards) };
    assert_eq!((&**board, &*assign.game), ("10001", "10001-apart-2"));
    director.play(2, "e4");
    director.order(publish("open", 1));
    assert_eq!(states(&director), [PairingState::Playing, PairingState::Paired], "a board with a move is asked about");
    assert_eq!(director.hall.game("open-1-1").unwrap().game.day, director.hall.section("open").unwrap().day(NOON));
    assert_eq!(Hall::of(&director.facts), director.hall);
}

#[test]
fn a_round_with_a_set_start_is_taken_back_and_what_its_boards_play_meanwhile_is_kept() {
    let set = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
    let starts = [
        (DrawnStart::Chess960(0), Variant::Chess960, "e3 e6"),
        (DrawnStart::Fen(set.to_owned()), Variant::Standard, "e4 e5"),
    ];
    for (start, variant, moves) in starts {
        let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
        let start = Some(start);
        director.order(Order::SetStart { section: "open".into(), round: 1, start });
        director.order(publish("open", 1));
        let fen = director.hall.round("open", 1).unwrap().start.clone().unwrap().fen;
        assert_eq!(director.start_from(1, &fen, variant).as_deref(), Some("open-1-1"));
        let unpublish = || Order::Unpublish { section: "open".into(), round: 1, confirm: true };
        let decision = director.order(unpublish());
        assert_eq!(director.state("open-1-1"), PairingState::Paired);
        assert_eq!(director.hall.playing("10001").map(|game| &**game), Some("10001-apart-1"));
        let told: Vec<_> = decision.boards.iter().map(|(board, notice)| (&**board, notice)).collect();
        let assigned = |board: &str| {
            let of_board = told.iter().filter(|(of, _)| *of == board);
            of_board
                .map(|(_, notice)| match notice {
                    Notice::Assign(assign) => (assign.game.as_str(), assign.fen.is_some()),
                    _ => panic!("{notice:?}"),
                })
                .collect::<Vec<_>>()
        };
        assert!(assigned("10001").iter().all(|assign| *assign == ("10001-apart-1", false)), "{told:?}");
        assert_eq!(assigned("10002"), [("", false)], "it waits for the usual start");
        // The pieces still stand ready.
        director.order(publish("open", 1));
        assert_eq!(director.state("open-1-1"), PairingState::Playing);
        assert_eq!(director.games["open-1-1"].fen(), fen);
        director.order(unpublish());
        director.play(1, moves);
        let decision = director.order(publish("open", 1));
        assert_eq!(director.state("open-1-1"), PairingState::Paired, "a board with moves is asked about");
        let usual = Notice::Assign(game_core::input::Assign::default());
        let reset = |notice: &Notice| matches!(notice, Notice::Resume(_)) || *notice == usual;
        assert!(
            !decision.boards.iter().any(|(board, notice)| &**board == "10001" && reset(notice)),
            "its game goes on"
        );
        assert_eq!(director.moves("10001-apart-2").len(), 2);
        assert_eq!(Hall::of(&director.facts), director.hall);
    }
}

#[test]
fn a_round_that_was_taken_back_does_not_publish_itself() {
    let mut director = Director::new();
    let settings = SectionSettings { auto_publish: true, ..SectionSettings::named("Open") };
    director.order(Order::SetSection { section: "open".into(), settings, confirm: false });
    director.load("open", "1;1;Adams;Baker;");
    assert_eq!(director.round_state("open", 1), RoundState::Armed);
    director.order(Order::Unpublish { section: "open".into(), round: 1, confirm: false });
    assert_eq!(due(&director.hall), None);
    director.order(publish("open", 1));
    assert_eq!(director.round_state("open", 1), RoundState::Armed);
}

#[test]
fn a_game_without_a_result_never_holds_up_the_next() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    assert_eq!([director.start(1), director.start(2)].map(Option::unwrap), ["open-1-1", "open-1-2"]);
    director.play(1, "e4 e5");
    director.load("open", "2;1;Baker;Clark;, 2;2;Adams;Davis;");
    director.order(publish("open", 2));
    assert_eq!(director.start(1).as_deref(), Some("open-2-1"));
    assert_eq!(director.state("open-1-1"), PairingState::ResultMissing);
    assert_eq!(director.state("open-1-2"), PairingState::Playing, "the other table plays on");
    director.order(Order::SetResult { game: "open-1-1".into(), result: "0-1".into(), reason: None, confirm: false });
    assert_eq!(director.games["open-1-1"].result(), Outcome::BlackWins);
    assert_eq!(director.moves("open-1-1"), ["e4", "e5"]);
}

#[test]
fn rounds_publish_themselves_one_after_the_other_where_that_is_wanted() {
    let mut director = Director::new();
    let settings = SectionSettings { auto_publish: true, ..SectionSettings::named("Open") };
    director.order(Order::SetSection { section: "open".into(), settings, confirm: false });
    director.load("open", "1;1;Adams;Baker;, 2;1;Baker;Adams;, 3;1;Adams;Baker;");
    director.seat(1);
    let states = |director: &Director| [1, 2, 3].map(|round| director.round_state("open", round));
    assert_eq!(states(&director), [RoundState::Armed, RoundState::Prepared, RoundState::Prepared]);
    director.start(1);
    assert_eq!(due(&director.hall), None);
    director.result(1, "1-0");
    director.order(due(&director.hall).unwrap());
    assert_eq!(states(&director), [RoundState::Finished, RoundState::Armed, RoundState::Prepared]);
    director.start(1);
    let at = director.hall.game_ref("open-2-1").unwrap();
    let facts = follow(&director.hall, &at, &Event::GameEnded);
    director.facts_of(&facts);
    assert_eq!(due(&director.hall), Some(Order::Publish { section: "open".into(), round: 3, confirm: true }));
}

#[test]
fn rounds_that_were_loaded_with_their_results_publish_themselves_too() {
    let mut director = Director::new();
    let settings = SectionSettings { auto_publish: false, ..SectionSettings::named("Open") };
    director.order(Order::SetSection { section: "open".into(), settings: settings.clone(), confirm: false });
    director.load("open", "1;1;Adams;Baker;1-0, 2;1;Baker;Adams;1/2-1/2, 3;1;Adams;Baker;");
    assert_eq!(due(&director.hall), None);
    let settings = SectionSettings { auto_publish: true, ..settings };
    director.order(Order::SetSection { section: "open".into(), settings, confirm: false });
    for round in 1..=3 {
        assert_eq!(due(&director.hall), Some(Order::Publish { section: "open".into(), round, confirm: true }));
        director.order(due(&director.hall).unwrap());
        assert!(director.hall.round("open", round).unwrap().published);
    }
    assert_eq!(due(&director.hall), None);
    assert_eq!(
        [1, 2, 3].map(|round| director.round_state("open", round)),
        [RoundState::Finished, RoundState::Finished, RoundState::Armed]
    );
}

#[test]
fn a_table_that_begins_late_plays_its_own_round_when_the_next_one_has_published_itself() {
    let mut director = Director::new();
    let settings = SectionSettings { auto_publish: true, ..SectionSettings::named("Open") };
    director.order(Order::SetSection { section: "open".into(), settings, confirm: false });
    director.load("open", "1;1;Adams;Baker;, 1;2;Clark;Davis;, 2;1;Baker;Adams;, 2;2;Davis;Clark;");
    director.seat(1);
    director.seat(2);
    director.start(1);
    director.result(1, "1/2-1/2");
    director.order(due(&director.hall).unwrap());
    assert_eq!(director.round_state("open", 2), RoundState::Armed);
    director.start(2);
    let begun = |director: &Director, game: &str| director.hall.game(game).unwrap().game.has_begun();
    assert!(begun(&director, "open-1-2") && !begun(&director, "open-2-2"));
    director.start(1);
    assert!(begun(&director, "open-2-1"), "the table that is over goes on with the next round");
}

/// Hall time at noon of a day.
fn noon(day: &str) -> UtcMs {
    let noon: chrono::DateTime<chrono::Utc> = format!("{day}T12:00:00Z").parse().unwrap();
    UtcMs::try_from(noon.timestamp_millis()).unwrap()
}

#[test]
fn an_event_is_over_by_itself_when_its_last_day_is_eight_days_ago() {
    let mut director = Director::new();
    director.section("open", 1);
    let over = |director: &Director, day: &str| director.hall.section("open").unwrap().is_over(noon(day));
    assert!(!over(&director, "2099-01-01"), "it has not begun");
    director.load("open", "1;1;Adams;Baker;");
    director.seat(1);
    director.order(publish("open", 1));
    director.start(1);
    let played = "2027-02-13";
    assert_eq!(director.hall.section("open").unwrap().over_from().unwrap().to_string(), "2027-02-22");
    assert!(!over(&director, played) && !over(&director, "2027-02-21"), "a round a week does not end it");
    assert!(over(&director, "2027-02-22"), "a game that nobody finished does not keep it");
    let round = RoundSettings { date: "2027-02-27".parse().ok(), ..RoundSettings::default() };
    director.order(Order::SetRound { section: "open".into(), round: 2, settings: round });
    assert!(!over(&director, "2027-03-07") && over(&director, "2027-03-08"), "another round is to come");
    let settings = director.hall.section("open").unwrap().settings.clone();
    let settings = SectionSettings { last_day: "2027-06-30".parse().ok(), ..settings };
    director.order(Order::SetSection { section: "open".into(), settings, confirm: false });
    assert!(!over(&director, "2027-07-08") && over(&director, "2027-07-09"), "its end was announced");
}

#[test]
fn an_event_is_over_when_somebody_says_so_and_goes_on_when_that_is_taken_back() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.order(publish("open", 1));
    director.start(1);
    let end = |confirm| Order::EndEvent { section: "open".into(), confirm };
    assert!(director.refused(&end(false)).contains("Games still being played in \"open\": 1."));
    assert!(director.refused(&Order::ResumeEvent { section: "open".into() }).contains("was not ended by a person"));
    director.order(end(true));
    let over = |director: &Director| director.hall.section("open").unwrap().is_over(NOON);
    assert!(over(&director) && director.refused(&end(true)).contains("already ended"));
    director.order(Order::Undo { number: 2 });
    assert!(!over(&director));
    director.order(end(true));
    director.order(Order::ResumeEvent { section: "open".into() });
    assert!(!over(&director));
}

#[test]
fn the_last_day_of_a_report_is_announced_unless_it_is_over_already() {
    for (day, announced) in [("2027/03/01", Some("2027-03-01")), ("2019/03/01", None)] {
        let mut director = Director::new();
        director.section("open", 1);
        let report = format!("012 Open\n052 {day}\n001    1      Adler, Ida\n001    2      Costa, Rui\n");
        let files = vec![PairingFile::read("report.trf", report.as_bytes()).unwrap()];
        director.order(Order::LoadPairings { section: "open".into(), files, round: None, confirm: true });
        let last_day = director.hall.section("open").unwrap().settings.last_day;
        assert_eq!(last_day.map(|day| day.to_string()).as_deref(), announced);
    }
}

#[test]
fn the_most_specific_delay_holds_and_every_change_can_be_undone() {
    let mut director = Director::with_round("1;1;Adams;Baker;\n2;2;Costa;Dupont;");
    let delays = |director: &Director| {
        let section = director.hall.section("open").unwrap();
        [1, 2].map(|board| director.hall.delay(section, 1, board))
    };
    let settings = |director: &Director| director.hall.section("open").unwrap().settings.clone();
    assert_eq!(delays(&director), [Delay::NONE; 2]);
    let tournament = |delay| {
        let (name, site) = ("Festival".into(), "Utrecht".into());
        let settings = Tournament { name, site, zone: chrono_tz::UTC, delay };
        Order::SetTournament { tournament: "festival".into(), settings }
    };
    director.order(tournament(Some(Delay::Seconds(600))));
    let joined = SectionSettings { tournament: "festival".into(), ..settings(&director) };
    director.order(Order::SetSection { section: "open".into(), settings: joined, confirm: true });
    assert_eq!(delays(&director), [Delay::Seconds(600); 2]);
    let own = SectionSettings { delay: Some(Delay::Seconds(900)), ..settings(&director) };
    director.order(Order::SetSection { section: "open".into(), settings: own, confirm: true });
    assert_eq!(delays(&director), [Delay::Seconds(900); 2]);
    let of_round = |delay| {
        let settings = RoundSettings { delay, ..RoundSettings::default() };
        Order::SetRound { section: "open".into(), round: 1, settings }
    };
    director.order(of_round(Some(Delay::NONE)));
    assert_eq!(delays(&director), [Delay::NONE; 2], "a round can be undelayed in a delayed section");
    let of_board = |delay| Order::SetBoardDelay { section: "open".into(), board: 2, delay };
    director.order(of_board(Some(Delay::UntilOver)));
    assert_eq!(delays(&director), [Delay::NONE, Delay::UntilOver]);
    let number = director.hall.corrections.len() as u32;
    director.order(Order::Undo { number });
    assert_eq!(delays(&director), [Delay::NONE; 2]);
    director.order(Order::Undo { number: number - 1 });
    assert_eq!(delays(&director), [Delay::Seconds(900); 2]);

    let too_long = "A delay is at most 24 hours (86400 seconds).";
    for seconds in [86_401, u32::MAX] {
        let delay = Some(Delay::Seconds(seconds));
        assert_eq!(director.refused(&of_round(delay)), too_long);
        assert_eq!(director.refused(&of_board(delay)), too_long);
        assert_eq!(director.refused(&tournament(delay)), too_long);
    }
    let nowhere = Order::SetBoardDelay { section: "open".into(), board: 0, delay: None };
    assert!(director.refused(&nowhere).starts_with("A board number is between 1 and"));
}

#[test]
fn results_of_games_without_moves_are_shown() {
    let mut director = Director::new();
    director.section("open", 1);
    let mut settings = director.hall.section("open").unwrap().settings.clone();
    (settings.boardless_games, settings.forfeits) = (true, true);
    director.order(Order::SetSection { section: "open".into(), settings, confirm: true });
    // Typed or loaded before the round is public.
    director.load("open", "1;1;Adams;Baker;1-0, 1;2;Clark;Davis;0-0, 1;3;Evans;Frank;- - -, 1;4;Green;Hill;");
    director.order(publish("open", 1));
    let shown = |director: &Director, board: u32| {
        let game = &director.games[&format!("open-1-{board}")];
        (game.shown_result(), game.to_pgn().tags.get("Result").map(str::to_owned))
    };
    let both_lost = ("0-0", Some("0-0".to_owned()));
    assert_eq!(shown(&director, 1), ("1-0", None));
    assert_eq!((shown(&director, 2), shown(&director, 3)), (both_lost.clone(), both_lost.clone()));
    // And after.
    let phones = Some("both phones rang".to_owned());
    director.order(Order::SetResult { game: "open-1-4".into(), result: "0-0".into(), reason: phones, confirm: false });
    assert_eq!(shown(&director, 4), both_lost);
    assert_eq!(director.games["open-1-4"].reason(), "0-0, both phones rang");
    director.order(Order::SetResult { game: "open-1-4".into(), result: "*".into(), reason: None, confirm: false });
    assert_eq!(shown(&director, 4).0, "*");
}

#[test]
fn only_an_https_address_is_the_video_of_an_event() {
    let mut director = Director::new();
    let set = |video: &str| {
        let settings = SectionSettings { video: Some(video.into()), ..SectionSettings::named("Open") };
        Order::SetSection { section: "open".into(), settings, confirm: false }
    };
    let video = |director: &Director| director.hall.section("open").unwrap().settings.video.clone();
    director.order(set(" https://video.example/watch?v=1&t=2#a "));
    assert_eq!(video(&director).as_deref(), Some("https://video.example/watch?v=1&t=2#a"));
    let long = format!("https://video.example/{}", "a".repeat(500));
    for wrong in [
        "http://video.example/",
        "javascript:alert(1)",
        "https://",
        "https:///x",
        "https://me:secret@video.example/",
        "https://video.example/\" onclick=\"x",
        "https://video.example/<script>",
        "https://video.example/a b",
        "https://vidéo.example/",
        &long,
    ] {
        assert!(director.refused(&set(wrong)).contains("begins with https://"), "{wrong}");
    }
    director.order(set("  "));
    assert_eq!(video(&director), None);
}

#[test]
fn a_pairing_whose_pieces_stand_ready_is_shown_before_its_game_begins() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.start(1);
    let decision = director.order(publish("open", 1));
    let of_game = decision.games.iter().filter(|(at, _)| &*at.game == "open-1-1").flat_map(|(_, events)| events);
    let told: Vec<_> = of_game.take(3).collect();
    let [Event::Tags { tags: paired }, Event::GameStarted { .. }, Event::Tags { .. }] = told.as_slice() else {
        panic!("{told:?}")
    };
    assert_eq!((paired["White"].as_str(), paired.get("Date")), ("Adams", None), "the day is that of its start");
}
