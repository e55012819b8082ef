//! Files as organisers hand them over, written for these tests: every form, dialect and damage.

mod out;
mod plain;
mod properties;
mod tables;
mod together;
mod trf;

use super::{Loaded, Pairings, Problem, load};

/// The pairings of a single file.
fn read(text: &str) -> Result<Pairings, Problem> {
    load(&[("file", text.as_bytes())]).map(|loaded| loaded.pairings)
}

/// Table, White, Black and result of each game of a round.
fn games(pairings: &Pairings, round: u32) -> Vec<String> {
    let round = pairings.rounds.iter().find(|other| other.number == round);
    let games = round.into_iter().flat_map(|round| &round.games);
    games
        .map(|game| {
            let score = game.score.map(|score| format!(" {score}")).unwrap_or_default();
            format!("{} {} - {}{score}", game.table, game.white.name, game.black.name)
        })
        .collect()
}

/// The warnings as they are printed.
fn warnings(pairings: &Pairings) -> Vec<String> {
    pairings.warnings.iter().map(ToString::to_string).collect()
}

/// Results, tables and who plays: what no form may lose.
fn essence(loaded: &Loaded) -> Vec<String> {
    loaded.pairings.rounds.iter().flat_map(|round| games(&loaded.pairings, round.number)).collect()
}
