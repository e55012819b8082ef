//! What the board told, message by message.
//!
//! Knows changes of squares, presses and time. Must not know which game is played.

use std::collections::VecDeque;

use dgt_protocol::PieceCode;
use shakmaty::Square;

use crate::event::Side;
use crate::time::Timestamp;

/// So many messages are kept: those of the moves that may still be found to have been told wrongly.
const HEARD_KEPT: usize = 80;

/// What a message told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// What is on a square now.
    Change(Square, PieceCode),
    /// Who pressed the clock.
    Press(Side),
    /// Nothing: its bytes made no sense.
    Garbled,
}

/// The last messages of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard(VecDeque<(Timestamp, Told)>);

impl Heard {
    pub(crate) fn add(&mut self, now: Timestamp, told: Told) {
        if self.0.len() == HEARD_KEPT {
            self.0.pop_front();
        }
        self.0.push_back((now, told));
    }

    /// Those since an instant.
    pub(crate) fn since(&self, since: Timestamp) -> impl Iterator<Item = (Timestamp, Told)> + '_ {
        self.0.iter().copied().filter(move |(at, _)| *at > since)
    }
}
