//! Everything that is public: the views of all sections, and which of them is current.
//!
//! Copies share it. Readers see whole commits only. Must not know what a commit changes.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::History;
use super::game_view::GameView;
use super::state::{Shared, State};
use super::view::View;
use hall_clock::UtcMs;
use journal::Archive;
use journal::Committed;
use tournament::Hall;

/// What those see who did not ask for a section or a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Featured {
    /// Slug of the section that deserves most; none before the first is made.
    pub section: Option<Arc<str>>,
    /// The round of each section that most boards play.
    pub rounds: BTreeMap<Arc<str>, u32>,
}

/// Public knowledge; copies share it.
#[derive(Clone)]
pub struct Public {
    pub(super) shared: Arc<Shared>,
}

impl Public {
    pub(super) fn new(now: UtcMs, history: History) -> Self {
        let History { identity, rounds, reader } = history;
        let mut past: HashMap<_, Vec<_>> = HashMap::new();
        for round in rounds.into_iter().filter(|round| round.archived) {
            past.entry(Arc::clone(&round.event)).or_default().push(round);
        }
        let state = State { identity, hall: Hall::default(), sections: BTreeMap::new(), past, current: None };
        Self {
            shared: Arc::new(Shared {
                opened_at: now,
                version: AtomicU64::new(0),
                archive: reader.clone().map(Archive::new),
                reader,
                state: RwLock::new(state),
                watchers: Mutex::default(),
            }),
        }
    }

    /// The sections, by slug.
    pub fn sections(&self) -> Vec<View> {
        self.shared.state().sections.keys().map(|slug| self.view(slug)).collect()
    }

    /// A section, by its slug.
    pub fn section(&self, slug: &str) -> Option<View> {
        self.shared.state().sections.get_key_value(slug).map(|(slug, _)| self.view(slug))
    }

    /// The section that deserves most attention; none before the first is made.
    pub fn current(&self) -> Option<View> {
        self.shared.state().current.as_ref().map(|slug| self.view(slug))
    }

    /// What those see who did not ask for a section or a round.
    pub fn attention(&self) -> Featured {
        let state = self.shared.state();
        let rounds = state.sections.iter().map(|(slug, section)| (Arc::clone(slug), section.current)).collect();
        Featured { section: state.current.clone(), rounds }
    }

    /// The section that a game is in and the game itself, by its id.
    pub fn game(&self, id: &str) -> Option<(View, Arc<GameView>)> {
        self.sections().into_iter().find_map(|view| view.game(id).map(|game| (view, game)))
    }

    /// Entries of the record that were released: changes whenever anything does.
    pub fn version(&self) -> u64 {
        self.shared.version.load(Ordering::Acquire)
    }

    /// Has `notify` called, briefly and from the gate's thread, after every release.
    pub fn watch(&self, notify: impl Fn() + Send + Sync + 'static) {
        self.shared.watchers.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(notify));
    }

    fn view(&self, slug: &Arc<str>) -> View {
        View { shared: Arc::clone(&self.shared), slug: Arc::clone(slug) }
    }

    /// Makes whole commits public, all at once.
    pub(super) fn release(&self, committed: &[Committed]) {
        {
            let mut state = self.shared.state.write().unwrap_or_else(PoisonError::into_inner);
            for committed in committed {
                let version = self.shared.version.fetch_add(1, Ordering::Release) + 1;
                match committed {
                    Committed::Game(entry) => state.game(entry, version, self.shared.archive.as_ref()),
                    Committed::Hall(entry) => state.fact(entry, version),
                }
            }
        }
        for notify in &*self.shared.watchers.lock().unwrap_or_else(PoisonError::into_inner) {
            notify();
        }
    }
}
