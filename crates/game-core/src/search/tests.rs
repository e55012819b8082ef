//! What one session tells of a board and its clock, message by message.

mod press_times;

use dgt_protocol::{ClockMessage, ClockTimes, Field, Message, PieceCode, SideTime};
use shakmaty::{Board, Square};

use crate::event::Event;
use crate::event::Variant;
use crate::input::{Assign, Command, Detach, Input, Notice, Order, Resume, ResumedMove};
use crate::placement::{code_of, square_of};
use crate::session::{BoardSession, Output};
use crate::time::Timestamp;

fn field(square: Square) -> Field {
    Field::all().find(|&field| square_of(field, false) == square).unwrap()
}

fn start() -> Vec<u8> {
    dump_with(&[])
}

/// The pieces of a start, with others on some squares.
fn dump_with(others: &[(Square, PieceCode)]) -> Vec<u8> {
    let board = Board::new();
    let code = |field| board.piece_at(square_of(field, false)).map_or(PieceCode::Empty, code_of);
    let mut fields = [PieceCode::Empty; 64];
    Field::all().for_each(|field| fields[field.index()] = code(field));
    for &(square, piece) in others {
        fields[field(square).index()] = piece;
    }
    Message::BoardDump(fields).encode()
}

fn square(square: Square, piece: PieceCode) -> Vec<u8> {
    Message::FieldUpdate { field: field(square), piece }.encode()
}

fn clock(seconds: u32, left_runs: bool) -> Vec<u8> {
    let time = SideTime::from_seconds(seconds);
    let times =
        ClockTimes { left: time, right: time, running: true, right_side_up: !left_runs, ..ClockTimes::default() };
    Message::Clock(ClockMessage::Times(times)).encode()
}

fn feed(session: &mut BoardSession, inputs: &[(u64, Vec<u8>)]) -> Vec<(u64, Event)> {
    for (at, bytes) in inputs {
        let at = Timestamp::from_ms(*at);
        while let Some(due) = session.next_deadline().filter(|&due| due < at) {
            session.handle_timeout(due);
        }
        session.handle_input(at, &Input::Bytes(bytes.clone()));
    }
    events(session)
}

fn events(session: &mut BoardSession) -> Vec<(u64, Event)> {
    let told = std::iter::from_fn(|| session.poll_output());
    let event = |output| if let Output::Event(record) = output { Some(record) } else { None };
    told.filter_map(event).map(|record| (record.t.as_ms(), record.event)).collect()
}

/// The moves among some events, with their times.
fn moves(told: &[(u64, Event)]) -> Vec<(u64, &str)> {
    told.iter()
        .filter_map(|(at, event)| match event {
            Event::Move { san, .. } => Some((*at, san.as_str())),
            _ => None,
        })
        .collect()
}

#[test]
fn a_pressed_ply_is_told_with_the_press() {
    let mut session = BoardSession::new();
    let told = feed(
        &mut session,
        &[
            (0, start()),
            (500, clock(300, true)),
            (1_000, square(Square::E2, PieceCode::Empty)),
            (1_300, square(Square::E4, PieceCode::WhitePawn)),
            (1_500, clock(299, true)),
            (1_700, clock(299, false)),
            (3_000, square(Square::E7, PieceCode::Empty)),
            (3_200, square(Square::E5, PieceCode::BlackPawn)),
            (3_700, clock(298, true)),
        ],
    );
    assert_eq!(moves(&told), [(1_700, "e4"), (3_700, "e5")], "{told:?}");
}

/// A clock that runs, with the times of both sides in seconds.
fn clocks([left, right]: [u32; 2], left_runs: bool) -> Vec<u8> {
    let [left, right] = [left, right].map(SideTime::from_seconds);
    let times = ClockTimes { left, right, running: true, right_side_up: !left_runs, ..ClockTimes::default() };
    Message::Clock(ClockMessage::Times(times)).encode()
}

#[test]
fn pieces_that_are_set_up_wrongly_are_no_move_while_the_clock_waits_for_the_first_one() {
    let clock = |running| {
        let [left, right] = [900, 900].map(SideTime::from_seconds);
        let times = ClockTimes { left, right, running, left_to_move: true, ..ClockTimes::default() };
        Message::Clock(ClockMessage::Times(times)).encode()
    };
    let mut session = BoardSession::new();
    let wrong =
        [(0, dump_with(&[(Square::C2, PieceCode::Empty), (Square::C3, PieceCode::WhitePawn)])), (10, clock(false))];
    let mut told = feed(&mut session, &wrong);
    told.extend(feed(&mut session, &[(15_000, clock(false))]));
    let names = |event: &Event| match event {
        Event::Unexplained { squares } => squares.join(" "),
        _ => String::new(),
    };
    assert!(told.iter().any(|(_, event)| names(event) == "c2 c3"), "{told:?}");
    let mended = [
        (20_000, square(Square::C3, PieceCode::Empty)),
        (20_300, square(Square::C2, PieceCode::WhitePawn)),
        (25_000, clock(true)),
        (26_000, square(Square::E2, PieceCode::Empty)),
        (26_300, square(Square::E4, PieceCode::WhitePawn)),
        (27_000, clocks([899, 900], false)),
    ];
    told.extend(feed(&mut session, &mended));
    assert_eq!(moves(&told), [(27_000, "e4")], "{told:?}");
}

#[test]
fn a_game_that_is_resumed_takes_the_place_of_one_that_waits_for_its_pieces() {
    let mut session = BoardSession::new();
    let kings = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1".to_owned();
    let usual = crate::line::fen_of(&shakmaty::Chess::default());
    let order = Order::StartFrom { fen: kings.clone(), variant: Variant::Standard };
    let played = [
        (0, start()),
        (200, square(Square::D2, PieceCode::Empty)),
        (400, square(Square::D4, PieceCode::WhitePawn)),
        (2_000, square(Square::E7, PieceCode::Empty)),
        (2_200, square(Square::E5, PieceCode::BlackPawn)),
    ];
    let mut told = feed(&mut session, &played);
    for (at, notice) in [
        (4_000, Notice::Command(Command { by: "Ada".to_owned(), order })),
        (5_000, Notice::Resume(Resume { fen: usual, ..Resume::default() })),
    ] {
        session.handle_input(Timestamp::from_ms(at), &Input::Notice(notice));
    }
    told.extend(feed(&mut session, &[(6_000, square(Square::D4, PieceCode::Empty))]));
    let other = |event: &Event| matches!(event, Event::GameStarted { fen, .. } if *fen == kings);
    assert!(!told.iter().any(|(_, event)| other(event)), "{told:?}");
}

#[test]
fn a_game_resumed_while_its_pieces_are_set_up_again_is_over() {
    let moves = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 b1c3 g8f6 d2d3 d7d6 c1g5 c8g4 h2h3 h7h6";
    let moves = moves.split(' ').map(|uci| ResumedMove { uci: uci.to_owned(), ..ResumedMove::default() });
    let fen = crate::line::fen_of(&shakmaty::Chess::default());
    let resume = Resume { game: "1".to_owned(), fen, moves: moves.collect(), ..Resume::default() };
    let mut session = BoardSession::new();
    session.handle_input(Timestamp::from_ms(0), &Input::Notice(Notice::Resume(resume)));
    let told = feed(
        &mut session,
        &[
            (100, dump_with(&[(Square::D1, PieceCode::Empty), (Square::E2, PieceCode::Empty)])),
            (1_000, square(Square::D1, PieceCode::WhiteQueen)),
            (2_000, square(Square::E2, PieceCode::WhitePawn)),
            (9_000, clock(300, true)),
            (10_000, square(Square::E2, PieceCode::Empty)),
            (10_300, square(Square::E4, PieceCode::WhitePawn)),
            (11_000, clock(299, false)),
        ],
    );
    assert_eq!(self::moves(&told), [(11_000, "e4")], "{told:?}");
    assert!(told.iter().any(|(at, event)| *at == 2_000 && *event == Event::GameEnded), "{told:?}");
}

#[test]
fn plies_are_told_while_nobody_has_started_the_clock() {
    let stands = |left_runs: bool| {
        let time = SideTime::from_seconds(900);
        let times = ClockTimes { left: time, right: time, right_side_up: !left_runs, ..ClockTimes::default() };
        Message::Clock(ClockMessage::Times(times)).encode()
    };
    let mut session = BoardSession::new();
    // It ran in the game before.
    let mut inputs = vec![(0, start()), (500, clock(300, true)), (3_000, stands(true))];
    let plies = [
        (Square::D2, Square::D4, PieceCode::WhitePawn),
        (Square::E7, Square::E6, PieceCode::BlackPawn),
        (Square::C2, Square::C4, PieceCode::WhitePawn),
        (Square::G8, Square::F6, PieceCode::BlackKnight),
        (Square::B1, Square::C3, PieceCode::WhiteKnight),
        (Square::F8, Square::B4, PieceCode::BlackBishop),
    ];
    for ((at, (from, to, piece)), left_runs) in
        (5_000..).step_by(3_000).zip(plies).zip([false, true].into_iter().cycle())
    {
        inputs.extend([
            (at, square(from, PieceCode::Empty)),
            (at + 300, square(to, piece)),
            (at + 600, stands(left_runs)),
            (at + 1_600, stands(left_runs)),
        ]);
    }
    let told = feed(&mut session, &inputs);
    let sans: Vec<_> = moves(&told).into_iter().map(|(_, san)| san).collect();
    assert_eq!(sans, ["d4", "e6", "c4", "Nf6", "Nc3", "Bb4"], "{told:?}");
}

/// What a board says of a clock that is not there.
fn no_clock() -> Vec<u8> {
    Message::Clock(ClockMessage::Times(ClockTimes { no_clock: true, ..ClockTimes::default() })).encode()
}

#[test]
fn one_message_that_there_is_no_clock_hides_no_press() {
    let mut session = BoardSession::new();
    let told = feed(
        &mut session,
        &[
            (0, start()),
            (500, clocks([300, 300], true)),
            (1_500, clocks([299, 300], true)),
            (2_000, square(Square::E2, PieceCode::Empty)),
            (2_200, square(Square::E4, PieceCode::WhitePawn)),
            (2_500, clocks([298, 300], true)),
            (2_700, no_clock()),
            (2_700, clocks([298, 300], false)),
            (3_700, clocks([298, 299], false)),
        ],
    );
    assert_eq!(moves(&told), [(2_700, "e4")], "{told:?}");
    let clock = told.iter().find_map(|(_, event)| match event {
        Event::Move { clk_ms, .. } => *clk_ms,
        _ => None,
    });
    assert_eq!(clock, Some(298_000), "{told:?}");
}

#[test]
fn a_clock_that_is_gone_for_longer_is_not_waited_for() {
    let reply = [(5_000, square(Square::E7, PieceCode::Empty)), (5_300, square(Square::E5, PieceCode::BlackPawn))];
    for more in [vec![(3_700, no_clock())], reply.to_vec()] {
        let mut session = BoardSession::new();
        let before = [
            (0, start()),
            (500, clocks([300, 300], true)),
            (2_000, square(Square::E2, PieceCode::Empty)),
            (2_200, square(Square::E4, PieceCode::WhitePawn)),
            (2_700, no_clock()),
        ];
        let told = feed(&mut session, &[&before[..], &more[..], &[(7_000, no_clock())]].concat());
        assert_eq!(moves(&told).first().map(|&(_, san)| san), Some("e4"), "{told:?}");
    }
}

#[test]
fn presses_before_the_pieces_arrive_belong_to_the_moves_that_follow_them() {
    let mut session = BoardSession::new();
    let told = feed(
        &mut session,
        &[
            (0, start()),
            (500, clocks([300, 300], true)),
            (1_000, square(Square::E2, PieceCode::Empty)),
            (1_200, square(Square::E4, PieceCode::WhitePawn)),
            (1_500, clocks([299, 300], false)),
            (2_000, square(Square::E7, PieceCode::Empty)),
            (2_200, square(Square::E5, PieceCode::BlackPawn)),
            (2_500, clocks([299, 299], true)),
            (2_600, square(Square::G1, PieceCode::Empty)),
            (2_650, clocks([298, 299], false)),
            (2_700, square(Square::D7, PieceCode::Empty)),
            (2_850, square(Square::F3, PieceCode::WhiteKnight)),
            (2_900, clocks([298, 298], true)),
            (2_950, square(Square::B1, PieceCode::Empty)),
            (3_050, square(Square::D6, PieceCode::BlackPawn)),
            (3_300, clocks([297, 298], true)),
            (3_400, clocks([297, 298], false)),
            (3_450, square(Square::C3, PieceCode::WhiteKnight)),
            (4_800, clocks([297, 297], false)),
            (5_000, square(Square::B8, PieceCode::Empty)),
            (5_200, square(Square::C6, PieceCode::BlackKnight)),
            (5_500, clocks([297, 297], true)),
            (7_000, clocks([296, 297], true)),
        ],
    );
    let mut times = std::collections::BTreeMap::new();
    for (_, event) in &told {
        if let Event::Move { ply, clk_ms, .. } | Event::Amend { ply, clk_ms, .. } = event {
            times.insert(*ply, clk_ms.map(|ms| ms / 1_000));
        }
    }
    let expected = [299, 299, 298, 298, 297, 297].map(Some);
    assert_eq!(times.into_values().collect::<Vec<_>>(), expected, "{told:?}");
}

#[test]
fn a_reply_that_overtakes_the_move_it_answers_is_told_after_it() {
    let mut session = BoardSession::new();
    let told = feed(
        &mut session,
        &[
            (0, start()),
            (500, clock(60, true)),
            (1_000, square(Square::E7, PieceCode::Empty)),
            (1_010, square(Square::E5, PieceCode::BlackPawn)),
            (1_100, square(Square::E2, PieceCode::Empty)),
            (1_110, square(Square::E4, PieceCode::WhitePawn)),
            (1_200, clock(60, false)),
            (1_300, clock(60, true)),
            (9_000, clock(52, true)),
        ],
    );
    let sans: Vec<_> = moves(&told).into_iter().map(|(_, san)| san).collect();
    assert_eq!(sans, ["e4", "e5"], "{told:?}");
}

#[test]
fn a_move_whose_message_was_lost_is_told_when_a_dump_shows_it() {
    let mut session = BoardSession::new();
    let mut dump = start();
    dump[3 + field(Square::E2).index()] = 0;
    dump[3 + field(Square::E4).index()] = PieceCode::WhitePawn.to_byte();
    let told = feed(
        &mut session,
        &[
            (0, start()),
            (500, clock(300, true)),
            (1_000, square(Square::E2, PieceCode::Empty)),
            (1_700, clock(299, false)),
            (2_000, dump),
            (9_000, clock(290, false)),
        ],
    );
    assert!(moves(&told).iter().any(|(_, san)| *san == "e4"), "{told:?}");
}

#[test]
fn by_order_the_game_goes_on_from_what_stands_there() {
    let mut session = BoardSession::new();
    feed(&mut session, &[(0, start()), (500, clock(300, true))]);
    let mut dump = start();
    // A pawn has become a second queen at once: no short line of play leads there.
    dump[3 + field(Square::D2).index()] = 0;
    dump[3 + field(Square::D4).index()] = PieceCode::WhiteQueen.to_byte();
    let gap = Input::Notice(Notice::Detach(Detach { reason: "unplugged".to_owned() }));
    session.handle_input(Timestamp::from_ms(1_000), &gap);
    feed(&mut session, &[(9_000, dump), (9_100, clock(290, true))]);
    let order = Input::Notice(Notice::Command(Command { by: "arbiter".to_owned(), order: Order::GoOn }));
    session.handle_input(Timestamp::from_ms(9_200), &order);
    let told = events(&mut session);
    let gap = |(_, event): &(u64, Event)| matches!(event, Event::Gap { after_ply: 0, fen: Some(fen) } if fen.contains("/3Q4/"));
    assert!(told.iter().any(gap), "{told:?}");
    let told = feed(
        &mut session,
        &[
            (10_000, square(Square::E2, PieceCode::Empty)),
            (10_300, square(Square::E4, PieceCode::WhitePawn)),
            (10_500, clock(289, false)),
        ],
    );
    assert!(moves(&told).iter().any(|(_, san)| *san == "e4"), "{told:?}");
}

#[test]
fn by_order_the_game_goes_on_though_the_last_move_is_not_pressed_yet() {
    let pawn = |from, to, code| [square(from, PieceCode::Empty), square(to, code)];
    let ([e7, e5], [e2, e3]) =
        (pawn(Square::E7, Square::E5, PieceCode::BlackPawn), pawn(Square::E2, Square::E3, PieceCode::WhitePawn));
    let queen = [(Square::D2, PieceCode::Empty), (Square::D4, PieceCode::WhiteQueen)];
    let moved = [(Square::E7, PieceCode::Empty), (Square::E5, PieceCode::BlackPawn)];
    for stopped in [false, true] {
        let mut session = BoardSession::new();
        feed(&mut session, &[(0, start()), (500, clock(300, true))]);
        let gap = Input::Notice(Notice::Detach(Detach { reason: "unplugged".to_owned() }));
        session.handle_input(Timestamp::from_ms(1_000), &gap);
        // White's last move stands there, and White's time still runs.
        feed(&mut session, &[(9_000, dump_with(&queen)), (9_100, clock(290, true))]);
        let order = Input::Notice(Notice::Command(Command { by: "arbiter".to_owned(), order: Order::GoOn }));
        session.handle_input(Timestamp::from_ms(9_200), &order);
        let reply = if stopped {
            // The daemon is killed, and the press and the reply go unseen.
            let again = Input::Notice(Notice::Resume(Resume { continued: true, ..Resume::default() }));
            session.handle_input(Timestamp::from_ms(9_300), &again);
            vec![(12_600, dump_with(&[queen, moved].concat())), (12_700, clock(289, true))]
        } else {
            vec![(10_000, clock(290, false)), (12_000, e7.clone()), (12_300, e5.clone()), (12_700, clock(289, true))]
        };
        let then =
            [(20_000, e2.clone()), (20_300, e3.clone()), (20_700, clock(282, false)), (21_700, clock(281, false))];
        let told = feed(&mut session, &[reply, then.to_vec()].concat());
        let sans: Vec<_> = moves(&told).into_iter().map(|(_, san)| san).collect();
        assert_eq!(sans, ["e5", "e3"], "stopped: {stopped}, {told:?}");
        let [gap] = &session.to_resume().unwrap().gaps[..] else { panic!("{told:?}") };
        assert!(gap.after_ply == 0 && gap.fen.contains("/3Q4/8/PPP1PPPP/RNBQKBNR b "), "{gap:?}");
    }
}

/// A game whose pawn on d2 has become a queen on d4 while its line was away: told by order to go on from there. Gives the gap and
/// the moves after it.
fn goes_on_by_order(before: &[(u64, Vec<u8>)], ordered: u64, then: &[(u64, Vec<u8>)]) -> (String, Vec<String>) {
    let mut session = BoardSession::new();
    feed(&mut session, &[(0, start()), (500, clock(300, true))]);
    let gap = Input::Notice(Notice::Detach(Detach { reason: "unplugged".to_owned() }));
    session.handle_input(Timestamp::from_ms(1_000), &gap);
    feed(&mut session, before);
    let order = Input::Notice(Notice::Command(Command { by: "arbiter".to_owned(), order: Order::GoOn }));
    session.handle_input(Timestamp::from_ms(ordered), &order);
    let told = feed(&mut session, then);
    let [gap] = &session.to_resume().unwrap().gaps[..] else { panic!("{told:?}") };
    (gap.fen.clone(), moves(&told).into_iter().map(|(_, san)| san.to_owned()).collect())
}

const QUEEN: [(Square, PieceCode); 2] = [(Square::D2, PieceCode::Empty), (Square::D4, PieceCode::WhiteQueen)];

#[test]
fn by_order_the_game_goes_on_though_a_piece_is_in_a_hand() {
    let before = [(9_000, dump_with(&QUEEN)), (9_100, clock(290, true)), (9_200, square(Square::E2, PieceCode::Empty))];
    let then = [
        (9_600, square(Square::E4, PieceCode::WhitePawn)),
        (10_000, clock(289, false)),
        (12_000, square(Square::E7, PieceCode::Empty)),
        (12_300, square(Square::E5, PieceCode::BlackPawn)),
        (12_700, clock(288, true)),
    ];
    let (fen, sans) = goes_on_by_order(&before, 9_300, &then);
    assert!(fen.contains("/3Q4/8/PPP1PPPP/RNBQKBNR w "), "{fen}");
    assert_eq!(sans, ["e4", "e5"]);
}

#[test]
fn by_order_the_game_goes_on_where_a_piece_was_seen_to_come_before_it_was_seen_to_leave() {
    let before = [
        (9_000, dump_with(&QUEEN)),
        (9_100, clock(290, true)),
        (9_500, square(Square::E4, PieceCode::WhitePawn)),
        (9_600, square(Square::E2, PieceCode::Empty)),
    ];
    let (fen, _) = goes_on_by_order(&before, 9_700, &[(10_000, clock(289, false))]);
    assert!(fen.contains("/3QP3/8/PPP2PPP/RNBQKBNR "), "{fen}");
}

#[test]
fn by_order_the_game_goes_on_from_what_a_board_shows_that_is_out_of_reach_then() {
    let then = [
        (9_000, dump_with(&QUEEN)),
        (9_100, clock(290, true)),
        (9_200, square(Square::E2, PieceCode::Empty)),
        (9_600, square(Square::E4, PieceCode::WhitePawn)),
        (10_000, clock(289, false)),
    ];
    let (fen, sans) = goes_on_by_order(&[], 5_000, &then);
    assert!(fen.contains("/3Q4/8/PPP1PPPP/RNBQKBNR w "), "{fen}");
    assert_eq!(sans, ["e4"]);
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

#[test]
fn a_game_keeps_the_position_that_was_ordered_for_it_when_the_clock_is_started() {
    const ODDS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
    let mut session = BoardSession::new();
    let assigned = |fen: Option<&str>| {
        let assign = Assign { game: "odds".into(), fen: fen.map(str::to_owned), ..Assign::default() };
        Input::Notice(Notice::Assign(assign))
    };
    let set = {
        let side = SideTime::from_seconds(300);
        let times = ClockTimes { left: side, right: side, left_to_move: true, ..ClockTimes::default() };
        Message::Clock(ClockMessage::Times(times)).encode()
    };
    session.handle_input(Timestamp::ZERO, &assigned(Some(ODDS)));
    let set_up = dump_with(&[(Square::B1, PieceCode::Empty)]);
    let mut told = feed(&mut session, &[(100, set_up.clone()), (500, set.clone())]);
    // The pairing of a game that has begun has no start any more.
    session.handle_input(Timestamp::from_ms(1_000), &assigned(None));
    told.extend(feed(
        &mut session,
        &[
            (30_000, set_up),
            (60_000, set),
            (65_000, clocks([300, 300], true)),
            (70_000, square(Square::E2, PieceCode::Empty)),
            (70_400, square(Square::E4, PieceCode::WhitePawn)),
            (71_000, clocks([294, 300], false)),
        ],
    ));
    let started = told.iter().filter_map(|(_, event)| match event {
        Event::GameStarted { fen, .. } => Some(fen.as_str()),
        _ => None,
    });
    assert_eq!(started.collect::<Vec<_>>(), [ODDS], "{told:?}");
    assert_eq!(moves(&told), [(71_000, "e4")], "{told:?}");
}

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
