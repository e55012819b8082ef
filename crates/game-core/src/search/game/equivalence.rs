//! Whether two games go on the same way: the same hypotheses now, and the same past as far back as anything that comes may make
//! the search look.
//!
//! Lines have other names in another game, indices count from another beginning, and costs differ by what was paid before:
//! all three are compared relatively. What is forgotten after a quarter of an hour of play, and which older places to begin
//! again from become rarer first, may differ.

use super::Game;
use crate::search::checkpoints::Checkpoint;
use crate::search::hypothesis::Hypothesis;
use crate::search::line::{Lines, NodeId, ROOT};
use crate::search::weights::{self as w, Cost};

/// How far before an observation its meaning reaches, in ms: how long ago the squares of a late ply were completed, and kings
/// that were put down to show a result.
const LOOKS_BACK_MS: u64 = w::LATEST_MS + w::LATEST_MS;

impl Lines {
    /// Whether a line has the moves of a line of another game.
    pub(crate) fn is_like(&self, mut line: NodeId, others: &Self, mut other: NodeId) -> bool {
        if self.depth(line) != others.depth(other) {
            return false;
        }
        while line != ROOT {
            if self.last(line) != others.last(other) {
                return false;
            }
            (line, other) = (self.parent(line), others.parent(other));
        }
        true
    }
}

/// The lines of two games.
#[derive(Clone, Copy)]
struct Both<'a>(&'a Lines, &'a Lines);

impl Both<'_> {
    fn same_line(self, line: NodeId, other: NodeId) -> bool {
        self.0.is_like(line, self.1, other)
    }

    fn same_lines(self, line: Option<NodeId>, other: Option<NodeId>) -> bool {
        match (line, other) {
            (Some(line), Some(other)) => self.same_line(line, other),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether two hypotheses are the same apart from their cost.
    fn same_hypothesis(self, one: &Hypothesis, other: &Hypothesis) -> bool {
        let Hypothesis {
            position,
            line,
            cost: _,
            unpressed,
            early,
            habits,
            presses,
            faulty,
            stuck,
            suspect,
            fault_ply,
            misread,
            blind,
            lost,
            off,
            illegal,
            white_left,
            turned_at,
            differs,
            patched,
            ply_at,
            begun_before,
            undone,
            sure,
            rival,
            ledger: _,
        } = one;
        // Plies that are told already have their presses.
        let last = self.0.depth(*line);
        let pressed = |ply| presses.of(ply) == other.presses.of(ply);
        position == &other.position
            && (last.saturating_sub(w::BORNE_OUT) + 1..=last).all(pressed)
            && (unpressed, early, habits) == (&other.unpressed, &other.early, &other.habits)
            && (faulty, stuck, suspect, fault_ply) == (&other.faulty, &other.stuck, &other.suspect, &other.fault_ply)
            && (misread, blind, lost, off) == (&other.misread, &other.blind, &other.lost, &other.off)
            && self.same_lines(*illegal, other.illegal)
            && (white_left, turned_at, differs, patched, ply_at, begun_before, undone)
                == (
                    &other.white_left,
                    &other.turned_at,
                    &other.differs,
                    &other.patched,
                    &other.ply_at,
                    &other.begun_before,
                    &other.undone,
                )
            && self.same_line(*line, other.line)
            && self.same_lines(*sure, other.sure)
            && self.same_lines(rival.map(|(mine, _)| mine), other.rival.map(|(mine, _)| mine))
            && self.same_lines(rival.map(|(_, rival)| rival), other.rival.map(|(_, rival)| rival))
    }

    /// Whether two lists of hypotheses are the same when all costs of the first are `dearer`.
    fn same_hypotheses(self, one: &[Hypothesis], other: &[Hypothesis], dearer: Cost) -> bool {
        one.len() == other.len()
            && one
                .iter()
                .zip(other)
                .all(|(one, other)| one.cost == other.cost + dearer && self.same_hypothesis(one, other))
    }
}

impl Game {
    /// Whether this game and another one, both heard up to `now`, go on the same way whatever comes. `log`: the board's own log
    /// may still come and tell what was played in the open gaps. `restart`: the clock's last start may be taken back.
    pub(crate) fn is_equivalent_to(&self, other: &Self, now: u64, log: bool, restart: bool) -> bool {
        let log = log || self.history.has_open_gap() || other.history.has_open_gap();
        let both = Both(&self.lines, &other.lines);
        let dearer = self.beam.cost() - other.beam.cost();
        self.beam.entered == other.beam.entered
            && self.same_state(other, now)
            && self.same_bars(other, dearer)
            && both.same_hypotheses(&self.beam.hypotheses, &other.beam.hypotheses, dearer)
            && both.same_line(self.told, other.told)
            && both.same_lines(self.doubt.map(|(line, _)| line), other.doubt.map(|(line, _)| line))
            && self.same_past(other, dearer, self.reach(log, restart).max(other.reach(log, restart)))
            && self.history.same_messages(&other.history, log)
    }

    fn same_state(&self, other: &Self, now: u64) -> bool {
        let Self {
            start,
            variant,
            rotated,
            lines: _,
            history,
            beam: _,
            next: _,
            checkpoints: _,
            certain: _,
            matched: _,
            blind,
            wide,
            poor_above: _,
            touched_at,
            gap_at,
            stopped_at,
            stopped_before,
            sign,
            untimed: _,
            poor_since,
            told: _,
            clock_set_at,
            told_at: _,
            followed,
            doubt,
            waits_for_log,
            before_gaps,
            far,
            next_start,
        } = self;
        let spent = |game: &Self| game.gap_at.is_none_or(|at| game.is_spent(at, now));
        let signs = |game: &Self| {
            [game.sign, game.untimed_sign()].map(|sign| Some((game.back(sign?.at), sign?.since, sign?.shows)))
        };
        !self.is_behind()
            && !other.is_behind()
            && (variant, rotated, blind, wide, touched_at)
                == (&other.variant, &other.rotated, &other.blind, &other.wide, &other.touched_at)
            && (stopped_at, stopped_before, poor_since) == (&other.stopped_at, &other.stopped_before, &other.poor_since)
            && (waits_for_log, far, next_start) == (&other.waits_for_log, &other.far, &other.next_start)
            && clock_set_at.is_some() == other.clock_set_at.is_some()
            && followed.is_some() == other.followed.is_some()
            && doubt.map(|(_, since)| since) == other.doubt.map(|(_, since)| since)
            && (gap_at == &other.gap_at || spent(self) && spent(other))
            && sign.is_some() == other.sign.is_some()
            && signs(self) == signs(other)
            && (start, before_gaps) == (&other.start, &other.before_gaps)
            && history.end() % w::EVERY == other.history.end() % w::EVERY
            && (self.back(self.certain.0), self.back(self.matched))
                == (other.back(other.certain.0), other.back(other.matched))
            && history.same_state(&other.history)
    }

    /// Whether a gap that was seen then has no effect any more.
    fn is_spent(&self, at: u64, now: u64) -> bool {
        at + w::LATEST_MS < now && self.beam.hypotheses.iter().all(|each| each.ply_at != at)
    }

    /// Whether both are searched again from the same cost on.
    fn same_bars(&self, other: &Self, dearer: Cost) -> bool {
        // Below this the bar has no effect.
        let idle = |game: &Self| game.poor_above <= game.certain.1.saturating_add(w::POOR);
        self.certain.1 == other.certain.1 + dearer
            && (idle(self) && idle(other) || self.poor_above == other.poor_above.saturating_add(dearer))
    }

    /// How many observations ago something was.
    fn back(&self, index: usize) -> usize {
        self.history.end().saturating_sub(index)
    }

    /// How many of the last observations can be taken again.
    fn reach(&self, log: bool, restart: bool) -> usize {
        let mut first = self.certain.0.saturating_sub(w::STRETCH).min(self.matched.saturating_sub(1));
        first = first.min(self.history.first_in_question(log, restart));
        if let Some(after) = self.after_stop().or_else(|| self.stopped_at.map(|_| self.history.end())) {
            first = first.min(after.saturating_sub(1));
        }
        for sign in [self.sign, self.untimed_sign()].into_iter().flatten() {
            first = first.min(self.before_sign(sign).saturating_sub(1));
        }
        self.back(first)
    }

    /// Whether the last observations, as many as can be taken again, are the same, and the places to begin again from in them.
    fn same_past(&self, other: &Self, dearer: Cost, reach: usize) -> bool {
        // Where the search would begin again, as far back as the farther of both.
        let begins = |game: &Self| {
            let before = |each: &&Checkpoint| game.back(each.next) >= reach;
            let last = game.checkpoints.iter().rfind(before).or(game.checkpoints.iter().next());
            last.map_or(reach, |each| game.back(each.next))
        };
        let from = begins(self).max(begins(other));
        let within = |game: &Self| game.checkpoints.iter().filter(|each| game.back(each.next) <= from).count();
        let (mine, others) = (within(self), within(other));
        let both = Both(&self.lines, &other.lines);
        let places = || self.checkpoints.iter().rev().zip(other.checkpoints.iter().rev()).take(mine);
        // That of a clock that was started since is of use where that is taken again.
        let stop = |game: &Self| {
            let stop = game.checkpoints.stop()?;
            (game.stopped_at.is_some() || game.back(stop.next) <= from).then(|| game.hypotheses_at(stop))
        };
        let same_stop = match (stop(self), stop(other)) {
            (Some(one), Some(its)) => both.same_hypotheses(&one, &its, dearer),
            (None, None) => true,
            _ => false,
        };
        mine == others
            && same_stop
            && places().all(|(one, its)| self.back(one.next) == other.back(its.next))
            && self.history.same_observations(&other.history, from.max(reach), LOOKS_BACK_MS)
            && places()
                .all(|(one, its)| both.same_hypotheses(&self.hypotheses_at(one), &other.hypotheses_at(its), dearer))
    }
}
