//! Any bytes as PGC: refused with place and reason, or games that are written so that they read the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use notation::pgc::{read_games, write_game};

fuzz_target!(|data: &[u8]| {
    for game in read_games(data).flatten() {
        let written = write_game(&game).expect("what PGC held fits into PGC");
        let again = read_games(&written).next().and_then(Result::ok).expect("what was written is read");
        assert_eq!(write_game(&again), Ok(written));
    }
});
