//! The PGN reader and writer as their users meet them.

mod damage;
mod games;
mod golden;
mod reading;
mod round_trip;
mod second_reader;

use notation::pgn::{Game, read_games, write_game};

/// All games of a text that must be whole.
fn read_all(text: &str) -> Vec<Game> {
    read_games(text).map(|game| game.unwrap_or_else(|error| panic!("{error}\n{text}"))).collect()
}

/// The only game of a text that must be whole.
fn read_one(text: &str) -> Game {
    let mut games = read_all(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn write_all(games: &[Game]) -> String {
    games.iter().map(write_game).collect()
}

/// The moves of a game's main line, with a space between them.
fn moves(game: &Game) -> String {
    game.line.iter().map(|ply| ply.san.as_str()).collect::<Vec<_>>().join(" ")
}
