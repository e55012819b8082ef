//! How long an answer is waited for on a line.
//!
//! A command that is repeated too early gets two answers: the second one costs the line its time, and more to be sure that it is
//! no answer to a later command. On a line that is busy for this reason everything comes later still. So the wait grows with
//! answers that came after it, and shrinks slowly while they come in time. Answers that never come change nothing: a board that
//! was pulled holds up the others no longer than before. Must not know boards.

use dgt_protocol::BusCommand;

/// Most that is added to the wait on a slow line, in ms.
const MOST_LAG_MS: u64 = 1_000;
/// Answers in time after which the added wait has shrunk to about a third.
const SHRINKS_OVER: u64 = 64;
/// Longest pause within an answer, in ms.
const PAUSE_MS: u64 = 60;
/// Bytes that a line carries in a second, at 9600 baud.
const BYTES_A_SECOND: u64 = 960;
/// Bytes of changes that a board writes in a second of fast play: a ply of a second is a capture and a press.
const CHANGES_A_SECOND: u64 = 12;
/// Most bytes of changes that are waited for as a whole; longer ones come in pieces, each of which prolongs the wait.
const MOST_CHANGES: u64 = 480;
/// Time in which a board writes the start of a game to its log, in ms (docs/protocol.md, 7.2).
const START_MS: u64 = 100;

/// What is known of the time that answers of a line take.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerTime {
    /// Until an answer begins on a line that is not slow.
    begins_ms: u64,
    /// What is added on this line now.
    lag_ms: u64,
}

impl AnswerTime {
    /// A line on which answers begin within this time.
    pub(super) fn new(begins_ms: u64) -> Self {
        Self { begins_ms, lag_ms: 0 }
    }

    /// An answer came after its command was repeated or given up.
    pub(super) fn late(&mut self) {
        self.lag_ms = (2 * self.lag_ms + self.begins_ms).min(MOST_LAG_MS);
    }

    /// An answer came in time.
    pub(super) fn in_time(&mut self) {
        self.lag_ms -= self.lag_ms.div_ceil(SHRINKS_OVER);
    }

    /// How long the answer to a command is waited for, in ms: adapters and serial servers may hand it over when it is complete.
    /// A board has changes of `unfetched_ms`.
    pub(super) fn wait_ms(&self, command: BusCommand, unfetched_ms: u64) -> u64 {
        let bytes = match command {
            BusCommand::Changes(_) | BusCommand::RepeatChanges(_) => {
                (unfetched_ms.saturating_mul(CHANGES_A_SECOND) / 1_000).min(MOST_CHANGES)
            }
            BusCommand::FromStart(_) => MOST_CHANGES,
            BusCommand::Board(_) => 64,
            _ => 0,
        };
        let writing_ms = if matches!(command, BusCommand::StartGame(_)) { START_MS } else { 0 };
        self.begins_ms + self.lag_ms + bytes * 1_000 / BYTES_A_SECOND + writing_ms
    }

    /// Longest pause within an answer, in ms.
    pub(super) fn pause_ms(&self) -> u64 {
        PAUSE_MS + self.lag_ms
    }
}
