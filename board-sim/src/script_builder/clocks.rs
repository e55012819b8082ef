//! What goes wrong with the clock.
//!
//! Part of the script builder; see there.

use shakmaty::{Color, Position};

use super::{ScriptBuilder, side};
use crate::{hands::Step, script::Action, trouble::Trouble};

impl ScriptBuilder<'_> {
    /// Whether the clock runs before this ply.
    pub(crate) fn clock_runs(&self, index: usize) -> bool {
        index >= self.start_at
    }

    /// The clock is started, the lever up at the side of the player to move.
    pub(super) fn begin_clock(&mut self) {
        if self.start_at > 0 {
            self.script.wait(self.rng.u64(400..2_000));
            if !self.start_at.is_multiple_of(2) {
                self.press_late();
            }
            self.script.wait(self.rng.u64(100..1_000));
        }
        self.clock.start(self.script.end_ms());
        if self.options.clock {
            self.script.add(Action::StartClock);
        }
    }

    /// What happens after the mover has pressed.
    pub(crate) fn after_press(&mut self, pressed: bool) {
        if !self.options.troubles.has(Trouble::OddPresses) || !pressed || self.rng.u32(0..8) > 0 {
            return;
        }
        let next = self.position.turn();
        if self.rng.bool() {
            self.script.wait(self.rng.u64(200..1_500));
            self.press(next);
        }
        self.script.wait(self.rng.u64(200..1_500));
        self.press_late();
    }

    /// The player who made the last ply presses.
    fn press_late(&mut self) {
        if self.options.clock {
            self.script.add(Action::PressLate);
            self.clock.press(side(!self.position.turn()), self.script.end_ms());
        }
    }

    pub(super) fn arbiter(&mut self) {
        self.script.wait(self.rng.u64(500..3_000));
        self.stop();
        self.script.wait(self.rng.u64(3_000..90_000));
        if self.options.clock && self.rng.bool() {
            let color = if self.rng.bool() { Color::White } else { Color::Black };
            let ms = self.clock.remaining_ms(side(color)) + 120_000;
            self.script.add(Action::SetTime(color, ms));
            self.clock.set_remaining(side(color), ms, self.script.end_ms());
            self.script.wait(self.rng.u64(1_000..5_000));
        }
        self.start();
    }

    /// Whether the clock is stopped while this ply (index from 0) is made.
    pub(crate) fn is_stopped_in_hand(&self, index: usize) -> bool {
        self.options.clock && index >= self.start_at && self.incidents.contains(&(index, Trouble::StoppedInHand))
    }

    /// Touches that are made after the clock was stopped; it is started again later.
    pub(crate) fn with_clock_stopped(&mut self, steps: &[Step]) {
        self.stop();
        self.script.wait(self.rng.u64(700..5_000));
        self.script.steps(steps);
        self.script.wait(self.rng.u64(3_000..60_000));
        self.start();
        self.script.wait(self.rng.u64(300..2_000));
    }

    pub(super) fn loose_clock(&mut self, index: usize) {
        self.clock_plugged = !self.clock_plugged;
        self.script.wait(self.rng.u64(100..900));
        self.script.add(Action::ClockPlugged(self.clock_plugged));
        if !self.clock_plugged {
            // It stays out for some plies.
            self.incidents.push((index + self.rng.usize(2..7), Trouble::LooseClock));
        }
    }

    fn unplug(&mut self) {
        self.clock_plugged = false;
        self.script.wait(self.rng.u64(100..900));
        self.script.add(Action::ClockPlugged(false));
    }

    pub(super) fn clock_off(&mut self) {
        self.unplug();
    }
}
