//! Who the players of pairing files are: those that the section knows, and new ones. Must not know rounds or games.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Work;
use crate::export::player_of;
use crate::fact::Fact;
use crate::note::Note;
use crate::person::{Person, PlayerId};
use crate::refusal::{Invalid, Question, Refusal};
use crate::section::PlayerFacts;
use pairings::model::Pairings;
use pairings::player::{Player, folded, is_fuller_spelling, is_spelling_of};
use pairings::roster::Roster;

/// The most names whose spelling is kept that a note lists.
const SPELLINGS: usize = 12;

impl Work<'_> {
    /// Enters all players of the files; returns who is who.
    pub(super) fn enter_players(&mut self, slug: &Arc<str>, pairings: &Pairings) -> Result<WhoIsWho, Refusal> {
        let mut players = WhoIsWho::default();
        let section = self.section(slug)?;
        for id in section.players.keys() {
            players.known(&player_of(section, &self.persons, *id), *id);
        }
        let forgotten: BTreeMap<_, _> = section
            .players
            .iter()
            .filter(|(_, facts)| facts.forgotten)
            .filter_map(|(id, facts)| Some((facts.number?, *id)))
            .collect();
        let mut names = BTreeMap::<_, u32>::new();
        for player in &pairings.players {
            *names.entry(folded(&player.name)).or_default() += 1;
        }
        let (known, mut new, mut met) = (section.players.clone(), Vec::new(), BTreeSet::new());
        let (mut kept, mut corrected) = (Vec::new(), Vec::new());
        for player in &pairings.players {
            let alone = names.get(&folded(&player.name)) == Some(&1);
            // A forgotten player does not come back with the next file.
            if let Some(id) = player.number.and_then(|number| forgotten.get(&number)) {
                players.known(player, *id);
                continue;
            }
            let Some(id) = players.find(player, alone) else {
                if let Some((id, name)) = self.renamed(&known, &names, player, alone) {
                    corrected.push(format!("{name} ({})", player.name));
                    self.update_player(slug, id, &Player { name, ..player.clone() })?;
                    met.insert(id);
                    players.known(player, id);
                    continue;
                }
                let person = Person::of(player).checked()?;
                let id = self.enter_player(slug, person, player.number);
                players.known(player, id);
                new.push((player.name.clone(), player.number));
                continue;
            };
            met.insert(id);
            kept.extend(self.update_player(slug, id, player)?);
            players.known(player, id);
        }
        if !kept.is_empty() {
            self.note(Note::SpellingsKept { names: listed(kept) });
        }
        if !corrected.is_empty() {
            self.note(Note::CorrectedNamesKept { names: listed(corrected) });
        }
        let missing = known.iter().filter(|(id, _)| !met.contains(id));
        let missing: Vec<_> =
            missing.filter_map(|(id, facts)| Some((self.persons.get(*id)?.name.clone(), facts.number))).collect();
        for (name, number) in new {
            let same_number = |other: &Option<u32>| number.is_some() && number == *other;
            let same = missing.iter().find(|(known, other)| is_close(&name, known) || same_number(other));
            if let Some((known, _)) = same {
                self.ask_alike(Question::SamePerson { known: known.clone(), name });
            }
        }
        Ok(players)
    }

    /// The player whom the file still has under an earlier name, with the name that a person entered since. `names` are those of the
    /// file.
    fn renamed(
        &self,
        known: &BTreeMap<PlayerId, PlayerFacts>,
        names: &BTreeMap<String, u32>,
        said: &Player,
        alone: bool,
    ) -> Option<(PlayerId, String)> {
        let mut found = known.iter().filter_map(|(id, facts)| {
            let record = self.persons.record(*id)?;
            let name = &record.person.name;
            let was_so = record.earlier.iter().any(|earlier| is_spelling_of(&earlier.name, &said.name));
            let fits = alone || said.number.is_some() && said.number == facts.number;
            (was_so && fits && !names.contains_key(&folded(name))).then(|| (*id, name.clone()))
        });
        found.next().filter(|_| found.next().is_none())
    }

    /// Updates a player from a file; keeps what the file does not have, among that the accents of the name: gives the spelling that
    /// was kept, with that of the file.
    fn update_player(&mut self, slug: &Arc<str>, player: PlayerId, said: &Player) -> Result<Option<String>, Refusal> {
        let (_, facts) = self.known_player(player)?;
        if said.number.is_some() && said.number != facts.number {
            let (number, display) = (said.number, facts.display);
            self.fact(Fact::PlayerSet { section: Arc::clone(slug), player, number, display });
        }
        let Some(record) = self.persons.record(player) else { return Ok(None) };
        let mut whole = said.clone();
        let known = &record.person.name;
        let keeps = *known != said.name && is_spelling_of(known, &said.name) && !is_fuller_spelling(&said.name, known);
        let kept = keeps.then(|| format!("{known} ({})", said.name));
        if keeps {
            whole.name.clone_from(known);
        }
        whole.complete(&record.person.player(said.number));
        let person = Person::of(&whole).checked()?;
        if person != record.person {
            let changed = record.changed(person);
            self.person(player, Some(changed));
        }
        Ok(kept)
    }
}

/// Names in a note, no more than a person reads.
fn listed(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(SPELLINGS);
    names.truncate(SPELLINGS);
    names.extend((more > 0).then(|| format!("… (+{more})")));
    names.join("; ")
}

/// Whether two names may be of one person: the same words in another order, or at most two letters differ.
fn is_close(one: &str, other: &str) -> bool {
    const MOST_DIFFERENT: usize = 2;
    const SHORTEST: usize = 6;
    let words = |name: &str| {
        let plain = folded(name);
        let mut words: Vec<_> = plain.split(' ').map(str::to_owned).collect();
        words.sort();
        words.concat()
    };
    let (one, other) = (words(one), words(other));
    if one == other {
        return true;
    }
    if one.len().min(other.len()) < SHORTEST || one.len().abs_diff(other.len()) > MOST_DIFFERENT {
        return false;
    }
    // Edit distance, a row for each letter.
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, letter) in one.bytes().enumerate() {
        let mut next = vec![place + 1];
        for (above, others) in row.windows(2).zip(other.bytes()) {
            let [diagonal, up] = *above else { continue };
            let left = next.last().copied().unwrap_or_default();
            next.push((diagonal + usize::from(letter != others)).min(up + 1).min(left + 1));
        }
        row = next;
    }
    row.last().is_some_and(|distance| *distance <= MOST_DIFFERENT)
}

/// Players of files and of the section.
#[derive(Default)]
pub(super) struct WhoIsWho {
    roster: Roster,
    ids: BTreeMap<usize, PlayerId>,
}

impl WhoIsWho {
    pub(super) fn known(&mut self, player: &Player, id: PlayerId) {
        let place = self.roster.add(player);
        self.ids.entry(place).or_insert(id);
    }

    /// A player of the section. A name that only one player has is enough: starting numbers change when people come late.
    pub(super) fn find(&self, player: &Player, alone: bool) -> Option<PlayerId> {
        let place = self.roster.find(player).or_else(|| {
            let named = Player { number: None, ..player.clone() };
            self.roster.find(&named).filter(|_| alone)
        });
        place.and_then(|place| self.ids.get(&place).copied())
    }

    pub(super) fn of(&self, player: &Player) -> Result<PlayerId, Refusal> {
        let unknown = || Invalid::NotInList { player: player.name.clone() };
        Ok(self.find(player, true).ok_or_else(unknown)?)
    }
}
