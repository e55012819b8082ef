//! `boardcast backup`: a copy of the journal.

use std::path::PathBuf;

use super::check::DataArgs;
use super::{Done, output};
use journal::Reader;

/// A copy of the journal, also while the daemon is at work
///
/// To go back to it: stop the daemon, remove journal.sqlite and the files whose names begin with it from the data folder,
/// put the copy there under that name, and start the daemon.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The copy, which must not exist
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    Reader::open_in(&args.folder.folder()?)?.backup(&args.file)?;
    output::print(&format!("{} holds the journal as it was a moment ago\n", args.file.display()))?;
    Ok(Done::Fully)
}
