//! Who the players of pairing files are: those that the section knows, and new ones. Must not know rounds or games.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Work;
use crate::export::player_of;
use crate::fact::Fact;
use crate::note::Note;
use crate::person::{Person, PlayerId};
use crate::refusal::{Invalid, Question, Refusal};
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
        let mut kept = Vec::new();
        for player in &pairings.players {
            let alone = names.get(&folded(&player.name)) == Some(&1);
            // A forgotten player does not come back with the next file.
            if let Some(id) = player.number.and_then(|number| forgotten.get(&number)) {
                players.known(player, *id);
                continue;
            }
            let Some(id) = players.find(player, alone) else {
                let person = Person::of(player).checked()?;
                let id = self.enter_player(slug, person, player.number);
                players.known(player, id);
                new.push(player.name.clone());
                continue;
            };
            met.insert(id);
            kept.extend(self.update_player(slug, id, player)?);
            players.known(player, id);
        }
        if !kept.is_empty() {
            let more = kept.len().saturating_sub(SPELLINGS);
            kept.truncate(SPELLINGS);
            kept.extend((more > 0).then(|| format!("… (+{more})")));
            self.note(Note::SpellingsKept { names: kept.join("; ") });
        }
        let missing = known.keys().filter(|id| !met.contains(id)).filter_map(|id| self.persons.get(*id));
        let missing: Vec<_> = missing.map(|person| person.name.clone()).collect();
        for name in new {
            if let Some(close) = missing.iter().find(|known| is_close(&name, known)) {
                self.ask_alike(Question::SamePerson { known: close.clone(), name });
            }
        }
        Ok(players)
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
