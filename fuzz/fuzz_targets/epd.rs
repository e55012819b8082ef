//! Any bytes as EPD records: what is read is written so that it reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use notation::epd::{read_record, read_records};
use notation::fen::Reading;

fuzz_target!(|data: &[u8]| {
    for record in read_records(data, Reading::LAX).flatten() {
        let written = record.to_string();
        let again = read_record(&written, Reading::LAX).map(|record| record.to_string());
        assert_eq!(again.as_deref().ok(), Some(written.as_str()));
    }
});
