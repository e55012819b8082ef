//! Reads PGN and PGC files game by game; the first byte of a file tells its format.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use notation::pgc;
use notation::pgn::{Game, Reader};
use notation_commands::{PgnFiles, Tally};

use crate::input_file::read_bytes;

/// Maximum size of a PGC file: about two million games.
const PGC_BYTES: u64 = 256 * 1024 * 1024;

/// First bytes of PGC files (PGN standard, 20.3): padding, reduced game, game. No text file begins with one of them.
const PGC_BEGINS: [u8; 3] = [0x00, 0x01, 0x05];

/// Calls `take` for every game that is legal; prints and counts damaged games.
///
/// # Errors
/// When a file cannot be read, and the errors of `take`.
pub(super) fn each_game(paths: &[PathBuf], mut take: impl FnMut(Game) -> anyhow::Result<()>) -> anyhow::Result<Tally> {
    let mut all = Tally::default();
    for path in paths {
        let tally = if is_pgc(path) {
            each_of_pgc(path, &mut take)?
        } else {
            PgnFiles::new(vec![path.clone()]).each_game(|| Reader::new().check_moves(), |game, _| take(game))?
        };
        all.games += tally.games;
        all.damaged += tally.damaged;
        all.incomplete += tally.incomplete;
    }
    Ok(all)
}

/// Whether a file begins like PGC; false for a file that cannot be read, whose reader reports it.
pub(super) fn is_pgc(path: &Path) -> bool {
    let mut first = [0];
    path != Path::new("-")
        && File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok()
        && PGC_BEGINS.contains(&first[0])
}

fn each_of_pgc(path: &Path, take: &mut impl FnMut(Game) -> anyhow::Result<()>) -> anyhow::Result<Tally> {
    let name = path.display();
    let bytes = read_bytes(path, PGC_BYTES).with_context(|| format!("{name} cannot be read"))?;
    let mut tally = Tally::default();
    for game in pgc::read_games(&bytes) {
        match game {
            Ok(game) => {
                tally.games += 1;
                take(game)?;
            }
            Err(error) => {
                tally.damaged += 1;
                eprintln!("boardcast: {name}, game {}, {error}", error.game);
            }
        }
    }
    Ok(tally)
}
