//! The places where single boards were found, and the lines on which buses were, kept over restarts in a small file.
//!
//! The file only makes finding a board faster: without it, or with a damaged one, every line is probed as a new one.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use crate::input_file::read_text;

/// Maximum size of the file in bytes: far above that of a thousand boards.
const MAX_BYTES: u64 = 1024 * 1024;

/// Before the addresses of a bus.
const BUS: &str = "bus ";

/// Physical paths, or names of ports without one, and the serial numbers of their boards; lines of buses and the addresses of their boards.
#[derive(Debug, Default)]
pub struct KnownLines {
    path: Option<PathBuf>,
    lines: BTreeMap<String, String>,
}

impl KnownLines {
    /// Reads the file, which may be missing.
    pub fn open(path: PathBuf) -> Self {
        let lines = match read_text(&path, MAX_BYTES) {
            Ok(text) => serde_json::from_str(&text).unwrap_or_else(|error| {
                tracing::debug!(%error, "{} is damaged: every line is probed as a new one", path.display());
                BTreeMap::new()
            }),
            Err(_) => BTreeMap::new(),
        };
        Self { path: Some(path), lines }
    }

    /// The serial number of the single board that was found at a place: a physical path, or the name of a port without one.
    pub(super) fn board(&self, place: &str) -> Option<&str> {
        self.lines.get(place).map(String::as_str).filter(|known| !known.starts_with(BUS))
    }

    /// The addresses of the bus that was found on a line.
    pub(super) fn bus(&self, line: &str) -> Option<Vec<u16>> {
        let addresses = self.lines.get(line)?.strip_prefix(BUS)?;
        Some(addresses.split(' ').filter_map(|address| address.parse().ok()).collect())
    }

    /// A bus with these boards was found on a line; without boards it is one no longer.
    pub(super) fn remember_bus(&mut self, line: &str, addresses: &[u16]) {
        let known = addresses.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        let changed = if addresses.is_empty() {
            self.lines.remove(line).is_some()
        } else {
            let known = format!("{BUS}{known}");
            self.lines.insert(line.to_owned(), known.clone()) != Some(known)
        };
        if changed {
            self.keep();
        }
    }

    /// A single board was found there.
    pub(super) fn remember(&mut self, place: String, serial: &str) {
        if self.lines.get(&place).is_some_and(|known| known == serial) {
            return;
        }
        // A board is at one place.
        self.lines.retain(|_, known| known != serial);
        self.lines.insert(place, serial.to_owned());
        self.keep();
    }

    fn keep(&self) {
        if let Err(error) = self.save() {
            tracing::debug!(%error, "the lines of boards are not kept: the next start takes longer to find boards");
        }
    }

    fn save(&self) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let unfinished = path.with_extension("unfinished");
        std::fs::write(&unfinished, serde_json::to_string_pretty(&self.lines)?)?;
        std::fs::rename(unfinished, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_over_a_restart_and_a_damaged_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.json");
        let mut lines = KnownLines::open(path.clone());
        lines.remember("usb 1-1".into(), "01025");
        lines.remember("usb 1-2".into(), "01025");
        let again = KnownLines::open(path.clone());
        assert!(again.board("usb 1-2").is_some() && again.board("usb 1-1").is_none());
        lines.remember_bus("tcp://hall:4001", &[1_025, 1_026]);
        let mut again = KnownLines::open(path.clone());
        assert_eq!((again.bus("tcp://hall:4001"), again.bus("usb 1-2")), (Some(vec![1_025, 1_026]), None));
        assert!(again.board("tcp://hall:4001").is_none());
        again.remember_bus("tcp://hall:4001", &[]);
        assert_eq!(KnownLines::open(path.clone()).bus("tcp://hall:4001"), None);
        for rubbish in ["", "{", "[1]", "{\"usb 1-2\": 3}", "\u{0}"] {
            std::fs::write(&path, rubbish).unwrap();
            assert!(KnownLines::open(path.clone()).board("usb 1-2").is_none(), "{rubbish}");
        }
    }
}
