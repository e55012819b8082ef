//! Which ply has the time of which press, where messages went unseen or came late.

use std::collections::BTreeMap;

use dgt_protocol::PieceCode::{BlackKnight, BlackPawn, Empty, WhiteKnight, WhitePawn};
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
