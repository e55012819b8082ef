//! Any bytes from a computer, as a simulated board or a capture reads them.
#![no_main]

use dgt_protocol::CommandReader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut reader = CommandReader::new();
    let mut rest = data;
    while reader.next_message(&mut rest).is_some() {}
});
