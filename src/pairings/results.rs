//! Results out, in the forms that pairing programs take back.
//!
//! Knows which form needs what. Must not know how the results were found.

use super::model::Pairings;
use super::player::Player;
use super::roster::Roster;
use super::trf::Document;
use super::{csv, pgn};

/// A table with commas, one row a game; byes are rows without a table.
pub fn as_csv(pairings: &Pairings) -> String {
    csv::write(pairings)
}

/// PGN of headers. It has four results: forfeits read as wins, a double loss and other odd scores as `*`.
pub fn as_pgn(pairings: &Pairings) -> String {
    pgn::write(pairings)
}

/// A tournament report: the one that was read with the results in it, or a new one. In a new one players without a
/// starting number get the next free ones. Birth dates and sex are not in it, because they are not kept.
pub fn as_trf(pairings: &Pairings, read: Option<&Document>) -> String {
    let mut document;
    match read {
        Some(read) => {
            document = read.clone();
            document.enter(pairings);
        }
        None => {
            let numbered = numbered(pairings);
            document = Document::of(&numbered);
            document.enter(&numbered);
        }
    }
    document.write()
}

fn numbered(pairings: &Pairings) -> Pairings {
    let mut pairings = pairings.clone();
    let mut taken: std::collections::HashSet<u32> =
        pairings.players.iter().filter_map(|player| player.number).collect();
    let mut free = 1;
    let mut roster = Roster::default();
    for player in &mut pairings.players {
        if player.number.is_none() {
            while !taken.insert(free) {
                free += 1;
            }
            player.number = Some(free);
        }
        roster.add(player);
    }
    let number = |player: &mut Player| {
        let listed = roster.find(player).and_then(|place| roster.get(place));
        player.number = listed.and_then(|listed| listed.number);
    };
    for round in &mut pairings.rounds {
        for game in &mut round.games {
            number(&mut game.white);
            number(&mut game.black);
        }
        for bye in &mut round.byes {
            number(&mut bye.player);
        }
    }
    pairings
}
