//! The persons who play, by player number; without forgotten ones. Must not know rounds or games.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::names::Names;
use super::person::{Person, PersonRecord, PlayerId};

/// All persons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Persons(BTreeMap<PlayerId, Arc<PersonRecord>>);

impl Persons {
    /// The person of a player; none once forgotten.
    pub fn get(&self, id: PlayerId) -> Option<&Person> {
        self.0.get(&id).map(|record| &record.person)
    }

    /// The person with the earlier versions.
    pub fn record(&self, id: PlayerId) -> Option<&PersonRecord> {
        self.0.get(&id).map(|record| &**record)
    }

    /// Adds, changes or removes a person.
    pub fn set(&mut self, id: PlayerId, record: Option<PersonRecord>) {
        match record {
            Some(record) => {
                self.0.insert(id, Arc::new(record));
            }
            None => {
                self.0.remove(&id);
            }
        }
    }

    /// The names of the persons whom these changes remove.
    pub fn leaving(&self, changes: &[(PlayerId, Option<PersonRecord>)]) -> Names {
        let mut names = Names::default();
        for record in changes.iter().filter(|(_, record)| record.is_none()).filter_map(|(id, _)| self.record(*id)) {
            names.add(record);
        }
        names
    }

    /// All persons, by player number.
    pub fn iter(&self) -> impl Iterator<Item = (PlayerId, &Person)> {
        self.0.iter().map(|(id, record)| (*id, &record.person))
    }
}
