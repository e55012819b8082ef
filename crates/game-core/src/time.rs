//! Instants as the pure core knows them: milliseconds since a session began.
//!
//! Knows nothing of calendars, time zones or the machine's clock; whoever owns a session supplies every instant and
//! knows which moment in UTC its zero is.

use serde::{Deserialize, Serialize};

/// Milliseconds since the start of the session's capture file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The start of the session.
    pub const ZERO: Self = Self(0);

    /// The instant `ms` milliseconds after the start.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms)
    }

    /// Milliseconds since the start.
    pub const fn as_ms(self) -> u64 {
        self.0
    }

    /// The instant `ms` milliseconds later; stays at the end of time rather than wrap.
    #[must_use]
    pub const fn plus(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this instant; 0 if `earlier` is in fact later, as time in a damaged capture may be.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}
