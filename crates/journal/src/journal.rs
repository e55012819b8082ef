//! The only writer: commits batches and gives their entries numbers and instants.
//!
//! It caches what it needs to know about games, and empties the cache when a commit fails, so that no number is given
//! twice. Between commits it writes snapshots of the games of finished rounds.

mod game_cache;
mod writer;

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::backup;
use super::condition::{self, Condition};
use super::forget::Forgotten;
use super::mark::{self, Found, Marker};
use super::notice::Notice;
use super::rows::{next_number, snapshot_of};
use super::{JournalError, content_sum, full, upgrade};
use crate::{Batch, Committed, JournalWatch};
use game_cache::GameCache;
use game_core::time::UtcMs;
use tournament::GameRef;

/// How long another process may hold the database before a commit fails and is tried again later.
const BUSY: Duration = Duration::from_secs(1);

/// Prepared statements in the cache of a connection.
const STATEMENTS: usize = 32;

/// How often what is in SQLite's log goes into the main file.
const CHECKPOINT: Duration = Duration::from_secs(30);

/// How much later than it is due such work is done while no moment is quiet.
const LATE: Duration = Duration::from_secs(5);

/// Bytes of SQLite's log at which it begins anew by itself: a thousand pages.
pub(super) const LOG_LENGTH: u64 = 1000 * 4096;

/// Snapshots written in one commit. A batch that arrives meanwhile waits for that commit.
const SNAPSHOTS_AT_ONCE: u32 = 8;

/// The journal, open for writing.
#[derive(Debug)]
pub struct Journal {
    connection: Connection,
    /// Number of the next entry.
    next: u64,
    cache: GameCache,
    /// Whether games of finished rounds may lack a snapshot.
    lacks_snapshots: bool,
    /// Whether SQLite's log may still hold removed data.
    left_in_log: bool,
    /// Forgotten persons that [`Journal::without_forgotten`] has not yet removed, with the number of the first entry after
    /// the removal.
    forgotten: Vec<(Forgotten, u64)>,
    marker: Marker,
    /// Number of the last fact of a board.
    boards: u64,
    condition: Condition,
    /// None for a journal in memory.
    watch: Option<JournalWatch>,
    checkpoint_at: Instant,
    /// Whether SQLite's log may have what the main file has not.
    logged: bool,
}

impl Journal {
    /// Opens the file, which is made when it is missing, and brings it to this version's schema.
    ///
    /// # Errors
    /// A [`JournalError`] that names the file.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let closed = |source| full::of_journal(path, source);
        if let Err(error) = private_file(path) {
            // SQLite says better what is wrong with a file that cannot be opened at all.
            tracing::warn!(%error, "other users of this machine may be able to read the journal");
        }
        let found = mark::read(path).unwrap_or(Found::Damaged);
        let connection = Connection::open(path).map_err(closed)?;
        let opened = Self::begin(connection, path).and_then(|journal| journal.compared(path, &found));
        opened.map_err(|error| match error {
            JournalError::Failed(source) => closed(source),
            other => other,
        })
    }

    /// Compares the journal with its mark, and begins new streams when something is missing or it is a copy: the numbers
    /// that the old streams gave out would come again with other content.
    fn compared(mut self, path: &Path, found: &Found) -> Result<Self, JournalError> {
        let mut extent = condition::extent(&self.connection, path)?;
        self.condition = condition::compare(&self.connection, found, &extent)?;
        if let Condition::Missing(missing) = &self.condition {
            // Before the mark says otherwise: it stays until a person has looked.
            let noticed = Notice::add_missing(path, missing);
            noticed.map_err(|source| full::of_folder(path, source))?;
        }
        let in_doubt = match self.condition {
            Condition::Missing(_) | Condition::Copied | Condition::MarkDamaged => true,
            // A mark that is gone says nothing; a new journal has no streams yet.
            Condition::Unmarked => extent.next > 0,
            Condition::Whole => false,
        };
        if in_doubt {
            upgrade::renew_identity(&self.connection)?;
            extent.identity = self.identity()?.to_string();
        }
        if let Err(error) = lengthen_log(&mark::beside(path, "-wal")) {
            tracing::debug!(%error, "the log of the journal grows with each commit");
        }
        self.boards = extent.boards;
        self.watch = Some(JournalWatch::of(path));
        self.marker = Marker::begin(path, found, extent);
        Ok(self)
    }

    /// Puts the files of a restored backup into the data folder.
    pub(super) fn put_back_files(&self, data: &Path) -> Result<(), JournalError> {
        backup::put_back_files(&self.connection, data)
    }

    /// How the journal compared with its mark when it was opened.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// Whether its file is still in its folder. What is committed to a file that was removed is lost with the process.
    pub fn is_there(&self) -> bool {
        self.watch.as_ref().is_none_or(JournalWatch::is_there)
    }

    /// Makes a journal in a new file, with rows that are written in one commit.
    pub(super) fn filled<T>(
        path: &Path,
        fill: impl FnOnce(&Transaction<'_>) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        private_file(path).map_err(|source| JournalError::Folder { path: path.to_owned(), source })?;
        let mut journal = Self::begin(Connection::open(path)?, path)?;
        let transaction = journal.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let filled = fill(&transaction)?;
        transaction.commit()?;
        // The file alone is the journal.
        journal.connection.pragma_update(None, "journal_mode", "DELETE")?;
        Ok(filled)
    }

    /// A journal in memory.
    ///
    /// # Errors
    /// When SQLite cannot open it.
    #[cfg(any(test, feature = "test-support"))]
    pub fn in_memory() -> Result<Self, JournalError> {
        Self::begin(Connection::open_in_memory()?, Path::new(":memory:"))
    }

    fn begin(mut connection: Connection, path: &Path) -> Result<Self, JournalError> {
        connection.busy_timeout(BUSY)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        content_sum::register(&connection)?;
        upgrade::upgrade(&mut connection, path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // What is removed (a person, a name in tags) is overwritten on the disk.
        connection.pragma_update(None, "secure_delete", true)?;
        let next = next_number(&connection)?;
        Ok(Self {
            connection,
            next,
            cache: GameCache::default(),
            lacks_snapshots: true,
            left_in_log: false,
            forgotten: Vec::new(),
            marker: Marker::none(),
            boards: 0,
            condition: Condition::Whole,
            watch: None,
            checkpoint_at: Instant::now() + CHECKPOINT,
            logged: true,
        })
    }

    /// Part of the names of this journal's streams.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn identity(&self) -> Result<Arc<str>, JournalError> {
        Ok(self.connection.query_row("SELECT identity FROM journal", [], |row| row.get(0))?)
    }

    /// Commits all batches in one transaction; returns their entries in order.
    ///
    /// # Errors
    /// When the transaction failed. Nothing was written, and the same batches can be committed again.
    pub fn commit(&mut self, now: UtcMs, batches: &[Batch]) -> Result<Vec<Committed>, JournalError> {
        let committed = writer::write(&mut self.connection, &mut self.cache, self.next, now, batches);
        self.lacks_snapshots |= std::mem::take(&mut self.cache.lacks_snapshots);
        match &committed {
            Ok((entries, sum)) => {
                self.next += entries.len() as u64;
                self.boards += batches.iter().map(|batch| batch.boards.len() as u64).sum::<u64>();
                self.marker.note(self.next, *sum, self.boards, now);
                self.logged = true;
                let forgotten = std::mem::take(&mut self.cache.forgotten);
                self.left_in_log |= !forgotten.is_empty();
                self.forgotten.extend(forgotten);
            }
            // The cache may have events that were not committed.
            Err(_) => self.cache = GameCache::empty(self.cache.batch),
        }
        if self.left_in_log {
            // A reader can block the checkpoint; a later commit tries again.
            let kept = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
            self.left_in_log = kept.unwrap_or(true);
        }
        committed.map(|(entries, _)| entries)
    }

    /// Work that no commit has to wait for: brings SQLite's log into the main file, and the mark to the disk. Between commits that
    /// follow each other it waits for a quiet moment, as the disk and the processor are needed for what was committed.
    pub(crate) fn keep_up(&mut self, quiet: bool) {
        let patience = if quiet { Duration::ZERO } else { LATE };
        if self.logged && self.checkpoint_at + patience <= Instant::now() {
            self.checkpoint_at = Instant::now() + CHECKPOINT;
            let done = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
                Ok(row.get::<_, i64>(1)? == row.get::<_, i64>(2)?)
            });
            self.logged = !done.unwrap_or(false);
            self.marker.sync();
        }
        if self.marker.sync_due().is_some_and(|due| due + patience <= Instant::now()) {
            self.marker.sync();
        }
    }

    /// When [`Journal::keep_up`] will have work.
    pub(crate) fn keep_up_due(&self) -> Option<Instant> {
        self.watch.as_ref()?;
        let checkpoint = self.logged.then_some(self.checkpoint_at);
        checkpoint.into_iter().chain(self.marker.sync_due()).min()
    }

    /// Whether [`Journal::without_forgotten`] has work.
    pub(crate) fn has_forgotten(&self) -> bool {
        !self.forgotten.is_empty()
    }

    /// Removes persons who were forgotten since the last call from earlier entries, given in order.
    pub(crate) fn without_forgotten(&mut self, entries: &mut [Committed]) {
        for (forgotten, before) in std::mem::take(&mut self.forgotten) {
            for entry in entries.iter_mut().take_while(|entry| entry.number() < before) {
                forgotten.remove_from_entry(entry);
            }
        }
    }

    /// Whether [`Journal::write_snapshots`] may have work.
    pub(crate) fn lacks_snapshots(&self) -> bool {
        self.lacks_snapshots
    }

    /// Writes snapshots of some games of rounds that are over, or whose games all are; returns whether there may be more.
    ///
    /// # Errors
    /// When the journal cannot be written or is damaged; the same is tried again at the next call.
    pub(crate) fn write_snapshots(&mut self) -> Result<bool, JournalError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let games = without_snapshot(&transaction)?;
        for (key, at) in &games {
            let pgn = snapshot_of(&transaction, at)?;
            transaction.prepare_cached("INSERT INTO folded VALUES (?1, ?2)")?.execute(params![key, pgn])?;
        }
        transaction.commit()?;
        for (_, at) in &games {
            if let Some(known) = self.cache.games.get_mut(&at.game) {
                known.has_snapshot = true;
            }
        }
        self.lacks_snapshots = games.len() == SNAPSHOTS_AT_ONCE as usize;
        Ok(self.lacks_snapshots)
    }
}

impl Drop for Journal {
    /// The mark of a clean end, when everything is in the main file or its log.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.marker.end();
        }
    }
}

/// Creates the file if it is missing and makes it readable by its owner only: it has names that are not public. SQLite gives
/// new files beside it the same permissions; those that a killed daemon left get them here.
#[cfg(unix)]
fn private_file(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    let narrow = |file: std::fs::File| file.set_permissions(std::fs::Permissions::from_mode(0o600));
    narrow(std::fs::File::options().create(true).truncate(false).write(true).mode(0o600).open(path)?)?;
    for suffix in ["-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(suffix);
        match std::fs::File::options().write(true).open(beside) {
            Ok(file) => narrow(file)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Gives SQLite's log its usual length at once: a commit that makes the file longer waits for the length as well, a fifth
/// longer on ext4. To SQLite what follows the last frame is the rest of an earlier log (file format, 4.1).
fn lengthen_log(path: &Path) -> std::io::Result<()> {
    let mut log = std::fs::File::options().append(true).open(path)?;
    let length = log.metadata()?.len();
    let missing = LOG_LENGTH.saturating_sub(length);
    let lengthened = std::io::copy(&mut std::io::repeat(0).take(missing), &mut log).and_then(|_| log.sync_all());
    if lengthened.is_err() {
        // On a full disk the space is needed for what happens.
        log.set_len(length)?;
    }
    lengthened
}

/// Permissions are those of the folder.
#[cfg(not(unix))]
fn private_file(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Some games of finished rounds that have no snapshot.
fn without_snapshot(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<(i64, GameRef)>> {
    let mut games = transaction.prepare_cached(
        "SELECT key, id, event, round, tbl FROM game g \
         WHERE NOT EXISTS (SELECT 1 FROM folded WHERE game = g.key) \
           AND (EXISTS (SELECT 1 FROM finished_round f WHERE f.event = g.event AND f.number = g.round) \
             OR NOT EXISTS (SELECT 1 FROM game o WHERE o.event = g.event AND o.round = g.round AND NOT o.over)) \
         LIMIT ?1",
    )?;
    games
        .query_map([SNAPSHOTS_AT_ONCE], |row| {
            let at = GameRef { game: row.get(1)?, event: row.get(2)?, round: row.get(3)?, table: row.get(4)? };
            Ok((row.get(0)?, at))
        })?
        .collect()
}
