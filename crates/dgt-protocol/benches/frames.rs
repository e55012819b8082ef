//! Bytes per second of the frame reader, for a line that carries what a game carries: field updates
//! and clocks.

use dgt_protocol::{ClockMessage, ClockTimes, Field, FrameReader, Message, Mode, PieceCode, SideTime};
use divan::{Bencher, black_box, counter::BytesCount};

fn main() {
    divan::main();
}

/// One move each second for an hour and a half: a lift, a place and a clock message.
fn game() -> Vec<u8> {
    let seconds = 0..5400_u32;
    let moves = seconds.zip(Field::all().cycle()).flat_map(|(second, field)| {
        let left = SideTime::from_seconds(5400 - second);
        let times = ClockTimes { left, right: left, running: true, ..ClockTimes::default() };
        [
            Message::FieldUpdate { field, piece: PieceCode::Empty },
            Message::FieldUpdate { field: field.rotated(), piece: PieceCode::WhitePawn },
            Message::Clock(ClockMessage::Times(times)),
        ]
    });
    moves.flat_map(|message| message.encode()).collect()
}

fn read(bytes: &[u8], chunk: usize, mut each: impl FnMut(dgt_protocol::Frame<'_>)) {
    let mut reader = FrameReader::new(Mode::Single);
    for mut input in bytes.chunks(chunk) {
        while let Some(frame) = reader.next_frame(&mut input) {
            each(frame);
        }
    }
    assert_eq!(reader.dropped(), 0);
}

/// A serial port gives a few bytes a read, a capture file gives many.
const CHUNKS: [usize; 3] = [7, 64, 4096];

#[divan::bench(args = CHUNKS)]
fn frames(bencher: Bencher, chunk: usize) {
    let bytes = game();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| {
        read(black_box(&bytes), chunk, |frame| {
            black_box(frame);
        });
    });
}

#[divan::bench(args = CHUNKS)]
fn frames_and_messages(bencher: Bencher, chunk: usize) {
    let bytes = game();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| {
        read(black_box(&bytes), chunk, |frame| {
            black_box(frame.message()).expect("the stream is valid");
        });
    });
}
