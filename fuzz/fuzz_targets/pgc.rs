//! Any bytes as PGC: refused with place and reason, or games that can be written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use notation::pgc::{read_games, write_game};

fuzz_target!(|data: &[u8]| {
    for game in read_games(data).flatten() {
        let _ = write_game(&game);
    }
});
