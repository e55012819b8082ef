//! What differs between models of boards and clocks: the order and period of the scan, the time of a dump, the delay of the
//! clock's readings.
//!
//! Knows chance and time. Must not know chess or messages. Public sources give a scan of 200 to 250 ms, Bluetooth boards about
//! half that speed, and readings that are up to a second old on a bus (docs/protocol.md, 1 and 9); no source gives the order
//! of the scan.

use std::collections::VecDeque;

use dgt_protocol::ClockTimes;
use fastrand::Rng;

/// The order in which a board samples its fields: the place in the order of each field, 0 to 63.
pub(crate) type ScanOrder = [u8; 64];

/// Row by row from field 0 on.
pub(crate) fn rows() -> ScanOrder {
    std::array::from_fn(|field| field as u8)
}

/// A board and its clock line.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Milliseconds of a full scan, 150 to 500.
    pub(crate) scan_ms: u64,
    pub(crate) order: ScanOrder,
    /// Milliseconds from the question for the position to the answer, which tells what the scan has found by then.
    pub(crate) dump_ms: u64,
    pub(crate) clock_line: ClockLine,
}

impl Model {
    /// The model of this seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed ^ 0x6d6f_6465);
        let scan_ms = rng.u64(150..=500);
        let order = order(&mut rng);
        let dump_ms = if rng.bool() { scan_ms } else { rng.u64(0..=100) };
        let delay = match rng.u32(0..6) {
            0 => Delay::Polled { every_ms: scan_ms },
            1 => Delay::Late { most_ms: 1_000 },
            _ => Delay::Late { most_ms: rng.u64(40..=250) },
        };
        Self { scan_ms, order, dump_ms, clock_line: ClockLine::new(delay, rng.u64(..)) }
    }
}

/// Rows or columns from either end, there and back again, every second field first, or wires without any order.
fn order(rng: &mut Rng) -> ScanOrder {
    let kind = rng.u32(0..7);
    let mut wired = rows();
    rng.shuffle(&mut wired);
    std::array::from_fn(|field| {
        let (row, column) = (field as u8 / 8, field as u8 % 8);
        match kind {
            0 => row * 8 + column,
            1 => 63 - (row * 8 + column),
            2 => column * 8 + row,
            3 => 63 - (column * 8 + row),
            4 => row * 8 + if row % 2 == 0 { column } else { 7 - column },
            5 => row * 4 + column / 2 + if column % 2 == 0 { 0 } else { 32 },
            _ => wired[field],
        }
    })
}

/// How readings of the clock come to the board.
#[derive(Clone, Copy, Debug)]
enum Delay {
    /// Each so many milliseconds later at most.
    Late { most_ms: u64 },
    /// The newest one at each poll; once in a scan, so that a longer wait before a game changes nothing.
    Polled { every_ms: u64 },
}

/// What the clock shows when its reading arrives at the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    arrives_ms: u64,
    /// `None`: no clock is plugged in.
    pub(crate) clock: Option<ClockTimes>,
}

/// The line from the clock to the board. Readings keep their order.
#[derive(Clone, Debug)]
pub(crate) struct ClockLine {
    delay: Delay,
    rng: Rng,
    /// Readings on their way, each with the time of its arrival.
    readings: VecDeque<Reading>,
    last: Option<Reading>,
}

impl ClockLine {
    fn new(delay: Delay, seed: u64) -> Self {
        Self { delay, rng: Rng::with_seed(seed), readings: VecDeque::new(), last: None }
    }

    /// The clock shows this now; `None`: no clock is plugged in. On a bus a reading is up to a second old.
    pub(crate) fn send(&mut self, now_ms: u64, on_bus: bool, clock: Option<ClockTimes>) {
        if self.last.is_some_and(|last| last.clock == clock) {
            return;
        }
        let arrives_ms = match self.delay {
            Delay::Late { .. } if on_bus => now_ms + self.rng.u64(0..=1_000),
            Delay::Late { most_ms } => now_ms + self.rng.u64(most_ms / 4..=most_ms),
            Delay::Polled { every_ms } => (now_ms + 1).next_multiple_of(every_ms),
        };
        let arrives_ms = self.last.map_or(arrives_ms, |last| arrives_ms.max(last.arrives_ms));
        if matches!(self.delay, Delay::Polled { .. }) {
            // Only the newest reading is there when the clock is polled.
            self.readings.retain(|reading| reading.arrives_ms != arrives_ms);
        }
        let reading = Reading { arrives_ms, clock };
        self.last = Some(reading);
        self.readings.push_back(reading);
    }

    /// Another board is plugged in, which has had no reading yet.
    pub(crate) fn restart(&mut self) {
        self.readings.clear();
        self.last = None;
    }

    /// When the next reading arrives.
    pub(crate) fn next_due(&self) -> Option<u64> {
        self.readings.front().map(|reading| reading.arrives_ms)
    }

    /// The next reading that has arrived by `now_ms`.
    pub(crate) fn next_arrived(&mut self, now_ms: u64) -> Option<Reading> {
        self.readings.pop_front_if(|reading| reading.arrives_ms <= now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_visits_each_field_once() {
        let mut kinds = Vec::new();
        for seed in 0..100 {
            let model = Model::new(seed);
            assert!((150..=500).contains(&model.scan_ms));
            let mut places = model.order;
            places.sort_unstable();
            assert_eq!(places, rows(), "seed {seed}");
            if !kinds.contains(&model.order) {
                kinds.push(model.order);
            }
        }
        assert!(kinds.len() > 6, "{} orders", kinds.len());
    }

    #[test]
    fn readings_keep_their_order_and_arrive_within_a_second() {
        for seed in 0..50 {
            let mut line = Model::new(seed).clock_line;
            let reading =
                |n: u8| Some(ClockTimes { running: true, right_side_up: n.is_multiple_of(2), ..ClockTimes::default() });
            for n in 0..20 {
                line.send(1_000 * u64::from(n), true, reading(n));
                assert!(line.next_due().is_some_and(|due| due <= 1_000 * u64::from(n) + 1_000));
            }
            let due: Vec<u64> = line.readings.iter().map(|reading| reading.arrives_ms).collect();
            assert!(due.is_sorted(), "seed {seed}: {due:?}");
        }
    }
}
