//! `boardcast epd`: files of positions, with an engine where one is needed.
//!
//! The processing verbs of the EPD standard (7) under plain names: `normalise` is its pfdn, `purge` pfop, `analyse` pfga,
//! `mate` pfms, `targets` pfts.

mod engine;
mod input;
mod plain;
mod positions;
mod report;
mod resume;
mod search;

use clap::Subcommand;

use super::Done;

/// Files of positions (EPD): tidy them, let an engine work on them, say what came out
///
/// Damaged records are named with file, line and reason and left out; everything else is done, and the exit code is 1.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Normalise(plain::NormaliseArgs),
    Purge(plain::PurgeArgs),
    Analyse(search::AnalyseArgs),
    Mate(search::MateArgs),
    Targets(search::TargetsArgs),
    Report(report::Args),
    Positions(positions::Args),
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    match &args.command {
        Command::Normalise(args) => plain::normalise(args),
        Command::Purge(args) => plain::purge(args),
        Command::Analyse(args) => search::run(&args.common, search::Task::Analyse),
        Command::Mate(args) => search::run(&args.common, search::Task::Mate(args.moves)),
        Command::Targets(args) => search::run(&args.common, search::Task::Targets),
        Command::Report(args) => report::run(args),
        Command::Positions(args) => positions::run(args),
    }
}
