//! `boardcast pgn split`: one file of games into many.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::ValueEnum;
use notation::archive::{file_name, last_name};
use notation::collation::CollationKey;
use notation::pgn::{Game, Reader, write_game};

use super::files::NewFiles;
use super::input::Files;
use crate::cli::Done;

/// Divide games among files
///
/// Games keep their order within each file. Files that are there already are not touched: that is an error.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: Files,
    /// What the games of one file have in common
    #[arg(long, value_name = "WHAT", required_unless_present = "games")]
    by: Option<By>,
    /// So many games to a file: `part-1.pgn`, `part-2.pgn`...
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
    /// The players' last names; each game goes to both
    Player,
    /// The year: `2026.pgn`
    Year,
    /// The month: `202611.pgn`
    Month,
    /// The day: `20261121.pgn`
    Day,
    /// Nothing: each game has a file of its own, `game-1.pgn`
    Game,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let mut files = NewFiles::below(&args.folder);
    let mut number = 0;
    let tally = args.files.each_game(Reader::new, |game, _| {
        number += 1;
        let text = write_game(&game);
        for name in names(args, &game, number) {
            files.add(&name, text.as_bytes())?;
        }
        Ok(())
    })?;
    files.close_all()?;
    Ok(tally.done())
}

/// Names of the files that a game goes to.
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
