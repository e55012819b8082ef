//! Which section and which rounds viewers get who ask for none.

use std::collections::BTreeMap;
use std::sync::Arc;

use tournament::{RoundState, Section};

/// The section and the rounds that viewers get who ask for none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Featured {
    /// Slug of the featured section; none before the first section is made.
    pub(crate) section: Option<Arc<str>>,
    /// The featured round of each section, by slug.
    pub(crate) rounds: BTreeMap<Arc<str>, u32>,
}

/// Rank of a section for being featured, 0 to 5: a running round first, then one that is about to begin. Open play comes after
/// every section with a public round.
pub(super) fn featured_rank(section: &Section) -> u8 {
    let furthest = section.rounds.values().map(|round| match round.state {
        RoundState::Running => 5,
        RoundState::Armed => 4,
        RoundState::Published => 3,
        RoundState::Finished => 2,
        RoundState::Prepared => 0,
    });
    let furthest = furthest.max().unwrap_or(0);
    if section.settings.open_play { furthest.min(1) } else { furthest }
}
