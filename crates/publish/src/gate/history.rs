//! What the gate must know of the time before it was opened, beyond what is in the feed.

use std::sync::Arc;

use journal::{PastRound, Reader};

/// What the gate must know of the time before it was opened.
#[derive(Debug)]
pub struct History {
    /// Names the journal in the names of streams.
    pub identity: Arc<str>,
    /// The rounds of all sections; the games of archived ones are not in the feed.
    pub rounds: Vec<PastRound>,
    /// Reads the games of archived rounds.
    pub reader: Option<Arc<Reader>>,
    /// Whether nothing is released to the public until [`open_to_public`](super::Gate::open_to_public): a person has to look
    /// at the record first. Holders of keys see it.
    pub closed: bool,
}

impl History {
    /// The history of a journal that begins now.
    pub fn none(identity: Arc<str>) -> Self {
        Self { identity, rounds: Vec::new(), reader: None, closed: false }
    }
}
