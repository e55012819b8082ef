//! The command line: one file for each command, and the exit codes.
//!
//! Exit codes: 0 done; 1 the work failed or is incomplete; 2 wrong usage; 3 a check found contradictions only.

mod backup;
mod boards;
mod capture;
mod check;
mod data_args;
#[cfg(feature = "demo")]
mod demo;
mod export;
mod forget;
mod games;
mod import;
mod output;
mod pairings;
mod rebuild;
mod replay;
mod run;
mod user;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use notation_commands::{Done, EpdCommand, PgnCommand};

use crate::logging;

/// Licence and notices, those of the pages included.
const NOTICES: &str = concat!(include_str!("cli/license.txt"), "\n", include_str!("../web/THIRD-PARTY.md"));

/// Live broadcast of over-the-board chess from electronic boards.
#[derive(Debug, Parser)]
#[command(version, about, disable_help_subcommand = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "demo")]
    Demo(demo::Args),
    Run(run::Args),
    Boards(boards::Args),
    Capture(capture::Args),
    Replay(replay::Args),
    Pairings(pairings::Args),
    Check(check::Args),
    Backup(backup::Args),
    Rebuild(rebuild::Args),
    Forget(forget::Args),
    Epd(EpdCommand),
    Pgn(PgnCommand),
    Export(export::Args),
    Import(import::Args),
    User(user::Args),
    /// Licence of this program, and notices of the parts made by others
    License,
}

/// Exit code of a check that found contradictions only.
const CONTRADICTIONS: u8 = 3;

/// Runs the command of the command line.
pub fn main() -> ExitCode {
    // clap itself exits with 2 after wrong usage and with 0 after help.
    let cli = Cli::parse();
    logging::start();
    match dispatch(cli.command) {
        Ok(Done::Fully) => ExitCode::SUCCESS,
        Ok(Done::Partly) => ExitCode::FAILURE,
        Ok(Done::Contradictions) => ExitCode::from(CONTRADICTIONS),
        Err(error) if output::reader_left(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("boardcast: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Command) -> anyhow::Result<Done> {
    match command {
        #[cfg(feature = "demo")]
        Command::Demo(args) => in_runtime(demo::run(args)),
        Command::Run(args) => in_runtime(run::run(args)),
        Command::Boards(args) => in_runtime(boards::run(args)),
        Command::Capture(args) => in_runtime(capture::run(args)),
        Command::Replay(args) => replay::run(&args),
        Command::Pairings(args) => pairings::run(&args),
        Command::Check(args) => check::run(args),
        Command::Backup(args) => backup::run(args),
        Command::Rebuild(args) => rebuild::run(args),
        Command::Forget(args) => in_runtime(forget::run(args)),
        Command::Epd(command) => command.run(),
        Command::Pgn(command) => command.run(),
        Command::Export(args) => export::run(args),
        Command::Import(args) => import::run(args),
        Command::User(args) => user::run(args),
        Command::License => output::print(NOTICES).map(|()| Done::Fully),
    }
}

fn in_runtime(work: impl Future<Output = anyhow::Result<Done>>) -> anyhow::Result<Done> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(work);
    // A thread that waits for a port must not delay the exit.
    runtime.shutdown_background();
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
