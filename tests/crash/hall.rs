//! Halls with short games, and their games by id as they were played and as they are told.

use std::collections::BTreeMap;
use std::path::Path;

use board_sim::hall::PlayedGame;
use board_sim::{Games, Hall, HallOptions, Link};
use notation::pgn::Outcome;
use tournament::serial_order;

use crate::process::Recipe;

/// Hall seconds a second. The daemon lives at the speed of life: of what it did not see arise it must get a still look
/// before the next move, or several orders of moves explain the board and it rightly asks the arbiter.
const SPEED: f64 = 3.0;

/// Plies of a game.
const PLIES: usize = 12;

/// The openings of master games, some four seconds a move, agreed drawn.
fn short_games() -> Games {
    let mut games = board_sim::games::shipped().unwrap();
    for game in &mut games {
        game.tags.set("TimeControl", "600+4");
        let opening: Vec<_> = game.line().take(PLIES + 1).map(|ply| (ply.san, ply.times())).collect();
        if opening.len() > PLIES {
            game.movetext.clear();
            for (san, times) in opening.into_iter().take(PLIES) {
                game.play(san, times);
            }
            game.outcome = Outcome::Draw;
            game.tags.set("Result", Outcome::Draw.as_str());
        }
    }
    Games::Pgn(games)
}

/// A hall with its pairings, not started yet.
pub(crate) fn furnish(folder: &Path, boards: usize, seed: u64) -> Hall {
    let hall = Hall::new(HallOptions {
        boards,
        speed: SPEED,
        seed,
        link: Link::Pty { folder: folder.join("ports") },
        games: short_games(),
        rounds_per_board: 1,
        rotated: true,
        ..HallOptions::default()
    })
    .unwrap();
    let mut boards: Vec<_> = hall.schedule().iter().collect();
    boards.sort_by_key(|board| serial_order(&board.serial));
    let pairing = |tags: &notation::pgn::Tags| {
        let tag = |name| tags.get(name).unwrap_or("?");
        format!("[Event \"Crash\"]\n[Round \"1\"]\n[White \"{}\"]\n[Black \"{}\"]\n\n*\n\n", tag("White"), tag("Black"))
    };
    let pairings: String = boards.iter().map(|board| pairing(&board.games[0])).collect();
    std::fs::write(folder.join("pairings.pgn"), pairings).unwrap();
    hall
}

/// The moves of each game. The boards are those of the tables in the order of their serial numbers, and the games of a board
/// are those of the rounds.
pub(crate) fn lines(played: &[PlayedGame]) -> BTreeMap<String, Vec<String>> {
    let mut boards: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for game in played {
        boards.entry(serial_order(&game.serial)).or_default().push(game);
    }
    let tables = boards.values().zip(1..);
    let games = tables.flat_map(|(games, table)| (1..).zip(games).map(move |(round, game)| (round, table, game)));
    let line = |(round, table, played): (u32, u32, &&PlayedGame)| {
        (format!("crash-{round}-{table}"), played.game.line().map(|ply| ply.san.to_string()).collect())
    };
    games.map(line).collect()
}

/// The same as the daemon tells them.
pub(crate) fn told_lines(recipe: &Recipe) -> BTreeMap<String, Vec<String>> {
    let games = recipe.games("/pgn/crash/all.pgn").unwrap_or_default().into_iter();
    let line = |game: notation::pgn::Game| {
        let id = game.tags.get("GameId").unwrap().to_owned();
        (id, game.line().map(|ply| ply.san.to_string()).collect())
    };
    games.map(line).collect()
}
