//! A person orders the game to go on from what stands there.

use dgt_protocol::PieceCode;
use shakmaty::Square;

use super::{clock, dump_with, events, feed, field, moves, square, start};
use crate::event::Event;
use crate::input::{Command, Detach, Input, Notice, Order, Resume};
use crate::session::BoardSession;
use crate::time::Timestamp;

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
