//! The thread that owns the engine: evaluates one position after the other, and starts an engine that fails again.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use uci::{Engine, Limits};

use super::score::{Asked, Evaluation, Score};
use super::settings::Settings;
use super::shared::Shared;

/// How the priority of the engine is lowered where the system allows it, in steps of `nice`.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Time between two warnings of the log about the engine.
const WARNED_EVERY: Duration = Duration::from_hours(1);

/// How long the thread waits for what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// For each reply of the engine, beyond the time of a search.
    pub(crate) patience: Duration,
    /// After the first failure; then twice as long each time.
    pub(crate) first_pause: Duration,
    /// At most, between two failures.
    pub(crate) longest_pause: Duration,
}

impl Pace {
    pub(crate) const USUAL: Self =
        Self { patience: uci::PATIENCE, first_pause: Duration::from_secs(1), longest_pause: Duration::from_mins(5) };
}

struct Worker {
    settings: Settings,
    pace: Pace,
    shared: Arc<Shared>,
    /// None before the first start, and after a failure.
    engine: Option<Engine>,
    /// Failures in a row.
    failures: u32,
    warned_at: Option<Instant>,
}

/// Starts the thread; it ends with [`Shared::stop`], after the search that is under way.
pub(crate) fn start(settings: Settings, pace: Pace, shared: Arc<Shared>) -> io::Result<()> {
    thread::Builder::new().name("evaluations".into()).spawn(move || {
        // On Linux the priority is the thread's, and what it starts inherits it. Without the permission the engine runs as it is.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICE);
        let mut worker = Worker { settings, pace, shared, engine: None, failures: 0, warned_at: None };
        // At once, so that a program that cannot be used is said at the start.
        let started = worker.start_engine().map(|engine| {
            tracing::info!("the engine {} evaluates games with a delay of at least 15 minutes", engine.name());
            worker.engine = Some(engine);
        });
        worker.note(started);
        while let Some(fen) = worker.shared.next() {
            worker.evaluate(&fen);
        }
    })?;
    Ok(())
}

/// Starts the engine of these settings.
pub(crate) fn engine_of(settings: &Settings, patience: Duration) -> anyhow::Result<Engine> {
    let Settings { program, threads, hash_mb, .. } = settings;
    let options = [
        ("Threads", threads.to_string()),
        ("Hash", hash_mb.to_string()),
        // So that castling of every variant is understood; the value of a usual position is the same.
        ("UCI_Chess960", "true".to_owned()),
    ];
    let options = options.map(|(name, value)| (name.to_owned(), value));
    Engine::start(program, &options, patience)
}

impl Worker {
    fn evaluate(&mut self, fen: &Arc<str>) {
        match Asked::read(fen) {
            None => self.shared.impossible(fen),
            Some(Asked::Over(evaluation)) => self.shared.evaluated(fen, evaluation),
            Some(Asked::Open { fen: open, black }) => {
                let searched = catch_unwind(AssertUnwindSafe(|| self.search(fen, &open, black)));
                let fault = |_| Err(anyhow::anyhow!("this program has a fault, which is in the log"));
                self.note(searched.unwrap_or_else(fault));
            }
        }
    }

    fn search(&mut self, fen: &Arc<str>, open: &str, black: bool) -> anyhow::Result<()> {
        let time = Duration::from_millis(self.settings.time_ms.into());
        let limits = Limits { depth: Some(self.settings.depth), time: Some(time), ..Limits::default() };
        // Taken out: an engine that failed is of no more use, and dropping it ends its process.
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.start_engine()?,
        };
        let searched = engine.search(open, limits).and_then(|result| {
            let value = result.evaluation.context("the engine gave no evaluation")?;
            Ok(Evaluation { score: Score::of(value, black), depth: result.depth })
        });
        match searched {
            Ok(evaluation) => {
                self.engine = Some(engine);
                self.shared.evaluated(fen, evaluation);
                Ok(())
            }
            Err(error) => {
                self.shared.failed(fen);
                Err(error)
            }
        }
    }

    fn start_engine(&self) -> anyhow::Result<Engine> {
        let engine = engine_of(&self.settings, self.pace.patience)?;
        self.shared.name(engine.name());
        Ok(engine)
    }

    /// Logs a failure, and waits after it: longer after each one in a row.
    fn note(&mut self, done: anyhow::Result<()>) {
        let Err(error) = done else {
            self.failures = 0;
            return;
        };
        if self.warned_at.is_none_or(|warned_at| warned_at.elapsed() > WARNED_EVERY) {
            self.warned_at = Some(Instant::now());
            tracing::warn!(
                "games lack evaluations, and all else goes on: {error:#}; it is tried again. If this comes again, check the \
                 section [engine] of the settings"
            );
        } else {
            tracing::debug!("the engine fails again: {error:#}");
        }
        let factor = 1_u32.checked_shl(self.failures).unwrap_or(u32::MAX);
        self.failures += 1;
        self.shared.pause(self.pace.first_pause.saturating_mul(factor).min(self.pace.longest_pause));
    }
}
