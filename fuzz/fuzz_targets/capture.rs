//! Any bytes as a capture file, and what can be read of them replayed.
#![no_main]

use game_core::capture::read_capture;
use game_core::replay::replay;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut capture = b"# boardcast-capture 1\n".to_vec();
    capture.extend(data);
    let _ = replay(&[read_capture(&capture)]);
    let _ = read_capture(data);
});
