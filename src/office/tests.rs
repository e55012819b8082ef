//! The office with a journal on a disk and boards that are none: what it records, and what a restart knows.

use std::path::Path;

use super::*;
use crate::founding::{Founding, Wanted};
use crate::record::{self, Feed};
use crate::store::DataFolder;

/// An office over a data folder, with the feed of its recorder.
fn open(data: &Path, clock: HallClock) -> (Office, Feed) {
    let (journal, reader) = DataFolder::take(data).unwrap().open_journal().unwrap();
    let past = reader.past().unwrap();
    let (recorder, feed, _) = record::start(clock, journal, past.entries.clone()).unwrap();
    (Office::open(clock, recorder, Arc::new(reader), &past), feed)
}

/// The office of a hall without pairings: each start position is a game. Waits for nothing, also where time is made up.
pub(crate) fn open_play(data: &Path, clock: HallClock) -> (Office, Feed) {
    let (office, feed) = open(data, clock);
    for order in Founding::of(Wanted::default()).unwrap().orders(&office.hall()) {
        office.carry_out(&Author::Rule("test".into()), None, None, &order).unwrap();
    }
    (office, feed)
}
