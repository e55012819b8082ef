//! Games of rounds that were over before the daemon started: in the journal, folded when somebody asks.
//!
//! Keeps the games that were asked for lately, up to a bound. Must not know who asks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{PastGame, Reader};

/// Games that are kept before all are dropped; more than a round of the biggest event has.
const KEPT: usize = 2048;

/// Makes something of the games of the past and keeps the latest.
#[derive(Debug)]
pub struct Archive<T> {
    reader: Arc<Reader>,
    kept: Mutex<HashMap<Arc<str>, Arc<T>>>,
}

impl<T> Archive<T> {
    /// The games of a journal.
    pub fn new(reader: Arc<Reader>) -> Self {
        Self { reader, kept: Mutex::default() }
    }

    /// A game by its id, as `fold` makes it of its entries; none when the journal does not know it, or cannot be read at
    /// this moment, which is logged.
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

    /// Lets go of a game to which something happened, and gives its entries; none as in [`Archive::game`].
    pub fn give_back(&self, id: &str) -> Option<PastGame> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        self.fetch(id)
    }

    fn fetch(&self, id: &str) -> Option<PastGame> {
        self.reader.game(id).unwrap_or_else(|error| {
            tracing::error!(game = %id, %error, "a game of the past cannot be shown");
            None
        })
    }
}
