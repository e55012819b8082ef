//! Starts, restarts and stops the tasks of the daemon.
//!
//! A replaceable task that fails is restarted with capped, jittered back-off. An essential task that fails ends the process,
//! which the service manager restarts. Must not know what the tasks do.

use std::future::Future;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Shortest delay before a restart.
const BACKOFF_START: Duration = Duration::from_millis(500);

/// Longest delay before a restart.
const BACKOFF_CAP: Duration = Duration::from_secs(30);

/// Maximum time for tasks to stop.
const STOP_DEADLINE: Duration = Duration::from_secs(10);

/// Exponential back-off with a cap and jitter, so that many tasks do not retry at the same moment.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    start: Duration,
    cap: Duration,
    next: Duration,
}

impl Backoff {
    /// A back-off with delays between half of `start` and `cap`.
    pub const fn new(start: Duration, cap: Duration) -> Self {
        Self { start, cap, next: start }
    }

    /// The next delay: a random part, at least half, of the current length, which then doubles.
    pub fn wait(&mut self) -> Duration {
        let full = self.next;
        self.next = full.saturating_mul(2).min(self.cap);
        full.mul_f64(0.5 + fastrand::f64() / 2.0)
    }

    /// Returns to the shortest delay.
    pub const fn reset(&mut self) {
        self.next = self.start;
    }
}

/// How a task ends: some only at the stop, others also with an error.
pub trait Ended {
    /// The error, if it is one.
    ///
    /// # Errors
    /// What the task ended with.
    fn ended(self) -> anyhow::Result<()>;
}

impl Ended for () {
    fn ended(self) -> anyhow::Result<()> {
        Ok(())
    }
}

impl Ended for anyhow::Result<()> {
    fn ended(self) -> anyhow::Result<()> {
        self
    }
}

/// The tasks of the process.
#[derive(Debug)]
pub struct Supervisor {
    stop: CancellationToken,
    essential: JoinSet<(&'static str, anyhow::Result<()>)>,
    replaceable: JoinSet<()>,
}

impl Supervisor {
    /// A supervisor without tasks; `stop` ends all of them.
    pub fn new(stop: CancellationToken) -> Self {
        Self { stop, essential: JoinSet::new(), replaceable: JoinSet::new() }
    }

    /// Starts a task without which the process cannot work.
    pub fn essential(&mut self, name: &'static str, task: impl Future<Output: Ended> + Send + 'static) {
        self.essential.spawn(async move { (name, task.await.ended()) });
    }

    /// Starts a task that is restarted when it fails or panics before the stop.
    pub fn replaceable<T>(&mut self, name: &'static str, start: impl Fn() -> T + Send + 'static)
    where
        T: Future<Output: Ended + Send> + Send + 'static,
    {
        let stop = self.stop.clone();
        self.replaceable.spawn(async move {
            let mut backoff = Backoff::new(BACKOFF_START, BACKOFF_CAP);
            while !stop.is_cancelled() {
                let began = Instant::now();
                let ended = tokio::spawn(start()).await;
                let failure = match ended.map(Ended::ended) {
                    Ok(Ok(())) => return,
                    Ok(Err(error)) => format!("{error:#}"),
                    Err(panic) => panic.to_string(),
                };
                if began.elapsed() > BACKOFF_CAP {
                    backoff.reset();
                }
                let wait = backoff.wait();
                tracing::error!(task = name, failure, "{name} failed; it restarts in {:.1} s", wait.as_secs_f64());
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = tokio::time::sleep(wait) => {}
                }
            }
        });
    }

    /// Waits for the stop, then up to [`STOP_DEADLINE`] for the tasks to end.
    ///
    /// # Errors
    /// When an essential task ended before the stop, or tasks do not end in time.
    pub async fn run(mut self) -> anyhow::Result<()> {
        let early = tokio::select! {
            () = self.stop.cancelled() => Ok(()),
            Some(ended) = self.essential.join_next() => match ended {
                Ok((_, Ok(()))) if self.stop.is_cancelled() => Ok(()),
                Ok((name, Ok(()))) => Err(anyhow::anyhow!("the {name} ended unexpectedly")),
                Ok((name, Err(error))) => Err(error.context(format!("the {name} failed"))),
                Err(panic) => Err(anyhow::Error::new(panic).context("an essential task panicked")),
            },
        };
        self.stop.cancel();
        let stopped = tokio::time::timeout(STOP_DEADLINE, async {
            while self.replaceable.join_next().await.is_some() {}
            while let Some(ended) = self.essential.join_next().await {
                let (name, result) = ended.context("a task panicked while it stopped")?;
                result.with_context(|| format!("the {name} failed while it stopped"))?;
            }
            Ok::<_, anyhow::Error>(())
        })
        .await;
        early?;
        match stopped {
            Ok(result) => result,
            Err(_) => bail!("some tasks did not stop within {} s", STOP_DEADLINE.as_secs()),
        }
    }
}

/// Cancels `stop` at the first SIGINT, SIGTERM or SIGHUP; a second SIGINT or SIGTERM exits at once.
///
/// # Errors
/// When signal handlers cannot be installed.
pub fn stop_on_signals(stop: &CancellationToken) -> anyhow::Result<()> {
    let mut signals = Signals::listen().context("the system does not allow signal handlers")?;
    let stop = stop.clone();
    tokio::spawn(async move {
        let name = signals.next().await;
        tracing::info!("stopping: {name}");
        stop.cancel();
        // A terminal that closes sends SIGHUP, and its shell sends it again: that asks for nothing more.
        while signals.next().await == HANGUP {}
        // 130 is the exit code that shells expect after an interrupt.
        std::process::exit(130);
    });
    Ok(())
}

/// The signal of a terminal that closes.
const HANGUP: &str = "SIGHUP";

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// The name of the next signal.
    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.hangup.recv() => HANGUP,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> &'static str {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        "Ctrl-C"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test(start_paused = true)]
    async fn a_replaceable_task_comes_back_after_errors_and_panics() {
        let stop = CancellationToken::new();
        let mut supervisor = Supervisor::new(stop.clone());
        let starts = Arc::new(AtomicU32::new(0));
        let (counted, ended) = (starts.clone(), stop.clone());
        supervisor.replaceable("discovery", move || {
            let (start, ended) = (counted.fetch_add(1, Ordering::SeqCst), ended.clone());
            async move {
                match start {
                    0 => bail!("a folder vanished"),
                    1 => panic!("a mistake in the program"),
                    _ => {
                        ended.cancel();
                        Ok(())
                    }
                }
            }
        });
        supervisor.run().await.unwrap();
        assert_eq!(starts.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn an_essential_task_that_fails_ends_the_process_with_its_reason() {
        let mut supervisor = Supervisor::new(CancellationToken::new());
        supervisor.essential("recorder", async { bail!("the disk is full") });
        let error = supervisor.run().await.unwrap_err();
        assert_eq!(format!("{error:#}"), "the recorder failed: the disk is full");
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_does_not_stop_is_not_waited_for_for_ever() {
        let stop = CancellationToken::new();
        let mut supervisor = Supervisor::new(stop.clone());
        supervisor.essential("listener", std::future::pending::<()>());
        stop.cancel();
        assert!(supervisor.run().await.is_err());
    }

    #[test]
    fn waits_grow_to_the_cap_and_begin_again() {
        let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(8));
        for full in [1.0, 2.0, 4.0, 8.0, 8.0] {
            let wait = backoff.wait().as_secs_f64();
            assert!((full / 2.0..=full).contains(&wait), "{wait} s is not a share of {full} s");
        }
        backoff.reset();
        assert!(backoff.wait() <= Duration::from_secs(1));
    }
}
