//! Pairings of the watched folder that wait for the answer to a question, by section.
//!
//! Must not know where they come from, nor what is asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tournament::{Order, PairingFile};

/// The files that wait; copies share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct WaitingPairings(Arc<Mutex<BTreeMap<String, Vec<PairingFile>>>>);

impl WaitingPairings {
    /// Files of a section wait for an answer, in place of earlier ones.
    pub(crate) fn insert(&self, section: String, files: Vec<PairingFile>) {
        self.files().insert(section, files);
    }

    /// Nothing of the section waits any more; whether something did.
    pub(crate) fn remove(&self, section: &str) -> bool {
        self.files().remove(section).is_some()
    }

    /// Whether files of a section wait.
    pub(crate) fn has(&self, section: &str) -> bool {
        self.files().contains_key(section)
    }

    /// The order that loads the waiting files of a section, confirmed.
    pub(super) fn order(&self, section: &str) -> Option<Order> {
        let files = self.files().get(section)?.clone();
        Some(Order::LoadPairings { section: section.to_owned(), files, round: None, confirm: true })
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Vec<PairingFile>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
