//! What a viewer watches: a round of a section, chosen or featured, or some games of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::gate::Featured;

/// A round of a section, by its slug.
pub(super) type Place = (Arc<str>, u32);

/// The games of a part of a round, by their ids.
pub type Games = Arc<BTreeSet<Arc<str>>>;

/// What a viewer asked to watch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Slug of the section; none for the featured one, whichever that is.
    pub section: Option<Arc<str>>,
    /// The round; none for the featured one, whichever that is.
    pub round: Option<u32>,
    /// Some games of the round; none for all of them.
    pub games: Option<Games>,
}

impl Choice {
    pub(super) fn place(&self, featured: &Featured) -> Option<Place> {
        let section = self.section.as_ref().or(featured.section.as_ref())?;
        let round = self.round.or_else(|| featured.rounds.get(section).copied())?;
        Some((Arc::clone(section), round))
    }
}

/// How messages are written to a viewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As frames of a WebSocket.
    #[default]
    WebSocket,
    /// As server-sent events.
    EventStream,
}

/// A viewer's request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What to watch.
    pub choice: Choice,
    /// Stream and number of the last event that the viewer has.
    pub resume: Option<(String, u64)>,
    /// How to write to it.
    pub form: Form,
}
