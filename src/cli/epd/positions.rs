//! `boardcast epd positions`: the positions of games.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use notation::epd::{GameExtras, game_records};
use notation::fen::{Castling, Style, game_positions, write_fens};
use notation::pgn::{Game, read_games};

use super::Done;
use crate::input_file::read_text;

/// The most that one PGN file may hold.
const PGN_BYTES: u64 = 256 * 1024 * 1024;

/// The positions of the games of PGN files, one a line, as EPD or FEN
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// PGN files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value = "epd")]
    format: Format,
    /// Name the en passant square only where the capture is legal, and not after every double step
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
    let mut done = Done::Fully;
    for file in &args.files {
        let name = file.display();
        let text = match read_text(file, PGN_BYTES).with_context(|| format!("{name} cannot be read")) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("boardcast: {error:#}");
                done = Done::Partly;
                continue;
            }
        };
        for (index, game) in read_games(&text).enumerate() {
            let number = index + 1;
            let lines = game.map_err(anyhow::Error::from).and_then(|game| args.lines(&game, number));
            match lines {
                Ok(lines) => out.write_all(lines.as_bytes())?,
                Err(error) => {
                    eprintln!("boardcast: {name}, game {number}: {error:#}; the game is left out");
                    done = Done::Partly;
                }
            }
        }
    }
    out.flush()?;
    Ok(done)
}

impl Args {
    fn lines(&self, game: &Game, number: usize) -> anyhow::Result<String> {
        let rule = if self.modern_en_passant { Style::MODERN } else { Style::STANDARD };
        let style = if self.shredder { Style { castling: Castling::Shredder, ..rule } } else { rule };
        if self.format == Format::Fen {
            return Ok(write_fens(&game_positions(game)?, style));
        }
        let records = game_records(game, GameExtras { id: &number.to_string(), moments: &[] })?;
        Ok(records.iter().map(|record| record.write(style) + "\n").collect())
    }
}
