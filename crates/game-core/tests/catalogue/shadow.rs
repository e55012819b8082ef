//! The search beside the session over the classes of the catalogue: a table of how much of each class both tell as it was
//! played. Judges neither; figures are for people.

#[path = "../../examples/shadow/compare.rs"]
#[allow(dead_code, reason = "captures are for the tool")]
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "costs are measured")]
mod compare;

use compare::{Expected, Moves, Record, Sums};

use crate::classes;
use crate::table::{Watched, watch};

fn expected(watched: &Watched) -> Expected {
    let mut expected = Expected { known: true, ..Expected::default() };
    for game in &watched.expected {
        let moves = game.plies.iter().map(|ply| ply.san.clone()).collect();
        let result = game.result.as_str().to_owned();
        expected.results.push(vec![result.clone()]);
        let open = &game.any_order;
        expected.open.push(if open.is_empty() { Vec::new() } else { vec![(open.start + 1, open.end)] });
        expected.games.push(Moves { moves, result });
    }
    expected
}

fn of_session(watched: &Watched) -> Record {
    let game = |told: &crate::table::Told| Moves {
        moves: told.game.moves().iter().map(|ply| ply.san.clone()).collect(),
        result: told.game.result().as_str().to_owned(),
    };
    let games: Vec<Moves> = watched.told.iter().map(game).filter(|game| !game.moves.is_empty()).collect();
    let plies = games.iter().map(|game| game.moves.len()).sum();
    Record { games, retracts: watched.retracts, plies, ..Record::default() }
}

/// `BOARDCAST_EXPLAIN=FROM-TO` prints the hypotheses between two times in ms. `BOARDCAST_PARITY=0` or `1` takes seeds of one kind only: even ones are for tuning, odd ones for figures.
#[test]
#[ignore = "prints a table and checks nothing: cargo test --release -p game-core --test catalogue search_beside -- --ignored --nocapture"]
fn the_search_beside_the_session() {
    let parity = crate::variable("BOARDCAST_PARITY");
    let traced = crate::table::is_traced();
    let explain = std::env::var("BOARDCAST_EXPLAIN").unwrap_or_default();
    let explain = explain.split_once('-').and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    let explain = explain.unwrap_or(0..0);
    for class in crate::wanted(classes::all()) {
        let (mut old, mut new) = (Sums::default(), Sums::default());
        for seed in crate::seeds(class).into_iter().filter(|seed| parity.is_none_or(|parity| seed % 2 == parity)) {
            let watched = watch((class.case)(seed));
            let expected = expected(&watched);
            let records = [of_session(&watched), Record::of_inputs(&watched.inputs, traced, &explain)];
            let verdicts = records.each_ref().map(|record| record.verdict(&expected));
            if !verdicts[1].is_right() && crate::variable("BOARDCAST_SHOW").is_some() {
                println!("    {} seed {seed}: session {}, search {}", class.name, verdicts[0], verdicts[1]);
            }
            old.add(&records[0], &verdicts[0]);
            new.add(&records[1], &verdicts[1]);
        }
        println!("{:28} session {}", class.name, old.brief());
        println!("{:28} search  {}", "", new);
    }
}
