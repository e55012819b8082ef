//! The option for the output.

use std::path::PathBuf;

use crate::output::Output;

/// The option for the output.
#[derive(Debug, clap::Args)]
pub(super) struct OutputFile {
    /// Write to this new file instead of standard output; it appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputFile {
    /// Opens the output.
    ///
    /// # Errors
    /// The file exists or cannot be created.
    pub(super) fn open(&self) -> anyhow::Result<Output> {
        Output::open(self.output.as_deref())
    }
}
