//! Writes capture files, one for each board and day, from which games can be computed again.
//!
//! The form of a line is in `game_core::capture`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::NaiveDate;
use game_core::capture::{CaptureHeader, CaptureLine};

use super::capture_space::{self, Limit, Tidied};

/// Maximum number of files of a board and a day; each start of the daemon begins a new file.
const FILES_PER_DAY: u32 = 10_000;

/// A capture file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error(
    "the capture {} cannot be written: check the folder's permissions and the space on its disk",
    path.display()
)]
pub struct CaptureFileError {
    /// The file or its folder.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// The folder of all captures. A failure is logged once, not for every board.
#[derive(Clone, Debug)]
pub struct CaptureFolder {
    path: PathBuf,
    failing: Arc<AtomicBool>,
}

impl CaptureFolder {
    /// The folder at this path, which is created when needed.
    pub fn new(path: PathBuf) -> Self {
        Self { path, failing: Arc::default() }
    }

    /// Creates the folder and logs a warning if it cannot be written. Blocks on the file system.
    pub fn prepare(&self) {
        let tried = std::fs::create_dir_all(&self.path).and_then(|()| tempfile::tempfile_in(&self.path));
        if let Err(source) = tried {
            self.failed(&CaptureFileError { path: self.path.clone(), source });
        }
    }

    /// Removes old captures (see [`capture_space::tidy`]) and logs the outcome. Blocks on the file system.
    pub fn tidy(&self, limit: Limit, keep_from: NaiveDate) {
        const MEGABYTE: u64 = 1024 * 1024;
        match capture_space::tidy(&self.path, limit, keep_from) {
            Ok(tidied) if tidied.is_over() => tracing::warn!(
                megabytes = tidied.bytes / MEGABYTE,
                limit = tidied.limit / MEGABYTE,
                "the captures of the current round exceed their limit: free space on the disk"
            ),
            Ok(Tidied { removed: 0, .. }) => {}
            Ok(tidied) => tracing::info!(
                files = tidied.removed,
                "the oldest captures were removed to stay below the limit: copy the folder regularly to keep all captures"
            ),
            Err(error) => {
                tracing::warn!(%error, "old captures cannot be removed: check the permissions of the folder");
            }
        }
    }

    /// Begins the next capture of a board and a day; none when it cannot be written.
    pub fn create(&self, serial: &str, day: NaiveDate, header: &CaptureHeader) -> Option<CaptureFile> {
        match CaptureFile::create_for_day(&self.path, serial, day, header) {
            Ok(file) => {
                if self.failing.swap(false, Ordering::Relaxed) {
                    tracing::info!("captures are written again");
                }
                Some(file)
            }
            Err(error) => {
                self.failed(&error);
                None
            }
        }
    }

    /// Logs a failure unless the previous one still lasts.
    pub fn failed(&self, error: &CaptureFileError) {
        if !self.failing.swap(true, Ordering::Relaxed) {
            tracing::warn!(reason = %error.source, "{error}; games continue without captures until then");
        }
    }
}

/// An open capture file. Lines are buffered until [`CaptureFile::flush`].
#[derive(Debug)]
pub struct CaptureFile {
    path: PathBuf,
    file: Arc<File>,
    waiting: String,
    unsynced: bool,
}

impl CaptureFile {
    /// Creates `{folder}/{serial}/{day}.capture`, or `{day}-2.capture` and so on: no file is overwritten.
    ///
    /// # Errors
    /// When the folder or the file cannot be created.
    pub fn create_for_day(
        folder: &Path,
        serial: &str,
        day: NaiveDate,
        header: &CaptureHeader,
    ) -> Result<Self, CaptureFileError> {
        let folder = folder.join(file_name_part(serial));
        let failed = |path: &Path, source| CaptureFileError { path: path.to_owned(), source };
        std::fs::create_dir_all(&folder).map_err(|source| failed(&folder, source))?;
        for number in 1..=FILES_PER_DAY {
            let name = if number == 1 { format!("{day}.capture") } else { format!("{day}-{number}.capture") };
            match Self::create(&folder.join(name), header) {
                Err(error) if error.source.kind() == io::ErrorKind::AlreadyExists => {}
                done => return done,
            }
        }
        Err(failed(&folder, io::Error::other("too many captures of one day")))
    }

    /// Creates this file.
    ///
    /// # Errors
    /// When it exists or cannot be created.
    pub fn create(path: &Path, header: &CaptureHeader) -> Result<Self, CaptureFileError> {
        let failed = |source| CaptureFileError { path: path.to_owned(), source };
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
        let mut capture =
            Self { path: path.to_owned(), file: Arc::new(file), waiting: header.to_string(), unsynced: false };
        capture.flush()?;
        Ok(capture)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line.
    pub fn write(&mut self, line: &CaptureLine) {
        self.waiting.push_str(&line.to_string());
        if !self.waiting.ends_with('\n') {
            self.waiting.push('\n');
        }
    }

    /// Writes the lines to the kernel: a killed process loses nothing after this.
    ///
    /// # Errors
    /// When the disk is full or gone.
    pub fn flush(&mut self) -> Result<(), CaptureFileError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let written = (&*self.file).write_all(self.waiting.as_bytes());
        self.waiting.clear();
        self.unsynced = true;
        written.map_err(|source| CaptureFileError { path: self.path.clone(), source })
    }

    /// The file, if it has data that was not synced; the caller calls `sync_data`.
    pub fn take_unsynced(&mut self) -> Option<Arc<File>> {
        std::mem::take(&mut self.unsynced).then(|| self.file.clone())
    }
}

/// A serial number as part of a file name. It comes from the board and is not trusted as a path.
pub fn file_name_part(serial: &str) -> String {
    let safe = |letter: char| {
        if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' }
    };
    if serial.is_empty() { "unknown".into() } else { serial.chars().take(40).map(safe).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game_core::capture::{Entry, read_capture};
    use game_core::input::{Input, Notice};
    use game_core::time::Timestamp;

    fn header() -> CaptureHeader {
        CaptureHeader { started: Some(1_795_176_000_000), board: Some("20077".into()), ..CaptureHeader::default() }
    }

    fn day() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, 20).unwrap()
    }

    #[test]
    fn a_second_start_on_one_day_overwrites_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let first = CaptureFile::create_for_day(folder.path(), "20077", day(), &header()).unwrap();
        let mut second = CaptureFile::create_for_day(folder.path(), "20077", day(), &header()).unwrap();
        assert_eq!(first.path(), folder.path().join("20077/2026-11-20.capture"));
        assert_eq!(second.path(), folder.path().join("20077/2026-11-20-2.capture"));
        let end = CaptureLine { at: Timestamp::from_ms(7), entry: Entry::In(Input::Notice(Notice::End {})) };
        second.write(&end);
        second.flush().unwrap();
        assert!(second.take_unsynced().is_some());
        assert!(second.take_unsynced().is_none(), "nothing new was written");
        let read = read_capture(&std::fs::read(second.path()).unwrap());
        assert_eq!((read.header, read.lines), (header(), vec![end]));
    }

    #[test]
    fn a_folder_that_is_none_is_named_with_the_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("captures");
        std::fs::write(&file, "").unwrap();
        let error = CaptureFile::create_for_day(&file, "20077", day(), &header()).unwrap_err();
        assert!(error.to_string().contains("captures/20077 cannot be written: check"), "{error}");
    }

    #[test]
    fn a_board_cannot_choose_its_folder() {
        assert_eq!(file_name_part("../../etc"), "______etc");
        assert_eq!(file_name_part(""), "unknown");
        assert_eq!(file_name_part("3-000012345"), "3-000012345");
    }
}
