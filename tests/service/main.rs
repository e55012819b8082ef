//! The daemon under a service manager: units that are sound and tight, readiness, the watchdog, sockets that were opened before.
#![cfg(target_os = "linux")]
#![allow(missing_docs, reason = "tests")]

mod activation;
mod clock;
mod configuration;
mod daemon;
mod listeners;
mod notify;
mod strangers;
mod support;
mod units;
mod wire;

use std::io::Write;

/// Says that a check did not run; `tests/run` repeats the line at its end.
fn skipped(sentence: &str) {
    // Printed past the test harness, which keeps the output of tests that pass.
    let _ = writeln!(std::io::stderr(), "skipped: {sentence}");
}
