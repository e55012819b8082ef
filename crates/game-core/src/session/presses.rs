//! What the clock and its presses say about the moves.
//!
//! Part of the session; knows what it knows. A press says whose move is complete, who sits where, and what the mover's clock
//! showed.

use std::collections::BTreeMap;

use dgt_protocol::{ClockMessage, EventLog, LogEvent, Side as ClockSide};

use super::{BoardSession, ply_number};
use crate::clock::ClockNews;
use crate::event::{Event, Evidence, Side};
use crate::line::Line;
use crate::press::{Press, can_be_right, most_given_ms};
use crate::time::Timestamp;

/// A press that came after its move was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LatePress {
    press: Press,
    /// The ply that it ends.
    ply: usize,
    /// How many plies were known when it came.
    head: usize,
}

impl BoardSession {
    pub(super) fn handle_clock(&mut self, now: Timestamp, message: &ClockMessage) {
        let stood = !self.clock.is_at_work();
        let mut news = self.clock.handle(now, message, self.link.clock_arrived(now));
        let stopped = self.clock.is_stopped();
        self.recogniser.set_clock(now, self.clock.running().filter(|_| !stopped), stopped);
        if let Some((_, reading)) = self.clock.last() {
            let before_play = self.recogniser.line().is_none_or(|line| line.plies() == 0);
            if before_play && stood && matches!(news, ClockNews::Press(_)) {
                // Nobody ends a move before the game: the lever was set, or read wrongly before.
                news = ClockNews::Change;
            }
            if before_play && matches!(news, ClockNews::Change | ClockNews::Found) {
                // The clock is set or started: White is the side whose lever is up.
                self.clock.seat(self.recogniser.rotated());
            }
            if before_play && (!self.clock.is_at_work() || !self.times.has_start()) {
                self.times.set_start(reading);
            }
        }
        match news {
            ClockNews::Press(press) => {
                self.times.settle_side(press.left);
                self.check_press(now, !press.left);
                self.handle_press(now, press);
                self.tell_clock(now);
            }
            ClockNews::NotPressed { left, at } => {
                self.strike_press(now, left, at);
                self.tell_clock(now);
            }
            ClockNews::Tick => self.check_presses(now),
            ClockNews::Change => {
                self.check_presses(now);
                self.tell_clock(now);
            }
            ClockNews::Found => {
                self.times.settle_presses();
                self.tell_clock(now);
            }
            ClockNews::Missed => {
                // Whatever was played meanwhile went unseen too.
                self.recogniser.lost_sight();
                self.link.wish_dump(now);
                self.check_presses(now);
                self.times.settle_presses();
                self.catching_up = true;
                self.tell_clock(now);
            }
            ClockNews::Lost => {
                self.catching_up = true;
                self.tell_clock(now);
            }
        }
    }

    /// The board's log tells moves and presses that nobody was there to see. It tells only the presser's time; the other
    /// side's clock shows what it showed after its own last press.
    pub(super) fn handle_log(&mut self, now: Timestamp, log: &EventLog) {
        let first = self.recogniser.confirmed() + 1;
        let pressed = self.recogniser.handle_log(now, log, self.left_side(log));
        self.take_logged(now, first, &pressed);
    }

    /// Who sits at the clock's left side: as long as no press has proven it, the first press of the log's last game is White's.
    fn left_side(&self, log: &EventLog) -> Side {
        let mut first = None;
        for event in log.events() {
            match event {
                LogEvent::PowerUp | LogEvent::StartPosition | LogEvent::StartPositionRotated => first = None,
                LogEvent::Clock { side, .. } => first = first.or(Some(side)),
                _ => {}
            }
        }
        match first.filter(|_| !self.clock.is_proven()) {
            Some(ClockSide::Left) => Side::White,
            Some(ClockSide::Right) => Side::Black,
            None => self.clock.side(true),
        }
    }

    /// The log may tell a game that began before anybody looked.
    pub(super) fn begin_logged_game(&mut self, now: Timestamp) {
        self.conclude(now);
        if let Some(pressed) = self.recogniser.begin_logged_game(now) {
            self.conclude(now);
            self.take_logged(now, 1, &pressed);
            // The log has told those, too.
            self.times.forget_presses();
            self.recogniser.confirm_logged_game(now);
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
            self.times.assign_logged(ply, Press { at: now, left, turn: None, logged: true, after: reading });
        }
    }

    /// A press says whose move is complete, who sits where, and what the mover's clock showed.
    pub(super) fn handle_press(&mut self, now: Timestamp, press: Press) {
        let Some(line) = self.recogniser.line() else {
            // A game may have begun that nobody saw begin.
            self.times.add_press(press);
            self.recogniser.handle_press(now, self.clock.side(press.left));
            return;
        };
        let head = line.plies();
        let fresh = head > 0 && (head == 1 || self.times.has_press(head - 1)) && !self.times.has_press(head);
        if fresh && self.recogniser.shows_head() {
            let mover = line.mover(head);
            if self.clock.learn(press.left, mover) {
                self.amend_all(now);
            }
        }
        self.told_clock.played();
        self.times.add_press(press);
        self.recogniser.handle_press(now, self.clock.side(press.left));
        self.conclude(now);
        self.use_late_press(now);
    }

    /// Gives a press to the published move it belongs to when it did not confirm one: the mover pressed late, or again
    /// after the opponent had pressed back.
    pub(super) fn use_late_press(&mut self, now: Timestamp) {
        let (Some(press), Some(line)) = (self.times.last_press(), self.recogniser.line()) else { return };
        let side = self.clock.side(press.left);
        let head = line.plies();
        let ply = if head > 0 && line.mover(head) != side { head - 1 } else { head };
        let answered = ply < head;
        // While the board shows something else, the press may end a move that is not recognised yet. For a move that was
        // answered it counts only if the turn was watched from its beginning.
        let watched = press.turn.is_some_and(|turn| turn.run.is_some());
        let late = !answered || watched && !self.times.has_press(ply);
        if ply == 0 || !late || !self.recogniser.shows_head() {
            return;
        }
        let late = LatePress { press, ply, head };
        if self.recogniser.has_gap() {
            // It may end a move that went unseen, until the board shows that there was none.
            self.waiting_press = Some(late).filter(|_| watched);
        } else {
            self.give_late_press(now, late);
        }
    }

    /// Changes may have gone unseen before a press that came late. Once the board shows what it showed, or one move more,
    /// there were none.
    pub(super) fn use_waiting_press(&mut self, now: Timestamp) {
        if self.recogniser.has_gap() {
            return;
        }
        let Some(late) = self.waiting_press.take() else { return };
        let plies = self.recogniser.line().map_or(0, Line::plies);
        if self.times.last_press() == Some(late.press) && (late.head..=late.head + 1).contains(&plies) {
            self.give_late_press(now, late);
        }
    }

    fn give_late_press(&mut self, now: Timestamp, LatePress { press, ply, head }: LatePress) {
        let Some(line) = self.recogniser.line().filter(|_| ply <= self.recogniser.confirmed()) else { return };
        if ply < head && self.clock.contradict() {
            // Nobody presses for a move that was answered each time: the other side sits there.
            let is_movers = |ply, press: Press| self.clock.side(press.left) == line.mover(ply);
            self.times.give_on(is_movers);
            self.amend_all(now);
            self.use_late_press(now);
            return;
        }
        self.times.use_last_press();
        self.times.set_press(ply, press);
        self.amend(now, ply);
    }

    /// What was taken for a press at an instant was none: the side that had pressed before is the one that pressed last.
    fn strike_press(&mut self, now: Timestamp, left: bool, at: Timestamp) {
        if let Some(ply) = self.times.strike_press(left, at) {
            self.recogniser.strike_press(ply);
            self.amend(now, ply);
        }
        if let Some(side) = self.clock.pressed() {
            self.recogniser.handle_press(now, side);
        }
    }

    fn check_presses(&mut self, now: Timestamp) {
        for left in [true, false] {
            self.check_press(now, left);
        }
    }

    /// What a side shows after its press bears the press out or contradicts it.
    fn check_press(&mut self, now: Timestamp, left: bool) {
        let doubted = self.times.doubts(left);
        if let Some(ply) = self.times.check_press(now, left, &self.clock) {
            self.amend(now, ply);
            if doubted && self.clock.pressed_left() == Some(left) {
                self.tell_clock(now);
            }
        }
    }

    pub(super) fn amend(&mut self, now: Timestamp, ply: usize) {
        let Some(mover) = self.recogniser.line().map(|line| line.mover(ply)) else { return };
        if let Some((clk_ms, emt_ms)) = self.times.recompute(ply, mover, &self.clock) {
            let event = Event::Amend { ply: ply_number(ply), clk_ms, emt_ms };
            self.tell(now, event, Evidence::Clock);
        }
    }

    pub(super) fn amend_all(&mut self, now: Timestamp) {
        for ply in 1..=self.recogniser.confirmed() {
            self.amend(now, ply);
        }
    }

    pub(super) fn tell_clock(&mut self, now: Timestamp) {
        if !self.open || self.closing_at.is_some() && !self.clock.is_connected() {
            return;
        }
        let last = self.clock.last();
        let of = |side| {
            let doubted = self.times.doubts(self.clock.side(true) == side);
            last.filter(|_| !doubted).map(|(_, reading)| self.clock.time_of(side, reading))
        };
        let reading = Event::Clock {
            white_ms: of(Side::White),
            black_ms: of(Side::Black),
            running: self.clock.running(),
            flag: self.clock.flag(),
            read_at: last.map_or(now, |(at, _)| at).as_ms(),
        };
        if let Some(news) = self.told_clock.news(reading, self.recogniser.is_over()) {
            self.tell(now, news, Evidence::Clock);
        }
    }

    /// After a gap the lever still tells who pressed last: if that is the maker of the last move, the move is complete
    /// and its maker's clock stands at what it showed after the press.
    pub(super) fn catch_up(&mut self, now: Timestamp) {
        let (Some((_, after)), Some(line)) = (self.clock.last(), self.recogniser.line()) else { return };
        if !self.catching_up || self.recogniser.has_gap() {
            return;
        }
        self.catching_up = false;
        let head = line.plies();
        let mover = line.mover(head);
        if head > 0 && self.clock.is_at_work() && self.clock.pressed() == Some(mover) && !self.times.has_press(head) {
            let left = self.clock.side(true) == mover;
            self.times.add_press(Press { at: now, left, turn: None, logged: false, after });
            self.recogniser.handle_press(now, mover);
            self.conclude(now);
            self.use_late_press(now);
        }
    }
}
