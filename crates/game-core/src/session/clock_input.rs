//! What the clock and the board's own log say: presses, seating, and the times of moves.

use std::collections::BTreeMap;

use dgt_protocol::{ClockMessage, EventLog};

use super::state::BoardSession;
use crate::clock::ClockNews;
use crate::event::Side;
use crate::press::{Press, Source, can_be_right, most_given_ms};
use crate::time::Timestamp;

/// The log's whole seconds and what was read from the clock at the same press may differ by so much.
const SAME_READING_MS: u64 = 1_000;

impl BoardSession {
    pub(super) fn handle_clock(&mut self, now: Timestamp, message: &ClockMessage) {
        let stood = !self.clock.is_running();
        self.recogniser.hear_clock(now, message);
        // It may have shown that no move went unseen.
        self.use_waiting_press(now);
        self.link.clock_arrived(now);
        let mut news = self.clock.handle(now, message);
        if let Some((_, reading)) = self.clock.last() {
            let before_play = self.recogniser.line().is_none_or(|line| line.plies() == 0);
            if let ClockNews::LeverSet { left } = news {
                // Play has begun, and the clock was not started yet: a player pressed. Otherwise the lever is set for the start.
                let begun = self.recogniser.line().is_some() && !(before_play && self.recogniser.shows_head());
                let source = Source::StandingLever;
                news = if begun && self.times.start() == Some(reading) && !self.recogniser.is_over() {
                    ClockNews::Press(Press { at: now, left, turn: None, source, after: reading })
                } else {
                    ClockNews::Change
                };
            }
            if before_play && stood && matches!(news, ClockNews::Press(press) if press.source == Source::Lever) {
                // A press before the first move ends no move: the lever was set, or misread before.
                news = ClockNews::Change;
            }
            if before_play && matches!(news, ClockNews::Change | ClockNews::Found) {
                // The clock is set or started: White's lever is up.
                self.clock.seat(self.recogniser.white_is_likely_left());
            }
            if before_play && (!self.clock.is_running() || self.times.start().is_none()) {
                self.times.set_start(reading);
            }
        }
        match news {
            ClockNews::Press(press) => {
                // It is known with its turn.
                self.catching_up = false;
                self.confirm(now);
                self.times.drop_check(press.left);
                self.check_press(now, !press.left);
                if let Some(press) = self.recounted(press) {
                    self.handle_press(now, press);
                }
                self.emit_clock(now);
            }
            ClockNews::NotPressed { left, at } => {
                self.remove_press(now, left, at);
                self.emit_clock(now);
            }
            ClockNews::Tick => self.check_presses(now),
            ClockNews::Change | ClockNews::LeverSet { .. } => {
                self.check_presses(now);
                self.emit_clock(now);
            }
            ClockNews::Found => {
                self.times.drop_checks();
                self.emit_clock(now);
            }
            ClockNews::Missed => {
                // Moves may have gone unseen in the same gap.
                self.recogniser.missed();
                self.link.request_dump(now);
                self.check_presses(now);
                self.times.drop_checks();
                self.catching_up = true;
                self.emit_clock(now);
            }
            ClockNews::Lost => {
                self.catching_up = true;
                self.emit_clock(now);
            }
        }
    }

    /// Takes moves and presses from the board's own log. The log has only the time of the presser; the other side shows the
    /// time after its own last press.
    pub(super) fn handle_log(&mut self, now: Timestamp, log: &EventLog) {
        let first = self.recogniser.confirmed() + 1;
        let mut pressed = self.recogniser.handle_log(now, log);
        self.times.forget_logged();
        let unseen = pressed.split_off(&first);
        // Presses that were forgotten meanwhile would give each ply the time of another one.
        let differs = |(ply, ms): (usize, u64)| {
            self.times.published(ply).0.is_some_and(|known| known.abs_diff(ms) > SAME_READING_MS)
        };
        if !pressed.into_iter().any(differs) {
            self.take_logged(now, first, &unseen);
        }
    }

    /// Starts a game that the board's own log contains from its beginning.
    pub(super) fn begin_logged_game(&mut self, now: Timestamp) {
        self.conclude(now);
        if let Some(pressed) = self.recogniser.begin_logged_game() {
            self.conclude(now);
            self.take_logged(now, 1, &pressed);
            // The log contains these presses too.
            self.times.forget_presses();
            self.recogniser.confirm_logged_game();
        }
    }

    fn take_logged(&mut self, now: Timestamp, first: usize, pressed: &BTreeMap<usize, u64>) {
        let Some(line) = self.recogniser.line() else { return };
        let known = self.times.last_known(first);
        let Some(mut reading) = known.or(self.clock.last().map(|(_, reading)| reading)) else { return };
        let mut believed = BTreeMap::new();
        for side in [Side::White, Side::Black] {
            let plies: Vec<_> = pressed.range(first..).filter(|(ply, _)| line.mover(**ply) == side).collect();
            let times: Vec<u64> = plies.iter().map(|(_, ms)| **ms).collect();
            let before_ms = known.map(|reading| self.clock.time_of(side, reading));
            let control = self.time_control.as_ref().and_then(|controls| controls.of(side));
            let given_ms = most_given_ms(control.as_ref());
            let right = can_be_right(before_ms, &times, given_ms);
            believed.extend(plies.into_iter().zip(right).filter(|(_, right)| *right).map(|(told, _)| told));
        }
        for (&ply, &ms) in believed {
            let left = self.clock.side(true) == line.mover(ply);
            if left {
                reading.left_ms = ms;
            } else {
                reading.right_ms = ms;
            }
            self.times.assign_logged(ply, Press { at: now, left, turn: None, source: Source::Log, after: reading });
        }
    }

    /// A press ends a move, is evidence for the seating, and carries the time of the player who pressed.
    pub(super) fn handle_press(&mut self, now: Timestamp, press: Press) {
        if self.recogniser.line().is_none() {
            // A game in progress may not be recognised yet.
            self.times.add_press(press);
            return;
        }
        self.published_clock.played();
        self.times.add_press(press);
        self.conclude(now);
        self.use_late_press(now);
    }

    /// Removes a press that was misread: the other side is the one that pressed last.
    fn remove_press(&mut self, now: Timestamp, left: bool, at: Timestamp) {
        if let Some(ply) = self.times.remove_press(left, at) {
            self.amend(now, ply);
        }
    }

    /// After a gap the lever shows who pressed last. If that player made the last move, the move is complete and the present
    /// reading is the one after the press. While the board shows something else than the last move, others may follow it.
    pub(super) fn catch_up(&mut self, now: Timestamp) {
        let (Some((_, after)), Some(line)) = (self.clock.last(), self.recogniser.line()) else { return };
        if !self.catching_up || self.recogniser.has_gap() || !self.recogniser.has_come_to_head() {
            return;
        }
        self.catching_up = false;
        let head = line.plies();
        let mover = line.mover(head);
        if head > 0 && self.clock.is_running() && self.clock.pressed() == Some(mover) && !self.times.has_press(head) {
            let left = self.clock.side(true) == mover;
            self.times.add_press(Press { at: now, left, turn: None, source: Source::Lever, after });
            self.conclude(now);
            self.use_late_press(now);
        }
    }
}
