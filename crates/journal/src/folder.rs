//! The data folder, which one daemon uses at a time.
//!
//! A file lock guards it: the system frees the lock when the process ends, also after a crash.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use super::mark::{FileId, file_id};
use super::rebuild::UNFINISHED;
use super::{FILE, Journal, JournalError, Reader, full, journal_path};

/// The lock file; its text is the address of the daemon.
const LOCK: &str = "daemon.lock";

/// Most bytes of the lock file that are read; more than the longest address.
const MOST_ADDRESS_BYTES: u64 = 128;

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
    /// [`JournalError::InUse`] when another process has it, [`JournalError::Folder`] when it cannot be used.
    pub fn take(path: &Path) -> Result<Self, JournalError> {
        let failed = |source| full::of_folder(path, source);
        fs::create_dir_all(path).map_err(failed)?;
        let lock = File::options().create(true).truncate(false).write(true).open(path.join(LOCK)).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {
                // The address of the last daemon is no longer valid.
                lock.set_len(0).map_err(failed)?;
                Ok(Self { path: path.to_owned(), _lock: lock })
            }
            Err(TryLockError::WouldBlock) => Err(JournalError::InUse(path.to_owned())),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the daemon's address, for the commands of this machine.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write_address(&self, address: SocketAddr) -> Result<(), JournalError> {
        let written = fs::write(self.path.join(LOCK), address.to_string());
        written.map_err(|source| JournalError::Folder { path: self.path.clone(), source })
    }

    /// The address of the daemon that uses a folder; none when the file has no valid address.
    pub fn read_address(path: &Path) -> Option<SocketAddr> {
        let mut text = String::new();
        File::open(path.join(LOCK)).ok()?.take(MOST_ADDRESS_BYTES).read_to_string(&mut text).ok()?;
        text.parse().ok()
    }

    /// Whether the disk of a folder has become read-only, as systems make one on which they find an error. Writes nothing, and may wait
    /// for the disk.
    pub fn is_read_only(path: &Path) -> bool {
        let opened = File::options().append(true).open(path.join(LOCK));
        opened.is_err_and(|error| error.kind() == ErrorKind::ReadOnlyFilesystem)
    }

    /// Whether files can be made in the folder, and the journal be written. Changes nothing.
    ///
    /// # Errors
    /// [`JournalError::Folder`] when the system does not permit it.
    pub fn may_write(&self) -> Result<(), JournalError> {
        let failed = |source| full::of_folder(&self.path, source);
        let probe = self.path.join(".boardcast-check");
        fs::write(&probe, "").and_then(|()| fs::remove_file(&probe)).map_err(failed)?;
        let journal = journal_path(&self.path);
        match File::options().append(true).open(&journal) {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(full::of_folder(&journal, source)),
            _ => Ok(()),
        }
    }

    /// Whether the disk of a folder has room for a daemon to start: for the journal's log, unless that is there. What is written for
    /// this has no name and does not stay.
    ///
    /// # Errors
    /// [`JournalError::DiskFull`].
    pub fn has_room(path: &Path) -> Result<(), JournalError> {
        let log = path.join(format!("{FILE}-wal"));
        if log.exists() || !full::has_no_room(path) { Ok(()) } else { Err(JournalError::DiskFull(path.to_owned())) }
    }

    /// Whether there is a journal; none when one may begin. Changes nothing.
    ///
    /// # Errors
    /// When the journal is lost, or an interrupted rebuild is to be repeated first.
    pub fn has_journal(&self) -> Result<bool, JournalError> {
        if self.path.join(UNFINISHED).exists() {
            return Err(JournalError::Rebuilding(self.path.clone()));
        }
        let path = journal_path(&self.path);
        // An empty file is none: SQLite would begin a new journal in it.
        if fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
            return Ok(true);
        }
        match self.trace_of_journal() {
            Some(trace) => Err(JournalError::Lost { path, trace }),
            None => Ok(false),
        }
    }

    /// Opens the journal for writing and beside it for reading; begins one when there is none.
    ///
    /// # Errors
    /// A [`JournalError`] that names the file.
    pub fn open_journal(&self) -> Result<(Journal, Reader), JournalError> {
        self.has_journal()?;
        let path = journal_path(&self.path);
        let journal = Journal::open(&path)?;
        journal.put_back_files(&self.path)?;
        Ok((journal, Reader::open(&path)?))
    }

    /// What shows that there was a journal: SQLite's log beside it, or a board's captures.
    fn trace_of_journal(&self) -> Option<String> {
        for name in ["-wal", "-mark"].map(|suffix| format!("{FILE}{suffix}")) {
            if self.path.join(&name).exists() {
                return Some(name);
            }
        }
        let boards = fs::read_dir(self.path.join("captures")).ok()?.filter_map(Result::ok);
        let has_files = |board: &fs::DirEntry| fs::read_dir(board.path()).is_ok_and(|mut files| files.next().is_some());
        let board = boards.into_iter().find(has_files)?;
        Some(format!("captures/{}", board.file_name().to_string_lossy()))
    }

    /// Watches the journal as it is now.
    pub fn watch_journal(&self) -> JournalWatch {
        JournalWatch::of(&journal_path(&self.path))
    }
}

/// Tells whether the journal that was opened is still in its folder. Without it nothing that is written outlives the
/// process, although the system reports no error.
#[derive(Clone, Debug)]
pub struct JournalWatch {
    path: PathBuf,
    opened: Option<FileId>,
}

impl JournalWatch {
    /// Watches the file that has this name now.
    pub(super) fn of(path: &Path) -> Self {
        Self { opened: file_id(path), path: path.to_owned() }
    }

    /// Whether it is. Blocks on the file system.
    pub fn is_there(&self) -> bool {
        let now = file_id(&self.path);
        now.is_some() && now == self.opened
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

    #[test]
    fn a_journal_that_was_removed_or_replaced_is_no_longer_there() {
        let folder = tempfile::tempdir().unwrap();
        let (path, aside) = (folder.path().join("data"), folder.path().join("aside"));
        let data = DataFolder::take(&path).unwrap();
        let _open = data.open_journal().unwrap();
        let watch = data.watch_journal();
        assert!(watch.is_there());
        fs::rename(&path, &aside).unwrap();
        assert!(!watch.is_there(), "it was moved away");
        fs::create_dir(&path).unwrap();
        fs::write(journal_path(&path), "another file").unwrap();
        assert!(!watch.is_there(), "another file has its name");
        fs::remove_dir_all(&path).unwrap();
        fs::rename(&aside, &path).unwrap();
        assert!(watch.is_there(), "it is back");
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_can_read_the_journal() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = journal_path(folder.path());
        let files = ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"].map(|name| folder.path().join(name));
        let modes = || files.iter().map(|file| fs::metadata(file).unwrap().permissions().mode() & 0o777);
        let data = DataFolder::take(folder.path()).unwrap();
        let open = data.open_journal().unwrap();
        assert!(modes().all(|mode| mode == 0o600), "{:?}", modes().collect::<Vec<_>>());
        drop(open);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let _open = data.open_journal().unwrap();
        assert!(modes().all(|mode| mode == 0o600), "the file of an earlier version: {:?}", modes().collect::<Vec<_>>());
    }

    #[test]
    fn a_journal_that_is_missing_beside_its_traces_is_never_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::take(folder.path()).unwrap();
        let path = journal_path(folder.path());
        let refused = || data.open_journal().map(|_| ()).unwrap_err().to_string();
        let log = folder.path().join("journal.sqlite-wal");
        fs::write(&log, "moves that are not in the main file").unwrap();
        assert!(refused().contains("journal.sqlite is missing, but journal.sqlite-wal is there"), "{}", refused());
        fs::remove_file(&log).unwrap();
        fs::create_dir_all(folder.path().join("captures/20077")).unwrap();
        drop(data.open_journal().unwrap());
        fs::write(&path, "").unwrap();
        assert!(refused().contains("is missing, but journal.sqlite-mark is there"), "{}", refused());
        fs::remove_file(&path).unwrap();
        fs::remove_file(folder.path().join("journal.sqlite-mark")).unwrap();
        fs::write(folder.path().join("captures/20077/2026-11-20.capture"), "").unwrap();
        assert!(
            refused().contains("is missing, but captures/20077 is there: run `boardcast rebuild`"),
            "{}",
            refused()
        );
        assert!(!path.exists(), "nothing was made");
    }
}
