//! Any text as FEN: refused with a reason, or written so that it reads as the same position.
#![no_main]

use libfuzzer_sys::fuzz_target;
use notation::fen::{Reading, Style, read_fen, write_fen};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for reading in [Reading::STRICT, Reading::LAX, Reading::STRICT.chess960(), Reading::LAX.chess960()] {
        if let Ok(position) = read_fen(&text, reading) {
            let written = write_fen(&position, Style::STANDARD);
            assert_eq!(read_fen(&written, Reading::LAX.chess960()), Ok(position), "{written}");
        }
    }
});
