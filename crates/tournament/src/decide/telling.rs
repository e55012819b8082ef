//! What the public is told of pairings and names: the difference that the facts make.
//!
//! A game is shown or not, with these tags or those; whatever changed that, the events follow from before and after. So
//! no order can forget to tell something, nor tell too much.

use std::collections::BTreeMap;
use std::sync::Arc;

use game_core::event::Event;

use super::Work;
use crate::GameRef;
use crate::hall::{Found, Hall};
use crate::persons::Persons;
use crate::round::{PairingState, Round};
use crate::section::Section;
use crate::tags::{change, tags_of};

/// Whether the public sees a game: of a published round, not withdrawn, and a forfeit or a game without a board only where
/// the section wants them.
pub fn is_shown(hall: &Hall, found: &Found<'_>) -> bool {
    let Found { section, round, game } = found;
    if game.withdrawn || !round.published {
        return false;
    }
    let settings = &section.settings;
    let wanted = match game.state {
        PairingState::Forfeit => settings.forfeits,
        _ => settings.boardless_games || hall.board_of(found).is_some(),
    };
    wanted || game.has_begun()
}

/// Whether tags are recorded of a game: those of a withdrawn one have to be right too, it may come back.
fn is_told(hall: &Hall, found: &Found<'_>) -> bool {
    found.round.published && found.game.withdrawn || is_shown(hall, found)
}

/// The tags of games that are recorded.
type Told = BTreeMap<Arc<str>, (GameRef, BTreeMap<String, String>)>;

impl Work<'_> {
    /// Adds the events that make public what the facts changed.
    pub(super) fn tell(&mut self) {
        let started: Vec<_> = self
            .decision
            .games
            .iter()
            .filter(|(_, events)| events.iter().any(|event| matches!(event, Event::GameStarted { .. })))
            .map(|(at, _)| Arc::clone(&at.game))
            .collect();
        let (before, after) = self.changed_rounds();
        let mut told = Vec::new();
        for (id, (at, tags)) in &after {
            // A game that starts was given its tags with its start.
            if started.contains(id) {
                continue;
            }
            let known = before.get(id);
            if known.is_some_and(|known| known.1 == *tags && known.0 == *at) {
                continue;
            }
            let said = self.games.game(id).map(|game| game.tags().clone());
            let said = said.or_else(|| known.map(|(_, tags)| tags.clone())).unwrap_or_default();
            let tags = change(&said, tags);
            if !tags.is_empty() {
                told.push((at.clone(), vec![Event::Tags { tags }]));
            }
        }
        self.decision.games.extend(told);
    }

    /// What is told before and after in the rounds of which anything may be different.
    fn changed_rounds(&self) -> (Told, Told) {
        let (old_hall, old_persons) = self.before;
        let everywhere = old_hall.seats != self.hall.seats || !self.decision.persons.is_empty();
        let (mut before, mut after) = (Told::new(), Told::new());
        for (slug, section) in &self.hall.sections {
            let old = old_hall.sections.get(slug);
            if old.is_some_and(|old| Arc::ptr_eq(old, section)) && !everywhere {
                continue;
            }
            let same = old.is_some_and(|old| old.settings == section.settings && old.players == section.players);
            for (number, round) in &section.rounds {
                let old = old.and_then(|old| Some((old, old.rounds.get(number)?)));
                if same && !everywhere && old.is_some_and(|(_, old)| Arc::ptr_eq(old, round)) {
                    continue;
                }
                if let Some((section, round)) = old {
                    told(old_hall, old_persons, section, round, &mut before);
                }
                told(&self.hall, &self.persons, section, round, &mut after);
            }
        }
        (before, after)
    }
}

fn told(hall: &Hall, persons: &Persons, section: &Section, round: &Round, into: &mut Told) {
    let games = round.games.iter().map(|game| Found { section, round, game });
    let told = games.filter(|found| is_told(hall, found));
    into.extend(told.map(|found| (Arc::clone(&found.game.id), (found.at(), tags_of(persons, &found)))));
}
