//! `boardcast import`: games into the record, pairings to where the daemon finds them.

mod events;
mod record;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::check::DataArgs;
use super::{Done, games, output};
use crate::director::initial::read_pairings;
use crate::input_file::read_bytes;
use pairings::encoding::decode;
use pairings::preview::preview;
use pairings::{MAX_BYTES, is_pgn};
use tournament::section::is_slug;

/// Games and pairings in
///
/// Games (PGN with moves, or PGC) go into the record as finished games of a section; the daemon must not be at work on the
/// data folder meanwhile. Pairings in any form go to the folder that the daemon watches, also while it is at work.
/// Importing a file again changes nothing.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files with games or with pairings
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The section, named as in addresses; without it games go to the one called like their tag Event, pairings to the
    /// only one
    #[arg(long, value_name = "SECTION")]
    section: Option<String>,
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    if let Some(section) = args.section.as_ref().filter(|section| !is_slug(section)) {
        bail!("«{section}» is no part of an address: write small letters, digits and - only");
    }
    let folders = args.folder.folders()?;
    let (mut pairings, mut games) = (Vec::new(), Vec::new());
    for file in args.files {
        if is_pairings(&file)? { pairings.push(file) } else { games.push(file) }
    }
    if !pairings.is_empty() {
        let folder = match &args.section {
            Some(section) => folders.pairings.join(section),
            None => folders.pairings,
        };
        place(&pairings, &folder)?;
    }
    if games.is_empty() { Ok(Done::Fully) } else { record::import(&folders.data, args.section.as_deref(), &games) }
}

/// Whether a file tells who meets whom and nothing of what was played.
fn is_pairings(path: &Path) -> anyhow::Result<bool> {
    if games::is_pgc(path) {
        return Ok(false);
    }
    let bytes = match read_bytes(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        // No pairings are so large.
        Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => return Ok(false),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", path.display())),
    };
    let Ok((text, _)) = decode(&bytes) else { return Ok(false) };
    let played = |game: Result<notation::pgn::Game, _>| game.is_ok_and(|game| game.line().next().is_some());
    Ok(!is_pgn(&text) || !notation::pgn::read_games(&text).any(played))
}

/// Puts files of pairings where the daemon loads them, complete from the first moment on.
fn place(files: &[PathBuf], folder: &Path) -> anyhow::Result<()> {
    let shown = preview(&read_pairings(files)?.pairings);
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    for file in files {
        let Some(name) = file.file_name() else { bail!("{} is no file", file.display()) };
        let mut unfinished = std::ffi::OsString::from(".");
        unfinished.push(name);
        let unfinished = folder.join(unfinished);
        let placed = fs::copy(file, &unfinished).and_then(|_| fs::rename(&unfinished, folder.join(name)));
        placed.with_context(|| format!("{} cannot be copied to {}", file.display(), folder.display()))?;
    }
    let where_to = folder.display();
    output::print(&format!(
        "{shown}in {where_to} now: a daemon at work loads them within seconds, any other at its start\n"
    ))
}
