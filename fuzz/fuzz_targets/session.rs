//! Any bytes at any times: a session never panics, never runs away, and what it tells can be folded into a game.
//!
//! The data is read as steps: a byte of time, a byte of kind, and what the kind needs.
#![no_main]

use dgt_protocol::{Field, Message, PieceCode};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Attach, Detach, Input, Notice};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use libfuzzer_sys::fuzz_target;

fn next_input(data: &mut &[u8]) -> Option<(u64, Input)> {
    let [wait, kind, rest @ ..] = *data else { return None };
    let (wait, kind) = (*wait, *kind);
    *data = rest;
    let mut take = |count: usize| {
        let (taken, rest) = data.split_at(count.min(data.len()));
        *data = rest;
        taken.to_vec()
    };
    let input = match kind {
        0..=159 => {
            let field = Field::new(kind % 64)?;
            let piece = PieceCode::from_byte(take(1).first().copied().unwrap_or(0));
            Input::Bytes(Message::FieldUpdate { field, piece }.encode())
        }
        160..=199 => Input::Bytes([&[0x8d, 0x00, 0x0a][..], &take(7)].concat()),
        200..=209 => Input::Bytes([&[0x86, 0x00, 0x43][..], &take(64)].concat()),
        210..=219 => Input::Notice(Notice::Attach(Attach::default())),
        220..=229 => Input::Notice(Notice::Detach(Detach::default())),
        230 => Input::Bytes(START.to_vec()),
        _ => Input::Bytes(take(usize::from(kind) - 230)),
    };
    Some((u64::from(wait) * 40, input))
}

const START: [u8; 67] = {
    let mut dump = [0; 67];
    let back = [8, 9, 10, 12, 11, 10, 9, 8];
    dump[0] = 0x86;
    dump[2] = 0x43;
    let mut file = 0;
    while file < 8 {
        dump[3 + file] = back[file];
        dump[11 + file] = 7;
        dump[51 + file] = 1;
        dump[59 + file] = back[file] - 6;
        file += 1;
    }
    dump
};

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let mut session = BoardSession::new();
    let mut game = Game::new();
    let mut now = Timestamp::ZERO;
    session.handle_input(now, &Input::Bytes(START.to_vec()));
    while let Some((wait, input)) = next_input(&mut data) {
        now = now.plus(wait);
        let mut deadlines = 0;
        while let Some(due) = session.next_deadline().filter(|due| *due <= now) {
            session.handle_timeout(due);
            deadlines += 1;
            assert!(deadlines < 1_000, "deadlines without end");
        }
        session.handle_input(now, &input);
        while let Some(output) = session.poll_output() {
            if let Output::Event(record) = output {
                assert!(game.apply(&record.event), "{record:?} does not fit");
                if let Event::Move { clk_ms: Some(ms), .. } = record.event {
                    assert!(ms <= 36_000_000);
                }
            }
        }
    }
});
