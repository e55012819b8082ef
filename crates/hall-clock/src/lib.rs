//! The only source of time in the daemon.
//!
//! Hall time is UTC at the start plus elapsed monotonic time, multiplied by a speed in demonstrations: sessions, delay
//! and pages follow it, and a jump of the machine's date moves nothing. Knows nothing of what happens at which time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Local, NaiveDate};

pub use game_core::time::UtcMs;

/// Hall time; copies agree with each other.
#[derive(Clone, Copy, Debug)]
pub struct HallClock {
    origin: Instant,
    origin_utc_ms: UtcMs,
    speed: f64,
    /// Set by a test; then nothing else counts.
    by_hand: Option<&'static HandSet>,
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
        Self { origin: Instant::now(), origin_utc_ms, speed, by_hand: None }
    }

    /// A clock that is set by hand, for tests.
    #[cfg(feature = "test-support")]
    pub fn by_hand(set: &'static HandSet) -> Self {
        Self { by_hand: Some(set), ..Self::start_at(0, 1.0) }
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

    /// The machine's own time, which no change of the date moves.
    pub fn boot_time(&self) -> Option<BootTime> {
        let Some(set) = self.by_hand else { return BootTime::now() };
        let boot = set.boot.load(Ordering::SeqCst).to_string();
        Some(BootTime { boot: boot.into(), monotonic_ms: set.monotonic_ms.load(Ordering::SeqCst) })
    }

    /// Hall time now.
    pub fn now(&self) -> UtcMs {
        self.at(Instant::now())
    }

    /// Hall time at an instant; that of the start for every one before it.
    pub fn at(&self, instant: Instant) -> UtcMs {
        if let Some(set) = self.by_hand {
            return set.time.load(Ordering::SeqCst);
        }
        let elapsed = instant.saturating_duration_since(self.origin).mul_f64(self.speed);
        self.origin_utc_ms + u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }

    /// How long to wait in real time until hall time is `at`; zero when it is past.
    pub fn real_until(&self, at: UtcMs) -> Duration {
        let hall_ms = at.saturating_sub(self.now());
        // A clock that stands still never gets there.
        Duration::try_from_secs_f64(hall_ms as f64 / 1000.0 / self.speed).unwrap_or(Duration::MAX)
    }

    /// Sleeps until hall time is `at`.
    pub async fn sleep_until(&self, at: UtcMs) {
        tokio::time::sleep(self.real_until(at)).await;
    }
}

/// What a clock that is set by hand shows.
#[derive(Debug, Default)]
pub struct HandSet {
    /// Hall time.
    pub time: AtomicU64,
    /// Names the boot of the machine.
    pub boot: AtomicU64,
    /// The machine's monotonic clock.
    pub monotonic_ms: AtomicU64,
}

/// The machine's own time: which boot it is, and a clock that no change of the date moves. Two such times of one boot say how
/// much time is between them, also when the daemon was restarted in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootTime {
    /// Names the boot.
    pub boot: Arc<str>,
    /// The monotonic clock in milliseconds.
    pub monotonic_ms: u64,
}

/// Says which boot it is where the system's own file cannot be read: the unit of systemd hides it, and sets this.
#[cfg(target_os = "linux")]
const BOOT_ID: &str = "BOARDCAST_BOOT_ID";

impl BootTime {
    /// The time now; none on systems that do not name their boots.
    #[cfg(target_os = "linux")]
    pub fn now() -> Option<Self> {
        let given = std::env::var(BOOT_ID).ok().filter(|boot| !boot.is_empty());
        let boot = given.or_else(|| std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok())?;
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let monotonic_ms = u64::try_from(now.tv_sec).ok()? * 1000 + u64::try_from(now.tv_nsec).ok()? / 1_000_000;
        Some(Self { boot: boot.trim().into(), monotonic_ms })
    }

    /// The time now; none on systems that do not name their boots.
    #[cfg(not(target_os = "linux"))]
    pub fn now() -> Option<Self> {
        None
    }

    /// Milliseconds since an earlier time of the same boot; none for another boot.
    pub fn since(&self, earlier: &Self) -> Option<u64> {
        // The kernel writes the same name with «-» in it, and systemd without.
        let is_same = self.boot.replace('-', "") == earlier.boot.replace('-', "");
        if is_same { self.monotonic_ms.checked_sub(earlier.monotonic_ms) } else { None }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boot_has_one_name_however_it_is_written() {
        let at = |boot: &str, monotonic_ms| BootTime { boot: boot.into(), monotonic_ms };
        let (kernel, systemd) = ("8f2ac1c6-6a4e-4f0c-9d2e-0f6b7a1b2c3d", "8f2ac1c66a4e4f0c9d2e0f6b7a1b2c3d");
        assert_eq!(at(systemd, 5000).since(&at(kernel, 2000)), Some(3000));
        assert_eq!(at(systemd, 1000).since(&at(systemd, 2000)), None, "the clock never goes back within a boot");
        assert_eq!(at(kernel, 5000).since(&at("another", 2000)), None);
    }
}
