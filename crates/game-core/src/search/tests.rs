//! What one session tells of a board and its clock, message by message.

mod begun_unseen;
mod dead_squares;
mod endings;
mod orders;
mod press_times;
mod table;
mod taken_back;

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

#[test]
fn a_piece_that_comes_to_stand_just_after_its_press_made_no_ply_before_the_reply_was_begun() {
    use PieceCode::{BlackPawn, BlackQueen, Empty, WhiteBishop, WhiteKnight, WhitePawn};
    let mut session = BoardSession::new();
    let told = feed(
        &mut session,
        &[
            (0, start()),
            (500, clocks([60, 60], true)),
            (1_000, square(Square::E2, Empty)),
            (1_300, square(Square::E4, WhitePawn)),
            (1_500, clocks([59, 60], false)),
            (2_000, square(Square::E7, Empty)),
            (2_300, square(Square::E5, BlackPawn)),
            (2_500, clocks([59, 59], true)),
            // The bishop is carried over e2, and the clock pressed with the other hand.
            (3_500, square(Square::F1, Empty)),
            (3_970, square(Square::E2, WhiteBishop)),
            (4_350, clocks([57, 59], false)),
            (4_440, square(Square::C4, WhiteBishop)),
            (4_480, square(Square::E2, Empty)),
            (4_800, square(Square::D8, Empty)),
            (5_260, square(Square::E7, BlackQueen)),
            (6_030, square(Square::E7, Empty)),
            (6_210, square(Square::G5, BlackQueen)),
            (6_360, clocks([57, 57], true)),
            (8_000, square(Square::G1, Empty)),
            (8_400, square(Square::F3, WhiteKnight)),
            (9_000, clocks([55, 57], false)),
            (11_000, square(Square::G5, Empty)),
            (11_400, square(Square::E7, BlackQueen)),
            (12_000, clocks([55, 54], true)),
            (13_000, clocks([54, 54], true)),
        ],
    );
    let sans: Vec<_> = moves(&told).into_iter().map(|(_, san)| san).collect();
    assert_eq!(sans, ["e4", "e5", "Be2", "Bc4", "Qg5", "Nf3", "Qe7"], "{told:?}");
}

#[test]
fn an_order_to_go_on_leaves_no_gap_where_the_board_shows_the_game() {
    let played = [
        (0, start()),
        (500, clock(300, true)),
        (1_000, square(Square::E2, PieceCode::Empty)),
        (1_300, square(Square::E4, PieceCode::WhitePawn)),
        (1_700, clock(299, false)),
    ];
    let lifted = (3_000, square(Square::E7, PieceCode::Empty));
    let put_down = (3_300, square(Square::E5, PieceCode::BlackPawn));
    let reply = [lifted, put_down, (3_700, clock(298, true))];
    // Before the reply, while its piece is in the hand, before it is pressed, and after it.
    for heard in 0..=reply.len() {
        let mut session = BoardSession::new();
        feed(&mut session, &[&played[..], &reply[..heard]].concat());
        let order = Input::Notice(Notice::Command(Command { by: "arbiter".to_owned(), order: Order::GoOn }));
        session.handle_input(Timestamp::from_ms(2_900 + 300 * heard as u64), &order);
        feed(&mut session, &reply[heard..]);
        let game = session.to_resume().unwrap();
        let plies: Vec<_> = game.moves.iter().map(|mv| mv.uci.as_str()).collect();
        assert!(game.gaps.is_empty() && plies == ["e2e4", "e7e5"], "{heard}: {game:?}");
    }
}

#[test]
fn a_piece_that_was_in_the_hand_again_when_the_line_went_away_had_made_no_ply() {
    use PieceCode::{BlackKnight, BlackPawn, Empty, WhiteBishop, WhiteKnight, WhitePawn};
    let mut session = BoardSession::new();
    let mut told = feed(
        &mut session,
        &[
            (0, start()),
            (500, clocks([300, 300], true)),
            (2_000, square(Square::E2, Empty)),
            (2_300, square(Square::E4, WhitePawn)),
            (3_000, clocks([298, 300], false)),
            // On its way to e5 the pawn touches e6.
            (5_000, square(Square::E7, Empty)),
            (5_500, square(Square::E6, BlackPawn)),
            (6_400, square(Square::E6, Empty)),
        ],
    );
    let gap = Input::Notice(Notice::Detach(Detach { reason: "unplugged".to_owned() }));
    session.handle_input(Timestamp::from_ms(6_500), &gap);
    let stands = [
        (Square::E2, Empty),
        (Square::E4, WhitePawn),
        (Square::E7, Empty),
        (Square::E5, BlackPawn),
        (Square::F1, Empty),
        (Square::C4, WhiteBishop),
        (Square::B8, Empty),
        (Square::C6, BlackKnight),
    ];
    told.extend(feed(
        &mut session,
        &[
            (20_000, dump_with(&stands)),
            (20_100, clocks([294, 291], true)),
            (24_000, square(Square::G1, Empty)),
            (24_400, square(Square::F3, WhiteKnight)),
            (25_000, clocks([289, 291], false)),
            (28_000, square(Square::D7, Empty)),
            (28_400, square(Square::D6, BlackPawn)),
            (29_000, clocks([289, 287], true)),
            (31_000, clocks([287, 287], true)),
        ],
    ));
    let sans: Vec<_> = moves(&told).into_iter().map(|(_, san)| san).collect();
    assert_eq!(sans, ["e4", "e5", "Bc4", "Nc6", "Nf3", "d6"], "{told:?}");
}
