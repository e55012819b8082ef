//! The commands `boardcast pgn ...` and `boardcast epd ...`: tools for files of games and positions.
//!
//! They use [`notation`] and, for analysis, a chess engine as a separate process (UCI). They must not know the daemon, its
//! journal or its configuration; the daemon's command line mounts [`PgnCommand`] and [`EpdCommand`] and calls their `run`.
//!
//! Start with `pgn.rs` and `epd.rs`, which list the subcommands. [`PgnFiles`], [`NewFiles`] and [`SortedGames`] read,
//! write and sort files of games; the daemon's `import` and `export` use them too.
//!
//! Damaged input is reported on standard error, one line each with file, place and reason, and left out. A command that
//! left something out returns [`Done::Partly`], which becomes exit code 1; a check that found contradictions only returns
//! [`Done::Contradictions`], exit code 3.

mod done;
mod epd;
mod new_files;
mod output;
mod pgn;
mod pgn_files;
mod sorted_games;
mod terminal;

pub use done::Done;
pub use epd::EpdCommand;
pub use new_files::NewFiles;
pub use output::{Output, unfinished_folder};
pub use pgn::PgnCommand;
pub use pgn_files::{PgnFiles, Place, Tally};
pub use sorted_games::SortedGames;

#[cfg(test)]
mod tests {
    use clap::{Args, Command};

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        PgnCommand::augment_args(Command::new("pgn")).debug_assert();
        EpdCommand::augment_args(Command::new("epd")).debug_assert();
    }
}
