//! `boardcast epd positions`: writes the positions of games.

use std::io::{BufWriter, Write};

use notation::epd::{GameExtras, game_records};
use notation::fen::{Castling, Style, write_fens};
use notation::pgn::{Game, Reader, game_positions};

use crate::done::Done;
use crate::pgn_files::PgnFiles;
use crate::terminal::warn;

/// Write the positions of games from PGN files, one a line, as EPD or FEN
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: PgnFiles,
    /// Output format
    #[arg(long, value_enum, default_value = "epd")]
    format: Format,
    /// Write the en passant square only where the capture is legal, not after every double step
    #[arg(long)]
    modern_en_passant: bool,
    /// Write castling rights as the files of the rooks (Shredder-FEN)
    #[arg(long)]
    shredder: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Records with the move played, counters, repetitions and, on the first, the tags
    Epd,
    /// Positions only
    Fen,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut number = 0;
    let mut refused = false;
    let tally = args.files.each_game(
        || Reader::new().check_moves(),
        |game, place| {
            number += 1;
            match args.lines(&game, number) {
                Ok(lines) => out.write_all(lines.as_bytes())?,
                Err(error) => {
                    warn(format_args!("{}: {error}; the game is left out", place.of(&game)));
                    refused = true;
                }
            }
            Ok(())
        },
    )?;
    out.flush()?;
    Ok(if refused { Done::Partly } else { tally.done() })
}

impl Args {
    fn lines(&self, game: &Game, number: u64) -> anyhow::Result<String> {
        let rule = if self.modern_en_passant { Style::MODERN } else { Style::STANDARD };
        let style = if self.shredder { Style { castling: Castling::Shredder, ..rule } } else { rule };
        if self.format == Format::Fen {
            return Ok(write_fens(&game_positions(game)?, style));
        }
        let records = game_records(game, GameExtras { id: &number.to_string(), moments: &[] })?;
        Ok(records.iter().map(|record| record.write(style) + "\n").collect())
    }
}
