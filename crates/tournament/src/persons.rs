//! Everybody who plays, by number.
//!
//! Who is forgotten is no longer in it. Must not know rounds or games.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::names::Names;
use super::person::{Person, PersonRecord, PlayerId};

/// All persons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Persons(BTreeMap<PlayerId, Arc<PersonRecord>>);

impl Persons {
    /// Who a player is; none once he is forgotten.
    pub fn get(&self, id: PlayerId) -> Option<&Person> {
        self.0.get(&id).map(|record| &record.person)
    }

    /// The same with what was known before.
    pub fn record(&self, id: PlayerId) -> Option<&PersonRecord> {
        self.0.get(&id).map(|record| &**record)
    }

    /// Enters or removes a person, as a decision says.
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

    /// What those are called who are removed by these changes.
    pub fn leaving(&self, changes: &[(PlayerId, Option<PersonRecord>)]) -> Names {
        let mut names = Names::default();
        for record in changes.iter().filter(|(_, record)| record.is_none()).filter_map(|(id, _)| self.record(*id)) {
            names.add(record);
        }
        names
    }

    /// Everybody, by id.
    pub fn iter(&self) -> impl Iterator<Item = (PlayerId, &Person)> {
        self.0.iter().map(|(id, record)| (*id, &record.person))
    }
}
