//! How long a move takes from the bytes that confirm it to the journal and to the public, as histograms.

use std::sync::Arc;

use game_core::event::Event;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::director::DirectorHandle;
use hall_clock::HallClock;
use journal::{Committed, Feed};
use publish::gate::{PublicView, View};
use tournament::{Delay, Hall};

/// Upper limits of the buckets in seconds: from the resolution of the stamps to longer than a spectator should wait.
const BUCKETS: [f64; 14] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0];

/// The histograms; copies share them.
#[derive(Clone, Debug)]
pub struct Latency {
    durable: Histogram,
    public: Histogram,
}

impl Default for Latency {
    fn default() -> Self {
        Self { durable: Histogram::new(BUCKETS), public: Histogram::new(BUCKETS) }
    }
}

impl Latency {
    /// Adds the histograms to a registry.
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register_with_unit(
            "move_durable",
            "Time from the bytes or the pause that confirm a move to its commit in the journal",
            Unit::Seconds,
            self.durable.clone(),
        );
        registry.register_with_unit(
            "move_public",
            "Time from the bytes or the pause that confirm a move to its release to viewers, for games without delay",
            Unit::Seconds,
            self.public.clone(),
        );
    }
}

/// Observes every move that is committed and released until the stop.
pub async fn observe(
    latency: Latency,
    (feed, public): (Feed, PublicView),
    director: DirectorHandle,
    clock: HallClock,
    stop: CancellationToken,
) {
    let released = Arc::new(Notify::new());
    let notify = Arc::clone(&released);
    public.watch(move || notify.notify_one());
    let mut reader = feed.read_from(0);
    // What is in the record already was played before this start.
    reader.ready_entries();
    while stop.run_until_cancelled(released.notified()).await.is_some() {
        let now = clock.now();
        let entries = reader.ready_entries();
        if entries.is_empty() {
            continue;
        }
        let hall = director.hall();
        for entry in entries.iter().filter_map(Committed::game) {
            if !matches!(entry.event, Event::Move { .. }) {
                continue;
            }
            let seconds = |until: u64| until.saturating_sub(entry.at) as f64 / 1000.0 / clock.speed();
            latency.durable.observe(seconds(entry.committed_at));
            if is_undelayed(&hall, &entry.game.game) {
                latency.public.observe(seconds(now));
            }
        }
    }
}

/// Whether the public sees a game at once.
fn is_undelayed(hall: &Hall, game: &str) -> bool {
    let found = hall.game(game);
    found.is_some_and(|found| hall.delay(found.section, found.round.number, found.game.pair.number) == Delay::NONE)
}
