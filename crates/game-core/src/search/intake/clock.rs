//! What the clock says: presses, whether it runs, and whether it was set for the next game.
//!
//! Knows clock messages. Must not know hypotheses.

use dgt_protocol::ClockTimes;
use shakmaty::Color;

use super::super::Search;
use super::super::game::Game;
use super::super::history::Event;
use super::super::line::ROOT;
use super::super::weights as w;
use super::{Intake, pressed_on};

impl Intake {
    pub(super) fn clock(&mut self, search: &mut Search, now: u64, times: ClockTimes) {
        if times.no_clock {
            let stands = search.game.as_deref().is_some_and(|game| game.stopped_at.is_some());
            if self.may_be_gone.is_some() || !(stands || self.running) {
                self.clock_is_gone(search, now);
            }
            self.may_be_gone = Some(now);
            return;
        }
        self.may_be_gone = None;
        self.read_in_gap = self.gap;
        let before = self.right_up.replace(times.right_side_up);
        self.first_reading = before.is_none();
        let flipped = before.is_some_and(|up| up != times.right_side_up);
        let runs = self.play_goes_on(search, &times, flipped);
        let ran = std::mem::replace(&mut self.running, runs);
        let shown = [times.left, times.right];
        let seconds = shown.map(|side| side.total_seconds());
        let lever = (times.right_side_up, seconds);
        if runs || ran {
            self.left_with = (!runs).then_some(lever);
        }
        // A clock may be started by a press of the side that waits: that press ends no ply.
        let starts = runs && !ran && search.game.as_deref().is_some_and(Game::is_before_first_ply);
        // Once something has moved, the lever was flipped by the press of the first ply.
        let set = |game: &Game| starts || before.is_none() || !game.has_moved();
        // That of a clock that was not touched since the last game says nothing about this one.
        if !ran
            && self.left_with != Some(lever)
            && let Some(game) = search.game.as_deref_mut().filter(|game| set(game))
        {
            // The side that is up has the move.
            game.seat(!times.right_side_up);
        }
        let earlier = std::mem::replace(&mut self.read, runs.then_some(seconds));
        let showed = self.showed.replace(lever).map(|(_, seconds)| seconds);
        let exchanged = showed.is_some_and(|[left, right]| [right, left] == seconds && left != right);
        let unseen = runs && before.is_none() && showed.is_some_and(|showed| self.ran_exchanged(now, showed, seconds));
        let turned = unseen || exchanged && !runs && !ran && (flipped || before.is_none());
        if runs && before.is_none() && !turned {
            let played = showed.is_some_and(|showed| !self.one_side_ran(now, showed, seconds));
            self.lead_back(search, now, played);
        }
        self.showed_at = Some(now);
        if turned {
            self.observe(search, now, Event::Turned);
        } else if !runs && showed.is_some_and(|showed| self.is_set(ran, showed, seconds)) {
            self.was_set = true;
            if search.game.as_deref().is_some_and(|game| game.told == ROOT) {
                self.observe(search, now, Event::Set);
            } else {
                if let Some(game) = search.game.as_deref_mut() {
                    game.clock_set_at = Some(now);
                }
                self.look_for_start(search, now, false, false);
            }
        }
        // A press adds time: where both sides have more, both were pressed between two readings.
        let both = runs && earlier.is_some_and(|earlier| (0..2).all(|side| seconds[side] > earlier[side]));
        let started = self.started.take();
        if ran && !runs {
            self.stood = pressed_on::Stood::at(search, seconds).map(Box::new);
        }
        if runs && !ran && self.is_played_on() {
            self.observe(search, now, Event::RanOn);
        } else if runs && !ran {
            self.started = before.is_some().then_some(shown);
            self.observe(search, now, Event::Runs(true));
        } else if !runs && started == Some(shown) && before == Some(times.right_side_up) {
            self.observe(search, now, Event::NeverRan);
            return;
        }
        if both && !self.gap && before.is_some() {
            // The right side is up when the left one was pressed: the other one before it, if that was not seen already.
            let first = if before == Some(times.right_side_up) { !times.right_side_up } else { times.right_side_up };
            self.observe(search, now, Event::Press { left: first });
            self.observe(search, now, Event::Press { left: !first });
        }
        match before {
            // The right side is up when the left one was pressed.
            Some(before) if before != times.right_side_up && (ran || runs) && !starts => {
                let left = times.right_side_up;
                if self.gap {
                    self.waiting = if self.waiting.is_some() { None } else { Some(left) };
                } else {
                    self.observe(search, now, Event::Press { left });
                }
            }
            None if runs => self.observe(search, now, Event::Lever { left_runs: !times.right_side_up }),
            _ => {}
        }
        self.has_run |= runs;
        self.was_set &= !runs;
        if ran && !runs {
            self.observe(search, now, Event::Runs(false));
        }
    }

    /// Whether a clock that stands was set since it showed other times. Of one that `ran` a moment ago both sides have changed: only
    /// one of them runs down.
    fn is_set(&self, ran: bool, showed: [u32; 2], shows: [u32; 2]) -> bool {
        let changed = |side: usize| u64::from(showed[side].abs_diff(shows[side])) * 1_000 > w::LATEST_MS;
        if ran { !self.gap && changed(0) && changed(1) } else { showed != shows }
    }

    /// Whether one side alone has run for the time that has passed.
    fn one_side_ran(&self, now: u64, showed: [u32; 2], shows: [u32; 2]) -> bool {
        let Some(at) = self.showed_at else { return true };
        let ran = |side: usize| u64::from(showed[side].saturating_sub(shows[side])) * 1_000 + w::HANDS_DONE_MS;
        (0..2).any(|side| showed[1 - side] == shows[1 - side] && ran(side) >= now.saturating_sub(at))
    }

    /// Whether the times have run to what the clock shows now only if its sides were exchanged meanwhile: none falls by more than the
    /// time that has passed.
    fn ran_exchanged(&self, now: u64, showed: [u32; 2], shows: [u32; 2]) -> bool {
        let Some(at) = self.showed_at else { return false };
        let most_ms = now.saturating_sub(at) + w::HANDS_DONE_MS;
        let can_run = |from: [u32; 2]| {
            from.into_iter().zip(shows).all(|(from, to)| u64::from(from.saturating_sub(to)) * 1_000 <= most_ms)
        };
        let [left, right] = showed;
        !can_run(showed) && can_run([right, left])
    }

    /// The clock's last reading shows that something went unseen: no more than is known where it is the first one after a gap.
    pub(in crate::search) fn clock_missed(&mut self) {
        if !self.gap && !self.first_reading {
            self.lose();
        }
    }

    pub(super) fn clock_is_gone(&mut self, search: &mut Search, now: u64) {
        (self.right_up, self.running, self.waiting, self.read) = (None, false, None, None);
        self.observe(search, now, Event::NoClock);
    }

    /// Whether the clock runs, or play goes on while it stands: a fallen flag has blocked it, it was not started for the first moves, or
    /// it was stopped and is pressed after plies.
    fn play_goes_on(&mut self, search: &Search, times: &ClockTimes, flipped: bool) -> bool {
        let flag = times.left.flag_blocked || times.right.flag_blocked;
        let begun = |game: &Game| {
            if game.told == ROOT { game.has_moved() } else { self.standing_flips >= w::TWICE }
        };
        let game = search.game.as_deref();
        let stands = !times.running && (flag || game.is_some_and(begun));
        let flips = self.standing_flips.saturating_add(u32::from(flipped));
        self.standing_flips = if stands { flips } else { 0 };
        let seconds = [times.left, times.right].map(|side| side.total_seconds());
        self.stood = self.stood.take().filter(|_| !times.running);
        self.stood.take_if(|stood| !stood.stands(seconds));
        if let Some((stood, game)) = self.stood.as_deref_mut().zip(game).filter(|_| flipped) {
            stood.press(game.history.shown(), times.right_side_up);
        }
        times.running || self.is_pressed_on()
    }

    /// Whether the players press a clock that stands.
    pub(super) fn is_pressed_on(&self) -> bool {
        self.standing_flips >= w::TWICE || self.is_played_on()
    }

    /// Whether they do so after it was stopped in the middle of the game.
    fn is_played_on(&self) -> bool {
        self.stood.as_deref().is_some_and(pressed_on::Stood::is_played_on)
    }

    /// Whether the clock stands and shows what was left at the end of the last game.
    pub(super) fn is_spent(&self) -> bool {
        self.clock_stands() && self.has_run && !self.was_set
    }

    /// Whether the lever and the times are those with which a clock that has run was stopped.
    pub(super) fn lever_was_left(&self) -> bool {
        self.left_with.is_some() && self.right_up.is_some() && self.left_with == self.showed
    }

    /// Whether there is a clock, and it does not run.
    pub(in crate::search) fn clock_stands(&self) -> bool {
        self.right_up.is_some() && !self.running
    }

    /// Whether White sits at the clock's left side, as far as the clock or the board's orientation tells; `turn` has the move.
    pub(in crate::search) fn white_left(&self, rotated: bool, turn: Color) -> bool {
        match (self.turned_clock, self.right_up) {
            (Some(turned), _) => turned == rotated,
            // The side that is up when the clock is started has the move.
            (None, Some(right_up)) if !self.running && !self.lever_was_left() => right_up != turn.is_white(),
            _ => !rotated,
        }
    }

    /// The game takes over what is known about the clock.
    pub(super) fn tell_clock(&self, search: &mut Search, now: u64) {
        let Some(game) = search.game.as_deref_mut() else { return };
        if self.running || self.is_spent() {
            game.observe(now, Event::Runs(true));
        }
        if self.is_spent() {
            game.observe(now, Event::Runs(false));
        }
    }
}
