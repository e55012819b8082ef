//! `boardcast export`: games out, in forms that others ask for.

mod archive;
mod record;
mod results;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use notation::fen::{Style, write_fens};
use notation::pgc;
use notation::pgn::{Game, game_positions, write_game};

use self::archive::Archive;
use self::record::Wanted;
use self::results::{Results, Table};
use super::check::DataArgs;
use super::{Done, games};
use journal::PositionTimes;

/// Games out, in forms that others ask for
///
/// Without files: the games that the daemon recorded, also while it is at work; those withdrawn from the public are left
/// out unless they are named. With files: the games of these. A report (trf, csv) of what was recorded has everybody's
/// full name.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The form
    #[arg(long)]
    format: Format,
    /// File to write, for an archive its folder; files that are there already are not touched. `-`, or nothing: standard
    /// output
    #[arg(value_name = "TO")]
    to: Option<PathBuf>,
    /// PGN or PGC files whose games are meant in place of the recorded ones; `-` is standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["section", "round", "game", "config", "data"])]
    files: Vec<PathBuf>,
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    folder: DataArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Games as text
    Pgn,
    /// Games in the binary form of PGN
    Pgc,
    /// A directory tree of PGN files: one for each event, each player and each day
    Archive,
    /// The positions, one a line
    Fen,
    /// The positions with the moves played, the times and the tags
    Epd,
    /// A tournament report (TRF) of pairings and results
    Trf,
    /// A table of pairings and results
    Csv,
}

/// A game on its way out.
struct Exported<'a> {
    game: Game,
    /// The game's id; its number where it comes from a file.
    id: &'a str,
    times: PositionTimes,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    if args.files.is_empty()
        && let Some(table) = args.format.table()
    {
        let text = table.text(&record::pairings(&args.wanted, args.folder)?);
        let mut output = open(args.to.as_deref())?;
        output.write_all(text.as_bytes()).and_then(|()| output.flush()).context("the output cannot be written")?;
        return Ok(Done::Fully);
    }
    let mut export = Export::open(args.format, args.to.as_deref())?;
    let mut left_out = 0_u64;
    let mut add = |exported: &Exported<'_>| match export.add(exported) {
        Ok(()) => Ok(()),
        Err(Failed::Game(error)) => {
            left_out += 1;
            eprintln!("boardcast: game {}: {error:#}; it is left out", exported.id);
            Ok(())
        }
        Err(Failed::Output(error)) => Err(error),
    };
    let done = if args.files.is_empty() {
        record::each_game(&args.wanted, args.folder, &mut add)?;
        Done::Fully
    } else {
        let mut number = 0_u64;
        let take = |game| {
            number += 1;
            add(&Exported { game, id: &number.to_string(), times: PositionTimes::default() })
        };
        games::each_game(&args.files, take)?.done()
    };
    export.close()?;
    Ok(if left_out == 0 { done } else { Done::Partly })
}

/// A new file, or standard output.
fn open(to: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    let Some(path) = to.filter(|path| *path != Path::new("-")) else {
        return Ok(Box::new(BufWriter::new(io::stdout().lock())));
    };
    let file = File::create_new(path)
        .with_context(|| format!("{} cannot be made: name a new file in a folder you may write to", path.display()))?;
    Ok(Box::new(BufWriter::new(file)))
}

impl Format {
    /// The form of pairings and results that it is, if it is one.
    fn table(self) -> Option<Table> {
        match self {
            Self::Trf => Some(Table::Trf),
            Self::Csv => Some(Table::Csv),
            _ => None,
        }
    }

    /// A game in a form that has one game behind the other.
    fn bytes(self, exported: &Exported<'_>) -> anyhow::Result<Vec<u8>> {
        let game = &exported.game;
        Ok(match self {
            Self::Pgc => pgc::write_game(game)?,
            Self::Fen => write_fens(&game_positions(game)?, Style::STANDARD).into(),
            Self::Epd => exported.times.epd(exported.id, game)?.into(),
            _ => write_game(game).into(),
        })
    }
}

/// Why a game is not in the output.
enum Failed {
    /// The form cannot hold it.
    Game(anyhow::Error),
    /// Nothing more can be written.
    Output(anyhow::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Output(anyhow::Error::new(error).context("the output cannot be written"))
    }
}

/// Where the games go.
enum Export {
    Stream(Format, Box<dyn Write>),
    Archive(Archive, PathBuf),
    Results(Results, Box<dyn Write>),
}

impl Export {
    fn open(format: Format, to: Option<&Path>) -> anyhow::Result<Self> {
        if format == Format::Archive {
            let Some(folder) = to.filter(|path| *path != Path::new("-")) else {
                bail!("an archive needs a folder: boardcast export --format archive FOLDER");
            };
            return Ok(Self::Archive(Archive::new()?, folder.to_owned()));
        }
        let output = open(to)?;
        Ok(match format.table() {
            Some(table) => Self::Results(Results::new(table), output),
            None => Self::Stream(format, output),
        })
    }

    fn add(&mut self, exported: &Exported<'_>) -> Result<(), Failed> {
        match self {
            Self::Archive(archive, _) => archive.add(&exported.game).map_err(Failed::Output),
            Self::Results(results, _) => results.add(&exported.game).map_err(Failed::Output),
            Self::Stream(format, output) => {
                output.write_all(&format.bytes(exported).map_err(Failed::Game)?)?;
                Ok(())
            }
        }
    }

    fn close(self) -> anyhow::Result<()> {
        match self {
            Self::Archive(archive, folder) => archive.write(&folder),
            Self::Results(results, mut output) => {
                output.write_all(results.text()?.as_bytes())?;
                Ok(output.flush()?)
            }
            Self::Stream(_, mut output) => output.flush().context("the output cannot be written"),
        }
    }
}
