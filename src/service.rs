//! The service manager (systemd): sockets that it opened, readiness, and a watchdog that is fed only while the owners of the
//! daemon's state answer.
//!
//! Without a service manager nothing is sent, and the same watch feeds `/health`. Must not know what the owners do.

use std::net::TcpListener;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use listenfd::ListenFd;
use tokio_util::sync::CancellationToken;

use crate::director::DirectorHandle;
use journal::RecorderHandle;

/// How often the owners are asked without a watchdog; with one, three times within its time.
const LOOK: Duration = Duration::from_secs(5);

/// An owner that did not answer for this long hangs, where no watchdog says otherwise.
const HANGS: Duration = Duration::from_secs(30);

/// Name of the socket of the pages, `FileDescriptorName` of the socket unit.
const PAGES: &str = "pages";

/// Name of the socket of HTTPS.
const HTTPS: &str = "https";

/// Listeners that the service manager opened before the start.
#[derive(Debug, Default)]
pub struct Passed {
    /// For the pages.
    pub pages: Option<TcpListener>,
    /// For HTTPS.
    pub https: Option<TcpListener>,
}

impl Passed {
    /// Takes them.
    ///
    /// # Errors
    /// When a socket is none that the daemon can use; the sentence names it.
    pub fn take() -> anyhow::Result<Self> {
        let names = std::env::var("LISTEN_FDNAMES").unwrap_or_default();
        let names: Vec<_> = names.split(':').collect();
        let mut sockets = ListenFd::from_env();
        let mut passed = Self::default();
        for index in 0..sockets.len() {
            let name = names.get(index).copied().unwrap_or_default();
            let place = match name {
                PAGES => &mut passed.pages,
                HTTPS => &mut passed.https,
                _ => anyhow::bail!(
                    "the service manager passes a socket named «{name}»: set FileDescriptorName={PAGES} or {HTTPS} in its \
                     socket unit"
                ),
            };
            anyhow::ensure!(
                place.is_none(),
                "the service manager passes two sockets named «{name}»: give the socket unit one ListenStream"
            );
            let listener = sockets.take_tcp_listener(index)?;
            if let Some(listener) = &listener {
                // A runtime waits for it.
                listener.set_nonblocking(true)?;
            }
            *place = listener;
        }
        Ok(passed)
    }
}

/// When the owners of the daemon's state answered last; copies share it.
#[derive(Clone, Debug)]
pub struct Liveness {
    answered: Arc<Mutex<Instant>>,
    hangs: Duration,
}

impl Default for Liveness {
    fn default() -> Self {
        Self { answered: Arc::new(Mutex::new(Instant::now())), hangs: HANGS }
    }
}

impl Liveness {
    /// Whether they answered lately.
    pub fn is_live(&self) -> bool {
        self.answered.lock().unwrap_or_else(PoisonError::into_inner).elapsed() < self.hangs
    }

    fn note(&self) {
        *self.answered.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

/// Asks the owners of the daemon's state again and again until the stop, and feeds the watchdog when both answered.
///
/// A daemon that is not the service itself, as that of a rehearsal, tells the service manager nothing.
pub async fn watch(
    (recorder, director): (RecorderHandle, DirectorHandle),
    liveness: Liveness,
    is_service: bool,
    stop: CancellationToken,
) {
    let every = watchdog().map_or(LOOK, |within| within / 3);
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let (recorder, director) = tokio::join!(
            tokio::time::timeout(every, recorder.is_alive()),
            tokio::time::timeout(every, director.is_alive()),
        );
        match (recorder.unwrap_or_default(), director.unwrap_or_default()) {
            (true, true) => {
                liveness.note();
                if is_service {
                    feed_watchdog();
                }
            }
            (recorder, _) if !stop.is_cancelled() => tracing::error!(
                "the {} does not answer for {} s: check the disk; a service manager restarts the daemon",
                if recorder { "director" } else { "recorder" },
                every.as_secs_f32(),
            ),
            _ => {}
        }
    }
    if is_service {
        tell_stopping();
    }
}

#[cfg(unix)]
mod manager {
    use std::time::Duration;

    use sd_notify::NotifyState;

    /// Tells the service manager that the daemon serves, and where.
    pub fn tell_ready(status: &str) {
        tell(&[NotifyState::Ready, NotifyState::Status(status)]);
    }

    /// The time within which the watchdog has to be fed; none without one.
    pub(super) fn watchdog() -> Option<Duration> {
        sd_notify::watchdog_enabled()
    }

    pub(super) fn feed_watchdog() {
        tell(&[NotifyState::Watchdog]);
    }

    pub(super) fn tell_stopping() {
        tell(&[NotifyState::Stopping]);
    }

    fn tell(states: &[NotifyState<'_>]) {
        if let Err(error) = sd_notify::notify(states) {
            tracing::warn!(%error, "the service manager cannot be told how the daemon is");
        }
    }
}

#[cfg(not(unix))]
mod manager {
    use std::time::Duration;

    /// There is no service manager that wants to know.
    pub fn tell_ready(_status: &str) {}

    pub(super) fn watchdog() -> Option<Duration> {
        None
    }

    pub(super) fn feed_watchdog() {}

    pub(super) fn tell_stopping() {}
}

pub use manager::tell_ready;
use manager::{feed_watchdog, tell_stopping, watchdog};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_that_do_not_answer_are_not_live() {
        let fresh = Liveness::default();
        assert!(fresh.is_live());
        let late = Liveness { hangs: Duration::ZERO, ..Liveness::default() };
        assert!(!late.is_live());
        late.note();
        assert!(!late.is_live(), "what hangs at once is never live");
    }

    #[test]
    fn without_a_service_manager_no_socket_is_taken() {
        let passed = Passed::take().unwrap();
        assert!(passed.pages.is_none() && passed.https.is_none());
    }
}
