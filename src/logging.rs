//! The log: lines on standard error, or entries with fields in the journal of systemd where standard error leads there.
//!
//! Must not know what is logged.

#[cfg(unix)]
mod journald;
pub(crate) mod recent;

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Begins to log. `RUST_LOG` says what; everything from `info` without it.
pub(crate) fn start() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    #[cfg(unix)]
    if let Some(journal) = journald::Journald::of_standard_error() {
        tracing_subscriber::registry().with(filter).with(recent::Recent).with(journal).init();
        return;
    }
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        // Standard error may be gone: its terminal closed. A log that cannot be written must end nothing.
        .log_internal_errors(false);
    tracing_subscriber::registry().with(filter).with(recent::Recent).with(lines).init();
}
