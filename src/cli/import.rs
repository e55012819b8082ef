//! `boardcast import`: puts games into the journal and pairings into the daemon's folder of pairings.

mod events;
mod record;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::data_args::DataArgs;
use super::{games, output};
use crate::director::initial::read_pairings;
use crate::director::pairings_outcome::{Outcome, State};
use crate::input_file::read_bytes;
use journal::{DataFolder, JournalError, Reader};
use notation_commands::Done;
use pairings::encoding::decode;
use pairings::preview::preview;
use pairings::{MAX_BYTES, is_pgn};
use tournament::{Hall, is_slug};

/// How long a running daemon is waited for; it takes up to four seconds.
const PATIENCE: Duration = Duration::from_secs(15);

/// Interval between two looks at what it did.
const LOOK: Duration = Duration::from_millis(100);

/// Import games and pairings
///
/// Games (PGN with moves, or PGC) become finished games of a section in the journal; the daemon must not be running. Pairings
/// in any form are copied to the folder from which the daemon loads them; if it is running, this says what it did with them.
/// Importing a file again changes
/// nothing.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files with games or with pairings
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The section, by its name in addresses. Without it, games go to the section of their tag Event, and pairings to the
    /// only section
    #[arg(long, value_name = "SECTION")]
    section: Option<String>,
    /// Make the section of --section when it does not exist; it may be public at once
    #[arg(long, requires = "section")]
    new_section: bool,
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    if let Some(section) = args.section.as_ref().filter(|section| !is_slug(section)) {
        bail!("«{section}» cannot be the name of a section in addresses: use lower-case letters, digits and -");
    }
    let folders = args.folder.folders()?;
    if let Some(section) = args.section.as_ref().filter(|_| !args.new_section) {
        known_section(&folders.data, section)?;
    }
    let (mut pairings, mut games, mut placed) = (Vec::new(), Vec::new(), Done::Fully);
    for file in args.files {
        if is_pairings(&file)? { pairings.push(file) } else { games.push(file) }
    }
    if !pairings.is_empty() {
        let folder = match &args.section {
            Some(section) => folders.pairings.join(section),
            None => folders.pairings,
        };
        placed = place(&pairings, &folder, &folders.data)?;
    }
    if games.is_empty() { Ok(placed) } else { record::import(&folders.data, args.section.as_deref(), &games) }
}

/// Whether the journal has this section: a wrong letter must not make another one.
///
/// # Errors
/// When it has not; the sentence names those that it has.
fn known_section(data: &Path, section: &str) -> anyhow::Result<()> {
    let hall = match Reader::open_in(data) {
        Ok(reader) => reader.hall()?.0,
        Err(JournalError::Missing(_)) => Hall::default(),
        Err(error) => return Err(error.into()),
    };
    if hall.section(section).is_some() {
        return Ok(());
    }
    let known: Vec<_> = hall.sections.keys().map(|slug| format!("«{slug}»")).collect();
    let known = if known.is_empty() { "There is none yet".into() } else { format!("There are: {}", known.join(", ")) };
    bail!("there is no section «{section}», and nothing was imported. {known}. With --new-section it is made");
}

/// Whether a file has pairings and no moves.
fn is_pairings(path: &Path) -> anyhow::Result<bool> {
    if games::is_pgc(path) {
        return Ok(false);
    }
    let bytes = match read_bytes(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        // Larger than any file of pairings.
        Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => return Ok(false),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", path.display())),
    };
    let Ok((text, _)) = decode(&bytes) else { return Ok(false) };
    let played = |game: Result<notation::pgn::Game, _>| game.is_ok_and(|game| game.line().next().is_some());
    Ok(!is_pgn(&text) || !notation::pgn::read_games(&text).any(played))
}

/// Copies files of pairings to the folder from which the daemon loads them; each appears there complete. Says what the
/// running daemon does with them.
fn place(files: &[PathBuf], folder: &Path, data: &Path) -> anyhow::Result<Done> {
    let shown = preview(&read_pairings(files)?.pairings);
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be created", folder.display()))?;
    for file in files {
        let Some(name) = file.file_name() else { bail!("{} is not a file", file.display()) };
        let mut unfinished = std::ffi::OsString::from(".");
        unfinished.push(name);
        let unfinished = folder.join(unfinished);
        let placed = fs::copy(file, &unfinished).and_then(|_| fs::rename(&unfinished, folder.join(name)));
        placed.with_context(|| format!("{} cannot be copied to {}", file.display(), folder.display()))?;
    }
    let where_to = folder.display();
    output::print(&format!("{shown}The pairings are in {where_to} now.\n"))?;
    if !matches!(DataFolder::take(data), Err(JournalError::InUse(_))) {
        output::print("The daemon is not running: it loads them when it starts.\n")?;
        return Ok(Done::Fully);
    }
    let copies: Vec<_> = files.iter().filter_map(|file| Some(folder.join(file.file_name()?))).collect();
    let (text, done) = match outcome(folder, &copies) {
        Some(Outcome { state: State::Loaded, text, .. }) => (text, Done::Fully),
        Some(Outcome { text, .. }) => (text, Done::Partly),
        None => {
            let seconds = PATIENCE.as_secs();
            (format!("The running daemon has not loaded them within {seconds} s: read its log."), Done::Partly)
        }
    };
    output::print(&format!("{text}\n"))?;
    Ok(done)
}

/// What the running daemon did with all of these files; none when it takes longer than [`PATIENCE`].
fn outcome(folder: &Path, files: &[PathBuf]) -> Option<Outcome> {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        let outcomes: Vec<_> = files.iter().map_while(|file| Outcome::of_file(folder, file)).collect();
        if outcomes.len() == files.len() {
            return outcomes.into_iter().next();
        }
        std::thread::sleep(LOOK);
    }
    None
}
