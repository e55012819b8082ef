//! `boardcast epd`: normalise, analyse and summarise files of positions.
//!
//! The names that the EPD standard (7) gives these functions: `normalise` is pfdn, `purge` pfop, `analyse` pfga, `mate`
//! pfms, `targets` pfts.

mod epd_files;
mod plain;
mod positions;
mod report;
mod resumable_output;
mod search;

use clap::Subcommand;

use crate::done::Done;

/// Normalise, analyse and summarise files of positions (EPD)
///
/// A damaged record is reported with file, line and reason and left out; the other records are processed, and the exit
/// code is 1.
#[derive(Debug, clap::Args)]
pub struct EpdCommand {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    Normalise(plain::NormaliseArgs),
    Purge(plain::PurgeArgs),
    Analyse(search::AnalyseArgs),
    Mate(search::MateArgs),
    Targets(search::TargetsArgs),
    Report(report::Args),
    Positions(positions::Args),
}

impl EpdCommand {
    /// Runs the subcommand.
    ///
    /// # Errors
    /// The output cannot be written, or the engine cannot be started.
    pub fn run(&self) -> anyhow::Result<Done> {
        match &self.command {
            Subcommands::Normalise(args) => plain::normalise(args),
            Subcommands::Purge(args) => plain::purge(args),
            Subcommands::Analyse(args) => search::run(&args.common, search::Task::Analyse),
            Subcommands::Mate(args) => search::run(&args.common, search::Task::Mate(args.moves)),
            Subcommands::Targets(args) => search::run(&args.common, search::Task::Targets),
            Subcommands::Report(args) => report::run(args),
            Subcommands::Positions(args) => positions::run(args),
        }
    }
}
