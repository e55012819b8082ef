//! Keeps captures below a limit of disk space: removes the oldest days first, never those of the current round.
//!
//! Must not know rounds: the caller gives the first day to keep.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::NaiveDate;

const EXTENSION: &str = "capture";

/// Maximum size of all captures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// Half of the space that the disk has without them.
    #[default]
    HalfOfTheDisk,
    /// This many bytes.
    Bytes(u64),
}

/// Result of [`tidy`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tidied {
    /// Files that were removed.
    pub removed: usize,
    /// Size of all captures after it, in bytes.
    pub bytes: u64,
    /// The limit, in bytes.
    pub limit: u64,
}

impl Tidied {
    /// Whether the captures that must be kept exceed the limit.
    pub fn is_over(&self) -> bool {
        self.bytes > self.limit
    }
}

struct Found {
    day: NaiveDate,
    path: PathBuf,
    bytes: u64,
}

/// Removes the captures of the oldest days until the rest is below the limit. Captures from `keep_from` on are kept, and so
/// are files without a date in their name. Blocks on the file system.
///
/// # Errors
/// When the folder cannot be read or a file cannot be removed; some captures may have been removed by then.
pub fn tidy(folder: &Path, limit: Limit, keep_from: NaiveDate) -> io::Result<Tidied> {
    let mut found = captures(folder)?;
    let mut bytes = found.iter().map(|capture| capture.bytes).sum::<u64>();
    let limit = match limit {
        Limit::Bytes(limit) => limit,
        Limit::HalfOfTheDisk => bytes.saturating_add(fs4::available_space(folder)?) / 2,
    };
    found.sort_by(|a, b| (a.day, &a.path).cmp(&(b.day, &b.path)));
    let mut removed = 0;
    for capture in found.iter().take_while(|capture| capture.day < keep_from) {
        if bytes <= limit {
            break;
        }
        fs::remove_file(&capture.path)?;
        bytes -= capture.bytes;
        removed += 1;
    }
    Ok(Tidied { removed, bytes, limit })
}

/// Every capture `{folder}/{serial}/{day}.capture` or `{day}-{number}.capture`.
fn captures(folder: &Path) -> io::Result<Vec<Found>> {
    let mut found = Vec::new();
    for board in fs::read_dir(folder)? {
        let board = board?;
        if !board.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(board.path())? {
            let file = file?;
            let (path, about) = (file.path(), file.metadata()?);
            if about.is_file() && path.extension().is_some_and(|extension| extension == EXTENSION) {
                found.push(Found { day: day_of(&path), path, bytes: about.len() });
            }
        }
    }
    Ok(found)
}

/// The day in the name of a file; the last possible day when it has none.
fn day_of(path: &Path) -> NaiveDate {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.get(.."2026-11-20".len()).and_then(|day| day.parse().ok()).unwrap_or(NaiveDate::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, day).unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let pattern = folder.join("*/*");
        let files = glob::glob(pattern.to_str().unwrap()).unwrap();
        files.map(|file| file.unwrap().strip_prefix(folder).unwrap().to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn the_oldest_days_make_room_and_those_of_the_running_round_stay() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for board in ["10001", "10002"] {
            fs::create_dir(folder.join(board)).unwrap();
            for name in ["2026-11-18.capture", "2026-11-19.capture", "2026-11-19-2.capture", "2026-11-20.capture"] {
                fs::write(folder.join(board).join(name), [b'x'; 100]).unwrap();
            }
        }
        fs::write(folder.join("10002/of-an-organiser.capture"), [b'x'; 100]).unwrap();
        let tidied = |limit, keep_from| tidy(folder, Limit::Bytes(limit), keep_from).unwrap();
        assert_eq!(tidied(900, day(20)), Tidied { removed: 0, bytes: 900, limit: 900 });
        assert_eq!(tidied(700, day(20)), Tidied { removed: 2, bytes: 700, limit: 700 });
        assert!(!names(folder).iter().any(|name| name.contains("11-18")), "{:?}", names(folder));
        // The running round began on the 19th.
        let over = tidied(100, day(19));
        assert_eq!((over.removed, over.bytes, over.is_over()), (0, 700, true));
        let after = tidied(100, day(20));
        assert_eq!((after.removed, after.bytes), (4, 300));
        let left = ["10001/2026-11-20.capture", "10002/2026-11-20.capture", "10002/of-an-organiser.capture"];
        assert_eq!(names(folder), left);
        assert_eq!(tidy(folder, Limit::HalfOfTheDisk, day(30)).unwrap().removed, 0, "the disk has room");
    }
}
