//! Standard output: a reader who has seen enough (`boardcast replay ... | head`) is no failure.

use std::io::{self, Write};

use anyhow::Context;

/// Prints text as it is.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("standard output cannot be written")
}

/// Whether a command ended because nobody reads its output any more.
pub(super) fn reader_left(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
