//! Two hands at one board: each player lifts, carries, puts down and presses by a schedule of his own.
//!
//! Knows when a player can begin a move: when his own hand is free and the other's move can be seen, which is before the
//! other has pressed, sometimes before the other piece stands. Touches of one square keep the order of play; all other touches
//! of two plies mix. Must not know the scan, fields or the wire.

use fastrand::Rng;
use shakmaty::{ByColor, Color, Position, Square};

use crate::{
    hands::{Step, Touch},
    pace::Pace,
    script::Action,
    script_builder::ScriptBuilder,
};

/// Time left to each player when a time scramble begins, in milliseconds.
const SCRAMBLE_MS: u64 = 19_500;
/// Least time for a ply in a time scramble, in milliseconds.
const SCRAMBLED_PLY_MS: u64 = 550;

/// The hands of both players during a game. Times are milliseconds since the start of the script.
pub(crate) struct TwoHands {
    pace: Pace,
    plies: usize,
    /// The first ply of the time scramble, from 0.
    scramble_from: usize,
    free_ms: ByColor<u64>,
    touched_ms: [u64; 64],
    /// The first and the last touch of the ply before, if nothing came after it but the press.
    before: Option<(u64, u64)>,
    pressed_ms: u64,
    /// When the last ply was counted as complete.
    completed_ms: u64,
    /// The end of the script after the last ply.
    written_ms: u64,
}

impl TwoHands {
    /// Hands at rest before a game of so many plies.
    pub(crate) fn new(pace: Pace, plies: usize, rng: &mut Rng) -> Self {
        let hurried = if pace == Pace::Scramble { rng.usize(20..=60) } else { 0 };
        Self {
            pace,
            plies,
            scramble_from: plies.saturating_sub(hurried),
            free_ms: ByColor::default(),
            touched_ms: [0; 64],
            before: None,
            pressed_ms: 0,
            completed_ms: 0,
            written_ms: 0,
        }
    }

    fn is_scramble(&self, index: usize) -> bool {
        self.pace == Pace::Scramble && index >= self.scramble_from
    }

    /// How long a player takes for a ply, from the press before it to his own, when the scramble decides that; `left_ms` is
    /// the time on his clock.
    pub(crate) fn think_ms(&self, index: usize, left_ms: u64, rng: &mut Rng) -> Option<u64> {
        if self.pace != Pace::Scramble || self.plies == 0 {
            return None;
        }
        let plies_left = |to: usize| (to.saturating_sub(index) / 2 + 1) as u64;
        let percent = rng.u64(40..=140);
        if self.is_scramble(index) {
            return Some(left_ms / (plies_left(self.plies) + 2) * percent / 100);
        }
        let hurried = (self.plies - self.scramble_from) as u64 / 2 + 1;
        let then_ms = rng.u64(12_000..=SCRAMBLE_MS).max(hurried * SCRAMBLED_PLY_MS).min(SCRAMBLE_MS);
        let spare_ms = left_ms.saturating_sub(then_ms);
        let is_last = index + 2 >= self.scramble_from;
        Some(if is_last { spare_ms } else { spare_ms / (plies_left(self.scramble_from) + 1) * percent / 100 })
    }

    /// Writes a ply: its touches, and its press if there is one. `thinks_ms` is the time from the press before to this one;
    /// `may_hurry`: the move may follow at once. Returns `false`, with nothing written, if the player's flag falls before it.
    pub(crate) fn make_ply(
        &mut self,
        builder: &mut ScriptBuilder<'_>,
        index: usize,
        steps: &[Step],
        thinks_ms: u64,
        may_hurry: bool,
        pressed: bool,
    ) -> bool {
        let mover = builder.position.turn();
        self.wait_for_others(builder.script.end_ms());
        let in_scramble = self.is_scramble(index);
        let at_once = may_hurry && builder.rng.u32(0..100) < self.pace.at_once_percent(in_scramble);
        let at_once = self.before.filter(|_| at_once);
        let hurries = at_once.is_some() || in_scramble && may_hurry;
        let pauses: Vec<u64> = steps
            .iter()
            .map(|step| if hurries { hurried(step.pause_ms, builder.rng) } else { step.pause_ms })
            .collect();
        let settle_ms = if hurries { builder.rng.u64(50..=280) } else { builder.rng.u64(120..=1_200) };
        let begins_ms = match at_once {
            // In a scramble a hand may reach the board before the other piece stands.
            Some((first_ms, last_ms)) if in_scramble => {
                (last_ms + builder.rng.u64(0..=400)).saturating_sub(150).max(first_ms + 60)
            }
            Some((first_ms, last_ms)) => (last_ms + builder.rng.u64(20..=250)).max(first_ms + 60),
            None => {
                let carries_ms: u64 = pauses.iter().skip(1).sum();
                let reacts_ms = if hurries { builder.rng.u64(60..=300) } else { builder.rng.u64(250..=900) };
                let seen_ms = self.before.map_or(self.pressed_ms, |(_, last_ms)| last_ms);
                (self.pressed_ms + thinks_ms).saturating_sub(carries_ms + settle_ms).max(seen_ms + reacts_ms)
            }
        };
        let mut at_ms = begins_ms.max(*self.free_ms.get(mover) + builder.rng.u64(0..=40));
        let mut touched_ms = self.touched_ms;
        let mut touches: Vec<(u64, Touch)> = Vec::with_capacity(steps.len());
        for (number, (step, pause_ms)) in steps.iter().zip(pauses).enumerate() {
            at_ms += if number > 0 { pause_ms } else { 0 };
            // The other hand is in the way until it has left the square.
            let last_ms = &mut touched_ms[usize::from(square_of(step.touch))];
            at_ms = at_ms.max(*last_ms + builder.rng.u64(20..=80));
            *last_ms = at_ms;
            touches.push((at_ms, step.touch));
        }
        let press_ms = (at_ms + settle_ms).max(self.pressed_ms + builder.rng.u64(50..=150)).max(self.completed_ms + 1);
        let done_ms = if pressed { press_ms } else { at_ms.max(self.completed_ms + 1) };
        let mut clock = builder.clock.clone();
        clock.advance(done_ms);
        if builder.clock.is_running() && !clock.is_running() {
            return false;
        }
        let first_ms = touches.first().map_or(at_ms, |(first_ms, _)| *first_ms);
        for (touch_ms, touch) in touches {
            builder.script.insert(touch_ms, Action::Touch(touch));
        }
        builder.script.insert(done_ms, Action::Ply { pressed });
        self.touched_ms = touched_ms;
        self.before = Some((first_ms, at_ms));
        *self.free_ms.get_mut(mover) = done_ms + builder.rng.u64(30..=120);
        self.completed_ms = done_ms;
        if pressed {
            self.pressed_ms = done_ms;
        }
        self.written_ms = builder.script.end_ms();
        true
    }

    /// What happened at the table since the last ply has ended before a hand moves on.
    fn wait_for_others(&mut self, end_ms: u64) {
        if end_ms > self.written_ms {
            self.before = None;
            self.free_ms = ByColor::new_with(|_: Color| end_ms);
            self.pressed_ms = self.pressed_ms.max(end_ms);
            self.completed_ms = self.completed_ms.max(end_ms);
        }
    }
}

/// The pause of a hand in a hurry: a piece that has to be fetched takes longer than one at hand.
fn hurried(pause_ms: u64, rng: &mut Rng) -> u64 {
    if pause_ms > 800 { rng.u64(300..=800) } else { rng.u64(40..=180).min(pause_ms.max(40)) }
}

fn square_of(touch: Touch) -> Square {
    let (Touch::Lift(square) | Touch::Place(square, _)) = touch;
    square
}
