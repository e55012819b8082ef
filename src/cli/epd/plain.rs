//! `boardcast epd normalise` and `purge`: records in, records out.

use std::io::{BufWriter, Write};

use anyhow::bail;
use notation::epd::{Record, is_opcode};

use super::Done;
use super::input::Input;

/// Records in canonical form: one space between parts, operations and sets in ASCII order, moves in standard notation
#[derive(Debug, clap::Args)]
pub(super) struct NormaliseArgs {
    #[command(flatten)]
    input: Input,
}

/// Records without one operation
#[derive(Debug, clap::Args)]
pub(super) struct PurgeArgs {
    /// The operation to take out, such as c0
    #[arg(value_name = "OPCODE")]
    opcode: String,
    #[command(flatten)]
    input: Input,
}

pub(super) fn normalise(args: &NormaliseArgs) -> anyhow::Result<Done> {
    copy(&args.input, |_| Ok(()))
}

pub(super) fn purge(args: &PurgeArgs) -> anyhow::Result<Done> {
    if !is_opcode(&args.opcode) {
        bail!("“{}” is no opcode: write a letter and up to 14 letters, digits or underscores", args.opcode);
    }
    copy(&args.input, |record| record.remove(&args.opcode).map(drop))
}

/// Copies every record, changed. A change that is refused is said, and the record stays as it was.
fn copy(
    input: &Input,
    mut change: impl FnMut(&mut Record) -> Result<(), notation::epd::Reason>,
) -> anyhow::Result<Done> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut refused = false;
    let read = input.each(|file, line, mut record| {
        if let Err(reason) = change(&mut record) {
            eprintln!("boardcast: {file}, line {line}: {reason}; the record is copied as it was");
            refused = true;
        }
        Ok(writeln!(out, "{record}")?)
    })?;
    out.flush()?;
    Ok(if refused { Done::Partly } else { read })
}
