//! Which facts of the hall a view holds back, and until when.
//!
//! Decisions of organisers are public at once: names, pairings, seats, delays themselves. What follows from play is not: that a
//! game began or is over, its result, by hand or by board, and the states of rounds and
//! the standings that follow from them. Must not know events.

use std::sync::Arc;

use game_core::event::Author;
use hall_clock::UtcMs;
use journal::RecordedFact;
use tournament::{Fact, Hall, PairingState, RoundState};

/// The author of facts that publish the next round when a game of the one before is over.
const AUTO_PUBLISH: &str = "auto_publish";

/// A fact that is held back.
#[derive(Clone, Debug)]
pub(super) struct HeldFact {
    /// The instant from which its delay counts, by hall time of this run of the daemon.
    pub(super) from: UtcMs,
    pub(super) entry: Arc<RecordedFact>,
    pub(super) until: Until,
}

/// Until when a fact is held back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// As long as the events of this game.
    Game(Arc<str>),
    /// Until the first game of the round, or its pairing, is released: the round runs.
    Opening(Arc<str>, u32),
    /// Until nothing that was before it in its round is held back: the round is over.
    Ending(Arc<str>, u32),
    /// Until the games that published the round are publicly over.
    Publishing(Arc<str>, u32),
    /// Until nothing that was before it in the section is held back: standings follow from results.
    Standings(Arc<str>),
}

/// What becomes of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    AtOnce,
    /// Perhaps held back, unless nothing there waits.
    Held(Until),
}

/// Says what becomes of a fact; `hall` is as far as it was released.
pub(super) fn fate(hall: &Hall, entry: &RecordedFact) -> Fate {
    let is_open_play = |section: &str| hall.section(section).is_some_and(|section| section.settings.open_play);
    let by_rule = entry.by == Author::Rule(AUTO_PUBLISH.into());
    match &entry.fact {
        Fact::Began { game, .. }
        | Fact::NotBegun { game }
        | Fact::Moved { game, .. }
        | Fact::ResultSet { game, .. }
        | Fact::ResultMissing { game }
        | Fact::Adjourned { game } => Fate::Held(Until::Game(Arc::clone(game))),
        // In open play a round and a pairing come with the start of a game.
        Fact::Paired { section, game, .. } if is_open_play(section) => Fate::Held(Until::Game(Arc::clone(game))),
        Fact::RoundSet { section, round, .. } if is_open_play(section) => {
            Fate::Held(Until::Opening(Arc::clone(section), *round))
        }
        Fact::RoundState { section, round, state } => match state {
            RoundState::Running => Fate::Held(Until::Opening(Arc::clone(section), *round)),
            RoundState::Finished => Fate::Held(Until::Ending(Arc::clone(section), *round)),
            _ if by_rule => Fate::Held(Until::Publishing(Arc::clone(section), *round)),
            RoundState::Prepared | RoundState::Published | RoundState::Armed => Fate::AtOnce,
        },
        Fact::StandingsLoaded { section, .. } => Fate::Held(Until::Standings(Arc::clone(section))),
        _ => Fate::AtOnce,
    }
}

/// Whether the games that publish a round by themselves are publicly over.
pub(super) fn is_published_publicly(hall: &Hall, section: &str, round: u32) -> bool {
    let over = |state| !matches!(state, PairingState::Paired | PairingState::Playing | PairingState::Adjourned);
    let Some(section) = hall.section(section) else { return false };
    let earlier = section.rounds.range(..round).map(|(_, round)| round);
    let earlier = earlier.filter(|round| !round.games.is_empty() && round.state != RoundState::Finished);
    earlier.into_iter().all(|round| round.games.iter().any(|game| game.withdrawn || over(game.state)))
}

/// The state that a fact gives a round.
pub(super) fn state_of(fact: &Fact, section: &str, round: u32) -> Option<RoundState> {
    match fact {
        Fact::RoundState { section: of, round: number, state } if **of == *section && *number == round => Some(*state),
        _ => None,
    }
}
