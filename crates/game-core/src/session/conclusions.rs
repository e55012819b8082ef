//! Turns the conclusions of recognition into events.

use notation::pgn::Outcome;

use super::state::{BoardSession, ply_number};
use crate::event::{Author, Event, Evidence};
use crate::line::{fen_of, square_names};
use crate::press::Press;
use crate::search::Conclusion;
use crate::time::Timestamp;

impl BoardSession {
    /// Turns all pending conclusions into events.
    pub(super) fn conclude(&mut self, now: Timestamp) {
        while let Some(conclusion) = self.recogniser.poll() {
            match conclusion {
                Conclusion::Started => self.start_game(now),
                Conclusion::Confirmed { ply, seen, next, evidence } => self.publish(now, ply, (seen, next), evidence),
                Conclusion::Retracted { to_ply, pressed } => {
                    let by_hand = self.author != Author::Board;
                    if pressed {
                        self.times.carry_over(to_ply + 1);
                    }
                    if pressed || by_hand {
                        self.times.truncate(to_ply);
                    } else {
                        self.times.take_back(to_ply);
                    }
                    let evidence = if by_hand { Evidence::Command } else { Evidence::Quiet };
                    self.emit(now, Event::Retract { to_ply: ply_number(to_ply) }, evidence);
                }
                Conclusion::Gap { after_ply } => self.note_gap(now, after_ply, true),
                Conclusion::Filled { after_ply } => self.note_gap(now, after_ply, false),
                Conclusion::Unexplained(squares) => {
                    let event = Event::Unexplained { squares: square_names(squares) };
                    self.emit(now, event, Evidence::Quiet);
                }
                Conclusion::PlayedOn => self.emit(now, Event::PlayedOn, Evidence::Quiet),
                Conclusion::Resolved => self.emit(now, Event::Resolved, Evidence::Quiet),
                Conclusion::Over { outcome, reason, evidence } => {
                    if self.unseen_end.is_some() {
                        // A person has entered the result before.
                        self.recogniser.finalise_end();
                        self.end_has_come(now);
                    } else {
                        self.note_claim(now, outcome, reason, evidence);
                    }
                }
                Conclusion::Undone => self.claim = None,
            }
        }
        self.use_waiting_press(now);
    }

    /// Play goes on from what stands on the board, or what came before that is known after all.
    fn note_gap(&mut self, now: Timestamp, after_ply: usize, open: bool) {
        let Some(line) = self.recogniser.line() else { return };
        self.times.go_on_with(after_ply + 1, line.mover(after_ply + 1));
        let fen = open.then(|| fen_of(&line.position(after_ply)));
        let by_hand = self.author != Author::Board;
        let evidence = if by_hand { Evidence::Command } else { Evidence::Dump };
        if !open {
            self.times.truncate(after_ply);
            self.emit(now, Event::Retract { to_ply: ply_number(after_ply) }, evidence);
        }
        self.emit(now, Event::Gap { after_ply: ply_number(after_ply), fen }, evidence);
    }

    /// Starts the game of the new line; the one before it ends, unless it has no move: which game a start position belongs to that
    /// is set up instead of another one is not known here.
    fn start_game(&mut self, now: Timestamp) {
        if self.stands_ready() {
            self.published_clock.end();
        } else {
            self.end_game(now);
        }
        let Some(line) = self.recogniser.line() else { return };
        let event = Event::GameStarted { fen: line.start_fen(), variant: line.variant() };
        self.clock.seat(self.recogniser.white_is_likely_left());
        // A game that was joined in progress has moves and presses from before it was recognised.
        let seen_before = line.plies() > 0;
        self.times = std::mem::take(&mut self.times).next_game(self.time_control.as_ref(), line.mover(1), seen_before);
        if let Some((_, reading)) = self.clock.last().filter(|_| !seen_before) {
            self.times.set_start(reading);
        }
        self.game.clear();
        (self.result, self.unseen_end) = (Outcome::Unknown, None);
        self.open = true;
        let evidence = if self.author == Author::Board { Evidence::StartPosition } else { Evidence::Command };
        self.emit(now, event, evidence);
        if self.clock.is_connected() {
            self.emit_clock(now);
        }
    }

    /// Publishes a confirmed ply with the times of its press; `next` as in [`Conclusion::Confirmed`].
    fn publish(
        &mut self,
        now: Timestamp,
        ply: usize,
        (seen, next): (Timestamp, Option<Timestamp>),
        evidence: Evidence,
    ) {
        self.take_seats(now);
        let Some(line) = self.recogniser.line() else { return };
        let (Some(name), mover) = (line.name(ply), line.mover(ply)) else { return };
        let head = line.plies();
        let press = self.times.take_assigned(ply).or_else(|| {
            // A move entered by an operator or read from the board's log was not ended by the latest press.
            let reported = matches!(evidence, Evidence::Command | Evidence::Log);
            if reported {
                return None;
            }
            let pressed = evidence == Evidence::Lever && head == ply;
            let since = if pressed { Timestamp::ZERO } else { self.times.seen(ply - 1) };
            let is_movers = |press: Press| self.clock.side(press.left) == mover;
            let known = self.recogniser.pressed(ply).and_then(|at| self.times.take_press_at(at, is_movers));
            let free = |press: Press| is_movers(press) && !self.recogniser.ended_later(ply, press.at);
            known.or_else(|| match next {
                Some(next) => self.times.take_press_between(seen, next, free),
                None => self.times.take_press(since, head - ply, free),
            })
        });
        if self.author == Author::Board {
            self.times.carry_only(ply, self.recogniser.pressed(ply));
        }
        self.times.publish(ply, seen, press);
        // Readings that came before the ply was told count: the next one may have run already.
        if let Some(press) = press.filter(|&press| self.clock.confirms(press)) {
            self.times.check_press(now, press.left, &self.clock);
        }
        self.times.recompute(ply, mover, &self.clock);
        let (clk_ms, emt_ms) = self.times.published(ply);
        self.published_clock.played();
        let event = Event::Move { ply: ply_number(ply), san: name.san, uci: name.uci, clk_ms, emt_ms };
        self.emit(now, event, evidence);
    }
}
