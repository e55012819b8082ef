//! A copy of the journal while the daemon writes it.
//!
//! The copy is complete or does not exist. A restored copy starts new stream ids.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::{Reader, upgrade};

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

impl Reader {
    /// Copies the journal, as of this instant, into a new file.
    ///
    /// # Errors
    /// A [`BackupError`] that names the file; then there is none.
    pub fn backup(&self, to: &Path) -> Result<(), BackupError> {
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
