//! What happens inside the delay changes no public byte: two halls whose corrected records agree up to an instant, and differ
//! after it, answer the same until the delay is over.

mod halls;
mod observer;
mod property;
mod steps;

use std::time::Duration;

const MINUTE: u64 = 60_000;

/// Longer than anything here takes; only a defect waits so long.
const PATIENCE: Duration = Duration::from_mins(1);
