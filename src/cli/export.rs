//! `boardcast export`: games out, in forms that others ask for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use notation::archive::{places, read_me};
use notation::pgn::{Reader, read_games};

use super::Done;
use super::pgn::files::NewFiles;
use super::pgn::input::Files;
use super::pgn::sorted::Sorted;

/// Games out, in forms that others ask for
///
/// `archive` makes the directory tree that the PGN standard suggests: a file for each event, each player and each day,
/// the games of each in the standard's order.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The form
    #[arg(long)]
    format: Format,
    /// Folder for the archive; files that are there already are not touched
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// PGN files with the games; none or `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// A directory tree of PGN files
    Archive,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    match args.format {
        Format::Archive => archive(&args.folder, &Files::new(args.files)),
    }
}

fn archive(folder: &Path, files: &Files) -> anyhow::Result<Done> {
    let mut sorted = Sorted::new()?;
    let tally = files.each_game(|| Reader::new().by_the_rules(), |game, _| sorted.add(&game))?;
    let mut files = NewFiles::below(folder);
    sorted.each(true, |text| {
        let game = read_games(text).next().context("a game of our own is empty")??;
        for place in places(&game) {
            files.add(&place, text)?;
        }
        Ok(())
    })?;
    let folders: BTreeSet<String> = files.names().flat_map(folders_of).collect();
    for folder in folders {
        if let Some(text) = read_me(&folder) {
            let name = if folder.is_empty() { "ReadMe".to_owned() } else { format!("{folder}/ReadMe") };
            files.add(&name, text.as_bytes())?;
        }
    }
    files.close_all()?;
    Ok(tally.done())
}

/// The folders that a path lies in, the archive's own first.
fn folders_of(path: &str) -> Vec<String> {
    let inner = path.match_indices('/').map(|(end, _)| path.get(..end).unwrap_or_default());
    std::iter::once("").chain(inner).map(str::to_owned).collect()
}
