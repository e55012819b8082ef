//! `boardcast epd normalise` and `purge`: rewrite records.

use std::io::{BufWriter, Write};

use anyhow::bail;
use notation::epd::{Record, is_opcode};

use super::epd_files::EpdFiles;
use crate::done::Done;
use crate::terminal::warn;

/// Write records in canonical form: single spaces, operations and sets in ASCII order, moves in standard notation
#[derive(Debug, clap::Args)]
pub(super) struct NormaliseArgs {
    #[command(flatten)]
    input: EpdFiles,
}

/// Remove an operation from records
#[derive(Debug, clap::Args)]
pub(super) struct PurgeArgs {
    /// The operation to remove, such as c0
    #[arg(value_name = "OPCODE")]
    opcode: String,
    #[command(flatten)]
    input: EpdFiles,
}

pub(super) fn normalise(args: &NormaliseArgs) -> anyhow::Result<Done> {
    copy(&args.input, |_| Ok(()))
}

pub(super) fn purge(args: &PurgeArgs) -> anyhow::Result<Done> {
    if !is_opcode(&args.opcode) {
        bail!("“{}” is not an opcode; write a letter and up to 14 letters, digits or underscores", args.opcode);
    }
    copy(&args.input, |record| record.remove(&args.opcode).map(drop))
}

/// Copies every record with a change. If the change is refused, reports it and copies the record unchanged.
fn copy(
    input: &EpdFiles,
    mut change: impl FnMut(&mut Record) -> Result<(), notation::epd::Reason>,
) -> anyhow::Result<Done> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut refused = false;
    let read = input.each(|file, line, mut record| {
        if let Err(reason) = change(&mut record) {
            warn(format_args!("{file}, line {line}: {reason}; the record is copied unchanged"));
            refused = true;
        }
        Ok(writeln!(out, "{record}")?)
    })?;
    out.flush()?;
    Ok(if refused { Done::Partly } else { read })
}
