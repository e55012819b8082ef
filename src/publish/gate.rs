//! The gate between the record and the public: committed feed in, one [`View`] out.
//!
//! This is the only place where a delay will ever be applied (invariant 6): whatever the gate has not released does not
//! exist for any public output, and neither does what only arbiters may know. The public view holds nothing back yet.

mod public_event;
#[cfg(test)]
mod tests;
mod view;

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crate::hall_clock::HallClock;
use crate::record::Feed;
use crate::tournament::EventInfo;

pub use public_event::PublicEvent;
pub use view::{GameView, Released, RoundView, Since, View};

/// How far the public view is behind the record, in milliseconds.
pub const PUBLIC_DELAY_MS: u64 = 0;

/// Starts the thread that releases the feed's entries into the public view of an event. It ends with the feed.
///
/// # Errors
/// When the system gives no thread.
pub fn open(feed: &Feed, event: Arc<EventInfo>, clock: HallClock) -> io::Result<(View, JoinHandle<()>)> {
    let view = View::new(event, clock.now());
    let released = view.clone();
    let mut reader = feed.read_from(0);
    let thread = thread::Builder::new().name("gate".into()).spawn(move || {
        while let Some(entries) = reader.next_entries() {
            released.release(&entries, clock.now());
        }
    })?;
    Ok((view, thread))
}
