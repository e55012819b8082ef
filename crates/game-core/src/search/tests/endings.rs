//! How games end, and what begins after them.

use dgt_protocol::{ClockMessage, ClockTimes, Message, PieceCode, SideTime};
use shakmaty::Square;

use super::{clock, clocks, dump_with, feed, moves, square, start};
use crate::event::Event;
use crate::input::{Detach, Input, Notice};
use crate::session::BoardSession;
use crate::time::Timestamp;

/// The first `plies` plies of a line whose sixth ply is mate, each of them pressed. White sits at the left side of the clock.
fn mated(plies: usize) -> Vec<(u64, Vec<u8>)> {
    let (white, black) = (PieceCode::WhitePawn, PieceCode::BlackPawn);
    let line = [
        (Square::A2, Square::A4, white),
        (Square::E7, Square::E5, black),
        (Square::F2, Square::F3, white),
        (Square::H7, Square::H5, black),
        (Square::G2, Square::G4, white),
        (Square::D8, Square::H4, PieceCode::BlackQueen),
    ];
    let mut heard = vec![(0, start()), (500, clock(300, true))];
    for (ply, (from, to, piece)) in (1..).zip(line).take(plies) {
        let at = 2_000 * u64::from(ply);
        let pressed = clocks([300 - ply / 2, 299 - ply / 2], ply % 2 == 0);
        heard.extend([(at, square(from, PieceCode::Empty)), (at + 300, square(to, piece)), (at + 700, pressed)]);
    }
    heard
}

#[test]
fn a_game_that_began_out_of_reach_is_not_lost_where_a_piece_of_its_first_ply_is_in_a_hand() {
    let mut session = BoardSession::new();
    let mut told = feed(&mut session, &mated(6));
    told.extend(feed(&mut session, &[(20_000, clocks([290, 296], true))]));
    let gap = Input::Notice(Notice::Detach(Detach { reason: "unplugged".to_owned() }));
    session.handle_input(Timestamp::from_ms(21_000), &gap);
    told.extend(feed(
        &mut session,
        &[
            (60_000, clocks([298, 300], true)),
            (60_100, dump_with(&[(Square::B2, PieceCode::Empty)])),
            (60_500, square(Square::B4, PieceCode::WhitePawn)),
            (61_000, clocks([297, 300], false)),
            (62_000, square(Square::D7, PieceCode::Empty)),
            (62_300, square(Square::D6, PieceCode::BlackPawn)),
            (63_000, clocks([297, 298], true)),
            (70_000, clocks([290, 298], true)),
        ],
    ));
    let sans: Vec<_> = moves(&told).into_iter().map(|(_, san)| san).collect();
    assert_eq!(sans, ["a4", "e5", "f3", "h5", "g4", "Qh4#", "b4", "d6"], "{told:?}");
    let started = told.iter().filter(|(_, event)| matches!(event, Event::GameStarted { .. }));
    assert_eq!(started.count(), 2, "{told:?}");
}

/// One bit makes a result piece of a pawn, a king or a queen. What damages messages may damage another dump as well.
#[test]
fn a_damaged_dump_shows_no_result_before_the_first_move_nor_in_play() {
    for (plies, field) in [(0, Square::G7), (5, Square::C7)] {
        let mut session = BoardSession::new();
        let mut told = feed(&mut session, &mated(plies));
        let played: &[(Square, PieceCode)] = &[
            (Square::A2, PieceCode::Empty),
            (Square::A4, PieceCode::WhitePawn),
            (Square::E7, PieceCode::Empty),
            (Square::E5, PieceCode::BlackPawn),
            (Square::F2, PieceCode::Empty),
            (Square::F3, PieceCode::WhitePawn),
            (Square::H7, PieceCode::Empty),
            (Square::H5, PieceCode::BlackPawn),
            (Square::G2, PieceCode::Empty),
            (Square::G4, PieceCode::WhitePawn),
        ];
        let stands = &played[..2 * plies];
        let damaged = [stands, &[(field, PieceCode::BlackWinsPiece)]].concat();
        told.extend(feed(
            &mut session,
            &[(20_000, dump_with(&damaged)), (26_000, dump_with(&damaged)), (60_000, dump_with(stands))],
        ));
        let over = told.iter().any(|(_, event)| matches!(event, Event::Result { .. } | Event::GameEnded));
        assert!(!over, "{told:?}");
    }
}

#[test]
fn a_result_piece_on_a_free_square_ends_the_game() {
    let mut session = BoardSession::new();
    feed(&mut session, &mated(5));
    let shown = [(11_500, square(Square::E4, PieceCode::DrawPiece)), (60_000, clocks([297, 260], true))];
    let told = feed(&mut session, &shown);
    assert!(told.iter().any(|(_, event)| matches!(event, Event::Result { .. })), "{told:?}");
}

#[test]
fn the_lever_with_which_the_clock_was_left_says_nothing_about_the_sides_of_the_next_game() {
    let mut session = BoardSession::new();
    feed(&mut session, &mated(5));
    let stood = {
        let [left, right] = [298, 295].map(SideTime::from_seconds);
        let times = ClockTimes { left, right, right_side_up: true, ..ClockTimes::default() };
        Message::Clock(ClockMessage::Times(times)).encode()
    };
    // White has won, and the pieces are put back.
    feed(
        &mut session,
        &[
            (13_000, stood.clone()),
            (15_000, square(Square::E1, PieceCode::Empty)),
            (15_400, square(Square::E4, PieceCode::WhiteKing)),
            (16_000, square(Square::E8, PieceCode::Empty)),
            (16_400, square(Square::D5, PieceCode::BlackKing)),
            (60_000, start()),
            (61_000, stood),
        ],
    );
    let shown = session.clock().unwrap();
    assert_eq!((shown.white_ms, shown.black_ms), (298_000, 295_000));
    let told = feed(
        &mut session,
        &[
            (70_000, clocks([300, 300], true)),
            (71_000, square(Square::B2, PieceCode::Empty)),
            (71_400, square(Square::B4, PieceCode::WhitePawn)),
            (72_000, clocks([298, 300], false)),
        ],
    );
    assert_eq!(moves(&told), [(72_000, "b4")], "{told:?}");
    assert!(told.iter().any(|(_, event)| matches!(event, Event::Move { clk_ms: Some(298_000), .. })), "{told:?}");
}

#[test]
fn kings_that_were_seen_and_gone_at_one_instant_show_the_result_once_pieces_are_set_up() {
    let mut session = BoardSession::new();
    let left = SideTime::from_seconds(60);
    let stood = ClockTimes { left, right: left, right_side_up: true, ..ClockTimes::default() };
    let stands = Message::Clock(ClockMessage::Times(stood)).encode();
    let kings = [
        square(Square::E1, PieceCode::Empty),
        square(Square::E8, PieceCode::Empty),
        square(Square::E4, PieceCode::WhiteKing),
        square(Square::D5, PieceCode::BlackKing),
    ];
    let gone = [square(Square::E4, PieceCode::Empty), square(Square::D5, PieceCode::Empty)];
    // Something else is set up.
    let men = (0..10).map(|at| square(Square::new(at), PieceCode::WhitePawn));
    let told = feed(
        &mut session,
        &[
            (0, start()),
            (500, clock(60, true)),
            (1_000, square(Square::A2, PieceCode::Empty)),
            (1_300, square(Square::A3, PieceCode::WhitePawn)),
            (1_700, clock(60, false)),
            (2_500, stands.clone()),
            (6_000, [&kings[..], &gone, &men.collect::<Vec<_>>()].concat().concat()),
            (60_000, stands),
        ],
    );
    let result = |(_, event): &(u64, Event)| matches!(event, Event::Result { result, .. } if result.as_str() == "1-0");
    assert!(told.iter().any(result), "{told:?}");
}

#[test]
fn a_game_goes_on_where_the_kings_go_home_and_the_clock_is_started_again() {
    for started in [true, false] {
        let mut session = BoardSession::new();
        let times = |running| {
            let left = SideTime::from_seconds(60);
            let times = ClockTimes { left, right: left, running, right_side_up: true, ..ClockTimes::default() };
            Message::Clock(ClockMessage::Times(times)).encode()
        };
        let mut inputs = vec![(0, start()), (500, clock(60, true))];
        inputs.extend(pressed(1_000, [Square::A2, Square::A3], PieceCode::WhitePawn, clock(60, false)));
        inputs.extend([
            (5_000, times(false)),
            (6_000, square(Square::E1, PieceCode::Empty)),
            (6_300, square(Square::E4, PieceCode::WhiteKing)),
            (6_600, square(Square::E8, PieceCode::Empty)),
            (6_900, square(Square::D5, PieceCode::BlackKing)),
            (14_000, square(Square::E4, PieceCode::Empty)),
            (14_300, square(Square::E1, PieceCode::WhiteKing)),
            (14_600, square(Square::D5, PieceCode::Empty)),
            (14_900, square(Square::E8, PieceCode::BlackKing)),
        ]);
        inputs.extend(started.then(|| (20_000, times(true))));
        // The player thinks for longer than a result has to stand.
        inputs.extend(pressed(80_000, [Square::A7, Square::A6], PieceCode::BlackPawn, clock(59, true)));
        inputs.extend(pressed(84_000, [Square::B2, Square::B3], PieceCode::WhitePawn, clock(58, false)));
        let told = feed(&mut session, &inputs);
        // Where the clock stands, the players analyse.
        let expected = if started { (&["a3", "a6", "b3"][..], None) } else { (&["a3"][..], Some("1-0")) };
        assert_eq!((&sans(&told)[..], result(&told)), expected, "{told:?}");
    }
}

#[test]
fn a_press_without_a_ply_decides_between_two_lines_when_the_game_is_over() {
    let mut session = BoardSession::new();
    let piece = |at, code| square(at, code);
    let gone = |at| square(at, PieceCode::Empty);
    let (queen, knight) = (PieceCode::WhiteQueen, PieceCode::BlackKnight);
    let stood = |seconds: [u32; 2]| {
        let [left, right] = seconds.map(SideTime::from_seconds);
        let times = ClockTimes { left, right, right_side_up: true, ..ClockTimes::default() };
        Message::Clock(ClockMessage::Times(times)).encode()
    };
    // The queen is put on h5 and belongs on f3; the line stands still meanwhile, and the next plies come at once.
    let late = [
        [gone(Square::H5), piece(Square::F3, queen), clocks([290, 298], false)],
        [gone(Square::B8), piece(Square::C6, knight), clocks([290, 297], true)],
        [gone(Square::F3), piece(Square::H5, queen), clocks([288, 297], false)],
    ];
    let told = feed(
        &mut session,
        &[
            (0, start()),
            (500, clocks([300, 300], true)),
            (1_000, gone(Square::E2)),
            (1_300, piece(Square::E4, PieceCode::WhitePawn)),
            (1_700, clocks([299, 300], false)),
            (3_000, gone(Square::E7)),
            (3_200, piece(Square::E5, PieceCode::BlackPawn)),
            (3_700, clocks([299, 298], true)),
            (5_000, gone(Square::D1)),
            (5_300, piece(Square::H5, queen)),
            (18_000, [late.concat().concat(), stood([288, 297])].concat()),
            (20_000, gone(Square::E1)),
            (20_400, gone(Square::E8)),
            (21_000, piece(Square::E4, PieceCode::WhiteKing)),
            (21_400, piece(Square::E5, PieceCode::BlackKing)),
            (60_000, stood([288, 297])),
        ],
    );
    let last: Vec<_> = moves(&told).into_iter().map(|(_, san)| san).collect();
    assert_eq!(last[2..], ["Qh5", "Qf3", "Nc6", "Qh5"], "{told:?}");
    let retracted = |(_, event): &(u64, Event)| matches!(event, Event::Retract { to_ply: 2, .. });
    assert!(told.iter().any(retracted), "{told:?}");
}

/// The moves among some events, in the order in which they were told.
fn sans(told: &[(u64, Event)]) -> Vec<&str> {
    moves(told).into_iter().map(|(_, san)| san).collect()
}

fn retracts(told: &[(u64, Event)]) -> bool {
    told.iter().any(|(_, event)| matches!(event, Event::Retract { .. }))
}

fn result(told: &[(u64, Event)]) -> Option<&str> {
    told.iter().find_map(|(_, event)| match event {
        Event::Result { result, .. } => Some(result.as_str()),
        _ => None,
    })
}

/// A piece is lifted, put down 0.4 s later, and the clock pressed 0.4 s after that.
fn pressed(at: u64, [from, to]: [Square; 2], piece: PieceCode, clock: Vec<u8>) -> [(u64, Vec<u8>); 3] {
    [(at, square(from, PieceCode::Empty)), (at + 400, square(to, piece)), (at + 800, clock)]
}

#[test]
fn a_mate_that_is_taken_back_for_analysis_stays_the_end_of_the_game() {
    let mut session = BoardSession::new();
    let mut told = feed(&mut session, &mated(6));
    let pieces = [
        // Black takes the mate back and shows what else he had, and his opponent answers. The clock runs on.
        (24_000, square(Square::H4, PieceCode::Empty)),
        (24_500, square(Square::D8, PieceCode::BlackQueen)),
        (27_000, square(Square::D8, PieceCode::Empty)),
        (27_500, square(Square::F6, PieceCode::BlackQueen)),
        (31_000, square(Square::B1, PieceCode::Empty)),
        (31_500, square(Square::C3, PieceCode::WhiteKnight)),
        (35_000, square(Square::F6, PieceCode::Empty)),
        (35_500, square(Square::F3, PieceCode::BlackQueen)),
    ];
    told.extend(feed(&mut session, &pieces));
    told.extend(feed(&mut session, &[(90_000, clocks([230, 296], true))]));
    assert!(!retracts(&told), "{told:?}");
    assert_eq!((sans(&told).last(), result(&told)), (Some(&"Qh4#"), Some("0-1")), "{told:?}");
}

#[test]
fn a_mate_that_the_board_showed_on_the_way_to_another_square_ends_nothing() {
    let mut session = BoardSession::new();
    let mut told = feed(&mut session, &mated(5));
    told.extend(feed(
        &mut session,
        &[
            (12_000, square(Square::D8, PieceCode::Empty)),
            (12_300, square(Square::H4, PieceCode::BlackQueen)),
            (12_700, clocks([298, 294], true)),
            // He has put the queen on the wrong square and pressed, and puts it right.
            (17_000, square(Square::H4, PieceCode::Empty)),
            (17_300, square(Square::G5, PieceCode::BlackQueen)),
            (18_000, clocks([293, 294], false)),
            (18_400, clocks([293, 294], true)),
            (20_000, square(Square::B1, PieceCode::Empty)),
            (20_300, square(Square::C3, PieceCode::WhiteKnight)),
            (20_700, clocks([291, 294], false)),
            (60_000, clocks([291, 254], false)),
        ],
    ));
    assert_eq!(sans(&told)[6..], ["Qg5", "Nc3"], "{told:?}");
    assert_eq!(result(&told), None, "{told:?}");
}

#[test]
fn a_game_whose_first_plies_are_in_doubt_is_told_when_the_next_one_is_set_up() {
    use PieceCode::{BlackKnight, BlackPawn, Empty, WhiteKnight, WhitePawn};
    let mut session = BoardSession::new();
    // Both white pawns moved before the board was first seen: which one came first shows nothing.
    let seen = [
        (Square::C2, Empty),
        (Square::C4, WhitePawn),
        (Square::D2, Empty),
        (Square::D4, WhitePawn),
        (Square::C7, Empty),
        (Square::C5, BlackPawn),
    ];
    let mut heard = vec![(0, dump_with(&seen)), (500, clocks([170, 172], false))];
    heard.extend(pressed(2_000, [Square::E7, Square::E6], BlackPawn, clocks([170, 170], true)));
    heard.extend(pressed(4_000, [Square::B1, Square::C3], WhiteKnight, clocks([168, 170], false)));
    heard.extend(pressed(6_000, [Square::B8, Square::C6], BlackKnight, clocks([168, 168], true)));
    heard.extend(pressed(8_000, [Square::G1, Square::F3], WhiteKnight, clocks([166, 168], false)));
    // The pieces are put back one by one.
    let board = shakmaty::Board::new();
    let moved = [Square::C4, Square::D4, Square::C5, Square::E6, Square::C3, Square::C6, Square::F3];
    let home = [Square::C2, Square::D2, Square::C7, Square::E7, Square::B1, Square::B8, Square::G1];
    heard.extend((60_000..).step_by(500).zip(moved.into_iter().chain(home)).map(|(at, to)| {
        let piece = board.piece_at(to).map_or(Empty, crate::placement::code_of);
        (at, square(to, piece))
    }));
    heard.push((80_000, clocks([100, 168], false)));
    let told = feed(&mut session, &heard);
    let played = sans(&told);
    assert_eq!((played.len(), &played[3..]), (7, &["e6", "Nc3", "Nc6", "Nf3"][..]), "{told:?}");
    assert!(told.iter().any(|(_, event)| matches!(event, Event::GameEnded)), "{told:?}");
}
