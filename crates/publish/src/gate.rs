//! The gate between the record and the public: committed feed in, one [`View`] a section out.
//!
//! This is the only place where a delay will ever be applied (invariant 6): whatever the gate has not released does not
//! exist for any public output, and neither does what only arbiters may know. The public view holds nothing back yet.

mod game_view;
mod hall;
mod public;
mod public_event;
mod release;
mod round;
mod state;
#[cfg(test)]
mod tests;
mod view;

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use hall_clock::HallClock;
use journal::Feed;
use journal::{PastRound, Reader};

pub use game_view::GameView;
pub use hall::{RoundInfo, SectionInfo};
pub use public::{Featured, Public};
pub use public_event::PublicEvent;
pub use round::{Listed, News, Released, RoundView, Since};
pub use view::View;

/// How far the public view is behind the record, in milliseconds.
pub const PUBLIC_DELAY_MS: u64 = 0;

/// What the gate must know of the time before it was opened, beyond what stands in the feed.
#[derive(Debug)]
pub struct History {
    /// Names the journal in the names of streams: they stay the same for as long as their numbers go on.
    pub identity: Arc<str>,
    /// The rounds of all sections; those that are archived are not in the feed.
    pub rounds: Vec<PastRound>,
    /// Where the games of archived rounds are.
    pub reader: Option<Arc<Reader>>,
}

impl History {
    /// The history of a journal that begins now.
    pub fn none(identity: Arc<str>) -> Self {
        Self { identity, rounds: Vec::new(), reader: None }
    }
}

/// Starts the thread that releases the feed's entries to the public; what is in the feed already is released when this
/// returns. The thread ends with the feed.
///
/// # Errors
/// When the system gives no thread.
pub fn open(feed: &Feed, clock: HallClock, history: History) -> io::Result<(Public, JoinHandle<()>)> {
    let public = Public::new(clock.now(), history);
    let mut reader = feed.read_from(0);
    public.release(&reader.ready_entries());
    let released = public.clone();
    let thread = thread::Builder::new().name("gate".into()).spawn(move || {
        while let Some(entries) = reader.next_entries() {
            released.release(&entries);
        }
    })?;
    Ok((public, thread))
}
