//! What the clock says about each move: `%clk` and `%emt`.
//!
//! Knows which press belongs to which ply and what the clock showed before and after it. Invents nothing: a value for
//! which no reading speaks is absent.

use std::collections::BTreeMap;

use notation::time_control::TimeControl;

use crate::clock::{ClockTracker, Reading};
use crate::event::Side;
use crate::time::Timestamp;

/// How far the time used by the increment and by the ticking display may differ, in ms: the second being counted
/// when the lever went over, and one lost on the line. Beyond it a new period or an arbiter has changed the clock.
const AGREE_MS: u64 = 2_000;

/// What the clock shows this much later says nothing about a press any more, in ms: some ticks.
const FRESH_MS: u64 = 5_000;

/// Presses kept for moves that are not recognised yet; more only come when something else is wrong.
const PRESSES_KEPT: usize = 16;

/// One press of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// Whether the left side was pressed.
    pub left: bool,
    /// What the clock showed just before, if anybody watched.
    pub before: Option<Reading>,
    /// What it showed with the press, increment included.
    pub after: Reading,
}

#[derive(Clone, Copy, Debug)]
struct PlyTimes {
    seen: Timestamp,
    press: Option<Press>,
    clk_ms: Option<u64>,
    emt_ms: Option<u64>,
    /// Whether the values came from an earlier capture, whose readings are gone.
    known_before: bool,
}

/// The times of a game's published moves.
#[derive(Clone, Debug, Default)]
pub struct Times {
    start: Option<Reading>,
    plies: Vec<PlyTimes>,
    /// Presses that no published move has used yet, the oldest first.
    presses: Vec<(Timestamp, Press)>,
    /// Presses found for plies that are about to be published.
    assigned: BTreeMap<usize, Press>,
    /// The published ply that the clock's last press belongs to, until a later reading has agreed with it.
    fresh: Option<Fresh>,
}

/// A press that no later reading has confirmed: while the opponent thinks, the presser's clock stands.
#[derive(Clone, Copy, Debug)]
struct Fresh {
    ply: usize,
    since: Timestamp,
    /// What the clock showed next, when that differs: one of the two readings is damaged.
    doubt_ms: Option<u64>,
}

impl Times {
    /// Whether a reading from before the first move is known.
    pub fn has_start(&self) -> bool {
        self.start.is_some()
    }

    /// What the clock showed before the first move.
    pub fn set_start(&mut self, reading: Reading) {
        self.start = Some(reading);
    }

    /// Keeps a press until a move uses it.
    pub fn add_press(&mut self, at: Timestamp, press: Press) {
        if self.presses.len() >= PRESSES_KEPT {
            self.presses.remove(0);
        }
        self.presses.push((at, press));
    }

    /// The last press that no move has used.
    pub fn last_press(&self) -> Option<(Timestamp, Press)> {
        self.presses.last().copied()
    }

    /// The last press is used; those before it belong to nothing any more.
    pub fn use_last_press(&mut self) {
        self.presses.clear();
    }

    /// Gives the unused presses to plies that were found together, if their number tells which belongs to which: one for
    /// each ply, or one for each but the last. True when the last ply has been pressed too.
    pub fn assign(&mut self, first: usize, last: usize, is_movers: impl Fn(usize, Press) -> bool) -> bool {
        self.assigned.clear();
        let presses = std::mem::take(&mut self.presses);
        let plies = (last + 1).saturating_sub(first);
        let fits = presses.len() == plies || presses.len() + 1 == plies;
        let pairs = || (first..=last).zip(presses.iter().map(|&(_, press)| press));
        if !fits || !pairs().all(|(ply, press)| is_movers(ply, press)) {
            return false;
        }
        self.assigned.extend(pairs());
        presses.len() == plies
    }

    /// The press of a ply that is about to be published, as the board's log tells it.
    pub fn assign_logged(&mut self, ply: usize, press: Press) {
        self.assigned.insert(ply, press);
    }

    /// The plies after this one are about to be published again: their presses stay theirs.
    pub fn keep_presses(&mut self, plies: usize) {
        let presses = (1..).zip(&self.plies).skip(plies).filter_map(|(ply, times)| Some((ply, times.press?)));
        self.assigned = presses.collect();
    }

    /// What the clock showed at the last known press before a ply, or before the first move.
    pub fn last_known(&self, ply: usize) -> Option<Reading> {
        let known = self.plies.iter().take(ply.saturating_sub(1)).rev().find_map(|times| times.press);
        known.map(|press| press.after).or(self.start)
    }

    /// The press found for a ply that is being published.
    pub fn take_assigned(&mut self, ply: usize) -> Option<Press> {
        self.assigned.remove(&ply)
    }

    /// Takes notice of what the presser's side shows while the opponent thinks: it must stand still. When the two readings
    /// after a press agree with each other and not with it, the press was read wrongly. Later differences are an
    /// arbiter's. Gives back the ply whose press has changed.
    pub fn check_standing(
        &mut self,
        now: Timestamp,
        mover: Side,
        clock: &ClockTracker,
        reading: Reading,
    ) -> Option<usize> {
        let Fresh { ply, since, doubt_ms } = self.fresh.filter(|fresh| now.since(fresh.since) <= FRESH_MS)?;
        let press = self.ply(ply)?.press?;
        if clock.side(press.left) != mover {
            return None;
        }
        let shown_ms = clock.time_of(mover, reading);
        let agrees = clock.time_of(mover, press.after) == shown_ms;
        if !agrees && doubt_ms != Some(shown_ms) {
            self.fresh = Some(Fresh { ply, since, doubt_ms: Some(shown_ms) });
            return None;
        }
        self.fresh = None;
        if agrees {
            return None;
        }
        self.set_press(ply, Press { after: reading, ..press });
        Some(ply)
    }

    /// What follows says nothing about the last press any more: another one came, or the clock is out of sight.
    pub fn settle_press(&mut self) {
        self.fresh = None;
    }

    /// The clock's last press belongs to this ply.
    pub fn watch_press(&mut self, now: Timestamp, ply: usize) {
        self.fresh = Some(Fresh { ply, since: now, doubt_ms: None });
    }

    /// Whether a press is known for a ply, from 1.
    pub fn has_press(&self, ply: usize) -> bool {
        self.ply(ply).is_some_and(|times| times.press.is_some() || times.known_before)
    }

    /// When a published ply was first on the board; the beginning of time for ply 0.
    pub fn seen(&self, ply: usize) -> Timestamp {
        self.ply(ply).map_or(Timestamp::ZERO, |times| times.seen)
    }

    /// Gives a press to a published ply.
    pub fn set_press(&mut self, ply: usize, press: Press) {
        if let Some(times) = ply.checked_sub(1).and_then(|i| self.plies.get_mut(i)) {
            times.press = Some(press);
            times.known_before = false;
        }
    }

    /// Adds the next ply.
    pub fn publish(&mut self, ply: usize, seen: Timestamp, press: Option<Press>) {
        self.truncate(ply.saturating_sub(1));
        self.plies.push(PlyTimes { seen, press, clk_ms: None, emt_ms: None, known_before: false });
    }

    /// Adds the next ply with values from an earlier capture.
    pub fn publish_known(&mut self, ply: usize, seen: Timestamp, clk_ms: Option<u64>, emt_ms: Option<u64>) {
        self.truncate(ply.saturating_sub(1));
        self.plies.push(PlyTimes { seen, press: None, clk_ms, emt_ms, known_before: true });
    }

    /// Forgets the plies after this one.
    pub fn truncate(&mut self, plies: usize) {
        self.plies.truncate(plies);
    }

    /// `%clk` and `%emt` of a ply as they were given out.
    pub fn published(&self, ply: usize) -> (Option<u64>, Option<u64>) {
        self.ply(ply).map_or((None, None), |times| (times.clk_ms, times.emt_ms))
    }

    /// Computes `%clk` and `%emt` of a ply again and keeps them; gives them back if they changed.
    pub fn recompute(
        &mut self,
        ply: usize,
        mover: Side,
        clock: &ClockTracker,
        time_control: Option<&str>,
    ) -> Option<(Option<u64>, Option<u64>)> {
        let times = self.ply(ply).filter(|times| !times.known_before)?;
        let clk_ms = times.press.map(|press| clock.time_of(mover, press.after));
        let emt_ms = match times.press {
            Some(press) => self.spent_by_clock(ply, mover, press, clock, time_control),
            None if clock.is_connected() => None,
            None => self.spent_as_seen(ply),
        };
        let slot = self.plies.get_mut(ply - 1)?;
        if (slot.clk_ms, slot.emt_ms) == (clk_ms, emt_ms) {
            return None;
        }
        (slot.clk_ms, slot.emt_ms) = (clk_ms, emt_ms);
        Some((clk_ms, emt_ms))
    }

    fn ply(&self, ply: usize) -> Option<&PlyTimes> {
        ply.checked_sub(1).and_then(|i| self.plies.get(i))
    }

    fn spent_by_clock(
        &self,
        ply: usize,
        mover: Side,
        press: Press,
        clock: &ClockTracker,
        time_control: Option<&str>,
    ) -> Option<u64> {
        // The mover's clock stands from the opponent's last move on: any press since its own last one tells.
        let at_turn = [ply.checked_sub(1), ply.checked_sub(2)]
            .into_iter()
            .flatten()
            .find_map(|earlier| self.ply(earlier).and_then(|times| times.press))
            .map(|press| press.after)
            .or(if ply <= 2 { self.start } else { None })?;
        let at_turn = clock.time_of(mover, at_turn);
        let control = time_control.and_then(|text| text.parse::<TimeControl>().ok());
        let exact = control.and_then(|control| {
            let increment_ms = u64::from(control.increment_s(u32::try_from(ply).ok()?)) * 1000;
            (at_turn + increment_ms).checked_sub(clock.time_of(mover, press.after))
        });
        let Some(before) = press.before else { return exact };
        let ticked = at_turn.checked_sub(clock.time_of(mover, before));
        match (exact, ticked) {
            (Some(exact), Some(ticked)) if exact.abs_diff(ticked) > AGREE_MS => Some(ticked),
            (exact, ticked) => exact.or(ticked),
        }
    }

    fn spent_as_seen(&self, ply: usize) -> Option<u64> {
        let before = self.ply(ply.checked_sub(1)?)?;
        let now = self.ply(ply)?;
        (!before.known_before).then(|| now.seen.since(before.seen) / 1000 * 1000)
    }
}
