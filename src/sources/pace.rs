//! When a source is asked again: its own pace, longer after failures, never at the same instant as others. Pure.

/// Longest wait after failures, in milliseconds.
const MOST_WAIT_MS: u64 = 5 * 60_000;

/// Longest wait that a server may ask for.
const MOST_ASKED_MS: u64 = 15 * 60_000;

/// How often a source is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    every_ms: u64,
    failures: u32,
}

impl Pace {
    pub(super) fn new(every_ms: u64) -> Self {
        Self { every_ms, failures: 0 }
    }

    /// Milliseconds until the next request after one that worked; `random` is from 0 to 1.
    pub(super) fn worked(&mut self, random: f64) -> u64 {
        self.failures = 0;
        spread(self.every_ms, random)
    }

    /// The same after one that failed. `asked_s` is what the server asked for.
    pub(super) fn failed(&mut self, asked_s: Option<u64>, random: f64) -> u64 {
        self.failures = self.failures.saturating_add(1);
        let grown = self
            .every_ms
            .saturating_mul(1 << self.failures.min(10))
            .clamp(self.every_ms, MOST_WAIT_MS.max(self.every_ms));
        let asked = asked_s.map_or(0, |seconds| seconds.saturating_mul(1000).min(MOST_ASKED_MS));
        spread(grown, random).max(asked)
    }
}

/// A tenth earlier or later.
fn spread(ms: u64, random: f64) -> u64 {
    (ms as f64 * (0.9 + 0.2 * random.clamp(0.0, 1.0))) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_with_failures_and_end_with_a_success() {
        let mut pace = Pace::new(10_000);
        assert_eq!(pace.worked(0.5), 10_000);
        let waits: Vec<_> = (0..7).map(|_| pace.failed(None, 0.5)).collect();
        assert_eq!(waits, [20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
        assert_eq!(pace.failed(Some(600), 0.5), 600_000);
        assert_eq!(pace.failed(Some(u64::MAX), 0.5), MOST_ASKED_MS);
        assert_eq!((pace.worked(0.0), pace.worked(1.0)), (9_000, 11_000));
    }
}
