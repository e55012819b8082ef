//! The ports that discovery saw last, and those that a person allowed in the dashboard.
//!
//! What is allowed is kept in a small file of the data folder, beside the setting `ports`. Must not know how a port is probed.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::input_file::read_text;
use hall_clock::UtcMs;
use outputs::json_file;

/// Maximum size of the file in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// A port as discovery saw it last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortLine {
    /// Its address.
    pub port: String,
    /// The device for people, e.g. «USB 0403:6001 FTDI».
    pub device: String,
    /// What is done with it.
    pub use_of: PortUse,
    /// Serial number of the board that was found there, while it is in use.
    pub board: Option<String>,
    /// Whether a person allowed it in the dashboard.
    pub allowed: bool,
    /// Since when a serial server there cannot be reached, hall time.
    pub unreachable_since: Option<UtcMs>,
}

/// What is done with a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortUse {
    /// A board, or a bus with boards, is in use there.
    Board,
    /// A board is looked for.
    Asked,
    /// It is not asked: it may be another device.
    NotAsked,
}

/// The ports; copies share them.
#[derive(Clone, Debug, Default)]
pub struct Ports(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Held while the file is written: all others go on meanwhile.
    writing: Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    file: Option<PathBuf>,
    allowed: BTreeSet<String>,
    seen: Vec<PortLine>,
}

impl Ports {
    /// Reads what was allowed from this file, which may be missing, and keeps it there from now on.
    pub fn keep_in(&self, file: PathBuf) {
        let allowed = match read_text(&file, MAX_BYTES) {
            Ok(text) => serde_json::from_str(&text).unwrap_or_else(|error| {
                tracing::warn!(%error, "{} is damaged: allow the ports again in the dashboard", file.display());
                BTreeSet::new()
            }),
            Err(_) => BTreeSet::new(),
        };
        let mut state = self.state();
        state.allowed = allowed;
        state.file = Some(file);
    }

    /// Whether a person allowed the port.
    pub fn allows(&self, port: &str) -> bool {
        self.state().allowed.contains(port)
    }

    /// What discovery sees now.
    pub fn show(&self, seen: Vec<PortLine>) {
        self.state().seen = seen;
    }

    /// The ports that were seen last, sorted by address.
    pub fn list(&self) -> Vec<PortLine> {
        self.state().seen.clone()
    }

    /// Allows a port that is seen, or takes that back; false when there is no such port.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn allow(&self, port: &str, allowed: bool) -> std::io::Result<bool> {
        let _writing = self.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self.state();
        if allowed && !state.seen.iter().any(|line| line.port == port) || !allowed && !state.allowed.contains(port) {
            return Ok(false);
        }
        let mut all = state.allowed.clone();
        if allowed {
            all.insert(port.to_owned())
        } else {
            all.remove(port)
        };
        let file = state.file.clone();
        drop(state);
        if let Some(file) = file {
            json_file::write_lasting(&file, &all)?;
        }
        let mut state = self.state();
        state.allowed = all;
        for line in state.seen.iter_mut().filter(|line| line.port == port) {
            line.allowed = allowed;
        }
        Ok(true)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(port: &str) -> PortLine {
        PortLine {
            port: port.into(),
            device: "built-in serial port".into(),
            use_of: PortUse::NotAsked,
            board: None,
            allowed: false,
            unreachable_since: None,
        }
    }

    #[test]
    fn what_was_allowed_holds_over_a_restart_and_only_seen_ports_can_be() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ports.json");
        let ports = Ports::default();
        ports.keep_in(file.clone());
        ports.show(vec![seen("/dev/ttyS0")]);
        assert!(!ports.allow("/etc/passwd", true).unwrap() && !ports.allows("/etc/passwd"));
        assert!(ports.allow("/dev/ttyS0", true).unwrap() && ports.allows("/dev/ttyS0"));
        assert!(ports.list()[0].allowed);
        let again = Ports::default();
        again.keep_in(file.clone());
        assert!(again.allows("/dev/ttyS0"));
        // The file is replaced in one step: a full disk leaves the one before.
        let before = folder.path().join("before.json");
        std::fs::hard_link(&file, &before).unwrap();
        assert!(again.allow("/dev/ttyS0", false).unwrap() && !again.allow("/dev/ttyS0", false).unwrap());
        assert!(std::fs::read_to_string(before).unwrap().contains("ttyS0"));
        std::fs::write(&file, "rubbish").unwrap();
        let damaged = Ports::default();
        damaged.keep_in(file);
        assert!(!damaged.allows("/dev/ttyS0"));
    }
}
