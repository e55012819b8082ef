//! `boardcast replay`: captures back into games or events.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use game_core::capture::{CaptureError, read_capture};
use game_core::replay::replay;
use notation::pgn::write_game;

use super::{Done, output};
use crate::input_file::read_bytes;

/// The most that one capture may hold; a day of one board is far below.
const CAPTURE_BYTES: u64 = 256 * 1024 * 1024;

/// Most damaged lines that are named; a file with more is damaged all over.
const DAMAGE_TOLD: usize = 20;

/// Captures back into games (PGN) or events (JSON)
///
/// Several captures of one board are joined in the order of their start times. A torn last line is normal after a power
/// cut and only warned about; at any other damage everything readable is printed, the line is named and the exit code
/// is 1.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Capture files of one board
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print the games as PGN (the default)
    #[arg(long, conflicts_with = "events")]
    pgn: bool,
    /// Print events, one JSON object a line
    #[arg(long)]
    events: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let mut done = Done::Fully;
    let mut captures = Vec::new();
    for path in &args.files {
        let bytes = read_bytes(path, CAPTURE_BYTES).with_context(|| {
            format!("the capture {} cannot be read: check its name and permissions", path.display())
        })?;
        let capture = read_capture(&bytes);
        if !tell_damage(path, &capture.errors) {
            done = Done::Partly;
        }
        captures.push(capture);
    }
    let replayed = replay(&captures);
    if replayed.commands_differ {
        eprintln!(
            "boardcast: this version would have asked the board differently: the capture is of another one, or damaged"
        );
    }
    let mut text = String::new();
    if args.events {
        for (_, record) in &replayed.records {
            writeln!(text, "{}", serde_json::to_string(record)?)?;
        }
    } else {
        for game in replayed.games() {
            text.push_str(&write_game(&game.to_pgn()));
        }
    }
    output::print(&text)?;
    Ok(done)
}

/// Names the damaged lines; gives back whether all is in order.
fn tell_damage(path: &Path, errors: &[CaptureError]) -> bool {
    let path = path.display();
    let (torn, damaged): (Vec<_>, Vec<_>) = errors.iter().partition(|error| error.torn);
    for error in torn {
        eprintln!("boardcast: {path}, {error}; a torn last line is normal after a power cut and is ignored");
    }
    for error in damaged.iter().take(DAMAGE_TOLD) {
        eprintln!("boardcast: {path}, {error}; what can be read is replayed");
    }
    if damaged.len() > DAMAGE_TOLD {
        eprintln!("boardcast: {path}: {} further lines are damaged", damaged.len() - DAMAGE_TOLD);
    }
    damaged.is_empty()
}
