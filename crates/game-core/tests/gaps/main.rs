//! Moves that went unseen and that nothing explains: the game goes on from what stands on the board, its record has a gap there, and
//! a person gives the moves later. A board may keep a log of them.

mod board;
mod logs;

use game_core::event::Event;
use game_core::game::{Edit, EditError, EnteredMove, Game};
use game_core::input::{Assign, Attach, Detach, DoubtRule, Doubting, Input, Notice, Order};
use game_core::session::BoardSession;
use notation::pgn::Outcome;
use shakmaty::{Chess, Position, Square};

use board::{Board, after, dump, kings_at};

const BEFORE: &str = "e4 e5 Nc3 Nc6 d3 d6 a3 a6";

/// A position that no moves lead to from there: the pawn is back on e2.
fn stands_there() -> Chess {
    after(Chess::default(), "d3 e5 Nc3 Nc6 a3 d6 Nf3 a6")
}

fn uci(moves: &[&str]) -> Vec<String> {
    moves.iter().map(|uci| (*uci).to_owned()).collect()
}

#[test]
fn a_game_goes_on_when_two_moves_of_each_player_are_legal_from_what_stands_there() {
    let mut board = Board::new();
    board.play(Chess::default(), BEFORE);
    board.out_of_sight(&stands_there());
    let on = board.play(stands_there(), "g3 g6 h3 h6 b3");
    let [gap] = board.game.gaps() else { panic!("{:?}", board.events) };
    assert_eq!(
        (gap.after_ply, gap.fen.split(' ').next()),
        (8, Some("r1bqkbnr/1pp2ppp/p1np4/4p3/8/P1NP1N2/1PP1PPPP/R1BQKB1R"))
    );
    assert_eq!(board.moves(), format!("{BEFORE} g3 g6 h3 h6 b3"));
    assert_eq!(board.game.position().board(), on.board());
    assert!(!board.game.unexplained() && !board.events.contains(&Event::GameEnded), "{:?}", board.events);
    let pgn = board.pgn();
    assert!(pgn.contains("1. e4") && pgn.contains("Moves went unseen here") && !pgn.contains("g3"), "{pgn}");
    assert!(!pgn.contains("illegal"), "{pgn}");
}

#[test]
fn what_stood_before_an_illegal_move_is_put_back_and_what_was_played_from_it_is_no_part_of_the_game() {
    let mut board = Board::new();
    let known = board.play(Chess::default(), BEFORE);
    board.out_of_sight(&stands_there());
    board.play(stands_there(), "g3 g6 h3 h6 b3");
    assert_eq!(board.game.gaps().len(), 1, "{:?}", board.events);
    board.show(&known);
    let on = board.play(known, "Nf3 Nf6 Bg5 Be7 h4");
    assert_eq!(board.moves(), format!("{BEFORE} Nf3 Nf6 Bg5 Be7 h4"), "{:?}", board.events);
    assert_eq!(board.game.position().board(), on.board());
    assert!(board.game.gaps().is_empty() && !board.game.unexplained(), "{:?}", board.events);
}

#[test]
fn so_it_is_after_a_restart_and_where_a_person_has_filled_a_later_gap() {
    for filled in [false, true] {
        let mut board = Board::new();
        let known = board.play(Chess::default(), BEFORE);
        board.out_of_sight(&stands_there());
        let on = board.play(stands_there(), "g3 g6 h3 h6 b3");
        if filled {
            let lost = |position: &Chess| after(position.clone(), "b6 Bg2 Bg7 O-O");
            board.out_of_sight(&lost(&on));
            board.order(Order::GoOn);
            board.play(lost(&on), "Nf6 Re1");
            let gap = board.game.gaps().last().unwrap().after_ply.try_into().unwrap();
            let moves = uci(&["b7b6", "f1g2", "f8g7", "e1g1", "g8f6", "f1e1"]);
            board.order(Order::FillGap { after: gap, moves });
        } else {
            let resume = board.session.to_resume().unwrap();
            board.session = BoardSession::new();
            board.notice(Notice::Resume(resume));
            board.show(&on);
        }
        assert_eq!(board.game.gaps().len(), 1, "{:?}", board.events);
        board.show(&known);
        board.play(known, "Nf3 Nf6");
        assert_eq!(board.moves(), format!("{BEFORE} Nf3 Nf6"), "{:?}", board.events);
        assert!(board.game.gaps().is_empty(), "{:?}", board.events);
    }
}

#[test]
fn the_record_of_a_game_that_ended_out_of_sight_says_where_it_stops() {
    let mut board = Board::new();
    let known = board.play(Chess::default(), BEFORE);
    let mut whole = board.clone();
    let unseen = after(known.clone(), "Nf3 Nf6 Bg5 Be7 h4");
    for (board, shown, stops) in [
        (&mut whole, kings_at(&known, Square::E4, Square::D5), false),
        (&mut board, kings_at(&unseen, Square::E4, Square::D5), true),
    ] {
        board.board_out_of_sight(&shown);
        board.wait(60_000);
        let result = Event::Result { result: Outcome::WhiteWins, reason: "kings in the centre".to_owned() };
        assert!(board.events.contains(&result), "{:?}", board.events);
        let pgn = board.pgn().replace('\n', " ");
        assert_eq!(board.moves(), BEFORE);
        assert_eq!(
            pgn.contains("The record stops here: the game went on with moves that were not seen"),
            stops,
            "{pgn}"
        );
    }
}

#[test]
fn a_result_that_was_shown_out_of_reach_is_told_although_the_next_game_is_set_up_a_moment_later() {
    let mut board = Board::new();
    let known = board.play(Chess::default(), BEFORE);
    // More plies than can be taken back: the start is a new game.
    let known = board.play(known, "Nf3 Nf6 Bg5 Be7 h4 h5 Be2 Bd7 Rb1 Rb8 Qd2 Qc8");
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.show_board(&kings_at(&known, Square::E4, Square::D5));
    board.within_reach = true;
    board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
    board.wait(1_000);
    board.show(&Chess::default());
    let result = Event::Result { result: Outcome::WhiteWins, reason: "kings in the centre".to_owned() };
    assert!(board.events.contains(&result), "{:?}", board.events);
}

#[test]
fn by_order_it_goes_on_at_once() {
    let mut board = Board::new();
    board.play(Chess::default(), BEFORE);
    board.out_of_sight(&stands_there());
    board.order(Order::GoOn);
    assert_eq!(board.game.gaps().len(), 1, "{:?}", board.events);
    board.play(stands_there(), "g3 g6");
    assert_eq!(board.moves(), format!("{BEFORE} g3 g6"));
    assert_eq!(board.game.gaps().len(), 1, "{:?}", board.events);
}

#[test]
fn what_is_public_stays_over_a_restart_after_a_gap() {
    let mut board = Board::new();
    board.play(Chess::default(), BEFORE);
    board.out_of_sight(&stands_there());
    let on = board.play(stands_there(), "g3 g6 h3 h6 b3");
    let before = board.moves();
    let resume = board.session.to_resume().unwrap();
    assert_eq!(resume.gaps.len(), 1);
    board.session = BoardSession::new();
    board.events.clear();
    board.notice(Notice::Resume(resume));
    board.show(&on);
    board.play(on, "b6 Bg2");
    assert_eq!(board.moves(), format!("{before} b6 Bg2"));
    let kept = |event: &Event| !matches!(event, Event::Retract { .. } | Event::GameEnded | Event::GameStarted { .. });
    assert!(board.events.iter().all(kept), "{:?}", board.events);
}

#[test]
fn a_game_whose_pieces_were_put_back_unseen_keeps_its_moves() {
    for restart in [true, false] {
        let mut board = Board::new();
        board.play(Chess::default(), BEFORE);
        board.events.clear();
        if restart {
            let resume = board.session.to_resume().unwrap();
            board.session = BoardSession::new();
            board.notice(Notice::Resume(resume));
            board.shown = dump(&Chess::default());
            board.notice(Notice::Attach(Attach::default()));
        } else {
            board.out_of_sight(&Chess::default());
        }
        board.show(&Chess::default());
        let retracted = board.events.iter().any(|event| matches!(event, Event::Retract { .. }));
        assert!(!retracted && board.events.contains(&Event::GameEnded), "{:?}", board.events);
        board.play(Chess::default(), "d4 d5");
        assert_eq!(board.moves(), "d4 d5", "the next game");
    }
}

#[test]
fn a_person_gives_the_unseen_moves_in_one_order() {
    let mut board = Board::new();
    let e4 = board.play(Chess::default(), "e4 e5");
    let unseen = after(e4, "Nf3 Nc6");
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
    (board.shown, board.within_reach) = (dump(&unseen), true);
    // Before the search has told the only line, a person orders to go on.
    board.session.handle_input(board.now, &Input::Bytes(dump(&unseen)));
    board.order(Order::GoOn);
    board.play(unseen, "Bc4 Bc5 d3 d6");
    let gap = board.game.gaps()[0].after_ply;
    assert_eq!(gap, 2);
    let entered = |san: &&str| EnteredMove { text: (*san).to_owned(), ..EnteredMove::default() };
    let fill = |sans: &[&str]| Edit::fill(2, sans.iter().map(entered).collect());
    let elsewhere = board.game.check_edit(&fill(&["Nf3", "Nf6"])).unwrap_err();
    assert!(matches!(elsewhere, EditError::LeadsElsewhere { after: 2, last: 4, .. }), "{elsewhere:?}");
    let illegal = board.game.check_edit(&fill(&["Nf3", "Nc3"])).unwrap_err();
    assert!(matches!(illegal, EditError::Entered { ply: 4, .. }), "{illegal:?}");
    let nowhere = board.game.check_edit(&Edit::fill(1, Vec::new())).unwrap_err();
    assert!(matches!(nowhere, EditError::NoGap { after: 1 }), "{nowhere:?}");
    let before = board.game.check_edit(&Edit::delete(1)).unwrap_err();
    assert!(matches!(before, EditError::BeforeGap { after: 2 }), "{before:?}");
    // As events for a game that is over, and as an order for one that is played.
    let mut over = board.game.clone();
    for event in board.game.check_edit(&fill(&["Nf3", "Nc6"])).unwrap() {
        assert!(over.apply(&event), "{event:?}");
    }
    let whole = "e4 e5 Nf3 Nc6 Bc4 Bc5 d3 d6";
    let sans = |game: &Game| game.moves().iter().map(|mv| mv.san.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!((sans(&over).as_str(), over.gaps().len()), (whole, 0));
    let moves = uci(&["g1f3", "b8c6", "f1c4", "f8c5", "d2d3", "d7d6"]);
    board.order(Order::FillGap { after: 2, moves });
    assert_eq!((board.moves().as_str(), board.game.gaps().len()), (whole, 0), "{:?}", board.events);
    let on = after(Chess::default(), whole);
    board.play(on, "O-O Nf6");
    assert!(board.moves().starts_with(&format!("{whole} O-O")), "{}", board.moves());
}

#[test]
fn equal_lines_wait_as_long_as_the_section_says() {
    for (rule, wait_s, told) in
        [(DoubtRule::Likely, 120, 5), (DoubtRule::Likely, 600, 2), (DoubtRule::Confirmed, 120, 2)]
    {
        let mut board = Board::new();
        let doubting = Doubting { rule, wait_s };
        board.notice(Notice::Assign(Assign { doubting, ..Assign::default() }));
        board.play(Chess::default(), "e4 e5");
        // Either knight's move may have been the first one.
        board.out_of_sight(&after(Chess::default(), "e4 e5 Nc3 h6 Nf3"));
        board.wait(30_000);
        assert_eq!((board.session.doubts().candidates.len(), board.game.moves().len()), (2, 2), "{rule:?} {wait_s}");
        board.wait(240_000);
        assert_eq!(board.game.moves().len(), told, "{rule:?} {wait_s}");
    }
}

#[test]
fn a_ply_just_before_the_board_gets_out_of_reach_is_told_once_the_board_shows_it_again() {
    let mut board = Board::new();
    let e4 = board.play(Chess::default(), "e4");
    let e5 = after(e4, "e5");
    board.shown = dump(&e5);
    board.session.handle_input(board.now, &Input::Bytes(board.shown.clone()));
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.wait(60_000);
    assert_eq!(board.moves(), "e4", "the hand may have gone on: {:?}", board.events);
    board.within_reach = true;
    board.notice(Notice::Attach(Attach::default()));
    assert_eq!(board.moves(), "e4 e5", "{:?}", board.events);
}

#[test]
fn a_result_soon_after_moves_that_nothing_explains_leaves_a_gap_in_the_record() {
    let mut board = Board::new();
    board.play(Chess::default(), BEFORE);
    board.out_of_sight(&stands_there());
    let last = board.play(stands_there(), "g3 g6");
    board.show_board(&kings_at(&last, Square::E4, Square::D5));
    board.wait(60_000);
    assert_eq!(board.game.to_pgn().outcome, Outcome::WhiteWins, "{:#?}", board.events);
    assert_eq!(board.moves(), BEFORE);
    let [gap] = board.game.gaps() else { panic!("{:#?}", board.events) };
    assert_eq!((gap.after_ply, gap.fen.split(' ').next()), (8, Some(&*last.board().to_string())));
    assert!(board.pgn().contains("Moves went unseen here"), "{}", board.pgn());
}

#[test]
fn a_result_that_stands_on_the_board_when_the_daemon_ends_is_told_before() {
    let mut board = Board::new();
    let last = board.play(Chess::default(), "a3 a6");
    board.show_board(&kings_at(&last, Square::E4, Square::D5));
    let result = Event::Result { result: Outcome::WhiteWins, reason: "kings in the centre".to_owned() };
    assert!(!board.events.contains(&result), "it could still be undone");
    board.session.handle_input(board.now, &Input::Notice(Notice::End {}));
    board.drain();
    assert!(board.events.contains(&result), "{:?}", board.events);
}

/// A game with captures on both sides.
const LONG: &str = "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 Bg4 h3 Bxf3 Qxf3 c6 Bd2 Nbd7";

#[test]
fn the_next_game_that_begins_out_of_reach_is_a_game_of_its_own() {
    let mut board = Board::new();
    board.play(Chess::default(), LONG);
    let next = after(Chess::default(), "d4 d5");
    board.out_of_sight(&next);
    let on = board.play(next, "c4 e6 Nc3 Nf6");
    assert!(board.events.contains(&Event::GameEnded), "{:#?}", board.events);
    assert_eq!(board.moves(), "d4 d5 c4 e6 Nc3 Nf6", "{:#?}", board.events);
    assert_eq!((board.game.position().board(), board.game.gaps().len()), (on.board(), 0));
    assert!(!board.events.iter().any(|event| matches!(event, Event::Retract { .. })), "{:#?}", board.events);
}

#[test]
fn where_more_pieces_stand_than_the_game_can_have_another_one_goes_on() {
    let mut board = Board::new();
    board.play(Chess::default(), LONG);
    let next = after(Chess::default(), "Nf3 Nf6 c4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7 O-O O-O d3 d6 a3 a6 Rb1 Rb8");
    board.out_of_sight(&next);
    board.play(next, "b4 cxb4 axb4 b5");
    assert!(board.events.contains(&Event::GameEnded), "{:#?}", board.events);
    assert_eq!((&*board.moves(), board.game.gaps().len()), ("b4 cxb4 axb4 b5", 0), "{:#?}", board.events);
}

/// Which of White's moves came first is open for two minutes, and all that follows waits for it.
#[test]
fn a_game_that_a_person_ends_while_the_order_of_its_first_moves_is_open_has_its_moves() {
    let mut board = Board::new();
    board.out_of_sight(&after(Chess::default(), "Nf3 d5 e4"));
    board.play(after(Chess::default(), "Nf3 d5 e4"), "e6 d4 Nf6");
    assert_eq!(board.moves(), "", "it is not known yet");
    board.order(Order::Result { result: "1-0".to_owned(), reason: None });
    let moves = board.moves();
    assert!(["Nf3 d5 e4 e6 d4 Nf6", "e4 d5 Nf3 e6 d4 Nf6"].contains(&moves.as_str()), "{moves}");
}
