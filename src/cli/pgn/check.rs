//! `boardcast pgn check`: is every game whole, legal and free of contradictions?

use notation::pgn::{Reader, findings};

use super::input::Files;
use crate::cli::{Done, output};

/// Say what is wrong with games
///
/// Checks that every game can be read, that every move is legal, variations included, and that its tags fit each other
/// and the moves. Prints a line for each game that is damaged or contradicts itself, and how many games are sound.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: Files,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let mut contradictory = 0;
    let tally = args.files.each_game(
        || Reader::new().check_moves().skip_comments(),
        |game, place| {
            let found = findings(&game);
            for finding in &found {
                eprintln!("boardcast: {}, game at line {}: {finding}", place.file, place.line);
            }
            contradictory += u64::from(!found.is_empty());
            Ok(())
        },
    )?;
    let sound = tally.games - contradictory;
    output::print(&format!("{sound} sound, {contradictory} with contradictions, {} damaged\n", tally.damaged))?;
    Ok(if contradictory == 0 { tally.done() } else { Done::Partly })
}
