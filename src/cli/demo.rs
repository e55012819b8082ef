//! `boardcast demo`: a whole hall rehearsed.

use std::net::SocketAddr;

use anyhow::Context;
use board_sim::{Beginning, Faults, Games, HallOptions, Style};
use clap::ValueEnum;
use tokio_util::sync::CancellationToken;

use super::{Done, output};
use crate::app;
use crate::config::DEFAULT_LISTEN;
use crate::demo::{Rehearsal, rehearse};
use crate::supervisor::stop_on_signals;

/// Games that each board plays.
const ROUNDS: usize = 9;

/// A whole hall rehearsed: simulated boards play real games through the same path as real boards
///
/// The boards are pseudo-terminals of this machine; real boards are left alone. Data is kept in a temporary folder, which
/// is gone afterwards. Ctrl-C ends.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Number of boards
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    boards: u16,
    /// Hall seconds per second: moves, clocks and pages all follow it
    #[arg(long, value_name = "X", default_value_t = 4.0, value_parser = speed)]
    speed: f64,
    /// Number from which all chance of the simulation follows; the same seed gives the same games
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// How much goes wrong on the lines: lost, damaged and doubled messages, pulled cables
    #[arg(long, value_enum, default_value_t = FaultLevel::None)]
    faults: FaultLevel,
    /// Address and port of the pages
    #[arg(long, value_name = "ADDR", default_value_t = DEFAULT_LISTEN)]
    listen: SocketAddr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FaultLevel {
    None,
    Some,
    Many,
}

fn speed(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(speed) if (0.1..=1000.0).contains(&speed) => Ok(speed),
        _ => Err("the speed is a number from 0.1 to 1000".into()),
    }
}

pub(super) async fn run(args: Args) -> anyhow::Result<Done> {
    let listener = app::listen(args.listen).await?;
    let folder = tempfile::Builder::new()
        .prefix("boardcast-demo-")
        .tempdir()
        .context("there is no temporary folder: check the space and the permissions of the folder in TMPDIR")?;
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
    let options = HallOptions {
        boards: args.boards.into(),
        speed: args.speed,
        seed,
        style: Style::Human,
        faults: match args.faults {
            FaultLevel::None => Faults::None,
            FaultLevel::Some => Faults::Some,
            FaultLevel::Many => Faults::Many,
        },
        games: Games::Masters,
        rounds_per_board: ROUNDS,
        rotated: true,
        beginning: Beginning::RoundByRound,
        ..HallOptions::default()
    };
    let Rehearsal { mut hall, settings } = rehearse(options, folder.path())?;
    let address = listener.local_addr()?;
    output::print(&format!(
        "{} simulated boards at {} times the speed of life, seed {seed}.\n\
         Page:  http://{address}/\n\
         PGN:   http://{address}/live.pgn\n\
         Ctrl-C ends.\n",
        args.boards, args.speed
    ))?;
    let stop = CancellationToken::new();
    stop_on_signals(&stop)?;
    hall.start();
    let ended = app::run(settings, listener, stop).await;
    hall.stop();
    ended.map(|()| Done::Fully)
}
