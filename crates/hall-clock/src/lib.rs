//! The only source of time in the daemon.
//!
//! Hall time is UTC at the start plus elapsed monotonic time, multiplied by a speed in demonstrations: sessions, delay
//! and pages follow it, and a jump of the machine's date moves nothing. Knows nothing of what happens at which time.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Local, NaiveDate};

pub use game_core::time::UtcMs;

/// Hall time; copies agree with each other.
#[derive(Clone, Copy, Debug)]
pub struct HallClock {
    origin: Instant,
    origin_utc_ms: UtcMs,
    speed: f64,
}

impl HallClock {
    /// A clock that starts now and runs at `speed` hall seconds per real second (1 in a real hall).
    pub fn start(speed: f64) -> Self {
        let origin_utc_ms =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(0));
        Self::start_at(origin_utc_ms, speed)
    }

    /// A clock that starts now and takes now for this hall time.
    pub fn start_at(origin_utc_ms: UtcMs, speed: f64) -> Self {
        Self { origin: Instant::now(), origin_utc_ms, speed }
    }

    /// This clock, or one that takes now for `at` when this one is behind it.
    #[must_use]
    pub fn not_before(self, at: UtcMs) -> Self {
        if self.now() < at { Self::start_at(at, self.speed) } else { self }
    }

    /// Hall seconds per real second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Hall time now.
    pub fn now(&self) -> UtcMs {
        self.at(Instant::now())
    }

    /// Hall time at an instant; that of the start for every one before it.
    pub fn at(&self, instant: Instant) -> UtcMs {
        let elapsed = instant.saturating_duration_since(self.origin).mul_f64(self.speed);
        self.origin_utc_ms + u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }

    /// How long to wait in real time until hall time is `at`; zero when it is past.
    pub fn real_until(&self, at: UtcMs) -> Duration {
        let hall_ms = at.saturating_sub(self.now());
        Duration::from_secs_f64(hall_ms as f64 / 1000.0 / self.speed)
    }

    /// Sleeps until hall time is `at`.
    pub async fn sleep_until(&self, at: UtcMs) {
        tokio::time::sleep(self.real_until(at)).await;
    }
}

/// The time in the machine's time zone; none when it is beyond every calendar.
pub fn local_time(at: UtcMs) -> Option<DateTime<Local>> {
    let utc = DateTime::from_timestamp_millis(i64::try_from(at).ok()?)?;
    Some(utc.with_timezone(&Local))
}

/// The day in the machine's time zone.
pub fn local_date(at: UtcMs) -> NaiveDate {
    local_time(at).map_or(NaiveDate::MAX, |time| time.date_naive())
}
