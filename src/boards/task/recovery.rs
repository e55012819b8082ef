//! When a session that failed is begun again.

use std::time::Duration;

use tokio::time::Instant;

use crate::supervisor::Backoff;

/// The first wait.
const START: Duration = Duration::from_secs(1);

/// The longest that a session which fails again and again waits.
const CAP: Duration = Duration::from_mins(1);

/// What is known about failures of the session.
pub(super) struct Recovery {
    /// When a session that failed is begun again; until then nothing is fed to it.
    pub(super) due: Option<Instant>,
    last: Option<Instant>,
    /// Whether it failed soon after it was begun again.
    pub(super) again: bool,
    backoff: Backoff,
}

impl Default for Recovery {
    fn default() -> Self {
        Self { due: None, last: None, again: false, backoff: Backoff::new(START, CAP) }
    }
}

impl Recovery {
    /// A session failed.
    pub(super) fn begin(&mut self, now: Instant) {
        self.again = self.last.replace(now).is_some_and(|last| last + 2 * CAP > now);
        if !self.again {
            self.backoff.reset();
        }
        self.due = Some(now + self.backoff.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_fails_twice_in_a_row_begins_from_nothing() {
        let mut recovery = Recovery::default();
        let first = Instant::now();
        recovery.begin(first);
        assert!(!recovery.again);
        recovery.begin(first + Duration::from_secs(5));
        assert!(recovery.again);
        recovery.begin(first + Duration::from_hours(1));
        assert!(!recovery.again);
    }
}
