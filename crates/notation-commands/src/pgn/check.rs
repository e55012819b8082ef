//! `boardcast pgn check`: reports damaged games, illegal moves and contradictory tags.

use notation::pgn::{Reader, findings};

use crate::done::Done;
use crate::pgn_files::PgnFiles;
use crate::terminal::{print, warn};

/// Report errors in games
///
/// Checks that every game can be read, that every move is legal, variations included, and that the tags agree with each
/// other and with the moves: results, mate, number of plies, move numbers, set-up position, ratings, dates. Prints one line for each error, and the number of games without errors.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: PgnFiles,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let mut contradictory = 0;
    let tally = args.files.each_game(
        || Reader::new().check_moves().keep_null_moves().check_numbers().skip_comments(),
        |game, place| {
            let found = findings(&game);
            for finding in &found {
                warn(format_args!("{}, game at line {}: {finding}", place.file, place.line));
            }
            contradictory += u64::from(place.reported || !found.is_empty());
            Ok(())
        },
    )?;
    let sound = tally.games - contradictory;
    print(&format!("{sound} sound, {contradictory} with contradictions, {} damaged\n", tally.damaged))?;
    Ok(if contradictory == 0 { tally.done() } else { Done::Partly })
}
