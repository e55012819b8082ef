//! Orders about players: who takes part, who they are, what the public may see.

use std::sync::Arc;

use super::Work;
use crate::correction_text::CorrectionText;
use crate::fact::Fact;
use crate::names::Names;
use crate::note::Note;
use crate::person::{Display, Person, PersonRecord, PlayerId};
use crate::refusal::{Conflict, Missing, Refusal};
use crate::round::Pairing;
use crate::section::{PlayerFacts, Section};
use crate::undo::Undo;

impl Work<'_> {
    pub(super) fn add_player(&mut self, slug: &str, person: &Person, number: Option<u32>) -> Result<(), Refusal> {
        let section = Arc::clone(&self.section(slug)?.slug);
        let person = person.checked()?;
        let player = person.player(number);
        for (id, facts) in &self.section(slug)?.players {
            if facts.number.is_some() && facts.number == number {
                let number = number.unwrap_or(0);
                return Err(Conflict::NumberTaken { number, player: self.named(*id) }.into());
            }
            if self.persons.get(*id).is_some_and(|known| known.player(facts.number).is(&player)) {
                return Err(Conflict::PlayerKnown { player: self.named(*id) }.into());
            }
        }
        let player = self.enter_player(&section, person, number);
        self.corrected(CorrectionText::PlayerAdded { player: player.0 }, None, Some(Undo::PlayerAdded { player }));
        Ok(())
    }

    pub(super) fn remove_player(&mut self, player: PlayerId) -> Result<(), Refusal> {
        self.known_player(player)?;
        if let Some((section, _)) = self.hall.player(player) {
            for (number, round) in &section.rounds {
                let plays = |game: &&Pairing| game.pair.white == Some(player) || game.pair.black == Some(player);
                let bye = round.byes.contains_key(&player) || round.imported_byes.contains_key(&player);
                if bye || round.games.iter().any(|game| plays(&game)) {
                    return Err(Conflict::PlayerInRound { player: self.named(player), round: *number }.into());
                }
                if round.taken_out.iter().filter(plays).any(Pairing::has_begun) {
                    return Err(Conflict::PlayerHasMoves { player: self.named(player) }.into());
                }
            }
        }
        self.fact(Fact::PlayerRemoved { player });
        self.person(player, None);
        self.corrected(CorrectionText::PlayerRemoved { player: player.0 }, None, None);
        Ok(())
    }

    /// A new player of a section.
    pub(super) fn enter_player(&mut self, section: &Arc<str>, person: Person, number: Option<u32>) -> PlayerId {
        let (player, display) = (self.hall.next_player(), Display::Full);
        self.fact(Fact::PlayerSet { section: Arc::clone(section), player, number, display });
        self.person(player, Some(PersonRecord::new(person)));
        player
    }

    pub(super) fn set_player(&mut self, player: PlayerId, person: &Person) -> Result<(), Refusal> {
        self.known_player(player)?;
        let person = person.checked()?;
        let Some(record) = self.persons.record(player) else { return Err(forgotten(player)) };
        if record.person != person {
            let changed = record.changed(person);
            self.person(player, Some(changed));
            let what = CorrectionText::Player { player: player.0 };
            self.corrected(what, None, Some(Undo::Player { player }));
        }
        Ok(())
    }

    pub(super) fn restore_player(&mut self, player: PlayerId) -> Result<(), Refusal> {
        self.known_player(player)?;
        let Some(record) = self.persons.record(player) else { return Err(forgotten(player)) };
        let nothing = || Conflict::NoEarlierVersion { player: self.named(player) };
        let restored = record.restored().ok_or_else(nothing)?;
        self.person(player, Some(restored));
        self.corrected(CorrectionText::PlayerRestored { player: player.0 }, None, None);
        Ok(())
    }

    pub(super) fn set_display(&mut self, player: PlayerId, display: Display) -> Result<(), Refusal> {
        let (section, facts) = self.known_player(player)?;
        if facts.display != display {
            self.fact(Fact::PlayerSet { section, player, number: facts.number, display });
            let undo = Undo::Display { player, display: facts.display };
            self.corrected(CorrectionText::Display { player: player.0 }, None, Some(undo));
        }
        Ok(())
    }

    pub(super) fn forget(&mut self, player: PlayerId) -> Result<(), Refusal> {
        let (_, facts) = self.known_player(player)?;
        if facts.forgotten {
            return Err(forgotten(player));
        }
        if let Some(record) = self.persons.record(player) {
            let names = Names::of(record);
            self.hall.forget(&names);
        }
        self.fact(Fact::PlayerForgotten { player });
        self.person(player, None);
        self.note(Note::NameInFiles);
        Ok(())
    }

    /// A player for messages: `Adams, Michael (no. 3)`. Messages are not recorded, so they may have names.
    pub(super) fn named(&self, player: PlayerId) -> String {
        let number = self.hall.player(player).and_then(|(_, facts)| facts.number);
        match (self.persons.get(player), number) {
            (Some(person), Some(number)) => format!("{} (no. {number})", person.name),
            (Some(person), None) => person.name.clone(),
            (None, _) => format!("Player {player}"),
        }
    }

    pub(super) fn known_player(&self, player: PlayerId) -> Result<(Arc<str>, PlayerFacts), Refusal> {
        let known = self.hall.player(player).map(|(section, facts)| (Arc::clone(&section.slug), facts));
        known.ok_or_else(|| Missing::Player { name: player.to_string() }.into())
    }

    /// A player of a section whose name is in a text.
    pub(super) fn named_in(&self, section: &Section, text: &str) -> Option<PlayerId> {
        let named = |id: &&PlayerId| self.persons.record(**id).is_some_and(|record| Names::of(record).stand_in(text));
        section.players.keys().find(named).copied()
    }

    /// Checks that a player belongs to this section.
    pub(super) fn player_of(&self, slug: &str, player: PlayerId) -> Result<(), Refusal> {
        let (section, _) = self.known_player(player)?;
        if &*section == slug {
            Ok(())
        } else {
            Err(Conflict::OtherSection { player: self.named(player), section: section.to_string() }.into())
        }
    }
}

fn forgotten(player: PlayerId) -> Refusal {
    Conflict::PlayerForgotten { player: player.to_string() }.into()
}
