//! Any bytes as PGN: damaged games are named, the others come back as they were written; pieces of a stream give what
//! the whole gives; the rules never panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use notation::pgn::{Reader, read_games, write_game};

fuzz_target!(|data: &[u8]| {
    let games: Vec<_> = read_games(data).collect();
    for game in games.iter().flatten() {
        let written = write_game(game);
        let again = read_games(&written).next().and_then(Result::ok).map(|game| write_game(&game));
        assert_eq!(again.as_deref(), Some(written.as_str()));
    }
    let size = data.first().map_or(1, |&byte| 1 + usize::from(byte));
    let mut reader = Reader::new();
    let mut streamed = Vec::new();
    for piece in data.chunks(size) {
        reader.feed(piece);
        streamed.extend(std::iter::from_fn(|| reader.next_game()));
    }
    reader.finish();
    streamed.extend(std::iter::from_fn(|| reader.next_game()));
    assert_eq!(streamed, games);
    let _ = read_games(data).check_moves().count();
});
