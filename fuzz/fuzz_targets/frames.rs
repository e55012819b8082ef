//! Any bytes from a board, in any chunks: the same messages, no panic, a bounded buffer.
#![no_main]

use dgt_protocol::{FrameReader, Mode};
use libfuzzer_sys::fuzz_target;

fn read(mode: Mode, chunks: &[&[u8]]) -> (Vec<Vec<u8>>, u64) {
    let mut reader = FrameReader::new(mode);
    let mut frames = Vec::new();
    for chunk in chunks {
        let mut rest = *chunk;
        while let Some(frame) = reader.next_frame(&mut rest) {
            let _ = (frame.message(), frame.bus_message());
            frames.push(frame.bytes().to_vec());
        }
        assert!(reader.pending().len() < 8_000);
    }
    (frames, reader.dropped())
}

fuzz_target!(|data: &[u8]| {
    let Some((&cut, data)) = data.split_first() else { return };
    let (head, tail) = data.split_at(usize::from(cut).min(data.len()));
    for mode in [Mode::Single, Mode::Bus] {
        assert_eq!(read(mode, &[data]), read(mode, &[head, tail]));
    }
});
