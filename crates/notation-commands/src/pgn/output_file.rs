//! The output of a command: a new file or standard output.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;

/// The option for the output.
#[derive(Debug, clap::Args)]
pub(super) struct OutputFile {
    /// Write to this new file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputFile {
    /// Opens the output.
    ///
    /// # Errors
    /// The file exists or cannot be created.
    pub(super) fn open(&self) -> anyhow::Result<Box<dyn Write>> {
        Ok(match &self.output {
            Some(path) => {
                let file = File::create_new(path).with_context(|| {
                    format!("{} cannot be created; name a new file in a folder that you can write to", path.display())
                })?;
                Box::new(io::BufWriter::new(file))
            }
            None => Box::new(io::BufWriter::new(io::stdout().lock())),
        })
    }
}
