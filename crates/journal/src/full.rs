//! Whether a file cannot be written because its disk is full: then neither permissions nor the file are at fault.

use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use crate::JournalError;

/// What the journal needs to be opened, in bytes, with room to spare: its log and its index of the log.
const NEEDED: usize = 256 << 10;

/// Whether an error of the system says that the disk is full.
pub(super) fn says_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// Why the data folder cannot be used.
pub(super) fn of_folder(path: &Path, source: io::Error) -> JournalError {
    if says_full(&source) {
        return JournalError::DiskFull(path.to_owned());
    }
    JournalError::Folder { path: path.to_owned(), source }
}

/// Why the journal cannot be opened. SQLite says of some files only that they cannot be written: a file of our own shows why.
pub(super) fn of_journal(path: &Path, source: rusqlite::Error) -> JournalError {
    let folder = path.parent().unwrap_or(path);
    let is_full = match source.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => true,
        Some(rusqlite::ErrorCode::SystemIoFailure | rusqlite::ErrorCode::CannotOpen) => has_no_room(folder),
        _ => false,
    };
    if is_full {
        return JournalError::DiskFull(folder.to_owned());
    }
    JournalError::Closed { path: path.to_owned(), source }
}

/// Whether a journal cannot be opened in a folder for want of room on its disk.
pub(super) fn has_no_room(folder: &Path) -> bool {
    let written = tempfile::tempfile_in(folder).and_then(|mut file| file.write_all(&vec![0; NEEDED]));
    written.is_err_and(|error| says_full(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(code: i32) -> rusqlite::Error {
        rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None)
    }

    #[test]
    fn a_full_disk_is_named_and_no_other_reason_is_taken_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.sqlite");
        let said = of_journal(&path, failed(rusqlite::ffi::SQLITE_FULL)).to_string();
        assert!(said.contains("is full") && said.contains("make room on it") && !said.contains("rebuild"), "{said}");
        let said = of_folder(folder.path(), ErrorKind::StorageFull.into()).to_string();
        assert!(said.contains("is full"), "{said}");
        for code in [rusqlite::ffi::SQLITE_IOERR, rusqlite::ffi::SQLITE_CANTOPEN, rusqlite::ffi::SQLITE_NOTADB] {
            let said = of_journal(&path, failed(code)).to_string();
            assert!(said.contains("cannot be opened: check its permissions"), "there is room: {said}");
        }
    }
}
