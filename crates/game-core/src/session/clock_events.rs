//! Events that follow from readings of the clock: `clock`, and `amend` for the times of published moves.

use super::state::{BoardSession, ply_number};
use crate::clock::Reseated;
use crate::event::{Event, Evidence, Side};
use crate::press::Press;
use crate::time::Timestamp;

impl BoardSession {
    pub(super) fn check_presses(&mut self, now: Timestamp) {
        for left in [true, false] {
            self.check_press(now, left);
        }
    }

    /// Checks the last press of a side against its present reading, and publishes times that change.
    pub(super) fn check_press(&mut self, now: Timestamp, left: bool) {
        let doubted = self.times.is_unverified(left);
        if let Some(ply) = self.times.check_press(now, left, &self.clock) {
            self.amend(now, ply);
            if doubted && self.clock.pressed_left() == Some(left) {
                self.emit_clock(now);
            }
        }
    }

    pub(super) fn amend(&mut self, now: Timestamp, ply: usize) {
        let Some(mover) = self.recogniser.line().map(|line| line.mover(ply)) else { return };
        if let Some((clk_ms, emt_ms)) = self.times.recompute(ply, mover, &self.clock) {
            let event = Event::Amend { ply: ply_number(ply), clk_ms, emt_ms };
            self.emit(now, event, Evidence::Clock);
        }
    }

    /// Takes the seating that moves and presses have shown, and gives the times that were told to the right players.
    pub(super) fn take_seats(&mut self, now: Timestamp) {
        let (Some(seats), Some(line)) = (self.recogniser.seats(), self.recogniser.line()) else { return };
        let Some(Reseated { turned, since }) = self.clock.take_seats(seats) else { return };
        if let Some(turned) = turned {
            self.times.turn_round(turned);
        }
        let is_movers = |ply, press: Press| self.clock.side(press.left) == line.mover(ply);
        self.times.give_again(since, |ply| self.recogniser.pressed(ply), is_movers);
        self.amend_all(now);
    }

    fn amend_all(&mut self, now: Timestamp) {
        for ply in 1..=self.recogniser.confirmed() {
            self.amend(now, ply);
        }
    }

    pub(super) fn emit_clock(&mut self, now: Timestamp) {
        // What it shows now is told once it is read.
        if self.recounts() || self.shows_other.is_some() {
            return;
        }
        if !self.open || self.closing_at.is_some() && !self.clock.is_connected() {
            return;
        }
        let last = self.clock.last();
        let doubted = |side| self.times.is_unverified(self.clock.side(true) == side);
        let decided = self.closing_at.is_some();
        // A press after the result is none of this game: a time that is known stays.
        if decided && (doubted(Side::White) || doubted(Side::Black)) {
            return;
        }
        let of = |side| last.filter(|_| !doubted(side)).map(|(_, reading)| self.clock.time_of(side, reading));
        let reading = Event::Clock {
            white_ms: of(Side::White),
            black_ms: of(Side::Black),
            // Whatever the clock does: the time of a game that is over does not run.
            running: self.clock.running().filter(|_| !decided),
            flag: self.clock.flag(),
            read_at: last.map_or(now, |(at, _)| at).as_ms(),
        };
        if let Some(news) = self.published_clock.news(reading, self.recogniser.is_over()) {
            self.emit(now, news, Evidence::Clock);
        }
    }
}
