//! `boardcast pgn split`: splits games into several files.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::ValueEnum;
use notation::archive::{file_name, last_name};
use notation::collation::CollationKey;
use notation::pgn::{Game, Reader, write_game};

use crate::done::Done;
use crate::new_files::NewFiles;
use crate::pgn_files::PgnFiles;

/// Split games into several files
///
/// Every move is checked and written in canonical notation. Games keep their order within each file. An existing file is an error and is not changed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: PgnFiles,
    /// Property that the games of one file share
    #[arg(long, value_name = "WHAT", required_unless_present = "games")]
    by: Option<By>,
    /// Number of games in each file: `part-1.pgn`, `part-2.pgn`...
    #[arg(long, value_name = "N", conflicts_with = "by")]
    games: Option<NonZeroU64>,
    /// Folder for the files
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum By {
    /// The event: `City Open.pgn`
    Event,
    /// The round, without board numbers: `round-3.pgn`
    Round,
    /// The players' last names; each game goes into both files
    Player,
    /// The year: `2026.pgn`
    Year,
    /// The month: `202611.pgn`
    Month,
    /// The day: `20261121.pgn`
    Day,
    /// Each game in its own file: `game-1.pgn`
    Game,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let mut files = NewFiles::below(&args.folder);
    let mut number = 0;
    let tally = args.files.each_game(
        || Reader::new().check_moves().keep_null_moves(),
        |game, _| {
            number += 1;
            let text = write_game(&game);
            for name in names(args, &game, number) {
                files.add(&name, text.as_bytes())?;
            }
            Ok(())
        },
    )?;
    files.close_all()?;
    Ok(tally.done())
}

/// Names of the files that a game goes into.
fn names(args: &Args, game: &Game, number: u64) -> Vec<String> {
    let tag = |name| game.tags.get(name).unwrap_or("?");
    let [year, month, day] = CollationKey::of(game).date();
    let name = match (args.by, args.games) {
        (_, Some(games)) => format!("part-{}.pgn", (number - 1) / games + 1),
        (Some(By::Event), _) => file_name(tag("Event")),
        (Some(By::Round), _) => file_name(&format!("round-{}", tag("Round").split('.').next().unwrap_or("?"))),
        (Some(By::Player), _) => {
            let mut names = [tag("White"), tag("Black")].map(|player| file_name(last_name(player))).to_vec();
            names.dedup_by_key(|name| name.to_lowercase());
            return names;
        }
        (Some(By::Year), _) => format!("{year:04}.pgn"),
        (Some(By::Month), _) => format!("{year:04}{month:02}.pgn"),
        (Some(By::Day), _) => format!("{year:04}{month:02}{day:02}.pgn"),
        (Some(By::Game) | None, _) => format!("game-{number}.pgn"),
    };
    vec![name]
}
