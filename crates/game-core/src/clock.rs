//! From the readings of a chess clock to what they mean in the game.
//!
//! Knows left and right, the lever, which side sits where, and which readings cannot be true. Knows nothing of moves:
//! the session says which move a press belongs to. A value that was not read does not exist here.

use dgt_protocol::{ClockMessage, ClockTimes};

use crate::event::Side;
use crate::time::Timestamp;

/// A reading that rises by more than this without a press is noise unless it is repeated (protocol paper, 4.4), in ms.
const RISE_MAX_MS: u64 = 3_660_000;
/// A reading may fall this much faster than time passes before it counts as a jump: a displayed second, and the
/// link's delay of up to a second (protocol paper, 7.4).
const FALL_SLACK_MS: u64 = 5_000;
/// Presses that contradict the seating before it is taken to be the other way round (behaviour paper, 9.2).
const CONTRADICTIONS: u8 = 3;

/// What both sides of the clock show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Left side, in ms.
    pub left_ms: u64,
    /// Right side, in ms.
    pub right_ms: u64,
}

/// What a clock message says beyond the passing of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockNews {
    /// Nothing but a tick, or nothing at all.
    Tick,
    /// The lever went over; the time of the side that was pressed stands still now.
    Press {
        /// The side that pressed: the left one, or the right one.
        left: bool,
        /// What the clock showed just before.
        before: Reading,
    },
    /// Started, stopped, set to other values, or plugged in.
    Change,
    /// The clock is gone.
    Lost,
}

/// The clock of one board.
#[derive(Clone, Debug, Default)]
pub struct ClockTracker {
    last: Option<(Timestamp, ClockTimes)>,
    doubtful: Option<ClockTimes>,
    white_is_left: Option<bool>,
    contradictions: u8,
    proven: bool,
}

fn reading(times: &ClockTimes) -> Reading {
    Reading {
        left_ms: u64::from(times.left.total_seconds()) * 1000,
        right_ms: u64::from(times.right.total_seconds()) * 1000,
    }
}

impl ClockTracker {
    /// The last valid reading and its instant.
    pub fn last(&self) -> Option<(Timestamp, Reading)> {
        self.last.as_ref().map(|(at, times)| (*at, reading(times)))
    }

    /// Whether a clock is connected and its lever can be trusted to tell presses.
    pub fn is_at_work(&self) -> bool {
        self.last.as_ref().is_some_and(|(_, times)| times.running)
    }

    /// Whether a clock that was pressed in this game stands still now, by Start/Stop or a fallen flag.
    pub fn is_stopped(&self) -> bool {
        self.proven && self.last.as_ref().is_some_and(|(_, times)| !times.running)
    }

    /// Whether a clock is connected.
    pub fn is_connected(&self) -> bool {
        self.last.is_some()
    }

    /// The side whose time runs.
    pub fn running(&self) -> Option<Side> {
        let (_, times) = self.last.as_ref()?;
        times.running.then(|| self.side(!times.right_side_up))
    }

    /// The side that pressed last: the one whose time stands while the lever stays.
    pub fn pressed(&self) -> Option<Side> {
        self.last.as_ref().map(|(_, times)| self.side(times.right_side_up))
    }

    /// Which player sits at the clock's left or right side.
    pub fn side(&self, left: bool) -> Side {
        if self.white_is_left.unwrap_or(true) == left { Side::White } else { Side::Black }
    }

    /// One player's part of a reading.
    pub fn time_of(&self, side: Side, reading: Reading) -> u64 {
        if self.side(true) == side { reading.left_ms } else { reading.right_ms }
    }

    /// Whether White sits at the clock's left side, as far as anything told.
    pub fn white_is_left(&self) -> Option<bool> {
        self.white_is_left
    }

    /// Seats the players for a new game: White is the side whose lever is up before the start; without a clock at hand
    /// it follows from the board (protocol paper, 4.4). The first presses prove or mend it.
    pub fn seat(&mut self, rotated: bool) {
        let from_lever = self.last.as_ref().filter(|(_, times)| !times.running).map(|(_, times)| !times.right_side_up);
        self.white_is_left = Some(from_lever.unwrap_or(!rotated));
        self.contradictions = 0;
        self.proven = false;
    }

    /// Takes the seating from an earlier part of the game.
    pub fn resume_seating(&mut self, white_is_left: Option<bool>) {
        self.white_is_left = white_is_left;
        self.proven = white_is_left.is_some();
    }

    /// Learns that the side that just pressed is the one that just moved. True when the seating turns out to have been
    /// the other way round, for the whole game.
    pub fn learn(&mut self, pressed_left: bool, mover: Side) -> bool {
        if self.side(pressed_left) == mover {
            self.contradictions = 0;
            self.proven = true;
            return false;
        }
        self.contradictions += 1;
        if self.proven && self.contradictions < CONTRADICTIONS {
            return false;
        }
        self.white_is_left = Some(!self.white_is_left.unwrap_or(true));
        self.contradictions = 0;
        self.proven = true;
        true
    }

    /// Forgets what was connected: no press can be inferred from the next message.
    pub fn lost_sight(&mut self) {
        self.last = None;
        self.doubtful = None;
    }

    /// Takes a clock message.
    pub fn handle(&mut self, now: Timestamp, message: &ClockMessage) -> ClockNews {
        let ClockMessage::Times(times) = message else { return ClockNews::Tick };
        if times.no_clock {
            self.doubtful = None;
            return if self.last.take().is_some() { ClockNews::Lost } else { ClockNews::Tick };
        }
        if is_blank(times) {
            return ClockNews::Tick;
        }
        let Some((before_at, before)) = self.last else {
            self.last = Some((now, *times));
            return ClockNews::Change;
        };
        if rises_too_far(&before, times) && self.doubtful != Some(*times) {
            self.doubtful = Some(*times);
            return ClockNews::Tick;
        }
        self.doubtful = None;
        self.last = Some((now, *times));
        if before.right_side_up != times.right_side_up {
            // The right side is up when the left one was pressed.
            return ClockNews::Press { left: times.right_side_up, before: reading(&before) };
        }
        let jumped = jumps(reading(&before).left_ms, reading(times).left_ms, now.since(before_at))
            || jumps(reading(&before).right_ms, reading(times).right_ms, now.since(before_at));
        if before.running != times.running || jumped { ClockNews::Change } else { ClockNews::Tick }
    }
}

/// All zeros, as boards send around commands to the clock (behaviour paper, 9.4): the lever of a real reading is up on one
/// side.
fn is_blank(times: &ClockTimes) -> bool {
    let shown = reading(times);
    shown.left_ms == 0 && shown.right_ms == 0 && !times.running && !times.left_to_move && !times.right_to_move
}

fn rises_too_far(before: &ClockTimes, after: &ClockTimes) -> bool {
    let (before, after) = (reading(before), reading(after));
    after.left_ms > before.left_ms + RISE_MAX_MS || after.right_ms > before.right_ms + RISE_MAX_MS
}

fn jumps(before_ms: u64, after_ms: u64, elapsed_ms: u64) -> bool {
    after_ms > before_ms || before_ms - after_ms > elapsed_ms + FALL_SLACK_MS
}
