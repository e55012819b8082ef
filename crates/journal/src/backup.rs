//! A copy of the journal while the daemon writes it.
//!
//! The copy is complete or does not exist. A restored copy starts new stream ids. Other files of the data folder can be kept
//! in it: the first start puts back those that are missing, and removes them from the journal.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};

use super::{FILE, JournalError, Reader, upgrade};

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file exists.
    #[error("{} exists already: give the backup another name", .0.display())]
    Exists(PathBuf),
    /// The copy cannot be written.
    #[error("the backup {} cannot be written: check the folder, its permissions and the space on its disk", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The copy cannot be made.
    #[error("the backup {} cannot be made: check both disks", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

/// Another file of the data folder that is kept in a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// Its name in the data folder.
    pub name: String,
    /// Its bytes.
    pub content: Vec<u8>,
}

impl Reader {
    /// Copies the journal, as of this instant, into a new file, with other files of the data folder.
    ///
    /// # Errors
    /// A [`BackupError`] that names the file; then there is none.
    pub fn backup(&self, to: &Path, kept: &[KeptFile]) -> Result<(), BackupError> {
        if to.exists() {
            return Err(BackupError::Exists(to.to_owned()));
        }
        let unwritable = |source| BackupError::Unwritable { path: to.to_owned(), source };
        let failed = |source| BackupError::Failed { path: to.to_owned(), source };
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let part = tempfile::Builder::new()
            .prefix(".boardcast-backup-")
            .tempfile_in(folder)
            .map_err(unwritable)?
            .into_temp_path();
        self.copy_into(&part).map_err(failed)?;
        let copy = Connection::open(&part).map_err(failed)?;
        upgrade::renew_identity(&copy).map_err(failed)?;
        keep_files(&copy, kept).map_err(failed)?;
        copy.close().map_err(|(_, source)| failed(source))?;
        File::open(&part).and_then(|file| file.sync_all()).map_err(unwritable)?;
        part.persist_noclobber(to).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists(to.to_owned()),
            _ => unwritable(error.error),
        })?;
        // The name reaches the disk with its folder.
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(unwritable)
    }

    fn copy_into(&self, file: &Path) -> rusqlite::Result<()> {
        let connection = self.connection();
        // The copy counts as writing, although this journal is only read.
        connection.pragma_update(None, "query_only", false)?;
        let copied = connection.execute("VACUUM INTO ?1", [file.to_string_lossy()]);
        connection.pragma_update(None, "query_only", true)?;
        copied.map(|_| ())
    }
}

fn keep_files(copy: &Connection, kept: &[KeptFile]) -> rusqlite::Result<()> {
    if kept.is_empty() {
        return Ok(());
    }
    copy.execute_batch("CREATE TABLE kept_file (name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT")?;
    for KeptFile { name, content } in kept {
        copy.execute("INSERT INTO kept_file VALUES (?1, ?2)", params![name, content])?;
    }
    Ok(())
}

/// Puts the files that a restored backup holds into the data folder, unless they are there, and removes them from the journal.
pub(super) fn put_back_files(connection: &Connection, data: &Path) -> Result<(), JournalError> {
    let has_table = "SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'kept_file'";
    if !connection.query_row(has_table, [], |row| row.get::<_, bool>(0))? {
        return Ok(());
    }
    let mut rows = connection.prepare("SELECT name, content FROM kept_file")?;
    let kept = rows.query_map([], |row| Ok(KeptFile { name: row.get(0)?, content: row.get(1)? }))?;
    for KeptFile { name, content } in kept.collect::<Result<Vec<_>, _>>()? {
        // A backup is a file that people handle: nothing in it may be written outside the folder.
        if name.contains(['/', '\\']) || name.starts_with('.') || name.starts_with(FILE) {
            continue;
        }
        let path = data.join(&name);
        if path.exists() {
            tracing::info!(
                "{name} is there and stays; the backup has one, too: to use that, remove {name} and restore again"
            );
            continue;
        }
        write_whole(&path, &content).map_err(|source| JournalError::Folder { path, source })?;
        tracing::info!("{name} was restored from the backup");
    }
    drop(rows);
    connection.execute_batch("DROP TABLE kept_file")?;
    // What they held is overwritten in the main file, too.
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(())
}

fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Readable by its owner only.
    let mut part = tempfile::NamedTempFile::new_in(folder)?;
    part.write_all(content)?;
    part.as_file().sync_all()?;
    part.persist_noclobber(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}
