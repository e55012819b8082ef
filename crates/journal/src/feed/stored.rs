//! Entries of the feed that are in the journal alone.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::packed::Packed;
use crate::entry::Committed;
use crate::{JournalError, Reader};

/// Pause before entries that could not be read are asked for again.
const RETRY: Duration = Duration::from_millis(200);

/// How often they are asked for.
const TRIES: u32 = 25;

/// Consecutive entries of the feed.
#[derive(Debug)]
pub(super) struct Stored {
    /// Number of the first one.
    pub(super) first: u64,
    /// Number of the last one.
    pub(super) last: u64,
    /// How many they are.
    pub(super) length: usize,
    /// The games of the events where the journal has those of others between them, of rounds that were archived at the start.
    games: Option<Box<[Arc<str>]>>,
    reader: Arc<Reader>,
}

impl Stored {
    /// The entries of a run, if the journal has the same.
    pub(super) fn of(packed: &Packed, reader: &Arc<Reader>) -> Option<Self> {
        let entries = packed.unpack();
        let first = entries.first()?.number();
        let (length, reader) = (packed.length, Arc::clone(reader));
        let mut stored = Self { first, last: packed.last, length, games: None, reader };
        if stored.read().ok()? == entries {
            return Some(stored);
        }
        stored.games = Some(packed.games.iter().map(|at| Arc::clone(&at.game)).collect());
        (stored.read().ok()? == entries).then_some(stored)
    }

    /// The entries. While the disk does not answer they are waited for; after that what is missing is logged.
    pub(super) fn entries(&self) -> Vec<Committed> {
        let mut tries = 1;
        loop {
            match self.read() {
                Ok(entries) => return entries,
                Err(error) if tries == TRIES => {
                    tracing::error!(%error, "{} earlier entries of the journal cannot be read: restart the daemon", self.length);
                    return Vec::new();
                }
                Err(_) => thread::sleep(RETRY),
            }
            tries += 1;
        }
    }

    fn read(&self) -> Result<Vec<Committed>, JournalError> {
        let mut entries = self.reader.entries(self.first..=self.last)?;
        if let Some(games) = &self.games {
            entries.retain(|entry| entry.game().is_none_or(|entry| games.contains(&entry.game.game)));
        }
        Ok(entries)
    }
}
