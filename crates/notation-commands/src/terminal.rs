//! Standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Context;

/// Writes text to standard output and flushes it.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("standard output cannot be written")
}

/// Writes a one-line message to standard error, after the name of the program.
pub(crate) fn warn(message: impl Display) {
    eprintln!("boardcast: {message}");
}
