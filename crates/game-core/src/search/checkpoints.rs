//! The places of a game from which the search can begin again: all hypotheses after every few observations.
//!
//! Knows which places are kept. Must not know what makes the search begin again.

use shakmaty::Bitboard;

use super::hypothesis::Hypothesis;
use super::kept::Kept;
use super::line::NodeId;
use super::terms::{Ledger, Term};
use super::weights::{self as w, Cost};

/// All hypotheses after the observations before `next`.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    pub(crate) next: usize,
    pub(crate) hypotheses: Vec<Kept>,
}

/// The places, the earliest first; there is always one.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoints(Vec<Checkpoint>);

impl Checkpoints {
    /// The first place.
    pub(crate) fn new(next: usize, hypotheses: &[Hypothesis]) -> Self {
        Self(vec![Checkpoint { next, hypotheses: Kept::all(hypotheses, &[]) }])
    }

    /// Adds a place, unless there is a later one. Nothing before the `first` observation is of use.
    pub(crate) fn note(&mut self, next: usize, hypotheses: &[Hypothesis], first: usize) {
        let before = self.0.last().map_or(&[][..], |last| &last.hypotheses);
        if self.0.last().is_some_and(|last| last.next >= next) {
            return;
        }
        let hypotheses = Kept::all(hypotheses, before);
        self.0.push(Checkpoint { next, hypotheses });
        // Wide ones are kept for a while only.
        if let Some(older) = self.0.len().checked_sub(w::WIDE_PLACES).and_then(|older| self.0.get_mut(older)) {
            older.hypotheses.truncate(w::NARROW);
            older.hypotheses.shrink_to_fit();
        }
        if self.0.len() > w::PLACES {
            // Of the older half every second one goes.
            self.0.retain(|checkpoint| checkpoint.next > first);
            let mut number = 0;
            self.0.retain(|_| {
                number += 1;
                number > w::PLACES / 2 || number % 2 == 1
            });
        }
    }

    /// Gives up the places after an observation, apart from the first place.
    pub(crate) fn back_to(&mut self, before: usize) {
        while self.0.len() > 1 && self.0.last().is_some_and(|last| last.next > before) {
            self.0.pop();
        }
    }

    /// Whether there is a place at or before an observation.
    pub(crate) fn reach(&self, before: usize) -> bool {
        self.0.first().is_some_and(|first| first.next <= before)
    }

    /// The last place.
    pub(crate) fn last(&self) -> Option<&Checkpoint> {
        self.0.last()
    }

    /// The places, the earliest first.
    #[cfg(feature = "equivalence")]
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Checkpoint> {
        self.0.iter()
    }

    /// All lines that are named.
    pub(crate) fn lines_mut(&mut self) -> impl Iterator<Item = &mut NodeId> {
        self.kept_mut().flat_map(Kept::lines_mut)
    }

    /// No other line counts as likely as that of a hypothesis.
    pub(crate) fn decide(&mut self) {
        self.kept_mut().for_each(Kept::decide);
    }

    /// These squares cannot be believed.
    pub(crate) fn declare_blind(&mut self, squares: Bitboard) {
        self.kept_mut().for_each(|each| each.declare_blind(squares));
    }

    /// Keeps the terms of costs from now on, where they are not kept yet. `first`: where White sits in the likeliest hypothesis, and
    /// what that costs.
    pub(crate) fn keep_terms(&mut self, ledger: &Ledger, first: Option<(bool, Cost)>) {
        for each in self.kept_mut() {
            let Some((terms, cost, white_left)) = each.keep_terms(ledger) else { continue };
            if let Some((_, least)) = first.filter(|first| first.0 != white_left) {
                terms.note(Term::ClockTurned, cost - least, || 0);
            }
        }
    }

    fn kept_mut(&mut self) -> impl Iterator<Item = &mut Kept> {
        self.0.iter_mut().flat_map(|each| &mut each.hypotheses)
    }
}
