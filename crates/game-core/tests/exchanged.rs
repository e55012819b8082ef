//! Boards, cables or players that were exchanged while games are played: what another table plays is no part of a game.

#[path = "support/small_board.rs"]
mod small_board;

use dgt_protocol::{
    ClockMessage, ClockTimes, Command, EventLog, Field, LogEvent, Message, PieceCode, SerialNumber, SideTime,
};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Attach, Detach, Input, Notice, ShowsOther};
use game_core::session::Output;
use shakmaty::{Chess, Position, Square};
use small_board::{SmallBoard, fields, positions};

const OWN: &str = "d4 d5 c4 e6 Nc3 Nf6";
const OTHER: &str = "e4 e5 Nf3 Nc6 Bb5 a6";
const OTHER_GOES_ON: &str = "Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6";

/// A board with its serial number, on which the game has been played so far.
fn in_play() -> SmallBoard {
    let mut board = SmallBoard::new(&Chess::default(), Game::new());
    let serial = Some("11001".to_owned());
    board.input(&Input::Notice(Notice::Attach(Attach { serial, ..Attach::default() })));
    board.dump();
    clock(&mut board, 0, true);
    play(&mut board, &Chess::default(), OWN);
    assert_eq!(board.moves(), OWN);
    board
}

/// A reading of a clock at which so many moves were made.
fn clock(board: &mut SmallBoard, moves: u32, white_to_move: bool) {
    clock_shows(board, [moves.div_ceil(2), moves / 2].map(|spent| 3_600 - 10 * spent), white_to_move);
}

fn clock_shows(board: &mut SmallBoard, seconds: [u32; 2], white_to_move: bool) {
    let [left, right] = seconds.map(SideTime::from_seconds);
    let times = ClockTimes { left, right, running: true, right_side_up: !white_to_move, ..ClockTimes::default() };
    board.input(&Input::Bytes(Message::Clock(ClockMessage::Times(times)).encode()));
}

/// Players make these moves, each with its press.
fn play(board: &mut SmallBoard, from: &Chess, moves: &str) {
    for position in positions(from, moves) {
        board.change(&fields(&position));
        let made = 2 * u32::from(position.fullmoves()) - 2 + u32::from(position.turn().is_black());
        clock(board, made, position.turn().is_white());
        for _ in 0..5 {
            clock(board, made, position.turn().is_white());
        }
    }
}

fn after(moves: &str) -> Chess {
    positions(&Chess::default(), moves).pop().unwrap_or_default()
}

fn field(square: Square) -> Field {
    board_sim::placement::field(square, false).unwrap()
}

fn serial(board: &mut SmallBoard, number: &str) {
    let serial = SerialNumber::new(number).unwrap();
    board.input(&Input::Bytes(Message::Serial(serial).encode()));
}

fn asked_for_serial(board: &SmallBoard) -> usize {
    board.told().filter(|output| **output == Output::Send(Command::Serial)).count()
}

fn ended_or_gone_on(board: &SmallBoard) -> bool {
    board.events().any(|event| matches!(event, Event::Gap { .. } | Event::GameEnded | Event::Retract { .. }))
}

/// The cables of two boards are exchanged, their lines stay open.
#[test]
fn what_another_board_says_on_the_line_is_not_used() {
    let mut board = in_play();
    let asked = asked_for_serial(&board);
    board.wait(4_000);
    assert!(asked_for_serial(&board) > asked, "a board that was silent is not asked who it is");
    let next = after(&format!("{OWN} Bg5"));
    serial(&mut board, "11002");
    assert_eq!(board.other_board(), None, "one answer may be damaged");
    // Its position is one that the own game could have.
    board.change(&fields(&next));
    clock(&mut board, 7, false);
    board.dump();
    serial(&mut board, "11002");
    assert_eq!(board.other_board(), Some("11002"));
    board.dump();
    clock(&mut board, 7, false);
    board.wait(60_000);
    assert_eq!(board.moves(), OWN);
    // The right board is found again.
    board.input(&Input::Notice(Notice::Attach(Attach { serial: Some("11001".into()), ..Attach::default() })));
    board.dump();
    for _ in 0..20 {
        clock(&mut board, 7, false);
    }
    assert_eq!((board.other_board(), &*board.moves()), (None, &*format!("{OWN} Bg5")));
}

/// The cables are exchanged so fast that no silence is noticed: a piece moves on the other board, and its clock is pressed, before
/// it shows its position and is asked who it is. The own board's log goes on after what it said itself.
#[test]
fn what_another_board_said_before_it_was_asked_is_forgotten() {
    const UNSEEN: &str = "a3 a6 h3";
    let mut board = in_play();
    serial(&mut board, "11001");
    let lifted = Message::FieldUpdate { field: field(Square::G7), piece: PieceCode::Empty };
    board.input(&Input::Bytes(lifted.encode()));
    clock(&mut board, 8, false);
    board.fields = fields(&after(&format!("{OTHER} Ba4")));
    board.dump();
    serial(&mut board, "11002");
    serial(&mut board, "11002");
    assert_eq!(board.other_board(), Some("11002"));
    board.input(&Input::Notice(Notice::Detach(Detach::default())));
    let went_on = format!("{OWN} {UNSEEN}");
    board.fields = fields(&after(&went_on));
    board.input(&Input::Notice(Notice::Attach(Attach { serial: Some("11001".into()), ..Attach::default() })));
    board.dump();
    board.input(&Input::Bytes(Message::Log(log_of(&went_on)).encode()));
    for _ in 0..10 {
        clock(&mut board, 9, false);
    }
    assert_eq!(board.moves(), went_on);
    assert!(!ended_or_gone_on(&board));
}

/// What a board logs while these moves are made.
fn log_of(moves: &str) -> EventLog {
    let mut stood = fields(&Chess::default());
    let mut log = Vec::new();
    for position in positions(&Chess::default(), moves) {
        for (field, piece) in Field::all().zip(fields(&position)) {
            if std::mem::replace(&mut stood[field.index()], piece) != piece {
                log.push(LogEvent::Field { field, piece, within_250ms: false });
            }
        }
    }
    log.into_iter().collect()
}

/// The other board showed its position before it was asked who it is.
#[test]
fn what_another_board_showed_on_the_line_keeps_nothing_back_afterwards() {
    let mut board = in_play();
    board.fields = fields(&after(OTHER));
    let asked = asked_for_serial(&board);
    board.dump();
    assert!(asked_for_serial(&board) > asked, "a board that shows something else is not asked who it is");
    board.input(&Input::Notice(Notice::ShowsOther(ShowsOther { game: "open-1-2".into() })));
    serial(&mut board, "11002");
    serial(&mut board, "11002");
    assert_eq!((board.other_board(), board.shows_other()), (Some("11002"), None));
    board.input(&Input::Notice(Notice::Detach(Detach::default())));
    let went_on = format!("{OWN} Bg5 Be7 e3 O-O");
    board.fields = fields(&after(&went_on));
    board.input(&Input::Notice(Notice::Attach(Attach { serial: Some("11001".into()), ..Attach::default() })));
    board.dump();
    for _ in 0..10 {
        clock(&mut board, 10, true);
    }
    play(&mut board, &after(&went_on), "Nf3 h6 Bh4");
    assert_eq!(board.moves(), format!("{went_on} Nf3 h6 Bh4"));
}

/// The pieces of the other board stand at the start: the own game has not ended, and no next one begins.
#[test]
fn the_start_position_of_another_board_ends_no_game() {
    let mut board = in_play();
    let asked = asked_for_serial(&board);
    board.fields = fields(&Chess::default());
    board.dump();
    assert!(asked_for_serial(&board) > asked, "a board that shows what no hands can have made is not asked who it is");
    serial(&mut board, "11002");
    serial(&mut board, "11002");
    board.input(&Input::Notice(Notice::Detach(Detach::default())));
    board.fields = fields(&after(OWN));
    board.input(&Input::Notice(Notice::Attach(Attach { serial: Some("11001".into()), ..Attach::default() })));
    board.dump();
    for _ in 0..10 {
        clock(&mut board, 6, true);
    }
    play(&mut board, &after(OWN), "Bg5 Be7 e3");
    assert_eq!(board.moves(), format!("{OWN} Bg5 Be7 e3"));
    assert!(!ended_or_gone_on(&board));
}

/// The same dump from a board that says who it is, and from one that does not answer.
#[test]
fn what_no_hands_can_have_made_is_used_once_the_board_has_answered_or_does_not_answer() {
    for answers in [true, false] {
        let mut board = in_play();
        board.fields = fields(&Chess::default());
        board.dump();
        if answers {
            serial(&mut board, "11001");
        }
        board.dump();
        let started = board.events().filter(|event| matches!(event, Event::GameStarted { .. })).count();
        assert_eq!(started, 2, "{answers}");
    }
}

#[test]
fn a_damaged_answer_costs_no_move() {
    let mut board = in_play();
    board.wait(4_000);
    serial(&mut board, "11009");
    board.change(&fields(&after(&format!("{OWN} Bg5"))));
    serial(&mut board, "11001");
    board.dump();
    for _ in 0..20 {
        clock(&mut board, 7, false);
    }
    assert_eq!((board.other_board(), &*board.moves()), (None, &*format!("{OWN} Bg5")));
}

/// The players of two tables go on at each other's board, or the boards were carried to each other's table.
#[test]
fn the_game_of_another_table_is_no_part_of_the_own_one() {
    for told in [false, true] {
        let mut board = in_play();
        board.change(&fields(&after(OTHER)));
        if told {
            board.input(&Input::Notice(Notice::ShowsOther(ShowsOther { game: "open-1-2".into() })));
            assert_eq!(board.shows_other(), Some("open-1-2"));
        }
        play(&mut board, &after(OTHER), OTHER_GOES_ON);
        board.wait(300_000);
        // Without that notice the game would go on with the moves of the other one.
        assert_eq!(ended_or_gone_on(&board), !told);
        if !told {
            continue;
        }
        assert_eq!(board.moves(), OWN);
        board.change(&fields(&after(OWN)));
        board.wait(3_000);
        assert_eq!(board.shows_other(), None);
        clock(&mut board, 6, true);
        play(&mut board, &after(OWN), "Bg5 Be7 e3");
        assert_eq!(board.moves(), format!("{OWN} Bg5 Be7 e3"));
        assert!(!ended_or_gone_on(&board));
    }
}

/// On a busy computer two tables with one opening are compared with a record that is plies old, and with what stood there then.
#[test]
fn a_board_that_its_own_game_explains_shows_no_other_one_whatever_was_seen_before() {
    let mut board = in_play();
    play(&mut board, &after(OWN), "Bg5 Be7");
    board.input(&Input::Notice(Notice::ShowsOther(ShowsOther { game: "open-1-2".into() })));
    assert_eq!(board.shows_other(), None);
    // A ply is being made.
    let lifted = Message::FieldUpdate { field: field(Square::E2), piece: PieceCode::Empty };
    board.fields[field(Square::E2).index()] = PieceCode::Empty;
    board.input(&Input::Bytes(lifted.encode()));
    board.input(&Input::Notice(Notice::ShowsOther(ShowsOther { game: "open-1-2".into() })));
    assert_eq!(board.shows_other(), None);
    play(&mut board, &after(&format!("{OWN} Bg5 Be7")), "e3 O-O Nf3");
    assert_eq!(board.moves(), format!("{OWN} Bg5 Be7 e3 O-O Nf3"));
    assert!(!ended_or_gone_on(&board));
}

/// A move is made, the cables are exchanged, and the other clock is pressed before the board is asked who it is.
#[test]
fn a_move_has_no_time_of_another_clock() {
    let mut board = in_play();
    serial(&mut board, "11001");
    let next = format!("{OWN} Bg5");
    board.change(&fields(&after(&next)));
    clock_shows(&mut board, [3_565, 3_570], false);
    clock_shows(&mut board, [3_565, 3_569], false);
    assert_eq!(board.moves(), next);
    assert_eq!(board.game.moves()[6].clk_ms, Some(3_565_000), "the other clock cannot be told from the own one yet");
    board.fields = fields(&after(OTHER));
    board.dump();
    serial(&mut board, "11002");
    serial(&mut board, "11002");
    assert_eq!(board.game.moves()[6].clk_ms, None);
    board.input(&Input::Notice(Notice::Detach(Detach::default())));
    board.fields = fields(&after(&next));
    board.input(&Input::Notice(Notice::Attach(Attach { serial: Some("11001".into()), ..Attach::default() })));
    board.dump();
    for _ in 0..5 {
        clock(&mut board, 7, false);
    }
    assert_eq!((board.moves(), board.game.moves()[6].clk_ms), (next, Some(3_560_000)));
}
