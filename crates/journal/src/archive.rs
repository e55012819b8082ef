//! Games of archived rounds: loaded from the journal on demand, the latest ones kept in memory up to a bound.
//!
//! Archived games load outside the lock. Must not know what is made of a game.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{PastGame, Reader};

/// Games in memory before all are dropped: more than one round of the biggest event (1,000 boards).
const KEPT: usize = 2048;

/// Loads archived games, converts them, and keeps the latest.
#[derive(Debug)]
pub struct Archive<T> {
    reader: Arc<Reader>,
    kept: Mutex<HashMap<Arc<str>, Arc<T>>>,
}

impl<T> Archive<T> {
    /// Over a journal; nothing is loaded yet.
    pub fn new(reader: Arc<Reader>) -> Self {
        Self { reader, kept: Mutex::default() }
    }

    /// A game by its id, converted by `fold`; none when the journal does not have it, or cannot be read, which is logged.
    pub fn game(&self, id: &Arc<str>, fold: impl FnOnce(PastGame) -> T) -> Option<Arc<T>> {
        if let Some(kept) = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(id) {
            return Some(Arc::clone(kept));
        }
        let made = Arc::new(fold(self.fetch(id)?));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(Arc::clone(id), Arc::clone(&made));
        Some(made)
    }

    /// Removes a game that gets new events from memory and returns its entries; none as in [`Archive::game`].
    pub fn take(&self, id: &str) -> Option<PastGame> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        self.fetch(id)
    }

    fn fetch(&self, id: &str) -> Option<PastGame> {
        self.reader.game(id).unwrap_or_else(|error| {
            tracing::error!(game = %id, %error, "an archived game cannot be read");
            None
        })
    }
}
