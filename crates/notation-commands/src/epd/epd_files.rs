//! Reads records from EPD files or standard input; reports damaged records and continues.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context;
use notation::epd::{Record, StreamError, read_records};
use notation::fen::Reading;

use crate::done::Done;
use crate::terminal::warn;

/// EPD files to read records from, as command-line arguments.
#[derive(Debug, clap::Args)]
pub(super) struct EpdFiles {
    /// EPD files; without one, or for `-`, standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Read castling letters as X-FEN or Shredder-FEN (Chess960), also where they could be a remnant of standard chess
    #[arg(long)]
    pub(super) chess960: bool,
}

impl EpdFiles {
    /// Passes every valid record to `take`, with the name of its file and its line.
    pub(super) fn each(&self, mut take: impl FnMut(&str, usize, Record) -> anyhow::Result<()>) -> anyhow::Result<Done> {
        let standard_input = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard_input[..] } else { &self.files };
        let mut done = Done::Fully;
        for file in files {
            if self.each_of(file, &mut take)? == Done::Partly {
                done = Done::Partly;
            }
        }
        Ok(done)
    }

    fn each_of(
        &self,
        file: &Path,
        take: &mut impl FnMut(&str, usize, Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<Done> {
        let name = if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() };
        let source: Box<dyn BufRead> = if file == Path::new("-") {
            Box::new(std::io::stdin().lock())
        } else {
            match File::open(file).with_context(|| format!("{name} cannot be read")) {
                Ok(file) => Box::new(BufReader::new(file)),
                Err(error) => {
                    warn(format_args!("{error:#}"));
                    return Ok(Done::Partly);
                }
            }
        };
        let reading = if self.chess960 { Reading::LAX.chess960() } else { Reading::LAX };
        let mut records = read_records(source, reading);
        let mut done = Done::Fully;
        while let Some(record) = records.next() {
            match record {
                Ok(record) => {
                    for ignored in records.ignored() {
                        warn(format_args!("{name}, line {}: {ignored}; it is ignored", records.line()));
                        done = Done::Partly;
                    }
                    take(&name, records.line(), record)?;
                }
                Err(error) => {
                    let rest =
                        if matches!(error, StreamError::Record { .. }) { "; the record is left out" } else { "" };
                    warn(format_args!("{name}, {error}{rest}"));
                    done = Done::Partly;
                }
            }
        }
        Ok(done)
    }
}
