//! The result that a board shows, from the first sign to the event, and the end of the game.
//!
//! Part of the session; knows what it knows.

use notation::pgn::Outcome;

use super::BoardSession;
use crate::event::{Event, Evidence};
use crate::time::Timestamp;

/// A game that is over stays open this long for late readings of the clock, in ms.
const CLOSING_MS: u64 = 10_000;

/// A result that the board shows becomes an event when it was not undone for this long, in ms.
const CLAIM_MS: u64 = 30_000;

/// A result that the board shows and that is not told yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultClaim {
    /// The result.
    pub outcome: Outcome,
    /// What tells it: `checkmate`, `stalemate`, `kings in the centre`.
    pub reason: &'static str,
    /// On what evidence.
    pub evidence: Evidence,
    /// When it becomes an event unless it is undone; never without a person's word.
    pub due: Option<Timestamp>,
}

impl BoardSession {
    /// The result that the board shows, while it can still be undone and nobody outside knows of it.
    pub fn claim(&self) -> Option<ResultClaim> {
        self.claim
    }

    pub(super) fn note_claim(&mut self, now: Timestamp, outcome: Outcome, reason: &'static str, evidence: Evidence) {
        let due = self.result_rule.trusts(evidence).then(|| now.plus(CLAIM_MS));
        self.claim = Some(ResultClaim { outcome, reason, evidence, due });
    }

    /// The result that the board shows was not undone. One that nobody has confirmed is not told.
    pub(super) fn tell_claim(&mut self, now: Timestamp) {
        let Some(claim) = self.claim.take().filter(|claim| claim.due.is_some()) else { return };
        self.recogniser.settle_end();
        self.tell_result(now, claim.outcome, claim.reason.to_owned(), claim.evidence);
    }

    /// Tells the result; a game that has one is over, but for late readings.
    pub(super) fn tell_result(&mut self, now: Timestamp, result: Outcome, reason: String, evidence: Evidence) {
        self.result = result;
        if result != Outcome::Unknown {
            self.closing_at = Some(now.plus(CLOSING_MS));
        }
        self.tell(now, Event::Result { result, reason }, evidence);
    }

    pub(super) fn end_game(&mut self, now: Timestamp) {
        self.tell_claim(now);
        let evidence = if self.closing_at.take().is_some() { Evidence::Quiet } else { Evidence::StartPosition };
        if let Some(clock) = self.told_clock.end() {
            self.tell(now, clock, Evidence::Clock);
        }
        if self.open {
            self.tell(now, Event::GameEnded, evidence);
            self.open = false;
        }
    }
}
