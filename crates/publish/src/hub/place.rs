//! What a viewer watches: a round of a section, chosen or featured.

use std::sync::Arc;

use crate::gate::Featured;

/// A round of a section, by its slug.
pub(super) type Place = (Arc<str>, u32);

/// What a viewer asked to watch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Slug of the section; none for the featured one, whichever that is.
    pub section: Option<Arc<str>>,
    /// The round; none for the featured one, whichever that is.
    pub round: Option<u32>,
}

impl Choice {
    pub(super) fn place(&self, featured: &Featured) -> Option<Place> {
        let section = self.section.as_ref().or(featured.section.as_ref())?;
        let round = self.round.or_else(|| featured.rounds.get(section).copied())?;
        Some((Arc::clone(section), round))
    }
}

/// A viewer's request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What to watch.
    pub choice: Choice,
    /// Stream and number of the last event that the viewer has.
    pub resume: Option<(String, u64)>,
}
