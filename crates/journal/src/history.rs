//! Reads the history of corrections: with author, time and reason.

use rusqlite::params;

use super::rows::{HALL_COLUMNS, collect, hall_entry};
use super::{JournalError, Reader};
use crate::RecordedFact;

impl Reader {
    /// At most `most` corrections, the newest first; with `before`, only those with a smaller number.
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
