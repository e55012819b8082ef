//! Corrections, and corrections taken back.

use super::*;

/// A game of six plies on board 1 that is being played, and another without a board.
fn director() -> Director {
    let mut director = Director::new();
    director.section("open", 1);
    director.load("open", "1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.seat(1);
    director.order(publish("open", 1));
    director.start(1);
    director.play(1, "e4 e5 Nf3 Nc6 Bb5 a6");
    director
}

fn edit(edit: MoveEdit) -> Order {
    Order::EditMoves { game: "open-1-1".into(), edit, cut: false }
}

fn played(san: &str) -> EnteredMove {
    EnteredMove { san: san.into(), clk_ms: None, emt_ms: None }
}

/// The game is over on its board.
fn over(director: &mut Director) {
    director.result(1, "1-0");
    director.start(1);
}

#[test]
fn a_forfeit_of_a_game_with_moves_is_asked_about() {
    let mut director = Director::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    director.order(publish("open", 1));
    director.start(1);
    let absent = |game: &str, confirm| {
        let (game, result) = (game.into(), "+ - -".into());
        Order::SetResult { game, result, reason: None, confirm }
    };
    director.order(absent("open-1-1", false));
    director.order(Order::Undo { number: director.hall.corrections.len() as u32 });
    director.play(1, "e4 e5");
    let asked = director.refused(&absent("open-1-1", false));
    assert!(
        asked.contains("Game open-1-1 (round 1, table 1) has moves (2): + - - says that it was not played."),
        "{asked}"
    );
    director.order(absent("open-1-1", true));
    let number = director.hall.corrections.len() as u32;
    director.order(absent("open-1-2", false));
    director.order(Order::Undo { number });
    director.order(Order::Undo { number: director.hall.corrections.len() as u32 });
    assert_eq!(director.state("open-1-1"), PairingState::Forfeit, "an undo asks nothing");
}

#[test]
fn a_running_game_is_corrected_through_its_session_and_a_finished_one_in_one_step() {
    let mut director = director();
    let replace = edit(MoveEdit::Replace { ply: 5, played: played("Bc4") });
    let decision = director.ask(&replace).unwrap();
    assert!(decision.games.is_empty(), "the session tells it");
    let [(board, Notice::Command(command))] = decision.boards.as_slice() else { panic!("{:?}", decision.boards) };
    let moves = vec!["f1c4".to_owned(), "a7a6".to_owned()];
    assert_eq!((&**board, &command.order), ("10001", &BoardOrder::Moves { keep: 4, moves }));

    over(&mut director);
    let decision = director.order(replace);
    let [(_, events)] = decision.games.as_slice() else { panic!("{:?}", decision.games) };
    assert!(matches!(events.as_slice(), [Event::Retract { to_ply: 4 }, Event::Move { .. }, Event::Move { .. }]));
    assert_eq!(director.moves("open-1-1"), ["e4", "e5", "Nf3", "Nc6", "Bc4", "a6"]);
    assert_eq!(director.games["open-1-1"].moves()[5].clk_ms, Some(294_000), "later clocks stay");
}

#[test]
fn an_edit_that_makes_a_later_move_illegal_says_which_and_offers_the_cut() {
    let mut director = director();
    over(&mut director);
    let replace = || MoveEdit::Replace { ply: 1, played: played("d4") };
    assert!(
        director.refused(&edit(replace())).starts_with("After this correction Bb5 (ply 5) is not possible any more")
    );
    assert!(
        director
            .refused(&edit(MoveEdit::Delete { ply: 1 }))
            .starts_with("After this correction e5 (ply 2) is not possible any more")
    );
    director.order(Order::EditMoves { game: "open-1-1".into(), edit: replace(), cut: true });
    assert_eq!(director.moves("open-1-1"), ["d4", "e5", "Nf3", "Nc6"]);
    director.order(Order::Undo { number: 2 });
    assert_eq!(director.moves("open-1-1"), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
}

#[test]
fn a_player_who_was_added_by_mistake_leaves_without_a_trace_unless_the_player_is_in_a_round() {
    let mut director = director();
    let before = (director.hall.sections.clone(), director.persons.clone());
    let add = |name: &str| {
        let person = Person { name: name.into(), ..Person::default() };
        Order::AddPlayer { section: "open".into(), person, number: None }
    };
    director.order(add("Late, Lena"));
    let lena = director.player("Late, Lena");
    let number = director.hall.corrections.len() as u32;
    let entered = Persons::clone(&director.persons);
    director.order(Order::Undo { number });
    assert_eq!((&director.hall.sections, &director.persons), (&before.0, &before.1));
    assert!(entered.get(lena).is_some() && director.persons.get(lena).is_none(), "the name is gone");
    let again = director.refused(&Order::Undo { number: number + 1 });
    assert!(again.contains("cannot be undone"), "{again}");

    director.order(add("Late, Lena"));
    let second = director.player("Late, Lena");
    assert_ne!(second, lena, "facts about the first one are not about the second");
    let number = director.hall.corrections.len() as u32;
    let (section, kind) = ("open".to_owned(), Some(ByeKind::Half));
    director.order(Order::SetBye { section: section.clone(), round: 1, player: second, kind });
    let refused = director.refused(&Order::Undo { number });
    assert!(refused.contains("Late, Lena stays") && refused.contains("round 1"), "{refused}");
    director.order(Order::SetBye { section, round: 1, player: second, kind: None });
    director.order(Order::Undo { number });
    assert_eq!((&director.hall.sections, &director.persons), (&before.0, &before.1));

    let paired = director.player("Adams");
    assert!(director.refused(&Order::RemovePlayer { player: paired }).contains("Adams stays"));
}

#[test]
fn every_correction_is_taken_back_and_that_too() {
    let mut director = director();
    over(&mut director);
    let before = director.games["open-1-1"].clone();
    let game = || "open-1-1".to_owned();
    let (white, black) = (director.player("Baker"), director.player("Adams"));
    let orders = [
        edit(MoveEdit::Insert { ply: 7, played: played("Ba4") }),
        edit(MoveEdit::Cut { after: 2 }),
        edit(MoveEdit::Delete { ply: 6 }),
        Order::SetClock { game: game(), ply: 3, clk_ms: Some(1000), emt_ms: None },
        Order::SetResult { game: game(), result: "0-0".into(), reason: None, confirm: false },
        Order::SetTags { game: game(), tags: [("Annotator".to_owned(), "the arbiter".to_owned())].into() },
        Order::SetPlayers { game: game(), white: Some(white), black: Some(black), confirm: false },
        Order::Withdraw { game: game() },
        Order::SetPlayer { player: white, person: Person { name: "Becker".into(), ..Person::default() } },
        Order::SetDisplay { player: white, display: Display::Number },
    ];
    for order in orders {
        let (hall, persons) = (director.hall.clone(), director.persons.clone());
        director.order(&order);
        let changed = (director.games["open-1-1"].clone(), director.hall.game("open-1-1").unwrap().game.clone());
        let number = director.hall.corrections.len() as u32;
        director.order(Order::Undo { number });
        let found = director.hall.game("open-1-1").unwrap();
        assert_eq!(*found.game, *hall.game("open-1-1").unwrap().game, "{order:?}");
        assert_eq!(director.games["open-1-1"].to_pgn(), before.to_pgn(), "{order:?}");
        assert_eq!(director.persons, persons, "{order:?}");
        assert!(director.refused(&Order::Undo { number }).contains("already undone by correction"));
        if director.hall.corrections.last().unwrap().undo.is_some() {
            director.order(Order::Undo { number: number + 1 });
            let now = (director.games["open-1-1"].to_pgn(), director.hall.game("open-1-1").unwrap().game.clone());
            assert_eq!(now, (changed.0.to_pgn(), changed.1), "{order:?}");
            director.order(Order::Undo { number });
        }
    }
    assert!(director.refused(&Order::Undo { number: 999 }).contains("no correction"));
}

#[test]
fn the_history_says_with_codes_what_was_changed_and_what_was_undone() {
    let mut director = director();
    over(&mut director);
    let game = director.hall.game_text("open-1-1");
    assert_eq!((&*game.code, game.params["game"].clone()), ("game_at_table", "open-1-1".to_owned().into()));
    director.order(Order::Withdraw { game: "open-1-1".into() });
    director.order(Order::Undo { number: 2 });
    let lines: Vec<_> = director.hall.corrections.iter().map(|correction| (*correction.what).clone()).collect();
    let [_, withdrawn, undone] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(*withdrawn, CorrectionText::Withdrawn { game: game.clone() }.coded());
    assert_eq!(*undone, CorrectionText::Undone { number: 2, what: CorrectionText::Restored { game }.into() }.coded());
    assert_eq!(undone.to_string(), "correction 2 undone: open-1-1 (round 1, table 1): public again");

    director.order(Order::Note { what: CodedText::in_words("The hall was evacuated.") });
    let refusal = director.ask(&Order::Undo { number: 4 }).unwrap_err();
    assert_eq!(refusal.to_string(), "Correction 4 (The hall was evacuated.) cannot be undone.");
    assert_eq!(refusal.coded().params["what"], director.hall.corrections[3].what.clone().into());
}

#[test]
fn a_result_goes_through_the_session_while_it_has_the_game_and_says_how_it_ended() {
    let mut director = director();
    let lost_on_time = |result: &str| Order::SetResult {
        game: "open-1-1".into(),
        result: result.into(),
        reason: Some("time forfeit".into()),
        confirm: false,
    };
    let decision = director.ask(&lost_on_time("1-0")).unwrap();
    assert!(decision.games.is_empty() && decision.boards.len() == 1, "{decision:?}");
    director.result(1, "1-0");
    let at = director.hall.game_ref("open-1-1").unwrap();
    director.record_events(&at, &[Event::GameEnded]);
    let decision = director.order(lost_on_time("1-0"));
    assert!(decision.boards.is_empty(), "the session has let go of it");
    assert_eq!(director.games["open-1-1"].reason(), "time forfeit");
    director.order(Order::Undo { number: 2 });
    assert_eq!(director.games["open-1-1"].reason(), "kings in the centre");
}

#[test]
fn an_earlier_correction_is_not_taken_back_under_a_later_one() {
    let mut director = director();
    over(&mut director);
    director.order(Order::SetResult { game: "open-1-1".into(), result: "0-1".into(), reason: None, confirm: false });
    director.order(Order::SetResult {
        game: "open-1-1".into(),
        result: "1/2-1/2".into(),
        reason: None,
        confirm: false,
    });
    let refusal = director.ask(&Order::Undo { number: 2 }).unwrap_err();
    assert_eq!(
        (refusal.kind(), refusal.to_string().contains("Correction 3 changed the same thing later: undo it first.")),
        (RefusalKind::Stale, true)
    );
    director.order(Order::Undo { number: 3 });
    director.order(Order::Undo { number: 2 });
    assert_eq!(director.games["open-1-1"].result(), Outcome::WhiteWins);
    let plies = MoveEdit::Set { after: 0, moves: vec![played("c4")], instead_of: Some(5) };
    assert_eq!(
        director.ask(&edit(plies)).unwrap_err().kind(),
        RefusalKind::Stale,
        "the operator saw five plies of six"
    );
}

#[test]
fn a_game_without_a_board_is_entered_by_hand() {
    let mut director = director();
    let enter = |san: &str| Order::EditMoves {
        game: "open-1-2".into(),
        edit: MoveEdit::Set { after: 0, moves: san.split(' ').map(played).collect(), instead_of: None },
        cut: false,
    };
    assert!(!director.games.contains_key("open-1-2"), "it has no board and nobody wanted it public");
    assert!(director.refused(&enter("e4 e4")).contains("Ply 2: the move e4 is not legal"));
    director.order(enter("d4 Nf6 c4"));
    assert_eq!(director.games["open-1-2"].tags()["White"], "Clark");
    director.order(Order::SetResult { game: "open-1-2".into(), result: "1-0".into(), reason: None, confirm: false });
    assert_eq!(
        (director.state("open-1-2"), director.games["open-1-2"].result()),
        (PairingState::Finished, Outcome::WhiteWins)
    );
    over(&mut director);
    assert_eq!(director.round_state("open", 1), RoundState::Finished);
}

#[test]
fn a_source_that_corrects_the_start_alone_has_its_game_recorded_anew() {
    let mut director = director();
    let take = |start: Option<&str>| Order::TakeMoves {
        game: "open-1-2".into(),
        source: "hall-b".into(),
        moves: vec![EnteredMove { clk_ms: Some(5_400_000), ..played("e4") }, played("Kd7")],
        start: start.map(|fen| TakenStart { fen: fen.into(), variant: Variant::Standard }),
        result: Some("1-0".into()),
    };
    let (wrong, right) = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/3P4/4P3/4K3 w - - 0 1");
    director.order(take(Some(wrong)));
    assert_eq!(director.games["open-1-2"].fen(), wrong);
    let again = director.ask(&take(Some(wrong))).unwrap();
    assert!(again.games.is_empty() && again.facts.is_empty(), "the same answer changes nothing");
    let again = director.ask(&take(Some("4k3/8/8/8/8/8/4P3/4K3 w -"))).unwrap();
    assert!(again.games.is_empty() && again.facts.is_empty(), "nor does the same position without its numbers");
    director.order(take(Some(right)));
    let game = &director.games["open-1-2"];
    let moves: Vec<_> = game.moves().iter().map(|played| (played.san.to_string(), played.clk_ms)).collect();
    assert_eq!(game.fen(), right);
    assert_eq!(moves, [("e4".to_owned(), Some(5_400_000)), ("Kd7".to_owned(), None)]);
    assert_eq!((game.result(), game.tags()["White"].as_str()), (Outcome::WhiteWins, "Clark"));
    assert!(director.ask(&take(Some("8/8/8/8/8/8/8/8 w - - 0 1"))).is_err());
    assert!(director.refused(&take(None)).contains("not legal"), "the moves do not fit the usual start");
    assert_eq!(director.games["open-1-2"].fen(), right);
}

#[test]
fn nonsense_is_refused_and_changes_nothing() {
    let director = director();
    let game = || "open-1-1".to_owned();
    let tag = |name: &str| Order::SetTags { game: game(), tags: [(name.to_owned(), "x".to_owned())].into() };
    for (order, said) in [
        (
            Order::SetResult { game: game(), result: "2-0".into(), reason: None, confirm: false },
            "\"2-0\" is not a result",
        ),
        (tag("WhiteElo"), "follows from the pairing"),
        (tag("Result"), "follows from the pairing"),
        (tag("no tag"), "\"no tag\" is not the name of a tag"),
        (edit(MoveEdit::Delete { ply: 0 }), "ply 0 cannot be corrected"),
        (edit(MoveEdit::Cut { after: 99 }), "The game has 6 plies"),
        (Order::SetClock { game: game(), ply: 99, clk_ms: None, emt_ms: None }, "no move \"99\""),
        (Order::SetClock { game: game(), ply: 1, clk_ms: Some(u64::MAX), emt_ms: None }, "at most a day"),
        (Order::Restore { game: game() }, "Game open-1-1 (round 1, table 1) is not withdrawn."),
        (Order::Finish { section: "open".into(), round: 9 }, "no round \"9\""),
        (
            Order::SetSection { section: "Ö p".into(), settings: SectionSettings::named("x"), confirm: false },
            "A section's short name uses small letters, digits and single dashes, for example \"o-p\".",
        ),
        (
            Order::SetSection { section: "game".into(), settings: SectionSettings::named("x"), confirm: false },
            "A section's short name",
        ),
        (Order::Forget { player: PlayerId(99) }, "no player \"99\""),
    ] {
        let refused = director.refused(&order);
        assert!(refused.contains(said), "{order:?}: {refused}");
    }
}

#[test]
fn a_wrong_result_of_a_running_game_is_taken_back_and_the_game_goes_on_on_its_board() {
    for (wrong, ended) in [("1-0", false), ("1-0", true), ("0-0", false), ("- - +", true)] {
        let mut director = director();
        director.order(Order::SetResult {
            game: "open-1-2".into(),
            result: "1/2-1/2".into(),
            reason: None,
            confirm: false,
        });
        let decision = director.order(Order::SetResult {
            game: "open-1-1".into(),
            result: wrong.into(),
            reason: None,
            confirm: true,
        });
        let at = director.hall.game_ref("open-1-1").unwrap();
        if matches!(&decision.boards[..], [(_, Notice::Command(_))]) {
            // What the session says to it.
            director.record_events(&at, &[Event::Result { result: Outcome::WhiteWins, reason: "operator".into() }]);
        }
        if ended {
            director.facts_of(&follow(&director.hall, &at, &Event::GameEnded));
            director.record_events(&at, &[Event::GameEnded]);
        }
        assert_eq!(director.round_state("open", 1), RoundState::Finished, "{wrong}");
        let decision = director.order(Order::Undo { number: 3 });
        let [(board, Notice::Resume(resume))] = decision.boards.as_slice() else { panic!("{:?}", decision.boards) };
        assert_eq!((&**board, resume.game.as_str(), resume.result.as_str()), ("10001", "open-1-1", "*"), "{wrong}");
        assert_eq!((resume.moves.len(), resume.ended), (6, false));
        assert_eq!(director.state("open-1-1"), PairingState::Playing, "{wrong}");
        assert_eq!(director.round_state("open", 1), RoundState::Running, "{wrong}");
        assert!(director.games["open-1-1"].is_running(), "{wrong}");
        director.play(1, "Ba4");
        assert_eq!(director.moves("open-1-1").len(), 7);
        director.result(1, "0-1");
        assert_eq!(director.state("open-1-1"), PairingState::Finished);
    }
}

#[test]
fn that_a_game_goes_on_from_the_board_stands_in_the_history() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.order(publish("open", 1));
    director.start(1);
    director.play(1, "e4 e5");
    let decision = director.order(Order::GoOn { board: serial(1) });
    assert_eq!(decision.boards.len(), 1);
    let [Fact::Corrected(correction)] = &decision.facts[..] else { panic!("{:?}", decision.facts) };
    let what = "open-1-1 (round 1, table 1): goes on from what stands on the board, moves unseen after ply 2";
    assert_eq!((&*correction.what.english, correction.game.as_deref()), (what, Some("open-1-1")));
    let refused = director.refused(&Order::Undo { number: correction.number });
    assert!(refused.contains("cannot be undone"), "{refused}");
}
