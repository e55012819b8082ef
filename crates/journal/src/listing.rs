//! Reads the hall and the list of games, without their events: for work on many games, which are then read one at a time.

use rusqlite::params;

use super::rows::{hall_entries, persons};
use super::{JournalError, Reader};
use tournament::GameRef;
use tournament::{Hall, Persons};

impl Reader {
    /// The hall as it stands, and who the players are.
    ///
    /// # Errors
    /// When the journal cannot be read or is damaged.
    pub fn hall(&self) -> Result<(Hall, Persons), JournalError> {
        let connection = self.connection();
        let entries = hall_entries(&connection)?;
        Ok((Hall::of(entries.iter().map(|entry| &entry.fact)), persons(&connection)?))
    }

    /// The games of a section, or of all; of one round, or of all. By section, round and table; games of one table in
    /// the order in which they began.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn games(&self, section: Option<&str>, round: Option<u32>) -> Result<Vec<GameRef>, JournalError> {
        let connection = self.connection();
        let mut games = connection.prepare(
            "SELECT id, event, round, tbl FROM game WHERE (?1 IS NULL OR event = ?1) AND (?2 IS NULL OR round = ?2) \
             ORDER BY event, round, tbl, key",
        )?;
        let games = games.query_map(params![section, round], |row| {
            Ok(GameRef { game: row.get(0)?, event: row.get(1)?, round: row.get(2)?, table: row.get(3)? })
        })?;
        Ok(games.collect::<rusqlite::Result<_>>()?)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use game_core::event::{Author, Event, Evidence};

    use super::*;
    use crate::{Batch, NewEvent};
    use crate::{FILE, Journal};

    fn begun(journal: &mut Journal, section: &str, round: u32, table: u32) {
        let game = GameRef { game: format!("{section}-{round}-{table}").into(), event: section.into(), round, table };
        let draft =
            NewEvent { at: 1, game, author: Author::Board, evidence: Evidence::StartPosition, event: Event::Resolved };
        journal.commit(1, &[Batch { games: vec![draft], ..Batch::default() }]).unwrap();
    }

    fn listed(folder: &Path, section: Option<&str>, round: Option<u32>) -> Vec<String> {
        let games = Reader::open_in(folder).unwrap().games(section, round).unwrap();
        games.iter().map(|game| game.game.to_string()).collect()
    }

    #[test]
    fn games_are_listed_in_the_order_of_the_hall() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(&folder.path().join(FILE)).unwrap();
        for (section, round, table) in [("open", 2, 1), ("open", 1, 2), ("women", 1, 9), ("open", 1, 1)] {
            begun(&mut journal, section, round, table);
        }
        assert_eq!(listed(folder.path(), None, None), ["open-1-1", "open-1-2", "open-2-1", "women-1-9"]);
        assert_eq!(listed(folder.path(), Some("open"), None), ["open-1-1", "open-1-2", "open-2-1"]);
        assert_eq!(listed(folder.path(), None, Some(1)), ["open-1-1", "open-1-2", "women-1-9"]);
        assert!(listed(folder.path(), Some("women"), Some(2)).is_empty());
    }
}
