//! What rounds do without an order: the next one is published, and a round ends with its last result.

use std::sync::Arc;

use crate::fact::Fact;
use crate::hall::{Found, Hall};
use crate::order::Order;
use crate::round::{Pairing, PairingState, RoundState};
use crate::section::Section;

/// The order that is due by itself, if any: a section that publishes its rounds by itself publishes the next one when the
/// first game of the round before it is over.
pub fn due(hall: &Hall) -> Option<Order> {
    hall.sections.values().find_map(|section| {
        let round = next_round(section)?;
        Some(Order::Publish { section: section.slug.to_string(), round, confirm: true })
    })
}

/// The round of a section that is due to be published by itself. One that was loaded with its results may be over before it is public.
pub(crate) fn next_round(section: &Section) -> Option<u32> {
    let over = |game: &Pairing| game.is_settled() || game.state == PairingState::ResultMissing;
    let mut free = section.settings.auto_publish;
    for round in section.rounds.values().filter(|round| !round.games.is_empty()) {
        let finished = round.state == RoundState::Finished;
        if round.state == RoundState::Prepared || finished && !round.published && !round.unpublished {
            return (free && !round.unpublished).then_some(round.number);
        }
        free &= finished || round.games.iter().any(over);
    }
    None
}

/// The fact that ends a round, once all games on boards and all games that were begun have results; a round in which no
/// game was begun ends when all its games have results.
pub(crate) fn end_of_round(hall: &Hall, section: &str, number: u32) -> Option<Fact> {
    let section = hall.section(section).filter(|section| !section.settings.open_play)?;
    let round = section.rounds.get(&number)?;
    let began = match round.state {
        RoundState::Running => true,
        RoundState::Published | RoundState::Armed => false,
        RoundState::Prepared | RoundState::Finished => return None,
    };
    let awaited = |found: &Found<'_>| !began || found.game.has_begun() || hall.board_of(found).is_some();
    let games = round.games.iter().map(|game| Found { section, round, game });
    let over = !round.games.is_empty() && games.filter(awaited).all(|found| found.game.is_settled());
    over.then(|| Fact::RoundState { section: Arc::clone(&section.slug), round: number, state: RoundState::Finished })
}
