//! The result that a board shows, from the first signal to the event, and the end of the game.

use dgt_protocol::Fields;
use notation::pgn::Outcome;
use shakmaty::Position;

use super::state::{BoardSession, ResultClaim, UnseenEnd};
use crate::event::{Event, Evidence};
use crate::placement::Placement;
use crate::time::Timestamp;

/// How long a game with a result stays open for late readings of the clock, in ms.
const CLOSING_MS: u64 = 10_000;

/// How long a result must stay on the board before it is published, in ms.
const CLAIM_MS: u64 = 30_000;

/// How long a board stands as it is until its position is the end of a game that it did not show before, in ms: the hands that
/// finished it are done.
const IN_SIGHT_MS: u64 = 3_000;

/// How long the end of a game that ended out of sight is waited for, in ms: later, players analyse on the board.
const UNSEEN_END_MS: u64 = 120_000;

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

    /// A person has entered a result that ends the game. What the board cannot show now is told once it can.
    pub(super) fn end_by_person(&mut self, now: Timestamp) {
        if self.recogniser.is_out_of_sight() {
            self.unseen_end = Some(UnseenEnd { until: now.plus(UNSEEN_END_MS), in_sight: None });
            self.closing_at = None;
        } else {
            self.recogniser.close();
        }
    }

    /// When [`Self::look_for_end`] is due next.
    pub(super) fn end_due(&self) -> Option<Timestamp> {
        let UnseenEnd { until, in_sight } = self.unseen_end?;
        let due = in_sight.map(|since| since.plus(IN_SIGHT_MS));
        Some(due.filter(|due| *due > self.now).map_or(until, |due| due.min(until)))
    }

    /// Tells the last plies of a game that ended out of sight, once the board shows them or when it is not waited for any longer.
    pub(super) fn look_for_end(&mut self, now: Timestamp) {
        let Some(UnseenEnd { until, in_sight }) = self.unseen_end else { return };
        let out_of_sight = self.recogniser.is_out_of_sight() || self.recogniser.is_in_doubt();
        let since = (!out_of_sight).then_some(in_sight.unwrap_or(now));
        if now < until && since.is_none_or(|since| now.since(since) < IN_SIGHT_MS) {
            self.unseen_end = Some(UnseenEnd { until, in_sight: since });
            return;
        }
        self.recogniser.tell_what_stood(now);
        self.conclude(now);
        self.recogniser.close();
        self.end_has_come(now);
    }

    /// The pieces were set up for the next game before the board could show the end of this one. Where a game was far from its start,
    /// the next one waits until the board's own log has told the end.
    pub(super) fn end_at_start(&mut self, now: Timestamp, shown: &Fields) {
        let ends_now = self.unseen_end.is_some() && !self.recogniser.is_far_from_start();
        let Some(line) = self.recogniser.line().filter(|_| ends_now) else { return };
        let start = Placement::from_board(line.position(0).board());
        if [false, true].into_iter().any(|rotated| Placement::from_fields(shown, rotated) == start) {
            self.recogniser.close();
            self.end_has_come(now);
        }
    }

    /// The board has shown the end of a game that has its result.
    pub(super) fn end_has_come(&mut self, now: Timestamp) {
        self.unseen_end = None;
        self.closing_at = Some(now.plus(CLOSING_MS));
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
