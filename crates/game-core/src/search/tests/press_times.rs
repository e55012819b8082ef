//! Which ply has the time of which press, where messages went unseen or came late.

use std::collections::BTreeMap;

use dgt_protocol::PieceCode::{BlackBishop, BlackKnight, BlackPawn, Empty, WhiteBishop, WhiteKnight, WhitePawn};
use dgt_protocol::{ClockMessage, ClockTimes, Message, PieceCode, SideTime};
use shakmaty::Square;

use super::{clocks, dump_with, feed, square, start};
use crate::event::Event;
use crate::input::{Attach, Detach, Input, Notice, Resume, ResumedMove};
use crate::session::BoardSession;
use crate::time::Timestamp;

/// The plies that stand in the end, with their times in s.
fn told(events: &[(u64, Event)]) -> Vec<(&str, Option<u64>)> {
    let mut plies = BTreeMap::new();
    for (_, event) in events {
        match event {
            Event::Move { ply, san, clk_ms, .. } => {
                plies.insert(*ply, (san.as_str(), clk_ms.map(|ms| ms / 1_000)));
            }
            Event::Amend { ply, clk_ms, .. } => plies.get_mut(ply).unwrap().1 = clk_ms.map(|ms| ms / 1_000),
            Event::Retract { to_ply } => plies.retain(|ply, _| ply <= to_ply),
            _ => {}
        }
    }
    plies.into_values().collect()
}

/// A session in which White has moved his pawn from e2 to e4, and not pressed yet.
fn with_e4() -> (BoardSession, Vec<(u64, Event)>) {
    let mut session = BoardSession::new();
    let played = [
        (0, start()),
        (500, clocks([300, 300], true)),
        (1_000, square(Square::E2, Empty)),
        (1_300, square(Square::E4, WhitePawn)),
    ];
    let told = feed(&mut session, &played);
    (session, told)
}

/// The cable is out from one instant to another.
fn unplug(session: &mut BoardSession, from: u64, to: u64) {
    let detach = Notice::Detach(Detach { reason: "unplugged".to_owned() });
    session.handle_input(Timestamp::from_ms(from), &Input::Notice(detach));
    session.handle_input(Timestamp::from_ms(to), &Input::Notice(Notice::Attach(Attach::default())));
}

const E4: [(Square, dgt_protocol::PieceCode); 2] = [(Square::E2, Empty), (Square::E4, WhitePawn)];

#[test]
fn a_lever_read_while_later_plies_are_not_clear_yet_is_not_that_of_the_last_one_before_them() {
    let (mut session, mut events) = with_e4();
    unplug(&mut session, 1_800, 8_000);
    events.extend(feed(
        &mut session,
        &[
            (9_000, dump_with(&E4)),
            (9_100, square(Square::E4, Empty)),
            (9_150, square(Square::D5, WhitePawn)),
            (9_200, clocks([297, 298], false)),
            (9_900, square(Square::D7, Empty)),
            (10_200, clocks([297, 297], false)),
            (12_000, square(Square::G8, Empty)),
            (12_300, square(Square::F6, BlackKnight)),
            (12_700, clocks([297, 295], true)),
            (14_000, clocks([296, 295], true)),
        ],
    ));
    let told = told(&events);
    assert_eq!(told.iter().map(|(san, _)| *san).collect::<Vec<_>>(), ["e4", "d5", "exd5", "Nf6"], "{events:?}");
    assert!(told[0].1.is_none_or(|s| s != 297), "{told:?}");
}

#[test]
fn a_press_before_the_first_dump_is_not_that_of_the_last_recorded_ply() {
    let fen = crate::line::fen_of(&shakmaty::Chess::default());
    let e4 = ResumedMove { uci: "e2e4".to_owned(), clk_ms: Some(299_000), emt_ms: Some(1_000) };
    let resume = Resume { game: "1".to_owned(), fen, moves: vec![e4], white_is_left: Some(true), ..Resume::default() };
    let mut session = BoardSession::new();
    session.handle_input(Timestamp::from_ms(0), &Input::Notice(Notice::Resume(resume)));
    session.handle_input(Timestamp::from_ms(100), &Input::Notice(Notice::Attach(Attach::default())));
    // The line has kept what came while no program read it.
    let events = feed(
        &mut session,
        &[
            (100, square(Square::F3, WhiteKnight)),
            (100, clocks([298, 297], true)),
            (100, clocks([296, 297], false)),
            (100, clocks([296, 296], false)),
        ],
    );
    assert!(!events.iter().any(|(_, event)| matches!(event, Event::Amend { .. })), "{events:?}");
}

#[test]
fn a_press_after_several_plies_of_a_gap_is_not_that_of_the_first_one() {
    let (mut session, mut events) = with_e4();
    events.extend(feed(&mut session, &[(1_700, clocks([299, 300], false))]));
    unplug(&mut session, 2_000, 8_000);
    let g8 = [square(Square::G8, Empty), square(Square::F6, BlackKnight)];
    let b1 = [square(Square::B1, Empty), square(Square::C3, WhiteKnight)];
    let b7 = [square(Square::B7, Empty), square(Square::B5, BlackPawn)];
    let unseen = [&g8[..], &b1, &b7].concat().into_iter().map(|bytes| (9_000, bytes));
    let stands = [
        E4,
        [(Square::G8, Empty), (Square::F6, BlackKnight)],
        [(Square::B1, Empty), (Square::C3, WhiteKnight)],
        [(Square::B7, Empty), (Square::B5, BlackPawn)],
    ];
    let then = [
        (9_100, dump_with(&stands.concat())),
        (9_130, clocks([297, 296], false)),
        (12_000, clocks([297, 294], true)),
        (12_000, square(Square::D2, Empty)),
        (12_300, square(Square::D3, WhitePawn)),
        (12_700, clocks([296, 294], false)),
    ];
    events.extend(feed(&mut session, &unseen.chain(then).collect::<Vec<_>>()));
    let told = told(&events);
    assert_eq!(told.iter().map(|(san, _)| *san).collect::<Vec<_>>(), ["e4", "Nf6", "Nc3", "b5", "d3"], "{events:?}");
    assert!(told[1].1.is_none(), "{told:?}");
}

/// A clock that stands, with the times of both sides in seconds.
fn stands([left, right]: [u32; 2], left_runs: bool) -> Vec<u8> {
    let [left, right] = [left, right].map(SideTime::from_seconds);
    let times = ClockTimes { left, right, right_side_up: !left_runs, ..ClockTimes::default() };
    Message::Clock(ClockMessage::Times(times)).encode()
}

/// A piece is lifted, put down 0.3 s later, and the clock pressed 0.7 s after that.
fn ply(at: u64, [from, to]: [Square; 2], piece: PieceCode, clock: Vec<u8>) -> [(u64, Vec<u8>); 3] {
    [(at, square(from, Empty)), (at + 300, square(to, piece)), (at + 1_000, clock)]
}

#[test]
fn a_clock_that_is_turned_round_while_it_stands_is_known_by_its_times() {
    let mut heard = vec![(0, start()), (500, clocks([300, 300], true))];
    heard.extend(ply(2_000, [Square::E2, Square::E4], WhitePawn, clocks([298, 300], false)));
    heard.extend(ply(4_000, [Square::E7, Square::E5], BlackPawn, clocks([298, 297], true)));
    heard.extend(ply(6_000, [Square::G1, Square::F3], WhiteKnight, clocks([295, 297], false)));
    heard.extend([(8_000, stands([295, 296], false)), (30_000, stands([296, 295], true))]);
    heard.push((32_000, clocks([296, 295], true)));
    heard.extend(ply(36_000, [Square::B8, Square::C6], BlackKnight, clocks([292, 295], false)));
    heard.extend(ply(40_000, [Square::F1, Square::B5], WhiteBishop, clocks([292, 290], true)));
    heard.extend(ply(44_000, [Square::A7, Square::A6], BlackPawn, clocks([287, 290], false)));
    heard.extend(ply(48_000, [Square::B5, Square::A4], WhiteBishop, clocks([287, 286], true)));
    let events = feed(&mut BoardSession::new(), &heard);
    let times = [("Nc6", Some(292)), ("Bb5", Some(290)), ("a6", Some(287)), ("Ba4", Some(286))];
    assert_eq!(told(&events)[3..], times, "{events:?}");
}

#[test]
fn white_sits_at_the_other_side_of_the_clock_of_a_board_that_was_seen_late() {
    let seen = [
        (Square::B2, Empty),
        (Square::B4, WhitePawn),
        (Square::E7, Empty),
        (Square::E5, BlackPawn),
        (Square::C2, Empty),
        (Square::C3, WhitePawn),
    ];
    let plies = [
        (Square::G8, Square::F6, BlackKnight),
        (Square::G1, Square::F3, WhiteKnight),
        (Square::B8, Square::C6, BlackKnight),
        (Square::B1, Square::A3, WhiteKnight),
        (Square::D7, Square::D6, BlackPawn),
        (Square::D2, Square::D3, WhitePawn),
        (Square::A7, Square::A6, BlackPawn),
        (Square::E2, Square::E3, WhitePawn),
        (Square::G7, Square::G6, BlackPawn),
        (Square::G2, Square::G3, WhitePawn),
        (Square::F8, Square::G7, BlackBishop),
        (Square::F1, Square::G2, WhiteBishop),
    ];
    let mut heard = vec![(0, dump_with(&seen)), (500, clocks([290, 290], true))];
    let (mut left, mut times) = ([290, 290], Vec::new());
    for (at, (turn, (from, to, piece))) in (9_000..).step_by(9_000).zip(plies.into_iter().enumerate()) {
        // Black sits at the left side; each turn takes nine seconds.
        left[turn % 2] -= 9;
        times.push(Some(u64::from(left[turn % 2])));
        heard.extend(ply(at, [from, to], piece, clocks(left, turn % 2 == 1)));
    }
    // Which of the white pawns moved first is left open for two minutes.
    heard.push((180_000, clocks([200, 236], true)));
    let events = feed(&mut BoardSession::new(), &heard);
    assert_eq!(told(&events)[3..].iter().map(|(_, time)| *time).collect::<Vec<_>>(), times, "{events:?}");
}

#[test]
fn a_clock_that_is_turned_round_before_the_game_gives_odds_to_the_players_as_it_stands_then() {
    let mut heard = vec![(0, start()), (500, stands([300, 180], true)), (20_000, stands([180, 300], false))];
    heard.push((30_000, clocks([180, 300], false)));
    heard.extend(ply(32_000, [Square::E2, Square::E4], WhitePawn, clocks([180, 297], true)));
    heard.extend(ply(36_000, [Square::E7, Square::E5], BlackPawn, clocks([176, 297], false)));
    heard.extend(ply(40_000, [Square::G1, Square::F3], WhiteKnight, clocks([176, 293], true)));
    heard.extend(ply(44_000, [Square::B8, Square::C6], BlackKnight, clocks([172, 293], false)));
    let events = feed(&mut BoardSession::new(), &heard);
    let times = [("e4", Some(297)), ("e5", Some(176)), ("Nf3", Some(293)), ("Nc6", Some(172))];
    assert_eq!(told(&events), times, "{events:?}");
}

#[test]
fn a_clock_that_is_turned_round_and_started_out_of_reach_is_known_by_its_times() {
    let mut heard = vec![(0, start()), (500, clocks([240, 290], true))];
    heard.extend(ply(2_000, [Square::E2, Square::E4], WhitePawn, clocks([238, 290], false)));
    heard.extend(ply(4_000, [Square::E7, Square::E5], BlackPawn, clocks([238, 288], true)));
    heard.extend(ply(6_000, [Square::G1, Square::F3], WhiteKnight, clocks([235, 288], false)));
    let mut session = BoardSession::new();
    let mut events = feed(&mut session, &heard);
    unplug(&mut session, 8_000, 14_000);
    let knight = [(Square::E7, Empty), (Square::E5, BlackPawn), (Square::G1, Empty), (Square::F3, WhiteKnight)];
    let mut heard = vec![(14_100, dump_with(&[E4.to_vec(), knight.to_vec()].concat()))];
    heard.push((14_200, clocks([284, 235], true)));
    heard.extend(ply(16_000, [Square::B8, Square::C6], BlackKnight, clocks([281, 235], false)));
    heard.extend(ply(20_000, [Square::F1, Square::B5], WhiteBishop, clocks([281, 231], true)));
    heard.extend(ply(24_000, [Square::A7, Square::A6], BlackPawn, clocks([277, 231], false)));
    heard.extend(ply(28_000, [Square::B5, Square::A4], WhiteBishop, clocks([277, 227], true)));
    events.extend(feed(&mut session, &heard));
    let times = [("Nc6", Some(281)), ("Bb5", Some(231)), ("a6", Some(277)), ("Ba4", Some(227))];
    assert_eq!(told(&events)[3..], times, "{events:?}");
}
