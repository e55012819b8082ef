//! Standard output. A closed pipe (`boardcast replay ... | head`) is not a failure.

use std::io::{self, Write};

use anyhow::Context;

/// Prints a text unchanged.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    print_bytes(text.as_bytes())
}

/// Prints a text in an encoding of its own.
pub(super) fn print_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).context("standard output cannot be written")
}

/// Whether a command ended because the reader of its output closed the pipe.
pub(super) fn reader_left(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// A number with its noun, e.g. `1 game`, `2 games`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
