//! The PGN reader and writer through the public API.

mod damage;
mod encodings;
mod games;
mod golden;
mod reading;
mod round_trip;
mod rules;
mod second_reader;
mod streaming;

use notation::pgn::{Game, read_games, write_game, write_movetext};

/// All games of a text, which must be valid.
fn read_all(text: &(impl AsRef<[u8]> + ?Sized)) -> Vec<Game> {
    read_games(text)
        .map(|game| game.unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(text.as_ref()))))
        .collect()
}

/// The only game of a text, which must be valid.
fn read_one(text: &(impl AsRef<[u8]> + ?Sized)) -> Game {
    let mut games = read_all(text);
    assert_eq!(games.len(), 1, "{}", String::from_utf8_lossy(text.as_ref()));
    games.remove(0)
}

fn write_all(games: &[Game]) -> String {
    games.iter().map(write_game).collect()
}

/// The moves of a game's main line, with a space between them.
fn moves(game: &Game) -> String {
    game.line().map(|ply| ply.san.to_string()).collect::<Vec<_>>().join(" ")
}

/// The movetext of a game on one line.
fn movetext(game: &Game) -> String {
    write_movetext(game).trim_end().replace('\n', " ")
}
