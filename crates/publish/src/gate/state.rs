//! What the views share: each section as far as the gate has released it.
//!
//! Holds; `release` changes it and the views read it.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use super::game_view::GameView;
use super::hall::SectionInfo;
use super::round::Round;
use hall_clock::UtcMs;
use journal::Archive;
use journal::Reader;
use tournament::GameRef;
use tournament::Hall;

/// The round that is shown before any game has begun.
pub(super) const FIRST_ROUND: u32 = 1;

pub(super) struct Shared {
    pub(super) opened_at: UtcMs,
    /// Entries of the record that were released.
    pub(super) version: AtomicU64,
    pub(super) archive: Option<Archive<GameView>>,
    pub(super) reader: Option<Arc<Reader>>,
    pub(super) state: RwLock<State>,
    pub(super) watchers: Mutex<Vec<Box<dyn Fn() + Send + Sync>>>,
}

pub(super) struct State {
    /// Names the journal in the names of streams.
    pub(super) identity: Arc<str>,
    /// As far as it was released.
    pub(super) hall: Hall,
    pub(super) sections: BTreeMap<Arc<str>, SectionState>,
    /// What the journal knew of rounds before the gate was opened, until their section is known.
    pub(super) past: HashMap<Arc<str>, Vec<journal::PastRound>>,
    pub(super) current: Option<Arc<str>>,
}

/// What the view of a section holds.
pub(super) struct SectionState {
    pub(super) info: Arc<SectionInfo>,
    /// The public's version when something in it last changed.
    pub(super) version: u64,
    pub(super) rounds: BTreeMap<u32, Round>,
    pub(super) games: HashMap<Arc<str>, Arc<GameView>>,
    /// Games that are not in memory although they are known.
    pub(super) archived: HashMap<Arc<str>, GameRef>,
    /// The round that most boards play.
    pub(super) current: u32,
}

impl Shared {
    pub(super) fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }
}
