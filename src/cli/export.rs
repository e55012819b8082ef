//! `boardcast export`: writes games, pairings and results to files.

mod archive;
mod exported;
mod record;
mod results;
mod site;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use notation::fen::{Style, write_fens};
use notation::pgc;
use notation::pgn::{game_positions, write_game};

use self::archive::Archive;
use self::exported::Exported;
use self::record::Wanted;
use self::results::{Results, Table};
use super::data_args::DataArgs;
use super::games;
use journal::PositionTimes;
use notation_commands::{Done, Output};

/// Export games (PGN, PGC, EPD, FEN), pairings and results (TRF, CSV), or a site of files
///
/// Without FILE: exports the games that the daemon recorded, also while it is running. Games that are withdrawn from the
/// public are left out unless --game names them. With FILE: exports the games of these files. TRF and CSV of recorded games
/// have the full names of all players; a TRF has the lines of the report that was loaded, in its encoding.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The format
    #[arg(long)]
    format: Format,
    /// Language of the pages of a site: en (the default), de, es, fr, it or pl
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// New file, which appears when it is complete, or folder of an archive or site. `-` or nothing is standard output
    #[arg(value_name = "TO")]
    to: Option<PathBuf>,
    /// PGN or PGC files to export instead of the recorded games; `-` is standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["section", "round", "game", "config", "data"])]
    files: Vec<PathBuf>,
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    folder: DataArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Games as PGN text
    Pgn,
    /// Games in PGC, the binary form of PGN
    Pgc,
    /// A folder tree of PGN files: one for each event, each player and each day. An archive that is there is extended: in
    /// each file a game with the same `GameId` is replaced, and every other game stays
    Archive,
    /// A folder of pages, pictures and PGN files that any web server can hand out: the rounds of a section, without delay.
    /// The folder must be new or empty
    Site,
    /// Positions, one on each line
    Fen,
    /// Positions with moves, times and tags, one on each line
    Epd,
    /// Pairings and results as a tournament report (TRF)
    Trf,
    /// Pairings and results as a table (CSV)
    Csv,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    if args.language.is_some() && args.format != Format::Site {
        bail!("--language is for the pages of --format site");
    }
    if args.files.is_empty()
        && let Some(table) = args.format.table()
    {
        let (pairings, report) = record::pairings(&args.wanted, args.folder)?;
        let mut output = Output::open(args.to.as_deref())?;
        output.write_all(&table.bytes(&pairings, report.as_ref())).context("the output cannot be written")?;
        return output.finish().map(|()| Done::Fully);
    }
    if args.format == Format::Site {
        let folder = args.to.as_deref().filter(|path| args.files.is_empty() && *path != Path::new("-"));
        let Some(folder) = folder else {
            bail!("a site is made of recorded games and needs a folder: use `boardcast export --format site FOLDER`");
        };
        return site::write(&args.wanted, args.folder, args.language.as_deref().unwrap_or("en"), folder);
    }
    let mut export = Export::open(args.format, args.to.as_deref())?;
    let mut left_out = 0_u64;
    let mut add = |exported: &Exported<'_>| match export.add(exported) {
        Ok(()) => Ok(()),
        Err(Failed::Game(error)) => {
            left_out += 1;
            eprintln!("boardcast: game {} is left out: {error:#}", exported.id);
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

impl Format {
    /// The table format, for formats of pairings and results.
    fn table(self) -> Option<Table> {
        match self {
            Self::Trf => Some(Table::Trf),
            Self::Csv => Some(Table::Csv),
            _ => None,
        }
    }

    /// A game in a format that lists game after game.
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

/// Why a game was not written.
enum Failed {
    /// The format cannot represent the game.
    Game(anyhow::Error),
    /// The output cannot be written.
    Output(anyhow::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Output(anyhow::Error::new(error).context("the output cannot be written"))
    }
}

/// The destination of the games.
enum Export {
    Stream(Format, Output),
    Archive(Archive, PathBuf),
    Results(Results, Output),
}

impl Export {
    fn open(format: Format, to: Option<&Path>) -> anyhow::Result<Self> {
        if format == Format::Archive {
            let Some(folder) = to.filter(|path| *path != Path::new("-")) else {
                bail!("an archive needs a folder: use `boardcast export --format archive FOLDER`");
            };
            return Ok(Self::Archive(Archive::new()?, folder.to_owned()));
        }
        let output = Output::open(to)?;
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
                output.write_all(&results.bytes()?).context("the output cannot be written")?;
                output.finish()
            }
            Self::Stream(_, output) => output.finish(),
        }
    }
}
