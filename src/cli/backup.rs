//! `boardcast backup`: a copy of the journal and the accounts.

use std::path::PathBuf;

use super::data_args::DataArgs;
use super::output;
use accounts::Accounts;
use journal::{KeptFile, Reader};
use notation_commands::Done;

/// Copy the journal and the accounts, also while the daemon is running
///
/// Captures are not in the copy. To restore it: stop the daemon, remove journal.sqlite and all files whose names begin with
/// journal.sqlite from the data folder, put the copy there as journal.sqlite, and start the daemon. Accounts that are there
/// stay; to restore those of the copy, remove accounts.sqlite as well. Keep copies where only you can read them: they have the
/// players' names and the hashes of passwords.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file to write; it must not exist
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    let data = args.folder.folder()?;
    let reader = Reader::open_in(&data)?;
    let accounts =
        if Accounts::are_in(&data) { Some(Accounts::open(&data).and_then(|accounts| accounts.copy())) } else { None };
    let (kept, said) = match accounts.transpose() {
        Ok(Some((name, content))) => {
            (vec![KeptFile { name: name.to_owned(), content }], "the journal and the accounts")
        }
        Ok(None) => (Vec::new(), "the journal (there are no accounts)"),
        Err(error) => {
            eprintln!("boardcast: {error}; the copy is without accounts");
            (Vec::new(), "the journal, without the accounts,")
        }
    };
    reader.backup(&args.file, &kept)?;
    output::print(&format!("{} is a copy of {said} as of now; captures are not in it\n", args.file.display()))?;
    Ok(Done::Fully)
}
