//! The data folder: one daemon at a time.
//!
//! The system frees the lock when its holder ends, however that ends.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::{Journal, Reader, StoreError, journal_path};

/// The file whose lock says that a daemon runs.
const LOCK: &str = "daemon.lock";

/// A data folder that belongs to this process until dropped.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Takes the folder, which is made when it is missing.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process has it, [`StoreError::Folder`] when it cannot be used.
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::Folder { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(failed)?;
        let lock = File::options().create(true).truncate(false).write(true).open(path.join(LOCK)).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.to_owned())),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// Opens the journal for writing and beside it for reading; begins one when there is none.
    ///
    /// # Errors
    /// A [`StoreError`] that names the file.
    pub fn open_journal(&self) -> Result<(Journal, Reader), StoreError> {
        let path = journal_path(&self.path);
        Ok((Journal::open(&path)?, Reader::open(&path)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_belongs_to_one_daemon() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let first = DataFolder::take(&path).unwrap();
        let refused = DataFolder::take(&path).unwrap_err();
        assert!(refused.to_string().contains("is in use by another daemon: end that one"), "{refused}");
        drop(first);
        DataFolder::take(&path).unwrap();
    }

    #[test]
    fn a_folder_that_is_none_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        fs::write(&path, "in the way").unwrap();
        let refused = DataFolder::take(&path).unwrap_err();
        assert!(refused.to_string().contains("data cannot be used: check its permissions"), "{refused}");
    }
}
