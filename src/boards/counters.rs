//! What is counted of each board since the daemon started, for metrics.
//!
//! Written by the board's task alone, read by whoever asks. Must not know how metrics are served.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use dgt_protocol::{ClockMessage, FrameReader, Message, Mode};
use game_core::event::Event;

/// The counters of one board.
#[derive(Debug, Default)]
pub struct BoardCounters {
    bytes: AtomicU64,
    damaged_bytes: AtomicU64,
    resyncs: AtomicU64,
    dump_requests: AtomicU64,
    attachments: AtomicU64,
    losses: AtomicU64,
    moves: AtomicU64,
    retracts: AtomicU64,
    connected: AtomicBool,
    times: Mutex<Times>,
}

#[derive(Debug, Default)]
struct Times {
    batteries: Batteries,
    last_contact: Option<Instant>,
    unexplained: Duration,
    unexplained_since: Option<Instant>,
}

/// The counters at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardCounts {
    /// Bytes that came from the board.
    pub bytes: u64,
    /// Bytes that belong to no message.
    pub damaged_bytes: u64,
    /// How often the reader lost its place between messages and found it again.
    pub resyncs: u64,
    /// How often the board was asked for its whole position.
    pub dump_requests: u64,
    /// How often it came within reach.
    pub attachments: u64,
    /// How often it was lost.
    pub losses: u64,
    /// Moves that were confirmed on it.
    pub moves: u64,
    /// Moves that were taken back after they were confirmed.
    pub retracts: u64,
    /// For how long its position was not explained by legal moves, in real time.
    pub unexplained: Duration,
    /// Since when nothing came from it; none before the first byte.
    pub silent: Option<Duration>,
    /// Whether its clock shows a low battery; none without a clock, and on a bus.
    pub clock_battery_low: Option<bool>,
    /// What its own battery has left in percent, once it has said so.
    pub battery_percent: Option<u8>,
}

/// What messages say about batteries. Nothing else in the daemon needs it.
#[derive(Debug)]
struct Batteries {
    reader: FrameReader,
    clock_low: Option<bool>,
    percent: Option<u8>,
}

impl Default for Batteries {
    fn default() -> Self {
        Self { reader: FrameReader::new(Mode::Single), clock_low: None, percent: None }
    }
}

impl Batteries {
    fn read(&mut self, mut bytes: &[u8]) {
        while let Some(message) = self.reader.next_frame(&mut bytes).map(|frame| frame.message()) {
            match message {
                Ok(Message::Clock(ClockMessage::Times(times))) => {
                    self.clock_low = (!times.no_clock).then_some(times.battery_low);
                }
                Ok(Message::Battery(battery)) => self.percent = Some(battery.percent),
                _ => {}
            }
        }
    }
}

impl BoardCounters {
    /// The counters now.
    pub fn read(&self) -> BoardCounts {
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let running = times.unexplained_since.map_or(Duration::ZERO, |since| since.elapsed());
        BoardCounts {
            bytes: self.bytes.load(Relaxed),
            damaged_bytes: self.damaged_bytes.load(Relaxed),
            resyncs: self.resyncs.load(Relaxed),
            dump_requests: self.dump_requests.load(Relaxed),
            attachments: self.attachments.load(Relaxed),
            losses: self.losses.load(Relaxed),
            moves: self.moves.load(Relaxed),
            retracts: self.retracts.load(Relaxed),
            unexplained: times.unexplained + running,
            silent: times.last_contact.map(|last| last.elapsed()),
            clock_battery_low: times.batteries.clock_low,
            battery_percent: times.batteries.percent,
        }
    }

    /// Bytes came, of which so many belong to no message; `alone` when the board has a line of its own.
    pub(super) fn received(&self, bytes: &[u8], damaged: u64, alone: bool) {
        self.bytes.fetch_add(bytes.len() as u64, Relaxed);
        if damaged > 0 {
            self.damaged_bytes.fetch_add(damaged, Relaxed);
            self.resyncs.fetch_add(1, Relaxed);
        }
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.last_contact = Some(Instant::now());
        if alone {
            times.batteries.read(bytes);
        }
    }

    /// The board was asked for its position.
    pub(super) fn dump_requested(&self) {
        self.dump_requests.fetch_add(1, Relaxed);
    }

    /// Whether the board is within reach now.
    pub(super) fn reached(&self, connected: bool) {
        match (self.connected.swap(connected, Relaxed), connected) {
            (false, true) => self.attachments.fetch_add(1, Relaxed),
            (true, false) => self.losses.fetch_add(1, Relaxed),
            _ => 0,
        };
    }

    /// The session gave this event out.
    pub(super) fn happened(&self, event: &Event) {
        match event {
            Event::Move { .. } => {
                self.moves.fetch_add(1, Relaxed);
            }
            Event::Retract { .. } => {
                self.retracts.fetch_add(1, Relaxed);
            }
            Event::Unexplained { .. } => {
                let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
                times.unexplained_since.get_or_insert_with(Instant::now);
            }
            Event::Resolved | Event::GameStarted { .. } | Event::GameEnded => {
                let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(since) = times.unexplained_since.take() {
                    times.unexplained += since.elapsed();
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_that_is_lost_and_damaged_is_counted() {
        let counters = BoardCounters::default();
        assert_eq!(counters.read(), BoardCounts::default());
        counters.reached(true);
        counters.reached(true);
        counters.received(&[0; 70], 3, true);
        counters.received(&[0; 5], 0, true);
        counters.dump_requested();
        counters.happened(&Event::Unexplained { squares: vec!["e4".into()] });
        std::thread::sleep(Duration::from_millis(2));
        assert!(counters.read().unexplained >= Duration::from_millis(2), "it counts while it lasts");
        counters.happened(&Event::Resolved);
        counters.reached(false);
        let counts = counters.read();
        assert_eq!((counts.bytes, counts.damaged_bytes, counts.resyncs, counts.dump_requests), (75, 3, 1, 1));
        assert_eq!((counts.attachments, counts.losses), (1, 1));
        assert_eq!(counters.read().unexplained, counts.unexplained, "it is over");
    }
}
