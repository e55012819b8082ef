//! Clock times of plies that went unseen, as the board's own log has them: it has the presses, and not which plies they ended.

#[path = "support/small_board.rs"]
mod small_board;

use dgt_protocol::{ClockMessage, ClockTimes, Command, EventLog, Field, LogEvent, Message, PieceCode, Side, SideTime};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Attach, Detach, Input, Notice};
use game_core::session::Output;
use shakmaty::{Chess, Color, Position};
use small_board::{SmallBoard, fields, positions};

const PLAYED: &str = "d4 d5 c4 e6 Nc3 Nf6";
const UNSEEN: &str = "Bg5 Be7 e3 O-O Nf3 h6 Bh4";

/// What the mover's clock shows after his press: each ply takes another time.
fn seconds(ply: usize) -> u32 {
    3_600 + 30 * ply.div_ceil(2) as u32 - 3 * ply as u32
}

/// The times of White and Black after a ply, if all were pressed.
fn clock(ply: usize) -> Input {
    let white_moves = ply.is_multiple_of(2);
    let of = |last: usize| SideTime::from_seconds(if last == 0 { 3_600 } else { seconds(last) });
    let (last, before) = (of(ply), of(ply.saturating_sub(1)));
    let (left, right) = if white_moves { (before, last) } else { (last, before) };
    let times = ClockTimes { left, right, running: true, right_side_up: !white_moves, ..ClockTimes::default() };
    Input::Bytes(Message::Clock(ClockMessage::Times(times)).encode())
}

/// What the board logs while a position becomes another one.
fn changes(from: &Chess, to: &Chess) -> Vec<LogEvent> {
    let (from, to) = (fields(from), fields(to));
    let changed = || Field::all().filter(|field| from[field.index()] != to[field.index()]);
    let event = |field: Field, piece| LogEvent::Field { field, piece, within_250ms: false };
    let lifted = changed().filter(|field| from[field.index()] != PieceCode::Empty);
    let put = changed().filter(|field| to[field.index()] != PieceCode::Empty);
    let lifted = lifted.map(|field| event(field, PieceCode::Empty));
    lifted.chain(put.map(|field| event(field, to[field.index()]))).collect()
}

/// The times in seconds of the plies of a game of which [`UNSEEN`] was read from the log, where these plies were not pressed.
fn told(unpressed: &[usize]) -> Vec<Option<u64>> {
    let mut board = SmallBoard::new(&Chess::default(), Game::new());
    board.input(&Input::Notice(Notice::Attach(Attach::default())));
    board.dump();
    board.input(&clock(0));
    let all = positions(&Chess::default(), &format!("{PLAYED} {UNSEEN}"));
    let (mut log, mut before) = (Vec::new(), Chess::default());
    let seen = PLAYED.split(' ').count();
    for (ply, position) in (1..).zip(&all) {
        if ply <= seen {
            board.change(&fields(position));
            board.wait(1_000);
            board.input(&clock(ply));
            board.wait(2_000);
        }
        log.extend(changes(&before, position));
        if !unpressed.contains(&ply) {
            let side = if position.turn() == Color::Black { Side::Left } else { Side::Right };
            log.push(LogEvent::Clock { side, total_seconds: seconds(ply) });
        }
        before = position.clone();
    }
    board.input(&Input::Notice(Notice::Detach(Detach::default())));
    board.fields = fields(&before);
    board.input(&Input::Notice(Notice::Attach(Attach::default())));
    board.dump();
    let last = (1..=all.len()).rfind(|ply| !unpressed.contains(ply)).unwrap();
    board.input(&clock(last));
    board.wait(2_000);
    assert!(board.told().any(|output| matches!(output, Output::Send(Command::Log))), "the log is not asked for");
    board.input(&Input::Bytes(Message::Log(log.into_iter().collect::<EventLog>()).encode()));
    board.wait(60_000);
    assert_eq!(board.moves(), format!("{PLAYED} {UNSEEN}"));
    assert!(!board.events().any(|event| matches!(event, Event::Retract { .. })), "a ply was taken back");
    board.game.moves().iter().map(|played| played.clk_ms.map(|ms| ms / 1_000)).collect()
}

#[test]
fn each_ply_has_its_own_time_also_where_presses_were_forgotten_out_of_reach() {
    let all: Vec<_> = (1..=13).map(|ply| Some(u64::from(seconds(ply)))).collect();
    assert_eq!(told(&[]), all);
    for forgotten in 7..13 {
        let without = [forgotten, forgotten + 1];
        for (ply, (told, own)) in (1..).zip(told(&without).into_iter().zip(&all)) {
            let right = if without.contains(&ply) { told.is_none() } else { told == *own || told.is_none() };
            assert!(right, "{without:?} were not pressed: ply {ply} has {told:?} and not {own:?}");
        }
    }
}
