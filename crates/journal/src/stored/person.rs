//! Persons with their earlier versions.

use serde::{Deserialize, Serialize};
use tournament::{Person, PersonRecord};

use super::{FormError, read};

/// The newest version; its documents have no mark.
const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
struct StoredRecord {
    person: StoredPerson,
    /// Latest last.
    #[serde(default)]
    earlier: Vec<StoredPerson>,
}

#[derive(Serialize, Deserialize)]
struct StoredPerson {
    #[serde(default)]
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rating: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    federation: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fide_id: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    team: Option<String>,
}

impl From<&Person> for StoredPerson {
    fn from(person: &Person) -> Self {
        let Person { name, title, rating, federation, fide_id, team } = person.clone();
        Self { name, title, rating, federation, fide_id, team }
    }
}

impl From<StoredPerson> for Person {
    fn from(stored: StoredPerson) -> Self {
        let StoredPerson { name, title, rating, federation, fide_id, team } = stored;
        Self { name, title, rating, federation, fide_id, team }
    }
}

pub(crate) fn write_person(record: &PersonRecord) -> serde_json::Result<String> {
    let PersonRecord { person, earlier } = record;
    serde_json::to_string(&StoredRecord { person: person.into(), earlier: earlier.iter().map(Into::into).collect() })
}

pub(crate) fn read_person(json: &str) -> Result<PersonRecord, FormError> {
    let StoredRecord { person, earlier } = read(json, VERSION)?;
    Ok(PersonRecord { person: person.into(), earlier: earlier.into_iter().map(Into::into).collect() })
}
