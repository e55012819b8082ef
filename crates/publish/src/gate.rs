//! The gate between the record and viewers: committed feed in, one view for each policy out.
//!
//! This is the only place where a delay will be applied: what the gate has not released does not exist for a view. Each view
//! is a fold of its own, with its own stream names and sequence numbers (`projection`).

mod audience;
mod featured;
mod game_view;
mod hall;
mod history;
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
use journal::Feed;

pub(crate) use audience::Audience;
pub(crate) use featured::Featured;
pub(crate) use projection::Projection;
#[cfg(feature = "keys")]
pub(crate) use view::Projected;

pub use audience::Policy;
pub use game_view::GameView;
pub use hall::{RoundInfo, SectionInfo};
pub use history::History;
pub use public_event::PublicEvent;
pub use public_view::PublicView;
pub use round::{Listed, Released, RoundView, Since, StreamTail};
pub use section_view::SectionView;
pub use view::View;

/// Makes views; copies share it.
#[derive(Clone)]
pub struct Gate {
    shared: Arc<Shared>,
}

struct Shared {
    feed: Feed,
    history: Mutex<History>,
    opened_at: UtcMs,
    projections: Mutex<Vec<Arc<Projection>>>,
}

/// Starts the thread that releases the feed's entries to the views. The thread ends with the feed.
///
/// # Errors
/// When the system gives no thread.
pub fn open(feed: &Feed, clock: HallClock, history: History) -> io::Result<(Gate, JoinHandle<()>)> {
    let history = Mutex::new(history);
    let shared = Shared { feed: feed.clone(), history, opened_at: clock.now(), projections: Mutex::new(Vec::new()) };
    let gate = Gate { shared: Arc::new(shared) };
    let mut entries = feed.read_from(u64::MAX);
    let shared = Arc::clone(&gate.shared);
    let thread = thread::Builder::new().name("gate".into()).spawn(move || {
        while entries.next_entries().is_some() {
            // A view that is opened in between has read these entries, or is in the list.
            let projections = shared.projections.lock().unwrap_or_else(PoisonError::into_inner).clone();
            for projection in projections {
                projection.catch_up();
            }
        }
    })?;
    Ok((gate, thread))
}

impl Gate {
    /// The view of a public policy. What is in the feed already is released when this returns.
    ///
    /// Logs every round whose delay the policy does not keep: nothing of it is in the view.
    pub fn public(&self, policy: Policy) -> PublicView {
        let projection = self.projection(Audience::Public(policy));
        for (section, round, delay_s) in projection.unkept_delays() {
            tracing::error!(
                "round {round} of «{section}» has a delay of {delay_s} seconds, which this version cannot keep: nothing of \
                 the round is public; set its delay_s to 0"
            );
        }
        PublicView::new(projection)
    }

    /// Releases to the public what waited for a person to look at the record ([`History::closed`]).
    pub fn open_to_public(&self) {
        let projections = self.shared.projections.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.history.lock().unwrap_or_else(PoisonError::into_inner).closed = false;
        for projection in &*projections {
            projection.open_up();
        }
    }

    /// The fold for an audience, opened at its first use.
    pub(crate) fn projection(&self, audience: Audience) -> Arc<Projection> {
        let Shared { feed, history, opened_at, projections } = &*self.shared;
        let mut projections = projections.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = projections.iter().find(|known| known.audience() == audience) {
            return Arc::clone(known);
        }
        let history = history.lock().unwrap_or_else(PoisonError::into_inner);
        let projection = Arc::new(Projection::open(audience, *opened_at, &history, feed));
        projections.push(Arc::clone(&projection));
        projection
    }
}
