//! The latest messages of the board in the current game, for finding one that was lost or damaged.
//!
//! Knows square changes, presses and instants. Must not know which game is played.

use std::collections::VecDeque;

use dgt_protocol::PieceCode;
use shakmaty::Square;

use crate::event::Side;
use crate::time::Timestamp;

/// Messages kept, the newest: enough for the plies that a later dump can still correct.
const MESSAGES_KEPT: usize = 80;

/// What one message reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardMessage {
    /// The piece that is on a square from now on.
    Change(Square, PieceCode),
    /// The player who pressed the clock.
    Press(Side),
    /// Bytes that form no message.
    Garbled,
}

/// The latest messages of a game, the oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageLog(VecDeque<(Timestamp, BoardMessage)>);

impl MessageLog {
    /// Adds a message; the oldest one goes when the log is full.
    pub(crate) fn add(&mut self, now: Timestamp, message: BoardMessage) {
        if self.0.len() == MESSAGES_KEPT {
            self.0.pop_front();
        }
        self.0.push_back((now, message));
    }

    /// The messages after an instant.
    pub(crate) fn since(&self, since: Timestamp) -> impl Iterator<Item = (Timestamp, BoardMessage)> + '_ {
        self.0.iter().copied().filter(move |(at, _)| *at > since)
    }
}
