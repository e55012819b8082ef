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
use game_core::replay::{Continued, continued, last_game};
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

    /// The session that this capture ends with, where its conclusions are what is recorded of the board's game; `now` is the time of the
    /// capture.
    pub(super) async fn take(&self, capture: &Path, recorded: Option<Resume>, now: Timestamp) -> PastSession {
        let Ok(_turn) = self.turns.acquire().await else { return PastSession::Unknown };
        let (path, until) = (capture.to_owned(), self.until);
        let in_time = move || Instant::now() < until;
        let take = move || {
            let Ok(lines) = newest_lines_of(&path, MOST_BYTES) else { return PastSession::Unknown };
            let take = || continued(&read_capture(&lines), recorded.as_ref(), now, in_time);
            if let Some(gone_on) = in_time().then(|| guard(take).ok().flatten()).flatten() {
                return PastSession::GoesOn(gone_on);
            }
            match (&recorded, last_game(&read_capture(&notices(&lines)))) {
                (Some(recorded), Some(game)) if recorded.game != game => PastSession::OfAnotherGame,
                // A board that is here for the first time has played nothing.
                (Some(_), None) if is_alone(&path) => PastSession::OfAnotherGame,
                _ => PastSession::Unknown,
            }
        };
        spawn_blocking(take).await.unwrap_or(PastSession::Unknown)
    }
}

/// What the board was told, of the lines of a capture; its bytes take most of them, and most of the time to read.
fn notices(lines: &[u8]) -> Vec<u8> {
    let told = |line: &&[u8]| line.starts_with(b"#") || line.split(|byte| *byte == b' ').nth(1) == Some(b"!");
    lines.split_inclusive(|byte| *byte == b'\n').filter(told).flatten().copied().collect()
}

/// Whether it is the only file of its folder: the first capture of its board.
fn is_alone(path: &Path) -> bool {
    path.parent().and_then(|folder| folder.read_dir().ok()).is_some_and(|files| files.count() == 1)
}

/// What the capture of a board says about the session that wrote it last.
#[derive(Debug)]
pub(super) enum PastSession {
    /// It goes on: it has told what is recorded.
    GoesOn(Continued),
    /// It did not know yet that the board plays another game: the order came while the board was out of reach, or the daemon was
    /// stopped before it had told the board.
    OfAnotherGame,
    /// Nothing of use: there is none, it has told something else, or there is no time left.
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    /// The daemon started long ago.
    fn later() -> PastSessions {
        PastSessions { until: Instant::now(), ..PastSessions::from_now_on() }
    }

    /// What the capture says whose session was told of the first game, where the second one is recorded.
    async fn past_of(told: &str, recorded: Option<&str>) -> PastSession {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("day.capture");
        let told = format!(
            "# boardcast-capture 1\n0 ! {{\"resume\":{{}}}}\n5 ! {{\"attach\":{{\"port\":\"x\"}}}}\n9 ! {{\"resume\":\
             {{\"game\":\"{told}\",\"fen\":\"{KINGS}\"}}}}\n"
        );
        std::fs::write(&path, told).unwrap();
        let resume = |game: &str| Resume {
            game: game.into(),
            fen: KINGS.into(),
            result: "*".into(),
            time_control: None,
            ..Resume::default()
        };
        PastSessions::from_now_on().take(&path, recorded.map(resume), Timestamp::from_ms(60_000)).await
    }

    #[tokio::test]
    async fn a_daemon_that_was_killed_before_the_board_knew_its_new_game_sees_that_in_the_capture() {
        let past = past_of("", Some("cup-1-1")).await;
        assert!(matches!(past, PastSession::OfAnotherGame), "{past:?}");
        let past = past_of("20077-apart-1", Some("cup-1-1")).await;
        assert!(matches!(past, PastSession::OfAnotherGame), "{past:?}");
        let past = past_of("cup-1-1", Some("cup-1-1")).await;
        assert!(!matches!(past, PastSession::OfAnotherGame), "{past:?}");
        let past = past_of("cup-1-1", None).await;
        assert!(!matches!(past, PastSession::OfAnotherGame), "{past:?}");
    }

    #[tokio::test]
    async fn a_spare_board_that_is_plugged_in_after_the_order_has_not_played_the_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("2026-11-20.capture");
        std::fs::write(&path, "# boardcast-capture 1\n").unwrap();
        let recorded = || Some(Resume { game: "cup-1-1".into(), fen: KINGS.into(), ..Resume::default() });
        let now = Timestamp::from_ms(60_000);
        let past = later().take(&path, recorded(), now).await;
        assert!(matches!(past, PastSession::OfAnotherGame), "{past:?}");
        // On the day before it may have played it.
        std::fs::write(folder.path().join("2026-11-19.capture"), "# boardcast-capture 1\n").unwrap();
        let past = later().take(&path, recorded(), now).await;
        assert!(matches!(past, PastSession::Unknown), "{past:?}");
    }
}
