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
mod monitor;
mod output;
mod pairings;
mod rebuild;
mod replay;
mod run;
mod support_bundle;
mod test_alarms;
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
    TestAlarms(test_alarms::Args),
    Monitor(monitor::Args),
    SupportBundle(support_bundle::Args),
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
        Command::Monitor(args) => monitor::run(args),
        Command::SupportBundle(args) => support_bundle::run(args),
        Command::TestAlarms(args) => test_alarms::run(&args),
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

    /// The commands in a text: lines of code blocks and code in sentences that begin with the program's name.
    fn commands(text: &str) -> Vec<String> {
        let text = text.replace("\\\n", " ");
        let mut commands = Vec::new();
        let mut in_block = false;
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                in_block = !in_block;
            } else if in_block {
                commands.push(line.trim().to_owned());
            } else {
                // Between two backticks.
                commands.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
            }
        }
        let bare = |command: String| {
            let command = command.split(['#', '|', '>', ';', '&']).next().unwrap_or_default().trim().to_owned();
            // Every other part is between quotes.
            let parts = command
                .split(['"', '\''])
                .enumerate()
                .map(|(place, part)| if place % 2 == 1 { part.replace(' ', "_") } else { part.to_owned() });
            let command: String = parts.collect();
            let mut words: Vec<_> = command.split_whitespace().collect();
            // Who runs it is not a part of it.
            if words.first() == Some(&"sudo") {
                words.remove(0);
                if words.first() == Some(&"-u") {
                    words.drain(..2);
                }
            }
            let name = words.first()?.rsplit('/').next()?;
            (name == "boardcast" && words.len() > 1).then(|| words.join(" "))
        };
        commands.into_iter().filter_map(bare).collect()
    }

    #[test]
    fn every_command_in_the_documents_is_one_that_the_program_has() {
        use clap::error::ErrorKind;
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let documents = std::fs::read_dir(folder.join("docs")).unwrap().map(|entry| entry.unwrap().path());
        let units = std::fs::read_dir(folder.join("systemd")).unwrap().map(|entry| entry.unwrap().path());
        let all = documents.chain(units).chain([folder.join("README.md"), folder.join("CHANGELOG.md")]);
        let mut tried = 0;
        for path in all.filter(|path| path.extension().is_some_and(|kind| kind == "md" || kind == "toml")) {
            for command in commands(&std::fs::read_to_string(&path).unwrap()) {
                // What is left out («...») and what is one of several («A|B») is no argument.
                let words = command.split(' ').map(|word| word.trim_matches(['[', ']', '(', ')', ',', '.', '…']));
                let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
                tried += 1;
                if let Err(error) = Cli::try_parse_from(&words) {
                    // A command may be named without all that it needs.
                    let wrong = [
                        ErrorKind::UnknownArgument,
                        ErrorKind::InvalidSubcommand,
                        ErrorKind::ArgumentConflict,
                        ErrorKind::TooManyValues,
                    ];
                    assert!(!wrong.contains(&error.kind()), "{}: {command}: {error}", path.display());
                }
            }
        }
        assert!(tried > 30, "only {tried} commands were found");
    }
}
