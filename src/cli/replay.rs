//! `boardcast replay`: turns captures into games or events, and explains why a ply was told.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use game_core::capture::{CaptureError, read_capture};
use game_core::replay::{explain_ply, replay};
use notation::pgn::write_game;

use super::output;
use crate::input_file::read_bytes;
use notation_commands::Done;

/// Maximum size of a capture; a day of one board is far smaller.
const CAPTURE_BYTES: u64 = 256 * 1024 * 1024;

/// Maximum number of damaged lines that are listed.
const LISTED: usize = 20;

/// Turn captures into games (PGN) or events (JSON)
///
/// Several captures of one board are joined in the order of their start times. An incomplete last line is normal after a
/// power cut and gives a warning. For any other damage, everything readable is printed, a message names the line, and the
/// exit code is 1.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Capture files of one board
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print the games as PGN (the default)
    #[arg(long, conflicts_with = "events")]
    pgn: bool,
    /// Print events, one JSON object on each line
    #[arg(long)]
    events: bool,
    /// Explain why a ply was told: when, by what, and what it costs beside the likeliest line without it
    ///
    /// Plies count from 1: White's first move is ply 1, Black's reply ply 2. Costs are in nats: one nat more is 2.7 times less
    /// likely. docs/recognition.md explains the weights.
    #[arg(long, value_name = "PLY", conflicts_with_all = ["events", "pgn"], value_parser = clap::value_parser!(u32).range(1..))]
    explain: Option<u32>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let mut done = Done::Fully;
    let mut captures = Vec::new();
    for path in &args.files {
        let bytes = read_bytes(path, CAPTURE_BYTES).with_context(|| {
            format!("the capture {} cannot be read: check its name and permissions", path.display())
        })?;
        let capture = read_capture(&bytes);
        if !report_damage(path, &capture.errors) {
            done = Done::Partly;
        }
        captures.push(capture);
    }
    if let Some(ply) = args.explain {
        output::print(&explain_ply(&captures, ply)?)?;
        return Ok(done);
    }
    let replayed = replay(&captures);
    if replayed.commands_differ {
        eprintln!(
            "boardcast: this version sends other commands to the board than the capture has: another version recorded it, or \
             it is damaged"
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

/// Prints the damaged lines; gives back whether there is none.
fn report_damage(path: &Path, errors: &[CaptureError]) -> bool {
    let path = path.display();
    let (torn, damaged): (Vec<_>, Vec<_>) = errors.iter().partition(|error| error.torn);
    for error in torn {
        eprintln!("boardcast: {path}, {error}; an incomplete last line is normal after a power cut and is ignored");
    }
    for error in damaged.iter().take(LISTED) {
        eprintln!("boardcast: {path}, {error}; the rest is replayed");
    }
    if damaged.len() > LISTED {
        eprintln!("boardcast: {path}: {} more damaged lines", damaged.len() - LISTED);
    }
    damaged.is_empty()
}
