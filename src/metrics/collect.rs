//! The values that are read at a scrape.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;
use tournament::{PairingState, RoundState};

use super::Sources;
use crate::boards::counters::BoardCounts;
use hall_clock::HallClock;
use outputs::{State, Status};

/// The collector of the daemon's parts.
pub(super) struct Collected {
    sources: Sources,
    /// Real time at the start, in seconds since 1970.
    started: f64,
}

impl fmt::Debug for Collected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collected").finish_non_exhaustive()
    }
}

impl Collected {
    pub(super) fn new(sources: Sources) -> Self {
        Self { sources, started: HallClock::start(1.0).now() as f64 / 1000.0 }
    }
}

/// Value of a counter of a board.
type OfBoard<T> = fn(&BoardCounts) -> T;

/// Counters of each board: name, help, value.
const BOARD_COUNTERS: [(&str, &str, OfBoard<u64>); 8] = [
    ("board_received_bytes", "Bytes that came from the board", |counts| counts.bytes),
    ("board_damaged_bytes", "Bytes from the board that belong to no message", |counts| counts.damaged_bytes),
    ("board_resyncs", "How often the reader lost its place between messages", |counts| counts.resyncs),
    ("board_dumps", "How often the board was asked for its whole position", |counts| counts.dump_requests),
    ("board_attachments", "How often the board came within reach", |counts| counts.attachments),
    ("board_losses", "How often the board was lost", |counts| counts.losses),
    ("board_moves", "Moves that were confirmed on the board", |counts| counts.moves),
    ("board_retracts", "Corrections that took confirmed moves back", |counts| counts.retracts),
];

impl Collector for Collected {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut to = Encoder(encoder);
        self.boards(&mut to)?;
        self.tournament(&mut to)?;
        self.journal(&mut to)?;
        self.outputs(&mut to)?;
        self.daemon(&mut to)
    }
}

impl Collected {
    fn boards(&self, to: &mut Encoder<'_>) -> fmt::Result {
        let registry = self.sources.director.boards();
        let counts = registry.counts();
        for (name, help, value) in BOARD_COUNTERS {
            to.counters(name, help, "board", counts.iter().map(|(board, counts)| (board, value(counts))))?;
        }
        to.seconds(
            "board_unexplained",
            "For how long no legal moves explained the position, in all",
            MetricType::Counter,
            counts.iter().map(|(board, counts)| (board, counts.unexplained.as_secs_f64())),
        )?;
        to.seconds(
            "board_silence",
            "Since when nothing came from the board",
            MetricType::Gauge,
            counts.iter().filter_map(|(board, counts)| Some((board, counts.silent?.as_secs_f64()))),
        )?;
        to.gauges(
            "board_clock_battery_low",
            "Whether the clock of the board shows a low battery",
            "board",
            counts.iter().filter_map(|(board, counts)| Some((board, counts.clock_battery_low?.into()))),
        )?;
        to.gauges(
            "board_battery_percent",
            "What the battery of the board has left, of boards that say so",
            "board",
            counts.iter().filter_map(|(board, counts)| Some((board, counts.battery_percent?.into()))),
        )?;
        let hall = self.sources.director.hall();
        let tables = hall.seats.iter().map(|(table, board)| (board, i64::from(*table)));
        to.gauges("board_table", "The table of the board, of boards that have one", "board", tables)?;
        let states = registry.states();
        let connected = states.iter().map(|state| (&state.board, i64::from(state.connected)));
        to.gauges("board_connected", "Whether the board is within reach", "board", connected)
    }

    fn tournament(&self, to: &mut Encoder<'_>) -> fmt::Result {
        let hall = self.sources.director.hall();
        let mut games: BTreeMap<Arc<str>, i64> =
            ["waiting", "playing", "result_missing", "over"].into_iter().map(|state| (state.into(), 0)).collect();
        for found in hall.games().filter(|found| found.round.state != RoundState::Finished) {
            let state = match found.game.state {
                PairingState::Paired | PairingState::Adjourned => "waiting",
                PairingState::Playing => "playing",
                PairingState::ResultMissing => "result_missing",
                PairingState::Finished | PairingState::Forfeit => "over",
            };
            *games.entry(state.into()).or_default() += 1;
        }
        to.gauges("games", "Games of rounds that are not finished", "state", games.iter().map(|(k, v)| (k, *v)))?;
        let delays: Vec<_> = hall
            .sections
            .values()
            .map(|section| {
                let round = section.rounds.keys().next_back().copied().unwrap_or(1);
                // Until the game is over: there is no number of seconds.
                let seconds = match hall.round_delay(section, round) {
                    tournament::Delay::Seconds(seconds) => f64::from(seconds),
                    tournament::Delay::UntilOver => f64::INFINITY,
                };
                (Arc::clone(&section.slug), seconds)
            })
            .collect();
        to.family(
            "delay",
            "By how much the public sees the latest round later",
            Some(&Unit::Seconds),
            MetricType::Gauge,
            "section",
            delays.iter().map(|(section, seconds)| (section, ConstGauge::new(*seconds))),
        )?;
        let mut alarms: BTreeMap<Arc<str>, i64> = BTreeMap::new();
        for alarm in self.sources.alarms.list(|_| true) {
            // Kinds are written as in the API.
            let kind = serde_json::to_value(alarm.kind).ok().and_then(|kind| kind.as_str().map(Arc::from));
            *alarms.entry(kind.unwrap_or_else(|| "unknown".into())).or_default() += 1;
        }
        to.gauges("alarms", "Alarms that hold now", "kind", alarms.iter().map(|(k, v)| (k, *v)))
    }

    fn journal(&self, to: &mut Encoder<'_>) -> fmt::Result {
        let recorder = &self.sources.recorder;
        to.gauge("journal_backlog", "Entries that wait for their commit", count(recorder.backlog()))?;
        to.gauge("journal_failing", "Whether the journal cannot be written", i64::from(recorder.is_failing()))?;
        to.gauge("journal_gone", "Whether the data folder was removed or unmounted", i64::from(recorder.is_gone()))?;
        let (data, bytes) = (&self.sources.data, Some(&Unit::Bytes));
        if let Ok(length) = std::fs::metadata(journal::journal_path(data)) {
            to.value("journal_size", "Size of the journal", bytes, length.len() as f64)?;
        }
        if let (Ok(free), Ok(total)) = (fs4::available_space(data), fs4::total_space(data)) {
            to.value("disk_free", "Free space of the disk with the data folder", bytes, free as f64)?;
            to.value("disk_size", "Size of that disk", bytes, total as f64)?;
        }
        Ok(())
    }

    /// What is sent to other programs and sites.
    fn outputs(&self, to: &mut Encoder<'_>) -> fmt::Result {
        let known: Vec<_> = self
            .sources
            .outputs
            .list()
            .into_iter()
            .map(|known| (Arc::from(known.settings.name), known.status))
            .collect();
        let of = |value: fn(&Status) -> i64| known.iter().map(move |(name, status)| (name, value(status)));
        let failing = of(|status| i64::from(status.state == State::Failing));
        to.gauges(
            "output_failing",
            "Whether attempts of the output have failed for more than a minute",
            "output",
            failing,
        )?;
        let waiting = of(|status| count(status.waiting));
        to.gauges("output_waiting", "Games or files that wait for the consumer", "output", waiting)?;
        let problems = of(|status| count(status.problems.len()));
        to.gauges("output_problems", "Games or files that the consumer did not take", "output", problems)?;
        let now = self.sources.outputs.now();
        let paused = of(|status| i64::from(status.state == State::Paused));
        to.gauges("output_paused", "Whether a person paused the output", "output", paused)?;
        let failures = known.iter().map(|(name, status)| (name, status.failures));
        to.counters("output_failures", "Attempts of the output that failed", "output", failures)?;
        let sent = known.iter().filter_map(|(name, status)| Some((name, status.sent_at? as f64 / 1000.0)));
        to.family(
            "output_sent_time",
            "When the consumer took something last, in seconds since 1970",
            Some(&Unit::Seconds),
            MetricType::Gauge,
            "output",
            sent.map(|(name, at)| (name, ConstGauge::new(at))),
        )?;
        to.family(
            "output_behind",
            "For how long the oldest change has waited",
            Some(&Unit::Seconds),
            MetricType::Gauge,
            "output",
            known.iter().map(|(name, status)| {
                let behind = status.behind_since.map_or(0, |since| now.saturating_sub(since));
                (name, ConstGauge::new(behind as f64 / 1000.0))
            }),
        )
    }

    fn daemon(&self, to: &mut Encoder<'_>) -> fmt::Result {
        to.gauge("sockets", "Viewers of the live feed", count((self.sources.viewers)()))?;
        to.gauge("live", "Whether recorder and director answer", i64::from(self.sources.liveness.is_live()))?;
        let clock = &self.sources.clock;
        to.value("hall_time", "Hall time in seconds since 1970", Some(&Unit::Seconds), clock.now() as f64 / 1000.0)?;
        to.value("start_time", "When the daemon started, in seconds since 1970", Some(&Unit::Seconds), self.started)?;
        let version: Arc<str> = env!("CARGO_PKG_VERSION").into();
        to.gauges("build", "The version of the daemon; the value is always 1", "version", [(&version, 1)])
    }
}

/// A number as the format has it.
fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Writes metrics with at most one label.
struct Encoder<'a>(DescriptorEncoder<'a>);

impl Encoder<'_> {
    fn counters<'v>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: impl IntoIterator<Item = (&'v Arc<str>, u64)>,
    ) -> fmt::Result {
        let values = values.into_iter().map(|(of, value)| (of, ConstCounter::new(value)));
        self.family(name, help, None, MetricType::Counter, label, values)
    }

    fn gauges<'v>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: impl IntoIterator<Item = (&'v Arc<str>, i64)>,
    ) -> fmt::Result {
        let values = values.into_iter().map(|(of, value)| (of, ConstGauge::new(value)));
        self.family(name, help, None, MetricType::Gauge, label, values)
    }

    /// Times of boards.
    fn seconds<'v>(
        &mut self,
        name: &str,
        help: &str,
        metric: MetricType,
        values: impl IntoIterator<Item = (&'v Arc<str>, f64)>,
    ) -> fmt::Result {
        let unit = Some(&Unit::Seconds);
        if matches!(metric, MetricType::Counter) {
            let values = values.into_iter().map(|(of, value)| (of, ConstCounter::new(value)));
            self.family(name, help, unit, metric, "board", values)
        } else {
            let values = values.into_iter().map(|(of, value)| (of, ConstGauge::new(value)));
            self.family(name, help, unit, metric, "board", values)
        }
    }

    fn family<'v, M: EncodeMetric>(
        &mut self,
        name: &str,
        help: &str,
        unit: Option<&Unit>,
        metric: MetricType,
        label: &str,
        values: impl IntoIterator<Item = (&'v Arc<str>, M)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, unit, metric)?;
        for (of, value) in values {
            let labels = [(label, &**of)];
            value.encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }

    fn gauge(&mut self, name: &str, help: &str, value: i64) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&value)
    }

    fn value(&mut self, name: &str, help: &str, unit: Option<&Unit>, value: f64) -> fmt::Result {
        self.0.encode_descriptor(name, help, unit, MetricType::Gauge)?.encode_gauge(&value)
    }
}
