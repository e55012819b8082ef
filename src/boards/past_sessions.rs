//! Takes the sessions of the daemon that was stopped from the captures that they wrote, when the daemon starts again.
//!
//! Each costs as much work as its day so far, so that of a big hall on a small computer only as many are taken as the time for
//! it allows. Must not know what the sessions have heard, nor what becomes of them.

use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use game_core::capture::read_capture;
use game_core::input::Resume;
use game_core::replay::{Continued, continued};
use game_core::time::Timestamp;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::session::guard;
use crate::transport::capture_file::newest_lines_of;

/// How long sessions are taken after the start. A game of blitz of 80 plies takes some 30 ms of a core (measured with `replay`): after ten
/// of them 64 boards take half of this time on four cores.
const AFTER_START: Duration = Duration::from_secs(10);

/// Bytes of a capture that are read: a day of quick games.
const MOST_BYTES: u64 = 16 << 20;

/// The sessions of the daemon that was stopped.
#[derive(Clone, Debug)]
pub struct PastSessions {
    /// One turn for each core.
    turns: Arc<Semaphore>,
    until: Instant,
}

impl PastSessions {
    /// Those that can be taken soon after now.
    pub fn from_now_on() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self { turns: Arc::new(Semaphore::new(cores)), until: Instant::now() + AFTER_START }
    }

    /// The session that this capture ends with, if its conclusions are what is recorded of the board's game; `now` is the time of the
    /// capture. None as well where the capture cannot be read or the time is over.
    pub(super) async fn take(&self, capture: &Path, recorded: Option<Resume>, now: Timestamp) -> Option<Continued> {
        let _turn = self.turns.acquire().await.ok()?;
        let (path, until) = (capture.to_owned(), self.until);
        let in_time = move || Instant::now() < until;
        let take = move || {
            let lines = in_time().then(|| newest_lines_of(&path, MOST_BYTES).ok()).flatten()?;
            let capture = read_capture(&lines);
            guard(|| continued(&capture, recorded.as_ref(), now, in_time)).ok().flatten()
        };
        spawn_blocking(take).await.ok().flatten()
    }
}
