//! `boardcast pgn`: what organisers do with files of games.

mod check;
pub(super) mod files;
pub(super) mod input;
mod rewrite;
pub(super) mod sorted;
mod split;

use clap::Subcommand;

use super::Done;

/// Sort, join, divide, check and clean PGN files
///
/// Every command reads the files that are named, or standard input, in any encoding and with all liberties that PGN
/// files take. A damaged game is named with its line, left out, and makes the exit code 1; all others are done.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Args),
    Clean(rewrite::CleanArgs),
    Reduce(rewrite::ReduceArgs),
    Sort(rewrite::SortArgs),
    Merge(rewrite::MergeArgs),
    Split(split::Args),
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Clean(args) => rewrite::clean(args),
        Command::Reduce(args) => rewrite::reduce(args),
        Command::Sort(args) => rewrite::sort(args),
        Command::Merge(args) => rewrite::merge(args),
        Command::Split(args) => split::run(args),
    }
}
