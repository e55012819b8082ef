//! The one writer: commits what was handed in, with the numbers and instants that it gets by its commit.
//!
//! Keeps what it needs to know about games in memory and forgets it when a commit fails, so that nothing is given twice.
//! Between commits it folds the games of finished rounds.

mod known;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::forget::Forgotten;
use super::rows::folded_form;
use super::{JournalError, upgrade};
use crate::{Batch, Committed};
use game_core::time::UtcMs;
use known::Known;
use tournament::GameRef;

/// How long another process may hold the database before a commit fails and is tried again later.
const BUSY: Duration = Duration::from_secs(1);

/// Prepared statements that are kept.
const STATEMENTS: usize = 32;

/// Games that are folded in one commit; what is handed in meanwhile waits for so many.
const FOLDED_AT_ONCE: u32 = 8;

/// The journal, open for writing.
#[derive(Debug)]
pub struct Journal {
    connection: Connection,
    /// Number of the next entry.
    next: u64,
    known: Known,
    /// Whether there may be games to fold.
    unfolded: bool,
    /// Whether what was removed may still stand in SQLite's log.
    left_in_log: bool,
    /// Who was forgotten, until somebody asks, and before which entry he was known.
    forgotten: Vec<(Forgotten, u64)>,
}

impl Journal {
    /// Opens the file, which is made when it is missing, and brings it to this version's schema.
    ///
    /// # Errors
    /// A [`JournalError`] that names the file.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let closed = |source| JournalError::Closed { path: path.to_owned(), source };
        let connection = Connection::open(path).map_err(closed)?;
        Self::begin(connection, path).map_err(|error| match error {
            JournalError::Failed(source) => closed(source),
            other => other,
        })
    }

    /// A journal that ends with the process, for tests.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn in_memory() -> Result<Self, JournalError> {
        Self::begin(Connection::open_in_memory()?, Path::new(":memory:"))
    }

    fn begin(mut connection: Connection, path: &Path) -> Result<Self, JournalError> {
        connection.busy_timeout(BUSY)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        upgrade::upgrade(&mut connection, path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // What is removed (a person, a name in tags) is overwritten on the disk.
        connection.pragma_update(None, "secure_delete", true)?;
        let next = connection.query_row(
            "SELECT max((SELECT coalesce(max(number) + 1, 0) FROM game_event), \
                        (SELECT coalesce(max(number) + 1, 0) FROM hall_event))",
            [],
            |row| row.get(0),
        )?;
        Ok(Self {
            connection,
            next,
            known: Known::default(),
            unfolded: true,
            left_in_log: false,
            forgotten: Vec::new(),
        })
    }

    /// Part of the names of the streams that this journal feeds.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn identity(&self) -> Result<Arc<str>, JournalError> {
        Ok(self.connection.query_row("SELECT identity FROM journal", [], |row| row.get(0))?)
    }

    /// Makes all of it durable at once; gives the entries in their order.
    ///
    /// # Errors
    /// When nothing of it is; the same can be handed in again.
    pub fn commit(&mut self, now: UtcMs, batches: &[Batch]) -> Result<Vec<Committed>, JournalError> {
        let committed = writer::write(&mut self.connection, &mut self.known, self.next, now, batches);
        self.unfolded |= std::mem::take(&mut self.known.over_or_unfolded);
        match &committed {
            Ok(entries) => {
                self.next += entries.len() as u64;
                let forgotten = std::mem::take(&mut self.known.forgotten);
                self.left_in_log |= !forgotten.is_empty();
                self.forgotten.extend(forgotten);
            }
            // The games may have been told of events that never were.
            Err(_) => self.known = Known::after(self.known.batch),
        }
        if self.left_in_log {
            // Whatever keeps it there is over by a later commit.
            let kept = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
            self.left_in_log = kept.unwrap_or(true);
        }
        committed
    }

    /// Takes persons who were forgotten since the last call out of entries, in order, that were committed before.
    pub fn without_forgotten(&mut self, entries: &mut [Committed]) {
        for (forgotten, before) in std::mem::take(&mut self.forgotten) {
            for entry in entries.iter_mut().take_while(|entry| entry.number() < before) {
                forgotten.remove_from_entry(entry);
            }
        }
    }

    /// Whether [`Journal::fold_finished`] may have something to do.
    pub fn has_unfolded(&self) -> bool {
        self.unfolded
    }

    /// Folds some games of rounds that are over, or in which every game is; gives whether there may be more.
    ///
    /// # Errors
    /// When the journal cannot be written or is damaged; the same is tried again at the next call.
    pub fn fold_finished(&mut self) -> Result<bool, JournalError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let games = finished_unfolded(&transaction)?;
        for (key, at) in &games {
            let pgn = folded_form(&transaction, at)?;
            transaction.prepare_cached("INSERT INTO folded VALUES (?1, ?2)")?.execute(params![key, pgn])?;
        }
        transaction.commit()?;
        for (_, at) in &games {
            if let Some(known) = self.known.games.get_mut(&at.game) {
                known.folded = true;
            }
        }
        self.unfolded = games.len() == FOLDED_AT_ONCE as usize;
        Ok(self.unfolded)
    }
}

/// Some games to fold.
fn finished_unfolded(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<(i64, GameRef)>> {
    let mut games = transaction.prepare_cached(
        "SELECT key, id, event, round, tbl FROM game g \
         WHERE NOT EXISTS (SELECT 1 FROM folded WHERE game = g.key) \
           AND (EXISTS (SELECT 1 FROM finished_round f WHERE f.event = g.event AND f.number = g.round) \
             OR NOT EXISTS (SELECT 1 FROM game o WHERE o.event = g.event AND o.round = g.round AND NOT o.over)) \
         LIMIT ?1",
    )?;
    games
        .query_map([FOLDED_AT_ONCE], |row| {
            let at = GameRef { game: row.get(1)?, event: row.get(2)?, round: row.get(3)?, table: row.get(4)? };
            Ok((row.get(0)?, at))
        })?
        .collect()
}
