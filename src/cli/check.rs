//! `boardcast check`: is what the daemon keeps sound?

use std::path::PathBuf;

use super::{Done, output};
use crate::config::{Config, PAIRINGS_FOLDER, default_data_folder};
use crate::transport::capture_check::check_captures;
use journal::Findings;
use journal::Reader;

/// Faults that are named; with more, all is damaged.
const TOLD: usize = 50;

/// Is what the daemon keeps sound? Reads the journal and all captures
///
/// Everything that follows from the journal's events is computed again and compared. A daemon may be at work meanwhile.
/// The exit code is 1 when something is wrong; each line says where, and what to do.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    folder: DataArgs,
}

/// Which data folder is meant.
#[derive(Debug, clap::Args)]
pub(super) struct DataArgs {
    /// Configuration file of the daemon (TOML)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The daemon's data folder
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// The folders that a daemon works with.
pub(super) struct Folders {
    /// What it keeps.
    pub(super) data: PathBuf,
    /// Pairings that load by themselves.
    pub(super) pairings: PathBuf,
}

impl DataArgs {
    pub(super) fn folder(self) -> anyhow::Result<PathBuf> {
        Ok(self.folders()?.data)
    }

    pub(super) fn folders(self) -> anyhow::Result<Folders> {
        let config = self.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
        let data = match self.data.or(config.data) {
            Some(folder) => folder,
            None => default_data_folder()?,
        };
        let pairings = config.pairings_folder.unwrap_or_else(|| data.join(PAIRINGS_FOLDER));
        Ok(Folders { data, pairings })
    }
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    let data = args.folder.folder()?;
    let mut findings = Findings::default();
    Reader::open_in(&data)?.check(&mut findings)?;
    check_captures(&data.join("captures"), &mut findings);
    for fault in findings.faults.iter().take(TOLD) {
        eprintln!("boardcast: {fault}");
    }
    if findings.faults.len() > TOLD {
        eprintln!("boardcast: and {} further faults", findings.faults.len() - TOLD);
    }
    let Findings { games, events, facts, captures, faults } = findings;
    output::print(&format!(
        "{games} games with {events} events, {facts} facts of the hall and {captures} captures: {}\n",
        if faults.is_empty() { "sound".to_owned() } else { format!("{} faults", faults.len()) }
    ))?;
    Ok(if faults.is_empty() { Done::Fully } else { Done::Partly })
}
