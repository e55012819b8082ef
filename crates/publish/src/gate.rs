//! The gate between the record and viewers: committed feed in, one view for each policy out.
//!
//! This is the only place where a delay is applied: what the gate has not released does not exist for a view. Each view is a
//! fold of its own, with its own stream names and sequence numbers (`projection`). `hold` says what is held back, `releases` when
//! it comes out.

mod audience;
mod featured;
mod game_view;
mod hall;
mod held_facts;
mod held_game;
mod history;
mod hold;
mod past_games;
mod projection;
mod public_event;
mod public_view;
mod release;
mod releases;
mod round;
mod section_view;
mod state;
mod stream_name;
#[cfg(test)]
mod tests;
mod view;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use hall_clock::{HallClock, UtcMs};
use journal::{Feed, Grown, WeakRecorder};

pub(crate) use audience::Audience;
pub(crate) use featured::Featured;
pub(crate) use projection::Projection;
#[cfg(feature = "keys")]
pub(crate) use view::Projected;

pub use audience::{Policy, Wait};
pub use game_view::GameView;
pub use hall::{RoundInfo, SectionInfo};
pub use history::History;
pub use public_event::{Played, PublicEvent};
pub use public_view::PublicView;
pub use round::{Listed, Released, RoundView, Since, StreamTail};
pub use section_view::{Place, SectionView, Standings as LoadedStandings};
pub use tournament::Delay;
pub use view::View;

/// Makes views; copies share it.
#[derive(Clone)]
pub struct Gate {
    shared: Arc<Shared>,
}

struct Shared {
    feed: Feed,
    history: Mutex<History>,
    clock: HallClock,
    recorder: WeakRecorder,
    opened_at: UtcMs,
    /// Held while a view is opened, which takes long in a long event; the open ones go on meanwhile.
    opening: Mutex<()>,
    projections: Mutex<Vec<Arc<Projection>>>,
}

/// Starts the thread that releases the feed's entries to the views. The thread ends with the feed. What a view holds back is
/// written to the journal by `recorder`.
///
/// # Errors
/// When the system gives no thread.
pub fn open(
    feed: &Feed,
    clock: HallClock,
    history: History,
    recorder: WeakRecorder,
) -> io::Result<(Gate, JoinHandle<()>)> {
    let (feed, opened_at) = (feed.clone(), clock.now());
    let (opening, projections) = (Mutex::new(()), Mutex::new(Vec::new()));
    let history = Mutex::new(history);
    let mut grown = feed.read_from(u64::MAX);
    let gate = Gate { shared: Arc::new(Shared { feed, history, clock, recorder, opened_at, opening, projections }) };
    let shared = Arc::clone(&gate.shared);
    let thread = thread::Builder::new().name("gate".into()).spawn(move || {
        let mut wait = None;
        while grown.wait(wait) != Grown::Ended {
            // For the end of the feed: the views read for themselves.
            drop(grown.ready_entries());
            let next = shared.catch_up();
            wait = next.map(|next| clock.real_until(next));
        }
    })?;
    Ok((gate, thread))
}

impl Shared {
    /// Brings all views up to date; returns the hall time at which something is due next.
    fn catch_up(&self) -> Option<UtcMs> {
        // A view that is opened in between reads these entries itself, or is in the list.
        self.open_views().iter().filter_map(|projection| projection.catch_up()).min()
    }

    fn open_views(&self) -> Vec<Arc<Projection>> {
        self.projections.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Gate {
    /// The view of a public policy. What is in the feed already, and waits for nothing, is released when this returns.
    pub fn public(&self, policy: Policy) -> PublicView {
        PublicView::new(self.projection(Audience::Public(policy)))
    }

    /// Brings all views up to date now, for tests whose clock is set by hand.
    #[cfg(any(test, feature = "test-hall"))]
    pub fn catch_up(&self) {
        self.shared.catch_up();
    }

    /// Whether nothing is due now, for tests.
    #[cfg(any(test, feature = "test-hall"))]
    pub fn is_settled(&self) -> bool {
        self.shared.open_views().iter().all(|projection| projection.is_settled())
    }

    /// How many views are open, for tests of what is in memory.
    #[cfg(any(test, feature = "test-hall"))]
    pub fn views(&self) -> usize {
        self.shared.open_views().len()
    }

    /// Releases to the public what waited for a person to look at the record ([`History::closed`]).
    pub fn open_to_public(&self) {
        let _opening = self.shared.opening.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.history.lock().unwrap_or_else(PoisonError::into_inner).closed = false;
        for projection in self.shared.open_views() {
            projection.open_up();
        }
    }

    /// The fold for an audience, opened at its first use.
    pub(crate) fn projection(&self, audience: Audience) -> Arc<Projection> {
        let Shared { feed, history, clock, recorder, opened_at, opening, projections } = &*self.shared;
        let _opening = opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = self.shared.open_views().into_iter().find(|known| known.audience() == audience) {
            return known;
        }
        let history = history.lock().unwrap_or_else(PoisonError::into_inner);
        let projection = Arc::new(Projection::open(audience, *opened_at, &history, feed, *clock, recorder));
        projections.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&projection));
        // What came while it was opened.
        projection.catch_up();
        projection
    }
}
