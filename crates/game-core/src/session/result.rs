//! The result that a board shows, from the first signal to the event, and the end of the game.

use notation::pgn::Outcome;

use super::state::{BoardSession, ResultClaim};
use crate::event::{Event, Evidence};
use crate::time::Timestamp;

/// How long a game with a result stays open for late readings of the clock, in ms.
const CLOSING_MS: u64 = 10_000;

/// How long a result must stay on the board before it is published, in ms.
const CLAIM_MS: u64 = 30_000;

impl BoardSession {
    /// The result that the board shows and that is not published yet.
    pub fn claim(&self) -> Option<ResultClaim> {
        self.claim
    }

    /// Keeps a result that the board shows until it is due.
    pub(super) fn note_claim(&mut self, now: Timestamp, outcome: Outcome, reason: &'static str, evidence: Evidence) {
        let due = self.result_rule.trusts(evidence).then(|| now.plus(CLAIM_MS));
        self.claim = Some(ResultClaim { outcome, reason, evidence, due });
    }

    /// Publishes the result that the board shows, unless a person must confirm it.
    pub(super) fn emit_claim(&mut self, now: Timestamp) {
        let Some(claim) = self.claim.take().filter(|claim| claim.due.is_some()) else { return };
        self.recogniser.finalise_end();
        self.emit_result(now, claim.outcome, claim.reason.to_owned(), claim.evidence);
    }

    /// Publishes a result. The game then stays open only for late readings of the clock.
    pub(super) fn emit_result(&mut self, now: Timestamp, result: Outcome, reason: String, evidence: Evidence) {
        self.result = result;
        if result != Outcome::Unknown {
            self.closing_at = Some(now.plus(CLOSING_MS));
        }
        self.emit(now, Event::Result { result, reason }, evidence);
        if self.closing_at.is_some() && self.clock.running().is_some() {
            self.emit_clock(now);
        }
    }

    /// Whether a game is open that has neither a move nor a result.
    pub(super) fn stands_ready(&self) -> bool {
        self.open && self.times.is_empty() && self.claim.is_none() && self.result == Outcome::Unknown
    }

    /// Ends the game in progress, if there is one.
    pub(super) fn end_game(&mut self, now: Timestamp) {
        self.emit_claim(now);
        let evidence = if self.closing_at.take().is_some() { Evidence::Quiet } else { Evidence::StartPosition };
        if let Some(clock) = self.published_clock.end() {
            self.emit(now, clock, Evidence::Clock);
        }
        if self.open {
            self.emit(now, Event::GameEnded, evidence);
            self.open = false;
        }
    }
}
