//! Writes results in the forms that pairing programs read.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::encoding::Encoding;
use super::model::Pairings;
use super::player::Player;
use super::roster::Roster;
use super::trf::Document;
use super::{csv, pgn};

/// Highest starting number: a report has four columns for it.
const HIGHEST_NUMBER: u32 = 9_999;

/// A comma-separated table with one row for each game; byes are rows without a table number.
pub fn as_csv(pairings: &Pairings) -> String {
    csv::write(pairings)
}

/// PGN headers. PGN has four results only: a forfeit is written as a win, a double loss and other scores as `*`.
pub fn as_pgn(pairings: &Pairings) -> String {
    pgn::write(pairings)
}

/// A tournament report: `read` with the results entered and with its line ends, or a new one, in which players without a starting number get the
/// next free one. It has no birth dates and no sex, because they are not kept.
pub fn as_trf(pairings: &Pairings, read: Option<&Document>) -> String {
    let numbered = if read.is_none() { &numbered(pairings) } else { pairings };
    let mut document = read.cloned().unwrap_or_else(|| Document::of(numbered));
    document.fill(&numbered.players);
    document.enter(numbered);
    document.rank();
    document.write()
}

/// The encoding of a report that was read, else UTF-8.
pub fn encoding(read: Option<&Document>) -> Encoding {
    read.map_or(Encoding::UTF8, Document::encoding)
}

fn numbered(pairings: &Pairings) -> Pairings {
    let mut pairings = pairings.clone();
    let mut roster = Roster::default();
    let mut numbers = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let places: Vec<_> = pairings.players.iter().map(|player| roster.add(player)).collect();
    for (player, place) in pairings.players.iter().zip(&places) {
        if let Some(number) = player.number.filter(|number| *number <= HIGHEST_NUMBER && taken.insert(*number)) {
            numbers.insert(*place, number);
        }
    }
    let mut free = (1..=HIGHEST_NUMBER).filter(|number| !taken.contains(number));
    for place in &places {
        if let Entry::Vacant(entry) = numbers.entry(*place)
            && let Some(number) = free.next()
        {
            entry.insert(number);
        }
    }
    let number = |player: &mut Player| {
        player.number = roster.find(player).and_then(|place| numbers.get(&place).copied());
    };
    pairings.players.iter_mut().for_each(number);
    for round in &mut pairings.rounds {
        round.games.iter_mut().flat_map(|game| [&mut game.white, &mut game.black]).for_each(number);
        round.byes.iter_mut().map(|bye| &mut bye.player).for_each(number);
    }
    pairings
}
