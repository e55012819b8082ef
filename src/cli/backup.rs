//! `boardcast backup`: a copy of the journal.

use std::path::PathBuf;

use super::data_args::DataArgs;
use super::output;
use journal::Reader;
use notation_commands::Done;

/// Copy the journal, also while the daemon is running
///
/// To restore a copy: stop the daemon, remove journal.sqlite and all files whose names begin with journal.sqlite from the data
/// folder, put the copy there as journal.sqlite, and start the daemon.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file to write; it must not exist
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    Reader::open_in(&args.folder.folder()?)?.backup(&args.file)?;
    output::print(&format!("{} is a copy of the journal as of now\n", args.file.display()))?;
    Ok(Done::Fully)
}
