//! Corrections as the journal tells them: with author, time and reason.

use rusqlite::params;

use super::rows::{HALL_COLUMNS, collect, hall_entry};
use super::{JournalError, Reader};
use crate::RecordedFact;

impl Reader {
    /// Corrections, the newest first: at most so many, and only those before the one of this number.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn corrections(&self, before: Option<u32>, most: usize) -> Result<Vec<RecordedFact>, JournalError> {
        let connection = self.connection();
        let mut facts = connection.prepare_cached(&format!(
            "SELECT {HALL_COLUMNS} WHERE fact ->> '$.fact' = 'corrected' AND fact ->> '$.number' < ?1 \
                 ORDER BY number DESC LIMIT ?2"
        ))?;
        collect(facts.query(params![before.unwrap_or(u32::MAX), most as u64])?, hall_entry)
    }
}
