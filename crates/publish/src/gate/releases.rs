//! Which entries of the record a view gets, and when.

use journal::{Committed, Feed, FeedReader};

/// The entries that one view has still to release, in the order of the record.
///
/// A view without a delay releases an entry as soon as it is in the committed feed. The number that the event gets follows
/// from the record alone (`release`), so it is durable with the event and costs no commit of its own.
///
/// A view with a delay takes its entries here, too: those of which the effective instant is before the cut. In what order they
/// come out then depends on when the delay was changed and the daemon restarted, so it commits what it takes (view, entry) to the
/// journal before it hands it on; after a restart it hands on what it had committed, in that order, and then goes on.
#[derive(Debug)]
pub(super) struct Releases {
    feed: FeedReader,
}

impl Releases {
    /// All entries of a feed, the first one first.
    pub(super) fn of(feed: &Feed) -> Self {
        Self { feed: feed.read_from(0) }
    }

    /// The entries to release now; whole commits only.
    pub(super) fn due(&mut self) -> Vec<Committed> {
        self.feed.ready_entries()
    }
}
