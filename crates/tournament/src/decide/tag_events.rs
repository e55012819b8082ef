//! Derives the tag events of a decision: the tags of shown games before and after its facts are compared.
//!
//! So no order can forget to publish a changed name, or publish one too many.

use std::collections::BTreeMap;
use std::sync::Arc;

use game_core::event::{Event, shown_result};

use super::Work;
use super::correct::reason_of;
use crate::GameRef;
use crate::hall::{Found, Hall};
use crate::persons::Persons;
use crate::round::{Pairing, PairingState, Round};
use crate::section::Section;
use crate::tags::{change, tags_of};

/// Whether the public sees a game: its round is published, it is not withdrawn, and for a forfeit or a game without a
/// board the section allows it.
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

/// Whether the public has a game at its own address: where it sees the game, and where a forfeit alone takes it out of its round.
pub fn has_address(hall: &Hall, found: &Found<'_>) -> bool {
    let Found { section, round, game } = found;
    let left_out = game.state == PairingState::Forfeit && round.published && !game.withdrawn;
    is_shown(hall, found) || left_out && (section.settings.boardless_games || hall.board_of(found).is_some())
}

/// Whether the tags of a game are recorded: also those of a withdrawn game, which may become public again.
fn has_recorded_tags(hall: &Hall, found: &Found<'_>) -> bool {
    found.round.published && found.game.withdrawn || has_address(hall, found)
}

/// Recorded tags by game id.
type TagsByGame = BTreeMap<Arc<str>, (GameRef, BTreeMap<String, String>)>;

impl Work<'_> {
    /// Adds the tag events that follow from the facts.
    pub(super) fn add_tag_events(&mut self) {
        let started: Vec<_> = self
            .decision
            .games
            .iter()
            .filter(|(_, events)| events.iter().any(|event| matches!(event, Event::GameStarted { .. })))
            .map(|(at, _)| Arc::clone(&at.game))
            .collect();
        let (before, after) = self.changed_rounds();
        let (mut paired, mut changed) = (Vec::new(), Vec::new());
        for (id, (at, tags)) in &after {
            let known = before.get(id);
            // A game that starts has its tags with its start. Those of a pairing that is shown for the first time come before it:
            // they are public at once, and its start is not where the public waits.
            if started.contains(id) {
                if known.is_none()
                    && let Some(tags) = self.tags_before_start(id)
                {
                    paired.push((at.clone(), vec![Event::Tags { tags }]));
                }
                continue;
            }
            if known.is_some_and(|known| known.1 == *tags && known.0 == *at) {
                continue;
            }
            let said = self.games.game(id).map(|game| game.tags().clone());
            let said = said.or_else(|| known.map(|(_, tags)| tags.clone())).unwrap_or_default();
            let tags = change(&said, tags);
            let mut events = Vec::new();
            if !tags.is_empty() {
                events.push(Event::Tags { tags });
            }
            if known.is_none() {
                events.extend(self.unrecorded_result(id));
            }
            if !events.is_empty() {
                changed.push((at.clone(), events));
            }
        }
        self.decision.games.splice(0..0, paired);
        self.decision.games.extend(changed);
    }

    /// The tags of a pairing as they were before its game began, if it was shown then. In open play a start makes the pairing.
    fn tags_before_start(&self, id: &str) -> Option<BTreeMap<String, String>> {
        let found = self.hall.game(id).filter(|found| !found.section.settings.open_play)?;
        let game = Pairing { day: None, board: None, state: PairingState::Paired, ..found.game.clone() };
        let before = Found { game: &game, ..found };
        is_shown(&self.hall, &before).then(|| tags_of(&self.persons, &before))
    }

    /// The result of a game without moves that was entered before the game was shown.
    fn unrecorded_result(&self, id: &str) -> Option<Event> {
        let score = self.hall.game(id)?.game.result?;
        let reason = reason_of(score, None).unwrap_or_else(|| "operator".into());
        let (result, game) = (score.outcome(), self.games.game(id));
        let shown = shown_result(result, &reason);
        let missing = game.is_none_or(|game| game.moves().is_empty() && game.shown_result() != shown);
        missing.then_some(Event::Result { result, reason })
    }

    /// The tags before and after, in the rounds in which they may differ.
    fn changed_rounds(&self) -> (TagsByGame, TagsByGame) {
        let (old_hall, old_persons) = self.before;
        let everywhere = old_hall.seats != self.hall.seats || !self.decision.persons.is_empty();
        let (mut before, mut after) = (TagsByGame::new(), TagsByGame::new());
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
                    add_tags(old_hall, old_persons, section, round, &mut before);
                }
                add_tags(&self.hall, &self.persons, section, round, &mut after);
            }
        }
        (before, after)
    }
}

fn add_tags(hall: &Hall, persons: &Persons, section: &Section, round: &Round, into: &mut TagsByGame) {
    let games = round.games.iter().map(|game| Found { section, round, game });
    let recorded = games.filter(|found| has_recorded_tags(hall, found));
    into.extend(recorded.map(|found| (Arc::clone(&found.game.id), (found.at(), tags_of(persons, &found)))));
}
