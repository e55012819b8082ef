//! What a field update costs the session, early and late in a game. The two must be alike: nothing may grow with the
//! number of plies.

use dgt_protocol::{Field, Fields, Message, PieceCode};
use divan::{Bencher, counter::ItemsCount};
use game_core::input::Input;
use game_core::session::BoardSession;
use game_core::time::Timestamp;

fn main() {
    divan::main();
}

fn update(field: u8, piece: PieceCode) -> Input {
    Input::Bytes(Message::FieldUpdate { field: Field::new(field).unwrap(), piece }.encode())
}

fn start() -> Input {
    let back = [8u8, 9, 10, 12, 11, 10, 9, 8];
    let mut fields: Fields = [PieceCode::Empty; 64];
    for (file, code) in back.into_iter().enumerate() {
        fields[file] = PieceCode::from_byte(code);
        fields[8 + file] = PieceCode::BlackPawn;
        fields[48 + file] = PieceCode::WhitePawn;
        fields[56 + file] = PieceCode::from_byte(code - 6);
    }
    Input::Bytes(Message::BoardDump(fields).encode())
}

/// Both knights out and back, for ever: eight field updates make four plies.
fn four_plies() -> [Input; 8] {
    const G1: u8 = 62;
    const F3: u8 = 45;
    const G8: u8 = 6;
    const F6: u8 = 21;
    let (white, black) = (PieceCode::WhiteKnight, PieceCode::BlackKnight);
    [
        update(G1, PieceCode::Empty),
        update(F3, white),
        update(G8, PieceCode::Empty),
        update(F6, black),
        update(F3, PieceCode::Empty),
        update(G1, white),
        update(F6, PieceCode::Empty),
        update(G8, black),
    ]
}

fn feed(session: &mut BoardSession, now: &mut Timestamp, inputs: &[Input]) {
    for input in inputs {
        *now = now.plus(300);
        while let Some(due) = session.next_deadline().filter(|due| due <= now) {
            session.handle_timeout(due);
        }
        session.handle_input(*now, input);
        while let Some(output) = session.poll_output() {
            divan::black_box(output);
        }
    }
}

/// A session in the middle of a game.
fn at_ply(ply: usize) -> (BoardSession, Timestamp) {
    let mut session = BoardSession::new();
    let mut now = Timestamp::ZERO;
    feed(&mut session, &mut now, &[start()]);
    for _ in 0..ply / 4 {
        feed(&mut session, &mut now, &four_plies());
    }
    (session, now)
}

/// Time for each field update, moves and events included, around a ply.
#[divan::bench(args = [20, 200])]
fn field_update_at_ply(bencher: Bencher, ply: usize) {
    let cycle = four_plies();
    let (session, now) = at_ply(ply);
    let ready = || {
        // A copy has no room to grow; one more cycle gives it what a session in use has.
        let (mut session, mut now) = (session.clone(), now);
        feed(&mut session, &mut now, &cycle);
        (session, now)
    };
    bencher.counter(ItemsCount::new(cycle.len())).with_inputs(ready).bench_local_values(|(mut session, mut now)| {
        feed(&mut session, &mut now, &cycle);
        session
    });
}

/// A piece lifted and put back, which is most of what a board sends besides moves.
#[divan::bench(args = [20, 200])]
fn lift_and_put_back_at_ply(bencher: Bencher, ply: usize) {
    let (mut session, mut now) = at_ply(ply);
    let touch = [update(52, PieceCode::Empty), update(52, PieceCode::WhitePawn)];
    bencher.counter(ItemsCount::new(touch.len())).bench_local(|| feed(&mut session, &mut now, &touch));
}
