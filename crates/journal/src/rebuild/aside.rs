//! The files of a rebuild: copies of the old ones, which are its only source, and the new journal until it is complete.
//!
//! `rebuild-unfinished` in the data folder holds both. While it exists the daemon does not start, and a rebuild begins again
//! from the copies in it. Must not know what is in a journal.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::RebuildError;
use crate::loss::Moment;
use crate::mark::{beside, sync_folder_of};
use crate::{FILE, journal_path};
use game_core::time::UtcMs;

/// The folder of a rebuild that is not complete.
pub(crate) const UNFINISHED: &str = "rebuild-unfinished";

/// What belongs to a journal and is copied; the first may be missing like the others.
const SUFFIXES: [&str; 3] = ["", "-wal", "-mark"];

/// The files of a rebuild.
pub(super) struct Aside {
    data: PathBuf,
    folder: PathBuf,
    was_interrupted: bool,
}

impl Aside {
    /// Copies the journal's files, or takes the copies of a rebuild that was interrupted.
    pub(super) fn take(data: &Path) -> Result<Self, RebuildError> {
        let folder = data.join(UNFINISHED);
        let was_interrupted = folder.exists();
        if !was_interrupted {
            let part = data.join(format!("{UNFINISHED}.part"));
            let copied = remove(&part).and_then(|()| fs::create_dir(&part)).and_then(|()| copy(data, &part));
            copied.and_then(|()| fs::rename(&part, &folder)).map_err(RebuildError::file(&folder))?;
            sync_folder_of(&folder).map_err(RebuildError::file(data))?;
        }
        Ok(Self { data: data.to_owned(), folder, was_interrupted })
    }

    /// Whether an earlier rebuild did not come to its end.
    pub(super) fn was_interrupted(&self) -> bool {
        self.was_interrupted
    }

    /// The copy of the old journal.
    pub(super) fn journal(&self) -> PathBuf {
        journal_path(&self.folder)
    }

    /// A copy of the copies, which SQLite may change.
    pub(super) fn work_copy(&self) -> Result<PathBuf, RebuildError> {
        let work = self.fresh("work")?;
        copy(&self.folder, &work).map_err(RebuildError::file(&work))?;
        Ok(journal_path(&work))
    }

    /// Where the new journal is made.
    pub(super) fn new_journal(&self) -> Result<PathBuf, RebuildError> {
        Ok(journal_path(&self.fresh("new")?))
    }

    fn fresh(&self, name: &str) -> Result<PathBuf, RebuildError> {
        let folder = self.folder.join(name);
        remove(&folder).and_then(|()| fs::create_dir(&folder)).map_err(RebuildError::file(&folder))?;
        Ok(folder)
    }

    /// Nothing was changed: removes the copies.
    pub(super) fn forget(self) -> Result<(), RebuildError> {
        remove(&self.folder).map_err(RebuildError::file(&self.folder))
    }

    /// Puts the new journal in the place of the old one; returns where the old files are now.
    pub(super) fn put_in_place(self, new: &Path, now: UtcMs) -> Result<PathBuf, RebuildError> {
        let failed = || RebuildError::file(&self.data);
        File::open(new).and_then(|file| file.sync_all()).map_err(failed())?;
        let journal = journal_path(&self.data);
        // The old log must not be applied to the new file.
        for suffix in ["-wal", "-shm", "-mark"] {
            remove(&beside(&journal, suffix)).map_err(failed())?;
        }
        sync_folder_of(&journal).map_err(failed())?;
        fs::rename(new, &journal).map_err(failed())?;
        sync_folder_of(&journal).map_err(failed())?;
        for name in ["work", "new"] {
            remove(&self.folder.join(name)).map_err(failed())?;
        }
        let name = format!("damaged-{}", Moment(now).to_string().replace([' ', ':'], "-"));
        let free = (1..).map(|count| if count == 1 { name.clone() } else { format!("{name}-{count}") });
        let aside = free.map(|name| self.data.join(name)).find(|folder| !folder.exists()).unwrap_or_default();
        fs::rename(&self.folder, &aside).map_err(failed())?;
        sync_folder_of(&aside).map_err(failed())?;
        Ok(aside)
    }
}

/// Copies the files of a journal that are there, to the disk.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for name in SUFFIXES.map(|suffix| format!("{FILE}{suffix}")) {
        match fs::copy(from.join(&name), to.join(&name)) {
            Ok(_) => File::open(to.join(&name))?.sync_all()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    File::open(to)?.sync_all()
}

/// Removes a file or a folder, if there is one.
fn remove(path: &Path) -> io::Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}
