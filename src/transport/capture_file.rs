//! Capture files: one for each board and day, the evidence from which a game can be computed again.
//!
//! Knows folders, names and when bytes reach the disk. What a line looks like is `game_core::capture`'s business.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::NaiveDate;
use game_core::capture::{CaptureHeader, CaptureLine};

/// Most files of one board on one day; each restart of the daemon begins one.
const FILES_PER_DAY: u32 = 10_000;

/// What is wrong with a capture file.
#[derive(Debug, thiserror::Error)]
#[error(
    "the capture {} cannot be written: check the folder's permissions and the space on its disk; games go on without evidence",
    path.display()
)]
pub struct CaptureFileError {
    /// The file or its folder.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// An open capture file. Lines are collected and reach the kernel with [`CaptureFile::flush`].
#[derive(Debug)]
pub struct CaptureFile {
    path: PathBuf,
    file: Arc<File>,
    waiting: String,
    unsynced: bool,
}

impl CaptureFile {
    /// Begins `{folder}/{serial}/{day}.capture`, or `{day}-2.capture` and so on: nothing is ever overwritten.
    ///
    /// # Errors
    /// When the folder or the file cannot be made.
    pub fn create_for_day(
        folder: &Path,
        serial: &str,
        day: NaiveDate,
        header: &CaptureHeader,
    ) -> Result<Self, CaptureFileError> {
        let folder = folder.join(serial);
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

    /// Begins this file, which must not exist.
    ///
    /// # Errors
    /// When it exists or cannot be made.
    pub fn create(path: &Path, header: &CaptureHeader) -> Result<Self, CaptureFileError> {
        let failed = |source| CaptureFileError { path: path.to_owned(), source };
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
        let mut capture = Self { path: path.to_owned(), file: Arc::new(file), waiting: header.to_string(), unsynced: false };
        capture.flush()?;
        Ok(capture)
    }

    /// Where it is.
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

    /// Hands the lines to the kernel: from here on a killed process loses nothing.
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

    /// The file when something in it has not reached the disk yet; whoever takes it calls `sync_data`.
    pub fn take_unsynced(&mut self) -> Option<Arc<File>> {
        std::mem::take(&mut self.unsynced).then(|| self.file.clone())
    }
}
