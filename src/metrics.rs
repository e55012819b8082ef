//! Everything that an operator's monitoring asks about, in the text format of Prometheus.
//!
//! Values are read at each scrape; only the times from byte to public are collected meanwhile. Must not know who may scrape.

mod collect;
mod latency;

use std::path::PathBuf;
use std::sync::Arc;

use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

use crate::alarms::AlarmBook;
use crate::director::DirectorHandle;
use crate::service::Liveness;
use hall_clock::HallClock;
use journal::RecorderHandle;
use outputs::Outputs;

pub use latency::{Latency, observe};

/// The content type of the answer.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Prefix of all names.
const PREFIX: &str = "boardcast";

/// The parts that are asked at a scrape.
#[derive(Clone)]
pub struct Sources {
    /// The owner of the tournament and the registry of boards.
    pub director: DirectorHandle,
    /// The writer of the journal.
    pub recorder: RecorderHandle,
    /// Viewers of the live feed now.
    pub viewers: Arc<dyn Fn() -> usize + Send + Sync>,
    /// What is sent to other programs and sites.
    pub outputs: Outputs,
    /// The alarms that hold.
    pub alarms: AlarmBook,
    /// Hall time.
    pub clock: HallClock,
    /// Whether recorder and director answer.
    pub liveness: Liveness,
    /// The data folder, whose disk is watched.
    pub data: PathBuf,
}

/// The metrics of the daemon.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
}

impl Metrics {
    /// Over these parts, with the times that are collected meanwhile.
    pub fn new(sources: Sources, latency: &Latency) -> Self {
        let mut registry = Registry::with_prefix(PREFIX);
        latency.register(&mut registry);
        registry.register_collector(Box::new(collect::Collected::new(sources)));
        Self { registry }
    }

    /// All metrics now.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a text does not fail; if it did, what is there is still right.
        if let Err(error) = encode(&mut text, &self.registry) {
            tracing::error!(%error, "the metrics cannot be written");
        }
        text
    }
}
