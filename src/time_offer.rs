//! The time that a person's device gives to a computer without a clock.
//!
//! A small computer without a battery starts at some old date and, without a network, keeps it. Its hall time then only
//! counts what elapses. An administrator's device gives the time; the daemon starts again with it, and the delay of the gate goes
//! on counting what elapsed (`publish::gate`). The system's own clock is never set. Must not know requests.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use hall_clock::{BootTime, HallClock, UtcMs};

/// Name of the file in the data folder.
const FILE: &str = "time.json";

/// The first instant that a clock can show that is right: 1 November 2026, before the first release of this program.
const EARLIEST: UtcMs = 1_793_491_200_000;

/// The last instant that is taken: the year 2100.
const LATEST: UtcMs = 4_102_444_800_000;

/// A difference that is not worth a restart, in milliseconds: the delay of a request, and clocks of phones.
const SAME: UtcMs = 60_000;

/// Whether the system's clock may be wrong; copies share what was given.
#[derive(Clone, Debug)]
pub struct TimeOffers {
    file: PathBuf,
    is_trusted: fn() -> bool,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Debug, Default)]
struct Taken {
    time: Option<GivenTime>,
    /// Whether the daemon has to start again with it.
    is_new: bool,
}

/// A time that was given, and when on this machine.
#[derive(Clone, Debug)]
struct GivenTime {
    at: UtcMs,
    instant: Instant,
    by: String,
}

/// The same in its file. It counts for one boot of the machine.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    at: UtcMs,
    boot: String,
    monotonic_ms: u64,
    by: String,
}

coded_text::coded_texts! {
    /// Why a time is not taken.
    pub enum NotTaken {
        Trusted = "clock_right", "The computer's clock is right: it needs no time from a device.";
        Backwards = "clock_backwards",
            "This time is before that of the hall, which never goes back: check the date of your device.";
        Absurd = "clock_absurd", "This is no time of today: check the date of your device.";
        Silent = "clock_silent", "The clock does not answer: try again.";
    }
}

impl TimeOffers {
    /// What was given to a daemon with this data folder since the machine started.
    pub fn open(data: &Path) -> Self {
        Self::when(data, system_is_trusted)
    }

    /// The same with another judge of the system's clock.
    pub fn when(data: &Path, is_trusted: fn() -> bool) -> Self {
        let file = data.join(FILE);
        let time = if is_trusted() { None } else { kept(&file) };
        Self { file, is_trusted, taken: Arc::new(Mutex::new(Taken { time, is_new: false })) }
    }

    /// For a hall that has a time of its own: nothing is taken.
    pub fn none() -> Self {
        Self::when(Path::new(""), || true)
    }

    /// Hall time for a start now: the system's, or what was given and what elapsed since.
    pub fn clock(&self) -> HallClock {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.is_new = false;
        match &taken.time {
            Some(given) => HallClock::start_at(given.now(), 1.0),
            None => HallClock::start(1.0),
        }
    }

    /// Whether hall time is right: the system's is trusted, or the hall goes by what someone gave. Asks the system; may block.
    pub fn is_known(&self) -> bool {
        self.given_by().is_some() || (self.is_trusted)()
    }

    /// What a person has to know of the hall's clock, which shows `now`; none when that is right. Asks the system; may block.
    pub fn doubt(&self, now: UtcMs) -> Option<String> {
        let shown = i64::try_from(now).ok().and_then(chrono::DateTime::from_timestamp_millis).unwrap_or_default();
        (!self.is_known()).then(|| {
            format!(
                "the clock of this computer is not synchronised and shows {}: connect it to a network with a time server, or give it \
                 the time of a phone at the dashboard",
                shown.format("%Y-%m-%d %H:%M UTC")
            )
        })
    }

    /// Who gave the time by which the hall goes; none as long as the daemon has still to start again with it.
    pub fn given_by(&self) -> Option<String> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.time.as_ref().filter(|_| !taken.is_new).map(|given| given.by.clone())
    }

    /// Takes the time of a device, `now` being hall time; whether the daemon has to start again with it. Asks the system; may
    /// block.
    ///
    /// # Errors
    /// [`NotTaken`].
    pub fn take(&self, at: UtcMs, by: &str, now: UtcMs) -> Result<bool, NotTaken> {
        if (self.is_trusted)() {
            return Err(NotTaken::Trusted);
        }
        if !(EARLIEST..LATEST).contains(&at) {
            return Err(NotTaken::Absurd);
        }
        if at + SAME < now {
            return Err(NotTaken::Backwards);
        }
        if at < now + SAME {
            return Ok(false);
        }
        let given = GivenTime { at, instant: Instant::now(), by: by.to_owned() };
        self.keep(&given);
        tracing::warn!(
            by,
            from = now,
            to = at,
            "the computer's clock is not right: the hall takes the time of a device"
        );
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = Taken { time: Some(given), is_new: true };
        Ok(true)
    }

    /// Whether the daemon ended only to start again with another time.
    pub fn is_new(&self) -> bool {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).is_new
    }

    /// Keeps it for the next process, as far as the system names its boots.
    fn keep(&self, given: &GivenTime) {
        let Some(boot) = BootTime::now() else { return };
        let kept =
            Kept { at: given.at, boot: boot.boot.to_string(), monotonic_ms: boot.monotonic_ms, by: given.by.clone() };
        let text = serde_json::to_vec(&kept).unwrap_or_default();
        if let Err(error) = std::fs::write(&self.file, text) {
            tracing::warn!(%error, "{} cannot be written: the time is lost with the next start", self.file.display());
        }
    }
}

impl GivenTime {
    fn now(&self) -> UtcMs {
        self.at + u64::try_from(self.instant.elapsed().as_millis()).unwrap_or_default()
    }
}

/// The time of a file, if it was given since the machine started.
fn kept(file: &Path) -> Option<GivenTime> {
    let text = crate::input_file::read_text(file, 4096).ok()?;
    let kept: Kept = serde_json::from_str(&text).ok()?;
    let then = BootTime { boot: kept.boot.into(), monotonic_ms: kept.monotonic_ms };
    let at = kept.at.checked_add(BootTime::now()?.since(&then)?)?;
    (EARLIEST..LATEST).contains(&at).then(|| GivenTime { at, instant: Instant::now(), by: kept.by })
}

/// Whether the system's clock can be right, and nothing says that it is not synchronised.
fn system_is_trusted() -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis());
    now >= EARLIEST.into() && is_synchronised() != Some(false)
}

/// Whether a time server corrected the clock; none when nothing says so.
#[cfg(target_os = "linux")]
fn is_synchronised() -> Option<bool> {
    // What systemd-timesyncd leaves.
    if Path::new("/run/systemd/timesync/synchronized").exists() {
        return Some(true);
    }
    let mut asked = std::process::Command::new("timedatectl");
    let answer = asked.args(["show", "--property=NTPSynchronized", "--value"]).output().ok()?;
    match answer.stdout.trim_ascii() {
        b"yes" => Some(true),
        b"no" => Some(false),
        _ => None,
    }
}

#[cfg(not(target_os = "linux"))]
fn is_synchronised() -> Option<bool> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: UtcMs = 1_000_000;
    const TODAY: UtcMs = EARLIEST + 86_400_000;

    #[test]
    fn a_computer_that_knows_the_time_takes_none() {
        let folder = tempfile::tempdir().unwrap();
        let offers = TimeOffers::when(folder.path(), || true);
        assert_eq!(offers.take(TODAY, "anna", OLD), Err(NotTaken::Trusted));
        assert!(offers.is_known() && !offers.is_new() && offers.given_by().is_none());
        assert!(TimeOffers::none().is_known() && offers.doubt(OLD).is_none());
    }

    #[test]
    fn the_time_of_a_device_counts_until_the_machine_starts_again() {
        let folder = tempfile::tempdir().unwrap();
        let offers = TimeOffers::when(folder.path(), || false);
        assert!(!offers.is_known());
        let doubt = offers.doubt(OLD).unwrap();
        assert!(doubt.contains("shows 1970-01-01 00:16 UTC") && doubt.contains("the time of a phone"), "{doubt}");
        for (at, refused) in [(OLD, NotTaken::Absurd), (LATEST, NotTaken::Absurd), (u64::MAX, NotTaken::Absurd)] {
            assert_eq!(offers.take(at, "anna", OLD), Err(refused));
        }
        assert_eq!(offers.take(TODAY, "anna", OLD), Ok(true));
        assert!(offers.is_new() && !offers.is_known(), "the hall goes by the old time until the daemon starts again");
        let clock = offers.clock();
        assert!((TODAY..TODAY + 60_000).contains(&clock.now()) && !offers.is_new() && offers.is_known());
        assert_eq!(offers.take(TODAY + 5000, "ben", clock.now()), Ok(false), "the same, as far as phones go");
        assert_eq!(offers.take(TODAY - 3_600_000, "ben", clock.now()), Err(NotTaken::Backwards));
        // Another process of the same boot.
        let next = TimeOffers::when(folder.path(), || false);
        assert_eq!(next.given_by(), if BootTime::now().is_some() { Some("anna".to_owned()) } else { None });
        if BootTime::now().is_some() {
            assert!((TODAY..TODAY + 60_000).contains(&next.clock().now()));
        }
        // A clock that is right by now counts again, and another boot has no time.
        assert!(TimeOffers::when(folder.path(), || true).given_by().is_none());
        let file = folder.path().join(FILE);
        let text = std::fs::read_to_string(&file).unwrap().replace("\"boot\":\"", "\"boot\":\"x");
        for text in [text.as_str(), "", "{", "null"] {
            std::fs::write(&file, text).unwrap();
            assert!(TimeOffers::when(folder.path(), || false).given_by().is_none(), "{text}");
        }
    }
}
