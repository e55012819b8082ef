//! Pairings of the watched folder that wait for the answer to a question, by section.
//!
//! Must not know where they come from, nor what is asked.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tournament::{Order, PairingFile};

use super::pairings_outcome::Outcome;

/// The files that wait; copies share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct WaitingPairings(Arc<Mutex<BTreeMap<String, Waiting>>>);

/// Files of a section that wait for an answer.
#[derive(Debug)]
pub(super) struct Waiting {
    /// The files.
    pub(super) files: Vec<PairingFile>,
    /// Their folder, and what became of them when a person leaves them unloaded.
    pub(super) left: (PathBuf, Outcome),
}

impl Waiting {
    /// Notes beside the files that a person left them unloaded, also for the next start of the daemon. Blocks on the file system.
    pub(super) fn note_left(&self) {
        let (folder, left) = &self.left;
        if let Err(error) = left.write(folder) {
            tracing::warn!(folder = %folder.display(), %error, "that the pairings are not to be loaded is forgotten with a restart");
        }
    }
}

impl WaitingPairings {
    /// Files of a section wait for an answer, in place of earlier ones.
    pub(super) fn insert(&self, section: String, waiting: Waiting) {
        self.sections().insert(section, waiting);
    }

    /// Nothing of the section waits any more; what did.
    pub(super) fn remove(&self, section: &str) -> Option<Waiting> {
        self.sections().remove(section)
    }

    /// Whether files of a section wait.
    pub(crate) fn has(&self, section: &str) -> bool {
        self.sections().contains_key(section)
    }

    /// The order that loads the waiting files of a section, confirmed.
    pub(super) fn order(&self, section: &str) -> Option<Order> {
        let files = self.sections().get(section)?.files.clone();
        Some(Order::LoadPairings { section: section.to_owned(), files, round: None, confirm: true })
    }

    fn sections(&self) -> MutexGuard<'_, BTreeMap<String, Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
