//! A thousand boards of blitz and a thousand viewers, each on a round of a hundred boards, with the journal on a disk.

use std::time::{Duration, Instant};

use crate::machine::{Server, Usage};
use crate::viewers::Viewers;

/// Sections with a round each; boards of each round.
const SECTIONS: usize = 10;
const BOARDS: usize = 100;
const VIEWERS: usize = 1_000;

/// A game of blitz, three minutes and two seconds a move, has 80 plies in nine minutes.
const PLIES_A_SECOND: f64 = (SECTIONS * BOARDS) as f64 * 80.0 / 540.0;

const TIME: Duration = Duration::from_secs(20);

pub(crate) fn run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_string_lossy().into_owned();
    let mut server = Server::start(&["ours", &SECTIONS.to_string(), &BOARDS.to_string(), "2", &path]);
    let mut viewers = Viewers::new();
    let address = server.address.clone();
    for index in 0..VIEWERS {
        viewers.join(&address, &format!("/api/v1/live?event=s{}&round=1", 1 + index % SECTIONS));
    }
    server.order(format!("plays {}", (1e6 / PLIES_A_SECOND).round()));
    let until = Instant::now() + Duration::from_secs(2);
    while Instant::now() < until {
        viewers.read(Duration::from_millis(100), |_| {});
    }
    let (before, texts, began): (Usage, u64, Instant) = (server.usage(), viewers.texts(), Instant::now());
    while began.elapsed() < TIME {
        viewers.read(Duration::from_millis(100), |_| {});
    }
    let (after, seconds) = (server.usage(), began.elapsed().as_secs_f64());
    let moves = server.ask("stop");
    let cores = after.cpu.saturating_sub(before.cpu).as_secs_f64() / seconds;
    println!(
        "{PLIES_A_SECOND:.0} plies a second ({moves} in all), {:.0} messages a second to {VIEWERS} viewers: **{:.1} % of one core**, \
         {} connections lost",
        (viewers.texts() - texts) as f64 / seconds,
        100.0 * cores,
        viewers.lost,
    );
}
