//! One section of a view: its games as far as they were released, and the latest events of each round.
//!
//! Must not know the record behind the gate, wire formats, or who reads it.

use std::marker::PhantomData;
use std::sync::Arc;

use hall_clock::UtcMs;

use super::game_view::GameView;
use super::hall::SectionInfo;
use super::projection::Projection;
use super::round::{RoundView, StreamTail};
use super::state::{FIRST_ROUND, SectionState};

/// One section of a view of type `V`; copies share it.
#[derive(Clone)]
pub struct SectionView<V> {
    projection: Arc<Projection>,
    slug: Arc<str>,
    view: PhantomData<fn() -> V>,
}

impl<V> SectionView<V> {
    pub(super) fn new(projection: &Arc<Projection>, slug: &Arc<str>) -> Self {
        Self { projection: Arc::clone(projection), slug: Arc::clone(slug), view: PhantomData }
    }

    /// The section's part of addresses.
    pub fn slug(&self) -> &Arc<str> {
        &self.slug
    }

    /// The section.
    pub fn info(&self) -> Option<Arc<SectionInfo>> {
        self.read(|section| Some(Arc::clone(&section.info)))
    }

    /// When the gate was opened, hall time.
    pub fn opened_at(&self) -> UtcMs {
        self.projection.opened_at
    }

    /// Changes whenever anything in the section changes.
    pub(crate) fn version(&self) -> u64 {
        self.read(|section| Some(section.version)).unwrap_or(0)
    }

    /// Number of the featured round.
    pub fn current_round(&self) -> u32 {
        self.read(|section| Some(section.current)).unwrap_or(FIRST_ROUND)
    }

    /// One round, if anything of it is shown.
    pub fn round(&self, number: u32) -> Option<RoundView> {
        self.read(|section| section.round_view(number))
    }

    /// All rounds of which anything is shown, in order.
    pub fn rounds(&self) -> Vec<RoundView> {
        self.select_rounds(true)
    }

    /// The rounds that were not archived before the gate was opened, in order.
    pub(crate) fn recent_rounds(&self) -> Vec<RoundView> {
        self.select_rounds(false)
    }

    fn select_rounds(&self, archived: bool) -> Vec<RoundView> {
        let rounds = self.read(|section| {
            let rounds = section.rounds.iter().filter(|(_, round)| archived || !round.archived);
            Some(rounds.filter_map(|(number, _)| section.round_view(*number)).collect())
        });
        rounds.unwrap_or_default()
    }

    /// One game, by its id. An archived game is read from the journal, outside the lock.
    pub fn game(&self, id: &str) -> Option<Arc<GameView>> {
        let archived = {
            let state = self.projection.state();
            let section = state.sections.get(&self.slug).filter(|section| section.shows(id))?;
            if let Some(game) = section.games.get(id) {
                return Some(Arc::clone(game));
            }
            Arc::clone(section.archived.get_key_value(id)?.0)
        };
        self.projection.past.game(&archived)
    }

    /// The PGN of an archived game; none when it cannot be read at this moment, which is logged.
    pub(crate) fn archived_pgn(&self, id: &str) -> Option<String> {
        let shown = |section: &SectionState| {
            Some(Arc::clone(section.archived.get_key_value(id)?.0)).filter(|_| section.shows(id))
        };
        let id = self.read(shown)?;
        self.projection.past.pgn(&id)
    }

    /// The events of a round's stream after number `seq`, if the round is known.
    pub fn tail(&self, round: u32, seq: u64) -> Option<StreamTail> {
        self.read(|section| section.round(round).map(|round| round.tail(seq)))
    }

    fn read<T>(&self, read: impl FnOnce(&SectionState) -> Option<T>) -> Option<T> {
        self.projection.state().sections.get(&self.slug).and_then(read)
    }
}
