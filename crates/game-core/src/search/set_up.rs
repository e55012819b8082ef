//! What stands on a board without a game: a start with pieces wrong, which people have to mend, or a game that began before
//! anybody looked, which the board's log knows.
//!
//! Knows the expected start. Must not know lines of play.

use dgt_protocol::PieceCode;
use shakmaty::{Bitboard, Chess, Position, Square};

use super::weights as w;
use crate::placement::Placement;
use crate::time::Timestamp;

/// What has to be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// The squares are told.
    TellWrong,
    /// They are right again.
    TellRight,
    /// A dump is asked for: a message may have been lost.
    AskDump,
    /// The board's log is asked for.
    AskLog,
}

/// What stands on a board without a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(super) struct SetUp {
    /// The squares on which a start stands wrongly.
    pub(super) wrong: Vec<Square>,
    told: bool,
    changed_at: Option<Timestamp>,
    looked: bool,
    log_due: bool,
    logs_asked: u32,
    /// When the log of a game that stands there is asked for.
    join_at: Option<Timestamp>,
    begun: bool,
}

impl SetUp {
    /// The board has changed.
    pub(super) fn changed(&mut self, now: Timestamp) {
        (self.changed_at, self.looked) = (Some(now), false);
    }

    /// The board was out of reach: its log may know more.
    pub(super) fn lost_contact(&mut self) {
        self.logs_asked = 0;
    }

    /// A game has begun.
    pub(super) fn begin(&mut self) -> Option<Due> {
        let told = self.told;
        *self = Self { begun: true, ..Self::default() };
        told.then_some(Due::TellRight)
    }

    pub(super) fn next_deadline(&self) -> Option<Timestamp> {
        let Some(changed) = self.changed_at else { return self.join_at };
        if !self.looked {
            return self.join_at.into_iter().chain([changed.plus(w::SETTLED_MS)]).min();
        }
        let wrong = (!self.wrong.is_empty() && !self.told).then(|| changed.plus(w::PATIENCE_MS));
        let log = (self.log_due && self.logs_asked < w::TWICE).then(|| changed.plus(w::SILENT_MS));
        [wrong, log, self.join_at].into_iter().flatten().min()
    }

    /// Whether a game stands there, and not a start: its log is asked for, however the pieces move meanwhile.
    pub(super) fn expects_log(&mut self, now: Timestamp, placement: &Placement, start: &Chess) -> bool {
        let wanted = Placement::from_board(start.board());
        let far = [wanted, wanted.turned()].iter().all(|wanted| placement.difference(wanted).len() > w::FEW_SQUARES);
        let kings = [PieceCode::WhiteKing, PieceCode::BlackKing];
        let both = kings.iter().all(|&king| placement.squares_with(king).count() == 1);
        self.join_at = (far && both && self.logs_asked < w::TWICE).then(|| now.plus(w::SILENT_MS));
        self.join_at.is_some()
    }

    /// Looks at what stands there.
    pub(super) fn look(&mut self, now: Timestamp, placement: &Placement, start: &Chess, dead: Bitboard) -> Vec<Due> {
        let mut due = Vec::new();
        if self.join_at.take_if(|at| *at <= now).is_some() {
            (self.log_due, self.logs_asked) = (false, self.logs_asked + 1);
            due.push(Due::AskLog);
        }
        let Some(changed) = self.changed_at else { return due };
        if !self.looked && now.since(changed) >= w::SETTLED_MS {
            self.looked = true;
            due.push(Due::AskDump);
            let wanted = Placement::from_board(start.board()).without(dead);
            let wrong = [wanted, wanted.turned()].map(|wanted| placement.difference(&wanted));
            let [straight, turned] = wrong;
            let wrong =
                if turned.len() < straight.len() { turned.iter().map(|s| s.rotate_180()).collect() } else { straight };
            let nearly = (1..=w::FEW_SQUARES).contains(&wrong.len());
            let wrong = if nearly { wrong } else { Vec::new() };
            if wrong != self.wrong && std::mem::take(&mut self.told) {
                due.push(Due::TellRight);
            }
            self.log_due = !nearly && !self.begun && self.join_at.is_none() && self.logs_asked == 0;
            self.wrong = wrong;
        }
        if self.looked && !self.told && !self.wrong.is_empty() && now.since(changed) >= w::PATIENCE_MS {
            self.told = true;
            due.push(Due::TellWrong);
        }
        if self.log_due && self.logs_asked < w::TWICE && now.since(changed) >= w::SILENT_MS {
            (self.log_due, self.logs_asked) = (false, self.logs_asked + 1);
            due.push(Due::AskLog);
        }
        due
    }

    /// The log was of no use.
    pub(super) fn log_failed(&mut self) {
        self.log_due = !self.begun;
    }
}
