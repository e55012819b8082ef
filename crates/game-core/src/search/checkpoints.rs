//! The places of a game from which the search can begin again: all hypotheses after every few observations, and when the clock was
//! stopped.
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

/// The places.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoints {
    /// The earliest first; there is always one.
    places: Vec<Checkpoint>,
    /// The one when the clock was stopped last.
    stop: Option<Checkpoint>,
}

impl Checkpoints {
    /// The first place.
    pub(crate) fn new(next: usize, hypotheses: &[Hypothesis]) -> Self {
        Self { places: vec![Checkpoint { next, hypotheses: Kept::all(hypotheses, &[]) }], stop: None }
    }

    /// Adds a place, unless there is a later one. Nothing before the `first` observation is of use.
    pub(crate) fn note(&mut self, next: usize, hypotheses: &[Hypothesis], first: usize) {
        let before = self.places.last().map_or(&[][..], |last| &last.hypotheses);
        if self.places.last().is_some_and(|last| last.next >= next) {
            return;
        }
        let hypotheses = Kept::all(hypotheses, before);
        self.places.push(Checkpoint { next, hypotheses });
        // Wide ones are kept for a while only.
        if let Some(older) = self.places.len().checked_sub(w::WIDE_PLACES).and_then(|older| self.places.get_mut(older))
        {
            older.hypotheses.truncate(w::NARROW);
            older.hypotheses.shrink_to_fit();
        }
        if self.places.len() > w::PLACES {
            // Of the older half every second one goes.
            self.places.retain(|checkpoint| checkpoint.next > first);
            let mut number = 0;
            self.places.retain(|_| {
                number += 1;
                number > w::PLACES / 2 || number % 2 == 1
            });
        }
    }

    /// Adds the place when the clock was stopped.
    pub(crate) fn note_stop(&mut self, next: usize, hypotheses: &[Hypothesis]) {
        let before = self.places.last().map_or(&[][..], |last| &last.hypotheses);
        let hypotheses = Kept::all(&hypotheses[..hypotheses.len().min(w::NARROW)], before);
        self.stop = Some(Checkpoint { next, hypotheses });
    }

    /// The place when the clock was stopped last.
    pub(crate) fn stop(&self) -> Option<&Checkpoint> {
        self.stop.as_ref()
    }

    /// Gives up the places after an observation, apart from the first place.
    pub(crate) fn back_to(&mut self, before: usize) {
        self.stop.take_if(|stop| stop.next > before);
        while self.places.len() > 1 && self.places.last().is_some_and(|last| last.next > before) {
            self.places.pop();
        }
    }

    /// Whether there is a place at or before an observation.
    pub(crate) fn reach(&self, before: usize) -> bool {
        self.places.first().is_some_and(|first| first.next <= before)
    }

    /// The last place.
    pub(crate) fn last(&self) -> Option<&Checkpoint> {
        self.places.last()
    }

    /// The places, the earliest first.
    #[cfg(feature = "equivalence")]
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Checkpoint> {
        self.places.iter()
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
        self.places.iter_mut().chain(&mut self.stop).flat_map(|each| &mut each.hypotheses)
    }
}
