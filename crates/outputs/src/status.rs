//! The state of an output in words that a person understands.

use coded_text::CodedText;
use hall_clock::UtcMs;
use serde::Serialize;

use crate::sentence::OutputSentence;

/// After this time of failures, or of one attempt that does not end, an output asks for a person; in milliseconds.
pub(crate) const ALARM_MS: u64 = 60_000;

/// What an output does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It has just begun.
    #[default]
    Starting,
    /// A person paused it.
    Paused,
    /// There is nothing to send yet.
    Idle,
    /// The consumer has everything.
    UpToDate,
    /// It sends now, or will within a second.
    Sending,
    /// An attempt failed; it tries again by itself.
    Retrying,
    /// Attempts have failed for more than a minute.
    Failing,
}

/// A game or file that the consumer did not take, or has otherwise than it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemProblem {
    /// The game or file.
    pub item: Box<CodedText>,
    /// What is wrong with it.
    pub reason: Box<CodedText>,
}

/// The state of an output. Instants are UTC milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// What it does.
    pub state: State,
    /// Why it fails, and what to do; none while it works.
    pub trouble: Option<CodedText>,
    /// What a person has to look at although it works.
    pub warnings: Vec<CodedText>,
    /// When something that it sends changed last.
    pub changed_at: Option<UtcMs>,
    /// When the consumer took something last.
    pub sent_at: Option<UtcMs>,
    /// What the consumer answered last.
    pub answer: Option<CodedText>,
    /// When it answered.
    pub answered_at: Option<UtcMs>,
    /// Since when the oldest change waits.
    pub behind_since: Option<UtcMs>,
    /// Games or files that wait.
    pub waiting: usize,
    /// Games or files that the consumer has.
    pub sent: usize,
    /// When it tries again.
    pub next_attempt_at: Option<UtcMs>,
    /// Since when attempts have failed.
    pub failing_since: Option<UtcMs>,
    /// Attempts that failed since the start of the daemon.
    pub failures: u64,
    /// Since when the running attempt has lasted.
    pub attempt_since: Option<UtcMs>,
    /// Games or files with problems.
    pub problems: Vec<ItemProblem>,
}

impl Status {
    /// The same at a later instant: attempts that do not end fail too.
    #[must_use]
    pub fn at(mut self, now: UtcMs) -> Self {
        let long = |since: Option<UtcMs>| since.is_some_and(|since| now.saturating_sub(since) > ALARM_MS);
        if self.state == State::Retrying && long(self.failing_since) {
            self.state = State::Failing;
        }
        if long(self.attempt_since) && self.state != State::Paused {
            self.state = State::Failing;
            self.trouble.get_or_insert_with(|| OutputSentence::Hangs.coded());
        }
        self
    }

    /// What a person has to know at once: it fails for more than a minute, or works otherwise than was meant.
    pub fn alarm(&self) -> Option<CodedText> {
        match self.state {
            State::Paused => None,
            State::Failing => self.trouble.clone(),
            _ => self.warnings.first().cloned(),
        }
    }

    /// For how long the oldest change has waited, in milliseconds.
    pub fn lag_ms(&self, now: UtcMs) -> u64 {
        self.behind_since.map_or(0, |since| now.saturating_sub(since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::NoAnswer;

    #[test]
    fn failures_become_an_alarm_after_a_minute() {
        let status = Status {
            state: State::Retrying,
            trouble: Some(NoAnswer::Late.coded()),
            failing_since: Some(1000),
            ..Status::default()
        };
        assert_eq!(status.clone().at(61_000).alarm(), None);
        assert_eq!(status.clone().at(61_001).alarm(), Some(NoAnswer::Late.coded()));
        let paused = Status { state: State::Paused, ..status };
        assert_eq!(paused.at(1_000_000).alarm(), None);
    }

    #[test]
    fn an_attempt_that_never_ends_is_an_alarm() {
        let hanging = Status { state: State::Sending, attempt_since: Some(0), ..Status::default() };
        assert_eq!(hanging.clone().at(60_000).state, State::Sending);
        assert_eq!(hanging.at(60_001).alarm(), Some(OutputSentence::Hangs.coded()));
    }
}
