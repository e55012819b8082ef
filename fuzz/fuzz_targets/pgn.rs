//! Any text as PGN: damaged games are named, the others come back as they were written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use notation::pgn::{read_games, write_game};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for game in read_games(&text).flatten() {
        let written = write_game(&game);
        let again = read_games(&written).next().and_then(Result::ok).map(|game| write_game(&game));
        assert_eq!(again.as_deref(), Some(written.as_str()));
    }
});
