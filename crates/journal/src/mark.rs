//! The mark beside the journal: how far the record went, in a small file of its own.
//!
//! SQLite opens a database whose log was cut, removed or damaged, or which is an older copy, without a word. The mark is
//! written after each commit, without waiting for the disk: it survives a kill at once, and a power cut as far as the last
//! sync. It is never ahead of the journal, so that a journal that has less than its mark has lost something.
//! Two slots are written in turn, so that one is whole at any instant. Must not know SQLite.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use game_core::time::UtcMs;

/// Bytes of a slot: one sector, which a disk writes whole.
const SLOT: usize = 512;

/// How long a mark waits for the disk, and then for a quiet moment.
const UNSYNCED: Duration = Duration::from_secs(1);

/// What tells a file from another of the same name: device and number.
pub(super) type FileId = (u64, u64);

/// How far the record went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    /// Counts the marks that were written.
    pub(super) written: u64,
    /// Whether a daemon has the journal open, or did not end well.
    pub(super) running: bool,
    /// The identity of the journal.
    pub(super) identity: String,
    /// The file of the journal: a copy is another one.
    pub(super) file: Option<FileId>,
    /// Number of the next entry.
    pub(super) next: u64,
    /// The sum of the last entry; a journal that went on from an older copy has another one there.
    pub(super) sum: i64,
    /// Number of the last fact of a board.
    pub(super) boards: u64,
    /// Hall time of the last commit.
    pub(super) at: UtcMs,
}

/// What is in the place of the mark.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No file.
    None,
    /// A file without a whole mark.
    Damaged,
    /// The latest mark.
    Mark(Mark),
}

/// Where the mark of a journal is. The name begins with the journal's: whoever moves the journal and all files that begin
/// with its name moves the mark, too.
pub(super) fn mark_path(journal: &Path) -> PathBuf {
    beside(journal, "-mark")
}

/// A file whose name begins with the journal's.
pub(super) fn beside(journal: &Path, suffix: &str) -> PathBuf {
    let mut path = journal.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Reads the mark of a journal.
pub(super) fn read(journal: &Path) -> io::Result<Found> {
    let file = match File::open(mark_path(journal)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(2 * SLOT as u64).read_to_end(&mut bytes)?;
    let marks = bytes.chunks(SLOT).filter_map(read_slot);
    Ok(marks.max_by_key(|mark| mark.written).map_or(Found::Damaged, Found::Mark))
}

fn read_slot(slot: &[u8]) -> Option<Mark> {
    let (sum, json) = str::from_utf8(slot).ok()?.trim_end().split_once(' ')?;
    (sum == sum_of(json)).then(|| serde_json::from_str(json).ok())?
}

fn write_slot(mark: &Mark) -> Option<String> {
    let json = serde_json::to_string(mark).ok()?;
    let line = format!("{} {json}", sum_of(&json));
    (line.len() < SLOT).then(|| format!("{line:<width$}\n", width = SLOT - 1))
}

fn sum_of(json: &str) -> String {
    let sum = Sha256::digest(json).first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
    format!("{sum:016x}")
}

/// Writes the mark of an open journal.
#[derive(Debug)]
pub(super) struct Marker {
    file: Option<File>,
    mark: Mark,
    synced_at: Instant,
    unsynced: bool,
    /// Whether it was said that it cannot be written.
    failing: bool,
}

impl Marker {
    /// For a journal in memory: writes nothing.
    pub(super) fn none() -> Self {
        Self { file: None, mark: Mark::default(), synced_at: Instant::now(), unsynced: false, failing: false }
    }

    /// Begins the marks of a journal that is open for writing, after the last one that was found. The first is synced.
    pub(super) fn begin(journal: &Path, found: &Found, mut mark: Mark) -> Self {
        let mut marker =
            Self { file: None, synced_at: Instant::now(), unsynced: true, failing: false, mark: Mark::default() };
        if let Found::Mark(found) = found {
            mark.written = found.written;
        }
        mark.running = true;
        marker.mark = mark;
        match open(&mark_path(journal)) {
            Ok(file) => marker.file = Some(file),
            Err(error) => marker.fail(&error),
        }
        marker.write();
        marker.sync();
        marker
    }

    /// Notes how far the record is now.
    pub(super) fn note(&mut self, next: u64, sum: i64, boards: u64, at: UtcMs) {
        (self.mark.next, self.mark.sum, self.mark.boards, self.mark.at) = (next, sum, boards, at);
        self.write();
    }

    /// When a mark that was written should be on the disk; none when all are.
    pub(super) fn sync_due(&self) -> Option<Instant> {
        (self.unsynced && self.file.is_some()).then(|| self.synced_at + UNSYNCED)
    }

    /// Waits for the disk.
    pub(super) fn sync(&mut self) {
        self.synced_at = Instant::now();
        if let Some(file) = &self.file
            && std::mem::take(&mut self.unsynced)
            && let Err(error) = file.sync_data()
        {
            self.fail(&error);
        }
    }

    /// The mark of a clean end.
    pub(super) fn end(&mut self) {
        self.mark.running = false;
        self.write();
        self.sync();
    }

    fn write(&mut self) {
        self.mark.written += 1;
        let Some(mut file) = self.file.as_ref() else { return };
        let Some(slot) = write_slot(&self.mark) else { return };
        let at = (self.mark.written % 2) * SLOT as u64;
        let written = file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(slot.as_bytes()));
        self.unsynced = true;
        if let Err(error) = written {
            self.fail(&error);
        }
    }

    fn fail(&mut self, error: &io::Error) {
        if std::mem::replace(&mut self.failing, true) {
            return;
        }
        tracing::warn!(%error, "the mark beside the journal cannot be written: a loss would not be seen");
    }
}

/// Opens the file for writing; a new one has both slots and is in its folder when this returns.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    if file.metadata()?.len() < 2 * SLOT as u64 {
        // So that no later mark needs space.
        file.set_len(0)?;
        (&file).write_all(&[b' '; 2 * SLOT])?;
        file.sync_all()?;
        sync_folder_of(path)?;
    }
    Ok(file)
}

/// Waits until the names in the folder of a file are on the disk.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// What tells the file from another of its name; none when there is no file.
#[cfg(unix)]
pub(super) fn file_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// What tells the file from another of its name; none when there is no file.
#[cfg(not(unix))]
pub(super) fn file_id(path: &Path) -> Option<FileId> {
    path.exists().then_some((0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latest(journal: &Path) -> Option<Mark> {
        match read(journal).unwrap() {
            Found::Mark(mark) => Some(mark),
            Found::None | Found::Damaged => None,
        }
    }

    #[test]
    fn the_latest_whole_mark_counts_whatever_byte_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("journal.sqlite");
        assert_eq!(read(&journal).unwrap(), Found::None);
        let mut marker = Marker::begin(&journal, &Found::None, Mark { identity: "abc".into(), ..Mark::default() });
        for next in 1..=5 {
            marker.note(next, i64::MIN, u64::MAX, UtcMs::MAX);
        }
        let mark = latest(&journal).unwrap();
        assert_eq!((mark.next, mark.running, &*mark.identity), (5, true, "abc"));
        let whole = std::fs::read(mark_path(&journal)).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            std::fs::write(mark_path(&journal), damaged).unwrap();
            assert!(matches!(latest(&journal).unwrap().next, 4 | 5), "byte {at}");
        }
        std::fs::write(mark_path(&journal), "rubbish").unwrap();
        assert_eq!(read(&journal).unwrap(), Found::Damaged);
    }
}
