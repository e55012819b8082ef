//! The times of each move: `%clk` (time left after the press) and `%emt` (time spent on the move).
//!
//! Keeps which press belongs to which ply and checks each press against the readings around it. A value without a reading, or
//! with a reading that nothing explains, is left out and never made up. Must not know the moves themselves.

mod correction;
#[cfg(feature = "equivalence")]
mod equivalence;
mod press_check;
mod seats;

use std::collections::{BTreeMap, VecDeque};

use notation::time_control::TimeControl;

use crate::clock::ClockTracker;
use crate::controls::Controls;
use crate::event::Side;
use crate::press::{Credit, Credits, Press, Source, Turn, most_given_ms};
use crate::reading::{Reading, SECOND_MS};
use crate::time::Timestamp;
use press_check::{Doubt, PendingCheck, Verdict, judge};

/// From this number on, presses without a move belong to moves that were not recognised, and not to one long turn.
const PRESSES_FOR_NO_MOVE: usize = 3;
/// Most presses kept for moves that are not recognised yet.
const PRESSES_KEPT: usize = 256;
/// Most presses kept to be given again when it turns out that the clock stands the other way.
const PRESSES_HEARD: usize = 64;
/// Plies by which the list of all grows.
const GROWTH: usize = 16;
/// The lever can be read so long before the squares of its ply, in ms: a board reports them late.
const PRESS_FIRST_MS: u64 = 600;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PlyTimes {
    /// When the ply was first on the board.
    seen: Timestamp,
    press: Option<Press>,
    /// Whether the readings around the press confirm it.
    verified: bool,
    /// Time used in earlier turns of the same ply, in ms: its player pressed, and the opponent pressed back.
    earlier_ms: u64,
    /// Whether it replaces a move that was taken back: the time spent cannot be split between the two.
    in_place: bool,
    clk_ms: Option<u64>,
    emt_ms: Option<u64>,
    /// Whether the values come from an earlier session, whose readings are not known.
    known_before: bool,
}

/// The times of a game's published moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    /// The time controls of White and Black.
    controls: [Option<TimeControl>; 2],
    /// The player who makes the first ply.
    first: Option<Side>,
    /// The reading before the first move.
    start: Option<Reading>,
    /// The published plies.
    plies: Vec<PlyTimes>,
    /// Presses without a published move, the oldest first.
    presses: Vec<Press>,
    /// The last presses of the lever in this game, whatever they ended, the oldest first.
    heard: VecDeque<Press>,
    /// Presses of plies that are about to be published.
    assigned: BTreeMap<usize, Press>,
    /// Presses of plies that a person has removed, the oldest first: they belong to the moves that replace them.
    set_aside: Vec<Press>,
    /// Time used by each side of the clock, left first, in turns that ended no move, in ms.
    unfinished_ms: [u64; 2],
    /// The first ply that was taken back, until a move replaces it.
    taken_back: Option<usize>,
    /// Times of plies that are about to be published again.
    carried: BTreeMap<usize, PlyTimes>,
    /// The last press of each side of the clock, left first, while later readings can still confirm or contradict it.
    unchecked: [Option<PendingCheck>; 2],
    /// The credit of each side, left first, where earlier presses have shown it.
    learned: [Option<Credit>; 2],
    /// A credit that one press of each side has shown against the time control; a second press confirms it.
    hinted: [Option<Credit>; 2],
}

impl Times {
    /// The times of a new game with this control; `first` makes the first move.
    pub(crate) fn new(control: Option<&Controls>, first: Side) -> Self {
        let mut times = Self { first: Some(first), ..Self::default() };
        times.set_control(control);
        times
    }

    /// The times of the game after this one. `seen_before`: its first moves are already on the board, so the presses without a
    /// move may be theirs.
    #[must_use]
    pub(crate) fn next_game(self, control: Option<&Controls>, first: Side, seen_before: bool) -> Self {
        let (presses, heard) = if seen_before { (self.presses, self.heard) } else { Default::default() };
        Self { presses, heard, ..Self::new(control, first) }
    }

    /// Sets the time control of a game that has begun.
    pub(crate) fn set_control(&mut self, control: Option<&Controls>) {
        self.controls = [Side::White, Side::Black].map(|side| control.and_then(|controls| controls.of(side)));
    }

    /// This player makes a ply, whoever made the one before it.
    pub(crate) fn go_on_with(&mut self, ply: usize, mover: Side) {
        self.first = Some(if ply % 2 == 1 { mover } else { mover.other() });
        self.forget_presses();
    }

    /// The time control of the player who makes a ply.
    fn control(&self, ply: usize) -> Option<&TimeControl> {
        let first = self.first.unwrap_or(Side::White);
        let mover = if ply % 2 == 1 { first } else { first.other() };
        self.controls.get(usize::from(mover == Side::Black)).and_then(Option::as_ref)
    }

    /// The reading before the first move.
    pub(crate) fn start(&self) -> Option<Reading> {
        self.start
    }

    /// Sets the reading before the first move.
    pub(crate) fn set_start(&mut self, reading: Reading) {
        self.start = Some(reading);
    }

    /// Keeps a press until a move uses it.
    pub(crate) fn add_press(&mut self, press: Press) {
        self.carried.clear();
        if self.presses.len() >= PRESSES_KEPT {
            self.presses.remove(0);
        }
        self.presses.push(press);
        if self.heard.len() >= PRESSES_HEARD {
            self.heard.pop_front();
        }
        self.heard.push_back(press);
    }

    /// Drops the presses without a move: none belongs to a later move.
    pub(crate) fn forget_presses(&mut self) {
        self.presses.clear();
    }

    /// The presses after this instant were those of another clock, and its readings confirm nothing.
    pub(crate) fn forget_since(&mut self, at: Timestamp) {
        self.presses.retain(|press| press.at <= at);
        self.heard.retain(|press| press.at <= at);
        self.drop_checks();
    }

    /// Drops the presses of plies after this instant, which may be those of another clock. Returns these plies.
    pub(crate) fn doubt_presses_since(&mut self, at: Timestamp) -> Vec<usize> {
        let doubted = (1..).zip(&mut self.plies).filter(|(_, times)| times.press.is_some_and(|press| press.at > at));
        let drop = |(ply, times): (usize, &mut PlyTimes)| {
            (times.press, times.verified) = (None, false);
            ply
        };
        doubted.map(drop).collect()
    }

    /// The last press without a move.
    pub(crate) fn last_press(&self) -> Option<Press> {
        self.presses.last().copied()
    }

    /// Removes the press of this side at this instant, which was misread. Returns the ply that it was assigned to.
    pub(crate) fn remove_press(&mut self, left: bool, at: Timestamp) -> Option<usize> {
        let is_struck = |press: &Press| press.at == at && press.left == left;
        self.presses.retain(|press| !is_struck(press));
        self.heard.retain(|press| !is_struck(press));
        let given =
            |times: &PlyTimes| times.press.filter(|press| press.flip_was_seen()).is_some_and(|press| is_struck(&press));
        let (ply, times) = (1..).zip(&mut self.plies).last().filter(|(_, times)| given(times))?;
        (times.press, times.verified) = (None, false);
        Some(ply)
    }

    /// Marks the last press as used. Those before it ended no move; the time used in their turns counts for the next moves.
    pub(crate) fn use_last_press(&mut self) {
        self.set_aside.clear();
        let presses = std::mem::take(&mut self.presses);
        let Some((_, before)) = presses.split_last().filter(|(_, before)| before.len() < PRESSES_FOR_NO_MOVE) else {
            return;
        };
        let ply = self.plies.len() + 1;
        for &press in before {
            if !self.explains(ply, press) {
                continue;
            }
            self.unfinished_ms[usize::from(!press.left)] += self.spent_in_turn(ply, press).unwrap_or(0);
        }
    }

    /// Takes the press that ended a ply out of those without a move; `later` plies after it are known. Without any it is the
    /// mover's last press since `since`. Otherwise every ply, or every one but the last, must have its press: what cannot be
    /// assigned is left out. So is a press after many since then: they ended moves that are not known yet.
    pub(crate) fn take_press(
        &mut self,
        since: Timestamp,
        later: usize,
        is_movers: impl Fn(Press) -> bool,
    ) -> Option<Press> {
        let count = self.presses.len();
        let fits = |&at: &usize| self.presses.get(at).is_some_and(|press| is_movers(*press));
        let at = if later == 0 {
            self.presses.iter().rposition(|press| is_movers(*press) && press.at >= since)?
        } else {
            let in_turn = |&at: &usize| {
                let presses = self.presses.get(at..).unwrap_or_default();
                presses.iter().enumerate().all(|(number, press)| is_movers(*press) == (number % 2 == 0))
            };
            let all = count.checked_sub(later + 1);
            let but_last = count.checked_sub(later);
            [all, but_last].into_iter().flatten().filter(fits).find(in_turn)?
        };
        let before = self.presses.iter().take(at).filter(|press| later > 0 || press.at >= since);
        if before.count() >= PRESSES_FOR_NO_MOVE {
            return None;
        }
        self.take_up_to(at)
    }

    /// Takes a press; those before it ended no move.
    fn take_up_to(&mut self, index: usize) -> Option<Press> {
        let press = *self.presses.get(index)?;
        let rest = self.presses.split_off(index + 1);
        self.use_last_press();
        self.presses = rest;
        Some(press)
    }

    /// Takes the press of this instant, as the one that ended a ply.
    pub(crate) fn take_press_at(&mut self, at: Timestamp, is_movers: impl Fn(Press) -> bool) -> Option<Press> {
        let index = self.presses.iter().position(|press| press.at == at && is_movers(*press))?;
        self.take_up_to(index)
    }

    /// Takes the press that ended a ply, of a stretch that is told long after it was played: the mover's last one from when the ply
    /// was first on the board until the mover's next one was.
    pub(crate) fn take_press_between(
        &mut self,
        seen: Timestamp,
        next: Timestamp,
        is_movers: impl Fn(Press) -> bool,
    ) -> Option<Press> {
        let own = |press: &Press| {
            let at = press.at.plus(PRESS_FIRST_MS);
            is_movers(*press) && at >= seen && at < next
        };
        let press = self.presses.iter().copied().rfind(own)?;
        self.presses.retain(|other| other.at > press.at || !is_movers(*other));
        Some(press)
    }

    /// Assigns a press from the board's own log to a ply that is about to be published.
    pub(crate) fn assign_logged(&mut self, ply: usize, press: Press) {
        self.assigned.insert(ply, press);
    }

    /// Drops what an earlier log told: another one tells all of it, of a line that may be another one now.
    pub(crate) fn forget_logged(&mut self) {
        self.assigned.clear();
    }

    /// The reading of the last known press before a ply, or before the first move.
    pub(crate) fn last_known(&self, ply: usize) -> Option<Reading> {
        let known = self.plies.iter().take(ply.saturating_sub(1)).rev().find_map(|times| times.press);
        known.map(|press| press.after).or(self.start)
    }

    /// Takes the press assigned to a ply that is being published.
    pub(crate) fn take_assigned(&mut self, ply: usize) -> Option<Press> {
        self.assigned.remove(&ply)
    }

    /// Checks the last press of a side against its present reading: the time must stand still while the opponent thinks, and
    /// then run down. When two later readings agree with each other and not with the press, the press was misread. Returns the
    /// ply whose values have changed.
    pub(crate) fn check_press(&mut self, now: Timestamp, left: bool, clock: &ClockTracker) -> Option<usize> {
        let slot = usize::from(!left);
        let check = self.unchecked.get(slot).copied().flatten()?;
        let (shown_ms, times) = (clock.raw_ms(left)?, *self.ply(check.ply)?);
        let press = times.press.filter(|press| press.left == left)?;
        let verdict = judge(now, check, press, shown_ms, clock);
        if verdict == Verdict::Open {
            let stood = clock.pressed_left() == Some(left) || clock.has_just_flipped();
            let doubt = Doubt { at: now, ms: shown_ms, stood };
            let doubt = (press.after.of(left) != shown_ms && clock.is_running()).then_some(doubt);
            self.unchecked[slot] = Some(PendingCheck { doubt: doubt.or(check.doubt), read: now, ..check });
            return None;
        }
        self.unchecked[slot] = None;
        let (after, verified) = match verdict {
            Verdict::Right => (press.after, true),
            Verdict::Wrong(ms) if left => (Reading { left_ms: ms, ..press.after }, true),
            Verdict::Wrong(ms) => (Reading { right_ms: ms, ..press.after }, true),
            Verdict::Contradicted => (press.after, false),
            Verdict::Open | Verdict::Silent => return None,
        };
        if let Some(turn) = press.turn.filter(|_| verified) {
            let ply = u32::try_from(check.ply).ok()?;
            let credits = self.credits(check.ply, left);
            let explained = credits.explain(ply, turn, after.of(left));
            let given = credits.of_confirmed(ply, turn, after.of(left));
            if credits.is_untold() && credits.learned.is_none() || explained == Some(Credit::Restored) {
                self.learned[slot] = Some(given);
            } else if explained.is_none() {
                // A single one may come from a late message.
                let again = self.hinted[slot].replace(given).is_some_and(|hint| hint.is_like(given));
                if again {
                    self.learned[slot] = Some(given);
                }
            }
        }
        let times = check.ply.checked_sub(1).and_then(|i| self.plies.get_mut(i))?;
        let known = (times.press, times.verified);
        (times.press, times.verified) = (Some(Press { after, ..press }), verified);
        (known != (times.press, times.verified)).then_some(check.ply)
    }

    /// Whether the reading of this side since its last press is not confirmed yet.
    pub(crate) fn is_unverified(&self, left: bool) -> bool {
        if let Some(press) = self.presses.last().filter(|press| press.left == left) {
            return !self.explains(self.plies.len() + 1, *press);
        }
        let check = self.unchecked.get(usize::from(!left)).copied().flatten();
        check.is_some_and(|check| self.ply(check.ply).is_some_and(|times| !times.verified))
    }

    /// Ends the checks of both sides: after a gap, readings say nothing about earlier presses.
    pub(crate) fn drop_checks(&mut self) {
        self.unchecked = [None; 2];
    }

    /// Ends the check of a side that presses again: its readings say nothing about the press before.
    pub(crate) fn drop_check(&mut self, left: bool) {
        self.unchecked[usize::from(!left)] = None;
    }

    /// Whether a press is known for a ply, from 1.
    pub(crate) fn has_press(&self, ply: usize) -> bool {
        self.ply(ply).is_some_and(|times| times.press.is_some() || times.known_before)
    }

    /// When a published ply was first on the board; instant 0 for ply 0.
    pub(crate) fn seen(&self, ply: usize) -> Timestamp {
        self.ply(ply).map_or(Timestamp::ZERO, |times| times.seen)
    }

    /// Assigns a press to a published ply.
    pub(crate) fn set_press(&mut self, ply: usize, press: Press) {
        let verified = self.explains(ply, press);
        let earlier_ms = self.ply(ply).map_or(0, |times| {
            let before = times.press.filter(|earlier| earlier.left == press.left);
            before.and_then(|earlier| self.spent_in_turn(ply, earlier)).unwrap_or(0) + times.earlier_ms
        });
        let earlier_ms = earlier_ms + std::mem::take(&mut self.unfinished_ms[usize::from(!press.left)]);
        if let Some(times) = ply.checked_sub(1).and_then(|i| self.plies.get_mut(i)) {
            *times = PlyTimes { press: Some(press), verified, earlier_ms, known_before: false, ..*times };
            self.check_later(ply, press);
        }
    }

    /// Checks the press against later readings, unless the same side has pressed again.
    fn check_later(&mut self, ply: usize, press: Press) {
        // Earlier ones of the same instant are not kept any more.
        let again = self.presses.iter().any(|later| later.left == press.left && later.at >= press.at);
        self.unchecked[usize::from(!press.left)] =
            (!again).then_some(PendingCheck { ply, since: press.at, read: press.at, doubt: None });
    }

    /// Adds the next ply.
    pub(crate) fn publish(&mut self, ply: usize, seen: Timestamp, press: Option<Press>) {
        self.truncate(ply.saturating_sub(1));
        if let Some(carried) = self.carried.remove(&ply) {
            self.plies.push(carried);
            return;
        }
        let verified = press.is_some_and(|press| self.explains(ply, press));
        let unfinished_ms = press.map(|press| std::mem::take(&mut self.unfinished_ms[usize::from(!press.left)]));
        let earlier_ms = unfinished_ms.unwrap_or(0);
        let in_place = self.taken_back.take_if(|taken| *taken <= ply).is_some();
        if self.plies.len() == self.plies.capacity() {
            self.plies.reserve_exact(GROWTH);
        }
        self.plies.push(PlyTimes { seen, press, verified, earlier_ms, in_place, ..PlyTimes::default() });
        if let Some(press) = press {
            self.check_later(ply, press);
        }
    }

    /// Keeps the times of the plies from this one on: they are published again before the next press.
    pub(crate) fn carry_over(&mut self, first: usize) {
        let plies = self.plies.iter().copied().zip(1..).skip(first.saturating_sub(1));
        self.carried = plies.map(|(times, ply)| (ply, times)).collect();
    }

    /// Drops the kept times of a ply whose press at the lever is not the one of this instant: it ended another ply.
    pub(crate) fn carry_only(&mut self, ply: usize, pressed: Option<Timestamp>) {
        let other = |press: Press| press.source == Source::Lever && Some(press.at) != pressed;
        if self.carried.get(&ply).and_then(|times| times.press).is_some_and(other) {
            self.carried.remove(&ply);
        }
    }

    /// Drops kept times: everything has been published again.
    pub(crate) fn end_carrying(&mut self) {
        self.carried.clear();
    }

    /// Adds the next ply with values from an earlier session.
    pub(crate) fn publish_known(&mut self, ply: usize, seen: Timestamp, clk_ms: Option<u64>, emt_ms: Option<u64>) {
        self.publish(ply, seen, None);
        if let Some(times) = self.plies.last_mut() {
            *times = PlyTimes { clk_ms, emt_ms, known_before: true, ..*times };
        }
    }

    fn credits(&self, ply: usize, left: bool) -> Credits<'_> {
        let learned = self.learned.get(usize::from(!left)).copied().flatten();
        Credits { control: self.control(ply), learned }
    }

    /// Largest credit of a press of one side of the clock, where this player sits, in ms.
    pub(crate) fn most_given_ms(&self, left: bool, player: Side) -> u64 {
        let control = self.controls.get(usize::from(player == Side::Black)).and_then(Option::as_ref);
        match self.credits(0, left).learned {
            Some(Credit::Added(ms)) if !matches!(control, Some(TimeControl::Periods(_) | TimeControl::Then { .. })) => {
                ms + SECOND_MS
            }
            _ => most_given_ms(control),
        }
    }

    /// Whether the turn and the time control explain the reading of a press. One from the board's own log counts as explained, for
    /// the clock itself told the board; so does one of a clock that stands.
    fn explains(&self, ply: usize, press: Press) -> bool {
        let (Some(turn), Ok(number)) = (press.turn, u32::try_from(ply)) else { return press.flip_was_seen() };
        self.credits(ply, press.left).explain(number, turn, press.after.of(press.left)).is_some()
    }

    /// The players take back the plies after `plies`.
    pub(crate) fn take_back(&mut self, plies: usize) {
        self.truncate(plies);
        self.taken_back = Some(plies + 1);
    }

    /// Drops the plies after `plies`.
    pub(crate) fn truncate(&mut self, plies: usize) {
        self.plies.truncate(plies);
    }

    /// Whether no ply is published.
    pub(crate) fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// The published `%clk` and `%emt` of a ply, in ms.
    pub(crate) fn published(&self, ply: usize) -> (Option<u64>, Option<u64>) {
        self.ply(ply).map_or((None, None), |times| (times.clk_ms, times.emt_ms))
    }

    /// Computes `%clk` and `%emt` of a ply again; returns them if they changed.
    pub(crate) fn recompute(
        &mut self,
        ply: usize,
        mover: Side,
        clock: &ClockTracker,
    ) -> Option<(Option<u64>, Option<u64>)> {
        let times = self.ply(ply).filter(|times| !times.known_before)?;
        // The seating may have been corrected since.
        let press = times.press.filter(|press| times.verified && clock.side(press.left) == mover);
        let clk_ms = press.map(|press| clock.time_of(mover, press.after));
        let emt_ms = match press {
            Some(press) if times.in_place || press.source == Source::StandingLever => None,
            Some(press) => {
                let spent_ms = self.spent_in_turn(ply, press);
                spent_ms.or_else(|| self.spent_between(ply, mover, press, clock)).map(|ms| ms + times.earlier_ms)
            }
            None if clock.is_connected() => None,
            None => self.seen_ms(ply),
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

    /// The time used in the turn that a press ended, in ms, if the beginning of the turn was seen. Without a press for the ply
    /// before, the player's time also ran while that ply was made.
    fn spent_in_turn(&self, ply: usize, press: Press) -> Option<u64> {
        let after_ms = press.after.of(press.left);
        let spent_ms = self.credits(ply, press.left).spent_ms(u32::try_from(ply).ok()?, press.turn?, after_ms)?;
        let earlier = |plies: usize| ply.checked_sub(plies).and_then(|earlier| self.ply(earlier));
        match earlier(1) {
            Some(before) if before.press.is_some_and(|press| self.hides_others(ply - 1, press)) => None,
            // Plies that were found together have no instants of their own: the turn cannot be assigned to one of them.
            Some(before) if before.press.is_none() && earlier(2).is_some_and(|other| other.seen == before.seen) => None,
            // A move that replaced another has no reliable instant: the first one may have been misrecognised.
            Some(before) if before.press.is_none() && before.in_place => None,
            Some(before) if before.press.is_none() && !before.known_before => {
                let since_ms = to_second(press.at.since(before.seen));
                let together = self.ply(ply).is_none_or(|times| times.seen == before.seen);
                (!together || spent_ms <= since_ms).then_some(spent_ms.min(since_ms))
            }
            _ => Some(spent_ms),
        }
    }

    /// Whether other presses are hidden behind the press of a ply: the clock was silent before it, and shows more than one press
    /// can credit.
    fn hides_others(&self, ply: usize, press: Press) -> bool {
        press.turn.is_some_and(Turn::was_unread) && !self.explains(ply, press)
    }

    /// The time used in a turn whose beginning was not seen, in ms, from the last reading in which the player's time stood: it
    /// stands from the player's own press to the opponent's.
    fn spent_between(&self, ply: usize, mover: Side, press: Press, clock: &ClockTracker) -> Option<u64> {
        let increment_ms = u64::from(self.control(ply)?.increment_s(u32::try_from(ply).ok()?)) * 1000;
        if self.credits(ply, press.left).learned.is_some_and(|credit| credit != Credit::Added(increment_ms)) {
            return None;
        }
        // A newly connected clock does not show the beginning of a running turn, and the board's log has only the time of the
        // side that pressed.
        let told = |&(ply, press): &(usize, Press)| {
            clock.side(press.left) == mover || press.turn.is_some() && !self.hides_others(ply, press)
        };
        let earlier = [ply.checked_sub(1), ply.checked_sub(2)].into_iter().flatten();
        let known =
            earlier.filter_map(|earlier| Some((earlier, self.ply(earlier).filter(|times| times.verified)?.press?)));
        let at_turn = known.filter(told).map(|(_, press)| press.after).next();
        let at_turn = at_turn.or(if ply <= 2 { self.start } else { None })?;
        (clock.time_of(mover, at_turn) + increment_ms).checked_sub(clock.time_of(mover, press.after))
    }

    /// The time between the first reports of the ply before and of this one, in ms, to the nearest second.
    fn seen_ms(&self, ply: usize) -> Option<u64> {
        let before = self.ply(ply.checked_sub(1)?)?;
        let now = self.ply(ply)?;
        (!before.known_before).then(|| to_second(now.seen.since(before.seen)))
    }
}

/// The nearest whole second.
fn to_second(ms: u64) -> u64 {
    (ms + 500) / 1000 * 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_after_many_others_is_not_that_of_the_first_ply_after_a_gap() {
        let at = Timestamp::from_ms(1_000);
        let press = |number: u64| {
            let after = Reading { left_ms: 300_000 - number * 1_000, right_ms: 300_000 };
            Press { at, left: number.is_multiple_of(2), turn: None, source: Source::Log, after }
        };
        for (presses, found) in [(2, true), (6, false)] {
            let mut times = Times::new(None, Side::White);
            (0..presses).for_each(|number| times.add_press(press(number)));
            assert_eq!(times.take_press(at, 1, |press| press.left).is_some(), found, "{presses} presses");
        }
    }

    #[test]
    fn a_ply_that_replaces_another_one_has_its_press_only_where_that_ended_it() {
        let at = Timestamp::from_ms(1_000);
        let after = Reading { left_ms: 299_000, right_ms: 300_000 };
        let turn = Some(Turn { run: None, before_ms: 299_000, before_age_ms: 0 });
        let press = Press { at, left: true, turn, source: Source::Lever, after };
        for (pressed, stays) in [(Some(at), true), (None, false), (Some(at.plus(500)), false)] {
            let mut times = Times::new(None, Side::White);
            times.publish(1, at, Some(press));
            times.carry_over(1);
            times.truncate(0);
            times.carry_only(1, pressed);
            times.publish(1, at, None);
            assert_eq!(times.has_press(1), stays, "{pressed:?}");
        }
    }
}
