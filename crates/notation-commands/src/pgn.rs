//! `boardcast pgn`: check, clean, sort, merge and split files of games.

mod check;
mod output_file;
mod rewrite;
mod split;

use clap::Subcommand;

use crate::done::Done;

/// Check, clean, sort, merge and split PGN files
///
/// Every command reads the named files, or standard input, in any encoding and in the varied forms that real programs
/// write. A damaged game is reported with its line and left out; the other games are processed, and the exit code is 1.
/// `--rejects FILE` keeps the damaged games. A stray character or glyph, or the rest of a variation after an illegal move,
/// is reported and left out of its game.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub struct PgnCommand {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    Check(check::Args),
    Clean(rewrite::CleanArgs),
    Reduce(rewrite::ReduceArgs),
    Sort(rewrite::SortArgs),
    Merge(rewrite::MergeArgs),
    Split(split::Args),
}

impl PgnCommand {
    /// Runs the subcommand.
    ///
    /// # Errors
    /// The output or a temporary file cannot be written.
    pub fn run(&self) -> anyhow::Result<Done> {
        match &self.command {
            Subcommands::Check(args) => check::run(args),
            Subcommands::Clean(args) => rewrite::clean(args),
            Subcommands::Reduce(args) => rewrite::reduce(args),
            Subcommands::Sort(args) => rewrite::sort(args),
            Subcommands::Merge(args) => rewrite::merge(args),
            Subcommands::Split(args) => split::run(args),
        }
    }
}
