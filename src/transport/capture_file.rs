//! Writes capture files, one for each board and day, from which games can be computed again.
//!
//! The form of a line is in `game_core::capture`.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chrono::NaiveDate;
use game_core::capture::{CaptureHeader, CaptureLine, read_capture};
use hall_clock::UtcMs;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};

use super::capture_space::{self, Limit, Tidied};
use crate::folders::folder_there;

/// Maximum number of files of a board and a day. One file is usual: a start goes on in the last one.
const FILES_PER_DAY: u32 = 10_000;

/// Bytes of a file's beginning that are searched for its header.
const HEAD_BYTES: u64 = 64 * 1024;

/// Bytes of a file's end that are searched for its last whole line: more than the longest line.
const TAIL_BYTES: u64 = 2 << 20;

/// A file of this size is not continued, so that any file can be read at once.
const MOST_BYTES: u64 = 128 << 20;

/// How many captures are synced at once, each by a thread that waits for the disk. Enough for a file system that writes what
/// several of them ask for in one step; with one for each board, those of a large hall take all threads of the runtime that
/// may wait, and an order or a port has to wait for the disk, too.
const SYNCS_AT_ONCE: usize = 8;

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

/// The folder of all captures. A failure is logged once, not for every board, and is an alarm while it lasts.
#[derive(Clone, Debug)]
pub struct CaptureFolder {
    path: PathBuf,
    failing: Arc<AtomicBool>,
    /// How many tasks write at this moment.
    writing: Arc<AtomicUsize>,
    /// Turns of those that sync a file.
    syncing: Arc<Semaphore>,
}

impl CaptureFolder {
    /// The folder at this path, which is created when needed.
    pub fn new(path: PathBuf) -> Self {
        let syncing = Arc::new(Semaphore::new(SYNCS_AT_ONCE));
        Self { path, failing: Arc::default(), writing: Arc::default(), syncing }
    }

    /// Creates the folder and logs a warning if it cannot be written. Blocks on the file system.
    pub fn prepare(&self) {
        let tried = std::fs::create_dir_all(&self.path).and_then(|()| tempfile::tempfile_in(&self.path));
        if let Err(source) = tried {
            // Not an alarm yet: it is over when a board's capture was written, and there may be no board.
            warn_of(&CaptureFileError { path: self.path.clone(), source });
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

    /// Opens the capture of a board and a day, with the instant of its t = 0; none when it cannot be written.
    pub fn open(&self, serial: &str, day: NaiveDate, now: UtcMs) -> Option<(CaptureFile, UtcMs)> {
        match CaptureFile::open_for_day(&self.path, serial, day, now) {
            Ok(opened) => Some(opened),
            Err(error) => {
                self.failed(&error);
                None
            }
        }
    }

    /// Writes in a task. A disk may hang: one thread of the runtime may wait for it, but not the last one, and before another one
    /// waits its tasks are handed to a new one, which costs more than a usual write.
    pub fn write<T>(&self, work: impl FnOnce() -> T) -> T {
        let runtime = Handle::current();
        let first = self.writing.fetch_add(1, Ordering::Relaxed) == 0;
        let spare = first && runtime.metrics().num_workers() > 1;
        let written = match runtime.runtime_flavor() {
            RuntimeFlavor::MultiThread if !spare => tokio::task::block_in_place(work),
            _ => work(),
        };
        self.writing.fetch_sub(1, Ordering::Relaxed);
        written
    }

    /// Syncs a file beside the task, when it is its turn.
    pub fn sync(&self, file: Arc<File>) -> JoinHandle<()> {
        let syncing = self.syncing.clone();
        tokio::spawn(async move {
            // It is never closed, and the work does not panic.
            let _turn = syncing.acquire().await;
            let _ = spawn_blocking(move || sync(&file)).await;
        })
    }

    /// Notes a failure, and logs it unless the previous one still lasts.
    pub fn failed(&self, error: &CaptureFileError) {
        if !self.failing.swap(true, Ordering::Relaxed) {
            warn_of(error);
        }
    }

    /// Notes that lines were written: a failure is over. On a full disk a file can still be opened, which shows nothing.
    pub fn written(&self) {
        if self.failing.load(Ordering::Relaxed) && self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!("captures are written again");
        }
    }

    /// Whether the last attempt to write failed.
    pub fn is_failing(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }
}

/// Waits until what was written to a capture is on the disk.
pub fn sync(file: &File) {
    if let Err(error) = file.sync_data() {
        tracing::warn!(%error, "a capture does not reach the disk: check the disk");
    }
}

fn warn_of(error: &CaptureFileError) {
    tracing::warn!(reason = %error.source, "{error}; games continue without captures until then");
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
    /// Opens `{folder}/{serial}/{day}.capture` to add lines at its end, and gives the instant of its t = 0. A file that cannot
    /// be continued is left as it is, and `{day}-2.capture` and so on take its place: when it is not a capture of this board,
    /// or its last line is later than `now` because the clock was set back.
    ///
    /// # Errors
    /// When the folder or the file cannot be created.
    pub fn open_for_day(
        folder: &Path,
        serial: &str,
        day: NaiveDate,
        now: UtcMs,
    ) -> Result<(Self, UtcMs), CaptureFileError> {
        let folder = folder.join(file_name_part(serial));
        let failed = |path: &Path, source| CaptureFileError { path: path.to_owned(), source };
        // Not the data folder, which may be unmounted.
        for made in folder.parent().into_iter().chain([&*folder]) {
            folder_there(made).map_err(|source| failed(&folder, source))?;
        }
        let path = |number| match number {
            1 => folder.join(format!("{day}.capture")),
            number => folder.join(format!("{day}-{number}.capture")),
        };
        let mut taken = (1..=FILES_PER_DAY).take_while(|number| path(*number).exists()).count() as u32;
        if taken > 0 {
            let last = path(taken);
            if let Some(opened) = Self::go_on(&last, serial, now).map_err(|source| failed(&last, source))? {
                return Ok(opened);
            }
            // Its header was not written: the disk was full, or the process was killed.
            if std::fs::metadata(&last).is_ok_and(|file| file.len() == 0) && std::fs::remove_file(&last).is_ok() {
                taken -= 1;
            }
        }
        let header = CaptureHeader { started: Some(now), board: Some(serial.to_owned()), ..CaptureHeader::default() };
        for number in taken + 1..=FILES_PER_DAY {
            match Self::create(&path(number), &header) {
                Err(error) if error.source.kind() == io::ErrorKind::AlreadyExists => {}
                done => return done.map(|file| (file, now)),
            }
        }
        Err(failed(&folder, io::Error::other("too many captures of one day")))
    }

    /// Opens a file of this board to go on in it; none when it cannot be continued. An incomplete last line, the trace of a
    /// power cut or a full disk, is removed: in the middle of a file it would be damage.
    fn go_on(path: &Path, serial: &str, now: UtcMs) -> io::Result<Option<(Self, UtcMs)>> {
        let mut file = OpenOptions::new().read(true).append(true).open(path)?;
        let length = file.metadata()?.len();
        let mut head = Vec::new();
        (&file).take(HEAD_BYTES).read_to_end(&mut head)?;
        let header = read_capture(&head).header;
        let Some(started) = header.started.filter(|_| header.board.as_deref() == Some(serial) && length < MOST_BYTES)
        else {
            return Ok(None);
        };
        let from = length.saturating_sub(TAIL_BYTES);
        file.seek(SeekFrom::Start(from))?;
        let mut tail = Vec::new();
        (&file).take(TAIL_BYTES).read_to_end(&mut tail)?;
        let Some(end) = tail.iter().rposition(|byte| *byte == b'\n') else { return Ok(None) };
        tail.truncate(end + 1);
        let time = |line: &[u8]| str::from_utf8(line.split(|byte| *byte == b' ').next()?).ok()?.parse::<u64>().ok();
        let last = tail.split(|byte| *byte == b'\n').rev().find_map(time).unwrap_or(0);
        if started.saturating_add(last) > now {
            return Ok(None);
        }
        let whole = from + tail.len() as u64;
        if whole < length {
            file.set_len(whole)?;
        }
        Ok(Some((
            Self { path: path.to_owned(), file: Arc::new(file), waiting: String::new(), unsynced: true },
            started,
        )))
    }

    /// Creates this file.
    ///
    /// # Errors
    /// When it exists or cannot be created.
    pub fn create(path: &Path, header: &CaptureHeader) -> Result<Self, CaptureFileError> {
        let failed = |source| CaptureFileError { path: path.to_owned(), source };
        let file = OpenOptions::new().append(true).create_new(true).open(path).map_err(failed)?;
        let mut capture =
            Self { path: path.to_owned(), file: Arc::new(file), waiting: header.to_string(), unsynced: false };
        if let Err(error) = capture.flush() {
            // Without its header it is no capture, and would be called damaged later.
            let _ = std::fs::remove_file(path);
            return Err(error);
        }
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

    /// Writes the lines to the kernel: a killed process loses nothing after this. Gives whether there were any.
    ///
    /// # Errors
    /// When the disk is full or gone.
    pub fn flush(&mut self) -> Result<bool, CaptureFileError> {
        if self.waiting.is_empty() {
            return Ok(false);
        }
        let written = (&*self.file).write_all(self.waiting.as_bytes());
        self.waiting.clear();
        self.unsynced = true;
        written.map(|()| true).map_err(|source| CaptureFileError { path: self.path.clone(), source })
    }

    /// The file, if it has data that was not synced; the caller calls `sync_data`.
    pub fn take_unsynced(&mut self) -> Option<Arc<File>> {
        std::mem::take(&mut self.unsynced).then(|| self.file.clone())
    }
}

/// The end of a board's newest capture: its header and at most this many bytes of whole lines, to be read as a capture; none
/// when the board has no capture. Blocks on the file system.
///
/// # Errors
/// When the folder or the file cannot be read.
pub fn newest_lines(captures: &Path, serial: &str, most_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    let entries = match std::fs::read_dir(captures.join(file_name_part(serial))) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        entries => entries?,
    };
    let mut newest = None;
    for entry in entries {
        let entry = entry?;
        if entry.path().extension().is_some_and(|end| end == "capture") {
            newest = newest.max(Some((entry.metadata()?.modified()?, entry.path())));
        }
    }
    newest.map(|(_, path)| newest_lines_of(&path, most_bytes)).transpose()
}

/// The same of this capture.
///
/// # Errors
/// When the file cannot be read.
pub fn newest_lines_of(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut lines = Vec::new();
    let all = length <= most_bytes.max(HEAD_BYTES);
    (&file).take(if all { length } else { HEAD_BYTES }).read_to_end(&mut lines)?;
    if !all {
        lines = read_capture(&lines).header.to_string().into_bytes();
        file.seek(SeekFrom::Start(length.saturating_sub(most_bytes).max(HEAD_BYTES)))?;
        let mut tail = Vec::new();
        (&file).take(most_bytes).read_to_end(&mut tail)?;
        let first = tail.iter().position(|byte| *byte == b'\n').map_or(tail.len(), |end| end + 1);
        lines.extend_from_slice(&tail[first..]);
    }
    Ok(lines)
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
    use std::time::Duration;

    use super::*;
    use game_core::capture::{Entry, read_capture};
    use game_core::input::{Input, Notice};
    use game_core::time::Timestamp;

    const NOON: UtcMs = 1_795_176_000_000;

    fn header() -> CaptureHeader {
        CaptureHeader { started: Some(NOON), board: Some("20077".into()), ..CaptureHeader::default() }
    }

    fn day() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, 20).unwrap()
    }

    fn end(at: u64) -> CaptureLine {
        CaptureLine { at: Timestamp::from_ms(at), entry: Entry::In(Input::Notice(Notice::End {})) }
    }

    #[test]
    fn while_the_disk_hangs_for_all_boards_other_tasks_go_on() {
        const LONG: Duration = Duration::from_secs(20);
        for workers in [1, 2] {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(workers).build().unwrap();
            let captures = CaptureFolder::new(PathBuf::new());
            let write = |_| {
                let (release, hanging) = std::sync::mpsc::channel::<()>();
                let (tell, begun) = tokio::sync::oneshot::channel();
                let captures = captures.clone();
                let writes = move || {
                    tell.send(()).unwrap();
                    hanging.recv_timeout(LONG)
                };
                (release, begun, runtime.spawn(async move { captures.write(writes) }))
            };
            let hanging: Vec<_> = (0..3).map(write).collect();
            runtime.block_on(async {
                let (mut releases, mut writes) = (Vec::new(), Vec::new());
                for (release, begun, write) in hanging {
                    begun.await.unwrap();
                    releases.push(release);
                    writes.push(write);
                }
                let other = async move { releases.iter().try_for_each(|release| release.send(())) };
                runtime.spawn(other).await.unwrap().unwrap();
                for write in writes {
                    assert_eq!(write.await.unwrap(), Ok(()), "{workers} threads waited for the disk");
                }
            });
        }
    }

    #[tokio::test]
    async fn captures_that_wait_for_a_slow_disk_leave_threads_for_whatever_else_has_to_wait() {
        let folder = tempfile::tempdir().unwrap();
        let captures = CaptureFolder::new(folder.path().to_owned());
        let turns = u32::try_from(SYNCS_AT_ONCE).unwrap();
        // As many files as have a turn are being synced.
        let others = captures.syncing.clone().acquire_many_owned(turns).await.unwrap();
        let (mut file, _) = captures.open("20077", day(), NOON).unwrap();
        file.write(&end(7));
        file.flush().unwrap();
        let waiting = captures.sync(file.take_unsynced().unwrap());
        // Tasks of this runtime go on in the order in which they began.
        tokio::spawn(async {}).await.unwrap();
        spawn_blocking(|| ()).await.unwrap();
        assert!(!waiting.is_finished());
        drop(others);
        waiting.await.unwrap();
    }

    #[test]
    fn nothing_is_made_in_the_place_of_a_data_folder_that_was_unmounted() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        assert!(CaptureFile::open_for_day(&data.join("captures"), "20077", day(), NOON).is_err());
        assert!(!data.exists());
        std::fs::create_dir(&data).unwrap();
        CaptureFile::open_for_day(&data.join("captures"), "20077", day(), NOON).unwrap();
    }

    #[test]
    fn a_file_that_got_no_header_on_a_full_disk_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("20077")).unwrap();
        std::fs::write(folder.path().join("20077/2026-11-20.capture"), "").unwrap();
        let (file, _) = CaptureFile::open_for_day(folder.path(), "20077", day(), NOON).unwrap();
        assert_eq!(file.path(), folder.path().join("20077/2026-11-20.capture"));
        let written = std::fs::read(file.path()).unwrap();
        assert_eq!(read_capture(&written).header, header());
    }

    #[test]
    fn a_second_start_on_one_day_goes_on_in_the_file_of_the_day() {
        let folder = tempfile::tempdir().unwrap();
        let open = |now| CaptureFile::open_for_day(folder.path(), "20077", day(), now).unwrap();
        let (mut first, started) = open(NOON);
        assert_eq!(first.path(), folder.path().join("20077/2026-11-20.capture"));
        first.write(&end(7));
        first.flush().unwrap();
        assert!(first.take_unsynced().is_some());
        assert!(first.take_unsynced().is_none(), "nothing new was written");
        // A power cut in the middle of a line.
        (&*first.file).write_all(b"9 ! {\"en").unwrap();
        let (mut second, again) = open(NOON + 1_000);
        assert_eq!((second.path(), again, started), (first.path(), NOON, NOON));
        second.write(&end(1_000));
        second.flush().unwrap();
        let read = read_capture(&std::fs::read(second.path()).unwrap());
        assert!(read.errors.is_empty(), "{:?}", read.errors);
        assert_eq!((read.header, read.lines), (header(), vec![end(7), end(1_000)]));
    }

    #[test]
    fn a_file_that_cannot_be_continued_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let open = |now| CaptureFile::open_for_day(folder.path(), "20077", day(), now).unwrap();
        let (mut first, _) = open(NOON);
        first.write(&end(5_000));
        first.flush().unwrap();
        let before = std::fs::read(first.path()).unwrap();
        // The clock was set back.
        let (second, started) = open(NOON + 4_999);
        assert_eq!((second.path(), started), (&*folder.path().join("20077/2026-11-20-2.capture"), NOON + 4_999));
        assert_eq!(open(NOON + 6_000).0.path(), second.path(), "the last file is the one that goes on");
        assert_eq!(std::fs::read(first.path()).unwrap(), before);
        std::fs::write(second.path(), "something else\n").unwrap();
        assert_eq!(open(NOON + 7_000).0.path(), folder.path().join("20077/2026-11-20-3.capture"));
        assert_eq!(std::fs::read(second.path()).unwrap(), b"something else\n");
    }

    #[test]
    fn the_newest_lines_of_a_long_capture_are_read_with_its_header() {
        let folder = tempfile::tempdir().unwrap();
        assert!(newest_lines(folder.path(), "20077", 1_000).unwrap().is_none());
        let (mut file, _) = CaptureFile::open_for_day(folder.path(), "20077", day(), NOON).unwrap();
        file.write(&end(1));
        file.flush().unwrap();
        let read = |bytes| read_capture(&newest_lines(folder.path(), "20077", bytes).unwrap().unwrap());
        assert_eq!((read(1_000).header, read(1_000).lines), (header(), vec![end(1)]));
        for at in 2..10_000 {
            file.write(&end(at));
        }
        file.flush().unwrap();
        let read = read(1_000);
        assert!(read.errors.is_empty(), "{:?}", read.errors);
        assert_eq!((read.header, read.lines.last()), (header(), Some(&end(9_999))));
        assert!((10..100).contains(&read.lines.len()), "{}", read.lines.len());
    }

    #[test]
    fn captures_fail_until_lines_are_written_and_not_until_a_file_can_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let captures = CaptureFolder::new(folder.path().to_owned());
        captures.failed(&CaptureFileError { path: "full".into(), source: io::Error::other("no space") });
        let (mut file, _) = captures.open("20077", day(), NOON).unwrap();
        assert!(captures.is_failing(), "on a full disk a file can be opened");
        assert!(!file.flush().unwrap(), "there was nothing to write");
        file.write(&end(1));
        assert!(file.flush().unwrap());
        captures.written();
        assert!(!captures.is_failing());
    }

    #[test]
    fn a_folder_that_is_none_is_named_with_the_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("captures");
        std::fs::write(&file, "").unwrap();
        let error = CaptureFile::open_for_day(&file, "20077", day(), NOON).unwrap_err();
        assert!(error.to_string().contains("captures/20077 cannot be written: check"), "{error}");
    }

    #[test]
    fn a_board_cannot_choose_its_folder() {
        assert_eq!(file_name_part("../../etc"), "______etc");
        assert_eq!(file_name_part(""), "unknown");
        assert_eq!(file_name_part("3-000012345"), "3-000012345");
    }
}
