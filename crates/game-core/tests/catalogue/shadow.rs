//! The search beside the session over the classes of the catalogue: a table of how much of each class both tell as it was
//! played. Judges neither; figures are for people.

#[path = "../../examples/shadow/compare.rs"]
#[allow(dead_code, reason = "captures are for the tool")]
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "costs are measured")]
mod compare;

use compare::{Expected, Moves, Record, Sums};
use game_core::input::{Input, Notice, Resume, ResumedMove};
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Position};

use crate::classes;
use crate::shared_scans::SHARED_SCANS;
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
        moves: told.game.moves_before_gap().iter().map(|ply| ply.san.clone()).collect(),
        result: told.game.result().as_str().to_owned(),
    };
    let games: Vec<Moves> = watched.told.iter().map(game).filter(|game| !game.moves.is_empty()).collect();
    let plies = games.iter().map(|game| game.moves.len()).sum();
    Record { games, retracts: watched.retracts, plies, ..Record::default() }
}

/// Where another line shows the same, the one that was played takes its place.
fn accept_others(record: &mut Record, watched: &Watched) {
    for (told, expected) in record.games.iter_mut().zip(&watched.expected) {
        for open in &expected.open {
            let Some(line) = told.moves.get_mut(open.plies.clone()) else { continue };
            if open.accepts(line.iter().map(String::as_str)) {
                let played = expected.plies[open.plies.clone()].iter().map(|ply| ply.san.clone());
                line.iter_mut().zip(played).for_each(|(told, played)| *told = played);
            }
        }
    }
}

/// What the search tells. Where the daemon was killed, another search goes on with what the first one told.
fn of_search(watched: &Watched, traced: bool) -> Record {
    let inputs = &watched.inputs;
    let Some((first, rest)) = watched.resumed_at.and_then(|at| inputs.split_at_checked(at)) else {
        return Record::of_inputs(inputs, traced, &(0..0));
    };
    let Some(((at, Input::Notice(Notice::Resume(resume))), rest)) = rest.split_first() else {
        return Record::of_inputs(inputs, traced, &(0..0));
    };
    let end = first.last().map_or(0, |(at, _)| at.as_ms());
    let before = Record::of_inputs_until(first, end, traced, &(0..0));
    let mut position = Chess::default();
    let told = before.games.last().map_or(&[][..], |game| &game.moves);
    let moves = told.iter().map_while(|san| {
        let m = san.parse::<San>().ok()?.to_move(&position).ok()?;
        position.play_unchecked(m);
        Some(ResumedMove { uci: m.to_uci(CastlingMode::Standard).to_string(), ..ResumedMove::default() })
    });
    let resume = Resume { moves: moves.collect(), ..resume.clone() };
    let resumed = (*at, Input::Notice(Notice::Resume(resume)));
    let inputs: Vec<_> = [resumed].into_iter().chain(rest.iter().cloned()).collect();
    let mut record = Record::of_inputs(&inputs, traced, &(0..0));
    record.retracts += before.retracts;
    record.costs.extend(before.costs);
    record
}

/// `BOARDCAST_PARITY=0` or `1` takes seeds of one kind only: even ones are for tuning, odd ones for figures.
#[test]
#[ignore = "prints a table and checks nothing: cargo test --release -p game-core --test catalogue search_beside -- --ignored --nocapture"]
fn the_search_beside_the_session() {
    let parity = crate::variable("BOARDCAST_PARITY");
    let traced = crate::table::is_traced();
    for class in crate::wanted(classes::all().chain(SHARED_SCANS)) {
        let (mut old, mut new) = (Sums::default(), Sums::default());
        for seed in crate::seeds(class).into_iter().filter(|seed| parity.is_none_or(|parity| seed % 2 == parity)) {
            let watched = watch((class.case)(seed));
            let expected = expected(&watched);
            let mut records = [of_session(&watched), of_search(&watched, traced)];
            for record in &mut records {
                accept_others(record, &watched);
            }
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
